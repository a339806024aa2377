"""The composition root: the one place that names concrete devices, real or simulated.

hardware   the lights and buttons that the settings name
simulated  the simulated table, and all parts of any table put together
"""
