"""Past games, read from the folder in which the table keeps them. Nothing is ever written.

A game is a folder of its own: `pages.jsonl` with a page for each ply, `events.jsonl`, from which
the table rebuilds pages of another version, `record.blksgf`, and pictures of its moves in
`evidence`. Names come from addresses that people type: only plain ones are looked at, and never a
link that leads elsewhere.
"""

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from web.contract import ContractError, OtherVersionError, Page

PAGES: Final = "pages.jsonl"
EVENTS: Final = "events.jsonl"
RECORD: Final = "record.blksgf"
EVIDENCE: Final = "evidence"
MOMENTS: Final = ("before", "after")

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_MOST_BYTES: Final = 8 << 20
"""Of a game's pages; a game of 84 plies has about 1 MB."""

_MOST_KEPT: Final = 4


class Unreadable(StrEnum):
    """Why the pages of a game cannot be shown."""

    OTHER_VERSION = "other-version"
    DAMAGED = "damaged"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game that is over, or that the table is still writing down.

    Attributes:
        name: of its folder.
        pages: one for each ply, oldest first; at least one.
        whole: False where pages may be missing because a file is damaged.
    """

    name: str
    pages: tuple[Page, ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Tells a file from what it was before."""

    mtime_ns: int
    size: int


class GameArchive:
    """The past games in a folder.

    Args:
        folder: where the table keeps them; None where it keeps none. It need not be there yet.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder
        self._lock: Final = threading.Lock()
        self._cache: Final[OrderedDict[str, tuple[_Stamp, PastGame | Unreadable]]] = OrderedDict()

    def names(self) -> list[str]:
        """Names of all games, newest first."""
        if self._folder is None or not self._folder.is_dir():
            return []
        found = [path.name for path in self._folder.iterdir() if _is_game(path)]
        return sorted(found, reverse=True)

    def game(self, name: str) -> PastGame | Unreadable | None:
        """A game by its name, or why it cannot be shown; None where there is none."""
        path = self._inside(name, PAGES)
        if path is None:
            return self._without_pages(name)
        status = path.stat()
        stamp = _Stamp(status.st_mtime_ns, status.st_size)
        with self._lock:
            kept = self._cache.pop(name, None)
            if kept is None or kept[0] != stamp:
                kept = (stamp, _read(name, path))
            self._cache[name] = kept
            if len(self._cache) > _MOST_KEPT:
                self._cache.popitem(last=False)
        return kept[1]

    def ending(self, name: str) -> PastGame | Unreadable | None:
        """The same with no page but the last, which is read in a fraction of the time."""
        path = self._inside(name, PAGES)
        return self._without_pages(name) if path is None else _read(name, path, most=1)

    def record(self, name: str) -> bytes | None:
        """The record of a game, as a file of Blokus SGF."""
        path = self._inside(name, RECORD)
        return None if path is None else path.read_bytes()

    def evidence(self, name: str, ply: int, moment: str) -> bytes | None:
        """What the camera saw of the board before or after a move, as a JPEG file."""
        if moment not in MOMENTS or not 0 <= ply <= 9999:
            return None
        path = self._inside(name, f"{EVIDENCE}/{ply:04}-{moment}.jpg")
        return None if path is None else path.read_bytes()

    def _without_pages(self, name: str) -> Unreadable | None:
        others = (EVENTS, RECORD)
        is_there = any(self._inside(name, other) is not None for other in others)
        return Unreadable.MISSING if is_there else None

    def _inside(self, name: str, file: str) -> Path | None:
        """A file of a game, if it is an ordinary one within the folder."""
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        path = self._folder / name / file
        if not path.is_file() or not path.resolve().is_relative_to(self._folder.resolve()):
            return None
        return path


def _is_game(path: Path) -> bool:
    """Tells a game from what else may lie there; one that goes on has pictures and no files."""
    files = (PAGES, EVENTS, RECORD)
    return _NAME.fullmatch(path.name) is not None and any((path / file).is_file() for file in files)


def _read(name: str, path: Path, most: int | None = None) -> PastGame | Unreadable:
    """A game with its last pages, all of them or at most so many."""
    if path.stat().st_size > _MOST_BYTES:
        return Unreadable.DAMAGED
    pages: list[Page] = []
    whole, why = True, Unreadable.DAMAGED
    for line in reversed(path.read_bytes().splitlines()):
        try:
            pages.append(Page.from_json(line))
        except ContractError as error:
            whole = False
            if isinstance(error, OtherVersionError):
                why = Unreadable.OTHER_VERSION
        if len(pages) == most:
            break
    if not pages:
        return why
    return PastGame(name, tuple(reversed(pages)), whole and all(page.whole for page in pages))
