"""Trial: pieces that hang over the rim of the board, and right moves beside things that lie there.

`python -m tests.evaluation rim --pieces 1000 --moves 2000` lays pieces with one to four squares
beyond the border whose squares inside are a legal smaller piece: each has to be refused as
`off-board` with just these squares, 4 s after the hand has left at the latest, and may be asked
about, but never be accepted as less. Then it lays legal moves along the rim, while spare pieces,
trays and hands lie or come beside the board: each has to be accepted within 4 s, without a word of
anything else. `--keep DIR` stores every failure as a folder that `watch` reads, with its script;
`--only N` plays one scene. `--traced DIR` counts the recordings that `python -m tests.training
tracing --rims` made instead.
"""

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.codes import Rule
from firmware.game.events import Event, MoveAccepted, MoveRefused, Unsure
from firmware.referee.referee import Phase
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, Colour
from firmware.session.tracker import GameTracker
from firmware.simulator.table import TablePiece
from tests.evaluation.bounds import upper
from tests.evaluation.rim_scenes import Arrival, BesideThing, RimScene, scene
from tests.evaluation.soak.keeping import store
from tests.evaluation.soak.rendered_game import (
    DECISIONS,
    Misplacement,
    RenderedGame,
    reported_piece,
)
from tests.support.table_script import Lay, Leave, Lift, Reach, Wait
from vision.io.recorded import FolderCamera
from vision.reader import Reader

LATEST_S: Final = 4.0
"""Seconds after the hand has left within which a verdict is in time."""

_LONGEST_S: Final = 8.0
"""Seconds for which a verdict is awaited."""

_AFTER_S: Final = 1.5
"""Seconds after a verdict in which no other may follow."""

_BEFORE: Final = 4
"""Frames before anything happens."""

_UNCLEAR: Final = ", beside an adjoining piece laid at once"
"""Addition to the verdict on a scene of which no picture tells whether it shows two pieces."""


class RimVerdict(StrEnum):
    """Verdicts on a scene, the right ones first."""

    OFF_BOARD = "refused as off-board"
    MOVED = "moved"
    ASKED = "asked"
    LESS = "ACCEPTED AS LESS"
    OTHER_MOVE = "ACCEPTED OTHERWISE"
    REFUSED = "refused otherwise"
    LATE = "late"
    SILENT = "silent"
    OTHER = "another event"
    LOST = "board not followed"


@dataclass(frozen=True, slots=True)
class RightPiece:
    """The right event of a piece.

    Attributes:
        colour: colour of the piece.
        squares: the squares of the board that it covers.
        hangs: True if it has to be refused because it hangs over the rim.
    """

    colour: Colour | None
    squares: frozenset[int]
    hangs: bool

    @staticmethod
    def of(one: RimScene) -> "RightPiece":
        """Returns the right event of a scene."""
        return RightPiece(one.colour, one.squares, one.beyond > 0)

    def judged(self, event: Event) -> RimVerdict:
        """Returns the verdict on the piece by one decision or question."""
        told = reported_piece(event)
        is_right = (told.colour, told.squares) == (self.colour, self.squares)
        if isinstance(event, MoveAccepted):
            if self.hangs:
                return RimVerdict.LESS
            return RimVerdict.MOVED if is_right else RimVerdict.OTHER_MOVE
        if isinstance(event, MoveRefused):
            is_off = self.hangs and is_right and Rule.OFF_BOARD in told.rules
            return RimVerdict.OFF_BOARD if is_off else RimVerdict.REFUSED
        return RimVerdict.ASKED if isinstance(event, Unsure) else RimVerdict.OTHER

    def verdict(self, events: Sequence[Event], left_s: float) -> RimVerdict:
        """Returns the verdict on the piece by all decisions and questions.

        Args:
            events: the decisions and questions, in order.
            left_s: time at which the hand has left.
        """
        found = [self.judged(event) for event in events]
        first = next((n for n, one in enumerate(found) if one is not RimVerdict.ASKED), None)
        if first is None:
            return RimVerdict.ASKED if found else RimVerdict.SILENT
        if found[first] is RimVerdict.MOVED and first:
            return RimVerdict.ASKED  # there was nothing to ask
        is_right = found[first] in (RimVerdict.MOVED, RimVerdict.OFF_BOARD)
        is_late = events[first].time - left_s > LATEST_S
        return RimVerdict.LATE if is_right and is_late else found[first]


_UNWANTED: Final = RightPiece(None, frozenset(), hangs=False)
"""No piece: where none is due, every decision is wrong."""


