"""The level of the player that this machine reaches, in a small file of the table's folder.

It is measured at each start of the player. The file keeps the newest figure, so that a restarted
table offers the right levels at once. A damaged one counts as none.
"""

import json
import logging
from pathlib import Path
from typing import Final

from firmware.errors import read_file
from firmware.game.levels import MOST_LEVEL
from firmware.storage.atomic_file import write_whole

MEASURED_LEVEL: Final = "player.json"
"""Name of the file in the folder of the table."""

_KEY: Final = "highest_level"
"""Key of the level in the file."""

_log = logging.getLogger(__name__)


class MeasuredLevel:
    """The highest level that this machine plays within 6 s a move.

    Args:
        path: the file; None to keep the level until the program ends.

    Attributes:
        level: the level, 1 to 12; None if it was not measured.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path: Final = path
        self.level = None if path is None else _load(path)

    def keep(self, level: int) -> None:
        """Keeps a measured level; a disk that refuses it keeps it for this run only."""
        if level == self.level:
            return
        self.level = level
        if self._path is None:
            return
        try:
            write_whole(self._path, (json.dumps({_KEY: level}) + "\n").encode())
        except OSError as error:
            _log.error("the measured level cannot be kept in %s: %s", self._path, error.strerror)


def _load(path: Path) -> int | None:
    try:
        if not path.is_file():
            return None
        level = json.loads(read_file(path))[_KEY]
    except (LookupError, TypeError, ValueError, RecursionError, OSError) as error:
        _log.warning("%s cannot be used: %s; the level is measured again", path, error)
        return None
    if type(level) is int and 1 <= level <= MOST_LEVEL:
        return level
    _log.warning("%s has no level from 1 to %d; it is measured again", path, MOST_LEVEL)
    return None
