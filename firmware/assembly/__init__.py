"""The composition root: the only place that names concrete devices, real or simulated.

game_config   the terms of a game, from the settings and the board
led_strip     the wiring of the LEDs, and their driver, as set in the settings
hardware      lights and buttons as set in the settings
table_places  places of a table's files and of its socket
rooms         finds what the rooms add that can be taken out
services      journal, archive, page server, phones and loop around the devices
real          the real table
simulated     the simulated table
"""
