"""Colours and gloss of boards and tiles. Pure."""

import colorsys
from dataclasses import dataclass

import numpy as np

from tests.training.tracing.mesh import Values
from tests.training.tracing.taste import Taste

_DARKEST, _WHITEST = 0.01, 0.88
_BLUISH = np.array([0.7, 0.95, 1.4])


@dataclass(frozen=True, slots=True)
class Finish:
    """The surface of a body.

    Attributes:
        roughness: roughness of a microfacet surface (GGX alpha): 0.03 is a mirror, 0.5 is matt.
        shine: reflection as a share of that of a clear coat.
        through: share of the scattered light that passes through, 0 for opaque plastic.
    """

    roughness: float
    shine: float
    through: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class PieceSetLook:
    """Colours and surfaces of a set.

    Attributes:
        board: (3,) albedo of its squares in red, green and blue.
        tiles: (k, 3) albedo of the tiles of each colour.
        board_finish: surface of the board.
        tile_finish: surface of the tiles.
    """

    board: Values
    tiles: Values
    board_finish: Finish
    tile_finish: Finish


def look(colours: int, taste: Taste, chance: np.random.Generator) -> PieceSetLook:
    """Returns a random look of a set; tiles may look like the board."""
    kind = chance.random()
    if kind < taste.black_and_white:
        board, tiles = _black_and_white(colours, taste, chance)
    else:
        board = _grey(chance) if chance.random() < 0.75 else _hue(chance)
        tiles = np.array([_hue(chance) for _ in range(colours)])
        if kind < taste.black_and_white + 0.16:
            alike = board * chance.normal(1, 0.15) * chance.normal(1, 0.06, 3)
            tiles[int(chance.integers(colours))] = alike
    translucent = kind > taste.black_and_white and chance.random() < 0.3
    return PieceSetLook(
        np.clip(board, _DARKEST, _WHITEST),
        np.clip(tiles, _DARKEST, _WHITEST),
        Finish(_log(chance, 0.04, 0.6), float(chance.uniform(0.3, 1.0))),
        Finish(
            _log(chance, 0.01, 0.3),
            float(chance.uniform(0.6, 1.0)),
            float(chance.uniform(0.25, 0.7)) if translucent else 0.0,
        ),
    )


def _log(chance: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(chance.uniform(np.log(low), np.log(high))))


def _grey(chance: np.random.Generator) -> Values:
    return np.asarray(_log(chance, 0.012, 0.85) * chance.normal(1, 0.05, 3))


def _hue(chance: np.random.Generator) -> Values:
    value, pale = _log(chance, 0.06, 0.9), float(chance.choice([0.05, 0.3]))
    red, green, blue = colorsys.hsv_to_rgb(float(chance.random()), 1.0, 1.0)
    share = chance.uniform(0, pale)
    return value * (share + (1 - share) * np.array([red, green, blue]))


def _black_and_white(
    colours: int, taste: Taste, chance: np.random.Generator
) -> tuple[Values, Values]:
    black = [_log(chance, 0.01, 0.04) * chance.normal(1, 0.04, 3)]
    white = [chance.uniform(0.55, 0.88) * chance.normal(1, 0.03, 3)]
    rest = [_grey(chance) for _ in range(colours - 2)]
    tiles = np.array((black + white + rest)[:colours])
    boards = [
        _log(chance, 0.015, 0.07),
        float(tiles[0].mean()) * float(chance.normal(1, 0.2)),
        float(chance.uniform(0.5, 0.88)),
        _log(chance, 0.01, 0.3),
    ]
    kind = int(chance.choice(len(taste.boards), p=taste.boards))
    if kind == len(boards):
        board = _log(chance, 0.05, 0.3) * chance.normal(1, 0.05, 3) * _BLUISH
    else:
        board = boards[kind] * chance.normal(1, 0.05, 3)
    return board, tiles[chance.permutation(len(tiles))]
