"""Rulings of a person at the table as events: pure functions of the game.

They raise ValueError with a full sentence if there is nothing to rule on.
"""

from collections.abc import Callable

from firmware.game.events import (
    Dismissed,
    Event,
    Moment,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    PositionSet,
    ProvisionalFrame,
    Resolved,
    Solved,
    Squares,
    ToLift,
    Undone,
    Withdrawn,
)
from firmware.game.seating import person_of
from firmware.game.state import GameState, Ply, apply_event
from firmware.rules.board import mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.scoring import score
from firmware.rules.variants import Colour


def undoing(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events that take back the last placement of a person, and all after it.

    They are to be lifted, and nothing is in doubt any more. If only the computer has moved, its
    last move is taken back.

    Raises:
        ValueError: nothing was laid since the game was resumed.
    """
    by_person = [not _level_of(state, ply) for ply in state.history]
    count = by_person[::-1].index(True) + 1 if any(by_person) else 1
    events: list[Event] = [Resolved(*moment)] if state.in_doubt else []
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
        Undone(*moment, state.piece_count, last.colour, last.move),
        ToLift(*moment, last.colour, squares, frame),
    ]


def setting(state: GameState, position: Position, moment: Moment) -> list[Event]:
    """Returns the events that set a position; accepted pieces that it lacks are to be lifted.

    A piece whose squares it covers was read wrongly before, and lies there as the position says.
    """
    events: list[Event] = [
        ToLift(*moment, colour, tuple(squares_of(move.mask)))
        for colour, move in state.position.pieces
        if not move.mask & position.occupied
    ]
    return [*events, PositionSet(*moment, position)]


def refusing(state: GameState, moment: Moment, lies: Callable[[ToLift], bool]) -> list[Event]:
    """Returns the events that dismiss pieces to lift, else doubts, else the last refused piece.

    If there are none, the last move is taken back.

    Args:
        state: the state of the game.
        moment: time and number of the newest frame.
        lies: True for a piece that certainly lies on the board.

    Raises:
        ValueError: there is nothing to refuse.
    """
    closed: list[Event] = [Resolved(*moment)] if state.in_doubt else []
    if state.to_lift:
        return closed + [Dismissed.of(one, moment) for one in state.to_lift]
    if state.in_doubt:
        pieces = [
            (one.colour, free)
            for one in state.candidates
            if (free := tuple(squares_of(one.move.mask & ~state.position.squares(one.colour))))
        ]
        for patch in state.unclear:
            free = tuple(s for s in patch.squares if not state.position.occupied >> s & 1)
            colour = state.position.turn if patch.colour is None else patch.colour
            pieces += [(colour, free)] if free else []
        return closed + _doubts_refused(state, pieces, moment, lies)
    if state.refused:
        one = state.refused[-1]
        return [
            Withdrawn.of(one, moment),
            Dismissed.of(one, moment),
        ]
    return _taking_back(state, moment)


def _doubts_refused(
    state: GameState,
    pieces: list[tuple[Colour, Squares]],
    moment: Moment,
    lies: Callable[[ToLift], bool],
) -> list[Event]:
    """Returns the events of doubtful pieces of which none counts.

    Those that certainly lie there are to be lifted, the largest of some that overlap.
    """
    events: list[Event] = []
    lying = 0
    for colour, squares in sorted(pieces, key=lambda piece: -len(piece[1])):
        mask = mask_of(squares)
        one = ToLift(*moment, colour, squares, state.candidates_frame)
        if not mask & lying and lies(one):
            events.append(one)
            lying |= mask
        elif mask & ~lying:
            events.append(Dismissed(*moment, colour, squares, state.candidates_frame))
    return events


def to_overrule(state: GameState, colour: Colour | None) -> MoveRefused | Dismissed | ToLift:
    """Returns the piece that a person lets stand.

    It is the first move to lift, else the last refused piece, else the last dismissed object.

    Args:
        state: the state of the game.
        colour: colour of the piece; None for any.

    Raises:
        ValueError: there is none.
    """
    pieces = (*state.not_counted, *state.refused, *state.to_lift)
    own = [one for one in pieces if colour is None or one.colour == colour]
    if not own:
        raise ValueError("there is no refused piece that could stand")
    return own[-1]


def overruling(
    state: GameState,
    one: MoveRefused | Dismissed | ToLift,
    framed: ProvisionalFrame,
    moment: Moment,
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
    move = position.board.find_move(one.squares)
    if move is None:
        raise ValueError("these squares are not one piece; lay one piece, or set the position")
    if move.mask & position.occupied:
        raise ValueError("the piece lies on another; lay it beside, or set the position")
    turned, edition = framed
    return Overruled(
        *moment,
        state.piece_count + 1,
        one.colour,
        move,
        position.examine(one.squares, one.colour),
        turned if state.turned is None else None,
        edition if state.edition != edition else None,
    )


def following(state: GameState, moment: Moment) -> list[Event]:
    """Returns the events implied by the position: colours that pass, and the end of the game."""
    events: list[Event] = [
        Passed(*moment, colour, state.piece_count)
        for colour in state.position.passing
        if colour not in state.passed
    ]
    if state.position.game.puzzle is not None:
        return [] if state.over or not is_solved(state.position) else [Solved(*moment)]
    if state.position.is_over and not state.over:
        points = tuple(one.advanced for one in score(state.position).colours)
        events.append(NoMovesLeft(*moment, points))
    return events
