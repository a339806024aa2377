"""A game as data: events, the state they add up to, clock, seats and hints. Pure.

events       everything that can happen at a table
event_codec  the JSON form of events
clock        the time of the players
config       the terms agreed for a game
seating      players, their colours, and their seats
state        the state that the events of a game add up to
result       the winner, and the end of a game
hints        hints: the number left, and the steps of each
restoration  the way back after accepted pieces were moved
"""