class RimGame(RenderedGame):
    """The table of a scene.

    Args:
        rim_scene: the scene.
    """

    def __init__(self, rim_scene: RimScene) -> None:
        super().__init__(rim_scene.setting, np.random.default_rng(1), rim_scene.position)
        self._scene: Final = rim_scene
        self._events_before = 0
        self.left_s = 0.0

    def verdict(self) -> RimVerdict:
        """Plays the scene; returns the verdict."""
        one = self._scene
        self.do(*one.surroundings, *map(laying, one.pieces))
        for thing in self._at(Arrival.BEFORE, Arrival.TAKEN):
            self._put(thing)
        self.do(Wait(_BEFORE))
        if self.follower.referee.phase is Phase.BOARD_LOST:
            return RimVerdict.LOST
        for thing in self._at(Arrival.CAME):
            self._bring(thing)
        for thing in self._at(Arrival.TAKEN):
            self._take(thing)
        if early := self._unwanted():
            return early
        for thing in self._at(Arrival.WITH):
            self._bring(thing, stays=True)
        self._lay_piece()
        found = self._awaited()
        if found not in (RimVerdict.MOVED, RimVerdict.OFF_BOARD):
            return found
        for thing in self._at(Arrival.AFTER):
            self._bring(thing)
        self._wait(_AFTER_S)
        return self._unwanted() or found

    @property
    def told(self) -> str:
        """The events so far, without those of hands."""
        return " ".join(
            f"{one.name}@{one.time - self.left_s:.1f}"
            for one in self.events
            if isinstance(one, (*DECISIONS, Unsure))
        )

    def _at(self, *arrivals: Arrival) -> Iterable[BesideThing]:
        return (thing for thing in self._scene.things if thing.arrival in arrivals)

    def _wait(self, seconds: float) -> None:
        self.do(Wait(round(seconds * self.setting.fps)))

    def _put(self, thing: BesideThing) -> None:
        """Puts a thing beside the board, without a hand."""
        self.do(*map(laying, thing.pieces))

    def _bring(self, thing: BesideThing, *, stays: bool = False) -> None:
        """Brings a thing with a hand, which leaves unless it stays."""
        for piece in thing.pieces:
            off = Misplacement(piece.dx_mm, piece.dy_mm, piece.angle_deg)
            self.bring(piece.colour, piece.move, off, seat=thing.seat)
        if not thing.pieces:
            self.do(Reach(*thing.hand_mm, thing.seat), Wait(3))
        if not stays:
            self.do(Leave(), Wait(3))

    def _take(self, thing: BesideThing) -> None:
        """Takes a thing away with a hand."""
        for piece in thing.pieces:
            place = self.towards(thing.seat, piece.middle_mm, 20)
            self.do(Reach(*place, thing.seat), Wait(), Lift(piece.colour, str(piece.move)))
        self.do(Wait(), Leave(), Wait(3))

    def _lay_piece(self) -> None:
        """Lays the piece with a hand, which leaves, or rests beside the board."""
        piece = self._scene.piece
        off = Misplacement(piece.dx_mm, piece.dy_mm, piece.angle_deg)
        self.bring(piece.colour, piece.move, off)
        resting = [one for one in self._at(Arrival.WITH) if not one.pieces]
        self.do(Reach(*resting[0].hand_mm, resting[0].seat) if resting else Leave())
        self.left_s = self.now_s + 1 / self.setting.fps

    def _awaited(self) -> RimVerdict:
        """Waits for the verdict on the piece."""
        right, heard = RightPiece.of(self._scene), list[Event]()
        found = RimVerdict.SILENT
        while self.now_s < self.left_s + _LONGEST_S:
            self.do(Wait())
            heard += self._new()
            found = right.verdict(heard, self.left_s)
            if found not in (RimVerdict.ASKED, RimVerdict.SILENT):
                break
        return found

    def _unwanted(self) -> RimVerdict | None:
        """Returns the verdict on the newest events, where none is due; None if there is none."""
        found = [_UNWANTED.judged(event) for event in self._new()]
        return found[0] if found else None

    def _new(self) -> list[Event]:
        """Returns the decisions and questions since the last call."""
        new = self.events[self._events_before :]
        self._events_before = len(self.events)
        return [event for event in new if isinstance(event, (*DECISIONS, Unsure))]


def laying(piece: TablePiece) -> Lay:
    """Returns the action that lays a piece where it is, without a hand."""
    return Lay(piece.colour, str(piece.move), piece.dx_mm, piece.dy_mm, piece.angle_deg)


