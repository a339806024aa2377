"""The folder of a stored game, which the table writes and the page reads: its names, its files.

A folder may have come from elsewhere, so no link in it is followed.
"""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from vision.errors import open_regular, read_regular

GAME_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
"""Name of a game's folder as URLs have it. Without dots and slashes it leads nowhere else;
the table's have up to 42 characters, 80 was chosen to leave room."""

RECORD: Final = "record.blksgf"
"""File of a game's record in Blokus SGF, which viewers download, and Pentobi and `replay` read."""

EVENTS: Final = "events.jsonl"
"""File of a game's events, from which pages of an earlier version are rebuilt."""

PAGES: Final = "pages.jsonl"
"""File of a game's pages, which the table writes at its end, after the other files."""

REVIEW: Final = "review.json"
"""File of a game's review, as far as it has come."""

EVIDENCE: Final = "evidence"
"""Folder of a game's pictures of the board, which the table fills during the game."""

_FILES: Final = (RECORD, EVENTS, PAGES, REVIEW, EVIDENCE)
"""Names that a link may stand for."""

_LARGEST: Final = 8 << 20
"""Bytes of the largest file that is read; the pages of a game of 84 plies have about 1 MB."""


def game_folders(games: Path, known: Collection[str] = ()) -> Iterator[Path]:
    """Yields the folders in the folder of all games, newest first; none if it cannot be read.

    A link, and a folder with one in place of a file, is left out: it leads elsewhere. So is
    one that may not be read.

    Args:
        games: the folder of all games.
        known: names of folders to leave out: a table asks every 3 s, and looks into no more of a
            thousand games than it wants.
    """
    with suppress(OSError), os.scandir(games) as found:
        names = {one.name for one in found if one.is_dir(follow_symlinks=False)}
        for path in (games / name for name in sorted(names.difference(known), reverse=True)):
            with suppress(PermissionError):
                if not any((path / file).is_symlink() for file in _FILES):
                    yield path


def read_game_file(path: Path) -> bytes:
    """Reads a file of a game.

    Raises:
        OSError: it cannot be read, is no regular file, or is larger than any game's.
    """
    return read_regular(path, _LARGEST)


def last_lines(path: Path, most: int) -> list[bytes]:
    """Returns the lines in the last bytes of a file, of which the first may be cut.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    with open_regular(path) as file:
        file.seek(max(0, path.stat().st_size - most))
        return file.read(most).splitlines()
