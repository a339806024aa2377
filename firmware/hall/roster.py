"""The tables of a hall, with their passwords, in one file of the hall's folder.

The tables stay the same when the hall is started again, so that none has to join twice.
"""

import json
import secrets
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from firmware.codec import Codec, json_table
from firmware.errors import CornerlightError, UnreadableError, read_file, report_unwritable
from firmware.hall.broker_files import ORGANISER, new_secret
from firmware.hall.link.topics import MOST_TABLES, HallTopics, table_text
from firmware.storage.atomic_file import PRIVATE, write_whole

FILE: Final = "roster.json"
"""File in the hall's folder with its tables and their passwords; the roster alone writes it."""

_VERSION: Final = 1
"""Version of the form of this file, its `v`; any other is refused."""

_ID_SIGNS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""Signs of the id of a hall; none of them looks like another."""

_ID_LENGTH: Final = 8
"""Signs of an id: halls that share a broker outside have different ones."""

_CODEC: Final = Codec(has_more=True)
"""Codec of the file; a later release may add fields."""


@dataclass(frozen=True, slots=True)
class RosterTable:
    """A table of the hall.

    Attributes:
        number: number of the table, from 1.
        secret: its password at the broker.
    """

    number: int
    secret: str = field(default_factory=new_secret, repr=False)

    @property
    def user(self) -> str:
        """Its user name at the broker, which is its name in topics."""
        return table_text(self.number)


@dataclass(frozen=True, slots=True)
class RosterState:
    """Content of the file.

    Attributes:
        hall: id of the hall in topics.
        secret: password of the hall itself at the broker.
        port: port of the broker; 0 before it was chosen.
        tables: the tables by number.
    """

    hall: str
    secret: str = field(default_factory=new_secret, repr=False)
    port: int = 0
    tables: tuple[RosterTable, ...] = ()


class Roster:
    """The tables of a hall; every method may be called from any thread.

    Args:
        folder: folder of the hall; the file is made if it is missing.
        on_change: called with the passwords by user after each change of them.

    Raises:
        UnreadableError: the file is damaged, or cannot be read or written.
    """

    def __init__(
        self, folder: Path, on_change: Callable[[dict[str, str]], None] = lambda _: None
    ) -> None:
        self._path: Final = folder / FILE
        self._on_change: Final = on_change
        self._lock: Final = threading.Lock()
        stored = self._read()
        self._state = RosterState(_new_id()) if stored is None else stored
        if stored is None:
            self._write(self._state)

    @property
    def topics(self) -> HallTopics:
        """The topics of the hall."""
        return HallTopics(self._state.hall)

    @property
    def secret(self) -> str:
        """Password of the hall itself at the broker."""
        return self._state.secret

    @property
    def port(self) -> int:
        """Port of the broker; 0 before it was chosen."""
        return self._state.port

    @property
    def tables(self) -> tuple[RosterTable, ...]:
        """The tables by number."""
        return self._state.tables

    @property
    def passwords(self) -> dict[str, str]:
        """Passwords by user of the broker."""
        state = self._state
        return {ORGANISER: state.secret, **{one.user: one.secret for one in state.tables}}

    def table(self, number: int) -> RosterTable | None:
        """Returns a table; None if there is none of that number."""
        return next((one for one in self._state.tables if one.number == number), None)

    def use_port(self, port: int) -> None:
        """Stores the port of the broker, which invitations name.

        Raises:
            UnreadableError: the file cannot be written.
        """
        with self._lock:
            self._change(replace(self._state, port=port))

    def add(self) -> RosterTable:
        """Adds a table with the lowest free number; returns it.

        Raises:
            CornerlightError: the hall has as many tables as it can have.
            UnreadableError: the file cannot be written.
        """
        with self._lock:
            taken = {one.number for one in self._state.tables}
            number = next((one for one in range(1, MOST_TABLES + 1) if one not in taken), None)
            if number is None:
                raise CornerlightError(f"a hall has at most {MOST_TABLES} tables; remove one")
            made = RosterTable(number)
            tables = sorted((*self._state.tables, made), key=lambda one: one.number)
            self._change(replace(self._state, tables=tuple(tables)))
        self._on_change(self.passwords)
        return made

    def remove(self, number: int) -> bool:
        """Removes a table; returns False if there is none of that number.

        Raises:
            UnreadableError: the file cannot be written.
        """
        with self._lock:
            tables = tuple(one for one in self._state.tables if one.number != number)
            if tables == self._state.tables:
                return False
            self._change(replace(self._state, tables=tables))
        self._on_change(self.passwords)
        return True

    def _change(self, state: RosterState) -> None:
        self._write(state)
        self._state = state

    def _write(self, state: RosterState) -> None:
        text = json.dumps({"v": _VERSION, **asdict(state)}, ensure_ascii=False, indent=1)
        with report_unwritable(self._path):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self._path, text.encode(), PRIVATE)

    def _read(self) -> RosterState | None:
        """Returns the content of the file; None if there is none."""
        try:
            return _parsed(read_file(self._path)) if self._path.exists() else None
        except ValueError as error:
            raise UnreadableError(
                f"{self._path} is damaged; restore it, or remove it and join all tables anew"
            ) from error


def _parsed(content: bytes) -> RosterState:
    """Reads the content of the file.

    Raises:
        ValueError: it has another form.
    """
    table = json_table(content)
    if table.pop("v", None) != _VERSION:
        raise ValueError("another version")
    state: RosterState = _CODEC.read(RosterState, table, "roster")
    numbers = [one.number for one in state.tables]
    if numbers != sorted(set(numbers)) or not all(one.user and one.secret for one in state.tables):
        raise ValueError("the tables are not in order")
    HallTopics(state.hall)
    return state


def _new_id() -> str:
    return "".join(secrets.choice(_ID_SIGNS) for _ in range(_ID_LENGTH))
