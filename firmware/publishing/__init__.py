"""Publishing: the page of a game as plain data, and the socket that serves it.

arbiter_page  part of a page for arbiters only
page_builder  the page that every screen shows, from the state of a game
feed_server   server of the newest page, picture and paired phones
"""
