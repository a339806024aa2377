"""The 21 pieces and their 91 orientations: every free polyomino of one to five squares.

Names are those of Pentobi's records. Sizes and counts are known numbers (one, one, two, five
and twelve pieces of one to five squares, 89 squares for a colour) and are tested as such.
"""

from dataclasses import dataclass
from typing import Final

Shape = tuple[tuple[int, int], ...]
"""Squares as sorted (row, column) pairs, the smallest row and column being 0."""

_DRAWINGS: Final = """
1   x
2   xx
I3  xxx
V3  xx/x
I4  xxxx
L4  xxx/x
T4  xxx/.x
Z4  xx/.xx
O   xx/xx
F   xx/.xx/.x
I5  xxxxx
L5  xxxx/x
N   xxx/..xx
P   xxx/xx
T5  xxx/.x/.x
U   xxx/x.x
V5  xxx/x/x
W   xx/.xx/..x
X   .x/xxx/.x
Y   xxxx/.x
Z5  xx/.x/.xx
"""
"""Name and rows of each piece: `x` a square, `.` none, `/` between rows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the 21 pieces.

    Attributes:
        index: index in `PIECES`, 0 to 20, smaller pieces first.
        name: as in Pentobi's records, for example `W` or `I3`.
        size: number of squares, 1 to 5.
        orientations: distinct shapes of the turned and flipped piece.
    """

    index: int
    name: str
    size: int
    orientations: tuple[Shape, ...]


def normalised(shape: Shape) -> Shape:
    """The shape moved so that its smallest row and column are 0, its squares sorted."""
    top = min(row for row, _ in shape)
    left = min(column for _, column in shape)
    return tuple(sorted((row - top, column - left) for row, column in shape))


def _orientations(shape: Shape) -> tuple[Shape, ...]:
    found = set()
    for _ in range(4):
        shape = normalised(tuple((column, -row) for row, column in shape))
        found.add(shape)
        found.add(normalised(tuple((row, -column) for row, column in shape)))
    return tuple(sorted(found))


def _drawn(index: int, line: str) -> Piece:
    name, drawing = line.split()
    shape = tuple(
        (row, column)
        for row, text in enumerate(drawing.split("/"))
        for column, mark in enumerate(text)
        if mark == "x"
    )
    return Piece(index, name, len(shape), _orientations(shape))


PIECES: Final = tuple(_drawn(i, line) for i, line in enumerate(_DRAWINGS.strip().splitlines()))
"""The 21 pieces, smaller ones first."""

PIECE_NAMED: Final = {piece.name: piece for piece in PIECES}
"""The pieces by name."""

MONOMINO: Final = PIECES[0]
"""The piece of a single square, which earns five points when it is placed last."""

LARGEST: Final = max(piece.size for piece in PIECES)
"""Squares of the largest piece: 5."""

SQUARES_OF_A_COLOUR: Final = sum(piece.size for piece in PIECES)
"""Squares of all pieces of a colour: 89."""
