"""Tracking of a board and of changes on it, from frame to frame.

change_detection  hands and objects over the board, by comparison with the last clear frame
lit_change        changes while LEDs glow
stillness         an object that is still over the board
shape_cache       outputs of the network of shapes, reused while nothing changes
board_pose        the place of a board that was found or has moved
tracking          the place of the board from frame to frame
"""
