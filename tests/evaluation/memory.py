"""Trial: memory and processor time of table and page through a whole game and a time after it.

`python -m tests.evaluation memory` runs `cornerlight run --no-page` and `cornerlight page` as two
processes, as the services do, in a group with a limit of memory and without swap. A camera in the
network shows a rendered Classic at 1536 by 864, also the light of the LEDs; eight phones hold
the page's stream and load a picture of the camera every second; an arbiter's phone asks for a check
of the set-up in mid-game. The libraries are copies of their own, so that no other process of this
machine shares their pages.
"""

import argparse
import http
import math
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware.assembly.led_strip import build_led_layout
from firmware.player.search_process import SOCKET_VARIABLE
from firmware.rules.variants import GAMES
from firmware.settings import LightsSettings
from firmware.simulator.ws2812_chain import under
from tests.conftest import ROOT
from tests.evaluation.sse_load import busy_s
from tests.support.http_camera import CameraRequest, HttpCameraServer, part, stream_head
from tests.support.phones import PagePhone, WatchingPhone
from tests.support.process_memory import (
    MB,
    MemoryGroup,
    MemoryUse,
    memory_by_file,
    memory_group,
    memory_use,
    own_libraries,
)
from tests.support.rendered_table import RenderedTable, whole_game
from tests.support.running_table import RunningTable, pairing_number
from tests.support.waiting import eventually

SIZE: Final = (1536, 864)
"""Width and height in pixels of a picture, as the camera of a Raspberry Pi gives them."""

PHONES: Final = 8
"""Phones that follow the game."""

LIMIT: Final = 200 * MB
"""Bytes that table and page may have together."""

CORES: Final = 4
"""Threads of OpenCV, as on a Raspberry Pi, whose processors have four cores."""

_STILL: Final = 6
"""Pictures that are shown in turn once nobody touches the board, for each state of the LEDs."""

_THINKS_S: Final = 1.0
"""Seconds of a player between two moves."""

_SAMPLE_S: Final = 0.5
"""Seconds between two looks at the memory."""

_CHECK_S: Final = 120.0
"""Seconds in which a check of the set-up has to end."""

_LARGEST: Final = 8
"""Mapped files that are listed of each process."""

_REACHES_S: Final = 0.6
"""Seconds for which a hand is over the board before it lays a piece."""

_USUAL: Final = ("board-found", "hand", "clear", "move", "pass", "game-over")
"""Events of a game without a fault."""

_VARIABLES: Final = {"OPENCV_FOR_THREADS_NUM": str(CORES)}

_CONFIG: Final = """
[game]
game = "classic"
[lights]
driver = "ws2812-pio"
device = "{leds}"
[page]
host = "127.0.0.1"
port = 0
camera = "everybody"
[table]
folder = "{folder}"
games = "{folder}/games"
socket = "{folder}/feed.sock"
"""
"""Settings of the table. The kernel's driver of LEDs is a file, which can be read back."""


class LitCamera:
    """A camera in the network over a table with LEDs, whose colours it sees.

    Args:
        table: the table.
        leds: file to which the driver of the LEDs writes, four bytes an LED.
        period_s: seconds between two pictures.

    Attributes:
        sent: number of pictures so far.
        lit: most LEDs that were lit at a time.
    """

    def __init__(self, table: RenderedTable, leds: Path, period_s: float) -> None:
        size = table.table.scene.game.size
        layout = build_led_layout(LightsSettings(), size).layout(size)
        self._length: Final = len(layout)
        self._glow: Final = under(table.table, layout)
        self._table: Final = table
        self._leds: Final = leds
        self._period_s: Final = period_s
        self._still: dict[bytes, list[bytes]] | None = None
        self.sent = self.lit = 0

    def __call__(self, _: CameraRequest, line: socket.socket) -> object:
        """Answers a request with a stream."""
        line.sendall(stream_head())
        for number in range(sys.maxsize):
            due_s = time.monotonic() + self._period_s
            line.sendall(part(self._picture(number)))
            self.sent += 1
            time.sleep(max(0.0, due_s - time.monotonic()))
        return False

    def rest(self) -> None:
        """Shows the table with some pictures in turn, which needs little time."""
        self._still = {}

    def _picture(self, number: int) -> bytes:
        if self._still is None:
            return self._taken()
        pictures = self._still.setdefault(self._leds.read_bytes(), [])
        if len(pictures) < _STILL:
            pictures.append(self._taken())
        return pictures[number % len(pictures)]

    def _taken(self) -> bytes:
        shown = self._leds.read_bytes()
        if len(shown) == 4 * self._length:  # otherwise it is being written
            colours = np.frombuffer(shown, np.uint8).reshape(-1, 4)[:, :3].tolist()
            self.lit = max(self.lit, sum(map(any, colours)))
            self._glow([(red, green, blue) for red, green, blue in colours])
        [jpeg] = self._table.jpegs(1)
        return jpeg


