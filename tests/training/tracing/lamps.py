"""Light sources: lamps, windows, the sun and the room; and a person in the light."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.eye import Eye
from tests.training.tracing.mesh import Mesh, Values, disc, ellipsoid, joined, plate, vector
from tests.training.tracing.taste import Taste

_TRIES: Final = 30
_BULB, _DAYLIGHT = np.array([1.0, 0.72, 0.42]), np.array([0.85, 0.95, 1.15])
_ROOM: Final = (32, 64)
"""Height and width of the environment map of the room."""

_SUN_RADIUS: Final = 0.0047
"""Angular radius of the sun in radians."""


@dataclass(frozen=True, slots=True, eq=False)
class AreaLight:
    """A body that emits light.

    Attributes:
        body: its mesh, whose faces emit light on the outside.
        paper: radiance of white paper on the board in its light.
        tint: (3,) its colour.
    """

    body: Mesh
    paper: float
    tint: Values

    @property
    def radiance(self) -> Values:
        """Returns (3,) its radiance in red, green and blue."""
        return self.paper / _received(self.body) * self.tint


def lamps(eye: Eye, reach: float, taste: Taste, chance: np.random.Generator) -> list[AreaLight]:
    """Returns the lamps of a scene, none of them between the camera and the board.

    Args:
        eye: the camera.
        reach: half the side of the board in mm.
        taste: distribution of the kinds of lamps.
        chance: random choices.
    """
    kinds = (_bulb, _panel, _strips, _window, _sun, _mirrored, _beside_the_camera)
    found = []
    for _ in range(int(chance.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))):
        make = kinds[int(chance.choice(len(kinds), p=taste.kinds))]
        body = _out_of_sight(make, eye, reach, chance)
        if body is None:
            continue
        share = float(np.exp(chance.uniform(np.log(0.15), np.log(1.0))))
        found.append(AreaLight(body, share, _tint(taste, chance)))
    return found


_Maker = Callable[[Eye, float, np.random.Generator], Mesh]


def _out_of_sight(make: _Maker, eye: Eye, reach: float, chance: np.random.Generator) -> Mesh | None:
    for _ in range(_TRIES):
        body = make(eye, reach, chance)
        behind = body.vertices[:, 2].min() > eye.place[2]
        if (behind or not eye.sees(body.vertices)) and body.vertices[:, 2].min() > 10:
            return body
    return None


def _received(body: Mesh) -> float:
    """Returns the light on the middle of the board for a radiance of 1, as a share of pi."""
    corners = body.vertices[body.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    away = body.middles
    far = np.linalg.norm(away, axis=1)
    leaving = np.maximum(-(across * away).sum(axis=1), 0) / far
    arriving = np.maximum(away[:, 2], 0) / far
    return max(float((leaving * arriving / far**2).sum() / np.pi), 1e-9)


def _tint(taste: Taste, chance: np.random.Generator) -> Values:
    share = chance.random() ** taste.warmth
    return np.asarray(_BULB**share * _DAYLIGHT ** (1 - share) * chance.normal(1, 0.04, 3))


def _around(chance: np.random.Generator, away: tuple[float, float]) -> Values:
    angle = chance.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle), 0]) * chance.uniform(*away)


def _bulb(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    place = _around(chance, (0, 1300)) + vector(0, 0, chance.uniform(250, 1500))
    return disc(place, -place, float(chance.uniform(12, 70)))


def _panel(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    place = _around(chance, (0, 1200)) + vector(0, 0, chance.uniform(700, 2200))
    return plate(place, [0, 0, -1], chance.uniform(200, 1200, 2).tolist())


def _strips(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    place = _around(chance, (0, 1500)) + vector(0, 0, chance.uniform(900, 2300))
    apart = float(chance.uniform(150, 700))
    size = [float(chance.uniform(600, 1500)), float(chance.uniform(25, 90))]
    size = size if chance.random() < 0.5 else size[::-1]
    step = np.array([0, apart, 0]) if size[0] > size[1] else np.array([apart, 0, 0])
    count = int(chance.integers(1, 5))
    return joined(plate(place + k * step, [0, 0, -1], size) for k in range(count))


def _window(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    place = _around(chance, (500, 2500)) + vector(0, 0, chance.uniform(250, 1400))
    inward = -place * [1, 1, 0]
    pane = chance.uniform(250, 900, 2)
    normal = inward / np.linalg.norm(inward)
    across = np.cross([0, 0, 1], normal)
    low = max(0.0, pane[1] * 1.05 + 60 - place[2])
    middle = place + vector(0, 0, low)
    places = [
        middle + across * (side * pane[0] * 0.55) + vector(0, 0, rise * pane[1] * 0.55)
        for side in (-1, 1)
        for rise in (-1, 1)
    ]
    return joined(plate(one, inward, pane.tolist()) for one in places)


def _sun(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    height = np.radians(chance.uniform(12, 75))
    level = _around(chance, (1, 1))
    place = 5000 * (level * np.cos(height) + vector(0, 0, np.sin(height)))
    return disc(place, -place, 5000 * _SUN_RADIUS * float(chance.uniform(1, 3)))


def _mirrored(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    """Returns a lamp that the board reflects to the camera."""
    reflection = np.append(chance.uniform(-reach, reach, 2), 5.0)
    away = (reflection - eye.place) * [1, 1, -1]
    away /= np.linalg.norm(away)
    place = reflection + away * chance.uniform(400, 1800)
    if chance.random() < 0.5:
        return disc(place, -away, float(chance.uniform(15, 150)))
    return plate(place, -away, chance.uniform(40, 700, 2).tolist())


def _beside_the_camera(eye: Eye, reach: float, chance: np.random.Generator) -> Mesh:
    place = eye.place + np.append(chance.uniform(-60, 60, 2), 15.0)
    return disc(place, -place, float(chance.uniform(4, 30)))


def room(taste: Taste, chance: np.random.Generator) -> NDArray[np.float32]:
    """Returns (height, width, 3) radiance of the surroundings: ceiling first, floor last."""
    height, width = _ROOM
    usual = float(np.exp(chance.uniform(*np.log(taste.ambient))))
    up = np.linspace(1, -1, height)[:, None, None]
    walls = np.full((height, width, 3), usual) * np.exp(chance.normal(0, 0.6) * up)
    u, v = np.meshgrid(np.arange(width), np.arange(height))
    for _ in range(int(chance.integers(0, 7))):
        middle, sizes = chance.integers(0, width), chance.integers(2, 14, 2)
        level = chance.integers(0, round(0.7 * height))
        away = np.abs((u - middle + width / 2) % width - width / 2)
        part = (away < sizes[0]) & (np.abs(v - level) < sizes[1] / 2)
        bright = np.exp(chance.uniform(-1.5, 2.5))
        walls[part] *= bright * np.clip(chance.normal(1, 0.15, 3), 0.4, 1.6)
    return np.asarray(walls * _tint(taste, chance), np.float32)


def person(
    sources: list[AreaLight], eye: Eye, reach: float, taste: Taste, chance: np.random.Generator
) -> Mesh | None:
    """Returns a person between a lamp and the board, outside the picture; None if none fits."""
    for _ in range(_TRIES if sources else 0):
        lamp = sources[int(chance.integers(len(sources)))].body.vertices.mean(axis=0)
        shaded = np.append(chance.uniform(-reach, reach, 2), 0.0)
        share = chance.uniform(0.15, 0.7) * min(1.0, 1500 / float(np.linalg.norm(lamp)))
        axes = chance.uniform(*taste.girth, 3)
        body = ellipsoid(shaded + (lamp - shaded) * share, axes, np.eye(3), [0.05, 0.04, 0.04])
        outside = body.vertices[:, 2].min() > 20 and not eye.sees(body.vertices)
        if outside and np.linalg.norm(body.vertices.mean(axis=0) - eye.place) > axes.max() + 30:
            return body
    return None
