"""Files in a table's folder: the hall that it belongs to, and what it has left at its broker.

Both are for their owner alone, as they have the table's password and the ids of players.
"""

import fcntl
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firmware.errors import CornerlightError, UnreadableError, report_unwritable
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.messages import TableResults, decode, encode
from firmware.storage.atomic_file import PRIVATE, write_whole
from web.contract import ContractError

_LINK: Final = "hall.json"
"""File of the invitation: written by `join` or by a table that saw it, read by `share`."""

_LEFT: Final = "hall-left.json"
"""File of the results left at the broker, which are sent again with each new one."""

_LOCK: Final = "share.lock"
"""Lock file: a running `share` holds it, and `unshare` while it clears."""

_LONGEST: Final = 64 * 1024
"""Bytes that are read of a file: results have 16 KiB at most."""

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
        try:
            table = json.loads(self._link.read_bytes()[:_LONGEST])
            return HallInvitation.parse(str(table["invitation"]))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnreadableError(f"cannot read {self._link}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
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
            table = json.loads(self._left.read_bytes()[:_LONGEST])
            if table["hall"] == _name_of(invitation):
                return decode(TableResults, json.dumps(table["results"]).encode())
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError, ContractError) as error:
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
            handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                message = f"another share connects this table, it has locked {path}; end it first"
                raise CornerlightError(message) from None
            yield
        finally:
            os.close(handle)

    def _write(self, path: Path, table: dict[str, object]) -> None:
        with report_unwritable(path):
            write_whole(path, json.dumps(table, ensure_ascii=False).encode(), PRIVATE)


def _name_of(invitation: HallInvitation) -> str:
    return f"{invitation.fingerprint}/{invitation.hall}/{invitation.table}"
