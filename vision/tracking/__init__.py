"""Tracking of a board and of changes on it, from frame to frame.

change_detection  hands and objects over the board, by comparison with the last clear frame
lit_change        changes while LEDs glow
stillness         an object that is still over the board
known_tiles       tiles that look foreign by colour and are known by their shape
shape_cache       results of the network of shapes, reused while nothing changes
board_pose        the place of a board that was found or has moved
tracking          the place of the board from frame to frame
"""
