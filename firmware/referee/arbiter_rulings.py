"""Rulings of a person at the table as events: pure functions of the game.

They raise ValueError with a full sentence if there is nothing to rule on.
"""

from firmware.game.events import (
    Dismissed,
    Event,
    Moment,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    ProvisionalFrame,
    Resolved,
    Solved,
    Undone,
    Withdrawn,
)
from firmware.game.seating import person_of
from firmware.game.state import GameState, Ply, apply_event
from firmware.puzzles.checker import is_solved
from firmware.rules.board import squares_of
from firmware.rules.scoring import score
from firmware.rules.variants import Colour


def undoing(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events that take back the last placement of a person, and all after it.

    It does not matter where the pieces lie. If only the computer has moved, its last move is taken
    back.

    Raises:
        ValueError: nothing was laid since the game was resumed.
    """
    by_person = [not _level_of(state, ply) for ply in state.history]
    count = by_person[::-1].index(True) + 1 if any(by_person) else 1
    events: list[Event] = []
    for _ in range(count):
        taken = _taking_back(state, moment)
        for event in taken:
            state = apply_event(state, event)
        events += taken
    return events


def _level_of(state: GameState, ply: Ply) -> int:
    """Returns the level of the computer that plays the seat of a placement; 0 for a person."""
    return state.computer[person_of(ply.before, ply.colour)] if any(state.computer) else 0


def _taking_back(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events that take back the last placement; see `undoing`."""
    if not state.history:
        raise ValueError("there is no move to take back")
    last = state.history[-1]
    frame = None
    if not last.before.occupied and state.turned is not None and state.edition is not None:
        # The colour that begins is unknown again.
        frame = state.turned, state.edition
    squares = tuple(squares_of(last.move.mask))
    return [
        Undone(*moment, state.plies, last.colour, last.move),
        # The piece may still lie there; it must not be accepted again without a person.
        Dismissed(*moment, last.colour, squares, frame),
    ]


def refusing(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events that dismiss the doubts, else the last refusal, else the last move.

    Args:
        state: the state of the game.
        moment: time and number of the newest frame.

    Raises:
        ValueError: there is nothing to refuse.
    """
    if state.in_doubt:
        pieces = [(one.colour, tuple(squares_of(one.move.mask))) for one in state.candidates]
        for patch in state.unclear:
            free = tuple(s for s in patch.squares if not state.position.occupied >> s & 1)
            colour = state.position.turn if patch.colour is None else patch.colour
            pieces += [(colour, free)] if free else []
        dismissed = [
            Dismissed(*moment, colour, squares, state.candidates_frame)
            for colour, squares in pieces
        ]
        return [Resolved(*moment), *dismissed]
    if state.refused:
        one = state.refused[-1]
        return [
            Withdrawn(*moment, one.colour, one.squares, one.provisional_frame),
            Dismissed(*moment, one.colour, one.squares, one.provisional_frame),
        ]
    return _taking_back(state, moment)


def to_overrule(state: GameState, colour: Colour | None) -> MoveRefused | Dismissed:
    """Returns the piece that a person lets stand: the last refused, else the last dismissed.

    Args:
        state: the state of the game.
        colour: colour of the piece; None for any.

    Raises:
        ValueError: there is none.
    """
    pieces: tuple[MoveRefused | Dismissed, ...] = (*state.dismissed, *state.refused)
    own = [one for one in pieces if colour is None or one.colour == colour]
    if not own:
        raise ValueError("there is no refused piece that could stand")
    return own[-1]


def overruling(
    state: GameState, one: MoveRefused | Dismissed, framed: ProvisionalFrame, moment: Moment
) -> Overruled:
    """Returns the event that lets a piece stand, whatever rules it breaks.

    Args:
        state: the state of the game.
        one: the piece.
        framed: the turn of the board and the order of the colours in which it is expressed.
        moment: time and number of the newest frame.

    Raises:
        ValueError: the squares are no piece, or are not free.
    """
    position = state.position
    index = position.board.find(one.squares)
    if index is None:
        raise ValueError("these squares are not one piece; lay one piece, or set the position")
    move = position.board.move(index)
    if move.mask & position.occupied:
        raise ValueError("the piece lies on another; lay it beside, or set the position")
    turned, edition = framed
    return Overruled(
        *moment,
        state.plies + 1,
        one.colour,
        move,
        position.examine(one.squares, one.colour),
        turned if state.turned is None else None,
        edition if state.edition != edition else None,
    )


def following(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events implied by the position: colours that pass, and the end of the game."""
    events: list[Event] = [
        Passed(*moment, colour, state.plies)
        for colour in state.position.passing
        if colour not in state.passed
    ]
    if state.position.game.puzzle is not None:
        return [] if state.over or not is_solved(state.position) else [Solved(*moment)]
    if state.position.is_over and not state.over:
        points = tuple(one.advanced for one in score(state.position).colours)
        events.append(NoMovesLeft(*moment, points))
    return events
