"""Random numbers for compiled code, by xorshift64* (Vigna 2016)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.jit import inlined

Chance = NDArray[np.uint64]
"""(1,): the state of the random numbers, never 0."""

_SHIFTS: Final = (np.uint64(12), np.uint64(25), np.uint64(27))
"""Shifts of xorshift64*, to the right, to the left and to the right."""

_SPREAD: Final = np.uint64(2685821657736338717)
"""Multiplier of xorshift64*."""

_TOP: Final = np.uint64(40)
"""Shift to the highest 24 bits of a random number."""

_UNIT: Final = 1 / (1 << 24)
"""Factor from 24 bits to a number from 0 to 1."""


def seeded(seed: int) -> Chance:
    """The state for a seed."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)


@inlined
def draw(chance: Chance) -> float:
    """A random number from 0 to 1."""
    x = chance[0]
    x ^= x >> _SHIFTS[0]
    x ^= x << _SHIFTS[1]
    x ^= x >> _SHIFTS[2]
    chance[0] = x
    return float((x * _SPREAD) >> _TOP) * _UNIT
