"""A network before training, and the file of one after it."""

from pathlib import Path
from typing import Final

import numpy as np

from firmware.player.search.features import CLASSES, FACTS, PHASES, WINDOW
from firmware.player.search.network import Network
from firmware.player.search.tables import Floats
from firmware.rules.pieces import PIECES

_HIDDEN: Final = 32
"""Hidden units of a square."""

_JUDGES: Final = 16
"""Hidden units of the second layer."""

_RINGS: Final = 10
"""Distances from the middle of the board; larger ones count as the last."""


def untrained(seed: int = 0) -> Network:
    """A network before training, which only prefers large pieces."""
    chance = np.random.default_rng(seed)

    def drawn(scale: float, *shape: int) -> Floats:
        return (scale * chance.standard_normal(shape)).astype(np.float32)

    by_size = np.array([1.2 * piece.size for piece in PIECES], np.float32)
    return Network(
        table=drawn(0.1, CLASSES * WINDOW * _HIDDEN),
        begin=np.full((PHASES, _HIDDEN), 0.1, np.float32),
        ring=np.zeros((_RINGS, _HIDDEN), np.float32),
        worth=drawn(0.1, 3, _HIDDEN),
        piece=np.tile(by_size, (PHASES, 1)),
        judge=drawn(0.2, _HIDDEN, _JUDGES),
        judge_fact=drawn(0.1, FACTS, _JUDGES),
        judge_begin=np.full((PHASES, _JUDGES), 0.1, np.float32),
        end=drawn(0.2, 2, _JUDGES),
        end_fact=np.zeros((2, FACTS), np.float32),
        end_begin=np.zeros((2, PHASES), np.float32),
    )


def save(network: Network, path: Path) -> None:
    """Writes a network in half precision."""
    arrays = {name: numbers.astype(np.float16) for name, numbers in network._asdict().items()}
    np.savez_compressed(path, **arrays)
