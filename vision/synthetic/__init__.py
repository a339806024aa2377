"""Rendered pictures of a table, for demonstration and tests.

    scene     a table in millimetres, as frozen values
    backdrop  the cloth, the markers and the empty board, which never move
    tiles     pieces with walls, bevels and gloss
    objects   a hand with a sleeve, a cup, and a lamp that is mirrored in the board
    renderer  all of it as one frame, fast because it draws only changes

Lengths are in millimetres of the board's frame: origin in the middle of the field of squares, x
to the right, y towards the top row, z up from the floor of the squares. What the reader makes of
these pictures is counted apart, because they were drawn with knowledge of its method.
"""
