"""The same seams without wires: a table that is not there, and people who play at it.

table         the truth of a table: every piece, and its place
move_choice   ways to pick a move that need no player
mistakes      moves against the rules, as people make them
people        scripted people, who lay pieces as people do
appearance    the truth as something to look at
camera        frames of it
script        a table and what happens at it, from a file
ws2812_chain  LEDs that glow in it
spi_line      the wire to them
pio_device    the device of a Raspberry Pi 5 that drives them
buttons       the players' buttons
clock         its time
"""
