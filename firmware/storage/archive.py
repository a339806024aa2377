"""Stores finished games as files, with pictures of each decision, in one folder a game.

    000017-2026-11-21-duo/
        record.blksgf      the record, for Pentobi and `cornerlight replay`
        events.jsonl       settings of the game, then every event, one line each
        pages.jsonl        pages of the screens: the empty board, then each ply, pass and refusal
        review.json        the review, once the table has begun it
        pages.old.jsonl    only if events.jsonl is damaged: the pages before they were rebuilt
        evidence/0012-before.jpg, 0012-after.jpg    the board, and only the board
        evidence/0012-illegal-000345-after.jpg      the same of a refusal, at frame 345

Pictures are written during the game, the other files at its end, each of these atomically and
`pages.jsonl` last. A thread of its own writes them, so the referee never waits. After an error of
the disk or of the program one picture is missing or one game has no files: the error is logged, the
thread continues with the next job, and the game stays in the journal.

The format of pages changes from version to version; the format of events is read by every later
version. At a start the same thread reads the last page of each game, newest first, and if this
version cannot read it, rebuilds the pages from `events.jsonl`. Jobs of the present game come first.
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
from firmware.storage.game_files import is_current, rebuilt_pages
from firmware.storage.wall_clock import TimeOfDay
from vision.camera import Image
from vision.io.image_file import encode_jpeg
from web.contract.game_folder import EVENTS, EVIDENCE, PAGES

OLD_PAGES: Final = "pages.old.jsonl"
"""File of the pages before they were rebuilt from damaged events."""

_DIGITS: Final = 6
"""Number of digits of a game's number in the name of its folder."""

_JPEG_QUALITY: Final = 70
"""Quality of the pictures as JPEG, 0 to 100."""

_MOST_WAITING: Final = 64
"""Number of jobs that may wait for the disk; further pictures are dropped."""

_LAST_PATIENCE_S: Final = 20.0
"""Seconds for which `close` waits for the thread."""

_LONGEST_PAGE: Final = 1 << 18
"""Bytes at the end of a file that are searched for its last page; a page has about 10 kB."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StorageQuota:
    """Limits of storage in bytes.

    Attributes:
        game: limit of the pictures of one game.
        games: limit of all games together, including their records.
    """

    game: int
    games: int


@dataclass(frozen=True, slots=True)
class BoardCrop:
    """A picture of the board for a decision.

    Attributes:
        folder: name of the game's folder.
        label: name of the picture in it, for example `0012-after`.
        image: the board without its surroundings.
    """

    folder: str
    label: str
    image: Image


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that has ended.

    Attributes:
        number: number of the game in the journal.
        events: number of its events in the files.
        folder: name of its folder.
        write: returns its files by name, in the order of writing.
    """

    number: int
    events: int
    folder: str
    write: Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True)
class _Stored:
    """Games that are in the folder at a start; their pages may be of an earlier version.

    Attributes:
        folders: names of their folders; the last is checked next.
    """

    folders: tuple[str, ...]

    @property
    def folder(self) -> str:
        """Name of the folder that is checked next."""
        return self.folders[-1]


def folder_name(number: int, config: GameConfig, begun: TimeOfDay) -> str:
    """Returns the name of a game's folder; names sort by time, even if the clock was wrong."""
    date = f"{begun.date}-" if begun.date else ""
    return f"{number:0{_DIGITS}}-{date}{config.game.key}"


class ArchiveFolder:
    """The folder of all games.

    Args:
        folder: the folder; created with the first file.
        budget: limits of storage.
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
    def folder(self) -> Path:
        """The folder; it may not exist yet."""
        return self._folder

    @property
    def newest(self) -> int:
        """The largest number of a stored game; 0 if there is none."""
        heads = (path.name.partition("-")[0] for path in self._games())
        return max((int(head) for head in heads if head.isdecimal()), default=0)

    def keep(self, evidence: BoardCrop) -> None:
        """Stores a picture, if there is room for it; returns at once."""
        if self._jobs.qsize() < _MOST_WAITING:
            self._jobs.put(evidence)

    def finish(self, game: FinishedGame) -> None:
        """Files a game; returns at once."""
        self._jobs.put(game)

    def filed(self) -> list[tuple[int, int]]:
        """Returns the games filed since the last call: number, and count of events in the files."""
        games = []
        with suppress(queue.Empty):
            while True:
                games.append(self._filed.get_nowait())
        return games

    def close(self) -> None:
        """Writes the waiting jobs and ends the thread."""
        self._jobs.put(None)
        self._thread.join(_LAST_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _games(self) -> list[Path]:
        """Returns the entries of the folder; none if it does not exist."""
        with suppress(OSError):
            return list(self._folder.iterdir())
        return []

    def _put_stored(self, folders: tuple[str, ...]) -> None:
        if folders:
            self._jobs.put(_Stored(folders))

    # The writing thread

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                if isinstance(job, BoardCrop):
                    self._write_picture(job)
                elif isinstance(job, FinishedGame):
                    self._write_game(job)
                else:
                    self._put_stored(job.folders[:-1])
                    _update_pages(self._folder / job.folder)
            except OSError as error:
                _log.error("cannot write to %s: %s", self._folder / job.folder, error.strerror)
            except Exception:  # noqa: BLE001 - a fault in one game must not stop the others
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
        """Removes the pictures of the oldest games until the limit is met."""
        games = sorted(path for path in self._folder.iterdir() if path.is_dir())
        total = sum(map(_size, games))
        for game in games[:-1]:
            if total <= self._budget.games:
                return
            pictures = game / EVIDENCE
            total -= _size(pictures)
            shutil.rmtree(pictures, ignore_errors=True)


def _update_pages(folder: Path) -> None:
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
    """Returns the last line of a file; empty if there is none."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _LONGEST_PAGE))
        return (file.read().splitlines() or [b""])[-1]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
