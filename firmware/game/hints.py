"""Hints: the number left to each person, and the squares that each step reveals. Pure.

A hint is one move in one position, revealed step by step. The first step costs one of the agreed
hints, further steps of the same move are free. In a game the steps are one square, two squares and
the whole move; in a puzzle that it can still be solved, the area of the next piece, the piece with
one square, and the whole move.
"""

from math import ceil
from typing import Final

from firmware.game.config import GameConfig
from firmware.game.events import HintStep, Squares
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.rules.board import squares_of
from firmware.rules.extent import field_of
from firmware.rules.position import Position
from firmware.rules.variants import Variant

_GAME: Final = (HintStep.WHERE, HintStep.REACH, HintStep.WHOLE)
"""The steps of a game in the order in which they are revealed."""

_PUZZLE: Final = (HintStep.SOLVABLE, HintStep.AREA, HintStep.PIECE, HintStep.WHOLE)
"""The steps of a puzzle in the order in which they are revealed."""

_AREA: Final = 5
"""Most squares along a side of an area: the field of each puzzle has 4 to 16 such parts."""


def steps_of(game: Variant) -> tuple[HintStep, ...]:
    """The steps of a hint in the order in which they are revealed."""
    return _GAME if game.puzzle is None else _PUZZLE


def remaining(state: GameState, terms: GameConfig) -> tuple[int, ...]:
    """Number of hints that each person has left, in the order of play."""
    people = range(terms.game.people)
    return tuple(max(0, terms.hints - state.hinted.count(person)) for person in people)


def next_step(state: GameState) -> HintStep | None:
    """The next step of the hint; None if the whole move is revealed."""
    steps = steps_of(state.position.game)
    if state.hint is None:
        return steps[0]
    after = steps.index(state.hint.step) + 1
    return steps[after] if after < len(steps) else None


def can_be_given(state: GameState) -> bool:
    """True if nothing is unsettled, a person has to move, and the hint has a further step."""
    unsettled = state.refused or state.in_doubt or state.disturbed or state.possible_turns
    return (
        not (unsettled or state.level)
        and state.position.to_move is not None
        and next_step(state) is not None
    )


def exhausted(state: GameState, terms: GameConfig) -> bool:
    """True if the next step costs a hint and the person to move has none left."""
    to_move = state.position.to_move
    if to_move is None or state.hint is not None:
        return to_move is None
    return not remaining(state, terms)[person_of(state.position, to_move)]


def revealed_squares(state: GameState) -> Squares:
    """The squares of the hint that are revealed so far; empty without a hint."""
    hint = state.hint
    if hint is None or hint.step is HintStep.SOLVABLE:
        return ()
    position, squares = state.position, hint.move.squares
    if hint.step is HintStep.WHOLE:
        return squares
    own = position.squares(hint.colour)
    roots = position.board.corner_neighbours(own) or position.start_squares(hint.colour)
    root = next((square for square in squares if roots >> square & 1), squares[0])
    if hint.step is HintStep.AREA:
        return _area(position, root)
    if hint.step in (HintStep.WHERE, HintStep.PIECE):
        return (root,)
    size = position.game.size

    def away(square: int) -> int:
        return abs(square // size - root // size) + abs(square % size - root % size)

    far = max(squares, key=away)
    return (root,) if far == root else (root, far)


def _area(position: Position, root: int) -> Squares:
    """The free squares of the part of the field that a square lies in."""
    game = position.game
    puzzle, size = game.puzzle, game.size
    columns, rows = (size, size) if puzzle is None else (puzzle.columns, puzzle.rows)

    def part(square: int) -> tuple[int, int]:
        row, column = divmod(square, size)
        return (size - 1 - row) // _side(rows), column // _side(columns)

    free = field_of(game) & ~position.occupied
    return tuple(square for square in squares_of(free) if part(square) == part(root))


def _side(length: int) -> int:
    """Squares along a side of an area, in a field of some length: parts that are nearly equal."""
    return ceil(length / ceil(length / _AREA))
