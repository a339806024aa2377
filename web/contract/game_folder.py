"""Names in the folder of a stored game, which the table writes and the page reads."""

from typing import Final

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
