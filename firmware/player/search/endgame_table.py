"""The transposition table of the endgame: proved bounds of positions that were searched before.

An entry is two words: a hash of what can still happen, and the packed bounds. Two entries share a
bucket; the one with less work behind it is replaced.
"""

from typing import Final

import numpy as np

from firmware.player.search.jit import inlined
from firmware.player.search.tables import Longs

_ENTRIES: Final = 1 << 20
"""Entries of a table, a power of two: 16 MB."""

BOUND: Final = 255
"""Limit of a margin still to be gained; the largest possible one is 109."""

_NOTHING: Final = -1
"""No entry, or no move."""

_OFFSET: Final = 256
"""Added to a bound, so that it is not negative."""

_MARGIN_BITS: Final = 10
"""Bits of a bound."""

_MOVE_BITS: Final = 12
"""Bits of 1 more than a move."""

_MOVE_AT: Final = 2 * _MARGIN_BITS
"""Lowest bit of the move, after both bounds."""

_WORK_AT: Final = _MOVE_AT + _MOVE_BITS
"""Lowest bit of the number of nodes."""

_MOST_WORK: Final = (1 << 30) - 1
"""Largest number of nodes that an entry counts."""

_MIX: Final = 0x2545F4914F6CDD1D
"""Odd multiplier of the hash, as in xorshift64*."""

_HALF: Final = 32
"""Bits of half a word."""

_LOW_HALF: Final = 0xFFFFFFFF
"""The lower half of a word."""


def new_table(entries: int = _ENTRIES) -> Longs:
    """(entries, 2): an empty table; the system provides its memory when it is first used."""
    return np.zeros((entries, 2), np.int64)


@inlined
def mixed(key: int, word: int) -> int:
    """A hash with a further word."""
    key = (key ^ word) * _MIX
    return key ^ (key >> _HALF & _LOW_HALF)


@inlined
def find_entry(table: Longs, key: int) -> int:
    """The entry of a position, -1 if there is none."""
    entry = key & (len(table) - 1)
    if table[entry, 0] == key:
        return entry
    if table[entry ^ 1, 0] == key:
        return entry ^ 1
    return _NOTHING


@inlined
def lower_bound(table: Longs, entry: int) -> int:
    """Points that the side to move is proved to gain at least."""
    return int(table[entry, 1] & ((1 << _MARGIN_BITS) - 1)) - _OFFSET


@inlined
def upper_bound(table: Longs, entry: int) -> int:
    """Points that it is proved to gain at most."""
    return int(table[entry, 1] >> _MARGIN_BITS & ((1 << _MARGIN_BITS) - 1)) - _OFFSET


@inlined
def best_move(table: Longs, entry: int) -> int:
    """The move that was best; -1 if there was none."""
    return int(table[entry, 1] >> _MOVE_AT & ((1 << _MOVE_BITS) - 1)) - 1


@inlined
def store_entry(table: Longs, key: int, low: int, high: int, move: int, work: int) -> None:
    """Stores the bounds of a position.

    Args:
        table: the table.
        key: the hash of the position.
        low: lower bound.
        high: upper bound.
        move: the best move, -1 for none.
        work: nodes that were searched for it.
    """
    entry = find_entry(table, key)
    if entry < 0:
        entry = key & (len(table) - 1)
        if table[entry, 1] >> _WORK_AT > table[entry ^ 1, 1] >> _WORK_AT:
            entry ^= 1
    else:
        low = max(low, lower_bound(table, entry))
        high = min(high, upper_bound(table, entry))
    table[entry, 0] = key
    packed = (low + _OFFSET) | (high + _OFFSET) << _MARGIN_BITS | (move + 1) << _MOVE_AT
    table[entry, 1] = packed | min(work, _MOST_WORK) << _WORK_AT
