"""Past games, read from the folder in which the table keeps them. Nothing is ever written.

A game is a folder of its own: `pages.jsonl` with a page for each ply, `record.blksgf`, and
pictures of its moves in `evidence`. Names come from addresses that people type: only plain ones
are looked at, and never a link that leads elsewhere.
"""

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from web.contract import ContractError, Page

PAGES: Final = "pages.jsonl"
RECORD: Final = "record.blksgf"
EVIDENCE: Final = "evidence"
MOMENTS: Final = ("before", "after")

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
_MOST_BYTES: Final = 8 << 20
"""Of a game's pages; a game of 84 plies has about 1 MB."""

_MOST_KEPT: Final = 4


@dataclass(frozen=True, slots=True)
class Past:
    """A game that is over, or that the table is still writing down.

    Attributes:
        name: of its folder.
        pages: one for each ply, oldest first; at least one.
    """

    name: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Tells a file from what it was before."""

    mtime_ns: int
    size: int


class Archive:
    """The past games in a folder.

    Args:
        folder: where the table keeps them; None where it keeps none. It need not be there yet.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder
        self._lock: Final = threading.Lock()
        self._kept: Final[OrderedDict[str, tuple[_Stamp, Past | None]]] = OrderedDict()

    def names(self) -> list[str]:
        """Names of all games, newest first."""
        if self._folder is None or not self._folder.is_dir():
            return []
        found = [
            path.name
            for path in self._folder.iterdir()
            if _NAME.fullmatch(path.name) and (path / PAGES).is_file()
        ]
        return sorted(found, reverse=True)

    def game(self, name: str) -> Past | None:
        """A game by its name; None where there is none that can be read."""
        path = self._inside(name, PAGES)
        if path is None:
            return None
        status = path.stat()
        stamp = _Stamp(status.st_mtime_ns, status.st_size)
        with self._lock:
            kept = self._kept.pop(name, None)
            if kept is None or kept[0] != stamp:
                kept = (stamp, _read(name, path))
            self._kept[name] = kept
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return kept[1]

    def last_page(self, name: str) -> Page | None:
        """How a game ended, or stands; None where there is none that can be read."""
        path = self._inside(name, PAGES)
        if path is None or path.stat().st_size > _MOST_BYTES:
            return None
        for line in reversed(path.read_bytes().splitlines()):
            page = _page(line)
            if page is not None:
                return page
        return None

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

    def _inside(self, name: str, file: str) -> Path | None:
        """A file of a game, if it is an ordinary one within the folder."""
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        path = self._folder / name / file
        if not path.is_file() or not path.resolve().is_relative_to(self._folder.resolve()):
            return None
        return path


def _read(name: str, path: Path) -> Past | None:
    if path.stat().st_size > _MOST_BYTES:
        return None
    pages = [page for page in map(_page, path.read_bytes().splitlines()) if page is not None]
    if not pages:
        return None
    return Past(name, tuple(pages))


def _page(line: bytes) -> Page | None:
    """A line as a page; None for one that was cut short or is of another version."""
    try:
        return Page.from_json(line)
    except ContractError:
        return None
