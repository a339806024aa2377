"""A line on standard error that shows how far a long computation has come."""

import sys
from collections.abc import Generator, Iterable
from shutil import get_terminal_size
from typing import Final, TypeVar

Item = TypeVar("Item")

_CLEAR_REST: Final = "\x1b[K\r"
"""Clears the rest of the line, as terminals do since the VT100, and returns to its beginning, so
that what others print replaces the progress."""


class Progress:
    """The progress of a verb: one line, which the next one replaces.

    Nothing is written unless a person looks on: output and errors both go to a terminal.
    """

    def __init__(self) -> None:
        self._is_watched: Final = sys.stdout.isatty() and sys.stderr.isatty()
        self._shown = ""

    def show(self, text: str) -> None:
        """Shows a short text in place of the one before."""
        if self._is_watched and text != self._shown:
            self._shown = text
            most = get_terminal_size().columns - 1
            print(f"{text[:most]}{_CLEAR_REST}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clears the line, before anything else is printed and at the end."""
        if self._shown:
            self._shown = ""
            print(_CLEAR_REST, end="", file=sys.stderr, flush=True)

    def each(
        self, items: Iterable[Item], name: str, count: int | None = None
    ) -> Generator[Item, None, None]:
        """Yields items; shows the number of each while it is worked on.

        Args:
            items: the items.
            name: name of an item.
            count: number of all items; None if it is unknown.
        """
        of_all = "" if count is None else f" of {count}"
        try:
            for number, item in enumerate(items, 1):
                self.show(f"{name} {number}{of_all}")
                yield item
        finally:
            self.clear()
