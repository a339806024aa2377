"""The folder of a stored game, which the table writes and the page reads: its names, its files.

A folder may have come from elsewhere, so no link in it is followed.
"""

import re
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

_LARGEST: Final = 8 << 20
"""Bytes of the largest file that is read; the pages of a game of 84 plies have about 1 MB."""


def game_folders(games: Path) -> list[Path]:
    """Returns the folders in the folder of all games, sorted; none if it cannot be read.

    A link, and a folder with one in place of a file, is left out: it leads elsewhere.
    """
    names = ("", RECORD, EVENTS, PAGES, REVIEW, EVIDENCE)
    try:
        return [
            path
            for path in sorted(games.iterdir())
            if path.is_dir() and not any((path / name).is_symlink() for name in names)
        ]
    except OSError:
        return []


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
