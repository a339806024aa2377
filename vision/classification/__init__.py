"""The content of each square by its colour, and corrections for light, hands and askew pieces.

The layers, each knowing only those above it:

    colour_model       appearance of empty squares and plastics, and the likelihood of each square
    clipping           a colour in an overexposed picture
    colour_fit         appearance of the colours, learned from the picture
    edition            the edition that is on the board
    shadow_edges       black and white distinguished from shadows
    colour_classifier  the content of each square, by its colour
    occlusion          squares under a hand or an object, detected from one picture alone
    single_frame       one picture judged by itself
    overhang           empty squares that a neighbour's piece overhangs
    partial_cover      squares that a piece covers in part
    subsquare          the parts of a square: overhang, partial cover
    specular           squares where a lamp is mirrored
"""
