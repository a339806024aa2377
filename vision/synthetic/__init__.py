"""Pictures of a table that does not exist: for us to see and to test by.

    scene     a table in millimetres, as frozen values
    backdrop  the cloth, the markers and the empty board, which never move
    tiles     pieces with walls, bevels and gloss
    hand      a hand with a sleeve
    cup       a cup that somebody put down
    renderer  all of it as one frame, fast because it draws only what changed

Lengths are in millimetres of the board's frame: origin in the middle of the field of squares, x
to the right, y towards the top row, z up from the floor of the squares. Pictures are never the
measure of the reader: whoever drew them knew too well what it looks for.
"""

from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import (
    BoardLook,
    CameraPose,
    ClothLook,
    CupLook,
    HandLook,
    LampLook,
    MarkerLook,
    SquareLight,
    TableLook,
    Tile,
)

__all__ = [
    "BoardLook",
    "CameraPose",
    "ClothLook",
    "CupLook",
    "HandLook",
    "LampLook",
    "MarkerLook",
    "Renderer",
    "SquareLight",
    "TableLook",
    "Tile",
]
