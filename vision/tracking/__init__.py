"""Tracking of a board and of changes on it, from frame to frame.

The layers, each knowing only those above it:

    frame_features    all measurements of a frame
    change_detection  hands, objects and changes over the board, by comparison with earlier frames
    shape_cache       outputs of the network of squares, reused while nothing changes
    board_pose        the place of a board, followed, corrected and found again
"""
