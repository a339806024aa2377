"""Places of a table's files and of its socket, and the places of the table that runs."""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, Self

from firmware.errors import CornerlightError
from firmware.settings import Settings
from web.contract import unix_address

SOCKET: Final = "feed.sock"
"""Name of the socket in its folder."""

_NAME: Final = "cornerlight"
"""Name of the folders of this program."""

INSTALLED: Final = Path("/etc/cornerlight/table.toml")
"""Settings of the services of an installation."""

_ANSWERS_S: Final = 1.0
"""Seconds in which a table accepts a connection."""


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """Places of a table.

    Attributes:
        folder: folder of the journal and the paired phones.
        games: folder of the finished games.
        socket: socket between the table and the score page.
    """

    folder: Path
    games: Path
    socket: Path

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Returns the places of the settings."""
        table = settings.table
        return cls(Path(table.folder), Path(table.games), Path(table.socket))

    @classmethod
    def within(cls, folder: Path) -> Self:
        """Returns places that are all in one folder."""
        return cls(folder, folder / "games", folder / SOCKET)

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> Self:
        """Returns the places of this user, by the XDG base directory specification.

        Args:
            environ: environment variables. Without `XDG_RUNTIME_DIR`, as under cron, the socket is
                in the folder of the state.

        Raises:
            CornerlightError: nobody's home is known.
        """
        try:
            state = environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        except RuntimeError as error:
            raise CornerlightError("nobody's home is known; name a folder with --folder") from error
        folder = Path(state) / _NAME
        runtime = environ.get("XDG_RUNTIME_DIR")
        return cls(
            folder, folder / "games", (Path(runtime) / _NAME if runtime else folder) / SOCKET
        )

    @property
    def paired(self) -> Path:
        """The file of the paired phones."""
        return self.folder / "paired.json"

    @property
    def is_running(self) -> bool:
        """True if a table serves the socket."""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(_ANSWERS_S)
            with unix_address(self.socket) as address:
                caller.connect(address)
            return True
        return False

    def check(self) -> None:
        """Checks what waiting cannot mend; creates the folder if it is missing.

        Raises:
            CornerlightError: the folder is a file or would be in one, or takes no files from us;
                or another table runs here.
        """
        existing = next((one for one in (self.folder, *self.folder.parents) if one.exists()), None)
        if existing is not None and not existing.is_dir():
            raise CornerlightError(f"{existing} is no folder; name one with --folder")
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            TemporaryFile(dir=self.folder).close()
        except (FileNotFoundError, PermissionError) as error:
            message = f"no file can be made in {self.folder}: {error.strerror}"
            raise CornerlightError(f"{message}; name another folder with --folder") from error
        except OSError:
            pass  # a disk that is full or read-only stops no game
        if self.is_running:
            message = f"another table runs here, its socket is {self.socket}"
            raise CornerlightError(f"{message}; end it, or name another folder with --folder")


def places_of_running_table() -> TablePlaces:
    """Returns the places of the table that runs: of this user, else of the whole system.

    If none runs, those of the one that has run here; otherwise those of this user.
    """
    places = TablePlaces.of_user(), TablePlaces.of(Settings())
    running = (one for one in places if one.is_running)
    used = (one for one in places if one.folder.is_dir())
    return next(running, None) or next(used, places[0])
