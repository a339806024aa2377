"""Hints: the number left to each person, and the squares that each step reveals. Pure.

A hint is one move in one position, revealed in up to three steps. The first step costs one of
the agreed hints, further steps of the same move are free.
"""

from typing import Final

from firmware.game.config import GameConfig
from firmware.game.events import HintStep, Squares
from firmware.game.seating import person_of
from firmware.game.state import GameState

_STEPS: Final = tuple(HintStep)
"""The steps in the order in which they are revealed."""


def remaining(state: GameState, terms: GameConfig) -> tuple[int, ...]:
    """Number of hints that each person has left, in the order of play."""
    people = range(terms.game.people)
    return tuple(max(0, terms.hints - state.hinted.count(person)) for person in people)


def next_step(state: GameState) -> HintStep | None:
    """The next step of the hint; None if the whole move is revealed."""
    if state.hint is None:
        return _STEPS[0]
    after = _STEPS.index(state.hint.step) + 1
    return _STEPS[after] if after < len(_STEPS) else None


def can_be_given(state: GameState) -> bool:
    """True if nothing is unsettled, somebody has to move, and the hint has a further step."""
    unsettled = state.refused or state.in_doubt or state.disturbed or state.possible_turns
    return not unsettled and state.position.to_move is not None and next_step(state) is not None


def exhausted(state: GameState, terms: GameConfig) -> bool:
    """True if the next step costs a hint and the person to move has none left."""
    to_move = state.position.to_move
    if to_move is None or state.hint is not None:
        return to_move is None
    return not remaining(state, terms)[person_of(state.position, to_move)]


def revealed_squares(state: GameState) -> Squares:
    """The squares of the hinted move that are revealed so far; empty without a hint."""
    hint = state.hint
    if hint is None:
        return ()
    position, squares = state.position, hint.move.squares
    if hint.step is HintStep.WHOLE:
        return squares
    own = position.squares(hint.colour)
    roots = position.board.corner_neighbours(own) or position.start_squares(hint.colour)
    root = next((square for square in squares if roots >> square & 1), squares[0])
    if hint.step is HintStep.WHERE:
        return (root,)
    size = position.game.size

    def away(square: int) -> int:
        return abs(square // size - root // size) + abs(square % size - root % size)

    far = max(squares, key=away)
    return (root,) if far == root else (root, far)
