"""Finished games as ordinary files, and the evidence of each decision, in a folder a game.

    000017-2026-11-21-duo/
        record.blksgf      the record, for Pentobi and `cornerlight replay`
        events.jsonl       what was agreed, then every event, one line each
        pages.jsonl        what screens showed: the empty board, then each ply and pass
        pages.old.jsonl    only where events.jsonl is damaged: the pages as they were before
        evidence/0012-before.jpg, 0012-after.jpg    the board, and only the board

Pictures are written while the game goes on, the other files when it ends, each of these as a
whole and `pages.jsonl` last. A thread of its own does it, so the referee never waits. If anything
goes wrong, on the disk or in the program, one picture is missing or one game has no files: that
is logged, the thread goes on with the next, and the journal keeps the game.

The form of pages changes from version to version, that of events is read by every later one. At a
start the same thread looks at the last page of each game, newest first, and where this version
cannot read it rebuilds the pages from `events.jsonl`; jobs of the game on the table come between.
"""

import logging
import os
import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from firmware.game.config import GameConfig
from firmware.storage.atomic_file import sync_folder, write_whole
from firmware.storage.game_files import EVENTS, PAGES, is_current, rebuilt_pages
from firmware.storage.wall_clock import TimeOfDay
from vision.camera import Image
from vision.io.jpeg import encode_jpeg

EVIDENCE: Final = "evidence"
OLD_PAGES: Final = "pages.old.jsonl"

_DIGITS: Final = 6
_JPEG_QUALITY: Final = 70
_MOST_WAITING: Final = 64
"""Jobs that may wait for the disk; pictures beyond that are left out."""

_LAST_PATIENCE_S: Final = 20.0

_LONGEST_PAGE: Final = 1 << 18
"""Bytes at the end of a file in which its last page is looked for; a page has about 10 kB."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StorageQuota:
    """How much room pictures may take, in bytes.

    Attributes:
        game: for the pictures of one game.
        games: for all games together, their records included.
    """

    game: int
    games: int


@dataclass(frozen=True, slots=True)
class BoardCrop:
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
class FinishedGame:
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


@dataclass(frozen=True, slots=True)
class _Stored:
    """Games that are here at a start, and whose pages may be of an earlier version.

    Attributes:
        folders: their names; the last is looked at next.
    """

    folders: tuple[str, ...]

    @property
    def folder(self) -> str:
        """Name of the one that is looked at next."""
        return self.folders[-1]


def folder_name(number: int, config: GameConfig, begun: TimeOfDay) -> str:
    """The name of a game's folder: it sorts by time, whatever the clock said."""
    date = f"{begun.date}-" if begun.date else ""
    return f"{number:0{_DIGITS}}-{date}{config.game.key}"


class ArchiveFolder:
    """The folder of all games.

    Args:
        folder: made when the first file is written.
        budget: how much room pictures may take.
    """

    def __init__(self, folder: Path, budget: StorageQuota) -> None:
        self._folder: Final = folder
        self._budget: Final = budget
        self._jobs: Final[queue.Queue[BoardCrop | FinishedGame | _Stored | None]] = queue.Queue()
        self._filed: Final[queue.SimpleQueue[tuple[int, int]]] = queue.SimpleQueue()
        self._room: dict[str, int] = {}
        self._put_stored(tuple(sorted(path.name for path in self._games())))
        self._thread: Final = threading.Thread(target=self._work, name="archive", daemon=True)
        self._thread.start()

    @property
    def newest(self) -> int:
        """The largest number of a game that is here; 0 if there is none."""
        heads = (path.name.partition("-")[0] for path in self._games())
        return max((int(head) for head in heads if head.isdecimal()), default=0)

    def keep(self, evidence: BoardCrop) -> None:
        """Keeps a picture, if there is room for it; returns at once."""
        if self._jobs.qsize() < _MOST_WAITING:
            self._jobs.put(evidence)

    def finish(self, game: FinishedGame) -> None:
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

    def _games(self) -> list[Path]:
        """What lies in the folder; nothing where it is not there."""
        with suppress(OSError):
            return list(self._folder.iterdir())
        return []

    def _put_stored(self, folders: tuple[str, ...]) -> None:
        if folders:
            self._jobs.put(_Stored(folders))

    # The thread that writes

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                if isinstance(job, BoardCrop):
                    self._write_picture(job)
                elif isinstance(job, FinishedGame):
                    self._write_game(job)
                else:
                    self._put_stored(job.folders[:-1])
                    _bring_up_to_date(self._folder / job.folder)
            except OSError as error:
                _log.error("cannot write to %s: %s", self._folder / job.folder, error.strerror)
            except Exception:  # noqa: BLE001 - one game's files are not worth those of all others
                _log.exception("%s is not filed; this is a fault of the program", job.folder)

    def _write_picture(self, evidence: BoardCrop) -> None:
        folder = self._folder / evidence.folder / EVIDENCE
        if evidence.folder not in self._room:
            self._room = {evidence.folder: self._budget.game - _size(folder)}
        jpeg = encode_jpeg(evidence.image, _JPEG_QUALITY)
        if len(jpeg) > self._room[evidence.folder]:
            return
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{evidence.label}.jpg").write_bytes(jpeg)
        self._room[evidence.folder] -= len(jpeg)

    def _write_game(self, game: FinishedGame) -> None:
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


def _bring_up_to_date(folder: Path) -> None:
    """Rebuilds the pages of a game that this version cannot read."""
    events, pages = folder / EVENTS, folder / PAGES
    if not (events.is_file() or pages.is_file()) or is_current(_last_line(pages)):
        return
    try:
        rebuilt = rebuilt_pages(folder.name, events.read_bytes())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        _log.error(
            "%s cannot be read, nor rebuilt from %s: %s; take both from a backup",
            pages,
            EVENTS,
            why,
        )
        return
    old = folder / OLD_PAGES
    if rebuilt.fault:
        if pages.is_file() and not old.exists():
            pages.rename(old)
        _log.error("moves may be missing in %s: in %s %s", pages, EVENTS, rebuilt.fault)
    else:
        _log.info("%s is rebuilt for this version of the program", pages)
    write_whole(pages, rebuilt.content)
    sync_folder(folder)


def _last_line(path: Path) -> bytes:
    """The last line of a file; empty where there is none."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _LONGEST_PAGE))
        return (file.read().splitlines() or [b""])[-1]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
