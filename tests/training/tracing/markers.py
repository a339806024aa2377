"""The four printed markers around a board, placed by hand: see `vision.detection.markers`."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tests.training.tracing.board import BoardForm
from tests.training.tracing.mesh import Mesh, Values, about_z, box, joined, relief, vector
from vision.detection.markers import IDS

_CELLS: Final = 6
"""Cells along a side of a marker, including its black edge."""

_PAPER_MM: Final = 0.2
_BLACK, _WHITE = 0.03, 0.8
_WAYS: Final = ((-1, 1), (1, 1), (1, -1), (-1, -1))
"""Directions from the middle of the board to each marker, right and up."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """Placement of markers; lengths in mm.

    Attributes:
        side: side of a marker's black square.
        margin: margin of the white card around it.
        aside: True if they are beside the board's corners, False if diagonally off them.
        level: True if they are at the height of the board's rim, False if on the table.
        shift: standard deviation of the shift.
        turn: standard deviation of the turn in degrees.
    """

    side: float
    margin: float
    aside: bool
    level: bool
    shift: float
    turn: float

    @staticmethod
    def drawn(chance: np.random.Generator) -> "Stuck":
        """Returns a random placement."""
        rough = bool(chance.random() < 0.6)
        return Stuck(
            float(chance.choice([22, 25, 28])),
            5.0,
            aside=bool(chance.random() < 0.5),
            level=bool(chance.random() < 0.35),
            shift=1.0 if rough else 0.0,
            turn=0.6 if rough else 0.0,
        )


def markers_around(form: BoardForm, stuck: Stuck, chance: np.random.Generator) -> list[Mesh]:
    """Returns the markers of a board, in the order of their ids."""
    edge = form.size * form.pitch / 2 + form.gap + form.frame_width
    card = stuck.side / 2 + stuck.margin
    inward = (edge - card) if stuck.aside else edge + card + 1
    rise = form.frame_height + form.thickness if stuck.level else 0.0
    found = []
    for name, (right, up) in zip(IDS, _WAYS, strict=True):
        shift = np.clip(chance.normal(0, stuck.shift, 2), -2, 2)
        turn = about_z(float(np.clip(chance.normal(0, stuck.turn), -1, 1)))
        place = vector(right * (edge + card + 1), up * inward, rise - form.thickness)
        card_here = _card(name, stuck, rise).moved(place + np.append(shift, 0), turn)
        found.append(card_here)
    return found


def _card(name: int, stuck: Stuck, rise: float) -> Mesh:
    """Returns a marker on its card, at the height 0, and its support down to the table."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = np.asarray(cv2.aruco.generateImageMarker(dictionary, name, _CELLS))
    shades = np.pad(np.where(bits > 0, _WHITE, _BLACK), 1, constant_values=_WHITE)
    half = stuck.side / 2
    places: Values = np.linspace(-half, half, _CELLS + 1)
    places = np.concatenate([[-half - stuck.margin], places, [half + stuck.margin]])
    top, faces = relief(places, places, np.full((len(places),) * 2, _PAPER_MM))
    upright = shades[::-1].ravel()
    paint = np.concatenate([upright, upright])[:, None].repeat(3, axis=1)
    paper = Mesh.of(top, faces).painted(paint)
    if not rise:
        return paper
    wide = 2 * (half + stuck.margin)
    return joined([paper, box([wide, wide, rise], 0.3).moved([0, 0, -rise])])
