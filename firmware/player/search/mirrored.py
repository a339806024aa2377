"""Solutions of `pentominoes-apart`, by mirrors: a search from the empty board takes too long.

The pieces of one colour tile a quarter of the field. Each piece gets one of four colours, so that
neighbours differ. The quarter is laid four times, each mirrored at the border to the one before
and with the next colour for each piece: there a piece meets only its own image, which has another
colour. Parts of this board are then laid anew until little of its symmetry is left.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from firmware.player.search.exact_cover import FOUND
from firmware.player.search.filling import Filling
from firmware.rules.board import Move
from firmware.rules.extent import pieces_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Contact, Puzzle, Variant

_REFILLS: Final = 24
"""Parts of the board that are laid anew."""

_LIFTED: Final = 14
"""Pieces of such a part: a search among 10,000 of its arrangements finds one in 20 ms."""

_STEPS: Final = 20_000
"""Steps of the search in a part. If they find nothing, the part stays as it is."""


def has_mirrored(game: Variant) -> bool:
    """True if four quarters of a puzzle's field can be laid in this way."""
    puzzle = game.puzzle
    if puzzle is None or puzzle.contact is not Contact.NOT_AT_SIDES or puzzle.rows % 4:
        return False
    return puzzle.columns * puzzle.rows == 4 * sum(piece.size for piece in pieces_of(game))


def mirrored(game: Variant, seed: int) -> list[LaidPiece]:
    """A solution of an empty board; each seed gives another one."""
    assert game.puzzle is not None, "see `has_mirrored`"
    chance = np.random.default_rng(seed)
    rows = game.puzzle.rows // 4
    while True:
        quarter = _tiling(game, replace(game.puzzle, rows=rows, contact=Contact.ANY), chance)
        colours = _coloured(quarter, chance)
        if colours is not None:
            break
    laid = [
        ((colour + number) % 4, _raised(move, number, rows))
        for number in range(4)
        for colour, move in zip(colours, quarter, strict=True)
    ]
    for _ in range(_REFILLS):
        laid = _refilled(game, laid, chance)
    return laid


def _tiling(game: Variant, quarter: Puzzle, chance: np.random.Generator) -> list[Move]:
    """A random tiling of the lowest quarter by the pieces of one colour."""
    one = replace(game, starts=game.starts[:1], sides=((0,),), puzzle=quarter)
    search = Filling(Position.start(one), int(chance.integers(1 << 31)))
    while search.step(_STEPS) != FOUND:
        pass
    return [move for _, move in search.found()]


def _coloured(moves: list[Move], chance: np.random.Generator) -> list[Colour] | None:
    """One of four colours for each piece, so that neighbours differ; None if there are none."""
    near = [move.board.edge_neighbours(move.mask) for move in moves]
    order = [chance.permutation(4).tolist() for _ in moves]
    colours: list[Colour] = []

    def extend() -> bool:
        number = len(colours)
        if number == len(moves):
            return True
        taken = {colours[i] for i in range(number) if near[i] & moves[number].mask}
        for colour in order[number]:
            if colour not in taken:
                colours.append(colour)
                if extend():
                    return True
                colours.pop()
        return False

    return colours if extend() else None


def _raised(move: Move, number: int, rows: int) -> Move:
    """The image of a piece of the lowest quarter in quarter `number`, from 0 at the bottom."""
    board, size = move.board, move.board.size

    def image(square: int) -> int:
        row, column = divmod(square, size)
        height = size - 1 - row
        inside = rows - 1 - height if number % 2 else height
        return (size - 1 - inside - number * rows) * size + column

    index = board.find([image(square) for square in move.squares])
    assert index is not None, "the image of a piece is a piece"
    return board.move(index)


def _refilled(game: Variant, laid: list[LaidPiece], chance: np.random.Generator) -> list[LaidPiece]:
    """The same with the pieces around a random one laid anew."""
    _, middle = laid[int(chance.integers(len(laid)))]
    size = game.size
    row, column = divmod(middle.squares[0], size)

    def distance(one: LaidPiece) -> float:
        squares = np.array(one[1].squares)
        return float(np.hypot(squares // size - row, squares % size - column).mean())

    laid = sorted(laid, key=distance)
    position = Position.start(game).put_all(laid[_LIFTED:])
    search = Filling(position, int(chance.integers(1 << 31)))
    if search.step(_STEPS) != FOUND:
        return laid
    return laid[_LIFTED:] + search.found()
