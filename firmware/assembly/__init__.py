"""The composition root: the only place that names concrete devices, real or simulated.

hardware   lights and buttons as set in the settings
services   journal, archive, page server, phones and loop around the devices
real       the real table
simulated  the simulated table
"""
