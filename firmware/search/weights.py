"""The files of what was learned, as they lie in the folder `networks`."""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from firmware.search.network import Network
from firmware.search.playout import POLICY, PlayoutPolicy

FOLDER: Final = Path(__file__).parent / "networks"
"""Where `tests.training.player` puts what it has learned: a file for each board."""


class Knowledge(NamedTuple):
    """What the player knows of a game.

    Attributes:
        network: what moves are likely, and how a game may end.
        policy: the weights of playouts.
    """

    network: Network
    policy: PlayoutPolicy


@cache
def knowledge(size: int, colours: int) -> Knowledge:
    """What was learned for the board of a size with so many colours."""
    return Knowledge(load(path_of(size, colours)), POLICY)


def path_of(size: int, colours: int, folder: Path = FOLDER) -> Path:
    """The file of a board and a number of colours."""
    return folder / f"network_{size}_{colours}.npz"


def load(path: Path) -> Network:
    """What was learned, from its file."""
    with np.load(path) as kept:
        numbers = {name: kept[name].astype(np.float32) for name in Network._fields}
    return Network(**numbers)


def save(network: Network, path: Path) -> None:
    """Writes what was learned, in half the precision it was learned in."""
    kept = {name: numbers.astype(np.float16) for name, numbers in network._asdict().items()}
    np.savez_compressed(path, **kept)
