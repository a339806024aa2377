"""Simulated hardware: a virtual table, and scripted people who play at it.

table         the true state of a table: every piece and its place
move_choice   simple choices of a move, without the player
puzzle_choice  the pieces of a known solution of a puzzle
mistakes      typical illegal moves of people
hand_motion   motions of a hand, as scripts of beats
gestures      gestures of players, as motions of a hand
props         things and accidents with which players try the referee
people        scripted people who play a game
appearance    the tiles, lights and markers to render
plain_view    a board, a camera and a reader without pictures
camera        rendered frames of the table
script        a table and a sequence of actions, from a file
ws2812_chain  a chain of LEDs under the table
spi_line      the SPI bus to the LEDs
pio_device    the LED device of a Raspberry Pi 5
wled_controller  WLED and its LEDs in the network
buttons       the players' buttons
v4l2_device   a webcam as OpenCV shows it
picamera2_library  the library picamera2 and a camera of the Raspberry Pi
clock         a manual clock
"""
