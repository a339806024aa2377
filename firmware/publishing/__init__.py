"""Publishing: the page of a game as plain data, and the socket that serves it.

arbiter_page  the part of a page that only arbiters are shown
page_builder  from the game to the page that every screen shows
feed_server   the newest page, picture and phones for whoever listens
"""
