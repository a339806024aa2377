"""The routes of the page.

sse            streams of changes and limits of their number
context        objects that all routes share
command_forms  conversion of a form to a command
live           the page, its stream of changes, the live picture
games          past games: list, replay, downloads
arbiter        pairing of a phone, and commands of a paired one
play           seats and gestures of people at a simulated table
setup          the set-up of a table in steps
"""