@dataclass
class PhaseUse:
    """Use of memory and processor in a phase of the trial.

    Attributes:
        name: its name.
        begun_s: its begin, in seconds of `time.monotonic`.
        busy_s: processor time of table and page at its begin.
        sent: number of pictures that the camera had sent at its begin.
        table, page: most memory of each.
        both: memory of both when it was most.
        least: fewest bytes of both; what one turn takes and gives back is not in them.
        took_s: its length in seconds.
        cpu_s: processor time of table and page in it.
        pictures: number of pictures that the camera sent in it.
    """

    name: str
    begun_s: float
    busy_s: tuple[float, float]
    sent: int
    table: MemoryUse = field(default_factory=MemoryUse)
    page: MemoryUse = field(default_factory=MemoryUse)
    both: MemoryUse = field(default_factory=MemoryUse)
    least: float = math.inf
    took_s: float = 0.0
    cpu_s: tuple[float, float] = (0.0, 0.0)
    pictures: int = 0


class MemoryWatch:
    """Measures table and page from a thread.

    Args:
        table, page: their process ids.
        camera: the camera, which counts its pictures.

    Attributes:
        phases: the phases so far.
        largest: memory of table and page by mapped file, when both together had most.
    """

    def __init__(self, table: int, page: int, camera: LitCamera) -> None:
        self._pids: Final = (table, page)
        self._camera: Final = camera
        self._most = 0
        self._ending: Final = threading.Event()
        self.phases: Final[list[PhaseUse]] = []
        self.largest: list[Mapping[str, int]] = []
        self.begin("start")
        self._thread: Final = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def begin(self, name: str) -> None:
        """Ends a phase and begins the next one."""
        self._end_phase()
        self.phases.append(PhaseUse(name, time.monotonic(), self._busy(), self._camera.sent))

    def close(self) -> None:
        """Ends the last phase."""
        self._ending.set()
        self._thread.join()
        self._look()
        self._end_phase()

    def _busy(self) -> tuple[float, float]:
        table, page = map(busy_s, self._pids)
        return table, page

    def _end_phase(self) -> None:
        if self.phases:
            phase, (table_s, page_s) = self.phases[-1], self._busy()
            phase.took_s = time.monotonic() - phase.begun_s
            phase.pictures = self._camera.sent - phase.sent
            phase.cpu_s = table_s - phase.busy_s[0], page_s - phase.busy_s[1]

    def _run(self) -> None:
        while not self._ending.wait(_SAMPLE_S):
            self._look()

    def _look(self) -> None:
        phase = self.phases[-1]
        table, page = map(memory_use, self._pids)
        both = table + page
        if both.total > self._most + MB:
            self._most, self.largest = both.total, [memory_by_file(pid) for pid in self._pids]
        phase.table = max(phase.table, table, key=_total)
        phase.page = max(phase.page, page, key=_total)
        phase.both = max(phase.both, both, key=_total)
        phase.least = min(phase.least, both.total)


def _total(use: MemoryUse) -> int:
    return use.total


@dataclass(frozen=True)
class MemorySetup:
    """Length and conditions of a trial.

    Attributes:
        plies: most moves that are laid; the game may end before.
        rest_s: seconds after the last move.
        limit: bytes that table and page may have together; None for no limit.
        fps: pictures a second.
        seed: seed of the game.
    """

    plies: int = 1000
    rest_s: float = 3600.0
    limit: int | None = LIMIT
    fps: float = 5.0
    seed: int = 3


