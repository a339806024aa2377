"""The plastic on each square, and everything that may deceive about it.

The layers, each knowing only those above it:

    colour_model       looks of empty squares and plastics, and the likelihood of each square
    clipping           a colour that was exposed for too long
    colour_fit         looks learned from the picture
    edition            the edition that lies on the board
    shadow_edges       black and white told from shadows
    colour_classifier  the plastic on each square, by its colour
    occlusion          squares under a hand or a thing, told from one picture alone
    single_frame       one picture judged by itself
    overhang           squares into which a neighbour's piece merely reaches
    partial_cover      squares that a piece covers in part
    bevel              shiny black told by its bevels
    subsquare          the parts of a square: overhang, partial cover, bevel
    specular           squares where a lamp is mirrored
"""
