"""Own functions that run for a frame, and for a piece until a phone has it: what a reader follows.

A real table: pictures of a camera in the network, its reader, referee, journal, page and one phone
that listens. A frame is one in which nothing happens. A piece is followed from its picture until
the phone has the page with its move. The simulator and what composes the table count for nothing.
"""

import argparse
import queue
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from firmware.assembly.real import RealTableFactory
from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import TablePlaces
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.sources import opener_of
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.settings import Settings
from firmware.storage.camera_memory import CameraMemory
from tests.conftest import ROOT
from tests.support.http_camera import CameraRequest, HttpCameraServer, part, stream_head
from tests.support.rendered_table import RenderedTable, whole_game
from web.app import create_app
from web.table_client import TableClient

OWN: Final = ("firmware", "vision", "web")
"""Folders whose functions count."""

LEFT_OUT: Final = ("firmware/assembly", "firmware/simulator", "vision/synthetic")
"""Folders of them that do not."""

PLIES: Final = 6
"""Moves on the board before something is measured."""

_COMPREHENSIONS: Final = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>")
"""Names of code that is a part of a function."""

_PATIENCE_S: Final = 30.0
"""Greatest seconds for a frame or a page."""


@dataclass(frozen=True)
class FunctionCount:
    """The own code that ran.

    Attributes:
        functions: names of functions with their files.
        templates: names of templates.
    """

    functions: frozenset[tuple[str, str]]
    templates: frozenset[str]

    @property
    def files(self) -> int:
        """Number of files with functions."""
        return len({path for path, _ in self.functions})


class CallRecorder:
    """Notes the functions that run in all threads that start after it, while it is asked to."""

    def __init__(self) -> None:
        self._codes: set[CodeType] | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        codes = self._codes
        if codes is not None and event == "call":
            codes.add(frame.f_code)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Hears of calls in this thread, and in those that begin."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def count(self, work: Callable[[], object]) -> FunctionCount:
        """Does some work; returns what ran."""
        self._codes = codes = set[CodeType]()
        work()
        self._codes = None
        paths = {code: Path(code.co_filename) for code in codes}
        own = {code: path.relative_to(ROOT) for code, path in paths.items() if _is_own(path)}
        functions = {
            (path.as_posix(), code.co_qualname)
            for code, path in own.items()
            if path.suffix == ".py" and code.co_name not in _COMPREHENSIONS
        }
        templates = {path.name for path in own.values() if path.suffix != ".py"}
        return FunctionCount(frozenset(functions), frozenset(templates))


def _is_own(path: Path) -> bool:
    if not path.is_relative_to(ROOT):
        return False
    name = path.relative_to(ROOT)
    return name.parts[0] in OWN and not any(name.is_relative_to(one) for one in LEFT_OUT)


