"""Fillings: puzzles whose pieces cover every square of their field, as problems of exact cover.

Where any piece may lie anywhere, colours do not matter: a kind of piece is a shape, and the found
pieces get the colours that have them in hand. Otherwise a kind is a shape of one colour.
"""

from functools import cache
from typing import Final

import numpy as np

from firmware.player.search import exact_cover
from firmware.player.search.exact_cover import NONE, STOPPED, Cover
from firmware.player.search.tables import Ints
from firmware.rules.board import squares_of
from firmware.rules.extent import field_of, pieces_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Contact, Puzzle

_FIRST: Final = 2000
"""Steps of a first search; then another one with other random choices begins, and so on."""

_LONGER: Final = 3.0
"""Factor from the steps of a search to those of the next: the last one tries everything."""


_LOOK: Final = 2000
"""Steps between two looks at the clock: some 5 ms."""


class Filling:
    """The search for a filling of a begun board.

    Args:
        position: the board.
        seed: seed of the random choices.
    """

    def __init__(self, position: Position, seed: int) -> None:
        self._position: Final = position
        self._coloured: Final = _puzzle(position).contact is not Contact.ANY
        self._free: Final = list(squares_of(field_of(position.game) & ~position.occupied))
        self._options: Final = self._listed()
        self._kinds: Final = self._counted()
        self._cover: Final = self._problem() if self._fits() else None
        self._seed = seed
        self._left, self._allowed = 0, float(_FIRST)

    def step(self, steps: int = _LOOK) -> int:
        """Searches on; returns `FOUND`, `NONE` or `STOPPED` after a number of steps."""
        cover = self._cover
        if cover is None:
            return NONE
        while steps > 0:
            if self._left <= 0:
                exact_cover.restart(cover, self._seed)
                self._seed += 1 << 32
                self._left = int(self._allowed)
                self._allowed *= _LONGER
            now = min(steps, self._left)
            state = exact_cover.search(cover, now)
            if state != STOPPED:
                return state
            steps -= now
            self._left -= now
        return STOPPED

    def found(self) -> list[LaidPiece]:
        """The pieces that complete the board."""
        assert self._cover is not None, "a solution was found"
        chosen = [self._options[i] for i in exact_cover.chosen_of(self._cover)]
        if self._coloured:
            return chosen
        owners = {
            piece: [c for c in self._position.game.colours if piece in self._position.in_hand(c)]
            for piece in dict.fromkeys(move.piece for _, move in chosen)
        }
        chance = np.random.default_rng(self._seed)
        for colours in owners.values():
            chance.shuffle(colours)
        return [(owners[move.piece].pop(), move) for _, move in chosen]

    def _listed(self) -> list[LaidPiece]:
        position = self._position
        if self._coloured:
            return [(c, move) for c in position.game.colours for move in position.moves_of(c)]
        every = {move for c in position.game.colours for move in position.moves_of(c)}
        return [(0, move) for move in sorted(every, key=lambda move: move.index)]

    def _counted(self) -> dict[tuple[Colour, int], int]:
        """Number of copies of each kind, by colour and piece."""
        kinds: dict[tuple[Colour, int], int] = {}
        for colour in self._position.game.colours:
            for piece in self._position.in_hand(colour):
                kind = (colour if self._coloured else 0, piece.index)
                kinds[kind] = kinds.get(kind, 0) + 1
        return kinds

    def _fits(self) -> bool:
        """True if the pieces in hand have as many squares as are free."""
        hands = map(self._position.in_hand, self._position.game.colours)
        return sum(piece.size for hand in hands for piece in hand) == len(self._free)

    def _problem(self) -> Cover:
        board = self._position.board
        moves = [move.index for _, move in self._options]
        cells = board.cells[moves][:, : max(piece.size for piece in pieces_of(self._position.game))]
        place = np.full(board.squares, -1, np.int32)
        place[self._free] = np.arange(len(self._free))
        kinds = {kind: number for number, kind in enumerate(self._kinds)}
        near = _beside(board.size)
        near = np.where(near >= 0, place[near], -1)
        return exact_cover.new_cover(
            place[cells],
            np.array([kinds[c, move.piece.index] for c, move in self._options], np.int32),
            np.array([c for c, _ in self._options], np.int32),
            near[cells].reshape(len(moves), -1) if self._coloured else place[cells],
            np.array(list(self._kinds.values()), np.int32),
            near[self._free],
        )


@cache
def _beside(size: int) -> Ints:
    """(squares, 4): the squares that share a side with each square, -1 off the board."""
    row, column = np.divmod(np.arange(size * size)[:, None], size)
    rows, columns = row + np.array([-1, 0, 0, 1]), column + np.array([0, -1, 1, 0])
    inside = (rows >= 0) & (rows < size) & (columns >= 0) & (columns < size)
    return np.where(inside, rows * size + columns, -1).astype(np.int32)


def _puzzle(position: Position) -> Puzzle:
    puzzle = position.game.puzzle
    assert puzzle is not None, "only puzzles are solved"
    return puzzle
