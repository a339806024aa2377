"""A board that is watched: where it lies now, and what has changed.

change_detection  hands and things over the board, told against the last clear frame
lit_change        changes while LEDs glow
stillness         a thing that lies still over the board
shape_cache       readings of shapes, kept while nothing changes
board_pose        the place of a board that was found or has moved
tracking          the place of a watched board from frame to frame
"""
