"""Finished games as ordinary files, and the evidence of each decision, in a folder a game.

    000017-2026-11-21-duo/
        record.blksgf      the record, for Pentobi and `cornerlight replay`
        events.jsonl       what was agreed, then every event, one line each
        pages.jsonl        what screens showed: the empty board, then each ply and pass
        evidence/0012-before.jpg, 0012-after.jpg    the board, and only the board

Pictures are written while the game goes on, the other files when it ends, each of these as a
whole and `pages.jsonl` last. A thread of its own does it, so the referee never waits. If anything
goes wrong, on the disk or in the program, one picture is missing or one game has no files: that
is logged, the thread goes on with the next, and the journal keeps the game.
"""

import logging
import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import cv2

from firmware.atomic_file import sync_folder, write_whole
from firmware.terms import Terms
from firmware.wallclock import TimeOfDay
from vision.camera import Image

EVIDENCE: Final = "evidence"

_DIGITS: Final = 6
_JPEG_QUALITY: Final = 70
_MOST_WAITING: Final = 64
"""Jobs that may wait for the disk; pictures beyond that are left out."""

_LAST_PATIENCE_S: Final = 20.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much room pictures may take, in bytes.

    Attributes:
        game: for the pictures of one game.
        games: for all games together, their records included.
    """

    game: int
    games: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A picture of the board beside a decision.

    Attributes:
        folder: name of the game's folder.
        label: name of the picture in it, for example `0012-after`.
        image: the board, and only the board.
    """

    folder: str
    label: str
    image: Image


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has ended.

    Attributes:
        number: of the game in the journal.
        events: how many of its events the files tell.
        folder: name of its folder.
        write: gives its files by name, the last to be written last.
    """

    number: int
    events: int
    folder: str
    write: Callable[[], Mapping[str, bytes]]


def folder_name(number: int, terms: Terms, begun: TimeOfDay) -> str:
    """The name of a game's folder: it sorts by time, whatever the clock said."""
    date = f"{begun.date}-" if begun.date else ""
    return f"{number:0{_DIGITS}}-{date}{terms.game.key}"


class Archive:
    """The folder of all games.

    Args:
        folder: made when the first file is written.
        budget: how much room pictures may take.
    """

    def __init__(self, folder: Path, budget: Budget) -> None:
        self._folder: Final = folder
        self._budget: Final = budget
        self._jobs: Final[queue.Queue[Evidence | Finished | None]] = queue.Queue()
        self._filed: Final[queue.SimpleQueue[tuple[int, int]]] = queue.SimpleQueue()
        self._room: dict[str, int] = {}
        self._thread: Final = threading.Thread(target=self._work, name="archive", daemon=True)
        self._thread.start()

    @property
    def newest(self) -> int:
        """The largest number of a game that is here; 0 if there is none."""
        with suppress(OSError):
            heads = (path.name.partition("-")[0] for path in self._folder.iterdir())
            return max((int(head) for head in heads if head.isdecimal()), default=0)
        return 0

    def keep(self, evidence: Evidence) -> None:
        """Keeps a picture, if there is room for it; returns at once."""
        if self._jobs.qsize() < _MOST_WAITING:
            self._jobs.put(evidence)

    def finish(self, game: Finished) -> None:
        """Makes a game files; returns at once."""
        self._jobs.put(game)

    def filed(self) -> list[tuple[int, int]]:
        """The games that have become files since the last call: number, and events in the files."""
        games = []
        with suppress(queue.Empty):
            while True:
                games.append(self._filed.get_nowait())
        return games

    def close(self) -> None:
        """Writes what is waiting, and ends."""
        self._jobs.put(None)
        self._thread.join(_LAST_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The thread that writes

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                if isinstance(job, Evidence):
                    self._write_picture(job)
                else:
                    self._write_game(job)
            except OSError as error:
                _log.error("cannot write to %s: %s", self._folder / job.folder, error.strerror)
            except Exception:  # noqa: BLE001 - one game's files are not worth those of all others
                _log.exception("%s is not filed; this is a fault of the program", job.folder)

    def _write_picture(self, evidence: Evidence) -> None:
        folder = self._folder / evidence.folder / EVIDENCE
        if evidence.folder not in self._room:
            self._room = {evidence.folder: self._budget.game - _size(folder)}
        options = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
        jpeg = cv2.imencode(".jpg", evidence.image, options)[1].tobytes()
        if len(jpeg) > self._room[evidence.folder]:
            return
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{evidence.label}.jpg").write_bytes(jpeg)
        self._room[evidence.folder] -= len(jpeg)

    def _write_game(self, game: Finished) -> None:
        folder = self._folder / game.folder
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in game.write().items():
            write_whole(folder / name, content)
        sync_folder(folder)
        self._filed.put((game.number, game.events))
        self._make_room()

    def _make_room(self) -> None:
        """The oldest games lose their pictures until all of them fit."""
        games = sorted(path for path in self._folder.iterdir() if path.is_dir())
        total = sum(map(_size, games))
        for game in games[:-1]:
            if total <= self._budget.games:
                return
            pictures = game / EVIDENCE
            total -= _size(pictures)
            shutil.rmtree(pictures, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
