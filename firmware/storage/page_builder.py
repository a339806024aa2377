"""Builds the page that every screen shows from the state of a game."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from firmware.codes import CameraFault, EndReason, GameResult, PlayerFailure, Scoring
from firmware.game.config import HUMAN
from firmware.game.events import Candidate
from firmware.game.reasons import Reason
from firmware.game.restoration import next_restore_step
from firmware.game.result import game_result
from firmware.game.seating import colours_of, person_of
from firmware.game.state import GameState
from firmware.rules.extent import pieces_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.scoring import Score, score
from firmware.rules.variants import LETTERS, Colour, Contact, Edition, Variant
from firmware.rules.violations import Violation
from vision.errors import BoardFailure
from vision.plastics import PLASTICS
from web import contract

Squares = tuple[tuple[int, int], ...]
"""Rows from the top and columns from the left, from 0."""

_UNSEEN: Final = (
    contract.RefereeState.SEARCHING,
    contract.RefereeState.ANEW_ASKED,
    contract.RefereeState.BOARD_LOST,
    contract.RefereeState.CAMERA_AWAY,
)
"""States without the board of the game."""


@dataclass(frozen=True, slots=True)
class PuzzleProgress:
    """The solver's answer about a puzzle, and its clock.

    Attributes:
        answer: the answer to the question whether the present board can still be solved.
        impossible_since: if it cannot, number of the placement since which, from 1; None if that
            is not known.
        culprit: if it cannot, the laid piece whose removal makes it solvable; None if no single
            piece does.
        taken_s: seconds taken so far, without pauses; does not count up once it is solved.
        running: True while the time counts up; phones then count on by themselves.
        best_s: seconds of the best result so far on this table; None if there is none.
    """

    answer: contract.AnswerCode = contract.AnswerCode.NOT_ASKED
    impossible_since: int | None = None
    culprit: LaidPiece | None = None
    # Two are equal if only time has passed: phones count on by themselves.
    taken_s: float = field(default=0.0, compare=False)
    running: bool = False
    best_s: float | None = None


@dataclass(frozen=True, slots=True)
class PageContext:
    """All that the page of a game depends on besides its state.

    Attributes:
        code: the state of the table.
        edition: names of the colours, in the order of play.
        scoring: the scoring of the scores.
        names: names of the players, in the order of play; empty if unknown.
        failure: reason that no board is seen; None while one is.
        fault: code of the reason that the camera is away; None while it is not.
        computer: level of the computer for each person on which people agreed; empty if nobody is.
        covered: squares under something that lies still.
        puzzle: what solver and clock say about a puzzle; of no meaning in a game.
    """

    code: contract.RefereeState
    edition: Edition
    scoring: Scoring = Scoring.ADVANCED
    names: tuple[str, ...] = ()
    failure: BoardFailure | None = None
    fault: str | None = None
    computer: tuple[int, ...] = ()
    covered: tuple[int, ...] = ()
    puzzle: PuzzleProgress = PuzzleProgress()


def build_page(state: GameState, context: PageContext) -> contract.Page:
    """Returns the page of a game, with the revision 0, of a table at which all works."""
    position = state.position
    found = score(position)
    return contract.Page(
        revision=0,
        title=position.game.title,
        size=position.game.size,
        colours=tuple(_colour(state, found, colour, context) for colour in position.game.colours),
        sides=build_sides(position, found, context.scoring),
        state=_state(state, context),
        starts=_starts(position),
        pieces=_pieces(state),
        refused=_refused(state),
        moves=_moves(state),
        turn=_turn(state),
        scoring=context.scoring,
        result=_result(state, context.scoring),
        candidates=tuple(_candidate(position, one) for one in state.candidates),
        resigned=tuple(sorted(state.resigned)),
        covered=page_squares(position, context.covered),
        computer=_seat_levels(state, context.computer),
        computer_prepares=state.preparing and not state.over,
        chosen=_chosen(state),
        to_lift=_to_lift(state),
        gave_up=None if state.failure is None else PlayerFailure(state.failure),
        begun=state.begun or state.piece_count > 0,
        puzzle=_puzzle(state, context.puzzle),
    )


def _seat_levels(state: GameState, agreed: tuple[int, ...]) -> tuple[contract.SeatLevel, ...]:
    """Returns who plays each seat; none if the computer plays none, and was to play none."""
    if not any((*state.computer, *agreed)):
        return ()
    game = state.position.game
    return tuple(
        contract.SeatLevel(
            colours_of(game, person),
            state.computer[person] if state.computer else HUMAN,
            _agreed_level(state, agreed, person),
        )
        for person in range(game.people)
    )


def _agreed_level(state: GameState, agreed: tuple[int, ...], person: int) -> int:
    """Returns the level at which the computer gave a seat up, else that of the settings."""
    before = state.computer_before_failure
    if before and before[person]:
        return before[person]
    return agreed[person] if agreed else HUMAN


def _chosen(state: GameState) -> contract.MoveEntry | None:
    if state.chosen is None or state.over:
        return None
    move = state.chosen.move
    return contract.MoveEntry(
        state.piece_count + 1,
        state.chosen.colour,
        move.piece.name,
        page_squares(state.position, move.squares),
    )


def _to_lift(state: GameState) -> tuple[contract.MoveEntry, ...]:
    """Pieces to lift, the last move first; none after a person has ended the game."""
    board = state.position.board
    pieces = () if state.over else state.to_lift
    last = state.piece_count + len(pieces)
    return tuple(
        contract.MoveEntry(
            last - number,
            one.colour,
            "" if (index := board.find(one.squares)) is None else board.move(index).piece.name,
            page_squares(state.position, one.squares),
        )
        for number, one in enumerate(pieces)
    )


def _starts(position: Position) -> Squares:
    puzzle = position.game.puzzle
    if puzzle is not None and puzzle.contact is not Contact.AT_CORNERS:
        return ()
    return page_squares(position, position.board.parse_squares(",".join(position.game.starts)))


def _turn(state: GameState) -> Colour | None:
    nobody = state.over or state.possible_turns or state.position.game.puzzle is not None
    return None if nobody else state.turn


def build_sides(position: Position, found: Score, scoring: Scoring) -> tuple[contract.Side, ...]:
    """Returns the sides with their scores; none in a puzzle."""
    if position.game.puzzle is not None:
        return ()
    points = (
        (side, side.basic if scoring is Scoring.BASIC else side.advanced) for side in found.sides
    )
    return tuple(contract.Side(side.colours, score) for side, score in points)


def _puzzle(state: GameState, progress: PuzzleProgress) -> contract.PuzzleEntry | None:
    puzzle, culprit = state.position.game.puzzle, progress.culprit
    if puzzle is None:
        return None
    return contract.PuzzleEntry(
        puzzle.columns,
        puzzle.rows,
        progress.answer,
        progress.impossible_since or 0,
        () if culprit is None else page_squares(state.position, culprit[1].squares),
        round(1000 * progress.taken_s),
        progress.running,
        progress.best_s,
    )


@cache
def tray_of(game: Variant) -> tuple[contract.TrayPiece, ...]:
    """All pieces of a colour, in the order of the tray."""
    return tuple(
        contract.TrayPiece(piece.name, piece.orientations[0]) for piece in reversed(pieces_of(game))
    )


def ink_of(name: str) -> str:
    """Returns the colour in which screens show a colour of plastic, as `#rrggbb`."""
    return f"#{bytes(PLASTICS[name].screen).hex()}"


def _result(state: GameState, scoring: Scoring) -> GameResult | None:
    if state.position.game.puzzle is not None and state.over:
        solved = state.ended is None
        how = EndReason.SOLVED if solved else EndReason.ABANDONED
        return GameResult(how=how)
    return game_result(state, scoring)


def _candidate(position: Position, one: Candidate) -> contract.CandidateEntry:
    squares = page_squares(position, one.move.squares)
    return contract.CandidateEntry(one.colour, one.move.piece.name, squares, one.confidence)


def page_squares(position: Position, squares: Iterable[int]) -> Squares:
    """Converts squares of the game's frame to rows and columns."""
    return tuple(divmod(square, position.game.size) for square in squares)


