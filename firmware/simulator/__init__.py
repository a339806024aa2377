"""Simulated hardware: a virtual table, and scripted people who play at it.

table         the true state of a table: every piece and its place
move_choice   simple choices of a move, without the player, also by a known solution
mistakes      typical illegal moves of people
hand_motion   motions of a hand, as scripts of beats
gestures      gestures of players, as motions of a hand
props         things and accidents with which players try the referee
people        scripted people who play a game
appearance    the tiles, lights and markers to render
camera        rendered frames of the table
ws2812_chain  a chain of LEDs under the table
spi_line      the SPI bus to the LEDs
plain_view    a board, a camera and a reader without pictures
buttons       the players' buttons
clock         a manual clock
"""
