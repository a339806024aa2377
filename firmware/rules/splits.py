"""The ways to split squares into different pieces.

An exact cover (Knuth, "Dancing Links", 2000): of the uncovered squares, the one that the fewest
placements can cover is covered first.
"""

from collections.abc import Collection, Iterator
from typing import Final

from firmware.rules.board import Board, Move, squares_of
from firmware.rules.pieces import PIECES

Split = tuple[Move, ...]
"""Pieces that cover some squares, in the order of their squares in records."""

_MOST_SPLITS: Final = 4
"""Greatest number of ways that are returned, of more none: people are asked about few."""

_MOST_TRIED: Final = 2000
"""Partial splits that are tried, 20 ms."""


def splits(
    board: Board,
    group: int,
    hand: Collection[int],
    *,
    most: int = _MOST_SPLITS,
    tried: int = _MOST_TRIED,
) -> tuple[Split, ...] | None:
    """The ways to split squares into different pieces; None if there are too many.

    Args:
        board: the tables of the board.
        group: mask of the squares.
        hand: indices of the pieces that may be among them, each once.
        most: greatest number of ways.
        tried: greatest number of partial splits that are tried.
    """
    options = _Options(board, group, hand)
    found: list[Split] = []
    stack: list[tuple[int, int, Split]] = [(group, options.everything, ())]
    for _ in range(tried):
        if not stack or len(found) > most:
            break
        rest, open_, parts = stack.pop()
        if not rest:
            found.append(tuple(sorted(parts, key=lambda move: move.squares)))
            continue
        for option in options.fewest(rest, open_):
            move = options.moves[option]
            compatible = open_ & ~options.conflicts[option]
            stack.append((rest & ~move.mask, compatible, (*parts, move)))
    return None if stack or len(found) > most else tuple(found)


class _Options:
    """The placements within a group of squares, numbered; a set of them is a bit mask.

    Attributes:
        moves: the placements.
        conflicts: for each option the set of options that share a square or the piece with it.
        everything: the set of all options.
    """

    def __init__(self, board: Board, group: int, hand: Collection[int]) -> None:
        outside = board.covering_any((1 << board.squares) - 1 & ~group)
        for piece in PIECES:
            if piece.index not in hand:
                outside |= board.of_piece[piece.index]
        indices = board.indices((1 << board.placements) - 1 & ~outside).tolist()
        self.moves: Final = [board.move(index) for index in indices]
        self.everything: Final = (1 << len(self.moves)) - 1
        self._covering: Final = dict.fromkeys(squares_of(group), 0)
        of_piece = [0] * len(PIECES)
        for option, move in enumerate(self.moves):
            of_piece[move.piece.index] |= 1 << option
            for square in squares_of(move.mask):
                self._covering[square] |= 1 << option
        self.conflicts: Final = []
        for move in self.moves:
            conflicts = of_piece[move.piece.index]
            for square in squares_of(move.mask):
                conflicts |= self._covering[square]
            self.conflicts.append(conflicts)

    def fewest(self, rest: int, open_: int) -> Iterator[int]:
        """The options of `open_` on the square of `rest` that has the fewest, maybe none."""
        least, fewest = len(self.moves) + 1, 0
        for square in squares_of(rest):
            on_it = self._covering[square] & open_
            count = on_it.bit_count()
            if count < least:
                least, fewest = count, on_it
                if not count:
                    break
        return squares_of(fewest)
