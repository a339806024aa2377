"""A game of simulated people in rendered frames, with the expected verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.codes import Rule, Translucency
from firmware.game.event_codec import to_json
from firmware.game.events import (
    BoardLost,
    Disturbed,
    Event,
    MoveAccepted,
    MoveRefused,
    PositionSet,
    Restored,
    Undone,
    Withdrawn,
)
from firmware.game.seating import seat_of
from firmware.lights.led_exposure import SAFE_FRAMES
from firmware.referee.referee import Phase
from firmware.rules.board import Board, Move
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, Colour
from firmware.session.tracker import GameTracker
from firmware.simulator.table import TablePiece
from tests.evaluation.lit_table import LitTable
from tests.evaluation.soak.tally import PlacementVerdict, Row
from tests.evaluation.told import told_squares
from tests.support.table_script import (
    Action,
    Lay,
    Leave,
    Reach,
    ScriptedTable,
    ScriptSetup,
    Shift,
    Wait,
)
from vision.camera import Frame
from vision.reader import Reader

DECISIONS: Final = (
    MoveAccepted,
    MoveRefused,
    Withdrawn,
    Undone,
    Disturbed,
    Restored,
    PositionSet,
    BoardLost,
)
"""Events that are decisions; any without a cause is wrong."""

PATIENCE_S: Final = 5.0
"""Seconds to wait for a verdict."""

LONGEST_S: Final = 10.0
"""Seconds within which the table has to report something, at least that it is unsure."""

_TELLS: Final = (Phase.UNSURE, Phase.REFUSED, Phase.DISTURBED, Phase.BOARD_LOST)
"""Phases that ask people to act; here, where no certain squares are awaited."""


@dataclass(frozen=True, slots=True)
class ReportedPiece:
    """The piece of a decision, in the frame of the virtual table."""

    event: str
    colour: Colour | None = None
    squares: frozenset[int] = frozenset()
    rules: frozenset[Rule] = frozenset()

    def words(self, board: Board) -> str:
        """Returns the decision as text."""
        parts = [self.event, str(self.colour), board.format_squares(self.squares), *self.rules]
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Misplacement:
    """Placement error of a piece."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    deg: float = 0.0


