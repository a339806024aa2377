"""Measurements on squares and frames, before anything is judged.

The layers, each knowing only those above it:

    square_features      tint, lightness and lines of each square
    exposure_correction  a dark view as it would be if it had been exposed longer
    blocks               a view in coarse blocks of light, to compare frames by
    edge_phase           shifts of the board, by the rhythm of its edges
    frame_features       measurements of a frame, kept of the last clear one
"""
