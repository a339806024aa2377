"""Names of the topics of a hall.

    cornerlight/1/<hall>/table/<t>/status     the table, and its will
    cornerlight/1/<hall>/table/<t>/summary    the table
    cornerlight/1/<hall>/table/<t>/page       the table
    cornerlight/1/<hall>/table/<t>/results    the table
    cornerlight/1/<hall>/seat/<t>             the hall
    cornerlight/1/<hall>/hall/status          the hall, and its will
    cornerlight/1/<hall>/round/clock          the hall
    cornerlight/1/<hall>/show/...             the hall: public copies

All are retained: a topic has one value, which the next one replaces. `<t>` is the
number of the table with at least two digits, and its user name at the broker.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PREFIX: Final = "cornerlight/1"
"""Beginning of every topic: the program, and the version of its topics and messages."""

QOS: Final = 1
"""Quality of service of all messages: at least once."""

MOST_TABLES: Final = 999
"""The greatest number of a table."""

_HALL: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""Id of a hall: no sign with a meaning in topics. The 40 are chosen; a new hall has 8."""

_TABLE: Final = re.compile(r"[0-9]{2,3}")
"""Number of a table as text: at least two digits, and the three of `MOST_TABLES` at most."""


class TableTopic(StrEnum):
    """Last words of the topics of a table."""

    STATUS = "status"
    SUMMARY = "summary"
    PAGE = "page"
    RESULTS = "results"


@dataclass(frozen=True, slots=True)
class HallTopics:
    """The topics of one hall.

    Attributes:
        hall: id of the hall: 1 to 40 of `a-z`, `0-9` and `-`.

    Raises:
        ValueError: the id has another form.
    """

    hall: str

    def __post_init__(self) -> None:
        if not is_hall_id(self.hall):
            raise ValueError(f"a hall has an id of a-z, 0-9 and -, not {self.hall!r:.60}")

    @property
    def root(self) -> str:
        """Beginning of all topics, without a slash at its end."""
        return f"{PREFIX}/{self.hall}"

    def table(self, table: str, topic: TableTopic) -> str:
        """Returns a topic of a table.

        Args:
            table: number of the table as text, see `table_text`.
            topic: kind of the message.

        Raises:
            ValueError: the number has another form.
        """
        _check_table(table)
        return f"{self.root}/table/{table}/{topic}"

    def retained(self, table: str) -> list[str]:
        """Returns the topics under which a table, by its text, leaves messages at the broker."""
        return [self.table(table, kind) for kind in TableTopic]

    @property
    def all_of_tables(self) -> str:
        """Filter of all topics of all tables."""
        return f"{self.root}/table/+/#"

    def seat(self, table: str) -> str:
        """Returns the topic of the match that the hall offers a table."""
        _check_table(table)
        return f"{self.root}/seat/{table}"

    @property
    def hall_status(self) -> str:
        """Topic of the state of the hall."""
        return f"{self.root}/hall/status"

    @property
    def clock(self) -> str:
        """Topic of the clock of the round."""
        return f"{self.root}/round/clock"

    def show(self, path: str) -> str:
        """Returns the topic of a public copy; only these leave the hall."""
        return f"{self.root}/show/{path}"

    @property
    def all_shown(self) -> str:
        """Filter of all public copies."""
        return self.show("#")

    def parse_table(self, topic: str) -> tuple[int, TableTopic] | None:
        """Returns number and kind of a topic of a table of this hall; None for any other topic."""
        beginning = f"{self.root}/table/"
        if not topic.startswith(beginning):
            return None
        table, _, kind = topic.removeprefix(beginning).partition("/")
        try:
            return table_number(table), TableTopic(kind)
        except ValueError:
            return None


def is_hall_id(text: str) -> bool:
    """True if a text can be the id of a hall."""
    return _HALL.fullmatch(text) is not None


def table_text(number: int) -> str:
    """Returns the number of a table as topics and user names have it, for example `07`.

    Raises:
        ValueError: it is not from 1 to 999.
    """
    if not 1 <= number <= MOST_TABLES:
        raise ValueError(f"a table has a number from 1 to {MOST_TABLES}, not {number}")
    return f"{number:02d}"


def table_number(text: str) -> int:
    """Returns the number of a table from its text, for example 7 from `07`.

    Raises:
        ValueError: the text is not the number of a table.
    """
    _check_table(text)
    return int(text)


def _check_table(text: str) -> None:
    if _TABLE.fullmatch(text) is None or text != table_text(int(text)):
        raise ValueError(f"a table has a number from 01 to {MOST_TABLES}, not {text!r:.20}")
