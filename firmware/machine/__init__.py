"""Facts of the computer that the program runs on, as its kernel tells them. Opens no device.

sysfs   the files in which the kernel tells facts
health  heat and supply voltage of a Raspberry Pi
"""
