"""Trial: games that a phone streams to `cornerlight run`, at their own pace and with faults.

`python -m tests.evaluation live_streams` plays rendered games of our own at ten pictures a second,
and those of the further data at two, see `tests/conftest.py`. Each is streamed as it is, with every
picture sent twice and ten times, cut for 5 s, frozen for 5 s, with one picture of twenty broken,
and twice and four times as fast. A decision that the game does not have is wrong, whatever the
camera did; one that is missing was seen too shortly, or its pictures were lost. `--rest MINUTES`
streams a board that nobody touches, and measures processor, memory, descriptors and threads.
"""

import argparse
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, Final

from firmware.game.events import MoveAccepted, MoveRefused, Undone, Withdrawn
from firmware.rules.board import Board
from firmware.rules.position import Position
from firmware.simulator.table import TablePiece
from tests.conftest import FURTHER, ROOT
from tests.evaluation.endurance import count
from tests.evaluation.recorded import Decision, compared, truth
from tests.evaluation.sse_load import busy_s, memory_mb
from tests.support.http_camera import CameraRequest, HttpCameraServer, part, stream_head
from tests.support.process_tree import descendants
from tests.support.table_script import Action, Lay, Leave, Reach, ScriptedTable, ScriptSetup, Wait

DECISIONS: Final = (MoveAccepted.name, MoveRefused.name, Withdrawn.name, Undone.name)

_CUT_S: Final = (8.0, 13.0)
"""Begin and end of the fault, in seconds after the first picture."""

_BROKEN: Final = 0.05
"""Share of the pictures that are cut off."""

_ENDING_S: Final = 12.0
"""Seconds after the end of the game in which decisions are awaited."""

_THINK: Final = 15
"""Frames of a rendered game without a hand between two moves."""


@dataclass(frozen=True)
class StreamedGame:
    """The pictures of a game and what is right of them.

    Attributes:
        name: its name.
        jpegs: the pictures.
        period_s: seconds between two of them.
        right: the right decisions.
        clear: number of the first picture, from 0, that shows each decision without a hand;
            empty if that is not known.
    """

    name: str
    jpegs: list[bytes]
    period_s: float
    right: list[Decision]
    clear: dict[Decision, int] = field(default_factory=dict)


@dataclass(frozen=True)
class StreamFault:
    """A way to stream.

    Attributes:
        name: its name.
        times: number of times that each picture is sent.
        speed: factor of the pace.
        window: "cut" or "frozen" during `_CUT_S`; empty for neither.
        broken: share of the pictures that are cut off.
    """

    name: str
    times: int = 1
    speed: float = 1.0
    window: str = ""
    broken: float = 0.0


FAULTS: Final = (
    StreamFault("as it is"),
    StreamFault("each twice", times=2),
    StreamFault("each ten times", times=10),
    StreamFault("cut for 5 s", window="cut"),
    StreamFault("frozen for 5 s", window="frozen"),
    StreamFault("5 % broken", broken=_BROKEN),
    StreamFault("twice as fast", speed=2.0),
    StreamFault("four times as fast", speed=4.0),
)


def recorded_game(folder: Path) -> StreamedGame:
    """Returns a game of the further data, two pictures a second."""
    jpegs = [path.read_bytes() for path in sorted(folder.glob("*.jpg"))]
    return StreamedGame(folder.name, jpegs, 0.5, truth(folder))


def rendered_game(
    seed: int, plies: int, *, fps: float = 10.0, edition: str = "purple-orange", rest: int = 0
) -> StreamedGame:
    """Returns a legal game of our own.

    Args:
        seed: seed of its moves.
        plies: number of moves; fewer if the game ends before.
        fps: pictures a second.
        edition: colours of the pieces.
        rest: number of pictures of the last position that are added.
    """
    chance = random.Random(seed)  # noqa: S311
    jpegs: list[bytes] = []
    setting = ScriptSetup(edition=edition, seed=seed, fps=fps, width=960, height=720)
    table = ScriptedTable(setting, lambda _, jpeg: jpegs.append(jpeg))
    position, clear = Position.start("duo"), dict[Decision, int]()

    def do(*actions: Action) -> None:
        for _ in table.play(actions):
            pass

    do(Wait(_THINK))
    for _ in range(plies):
        colour = position.to_move
        if colour is None:
            break
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        x_mm, y_mm = TablePiece(colour, move).middle_mm
        reach = Reach(x_mm, y_mm, colour * 2)
        do(reach, Wait(2), Lay(colour, str(move)), reach, Wait(3), Leave())
        clear[(MoveAccepted.name, frozenset(move.squares), frozenset())] = len(jpegs)
        do(Wait(_THINK))
        position = position.play(move)
    do(Wait(rest))
    return StreamedGame(f"{edition} {seed}", jpegs, 1 / fps, list(clear), clear)


