"""Names in the folder of a stored game, which the table writes and the page reads."""

from typing import Final

RECORD: Final = "record.blksgf"
EVENTS: Final = "events.jsonl"
PAGES: Final = "pages.jsonl"
REVIEW: Final = "review.json"
EVIDENCE: Final = "evidence"
"""Folder of the pictures of the board."""
