"""Recognition of tiles by their shape alone: bevels, grooves and ridges.

network  a small convolutional network and its weights
"""
