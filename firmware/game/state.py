"""The state of a game, computed from its events.

`apply_event` returns the state after an event: the same function in a live game and after a
restart.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from firmware.codes import EndReason, Rule
from firmware.game.events import (
    AnewAsked,
    ArbiterCalled,
    BoardFound,
    BoardMoved,
    CallEnded,
    Candidate,
    ColouredSquares,
    ComputerMove,
    ComputerPreparing,
    ComputerReady,
    Dismissed,
    Disturbed,
    EndedByArbiter,
    Event,
    Hinted,
    Lifted,
    LyingPiece,
    MatchBegun,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    Paused,
    Pending,
    PositionSet,
    ProvisionalFrame,
    Resigned,
    Resolved,
    Restored,
    ResultConfirmed,
    ResultDisputed,
    Resumed,
    SeatsAssigned,
    Solved,
    TimedOut,
    ToLift,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game.seating import person_of
from firmware.rules.board import Move, mask_of
from firmware.rules.errors import IllegalMoveError
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Edition
from firmware.rules.violations import OF_COMPUTER

PieceEvent = TypeVar("PieceEvent", MoveRefused, Dismissed | ToLift)

NewPiece = MoveAccepted | Overruled | MoveRefused | Withdrawn
"""An event of one new piece on the board."""


@dataclass(frozen=True, slots=True)
class Ply:
    """An accepted placement.

    Attributes:
        colour: colour of the piece.
        move: the placement.
        before: the position before it.
        overruled: True if it breaks rules and a person accepted it.
    """

    colour: Colour
    move: Move
    before: Position = field(compare=False, repr=False)
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game, computed from its events.

    Attributes:
        position: the accepted position.
        history: the accepted placements since the first or last set position, oldest first.
        refused: the refused pieces on the board.
        not_counted: what lies on the board and does not count: pieces to lift, and objects that a
            person ruled not to be pieces.
        passed: the colours that have passed and still have no placement.
        disturbed: the accepted pieces that were moved or are missing.
        displaced: the observed differences, see `Disturbed.seen`.
        candidates: explanations of an ambiguous observation.
        unclear: squares that no candidate explains.
        pending: moves made after the open question, legal for every answer to it.
        turn_after: the colour to move after these; None if that depends on the answer.
        candidates_frame: the provisional frame of candidates and unclear squares; None once the
            frame of the game is known.
        over: True if the game is over.
        turned: the clockwise turn in degrees from the reader's frame to the game's, once known.
        edition: names of the colours in the order of play, once known.
        paused: True if the arbiter stopped the game.
        resigned: the colours of sides that resigned; they are not played any more.
        resigned_last: of these, the colours that resigned last.
        timed_out: the colours of sides whose time ran out.
        ended: reason for the end if the arbiter ended the game.
        possible_turns: the colours whose turn it may be, while that is unknown.
        hint: the hint for this position.
        hinted: the person of each hint asked for, as an index in the order of play.
        computer: level of the computer for each person in the order of play, 0 for a human being;
            none if that is as agreed in the settings of the game.
        preparing: True while the computer has to move and its player is not ready.
        chosen: the move that the computer has chosen in this position; None before.
        failure: code of the reason for which the computer gave a seat up last; None if it did not.
        computer_before_failure: `computer` as it was before the computer gave any seat up; none
            if it did not, or if that is as agreed in the settings of the game.
        begun: True once a piece was accepted, also after it was taken back.
        anew_size: while people are asked to go on or to begin anew, squares along a side of the
            board in view; else None.
        call: the call of the arbiter that lasts; None if nobody calls.
        match: the match of a hall that the game is; None if it is none.
        answers: the answers of the sides to the result; none while the game lasts.
    """

    position: Position
    history: tuple[Ply, ...] = ()
    refused: tuple[MoveRefused, ...] = ()
    not_counted: tuple[Dismissed | ToLift, ...] = ()
    passed: frozenset[Colour] = frozenset()
    disturbed: tuple[ColouredSquares, ...] = ()
    displaced: tuple[ColouredSquares, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    unclear: tuple[ColouredSquares, ...] = ()
    pending: tuple[LaidPiece, ...] = ()
    turn_after: Colour | None = None
    candidates_frame: ProvisionalFrame | None = None
    over: bool = False
    turned: int | None = None
    edition: Edition | None = None
    paused: bool = False
    resigned: frozenset[Colour] = frozenset()
    resigned_last: tuple[Colour, ...] = ()
    timed_out: frozenset[Colour] = frozenset()
    ended: EndReason | None = None
    possible_turns: tuple[Colour, ...] = ()
    hint: Hinted | None = None
    hinted: tuple[int, ...] = ()
    computer: tuple[int, ...] = ()
    preparing: bool = False
    chosen: ComputerMove | None = None
    failure: str | None = None
    computer_before_failure: tuple[int, ...] = ()
    begun: bool = False
    anew_size: int | None = None
    call: ArbiterCalled | None = None
    match: MatchBegun | None = None
    answers: tuple[ResultConfirmed | ResultDisputed, ...] = ()

    @property
    def in_doubt(self) -> bool:
        """True if a person has to answer a question, or straighten a piece."""
        return bool(self.candidates or self.unclear)

    @property
    def to_lift(self) -> tuple[ToLift, ...]:
        """The pieces to lift before anything is judged; of moves, the last one first."""
        return tuple(one for one in self.not_counted if isinstance(one, ToLift))

    @property
    def lying(self) -> tuple[LaidPiece, ...]:
        """The pieces on the board: those accepted, and those to lift."""
        find = self.position.board.find_move
        found = [(one.colour, find(one.squares)) for one in self.to_lift]
        return (*self.position.pieces, *((colour, move) for colour, move in found if move))

    @property
    def turn(self) -> Colour | None:
        """The colour to move after the pending moves."""
        return self.turn_after if self.pending else self.position.to_move

    @property
    def level(self) -> int:
        """The level of the computer that has to move; 0 if a human being has to, or nobody."""
        to_move = self.position.to_move
        return 0 if self.over or to_move is None else self.level_of(to_move)

    def level_of(self, colour: Colour) -> int:
        """The level of the computer that plays the next piece of a colour; 0 for a human being."""
        return self.computer[person_of(self.position, colour)] if any(self.computer) else 0

    @property
    def piece_count(self) -> int:
        """Number of accepted pieces, those of the first position included."""
        return sum(len(laid) for laid in self.position.laid)


def reframed(
    one: PieceEvent, position: Position, target: ProvisionalFrame, *, settled: bool
) -> PieceEvent:
    """Re-expresses a piece of a provisional frame in another; examines a refused one again.

    Args:
        one: the piece, refused or not counted.
        position: the accepted position.
        target: the target frame and order of colours.
        settled: True if these are those of the game.
    """
    if one.provisional_frame is None:
        return one
    before, names = one.provisional_frame
    turned, edition = target
    quarters = (turned - before) // 90
    squares = tuple(sorted(position.board.turn(square, quarters) for square in one.squares))
    colour = _renamed_colour(one.colour, names, edition)
    frame = None if settled else target
    if not isinstance(one, MoveRefused):
        return replace(one, colour=colour, squares=squares, provisional_frame=frame)
    over = [o for o in one.violations if o.rule is Rule.OFF_BOARD]
    # The computer's choice is expressed in the frame of the game.
    of_computer = tuple(
        replace(o, squares=squares) for o in one.violations if o.rule in OF_COMPUTER
    )
    violations = position.examine(squares, colour) + of_computer
    if over:
        # Of a piece over the border the rest is not known.
        inside = sorted(position.board.turn(square, quarters) for square in over[0].squares)
        violations = (replace(over[0], squares=tuple(inside)),)
    return replace(
        one, colour=colour, squares=squares, violations=violations, provisional_frame=frame
    )


def all_reframed(state: GameState, target: ProvisionalFrame, *, settled: bool) -> GameState:
    """The state with open questions and all pieces that are refused or not counted in one frame."""
    refused = tuple(reframed(o, state.position, target, settled=settled) for o in state.refused)
    others = tuple(reframed(o, state.position, target, settled=settled) for o in state.not_counted)
    state = replace(state, refused=refused, not_counted=others)
    if state.candidates_frame is None:
        return state
    before, names = state.candidates_frame
    turned, edition = target
    board = state.position.board
    candidates = tuple(
        replace(
            one,
            colour=_renamed_colour(one.colour, names, edition),
            move=board.transform(one.move, (turned - before) // 90),
        )
        for one in state.candidates
    )
    unclear = tuple(
        ColouredSquares(
            None if one.colour is None else _renamed_colour(one.colour, names, edition),
            tuple(sorted(board.turn(square, (turned - before) // 90) for square in one.squares)),
        )
        for one in state.unclear
    )
    frame = None if settled else target
    return replace(state, candidates=candidates, unclear=unclear, candidates_frame=frame)


def _renamed_colour(colour: Colour, names: Edition, edition: Edition) -> Colour:
    """Translates a colour from one order of names to another.

    Until a piece was accepted the vision may still find a different edition; then the colour
    keeps its place in the order.
    """
    return edition.index(names[colour]) if names[colour] in edition else colour


def _in_frame_of(state: GameState, event: MoveRefused | LyingPiece) -> GameState:
    """The state in the provisional frame of an event, so that the two are comparable."""
    return (
        state
        if event.provisional_frame is None
        else all_reframed(state, event.provisional_frame, settled=False)
    )


def _after_move(state: GameState, event: MoveAccepted) -> GameState:
    position = state.position
    if not position.may_lay(event.colour):
        raise IllegalMoveError(f"{event.move} cannot follow: it is another colour's turn")
    return _laid(state, event, position.play(event.move, event.colour))


def _after_overruling(state: GameState, event: Overruled) -> GameState:
    return _laid(state, event, state.position.put(event.move, event.colour))


def _laid(state: GameState, event: MoveAccepted | Overruled, after: Position) -> GameState:
    ply = Ply(event.colour, event.move, state.position, isinstance(event, Overruled))
    turned = state.turned if event.turned is None else event.turned
    edition = event.edition or state.edition
    pending = tuple(one for one in state.pending if one != (event.colour, event.move))
    state = replace(
        state,
        position=after,
        history=(*state.history, ply),
        turned=turned,
        edition=edition,
        possible_turns=(),
        pending=pending,
        turn_after=state.turn_after if pending else None,
        begun=True,
    )
    if turned is not None and edition is not None:
        state = all_reframed(state, (turned, edition), settled=True)
    return replace(
        state,
        refused=_others(state, event),
        not_counted=_apart_from(state, event.move.mask),
    )


def _after_refusal(state: GameState, event: MoveRefused) -> GameState:
    state = _in_frame_of(state, event)
    if event.turned is not None:
        # The order of the colours was known before, only the turn was not.
        frames = (*(one.provisional_frame for one in state.refused), state.candidates_frame)
        before = next((frame for frame in frames if frame), None)
        state = replace(state, turned=event.turned)
        if before is not None:
            state = all_reframed(state, (event.turned, before[1]), settled=True)
    return replace(state, refused=(*_others(state, event), event))


def _after_board_move(state: GameState, event: BoardMoved) -> GameState:
    """A board that was turned takes along what is expressed in a provisional frame."""
    if event.turned is None:
        return state

    def turned(frame: ProvisionalFrame | None) -> ProvisionalFrame | None:
        return None if frame is None or event.turned is None else (event.turned, frame[1])

    return replace(
        state,
        turned=None if state.turned is None else event.turned,
        refused=tuple(
            replace(one, provisional_frame=turned(one.provisional_frame)) for one in state.refused
        ),
        not_counted=tuple(
            replace(one, provisional_frame=turned(one.provisional_frame))
            for one in state.not_counted
        ),
        candidates_frame=turned(state.candidates_frame),
    )


def _after_withdrawing(state: GameState, event: Withdrawn) -> GameState:
    state = _in_frame_of(state, event)
    return replace(state, refused=_others(state, event))


def _others(state: GameState, event: NewPiece) -> tuple[MoveRefused, ...]:
    """The refused pieces without the one that an event is about.

    In a game a colour has one refused piece at a time; in a puzzle it may have several.
    """
    squares = event.move.squares if isinstance(event, MoveAccepted | Overruled) else event.squares
    mask = mask_of(squares) if state.position.game.puzzle is not None else -1
    return tuple(
        one
        for one in state.refused
        if one.colour != event.colour or not mask_of(one.squares) & mask
    )


def _apart_from(state: GameState, mask: int) -> tuple[Dismissed | ToLift, ...]:
    """The pieces that do not count and lie on no square of a mask."""
    return tuple(one for one in state.not_counted if not mask_of(one.squares) & mask)


def _after_lifting(state: GameState, event: Dismissed | ToLift | Lifted) -> GameState:
    """The newest event of a piece that does not count replaces the one before."""
    state = _in_frame_of(state, event)
    place = event.colour, event.squares
    others = tuple(one for one in state.not_counted if (one.colour, one.squares) != place)
    return replace(state, not_counted=others if isinstance(event, Lifted) else (*others, event))


def _after_doubting(state: GameState, event: Unsure) -> GameState:
    turned = state.turned if event.turned is None else event.turned
    return replace(
        state,
        candidates=event.candidates,
        unclear=event.unclear,
        candidates_frame=event.provisional_frame,
        turned=turned,
    )


def _after_undoing(state: GameState, event: Undone) -> GameState:
    position, history = _without(state, event)
    state = replace(
        state,
        position=position,
        history=history,
        passed=frozenset(colour for colour in state.passed if not position.moves_of(colour)),
        over=False,
        anew_size=state.anew_size if position.occupied else None,
    )
    return state if position.occupied else _order_open(state)


def _without(state: GameState, event: Undone) -> tuple[Position, tuple[Ply, ...]]:
    """Position and history without a placement.

    Raises:
        IllegalMoveError: it was not the last to be laid; in a puzzle, it is not on the board.
    """
    history = state.history
    if history and history[-1].move == event.move:
        return history[-1].before, history[:-1]
    if state.position.game.puzzle is None:
        raise IllegalMoveError(f"{event.move} cannot be undone: it was not the last to be laid")
    place = next(
        (
            i
            for i, ply in enumerate(history)
            if (ply.colour, ply.move) == (event.colour, event.move)
        ),
        None,
    )
    plies: list[Ply] = []
    if place is None:
        first = history[0].before if history else state.position
        position, later = first.lift(event.move, event.colour), history
    else:
        position, later = history[place].before, history[place + 1 :]
        plies = [*history[:place]]
    for ply in later:
        plies.append(replace(ply, before=position))
        position = position.put(ply.move, ply.colour)
    return position, tuple(plies)


def _order_open(state: GameState) -> GameState:
    """The state after the first piece was taken back: the first colour is open again."""
    if state.turned is None or state.edition is None:
        return state
    frame = state.turned, state.edition
    return replace(
        state,
        edition=None,
        refused=tuple(replace(one, provisional_frame=frame) for one in state.refused),
        not_counted=tuple(replace(one, provisional_frame=frame) for one in state.not_counted),
    )


def _after_position_set(state: GameState, event: PositionSet) -> GameState:
    """A fresh state; it retains all that does not depend on the position."""
    turned = state.turned if event.turned is None else event.turned
    edition = event.edition or state.edition
    frame = None if turned is None or edition is None else (turned, edition)
    not_counted = _apart_from(
        state if frame is None else all_reframed(state, frame, settled=True),
        event.position.occupied,
    )
    if not event.position.occupied and frame is not None:
        # The first colour is open again.
        not_counted = tuple(replace(one, provisional_frame=frame) for one in not_counted)
    return GameState(
        event.position,
        not_counted=not_counted,
        turned=turned,
        edition=edition,
        possible_turns=event.possible_turns or (),
        resigned=state.resigned,
        timed_out=state.timed_out,
        hinted=state.hinted,
        computer=state.computer,
        failure=state.failure,
        computer_before_failure=state.computer_before_failure,
        begun=True,
        call=state.call,
        match=state.match,
    )


def _after_hint(state: GameState, event: Hinted) -> GameState:
    costs = (event.person,) if state.hint is None else ()
    return replace(state, hint=event, hinted=state.hinted + costs)


def _after_resuming(state: GameState, _: Resumed) -> GameState:
    """Continues a paused, ended or doubtful game; revokes the resignation that ended it."""
    revoked = state.resigned_last if state.ended is EndReason.RESIGNED else ()
    return replace(
        state,
        paused=False,
        ended=None,
        over=state.over and state.ended is None,
        anew_size=None,
        resigned=state.resigned.difference(revoked),
    )


def _after_resigning(state: GameState, event: Resigned) -> GameState:
    return replace(state, resigned=state.resigned.union(event.colours), resigned_last=event.colours)


def _after_answering(state: GameState, event: ResultConfirmed | ResultDisputed) -> GameState:
    """The newest answer of a side counts; while the game lasts there is no result to answer."""
    if not state.over:
        return state
    others = tuple(one for one in state.answers if one.side != event.side)
    return replace(state, answers=(*others, event))


def _after_assigning(state: GameState, event: SeatsAssigned) -> GameState:
    before = state.computer if state.failure is None else state.computer_before_failure
    return replace(
        state,
        computer=event.levels,
        failure=event.failure,
        computer_before_failure=() if event.failure is None else before,
        preparing=False,
        chosen=None,
    )


_STEPS: Final[dict[type[Event], Callable[[GameState, Any], GameState]]] = {
    PositionSet: _after_position_set,
    MoveAccepted: _after_move,
    Overruled: _after_overruling,
    Undone: _after_undoing,
    BoardMoved: _after_board_move,
    MoveRefused: _after_refusal,
    Withdrawn: _after_withdrawing,
    Dismissed: _after_lifting,
    ToLift: _after_lifting,
    Lifted: _after_lifting,
    Disturbed: lambda state, event: replace(state, disturbed=event.expected, displaced=event.seen),
    Restored: lambda state, _: replace(state, disturbed=(), displaced=(), anew_size=None),
    AnewAsked: lambda state, event: replace(state, anew_size=event.size),
    BoardFound: lambda state, _: replace(state, anew_size=None),
    Unsure: _after_doubting,
    Pending: lambda state, event: replace(state, pending=event.moves, turn_after=event.to_move),
    Resolved: lambda state, _: replace(state, candidates=(), unclear=(), candidates_frame=None),
    Passed: lambda state, event: replace(state, passed=state.passed | {event.colour}),
    NoMovesLeft: lambda state, _: replace(state, over=True),
    Solved: lambda state, _: replace(state, over=True),
    Hinted: _after_hint,
    Paused: lambda state, _: replace(state, paused=True),
    Resumed: _after_resuming,
    Resigned: _after_resigning,
    TimedOut: lambda state, event: replace(state, timed_out=state.timed_out | {*event.colours}),
    EndedByArbiter: lambda state, event: replace(
        state, over=True, paused=False, ended=event.how, anew_size=None
    ),
    SeatsAssigned: _after_assigning,
    ComputerPreparing: lambda state, _: replace(state, preparing=True),
    ComputerReady: lambda state, _: replace(state, preparing=False),
    ComputerMove: lambda state, event: replace(state, preparing=False, chosen=event),
    MatchBegun: lambda state, event: replace(state, match=event),
    ArbiterCalled: lambda state, event: replace(state, call=event),
    CallEnded: lambda state, _: replace(state, call=None),
    ResultConfirmed: _after_answering,
    ResultDisputed: _after_answering,
}
"""Transition for each kind of event; the other kinds do not change the state."""


def apply_event(state: GameState, event: Event) -> GameState:
    """The state after an event.

    Raises:
        IllegalMoveError: the event cannot follow: its move is not legal, or was never made.
    """
    step = _STEPS.get(type(event))
    if step is None:
        return state
    after = _past_resigned(step(state, event))
    if after.answers and not after.over:
        after = replace(after, answers=())  # a corrected game is asked about anew
    # A hint is valid for one position, and so are the computer's move and its waiting.
    moved = after.position is not state.position
    return replace(after, hint=None, preparing=False, chosen=None) if moved else after


def _past_resigned(state: GameState) -> GameState:
    """The state with the turn at a colour that has not resigned.

    If only one side remains the game is about to end, and the turn is not changed: the arbiter
    may let the game continue.
    """
    position = state.position
    playing = [side for side in position.game.sides if not state.resigned.issuperset(side)]
    if not state.resigned or len(playing) < 2:
        return state
    count = len(position.game.colours)
    for _ in range(count):
        if position.to_move not in state.resigned:
            return state if position is state.position else replace(state, position=position)
        position = position.with_turn((position.to_move + 1) % count)
    return state
