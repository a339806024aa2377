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
from firmware.search.playout import Policy
from firmware.search.tables import Floats

FOLDER: Final = Path(__file__).parent / "weights"
"""Where `training` puts what it has learned: one file for each size of board."""


class Knowledge(NamedTuple):
    """What the player knows of a game.

    Attributes:
        weights: (phases, classes) of the prior, see `features`.
        piece: (21,) weight of each piece in playouts.
        policy: the other weights of playouts.
    """

    weights: Floats
    piece: Floats
    policy: Policy


_BY_SIZE: Final = (0.0, 0.01, 0.03, 0.08, 0.3, 1.0)
"""Weight of a piece in playouts by its squares."""

PLAYOUT_PIECE: Final = np.array([_BY_SIZE[piece.size] for piece in PIECES], np.float32)
POLICY: Final = Policy(20.0, 6.0)


def untrained() -> Knowledge:
    """What to begin learning with: large pieces, into the enemy's corners, opening own ones."""
    weights = np.zeros((PHASES, CLASSES), np.float32)
    for piece in PIECES:
        weights[:, OF_PIECE + piece.index] = 1.2 * piece.size
    for enemy_bin in range(6):
        weights[:, COVER + enemy_bin * 9 : COVER + enemy_bin * 9 + 9] = 0.15 * enemy_bin
    for room in range(5):
        weights[:, TOUCH + 6 + room * 3 : TOUCH + 9 + room * 3] = 0.15 * room
    return Knowledge(weights, PLAYOUT_PIECE, POLICY)


@cache
def knowledge(size: int) -> Knowledge:
    """What was learned for the board of a size."""
    weights = np.load(FOLDER / f"prior_{size}.npy").astype(np.float32)
    return Knowledge(np.ascontiguousarray(weights), PLAYOUT_PIECE, POLICY)
