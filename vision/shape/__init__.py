"""The network that reads squares.

network  the network, its outputs, and its file
"""