class ProfiledTable:
    """A real table whose camera gives a picture when it is asked to, and a phone that listens."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.scene: Final = RenderedTable(GAMES["duo"])
        self._shown: Final = threading.Condition()
        self._jpeg = b""
        self._heard: Final[queue.SimpleQueue[bytes]] = queue.SimpleQueue()
        camera_server = stack.enter_context(HttpCameraServer(self._film))
        cameras = CameraMemory(None)
        camera = LiveCamera(opener_of(camera_server.url()))
        stack.callback(camera.close)
        settings = Settings()
        table = ComposedTable(
            settings,
            TablePlaces.within(folder),
            RealTableFactory(settings, camera, cameras),
            cameras,
        )
        stack.enter_context(closing(table))
        table.feed.start()
        self._link: Final = stack.enter_context(TableClient(TablePlaces.within(folder).socket))
        client = create_app(self._link).test_client()
        self.controller: Final = stack.enter_context(
            closing(table.begin(GameConfig(GAMES["duo"]), None, fresh=True))
        )
        self.frame()
        answer = client.get("/events", buffered=False)
        phone = threading.Thread(target=self._listen, args=(answer.response,), daemon=True)
        phone.start()

    def _film(self, _: CameraRequest, line: socket.socket) -> object:
        line.sendall(stream_head())
        sent = b""
        while True:
            with self._shown:
                while self._jpeg is sent:
                    self._shown.wait()
                sent = self._jpeg
            line.sendall(part(sent))

    def _listen(self, lines: Iterator[bytes]) -> None:
        for line in lines:
            self._heard.put(line)

    def picture(self) -> bytes:
        """Returns a picture of the table as it is now."""
        (jpeg,) = self.scene.jpegs(1)
        return jpeg

    def frame(self, jpeg: bytes | None = None) -> None:
        """Takes one picture of the table, by default a new one, and does all that follows."""
        jpeg = jpeg or self.picture()
        wanted = self.controller.frames + 1
        with self._shown:
            self._jpeg = jpeg
            self._shown.notify_all()
        until = time.monotonic() + _PATIENCE_S
        while self.controller.frames < wanted or self.controller._on_reading is not None:
            self.controller.step(time.monotonic())
            if time.monotonic() > until:
                raise TimeoutError("the camera gives no picture")

    def settle(self) -> None:
        """Takes pictures until nothing is new, and forgets what the phone has heard."""
        for _ in range(8):
            self.frame()
        while not self._heard.empty():
            self._heard.get()

    def until_heard(self, plies: int, pictures: Sequence[bytes] = ()) -> None:
        """Takes pictures until a move is accepted, and waits until the phone has it.

        Args:
            plies: number of moves until then.
            pictures: the first pictures, which were drawn before.
        """
        drawn = iter(pictures)
        until = time.monotonic() + _PATIENCE_S
        while self.controller.session.state.piece_count < plies:
            self.frame(next(drawn, None))
            if time.monotonic() > until:
                raise TimeoutError("the move is not accepted")
        page = None
        while page is None or page.ply < plies:
            page = self._link.news.page
            time.sleep(0.01)
        while _revision(self._heard.get(timeout=_PATIENCE_S)) < page.revision:
            pass


def _revision(message: bytes) -> int:
    """Returns the revision of the page in a message of the stream; -1 if it has none."""
    found = re.match(rb"id: (\d+)\n", message)
    return -1 if found is None else int(found[1])


def counts(folder: Path) -> tuple[list[FunctionCount], FunctionCount]:
    """Returns what ran for each of some frames without a decision, and for a piece."""
    recorder = CallRecorder()
    with recorder.installed(), ExitStack() as stack:
        table = ProfiledTable(folder, stack)
        moves = whole_game(GAMES["duo"], seed=1)
        table.settle()
        for ply, (colour, move) in enumerate(moves[:PLIES], 1):
            table.scene.lay(colour, move)
            table.until_heard(ply)
        table.settle()
        pictures = [table.picture() for _ in range(9)]
        frames = [recorder.count(partial(table.frame, one)) for one in pictures]
        table.settle()
        colour, move = moves[PLIES]
        table.scene.lay(colour, move)
        pictures = [table.picture() for _ in range(12)]
        piece = recorder.count(partial(table.until_heard, PLIES + 1, pictures))
    return frames, piece


def main(words: Sequence[str]) -> None:
    """Counts, and prints the functions too if they are asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation frame_functions")
    parser.add_argument(
        "--list", action="store_true", help="print the names of a frame's functions"
    )
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        frames, piece = counts(Path(folder))
    frame = sorted(frames, key=lambda one: len(one.functions))[len(frames) // 2]
    for name, one in (
        ("a frame without a decision", frame),
        ("a piece until a phone has it", piece),
    ):
        print(  # noqa: T201
            f"{name}: {len(one.functions)} functions of {one.files} files,"
            f" {len(one.templates)} templates"
        )
    if arguments.list:
        print(*(f"{path}: {name}" for path, name in sorted(frame.functions)), sep="\n")  # noqa: T201
