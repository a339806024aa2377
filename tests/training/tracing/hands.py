"""Objects between the camera and the squares: hands, sleeves, and things left on the board.

Each is a list of convex bodies, whose outline in a picture is the hull of their vertices.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tests.training.tracing.mesh import (
    Mesh,
    Values,
    about_z,
    box,
    capsule,
    cylinder,
    ellipsoid,
    leaning,
    vector,
)
from tests.training.tracing.tiles import TileForm, unit_of

_DARK, _FAIR = np.array([0.07, 0.035, 0.022]), np.array([0.75, 0.5, 0.4])
"""Albedo of dark and of fair skin in red, green and blue."""

_KNUCKLES: Final = ((-33.0, -4.0), (-11.0, 4.0), (11.0, 3.0), (31.0, -5.0))
"""Bases of the fingers, across and along the palm, in mm from the middle of its front."""

_PALM: Final = (44.0, 46.0, 15.0)


def hand(tip: ArrayLike, heading: float, scale: float, chance: np.random.Generator) -> list[Mesh]:
    """Returns a hand whose fingers reach a place, with its forearm.

    Args:
        tip: (3,) the place.
        heading: direction of the fingers in degrees, to the left from x.
        scale: 1 for the hand of an adult.
        chance: random choices of pose and look.
    """
    skin = _skin(chance)
    flat = chance.random() < 0.3
    rise = float(chance.uniform(8, 20) if flat else chance.uniform(22, 60))
    reach = float(chance.uniform(70, 84) if flat else chance.uniform(45, 80))
    front = np.array([0.0, -reach, rise])
    tips = _stretched(chance) if flat else _gripping(chance)
    lean = leaning(float(chance.uniform(-8, 22)), 0)
    parts = [ellipsoid(front + vector(0, -40, 0), _PALM, lean, skin)]
    for knuckle, end in zip(_KNUCKLES, tips, strict=True):
        parts += _finger(front + vector(*knuckle, 0), end, float(chance.uniform(7, 9.5)), skin)
    thumb = np.array([float(chance.uniform(-45, -14)), float(chance.uniform(-50, -6)), 4.0])
    parts += _finger(front + vector(-34, -50, -4), thumb, 9.5, skin)
    parts += _arm(front + vector(0, -78, 0), skin, chance)
    mirrored = float(chance.choice([-1, 1]))
    turn = about_z(heading - 90) * scale
    return [_placed(part, mirrored, turn, np.asarray(tip, np.float64)) for part in parts]


def _placed(part: Mesh, mirrored: float, turn: Values, tip: Values) -> Mesh:
    faces = part.faces if mirrored > 0 else part.faces[:, ::-1]
    flipped = Mesh(part.vertices * [mirrored, 1, 1], faces, part.colours)
    return _mottled(flipped.moved(tip, turn))


def _skin(chance: np.random.Generator) -> Values:
    if chance.random() < 0.06:
        return np.exp(chance.uniform(-4, -0.3, 3))
    share = chance.random()
    return np.asarray(_DARK ** (1 - share) * _FAIR**share * chance.normal(1, 0.08, 3))


def _mottled(part: Mesh) -> Mesh:
    """Varies the colour of a part, as on skin and cloth."""
    x, y, z = part.middles.T
    waves = np.sin(x / 5 + np.sin(y / 7)) + np.sin(y / 4 + x / 9) + np.sin(z / 3 + y / 11)
    return part.painted(np.clip(part.colours * np.exp(0.06 * waves)[:, None], 0.005, 0.9))


def _stretched(chance: np.random.Generator) -> list[Values]:
    """Returns the ends of the four fingers of a flat hand, in mm from the place it reaches."""
    spread, lengths = float(chance.uniform(0.8, 1.8)), (-14, 0, -3, -18)
    ends = zip(_KNUCKLES, lengths, strict=True)
    return [vector(spread * across, along, 3) for (across, _), along in ends]


def _gripping(chance: np.random.Generator) -> list[Values]:
    """Returns the ends of the four fingers when the first and the thumb hold something."""
    curled = chance.random() < 0.5
    tips = [vector(-4, 0, 0)]
    for number in (1, 2, 3):
        back = float(chance.uniform(25, 48)) if curled else float(chance.uniform(0, 14)) * number
        tips.append(vector(-4 + 16 * number, -back, float(chance.uniform(2, 14))))
    return tips


def _finger(knuckle: ArrayLike, end: Values, thick: float, skin: Values) -> list[Mesh]:
    start = np.asarray(knuckle, np.float64)
    tip = end + vector(0, 0, thick * 0.8)
    arch = 0.21 * float(np.linalg.norm(tip - start))
    bend = 0.45 * start + 0.55 * tip + vector(0, 0, arch)
    last = 0.4 * bend + 0.6 * tip + vector(0, 0, 2.0)
    return [
        capsule([start, bend], (thick * 1.15, thick * 1.05), skin),
        capsule([bend, last], (thick * 1.05, thick * 0.95), skin),
        capsule([last, tip], (thick * 0.95, thick * 0.8), skin),
    ]


def _arm(wrist: Values, skin: Values, chance: np.random.Generator) -> list[Mesh]:
    rise = float(chance.uniform(0, 90))
    elbow = wrist + vector(float(chance.uniform(-60, 60)), -260, rise)
    parts = [capsule([wrist + vector(0, 20, 0), elbow], (26, 38), skin)]
    if chance.random() < 0.6:
        cuff = wrist + (elbow - wrist) * float(chance.uniform(0.1, 0.5))
        cloth = np.exp(chance.uniform(np.log(0.01), np.log(0.8))) * chance.uniform(0.3, 1.2, 3)
        parts.append(capsule([cuff, elbow], (36, 52), np.clip(cloth, 0.008, 0.85)))
    return parts


def thing(place: ArrayLike, form: TileForm, chance: np.random.Generator) -> list[Mesh]:
    """Returns an object left on the board, standing or lying on a place."""
    kind = str(chance.choice(["pen", "phone", "cup", "coin", "card", "pieces", "pieces"]))
    colour = np.clip(np.exp(chance.uniform(-4.4, -0.2)) * chance.uniform(0.4, 1.3, 3), 0.008, 0.85)
    turn = about_z(float(chance.uniform(0, 360)))
    if kind == "pieces":
        return _loose(place, form, colour, chance)
    if kind == "pen":
        parts = [capsule([[-65, 0, 5], [65, 0, 5]], (4.5, 3.5), colour)]
    elif kind == "phone":
        parts = [box([145, 70, 8], [0.02, 0.02, 0.02])]
    elif kind == "cup":
        radius, height = float(chance.uniform(25, 42)), float(chance.uniform(40, 95))
        parts = [cylinder(radius, height, colour)]
        lid = cylinder(radius * 0.9, 0.4, [0.03, 0.015, 0.01]).moved([0, 0, height])
        parts.append(lid)
    elif kind == "coin":
        parts = [cylinder(float(chance.uniform(8, 13)), 2, [0.45, 0.3, 0.12])]
    else:
        parts = [box([float(chance.uniform(50, 90)), 58, 1.2], colour)]
    return [part.moved(place, turn) for part in parts]


def _loose(
    place: ArrayLike, form: TileForm, colour: Values, chance: np.random.Generator
) -> list[Mesh]:
    """Returns tiles of the set askew across squares, on top of other pieces."""
    turn = leaning(*chance.uniform(-6, 6, 2)) @ about_z(float(chance.uniform(15, 75)))
    count = int(chance.integers(1, 5))
    bent = int(chance.integers(0, count))
    parts = []
    for number in range(count):
        corner = (number - bent) if number > bent else 0
        ends = (number in (0, count), corner == 0 and number >= bent, True, True)
        step = np.array([number - corner, corner, 0]) * form.pitch
        whole = (True, True, True, True) if 0 < bent < count - 1 else ends
        parts.append(unit_of(form, whole).moved(step).painted(colour))
    return [part.moved(place, turn) for part in parts]
