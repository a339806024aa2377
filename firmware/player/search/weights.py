"""The files of the trained networks, in the folder `networks`."""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.network import Network
from firmware.player.search.playout import POLICY, PlayoutPolicy

FOLDER: Final = Path(__file__).parent / "networks"
"""Folder to which `tests.training.player` writes networks: one file for each board."""


class Knowledge(NamedTuple):
    """Learned weights for a game.

    Attributes:
        network: prior of moves, and prediction of the end.
        policy: the weights of playouts.
    """

    network: Network
    policy: PlayoutPolicy


@cache
def knowledge(size: int, colours: int) -> Knowledge:
    """The weights for a size of the board and a number of colours."""
    return Knowledge(load(path_of(size, colours)), POLICY)


def path_of(size: int, colours: int, folder: Path = FOLDER) -> Path:
    """The file for a size of the board and a number of colours."""
    return folder / f"network_{size}_{colours}.npz"


def load(path: Path) -> Network:
    """Reads a network from its file."""
    with np.load(path) as arrays:
        numbers = {name: arrays[name].astype(np.float32) for name in Network._fields}
    return Network(**numbers)


def save(network: Network, path: Path) -> None:
    """Writes a network in half precision."""
    arrays = {name: numbers.astype(np.float16) for name, numbers in network._asdict().items()}
    np.savez_compressed(path, **arrays)
