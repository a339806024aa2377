"""Facts of the computer that the program runs on, as its kernel tells them. Opens no device.

health  heat and supply voltage of a Raspberry Pi
"""