def described(one: RimScene) -> str:
    """Returns a scene in a line."""
    setting, board = one.setting, one.position.board
    where = board.format_squares(sorted(one.squares))
    beside = [f"{thing.kind} {thing.arrival}" for thing in one.things]
    over = f" and {one.beyond} beyond" if one.beyond else ""
    return (
        f"{setting.game} {setting.edition} {setting.width} px {setting.lights or 'unlit'}: "
        f"{one.piece.move.piece.name} on {where}{over}; {', '.join(beside) or 'nothing beside'}; "
        f"{'; '.join(map(str, one.surroundings))}"
    )


def sweep(
    seed: int, first: int, count: int, *, hangs: bool, folder: Path | None = None
) -> Counter[str]:
    """Plays scenes until there are `count`, and returns their verdicts.

    Those whose board is not found before anything happens come on top.

    Args:
        seed, first: seed and number of the first scene.
        count: number of scenes.
        hangs: see `scene`.
        folder: folder for the failures, which are also printed.
    """
    right = RimVerdict.OFF_BOARD if hangs else RimVerdict.MOVED
    counts: Counter[str] = Counter()
    for number in itertools.count(first):
        if counts.total() - counts[RimVerdict.LOST] >= count:
            break
        one = scene(seed, number, hangs=hangs)
        game = RimGame(one)
        found = game.verdict()
        unclear = _UNCLEAR if one.is_unclear and found is not RimVerdict.LOST else ""
        counts[f"{found}{unclear}"] += 1
        if found is not right:
            print(f"{found}{unclear}: {number}: {described(one)}; {game.told}", flush=True)  # noqa: T201
            if folder is not None:
                store(game, folder / f"{'piece' if hangs else 'move'}-{seed}-{number}")
    return counts


def traced(folders: Iterable[Path], *, hangs: bool) -> Counter[str]:
    """Returns the verdicts on traced recordings, see `tests.training.tracing.rim`.

    Args:
        folders: the recordings; each verdict that is not right is printed.
        hangs: True for those of pieces that hang over the rim.
    """
    counts: Counter[str] = Counter()
    for folder in folders:
        truth = json.loads((folder / "events.json").read_text(encoding="utf-8"))
        meta, frames = truth["meta"], truth["frames"]
        if (meta["event"] == MoveRefused.name) is not hangs:
            continue
        position = Position.parse(meta["position"])
        edition = EDITIONS[meta["edition"]["name"]]
        tracker = GameTracker(Reader(position.board.size, edition), position, edition)
        squares = frozenset(position.board.parse_squares(meta["squares"]))
        right = RightPiece(meta["colour"], squares, hangs)
        last = max(n for n, one in enumerate(frames, 1) if one["state"] == "hand")
        camera, heard, left_s = FolderCamera(folder), list[Event](), float("inf")
        found: RimVerdict | None = None
        while found is None and (frame := camera.read()) is not None:
            events = tracker.see(frame)
            heard += [one for one in events if isinstance(one, (*DECISIONS, Unsure))]
            left_s = frame.time_s if frame.number == last + 1 else left_s
            if frame.number == last - 1 and tracker.referee.phase is Phase.BOARD_LOST:
                found = RimVerdict.LOST
        found = found or right.verdict(heard, left_s)
        unclear = _UNCLEAR if meta["unclear"] else ""
        counts[f"{found}{unclear}"] += 1
        if found not in (RimVerdict.MOVED, RimVerdict.OFF_BOARD):
            told = " ".join(f"{one.name}@{one.time - left_s:.1f}" for one in heard)
            beside = ", ".join(meta["beside"])
            print(f"{found}{unclear}: {folder.name}: {meta['squares']}; {beside}; {told}")  # noqa: T201
    return counts


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the failures and the counts."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation rim")
    parser.add_argument("--pieces", type=int, default=100, help="pieces over the rim")
    parser.add_argument("--moves", type=int, default=200, help="right moves along the rim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="N", help="only the scene of this number")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="folder for the failures")
    parser.add_argument("--traced", type=Path, metavar="DIR", help="only these recordings")
    chosen = parser.parse_args(words)
    cv2.setNumThreads(1)
    for hangs, name, count in (
        (True, "pieces over the rim", chosen.pieces),
        (False, "right moves along it", chosen.moves),
    ):
        first, most = (0, count) if chosen.only is None else (chosen.only, min(count, 1))
        if chosen.traced:
            folders = sorted(path.parent for path in chosen.traced.glob("*/events.json"))
            counts = traced(folders, hangs=hangs)
        else:
            counts = sweep(chosen.seed, first, most, hangs=hangs, folder=chosen.keep)
        total = counts.total() - counts[RimVerdict.LOST]
        print(f"== {total} {name}")  # noqa: T201
        for verdict, number in counts.most_common():
            print(f"{number:6} {verdict}, below {upper(number, total):.2%}")  # noqa: T201