@dataclass(frozen=True)
class MemoryResult:
    """Results of a trial.

    Attributes:
        phases: memory and processor time of each phase.
        largest: memory of table and page by mapped file, when both together had most.
        events: the events of the table.
        pictures: number of evidence pictures on the disk.
        failed: number of requests of phones that failed.
        lit: most LEDs that were lit at a time.
        group: text on the group with its limit; empty without a group.
        kills: number of processes that were killed because of the limit.
    """

    phases: list[PhaseUse]
    largest: list[Mapping[str, int]]
    events: list[dict[str, Any]]
    pictures: int
    failed: int
    lit: int
    group: str
    kills: int

    @property
    def most(self) -> int:
        """Most bytes of table and page together."""
        return max(phase.both.total for phase in self.phases)

    @property
    def moves(self) -> int:
        """Number of accepted moves."""
        return sum(event["event"] == "move" for event in self.events)

    @property
    def doubts(self) -> list[dict[str, Any]]:
        """Events that a game without a fault does not have."""
        return [event for event in self.events if event["event"] not in _USUAL]


def trial(folder: Path, setup: MemorySetup) -> MemoryResult:
    """Runs a game, and a time after it.

    Raises:
        OSError: there is to be a limit, and this machine lets us make no group.
    """
    if setup.limit is None:
        return _run(folder, setup, None)
    with memory_group(setup.limit) as group:
        return _run(folder, setup, group)


def _run(folder: Path, setup: MemorySetup, group: MemoryGroup | None) -> MemoryResult:
    """Runs table, page, camera and phones."""
    leds, config = folder / "leds", folder / "table.toml"
    leds.touch()
    config.write_text(_CONFIG.format(folder=folder, leds=leds))
    # The player is a service of its own, with memory of its own.
    player = {SOCKET_VARIABLE: str(folder / "player.sock")}
    environment = {**own_libraries(folder / "libraries"), **_VARIABLES, **player}
    of_table, of_page = ({**environment, **unit_variables(name)} for name in ("table", "page"))
    table = RenderedTable(GAMES["classic"], setup.seed, SIZE)
    film, before = LitCamera(table, leds, 1 / setup.fps), group.starter if group else []
    with HttpCameraServer(film) as camera, ExitStack() as stack:
        words = ["--config", str(config)]
        run = stack.enter_context(RunningTable(camera.url(), folder, words, of_table, before))
        port, page = stack.enter_context(_page(folder, of_page, before))
        watch = MemoryWatch(run.process.pid, page, film)
        run.wait_for("board-found")
        phones = [
            stack.enter_context(closing(WatchingPhone(PagePhone(port, number))))
            for number in range(1, PHONES + 1)
        ]
        _play(run, table, watch, port, setup)
        film.rest()
        _rest(watch, setup.rest_s)
        pictures = len(list(folder.glob("games/*/evidence/*.jpg")))
        watch.close()
        account, kills = ("", 0) if group is None else (group.account(), group.kills)
        assert run.end(signal.SIGTERM) == 0, "run ends with 0"
    failed = sum(phone.failed for phone in phones)
    return MemoryResult(
        watch.phases, watch.largest, run.events, pictures, failed, film.lit, account, kills
    )


def unit_variables(name: str) -> dict[str, str]:
    """Returns the environment variables of a service, without those with places of systemd."""
    text = (ROOT / "systemd" / f"cornerlight-{name}.service").read_text()
    words = " ".join(re.findall(r"^Environment=(.*)", text, re.MULTILINE)).split()
    return dict(word.split("=", 1) for word in words if "%" not in word)


