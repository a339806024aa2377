"""A game as data: events, the state computed from them, clock, seats and hints. Pure.

reasons       a reason for a move
events        all events of a table
event_codec   the JSON form of events
levels        names of the levels of the computer player
clock         the clock of the players
config        the terms agreed for a game
seating       players, their colours, and their seats
state         the state of a game, computed from its events
result        the winner, and the end of a game
solving_time  the time that a puzzle takes
hints         hints: the number left, and the steps of each
restoration   the steps that put moved pieces back in place
"""