class RenderedGame:
    """One game, refereed from its first frame.

    Args:
        setting: table and camera.
        dice: random choices.
        position: the position it begins from, the board lying as in it; None for the empty board.

    Attributes:
        position: intended position.
        script: actions so far.
        frames: JPEG of each frame so far.
        lit: squares that may have glowed in each frame.
        events: events of reader and referee so far.
        rows: verdict on each placement.
        broken: True if a verdict was wrong or missing, which ends the evening.
    """

    def __init__(
        self, setting: ScriptSetup, dice: np.random.Generator, position: Position | None = None
    ) -> None:
        self.setting: Final = setting
        self.dice: Final = dice
        self.now_s = 0.0
        self.position = position or Position.start(setting.game)
        self.script: list[Action] = []
        self.frames: list[bytes] = []
        self.lit: list[frozenset[int]] = []
        self.events: list[Event] = []
        self.rows: list[Row] = []
        self.broken = False
        self._stage: Final = ScriptedTable(setting, lambda _, jpeg: self.frames.append(jpeg))
        self.table: Final = self._stage.table
        self.follower: Final = following(setting, position)
        self._lights: Final = self._lit_table(setting.lights)
        self._heard: list[ReportedPiece] = []
        self.note = ""

    # Actions of people

    def do(self, *actions: Action) -> None:
        """Performs actions, and reads their frames."""
        for action in actions:
            self.script.append(action)
            for frame in self._stage.play([action]):
                self._look(frame)

    def _look(self, frame: Frame) -> None:
        """Reads a frame."""
        self.now_s = frame.time_s
        self.lit.append(self._lights.lit_in(frame) if self._lights else frozenset())
        for event in self.follower.see(frame, self.lit[-1]):
            self.events.append(event)
            if isinstance(event, DECISIONS):
                self._heard.append(reported_piece(event))
        if self._lights:
            self._lights.show(self.follower)

    def _lit_table(self, pieces: str) -> LitTable | None:
        return LitTable(self.table, lambda: self.now_s, Translucency(pieces)) if pieces else None

    def bring(
        self, colour: Colour, move: Move, off: Misplacement, *, seat: int | None = None
    ) -> None:
        """Lays a piece with a hand, which stays over the board."""
        piece = TablePiece(colour, move, off.dx_mm, off.dy_mm, off.deg)
        from_seat = self.seat(colour) if seat is None else seat
        near, back = self.dice.uniform(0, 40), self.dice.uniform(0, 60)
        cells = str(move)
        self.do(
            Reach(*self.towards(from_seat, piece.middle_mm, near), from_seat, colour, cells),
            Wait(),
            Lay(colour, cells, *rounded(off)),
            Reach(*self.towards(from_seat, piece.middle_mm, back), from_seat),
            Wait(),
        )

    def place(
        self, colour: Colour, move: Move, off: Misplacement, *, seat: int | None = None
    ) -> None:
        """Lays a piece with a hand, which leaves."""
        self.bring(colour, move, off, seat=seat)
        self.do(Leave())

    def slide(self, colour: Colour, move: Move, off: Misplacement) -> None:
        """Moves a piece on the board with a hand, maybe to other squares; the hand leaves."""
        seat = self.seat(colour)
        middle = TablePiece(colour, move).middle_mm
        self.do(
            Reach(*self.towards(seat, middle, self.dice.uniform(0, 10)), seat),
            Wait(),
            Shift(colour, str(move), *rounded(off)),
            Reach(*self.towards(seat, middle, self.dice.uniform(0, 60)), seat),
            Wait(),
            Leave(),
        )

    def seat(self, colour: Colour) -> int:
        """Returns the side at which the owner of a colour sits."""
        return seat_of(self.position.game, colour, self.position)

    def towards(self, seat: int, place: tuple[float, float], away_mm: float) -> tuple[float, float]:
        """Returns a place shifted towards a seat."""
        x, y = ((0, -1), (1, 0), (0, 1), (-1, 0))[seat]
        return round(place[0] + x * away_mm, 1), round(place[1] + y * away_mm, 1)

    # Expected verdicts

    def expect(self, kind: str, *wanted: ReportedPiece) -> bool:
        """Waits for a verdict and records it; True if it was right."""
        start_s, first = self.now_s + 1 / self.setting.fps, len(self.frames) + 1
        # A camera with frames in buffers delivers dark frames later.
        patience_s = PATIENCE_S + (SAFE_FRAMES / self.setting.fps if self.setting.late else 0.0)
        while not self._is_decided(wanted):
            waited_s = self.now_s - start_s
            if waited_s >= (patience_s if self._is_told(wanted) else LONGEST_S):
                break
            self.do(Wait())
        outcome = self._outcome(wanted)
        late_s = round(self.now_s - start_s, 3)
        self._judge(Row(kind, outcome, late_s, first), wanted)
        return outcome.is_right

    def must(self, kind: str, *wanted: ReportedPiece) -> bool:
        """Like `expect`, but a missing verdict ends the evening."""
        right = self.expect(kind, *wanted)
        self.broken = self.broken or not right
        return right

    def expect_nothing(self, kind: str) -> bool:
        """Waits a while, in which there may be no decision."""
        start_s, first = self.now_s, len(self.frames) + 1
        while self.now_s - start_s < 1.0 and not self._heard:
            self.do(Wait())
        outcome = self._outcome(()) if self._heard else PlacementVerdict.QUIET
        self._judge(Row(kind, outcome, 0.0, first), ())
        return outcome.is_right

    def _judge(self, row: Row, wanted: Sequence[ReportedPiece]) -> None:
        self.rows.append(row)
        self.broken = self.broken or row.outcome.is_wrong
        if not row.outcome.is_right:
            board = self.position.board
            self.note = "; ".join(
                [f"wanted {one.words(board)}" for one in wanted]
                + [f"heard {one.words(board)}" for one in self._heard]
            )
        self._heard.clear()

    def _is_told(self, wanted: Sequence[ReportedPiece]) -> bool:
        """True if the table names squares of what is awaited, or has lost the board."""
        squares = frozenset[int]().union(*(one.squares for one in wanted))
        referee = self.follower.referee
        phase = referee.phase
        if not squares or phase is Phase.BOARD_LOST or referee.state.candidates_frame is not None:
            return phase in _TELLS
        return bool(squares & told_squares(referee))

    def _is_decided(self, wanted: Sequence[ReportedPiece]) -> bool:
        heard = self._heard
        return len(heard) >= len(wanted) or heard != list(wanted[: len(heard)])

    def _outcome(self, wanted: Sequence[ReportedPiece]) -> PlacementVerdict:
        for heard, right in zip(self._heard, (*wanted, *[None] * len(self._heard)), strict=False):
            if heard == right:
                continue
            if heard.event == MoveAccepted.name:
                return PlacementVerdict.WRONG_ACCEPT
            if heard.event != MoveRefused.name:
                return PlacementVerdict.FALSE_ALARM
            if right is not None and (right.event, right.colour) == (heard.event, heard.colour):
                return PlacementVerdict.WRONG_REASON
            return PlacementVerdict.WRONG_REFUSAL
        if len(self._heard) < len(wanted):
            return PlacementVerdict.UNSURE if self._is_told(wanted) else PlacementVerdict.SILENT
        refused = any(one.event == MoveRefused.name for one in wanted)
        return PlacementVerdict.RIGHT_REFUSAL if refused else PlacementVerdict.RIGHT_ACCEPT

    def events_as_json(self) -> list[dict[str, object]]:
        """Returns the events so far, as lines of JSON."""
        size, edition = self.position.game.size, self.follower.referee.edition
        return [to_json(event, size, edition) for event in self.events]


def following(setting: ScriptSetup, position: Position | None = None) -> GameTracker:
    """Returns reader and referee for a setting; they know its edition only if it says so.

    Args:
        setting: table and camera.
        position: the position on the board, which lies as in it; None for the empty board.
    """
    game, edition = GAMES[setting.game], EDITIONS[setting.edition]
    palette = edition if setting.told or len(edition) > 2 else None
    first = edition[0] if setting.told else None
    return GameTracker(
        Reader(game.size, palette),
        position or Position.start(game),
        palette,
        first=first,
        turned=None if position is None else 0,
    )


def reported_piece(event: Event) -> ReportedPiece:
    """Returns the piece of a decision."""
    if isinstance(event, (MoveAccepted, Undone)):
        return ReportedPiece(event.name, event.colour, frozenset(event.move.squares))
    if isinstance(event, MoveRefused):
        rules = frozenset(one.rule for one in event.violations)
        return ReportedPiece(event.name, event.colour, frozenset(event.squares), rules)
    if isinstance(event, Withdrawn):
        return ReportedPiece(event.name, event.colour, frozenset(event.squares))
    return ReportedPiece(event.name)


def rounded(off: Misplacement) -> tuple[float, float, float]:
    """Returns the error in the precision of a script."""
    return round(off.dx_mm, 2), round(off.dy_mm, 2), round(off.deg, 2)