def reason_entries(
    position: Position, reasons: Iterable[Reason]
) -> tuple[contract.MoveReasonEntry, ...]:
    """Converts the reasons for a move, whose squares are names."""
    board = position.board

    def squares(names: tuple[str, ...]) -> Squares:
        return page_squares(position, board.parse_squares(",".join(names))) if names else ()

    return tuple(
        contract.MoveReasonEntry(one.code, one.number, squares(one.squares)) for one in reasons
    )


def _colour(
    state: GameState, found: Score, colour: Colour, context: PageContext
) -> contract.Colour:
    position = state.position
    name = context.edition[colour]
    one = found.colours[colour]
    used = {move.piece.name for move in position.laid[colour]}
    points = one.basic if context.scoring is Scoring.BASIC else one.advanced
    counts = colour != position.game.shared and position.game.puzzle is None
    return contract.Colour(
        name=name,
        letter=LETTERS[name],
        ink=ink_of(name),
        player=_player(position, colour, context.names),
        score=points if counts else None,
        placed=one.placed,
        left=tuple(piece for piece in tray_of(position.game) if piece.name not in used),
        out=not position.moves_of(colour),
        level=state.level_of(colour),
    )


def _player(position: Position, colour: Colour, names: tuple[str, ...]) -> str:
    person = person_of(position, colour)
    return names[person] if person < len(names) else ""


