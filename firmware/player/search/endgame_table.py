"""The transposition table of the endgame: proved bounds of positions that were searched before.

Two entries share a bucket; the one with less work behind it is replaced.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.jit import inlined
from firmware.player.search.tables import Ints, Longs

_ENTRIES: Final = 1 << 20
"""Entries of a table, a power of two: 24 MB."""

BOUND: Final = 255
"""Limit of a margin still to be gained; the largest possible one is 109."""

AT_LEAST: Final = 0
"""Column of `entries`: points that the side to move is proved to gain at least."""

AT_MOST: Final = 1
"""Column of `entries`: points that it is proved to gain at most."""

BEST_MOVE: Final = 2
"""Column of `entries`: the move that was best, -1 for none."""

_WORK: Final = 3
"""Column of `entries`: number of nodes that were searched for it."""

_MIX: Final = 0x2545F4914F6CDD1D
"""Odd multiplier of the hash, as in xorshift64*."""

_HALF: Final = 32
"""Bits of half a word."""

_LOW_HALF: Final = 0xFFFFFFFF
"""The lower half of a word."""


class ProofTable(NamedTuple):
    """A table; its arrays have a row for each entry.

    Attributes:
        keys: (entries,) a hash of what can still happen.
        entries: (entries, 4) see the columns above.
    """

    keys: Longs
    entries: Ints


def new_table() -> ProofTable:
    """An empty table; the system provides its memory when it is first used."""
    return ProofTable(np.zeros(_ENTRIES, np.int64), np.zeros((_ENTRIES, 4), np.int32))


@inlined
def mixed(key: int, word: int) -> int:
    """A hash with a further word."""
    key = (key ^ word) * _MIX
    return key ^ (key >> _HALF & _LOW_HALF)


@inlined
def find_entry(table: ProofTable, key: int) -> int:
    """The entry of a position, -1 if there is none."""
    entry = key & (len(table.keys) - 1)
    if table.keys[entry] == key:
        return entry
    return entry ^ 1 if table.keys[entry ^ 1] == key else -1


@inlined
def store_entry(table: ProofTable, key: int, low: int, high: int, move: int, work: int) -> None:
    """Stores the bounds of a position.

    Args:
        table: the table.
        key: the hash of the position.
        low: lower bound.
        high: upper bound.
        move: the best move, -1 for none.
        work: nodes that were searched for it.
    """
    entry, entries = find_entry(table, key), table.entries
    if entry < 0:
        entry = key & (len(table.keys) - 1)
        if entries[entry, _WORK] > entries[entry ^ 1, _WORK]:
            entry ^= 1
    else:
        low = max(low, entries[entry, AT_LEAST])
        high = min(high, entries[entry, AT_MOST])
    table.keys[entry] = key
    new = entries[entry]
    new[AT_LEAST], new[AT_MOST], new[BEST_MOVE], new[_WORK] = low, high, move, work
