"""Meshes of pieces: unit squares with bevels and shaped tops, joined or divided by grooves."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tests.training.tracing.board import BoardForm
from tests.training.tracing.layout import TracedPiece
from tests.training.tracing.mesh import Mesh, Values, about_z, joined, leaning, relief, rim, walled

TOPS: Final = ("flat", "dish", "pan", "pyramid", "stump", "dome", "tray", "plateau")
_CURVED: Final = ("dish", "dome")
_FINE: Final = 4
"""Steps of a curved top on each side of its middle."""

_ROUND: Final = 3
"""Steps of a rounded bevel."""

_STEP_MM: Final = 0.25
"""Width of the step around a tray or plateau."""

_SIDES: Final = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""(row, column) steps to the left, right, bottom and top neighbours."""


@dataclass(frozen=True, slots=True)
class TileForm:
    """Shape of the tiles of a set; lengths in mm.

    Attributes:
        pitch: distance from one square of the board to the next.
        unit: side of a single square, less than the pitch.
        height: height of the edge of the top above the underside.
        bevel: width and drop of the outer edges.
        groove: width and drop of the edges between squares of a piece; (0, 0) for none.
        rounded: True if bevels are round, False if straight.
        top: shape of the top, one of `TOPS`.
        relief: height of the middle of the top above its edge; negative if below.
        rim: width of the rim of a tray or plateau, as a share of half the unit.
    """

    pitch: float
    unit: float
    height: float
    bevel: tuple[float, float]
    groove: tuple[float, float]
    rounded: bool
    top: str
    relief: float
    rim: float

    @staticmethod
    def drawn(pitch: float, chance: np.random.Generator) -> "TileForm":
        """Returns a random form."""
        fine, wide = np.exp(chance.uniform(np.log(0.2), np.log(1.2))), chance.uniform(1.0, 2.8)
        width = float(fine if chance.random() < 0.5 else wide)
        bevel = (width, min(width * float(chance.uniform(0.4, 1.2)), 2.2))
        shallower = (bevel[0] * chance.uniform(0.2, 0.9), bevel[1] * chance.uniform(0.2, 0.9))
        groove = ((0.0, 0.0), shallower, bevel)[int(chance.choice(3, p=[0.15, 0.3, 0.55]))]
        return TileForm(
            pitch,
            unit=pitch - float(chance.uniform(0.25, 1.1)),
            height=float(chance.uniform(3.0, 6.5)),
            bevel=bevel,
            groove=groove,
            rounded=bool(chance.random() < 0.6),
            top=str(chance.choice(TOPS, p=[0.3, 0.18, 0.06, 0.12, 0.08, 0.04, 0.14, 0.08])),
            relief=float(chance.uniform(0.2, 1.4)),
            rim=float(chance.uniform(0.15, 0.45)),
        )


@dataclass(frozen=True, slots=True)
class Carelessness:
    """Placement errors of the pieces of one board.

    Attributes:
        shift: standard deviation of the shift in mm; never more than 1 mm.
        turn: standard deviation of the turn in degrees; never more than 2.
        perched: share of the pieces that are tilted on a ridge.
        ridge: height of the ridges in mm.
    """

    shift: float
    turn: float
    perched: float
    ridge: float


@cache
def unit_of(form: TileForm, parted: tuple[bool, bool, bool, bool]) -> Mesh:
    """Returns one square of a piece, its underside at 0 and its middle over the origin.

    Args:
        form: shape of the tiles.
        parted: True for each of its left, right, bottom and top side that is an outer side.
    """
    reach = [form.unit / 2 if outer else form.pitch / 2 for outer in parted]
    edges = [form.bevel if outer else form.groove for outer in parted]
    x, fall_x = _profile((-reach[0], reach[1]), (edges[0], edges[1]), form)
    y, fall_y = _profile((-reach[2], reach[3]), (edges[2], edges[3]), form)
    fall = np.maximum(fall_x[None, :], fall_y[:, None])
    top, faces = relief(x, y, form.height + _raised(x, y, form) - fall)
    edge = rim(len(x), len(y))
    return Mesh.of(*walled(top, faces, edge, top[edge] * [1, 1, 0]))


def _half(form: TileForm) -> float:
    """Returns the distance from the middle of a square to its bevel."""
    return form.unit / 2 - form.bevel[0]


def _profile(
    ends: tuple[float, float],
    edges: tuple[tuple[float, float], tuple[float, float]],
    form: TileForm,
) -> tuple[Values, Values]:
    """Returns places along one axis, and the drop of each below the top."""
    share = np.linspace(0, 1, _ROUND + 1 if form.rounded else 2)
    fall = 1 - np.sqrt(1 - (1 - share) ** 2) if form.rounded else 1 - share
    low, high = (end + sign * width * share for end, sign, (width, _) in
                 zip(ends, (1, -1), edges, strict=True))  # fmt: skip
    places = np.unique(np.concatenate([low, high, _places(form)]).round(6))
    at_low = np.interp(places, low, fall * edges[0][1], right=0.0) if edges[0][0] else 0.0
    at_high = np.interp(-places, -high, fall * edges[1][1], right=0.0) if edges[1][0] else 0.0
    return places, np.maximum(at_low, at_high) + 0 * places