def _state(state: GameState, context: PageContext) -> contract.RefereeStatus:
    position = state.position
    code = context.code
    if code is contract.RefereeState.REFUSED:
        newest = state.refused[-1]
        squares = page_squares(position, newest.squares)
        return contract.RefereeStatus(code, newest.colour, squares)
    if code is contract.RefereeState.TO_LIFT:
        return contract.RefereeStatus(code, state.to_lift[0].colour)
    if code is contract.RefereeState.DISTURBED:
        return _disturbed(state)
    if code is contract.RefereeState.UNSURE:
        doubtful = {s for one in state.candidates for s in one.move.squares}
        doubtful |= {s for patch in state.unclear for s in patch.squares}
        squares = page_squares(position, sorted(doubtful))
        return contract.RefereeStatus(code, squares=squares, asked=state.possible_turns)
    if code in _UNSEEN:
        return _unseen(code, state, context)
    nobody = state.possible_turns or position.game.puzzle is not None
    return contract.RefereeStatus(code, None if nobody else position.to_move)


def _unseen(
    code: contract.RefereeState, state: GameState, context: PageContext
) -> contract.RefereeStatus:
    """The state of a table that does not see the board of its game, or sees it empty."""
    fault = None if context.fault is None else CameraFault(context.fault)
    size = state.anew_size or 0
    return contract.RefereeStatus(code, failure=context.failure, fault=fault, size=size)


def _disturbed(state: GameState) -> contract.RefereeStatus:
    moved = tuple(square for patch in state.disturbed for square in patch.squares)
    squares, step = page_squares(state.position, moved), next_restore_step(state)
    if step is None:
        return contract.RefereeStatus(contract.RefereeState.DISTURBED, squares=squares)
    return contract.RefereeStatus(
        contract.RefereeState.DISTURBED,
        step.colour,
        squares=squares,
        current_squares=page_squares(state.position, step.current_squares),
        target_squares=page_squares(state.position, step.target_squares),
    )


def _refused(state: GameState) -> tuple[contract.RefusedPiece, ...]:
    """Refused pieces, newest first; none after a person has ended the game."""
    position = state.position
    if state.ended is not None:
        return ()
    return tuple(
        contract.RefusedPiece(
            one.colour,
            page_squares(position, one.squares),
            tuple(_reason(position, violation) for violation in one.violations),
        )
        for one in reversed(state.refused)
    )


def _reason(position: Position, one: Violation) -> contract.ViolationEntry:
    return contract.ViolationEntry(
        one.rule,
        page_squares(position, one.squares),
        page_squares(position, one.against),
    )


def _pieces(state: GameState) -> tuple[contract.BoardPiece, ...]:
    position = state.position
    newest = state.history[-1] if state.history else None
    pieces = [
        contract.BoardPiece(
            colour,
            page_squares(position, move.squares),
            contract.Mark.LAST
            if newest is not None and (newest.colour, newest.move) == (colour, move)
            else contract.Mark.NONE,
        )
        for colour, laid in enumerate(position.laid)
        for move in laid
    ]
    for colour, move in state.pending:
        squares = page_squares(position, move.squares)
        pieces.append(contract.BoardPiece(colour, squares, contract.Mark.PENDING))
    for refused in state.refused:
        squares = page_squares(position, refused.squares)
        pieces.append(contract.BoardPiece(refused.colour, squares, contract.Mark.REFUSED))
    return tuple(pieces)


def _moves(state: GameState) -> tuple[contract.MoveEntry, ...]:
    before = state.piece_count - len(state.history)
    return tuple(
        contract.MoveEntry(
            before + number,
            ply.colour,
            ply.move.piece.name,
            page_squares(state.position, ply.move.squares),
            ply.overruled,
        )
        for number, ply in enumerate(state.history, 1)
    )
