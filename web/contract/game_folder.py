"""Names in the folder of a stored game, which the table writes and the page reads."""

import re
from typing import Final

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
