"""Replay of a record: the broken rules of each move, passes, liftings, and set positions."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.codes import Rule
from firmware.errors import UnreadableError, read_file
from firmware.records.node_properties import (
    AttemptedMove,
    LiftedPieces,
    PlayedMove,
    RecordedPlacement,
    SetUp,
)
from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.errors import IllegalMoveError, RecordError
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults_of
from firmware.rules.reconstruction import Problem, impossible
from firmware.rules.variants import Colour
from firmware.rules.violations import Violation

_MOST_STEPS: Final = 1000
"""Limit of moves, refusals and set-ups of a game, replayed in about a second. A game has at most
84 placements."""

_MOST_PUZZLE_STEPS: Final = 5000
"""Limit of moves, refusals and set-ups of a puzzle, in which a piece is laid and lifted as often as
somebody likes: 84 pieces take about 4 ms for each lifting."""


@dataclass(frozen=True, slots=True)
class ReplayedMove:
    """A move of the record and the rules it breaks.

    Attributes:
        number: number of the move, from 1.
        played: entry of the record.
        move: the placement, or None if the squares are not a piece.
        violations: every rule it breaks; none for a legal move.
        legal_moves: number of placements that the colour to move had; in a puzzle the colour of
            the move.
        before: the position before the move.
        after: the position after the move; without the piece if its squares are not free.
    """

    number: int
    played: PlayedMove
    move: Move | None
    violations: tuple[Violation, ...]
    legal_moves: int
    before: Position
    after: Position

    @property
    def stands(self) -> bool:
        """True if it is legal, or an arbiter overruled the broken rules."""
        return not self.violations or self.played.overruled


@dataclass(frozen=True, slots=True)
class ReplayedRefusal:
    """An illegal placement that was refused at the table and taken back.

    Attributes:
        after_ply: number of moves played before.
        attempted: entry of the record.
        violations: every rule it breaks.
    """

    after_ply: int
    attempted: AttemptedMove
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class ReplayedPass:
    """A colour is for the first time without a placement at its turn.

    Attributes:
        colour: the colour that passes.
        after_ply: number of moves played before.
    """

    colour: Colour
    after_ply: int


@dataclass(frozen=True, slots=True)
class ReplayedSetup:
    """Pieces were set by hand.

    Attributes:
        after_ply: number of moves played before.
        after: the position that was set.
        problems: contradictions in it.
    """

    after_ply: int
    after: Position
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ReplayedLifting:
    """Pieces of a puzzle were lifted together.

    Attributes:
        after_ply: number of moves played before.
        lifted: colour and placement of each piece.
        after: the position without them.
        problems: the rules that the other pieces break without them, and did not break before.
    """

    after_ply: int
    lifted: tuple[LaidPiece, ...]
    after: Position
    problems: tuple[Problem, ...]


Entry = ReplayedMove | ReplayedRefusal | ReplayedPass | ReplayedSetup | ReplayedLifting
"""One step of a replay."""


def replay(record: Record) -> Iterator[Entry]:
    """Plays the main line of a record by the rules of the table (starting squares free).

    An illegal move that nobody overruled is put on the board if its squares are free, so that
    later moves are examined in the position that the players saw.

    Raises:
        RecordError: a property cannot be read, or the record is longer than any game.
    """
    position = Position.start(record.game)
    passed: set[Colour] = set()
    number = 0
    most = _MOST_STEPS if record.game.puzzle is None else _MOST_PUZZLE_STEPS
    for count, step in enumerate(record.steps()):
        if count == most:
            message = f"the game has more than {most} moves and settings; none is so long"
            raise RecordError(message, *step.node.place)
        if isinstance(step, AttemptedMove):
            yield ReplayedRefusal(number, step, _violations(position, step))
            continue
        if isinstance(step, LiftedPieces):
            lifting = _lifting(number, position, step)
            position = lifting.after
            yield lifting
        elif isinstance(step, SetUp):
            position = _set(position, step)
            yield ReplayedSetup(number, position, _problems(position))
            # Pieces that were taken off can bring a colour back.
            passed = {colour for colour in passed if not position.moves_of(colour)}
        else:
            number += 1
            ply = _ply(number, position, step)
            position = ply.after
            yield ply
        for colour in position.passing:
            if colour not in passed:
                passed.add(colour)
                yield ReplayedPass(colour, number)


def _ply(number: int, position: Position, played: PlayedMove) -> ReplayedMove:
    move = None if played.off_board else position.board.find_move(played.squares)
    after = position
    if position.game.puzzle is None:
        after = position.with_turn((played.colour + 1) % len(position.game.colours))
    if move and not move.mask & position.occupied:
        after = position.put(move, played.colour)
    violations = _violations(position, played)
    open_moves = position.legal_moves
    if position.game.puzzle is not None:
        open_moves = position.moves_of(played.colour)
    return ReplayedMove(number, played, move, violations, len(open_moves), position, after)


def _lifting(number: int, before: Position, step: LiftedPieces) -> ReplayedLifting:
    lifted, position = [], before
    for move in step.moves:
        colour = next((c for c, laid in enumerate(position.laid) if move in laid), 0)
        try:
            position = position.lift(move, colour)
        except IllegalMoveError as error:
            raise RecordError(str(error), *step.node.place) from error
        lifted.append((colour, move))
    problems = _problems(position)
    if problems:
        known = set(map(_identity, _problems(before)))
        problems = tuple(one for one in problems if _identity(one) not in known)
    return ReplayedLifting(number, tuple(lifted), position, problems)


def _identity(problem: Problem) -> tuple[Colour, Rule, tuple[int, ...]]:
    """A problem without what it touches or misses, which another piece changes."""
    return problem.colour, problem.violation.rule, problem.violation.squares


def _problems(position: Position) -> tuple[Problem, ...]:
    """The contradictions in a position, or the faults of a puzzle."""
    if position.game.puzzle is None:
        return impossible(position)
    faults = faults_of(position)
    return tuple(Problem(one.colour, broken) for one in faults for broken in one.violations)


def _violations(position: Position, placing: RecordedPlacement) -> tuple[Violation, ...]:
    if placing.off_board:
        # The rest of the piece does not allow checking the other rules.
        return (Violation(Rule.OFF_BOARD, ()),)
    return position.examine(placing.squares, placing.colour)


def _set(position: Position, step: SetUp) -> Position:
    """The position after a set-up. A piece that is both added and removed is removed."""
    turn = position.turn if step.turn is None else step.turn
    try:
        for move in step.removed:
            for colour, laid in enumerate(position.laid):
                if move in laid:
                    position = position.lift(move, colour)
        for colour, move in step.added:
            if move not in step.removed:
                position = position.put(move, colour)
    except IllegalMoveError as error:
        raise RecordError(str(error), *step.node.place) from error
    return position if position.game.puzzle is not None else position.with_turn(turn)


def open_record(path: Path) -> tuple[Record, list[Entry]]:
    """Reads the record in a file and replays it.

    Raises:
        UnreadableError: the file has no readable record.
    """
    try:
        record = Record.read(read_file(path, remedy="give the path of a .blksgf record"))
        return record, list(replay(record))
    except RecordError as error:
        raise UnreadableError(f"{path}: {error}") from error


def final_position(record: Record, entries: list[Entry]) -> Position:
    """Returns the last position of a record."""
    positions = (
        entry.after
        for entry in reversed(entries)
        if isinstance(entry, ReplayedMove | ReplayedSetup | ReplayedLifting)
    )
    return next(positions, Position.start(record.game))
