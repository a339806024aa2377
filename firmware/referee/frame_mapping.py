"""Converts squares and colours of the reader to those of the game.

The reader has its own frame, and colours by their column in its palette. The rules use the frame
in which the starting points are e10 and j5, and colours by their place in the order of play.
Before the first piece is laid, several mappings can be possible.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from firmware.referee.placement_matching import Contents, Hypothesis, MatchedPiece
from firmware.rules.board import Board, Move, mask_where, squares_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.reconstruction import Borders
from firmware.rules.variants import Colour, Edition, Variant

QUARTER: int = 90
"""Degrees of a quarter turn."""


@dataclass(frozen=True)
class FrameMapping:
    """A turn of the board and an assignment of the reader's colours.

    Attributes:
        size: squares along a side of the board.
        turned: the clockwise turn in degrees from the reader's frame to the game's.
        plastic: for each colour in the order of play its column in the reader's palette.
    """

    size: int
    turned: int
    plastic: tuple[int, ...]

    @cached_property
    def _seen_at(self) -> tuple[int, ...]:
        """The square in the reader's frame for each square of the game's."""
        squares = np.arange(self.size**2).reshape(self.size, self.size)
        return tuple(np.rot90(squares, -(self.turned // QUARTER)).ravel().tolist())

    @cached_property
    def _square_at(self) -> tuple[int, ...]:
        """The square in the game's frame for each square of the reader's."""
        return tuple(np.argsort(self._seen_at).tolist())

    def seen_at(self, square: int) -> int:
        """Converts a square of the game's frame to the reader's."""
        return self._seen_at[square]

    def colour(self, column: int) -> Colour:
        """Converts a column of the palette to the colour in the order of play."""
        return self.plastic.index(column)

    def to_game(self, seen: Move) -> Move:
        """Converts a placement of the reader's frame to the game's."""
        return Board.of(self.size).transform(seen, self.turned // QUARTER)

    def to_reader(self, move: Move) -> Move:
        """Converts a placement of the game's frame to the reader's."""
        return Board.of(self.size).transform(move, -(self.turned // QUARTER))

    def piece(self, seen: Hypothesis | MatchedPiece) -> LaidPiece:
        """Converts a piece that is seen to the game's colour and placement."""
        return self.colour(seen.colour), self.to_game(seen.move)

    def masks(self, contents: Contents) -> list[int]:
        """Converts contents of the reader's frame to the squares of each colour in the game's."""
        return [self.mask(mask_where(contents == 1 + column)) for column in self.plastic]

    def mask(self, seen: int) -> int:
        """Converts a mask of the reader's frame to the game's."""
        return sum(1 << self._square_at[square] for square in squares_of(seen))

    def borders(self, seen: Borders) -> Borders:
        """Converts pairs of squares of the reader's frame to the game's."""
        return frozenset(frozenset(self._square_at[one] for one in pair) for pair in seen)

    def contents(self, position: Position) -> Contents:
        """Returns the contents in the reader's frame that a position should show."""
        contents = np.zeros(self.size**2, np.int64)
        for colour, column in enumerate(self.plastic):
            for square in squares_of(position.squares(colour)):
                contents[self._seen_at[square]] = 1 + column
        return contents

    def edition(self, palette: Edition) -> Edition:
        """Returns the names of the colours in the order of play."""
        return tuple(palette[column] for column in self.plastic)


def mappings(
    game: Variant, palette: Edition, turned: int | None, edition: Edition | None
) -> Iterator[FrameMapping]:
    """Yields every mapping that is still possible, in the palette's order and with turn 0 first.

    Args:
        game: the variant played.
        palette: names of the reader's colours.
        turned: the turn in degrees, if it is known.
        edition: names of the colours in the order of play, if it is known.
    """
    # Starting points in four corners look the same from every side; the two of Duo do not.
    turns = (turned or 0,) if len(game.starts) != 2 or turned is not None else (0, QUARTER)
    orders: Iterator[tuple[int, ...]] = permutations(range(len(palette)))
    if edition is not None:
        orders = iter([tuple(map(palette.index, edition))])
    elif len(game.colours) != 2:
        orders = iter([tuple(game.colours)])
    for order in orders:
        for turn in turns:
            yield FrameMapping(game.size, turn, order)
