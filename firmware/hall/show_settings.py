"""An organiser's choices for the stream and for spectators, in a file of the hall's folder."""

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from firmware.codec import Codec, json_table
from firmware.errors import report_unwritable
from firmware.storage.atomic_file import PRIVATE, write_whole

_FILE: Final = "show.json"
"""File in the hall's folder, written and read by `ShowStore` alone."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """The choices.

    Attributes:
        featured: number of the table that streams show; 0 for none.
        delay_s: seconds by which spectators see everything later.
    """

    featured: int = 0
    delay_s: int = 0


class ShowStore:
    """The choices, with their file; a damaged file counts as none.

    Args:
        folder: folder of the hall.

    Attributes:
        settings: the choices now.
    """

    def __init__(self, folder: Path) -> None:
        self._path: Final = folder / _FILE
        self.settings = self._read()

    def save(self, settings: ShowSettings) -> None:
        """Stores other choices.

        Raises:
            UnreadableError: the disk refuses; nothing has changed.
        """
        with report_unwritable(self._path):
            write_whole(self._path, json.dumps(asdict(settings)).encode(), PRIVATE)
        self.settings = settings

    def _read(self) -> ShowSettings:
        try:
            table = json_table(self._path.read_bytes())
            settings: ShowSettings = Codec(has_more=True).read(ShowSettings, table, "show")
        except FileNotFoundError:
            return ShowSettings()
        except (OSError, ValueError) as error:
            _log.warning("%s is not used: %s", self._path, error)
            return ShowSettings()
        return settings
