"""The routes of the page, which answer requests.

sse            streams of changes, and the places for them
context        parts that all routes share
command_forms  from a form to a command
live           the page, its stream of changes, the live picture
games          past games: the list, the replay, what can be taken home
arbiter        pairing a phone, and what a paired one may ask
"""
