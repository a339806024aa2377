"""The network that reads squares, and what it sees at the border.

border   trees that tell whether a tile goes on beyond the border, and their file
network  the network, its outputs, and its file
"""