@contextmanager
def _page(
    folder: Path, environment: Mapping[str, str], before: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Runs a page; yields its port and its process id."""
    words = ["page", "--config", str(folder / "table.toml"), "--games", str(folder / "games")]
    words += ["--socket", str(folder / "feed.sock")]
    with subprocess.Popen(
        [*before, sys.executable, "-m", "firmware", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as process:
        assert process.stdout
        try:
            found = (re.search(r"http://\S+:(\d+)/? on this", line) for line in process.stdout)
            match = next(filter(None, found), None)
            assert match, "the page said no address"
            yield int(match[1]), process.pid
        finally:
            process.terminate()


def _play(
    run: RunningTable, table: RenderedTable, watch: MemoryWatch, port: int, setup: MemorySetup
) -> None:
    """Lays the pieces, each after the one before was accepted; in mid-game the set-up is checked.

    A game that has ended is looked at, and pictures of its result are drawn.
    """
    moves = whole_game(GAMES["classic"], setup.seed)
    laid = moves[: setup.plies]
    watch.begin("play")
    for ply, (colour, move) in enumerate(laid, 1):
        if ply == len(laid) // 2:
            _check_setup(port, run.folder, watch)
            watch.begin("play after the check")
        table.reach()
        time.sleep(_REACHES_S)
        table.lay(colour, move)
        table.leave()
        run.wait_for("move", ply=ply)
        time.sleep(_THINKS_S)
    if len(laid) == len(moves):
        run.wait_for("game-over")
        watch.begin("game over")
        _look_back(port)


def _check_setup(port: int, folder: Path, watch: MemoryWatch) -> None:
    """Pairs an arbiter's phone, and has it ask for a check of the set-up."""
    arbiter = PagePhone(port, PHONES + 1)
    arbiter.pair(pairing_number(folder))
    watch.begin("check of the set-up")
    arbiter.command("inspect")
    eventually(
        lambda: 'class="findings"' in arbiter.get("/arbiter/setup/check")[1], _CHECK_S, every_s=1.0
    )


def _look_back(port: int) -> None:
    """Opens the pages of the game that has ended, as its players do."""
    phone = PagePhone(port, PHONES + 2)

    def filed() -> str:
        found = re.search(r'"(/games/[\w-]+)"', phone.get("/games")[1])
        return found[1] if found else ""

    eventually(filed)
    moving = f"{filed()}/picture.webp"
    eventually(lambda: phone.get(moving)[0] == http.HTTPStatus.OK, _CHECK_S, every_s=1.0)
    for path in ("/picture.png", filed(), f"{filed()}/picture.png", f"{filed()}/record.blksgf"):
        status, _ = phone.get(path)
        assert status == http.HTTPStatus.OK, path


def _rest(watch: MemoryWatch, seconds: float) -> None:
    """Waits; the first part of that time is a phase of its own, for comparison."""
    for name, share in (("after it, first third", 1 / 3), ("after it, the rest", 2 / 3)):
        watch.begin(name)
        time.sleep(share * seconds)


def show(result: MemoryResult) -> None:
    """Prints the results."""
    print("most of each phase (MB): table, page, both; private, anonymous; both at least")  # noqa: T201
    for one in result.phases:
        figures: list[float] = [one.table.total, one.page.total, one.both.total]
        figures += [one.both.private, one.both.anonymous, one.least]
        megabytes = " ".join(f"{figure / MB:7.1f}" for figure in figures)
        table_s, page_s = one.cpu_s
        frame_ms = 1000 * table_s / max(one.pictures, 1)
        print(  # noqa: T201
            f"{one.name:24} {megabytes}   {one.took_s:6.0f} s; processor: table {table_s:.1f} s, "
            f"{frame_ms:.0f} ms a picture; page {page_s:.1f} s"
        )
    for name, files in zip(("table", "page"), result.largest, strict=True):
        parts = [f"{file} {size / MB:.1f}" for file, size in [*files.items()][:_LARGEST]]
        print(f"{name} at most: {', '.join(parts)}")  # noqa: T201
    print(  # noqa: T201
        f"{result.moves} moves, {result.pictures} evidence pictures, {result.lit} LEDs lit "
        f"at most, doubts: {result.doubts}, {result.failed} failed requests of phones\n"
        f"== {result.most / MB:.1f} MB at most; {result.group or 'no limit'}"
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation memory")
    parser.add_argument("--plies", type=int, default=1000, help="most moves")
    parser.add_argument("--rest", metavar="MINUTES", type=float, default=60.0)
    parser.add_argument("--limit", metavar="MB", type=int, default=LIMIT // MB, help="0 for none")
    parser.add_argument("--fps", type=float, default=5.0, help="pictures a second")
    parser.add_argument("--seed", type=int, default=3)
    chosen = parser.parse_args(words)
    limit = MB * chosen.limit or None
    setup = MemorySetup(chosen.plies, 60 * chosen.rest, limit, chosen.fps, chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        show(trial(Path(name), setup))
