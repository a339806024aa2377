"""The 21 pieces at any pitch.

The origin is the corner of the first square of the first row of the piece's first shape; columns go
to x, rows to -y. A piece lies on z = 0, and is printed as it lies.
"""

from build123d import Align, Axis, Box, Kind, Part, Pos, Rectangle, Sketch, chamfer, extrude, offset

from firmware.rules.pieces import PIECES, Shape
from hardware.parts.dimensions import (
    PIECE_BOTTOM,
    PIECE_GAP,
    PIECE_GROOVE,
    PIECE_HIGH,
    PIECE_TOP,
)

_FIRST = (Align.MIN, Align.MAX)
"""Alignment of a square, which lies at x and -y of its place, as columns and rows go."""


def piece(name: str, pitch: float) -> Part:
    """Returns a piece.

    Args:
        name: of a piece in `firmware.rules.pieces.PIECES`.
        pitch: distance from square to square in millimetres, 8 to 40.

    Raises:
        StopIteration: there is no such piece.
    """
    shape = next(one for one in PIECES if one.name == name).orientations[0]
    body = extrude(_outline(shape, pitch), PIECE_HIGH * pitch)
    body = chamfer(body.edges().group_by(Axis.Z)[-1], PIECE_TOP)
    body = chamfer(body.edges().group_by(Axis.Z)[0], PIECE_BOTTOM)
    return body - _grooves(shape, pitch)


def _outline(shape: Shape, pitch: float) -> Sketch:
    """Returns the outline of a piece, smaller than its squares by the gap."""
    square = Rectangle(pitch, pitch, align=_FIRST)
    squares = [Pos(column * pitch, -row * pitch) * square for row, column in shape]
    return offset(Sketch() + squares, -PIECE_GAP, kind=Kind.INTERSECTION)


def _grooves(shape: Shape, pitch: float) -> list[Part]:
    """Returns what is cut between neighbouring squares."""
    wide, deep = PIECE_GROOVE
    long = pitch - 2 * PIECE_GAP - 2 * PIECE_TOP
    top = PIECE_HIGH * pitch
    beside = [
        Pos((column + 1) * pitch, -(row + 0.5) * pitch, top) * Box(wide, long, 2 * deep)
        for row, column in shape
        if (row, column + 1) in shape
    ]
    below = [
        Pos((column + 0.5) * pitch, -(row + 1) * pitch, top) * Box(long, wide, 2 * deep)
        for row, column in shape
        if (row + 1, column) in shape
    ]
    return [*beside, *below]
