"""Teaching of networks and path tracing, outside the wheel.

tracing  boards traced by Mitsuba, to learn from and to be judged by
shapes   the network of `vision.shape`
player   the network of `firmware.search`
"""
