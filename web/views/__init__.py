"""The routes of the page.

streams        streams of changes and limits of their number
context        objects that all routes share
command_forms  conversion of a form to a command
live           the page, its stream of changes, the camera's pictures
games          past games: list, replay, downloads; pictures to share
review         the review of a past game, and its moments to try again
people         people: figures, mistakes to practise, the puzzle of the day
arbiter        pairing of a phone, and commands of a paired one
overlay        the overlay for streams, of a table or of a hall
play           gestures of people at a simulated table, and the games that they begin
club           seats, calls of the arbiter and matches at any table
camera         a phone that is the camera: its page, its number, its pictures
setup          the set-up of a table in steps
"""
