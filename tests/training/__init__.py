"""Training of networks and path tracing, outside the wheel.

tracing  boards traced by Mitsuba, for training and evaluation
finder   training of the network of `vision.detection` that finds boards
shapes   training of the network of `vision.squares`
player   training of the network of `firmware.player.search`
"""