def _places(form: TileForm) -> Values:
    """Returns the places along one axis that the shape of the top needs."""
    half = _half(form)
    if form.top in _CURVED:
        return np.asarray(np.linspace(-half, half, 2 * _FINE + 1))
    inner = half * (1 - form.rim)
    steps = {
        "flat": [half],
        "stump": [inner, half],
        "tray": [inner - _STEP_MM, inner, half],
        "plateau": [inner - _STEP_MM, inner, half],
    }.get(form.top, [0.0, half])
    return np.array([-step for step in steps] + steps)


def _raised(x: Values, y: Values, form: TileForm) -> Values:
    """Returns (len(y), len(x)) heights of the top above its edge."""
    half = _half(form)
    u, v = (np.clip(np.abs(places) / half, 0, 1) for places in np.meshgrid(x, y))
    out = np.maximum(u, v)
    inner = 1 - form.rim
    step = np.interp(out * half, [inner * half - _STEP_MM, inner * half], [1.0, 0.0])
    share = {
        "flat": 0 * out,
        "dish": -np.clip(1 - u**2 - v**2, 0, 1),
        "pan": out - 1,
        "pyramid": 1 - out,
        "stump": np.clip((1 - out) / form.rim, 0, 1),
        "dome": (1 - u**2) * (1 - v**2),
        "tray": -step,
        "plateau": step,
    }[form.top]
    return np.asarray(share * form.relief)


def piece_mesh(piece: TracedPiece, form: TileForm) -> Mesh:
    """Returns a piece whose underside is at 0 and whose middle is over the origin."""
    mine = set(piece.squares)
    middle = np.mean(piece.squares, axis=0)
    units = []
    for row, column in piece.squares:
        left, right, bottom, top = ((row + r, column + c) not in mine for r, c in _SIDES)
        place = np.array([column - middle[1], middle[0] - row, 0]) * form.pitch
        units.append(unit_of(form, (left, right, bottom, top)).moved(place))
    return joined(units)


def laid_down(
    piece: TracedPiece,
    form: TileForm,
    size: int,
    care: Carelessness,
    chance: np.random.Generator,
) -> Mesh:
    """Returns a piece at its place on a board of `size` squares a side, with a placement error."""
    row, column = np.mean(piece.squares, axis=0)
    shift = np.clip(chance.normal(0, care.shift, 2), -1, 1)
    lift, lean = chance.uniform(0.05, 0.25), np.eye(3)
    if chance.random() < care.perched:
        lift += care.ridge * chance.uniform(0.5, 1.0)
        lean = leaning(*chance.uniform(-2.5, 2.5, 2))
    turn = lean @ about_z(piece.turn_deg + float(np.clip(chance.normal(0, care.turn), -2, 2)))
    x = (column + piece.right + 0.5 - size / 2) * form.pitch
    y = (size / 2 - row - piece.down - 0.5) * form.pitch
    return piece_mesh(piece, form).moved([x + shift[0], y + shift[1], lift], turn)


def rested(mesh: Mesh, board: BoardForm) -> Mesh:
    """Returns a piece that reaches over the border, resting on what is below it.

    Beside the board it lies on the table. Over the frame it lies on that, or leans on it with the
    larger part inside.
    """
    half = board.size * board.pitch / 2
    start = half + board.gap
    x, y = mesh.vertices[:, 0], mesh.vertices[:, 1]
    ways = (x, -x, y, -y)
    out = np.max(ways, axis=0)
    if out.max() < half + board.pitch / 2:
        return mesh
    if out.min() > start + board.frame_width:
        return mesh.moved([0, 0, -board.thickness])
    over = [way for way in ways if way.max() > half + board.pitch / 2]
    inner = float(over[0].min())
    if len(over) > 1 or over[0].mean() > start - board.pitch / 2:
        return mesh.moved([0, 0, board.frame_height])
    lift = board.frame_height * (over[0] - inner) / (start - inner)
    raised = mesh.vertices + np.outer(lift, [0, 0, 1])
    return Mesh(raised, mesh.faces, mesh.colours)


def tinted(mesh: Mesh, colour: ArrayLike, chance: np.random.Generator) -> Mesh:
    """Returns the mesh in a colour, with a random variation for each piece."""
    return mesh.painted(np.clip(np.asarray(colour) * chance.normal(1, 0.03), 0.003, 0.95))
