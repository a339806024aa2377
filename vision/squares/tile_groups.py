"""Groups the tiles of a board by colour, without any knowledge of colours.

The network gives each square a place such that tiles of one colour lie close together, and so do
bare squares, whatever the light. A board has few colours, so a square whose place is among those of
the bare squares is bare, even if it looks like a tile by itself, and the reverse.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.squares.fitted_constants import fitted
from vision.squares.network import APART, BARE, Shapes, tiles

Values = NDArray[np.float64]

_LIKELY: Final = fitted("squares.tile_groups.likely")
"""Probability from which a square helps to find the groups."""

_FAR: Final = fitted("squares.tile_groups.far")
"""Least probability that a square belongs to a group: a lamp, a hand or an LED moves its place."""

_AMONG_BARE: Final = 0.5
"""Likelihood from which a square that looks like a tile is among the bare ones."""

_SHARPNESS: Final = fitted("squares.tile_groups.sharpness")
"""Exponent of that probability, which is learned for a pair of squares: a group has many."""

_BETWEEN: Final = 2.0
"""Exponent of the likelihoods of groups beside each other, as their middles are known better than
the place of a tile. On ten photographs this leaves 3 squares open in place of 237, on 685 traced
boards 1,905 in place of 1,939, and none wrong."""

_ROUNDS: Final = 5
"""Iterations of the grouping."""


@dataclass(frozen=True, slots=True, eq=False)
class TileGroups:
    """Groups of the squares of a board.

    Attributes:
        members: (n * n,) squares that are likely tiles.
        bare: (n * n,) likelihood of having the colour of bare squares.
        tiles: (n * n, k) likelihood of having the colour of each group; k is 0 without a tile.
        apart: (k, k) log odds that two groups have two colours.
    """

    members: NDArray[np.bool_]
    bare: Values
    tiles: Values
    apart: Values

    @property
    def nearest(self) -> Values:
        """(n * n,) likelihood of having the colour of any group; 1 if there is none."""
        return np.asarray(self.tiles.max(axis=1) if self.tiles.size else np.ones(len(self.tiles)))

    @property
    def shares(self) -> Values:
        """(n * n, k) probability of each group, if the square has a tile."""
        return _shares(self.tiles)


def grouped(shapes: Shapes, most: int) -> TileGroups:
    """Groups the squares of a board.

    Args:
        shapes: output of the network.
        most: most groups of tiles.
    """
    places = shapes.colours.astype(np.float64)
    members = np.exp(tiles(shapes)) > _LIKELY
    bare = np.exp(shapes.classes[:, BARE]) > _LIKELY
    board = np.ones(len(places))
    if bare.any():
        board = _closeness(places, np.median(places[bare], axis=0, keepdims=True))[:, 0]
        members &= board < _AMONG_BARE
    middles = _middles(places[members], most)
    near, apart = _closeness(places, middles), _SHARPNESS * _apart(middles, middles)
    return TileGroups(members, board if members.any() else np.ones(len(places)), near, apart)


def _apart(places: Values, others: Values) -> Values:
    """(n, k) log odds that the colours of places differ from those of others."""
    return np.asarray(((places[:, None] - others[None]) ** 2).sum(axis=2).clip(max=30) - APART)


def _closeness(places: Values, middles: Values) -> Values:
    """(n * n, k) likelihood that a square has the colour of each place."""
    alike = 1 / (1 + np.exp(_apart(places, middles)))
    return np.asarray(np.maximum(alike, _FAR) ** _SHARPNESS)


def _shares(likelihoods: Values) -> Values:
    """(n, k) probability of each group, from the (n, k) likelihoods of all."""
    sharper = likelihoods**_BETWEEN
    return np.asarray(sharper / sharper.sum(axis=1, keepdims=True))


def _middles(places: Values, most: int) -> Values:
    """(k, 6) middles of the groups of some tiles: first the most crowded places."""
    apart = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    near, free = apart < APART / 2, np.ones(len(places), np.bool_)
    found = np.empty((0, places.shape[1]))
    while len(found) < most and free.any():
        crowd = np.where(free, (near & free).sum(axis=1), -1)
        middle = places[near[int(crowd.argmax())] & free].mean(axis=0)
        found = np.vstack([found, middle])
        free &= ((places - middle) ** 2).sum(axis=1) > APART
    for _ in range(_ROUNDS if len(found) > 1 else 0):
        weight = _shares(_closeness(places, found))
        found = (weight.T @ places) / weight.sum(axis=0)[:, None]
    return found
