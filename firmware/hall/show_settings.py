"""The delay that an organiser chose for spectators, in a file of the hall's folder."""

import json
import logging
from pathlib import Path
from typing import Final

from firmware.codec import json_table
from firmware.errors import read_file, report_unwritable
from firmware.storage.atomic_file import PRIVATE, write_whole

_FILE: Final = "show.json"
"""File in the hall's folder, written and read by `ShowStore` alone."""

_log = logging.getLogger(__name__)


class ShowStore:
    """The delay of spectators, with its file; a damaged file counts as none.

    Args:
        folder: folder of the hall.

    Attributes:
        delay_s: seconds by which spectators see everything later.
    """

    def __init__(self, folder: Path) -> None:
        self._path: Final = folder / _FILE
        self.delay_s = self._read()

    def save(self, delay_s: int) -> None:
        """Stores another delay.

        Raises:
            UnreadableError: the disk refuses; nothing has changed.
        """
        with report_unwritable(self._path):
            write_whole(self._path, json.dumps({"delay_s": delay_s}).encode(), PRIVATE)
        self.delay_s = delay_s

    def _read(self) -> int:
        try:
            table = json_table(read_file(self._path)) if self._path.exists() else {}
            return int(table.get("delay_s", 0))
        except (OSError, ValueError, TypeError, OverflowError) as error:
            _log.warning("%s is not used: %s", self._path, error)
            return 0
