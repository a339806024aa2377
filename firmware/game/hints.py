"""Hints: who may ask for how many, and how much of a move each step tells. Pure.

A hint is about one move in one position, and is told in up to three steps; the first costs one
of the hints that were agreed on, more of the same move costs nothing.
"""

from typing import Final

from firmware.game.config import GameConfig
from firmware.game.events import HintStep, Squares
from firmware.game.seating import person_of
from firmware.game.state import GameState

_STEPS: Final = tuple(HintStep)


def remaining(state: GameState, terms: GameConfig) -> tuple[int, ...]:
    """How many hints each person may still ask for, in the order of play."""
    people = range(terms.game.people)
    return tuple(max(0, terms.hints - state.hinted.count(person)) for person in people)


def next_step(state: GameState) -> HintStep | None:
    """What the next word of a hint tells; None where all of the move was told."""
    if state.hint is None:
        return _STEPS[0]
    after = _STEPS.index(state.hint.step) + 1
    return _STEPS[after] if after < len(_STEPS) else None


def can_be_given(state: GameState) -> bool:
    """Whether there is something that a hint could tell now: nothing else is to be settled."""
    unsettled = state.refused or state.in_doubt or state.disturbed or state.asked
    return not unsettled and state.position.to_move is not None and next_step(state) is not None


def exhausted(state: GameState, terms: GameConfig) -> bool:
    """Whether who has to move has none left that the next step would cost."""
    to_move = state.position.to_move
    if to_move is None or state.hint is not None:
        return to_move is None
    return not remaining(state, terms)[person_of(state.position, to_move)]


def revealed_squares(state: GameState) -> Squares:
    """The squares that were told so far of the move that is hinted at; none where there is none."""
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
