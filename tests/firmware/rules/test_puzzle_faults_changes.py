"""A thousand changes of solved boards: the checker and the rules of moves agree on each.

The checker looks at a board without history. The oracle lays the pieces one by one, by the rules
of moves, in whatever order they can be laid: a board is right if all of them can.
"""

import numpy as np
import pytest

from firmware.rules.board import Board
from firmware.rules.extent import pieces_of
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import faults, is_solved
from firmware.rules.variants import PUZZLES, Colour, Variant
from firmware.simulator.move_choice import solved

CHANGES = 170
"""Changes of each of the six boards, 1,020 in all."""

Laid = tuple[Colour, tuple[int, ...]]


def can_be_laid(game: Variant, pieces: list[Laid]) -> bool:
    """True if the pieces can be laid one by one, each by the rules of moves."""
    position, rest = Position.start(game), pieces
    while rest:
        later = []
        for colour, squares in rest:
            index = position.board.find(squares)
            if index is None or position.examine(squares, colour):
                later.append((colour, squares))
            else:
                position = position.play(position.board.move(index), colour)
        if len(later) == len(rest):
            return False
        rest = later
    return True


def changed(game: Variant, pieces: list[Laid], chance: np.random.Generator) -> list[Laid]:
    """Changes one piece of a board in one of the ways in which people do."""
    board, number = Board.of(game.size), int(chance.integers(len(pieces)))
    colour, squares = pieces[number]
    rest = pieces[:number] + pieces[number + 1 :]
    index = board.find(squares)
    assert index is not None
    match int(chance.integers(6)):
        case 0:  # lifted
            return rest
        case 1:  # of another colour
            return [*rest, ((colour + int(chance.integers(1, 4))) % 4, squares)]
        case 2:  # pushed by a square or two
            return [*rest, (colour, _pushed(board, squares, chance))]
        case 3:  # another piece in its place
            inside = board.covering[squares[0]] & _free(board, rest)
            places = board.indices(inside)
            place = board.move(int(chance.choice(places))) if len(places) else board.move(index)
            return [*rest, (colour, tuple(place.squares))]
        case 4:  # exchanged with another in colour
            other = int(chance.integers(len(rest)))
            theirs = rest[other]
            rest = rest[:other] + rest[other + 1 :]
            return [*rest, (theirs[0], squares), (colour, theirs[1])]
        case _:  # a few more lifted
            remaining = chance.permutation(len(rest))[: int(chance.integers(1, len(rest)))]
            return [rest[place] for place in sorted(remaining.tolist())]


def _free(board: Board, pieces: list[Laid]) -> int:
    covered = 0
    for _, squares in pieces:
        for square in squares:
            covered |= board.covering[square]
    return ((1 << board.placements) - 1) & ~covered


def _pushed(board: Board, squares: tuple[int, ...], chance: np.random.Generator) -> tuple[int, ...]:
    down, right = (int(step) for step in chance.integers(-2, 3, 2))
    rows, columns = zip(*(divmod(square, board.size) for square in squares), strict=True)
    down = max(-min(rows), min(board.size - 1 - max(rows), down))
    right = max(-min(columns), min(board.size - 1 - max(columns), right))
    return tuple(square + down * board.size + right for square in squares)


@pytest.mark.parametrize("key", PUZZLES)
def test_changes_of_a_solved_board_are_judged_as_the_rules_of_moves_do(key: str) -> None:
    position, chance = solved(PUZZLES[key]), np.random.default_rng(1)
    assert is_solved(position)
    pieces = [
        (colour, tuple(move.squares))
        for colour in position.game.colours
        for move in position.laid[colour]
    ]
    assert len(pieces) == len(pieces_of(position.game)) * 4
    verdicts = {True: 0, False: 0}
    for _ in range(CHANGES):
        board = changed(position.game, pieces, chance)
        is_right = not faults(position.game, board)
        assert is_right == can_be_laid(position.game, board), board
        verdicts[is_right] += 1
    assert min(verdicts.values()) > CHANGES // 20, verdicts
