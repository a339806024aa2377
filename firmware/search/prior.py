"""The learned weights, and those of playouts, as they lie beside this file."""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from firmware.rules.pieces import PIECES
from firmware.search.features import (
    CLASSES,
    COVER,
    OF_PIECE,
    PHASES,
    TOUCH,
)
from firmware.search.playout import POLICY, Policy
from firmware.search.tables import Floats

FOLDER: Final = Path(__file__).parent / "weights"
"""Where `training` puts what it has learned: one file for each size of board."""


class Knowledge(NamedTuple):
    """What the player knows of a game.

    Attributes:
        weights: (phases, classes) of the prior, see `features`.
        policy: the weights of playouts.
    """

    weights: Floats
    policy: Policy


def untrained() -> Knowledge:
    """What to begin learning with: large pieces, into the enemy's corners, opening own ones."""
    weights = np.zeros((PHASES, CLASSES), np.float32)
    for piece in PIECES:
        weights[:, OF_PIECE + piece.index] = 1.2 * piece.size
    for enemy_bin in range(6):
        weights[:, COVER + enemy_bin * 9 : COVER + enemy_bin * 9 + 9] = 0.15 * enemy_bin
    for room in range(5):
        weights[:, TOUCH + 6 + room * 3 : TOUCH + 9 + room * 3] = 0.15 * room
    return Knowledge(weights, POLICY)


@cache
def knowledge(size: int) -> Knowledge:
    """What was learned for the board of a size."""
    weights = np.load(FOLDER / f"prior_{size}.npy").astype(np.float32)
    return Knowledge(np.ascontiguousarray(weights), POLICY)