class StreamingPhone:
    """Streams a game by the clock, to whoever asks.

    Attributes:
        sent_s: time at which each picture was first sent, in seconds of `time.monotonic`.
        ended: set when the game has ended; its last pictures go on.
    """

    def __init__(self, game: StreamedGame, fault: StreamFault) -> None:
        self._game: Final = game
        self._fault: Final = fault
        self._period_s: Final = game.period_s / fault.speed
        chance = random.Random(1)  # noqa: S311
        self._broken: Final = {
            number for number in range(len(game.jpegs)) if chance.random() < fault.broken
        }
        self._begun_s: float | None = None
        self.sent_s: dict[int, float] = {}
        self.ended: Final = threading.Event()

    def __call__(self, _: CameraRequest, line: socket.socket) -> object:
        """Answers a request with the pictures from now on."""
        if self._begun_s is None:
            self._begun_s = time.monotonic()
        if self._is_in("cut"):
            return False
        line.sendall(stream_head())
        while not self._is_in("cut"):
            number = self._number()
            if number >= len(self._game.jpegs):
                self.ended.set()
                # The table stays in view as it was left, in turn by its last two pictures.
                self._send(len(self._game.jpegs) - 1 - number % 2, line, number)
            else:
                self._send(number, line, number)
        return False

    def _number(self) -> int:
        """Returns the number of the picture that is due."""
        assert self._begun_s is not None
        return int((time.monotonic() - self._begun_s) / self._period_s)

    def _is_in(self, window: str) -> bool:
        assert self._begun_s is not None
        begin, end = _CUT_S
        passed_s = time.monotonic() - self._begun_s
        return self._fault.window == window and begin <= passed_s < end

    def _send(self, number: int, line: socket.socket, turn: int) -> None:
        """Sends a picture as often as the fault wants, until the next turn is due."""
        assert self._begun_s is not None
        shown = int(_CUT_S[0] / self._period_s) if self._is_in("frozen") else number
        jpeg = self._game.jpegs[shown]
        if shown in self._broken:
            jpeg = jpeg[: len(jpeg) // 2]
        else:
            self.sent_s.setdefault(shown, time.monotonic())
        for time_number in range(1, self._fault.times + 1):
            line.sendall(part(jpeg))
            due_s = self._begun_s + (turn + time_number / self._fault.times) * self._period_s
            time.sleep(max(0.0, due_s - time.monotonic()))


@dataclass
class StreamResult:
    """Results of a stream.

    Attributes:
        decided: the decisions, in order.
        events: number of other events by name.
        latencies_s: seconds from sending the first clear picture of a move to its verdict.
        cpu: seconds of processor for each second of the stream.
        memory_mb: memory at the end.
    """

    decided: list[Decision] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)
    latencies_s: list[float] = field(default_factory=list)
    cpu: float = 0.0
    memory_mb: float = 0.0


def refereed(game: StreamedGame, fault: StreamFault, folder: Path) -> StreamResult:
    """Streams a game to a process of `cornerlight run`; returns what that says."""
    phone, result = StreamingPhone(game, fault), StreamResult()
    with HttpCameraServer(phone) as server:
        words = ["run", "--camera", server.url(), "--no-page", "--json", "--folder", str(folder)]
        process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words, "--game", "duo"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        reading = threading.Thread(target=_listen, args=(process, game, phone, result))
        reading.start()
        begun_s = time.monotonic()
        phone.ended.wait(len(game.jpegs) * game.period_s / fault.speed + 60)
        time.sleep(_ENDING_S)
        result.cpu = busy_s(process.pid) / (time.monotonic() - begun_s)
        result.memory_mb = memory_mb(process.pid)
        process.send_signal(signal.SIGTERM)
        reading.join()
        assert process.wait(10) == 0, "run ends with 0"
    return result


