"""Files in a table's folder: the hall that it belongs to, and what it has left at its broker.

Both are for their owner alone, as they have the table's password and the ids of players.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firmware.codec import json_table
from firmware.errors import CornerlightError, UnreadableError, read_file, report_unwritable
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.messages import TableResults, decode, encode
from firmware.storage.atomic_file import PRIVATE, write_whole
from firmware.storage.run_folder import lock_file

_LINK: Final = "hall.json"
"""File of the invitation: written by `join` or by a table that saw it, read by `share`."""

_LEFT: Final = "hall-left.json"
"""File of the results left at the broker, which are sent again with each new one."""

_LOCK: Final = "share.lock"
"""Lock file: a running `share` holds it, and `unshare` while it clears."""

_log = logging.getLogger(__name__)


class LinkFile:
    """The hall of a table, as its folder has it.

    Args:
        folder: folder of the table's state.
    """

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._link: Final = folder / _LINK
        self._left: Final = folder / _LEFT

    @property
    def stamp(self) -> int | None:
        """Value that changes with the invitation; None without one."""
        try:
            return self._link.stat().st_mtime_ns
        except OSError:
            return None

    def read(self) -> HallInvitation | None:
        """Returns the invitation that the table accepted; None without one.

        Raises:
            UnreadableError: the file cannot be read, or has something else.
        """
        if not self._link.exists():
            return None
        try:
            return HallInvitation.parse(str(json_table(read_file(self._link))["invitation"]))
        except (ValueError, KeyError) as error:
            raise UnreadableError(f"{self._link} is damaged; join the hall again") from error

    def write(self, invitation: HallInvitation) -> None:
        """Stores an invitation, in place of the one before.

        Raises:
            UnreadableError: it cannot be written.
        """
        self._write(self._link, {"invitation": invitation.uri})

    def remove(self) -> None:
        """Forgets the hall and all that was left there.

        Raises:
            UnreadableError: a file cannot be removed.
        """
        for path in (self._link, self._left):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise UnreadableError(f"cannot remove {path}: {error.strerror}") from error

    def left(self, invitation: HallInvitation) -> TableResults:
        """Returns the results left at the broker of a hall; none if they are unknown."""
        try:
            table = json_table(read_file(self._left)) if self._left.exists() else {}
            if table and table["hall"] == _name_of(invitation):
                return decode(TableResults, json.dumps(table["results"]).encode())
        except (OSError, ValueError, KeyError) as error:
            _log.warning(
                "results in %s cannot be read (%s); type those into the hall that it does not show",
                self._left,
                error,
            )
        return TableResults(())

    def write_left(self, invitation: HallInvitation, left: TableResults) -> None:
        """Stores the results that the table has left at the broker of a hall.

        Raises:
            UnreadableError: it cannot be written.
        """
        table = {"hall": _name_of(invitation), "results": json.loads(encode(left))}
        self._write(self._left, table)

    @contextmanager
    def only_one(self) -> Iterator[None]:
        """Keeps a second process from connecting the same table.

        Raises:
            CornerlightError: another process connects it.
            UnreadableError: the folder takes no file.
        """
        path = self._folder / _LOCK
        with report_unwritable(path):
            handle = lock_file(path)
        if handle is None:
            message = f"another share connects this table, it has locked {path}; end it first"
            raise CornerlightError(message)
        try:
            yield
        finally:
            os.close(handle)

    def _write(self, path: Path, table: dict[str, object]) -> None:
        with report_unwritable(path):
            write_whole(path, json.dumps(table, ensure_ascii=False).encode(), PRIVATE)


def _name_of(invitation: HallInvitation) -> str:
    return f"{invitation.fingerprint}/{invitation.hall}/{invitation.table}"
