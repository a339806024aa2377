"""The same seams without wires: a table that is not there, and people who play at it.

table    what lies there: the truth, and nothing else
people   scripted people, who lay pieces as people do
outlook  the truth as something to look at
camera   frames of it
chain    LEDs that glow in it
clock    its time
"""