def at_rest(minutes: float) -> None:
    """Streams a position that stays, and prints what the program needs each minute."""
    game = rendered_game(13, 6, rest=20)
    phone = StreamingPhone(replace(game, jpegs=game.jpegs[-20:]), FAULTS[0])
    with HttpCameraServer(phone) as server, tempfile.TemporaryDirectory() as folder:
        words = ["run", "--camera", server.url(), "--folder", folder, "--port", "0", "--json"]
        command = [sys.executable, "-m", "firmware", *words]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        for minute in range(round(minutes)):
            pids = [process.pid, *descendants(process.pid)]
            before_s = busy_s(process.pid)
            time.sleep(60)
            cpu = (busy_s(process.pid) - before_s) / 60
            memory = " + ".join(f"{memory_mb(pid):.1f}" for pid in pids)
            files, threads = count("fd", pids), count("task", pids)
            print(  # noqa: T201
                f"minute {minute + 1}: {cpu:.3f} of a core, {memory} MB, {files} descriptors, "
                f"{threads} threads",
                flush=True,
            )
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0, "run ends with 0"


def _listen(
    process: "subprocess.Popen[str]",
    game: StreamedGame,
    phone: StreamingPhone,
    result: StreamResult,
) -> None:
    """Reads the events of a process until it ends."""
    board = Board.of(14)
    assert process.stdout is not None
    for text in process.stdout:
        now_s, line = time.monotonic(), json.loads(text)
        if line["event"] not in DECISIONS:
            result.events[line["event"]] = result.events.get(line["event"], 0) + 1
            continue
        decision = _decision(line, board)
        result.decided.append(decision)
        sent_s = phone.sent_s.get(game.clear.get(decision, -1))
        if sent_s is not None:
            result.latencies_s.append(now_s - sent_s)


def _decision(line: dict[str, Any], board: Board) -> Decision:
    rules = frozenset(one["rule"] for one in line.get("reasons", ()))
    return line["event"], frozenset(board.parse_squares(",".join(line["cells"]))), rules


def games(plies: int) -> list[StreamedGame]:
    """Returns two rendered games, and those of the further data that are there."""
    found = [rendered_game(11, plies), rendered_game(12, plies, edition="black-white")]
    folders = (FURTHER / "game", FURTHER / "game-black-white")
    return found + [recorded_game(folder) for folder in folders if folder.is_dir()]


def show(game: StreamedGame, fault: StreamFault, result: StreamResult) -> int:
    """Prints the results of a stream; returns the number of wrong decisions."""
    right, missing, wrong = compared(result.decided, game.right)
    latency = ""
    if result.latencies_s:
        worst = max(result.latencies_s)
        latency = f", {median(result.latencies_s):.2f} s late (at most {worst:.2f})"
    print(  # noqa: T201
        f"{game.name:18} {fault.name:18} {right} right, {missing} not decided, "
        f"{len(wrong)} wrong {wrong}{latency}; {result.cpu:.2f} of a core, "
        f"{result.memory_mb:.0f} MB; {result.events}",
        flush=True,
    )
    return len(wrong)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results of each stream."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation live_streams")
    parser.add_argument("--plies", type=int, default=60, help="most moves of a rendered game")
    parser.add_argument("--faults", nargs="+", choices=[one.name for one in FAULTS])
    parser.add_argument("--rest", metavar="MINUTES", type=float, help="stream a still board")
    chosen = parser.parse_args(words)
    if chosen.rest:
        at_rest(chosen.rest)
        return
    faults = [one for one in FAULTS if not chosen.faults or one.name in chosen.faults]
    wrong = 0
    for game in games(chosen.plies):
        for fault in faults:
            with tempfile.TemporaryDirectory() as name:
                wrong += show(game, fault, refereed(game, fault, Path(name)))
    print(f"== {wrong} wrong decisions")  # noqa: T201
