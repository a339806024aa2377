"""A dictionary with a bounded number of entries."""

from collections import OrderedDict
from typing import Final, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class BoundedMap(OrderedDict[Key, Value]):
    """A dictionary that drops the entry that was set first, or set again first, above a number.

    It has no lock.

    Args:
        most: greatest number of entries.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most: Final = most

    def __setitem__(self, key: Key, value: Value) -> None:
        """Sets an entry, which becomes the newest one."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
