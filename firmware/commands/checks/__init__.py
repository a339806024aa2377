"""The checks of `cornerlight doctor`, by concern. Each returns what it found, and how to mend it.

check          the settings to check, the result of one check, and its lines on a terminal
program        the rules, the parts and the libraries of the program
hardware       lights and buttons of the settings
camera         the camera: there, controls, size, rate, mirror image
computer       model and system, supply voltage, heat, clock, disk
boot           the boot configuration of a Raspberry Pi
permissions    the rights of the user that runs the table
services       units of systemd, the table behind its socket, the score page and its addresses
survey         all checks of a computer and of what runs on it, in order
first_evening  the checklist of a first evening, with what is found for each of its lines
"""
