"""The composition root: the only place that names concrete devices, real or simulated.

hardware   lights and buttons as set in the settings
simulated  the simulated table, and the composition of all parts of a table
"""
