"""Measurements on squares and frames, before anything is judged.

The layers, each knowing only those above it:

    square_features  tint, lightness and lines of each square
    blocks           a view in coarse blocks of light, to compare frames by
    edge_phase       shifts of the board, by the phase of its edges
    frame_features   all measurements of a frame
"""
