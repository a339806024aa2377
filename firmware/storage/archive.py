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
import queue
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from firmware.storage.atomic_file import sync_folder, write_whole
from firmware.storage.game_files import content_without, export_files, is_current, rebuilt_pages
from firmware.storage.stored_game import StoredGame
from vision.camera import Image
from vision.io.image_file import encode_jpeg
from web.contract import game_folder
from web.contract.game_folder import EVENTS, EVIDENCE, PAGES

OLD_PAGES: Final = "pages.old.jsonl"
"""File of the pages before they were rebuilt from damaged events."""

_JPEG_QUALITY: Final = 70
"""Quality of the pictures as JPEG, 0 to 100."""

_MOST_WAITING: Final = 64
"""Number of jobs that may wait for the disk; further pictures are dropped."""

_LAST_PATIENCE_S: Final = 20.0
"""Seconds for which `close` waits for the thread."""

_LONGEST_PAGE: Final = 1 << 18
"""Bytes at the end of a file that are searched for its last page; a page has about 10 kB."""

_DIGITS: Final = 9
"""Most digits of the number of a game; no table has played a billion."""

_log = logging.getLogger(__name__)


class ArchiveFolder:
    """The folder of all games.

    Args:
        folder: the folder; created with the first file.
        game_bytes: limit of the pictures of one game.
        all_bytes: limit of all games together, including their records.
    """

    def __init__(self, folder: Path, *, game_bytes: int, all_bytes: int) -> None:
        self._folder: Final = folder
        self._game_bytes: Final = game_bytes
        self._all_bytes: Final = all_bytes
        self._jobs: Final[queue.Queue[tuple[str, Callable[[], None]] | None]] = queue.Queue()
        self._room: dict[str, int] = {}
        self._check([*game_folder.game_folders(folder)])
        self._thread: Final = threading.Thread(target=self._work, name="archive", daemon=True)
        self._thread.start()

    @property
    def folder(self) -> Path:
        """The folder; it may not exist yet."""
        return self._folder

    @property
    def newest(self) -> int:
        """The largest number of a stored game; 0 if there is none."""
        with suppress(OSError):
            heads = (path.name.partition("-")[0][:_DIGITS] for path in self._folder.iterdir())
            return max((int(head) for head in heads if head.isdecimal()), default=0)
        return 0

    def keep(self, game: str, label: str, board: Image) -> None:
        """Stores a picture, if there is room for it; returns at once.

        Args:
            game: name of the game's folder.
            label: name of the picture in it, for example `0012-after`.
            board: the board without its surroundings.
        """
        if self._jobs.qsize() < _MOST_WAITING:
            self._jobs.put((game, lambda: self._write_picture(game, label, board)))

    def finish(self, game: StoredGame, filed: Callable[[int, int], None]) -> None:
        """Files a game that has ended; returns at once.

        Args:
            game: the game.
            filed: function that gets its number and the number of its events, once they are on
                disk; the thread calls it.
        """
        self._jobs.put((game.name, lambda: self._write_game(game, filed)))

    def forget(self, person: str, present: str) -> None:
        """Removes the name of a person from all games, and the pictures of these; returns at once.

        Args:
            person: the name.
            present: name of the folder of the present game, if it is one of the person's; else
                empty.
        """
        self._jobs.put(("", lambda: self._forget(person, present)))

    def close(self) -> None:
        """Writes the waiting jobs and ends the thread."""
        self._jobs.put(None)
        self._thread.join(_LAST_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, folders: list[Path]) -> None:
        """Has the pages of stored games updated, the first one next and the others after it."""
        if folders:
            self._jobs.put((folders[0].name, lambda: self._update(folders)))

    # The writing thread

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            game, work = job
            try:
                work()
            except OSError as error:
                _log.error("cannot write to %s: %s", self._folder / game, error.strerror)
            except Exception:  # noqa: BLE001 - a fault in one game must not stop the others
                _log.exception("%s is not filed; this is a fault of the program", game)

    def _update(self, folders: list[Path]) -> None:
        self._check(folders[1:])
        _update_pages(folders[0])

    def _write_picture(self, game: str, label: str, board: Image) -> None:
        folder = self._folder / game / EVIDENCE
        if game not in self._room:
            self._room = {game: self._game_bytes - _size(folder)}
        jpeg = encode_jpeg(board, _JPEG_QUALITY)
        if len(jpeg) > self._room[game]:
            return
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{label}.jpg").write_bytes(jpeg)
        self._room[game] -= len(jpeg)

    def _write_game(self, game: StoredGame, filed: Callable[[int, int], None]) -> None:
        folder = self._folder / game.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in export_files(game, game.name).items():
            write_whole(folder / name, content)
        sync_folder(folder)
        filed(game.number, len(game.events))
        self._make_room()

    def _forget(self, person: str, present: str) -> None:
        for folder in (self._folder, *game_folder.game_folders(self._folder)):
            try:
                _forget_in(folder, person, has_pictures=folder.name == present)
            except (OSError, ValueError, RecursionError) as error:
                why = getattr(error, "strerror", None) or error
                _log.error("a name stays in %s: %s; have it forgotten again", folder, why)

    def _make_room(self) -> None:
        """Removes the pictures of the oldest games until the limit is met."""
        games = [*game_folder.game_folders(self._folder)][::-1]
        total = sum(map(_size, games))
        for game in games[:-1]:
            if total <= self._all_bytes:
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
        content, fault = rebuilt_pages(folder.name, game_folder.read_game_file(events))
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
    if fault:
        if pages.is_file() and not old.exists():
            pages.rename(old)
        _log.error("moves may be missing in %s: in %s %s", pages, EVENTS, fault)
    else:
        _log.info("%s is rebuilt for this version of the program", pages)
    write_whole(pages, content)
    sync_folder(folder)


def _forget_in(folder: Path, person: str, *, has_pictures: bool) -> None:
    """Removes a name from the files of a game; the pictures leave first, as nothing names them."""
    files = *folder.glob("*.blksgf"), *(folder / name for name in (EVENTS, PAGES, OLD_PAGES))
    changed: dict[Path, bytes] = {}
    for path in files:
        if path.is_file():
            content = game_folder.read_game_file(path)
            without = content_without(path.name, content, person)
            changed |= {path: without} if without != content else {}
    if (changed or has_pictures) and (folder / EVIDENCE).is_dir():
        shutil.rmtree(folder / EVIDENCE)
    # The pages last: with them the person, and the button that forgets, leave the page.
    for path, content in sorted(changed.items(), key=lambda one: one[0].name == PAGES):
        write_whole(path, content)
    if changed:
        sync_folder(folder)


def _last_line(path: Path) -> bytes:
    """Returns the last line of a file; empty if there is none."""
    if not path.is_file():
        return b""
    return (game_folder.last_lines(path, _LONGEST_PAGE) or [b""])[-1]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
