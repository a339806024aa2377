"""Mesh of a board: squares, ridges or grooves between them, frame and start marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.mesh import (
    Mesh,
    Values,
    disc,
    ellipsoid,
    joined,
    relief,
    rim,
    vector,
    walled,
)

LINES: Final = ("ridge", "groove", "printed")
_SQUARE, _LINE, _FRAME = range(3)
_STEP_MM: Final = 0.12
"""Width of the slope of a ridge that is not round."""

_PRINT_MM: Final = 0.03
"""Height of print above the floor, so that it is not hidden by it."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardForm:
    """Shape and colours of a board; lengths in mm.

    Attributes:
        size: squares along a side.
        pitch: distance from one square to the next.
        lines: kind of the lines between squares, one of `LINES`.
        line_width: width of a ridge, groove or printed line.
        line_height: height of a ridge, depth of a groove, 0 for print.
        rounded: True if ridges and grooves are round.
        gap: distance between the field of squares and the frame.
        frame_width: width of the frame around the field.
        frame_height: height of the frame above the floor of the squares.
        thickness: height of the floor of the squares above the table.
        colours: (3, 3) albedo of squares, lines and frame.
        chequer: share by which every other square is darker, 0 if all are alike.
    """

    size: int
    pitch: float
    lines: str
    line_width: float
    line_height: float
    rounded: bool
    gap: float
    frame_width: float
    frame_height: float
    thickness: float
    colours: Values
    chequer: float

    @property
    def ridge_height(self) -> float:
        """Height of the lines around the squares above their floor."""
        return self.line_height if self.lines == "ridge" else 0.0


def board_form(size: int, pitch: float, colour: Values, chance: np.random.Generator) -> BoardForm:
    """Returns a random board with squares of a given colour."""
    lines = str(chance.choice(LINES, p=[0.8, 0.15, 0.05]))
    usual = colour * np.exp(chance.normal(0, 0.06, 3))
    line = usual if chance.random() < 0.7 else colour * np.exp(chance.normal(0, 0.7))
    if lines == "printed":
        line = colour * chance.choice([0.35, 0.6, 1.8, 3.0])
    frame = usual if chance.random() < 0.6 else np.exp(chance.uniform(-4, -0.3, 3))
    return BoardForm(
        size,
        pitch,
        lines,
        line_width=float(chance.uniform(0.4, 1.7)),
        line_height=0.0 if lines == "printed" else float(chance.uniform(0.4, 1.5)),
        rounded=bool(chance.random() < 0.5),
        gap=float(chance.choice([0.0, chance.uniform(0, 5)])),
        frame_width=float(chance.uniform(2, 22)),
        frame_height=float(chance.choice([0.0, chance.uniform(0.5, 5)], p=[0.2, 0.8])),
        thickness=float(chance.uniform(2, 8)),
        colours=np.clip([colour, line, frame], 0.008, 0.9),
        chequer=float(chance.uniform(0.1, 0.5)) if chance.random() < 0.05 else 0.0,
    )


def board_mesh(form: BoardForm, chance: np.random.Generator) -> Mesh:
    """Returns the board as a closed mesh, its middle over the origin."""
    places, lines, frame, fall = _profile(form)
    inside = np.abs(places) <= form.size * form.pitch / 2 + form.line_width / 2 + _STEP_MM
    along_x, along_y = np.where(inside[:, None], lines, 0), np.where(inside, lines[:, None], 0)
    pick = np.minimum if form.lines == "groove" else np.maximum
    heights = np.maximum(pick(along_x, along_y), np.maximum(frame, frame[:, None]))
    heights = heights - np.maximum(fall, fall[:, None])
    top, faces = relief(places, places, heights)
    edge = rim(len(places), len(places))
    floor = top[edge] * [1, 1, 0] - [0, 0, form.thickness]
    body = Mesh.of(*walled(top, faces, edge, floor), form.colours[_FRAME])
    return body.painted(_painted(places, body, len(faces), form, chance))


def _profile(form: BoardForm) -> tuple[Values, Values, Values, Values]:
    """Returns places along one axis with the heights of lines and frame and the drop of the rim."""
    half = form.size * form.pitch / 2
    offset, height = _line_profile(form)
    middles = (np.arange(form.size + 1) - form.size / 2) * form.pitch
    start = half + max(form.gap, form.line_width / 2 + 2 * _STEP_MM)
    slope = min(form.frame_width / 4, 0.3 + form.frame_height / 3)
    end = start + form.frame_width
    frame_places = np.array([start, start + slope, end - 0.6, end])
    places = np.concatenate([(middles[:, None] + offset).ravel(), frame_places, -frame_places])
    lines = np.concatenate([np.tile(height, len(middles)), np.zeros(8)])
    order = np.argsort(places)
    places, lines = places[order], lines[order]
    out = np.abs(places)
    frame = np.interp(out, [start, start + slope], [0, form.frame_height])
    frame = np.where(out < start - 1e-9, -np.inf, frame)
    return places, lines, frame, np.interp(out, [end - 0.6, end], [0.0, 0.6])


def _line_profile(form: BoardForm) -> tuple[Values, Values]:
    """Returns places across a line, and its height there."""
    half = form.line_width / 2
    sign = -1 if form.lines == "groove" else 1
    if form.rounded:
        share = np.array([-1, -0.8, -0.45, 0, 0.45, 0.8, 1])
        return half * share, sign * form.line_height * np.sqrt(1 - share**2)
    places = np.array([-half - _STEP_MM, -half, half, half + _STEP_MM])
    return places, sign * form.line_height * np.array([0, 1, 1, 0])


def _painted(
    places: Values, body: Mesh, on_top: int, form: BoardForm, chance: np.random.Generator
) -> Values:
    """Returns (m, 3) colours of the faces: of the surface first, then of the walls."""
    middles = (places[1:] + places[:-1]) / 2
    zone = _zones(middles, form)
    cells = np.maximum(zone[None, :], zone[:, None])
    shade = chance.normal(1, 0.012, cells.shape)
    if form.chequer:
        place = np.floor(middles / form.pitch + form.size / 2).astype(int)
        odd = (place[None, :] + place[:, None]) % 2 == 1
        shade = np.where(odd & (cells == _SQUARE), 1 - form.chequer, shade)
    colours = (form.colours[cells] * shade[..., None]).reshape(-1, 3)
    walls = np.tile(form.colours[_FRAME], (len(body.faces) - on_top, 1))
    return np.concatenate([colours, colours, walls])


def _zones(middles: Values, form: BoardForm) -> NDArray[np.intp]:
    """Returns the zone of places along one axis: square, line or frame."""
    half = form.size * form.pitch / 2
    away = np.abs((middles / form.pitch + form.size / 2 + 0.5) % 1 - 0.5) * form.pitch
    line = away <= form.line_width / 2 + (0 if form.rounded else _STEP_MM)
    zone = np.where(line, _LINE, _SQUARE)
    return np.where(np.abs(middles) > half + form.line_width / 2 + _STEP_MM, _FRAME, zone)


def middle_of(square: tuple[int, int], form: BoardForm) -> Values:
    """Returns (3,) the middle of the floor of a square, given as (row from the top, column)."""
    row, column = square
    half = form.size / 2
    return np.array([(column + 0.5 - half) * form.pitch, (half - row - 0.5) * form.pitch, 0])


def marks_mesh(
    squares: Sequence[tuple[int, int]], form: BoardForm, chance: np.random.Generator
) -> list[Mesh]:
    """Returns start marks on some squares, all of one kind: print, or a bump."""
    colour = np.clip(form.colours[_SQUARE] * chance.choice([0.2, 0.5, 2, 5]), 0.01, 0.9)
    colour = colour if chance.random() < 0.7 else chance.uniform(0.02, 0.85, 3)
    kind = str(chance.choice(["dot", "ring", "target", "bump"]))
    radius = float(chance.uniform(0.1, 0.32)) * form.pitch
    marks = []
    for square in squares:
        middle = middle_of(square, form)
        if kind == "bump":
            height = float(chance.uniform(0.3, 1.0))
            flat = ellipsoid(middle, [radius, radius, height], np.eye(3), form.colours[_SQUARE])
            marks.append(flat)
            continue
        sizes = {"dot": [1.0], "ring": [1.0, 0.65], "target": [1.0, 0.7, 0.4]}[kind]
        for number, share in enumerate(sizes):
            paint = form.colours[_SQUARE] if number % 2 else colour
            place = middle + vector(0, 0, _PRINT_MM * (number + 1))
            marks.append(disc(place, [0, 0, 1], radius * share, paint))
    return marks


def table_mesh(reach: float, height: float, chance: np.random.Generator) -> Mesh:
    """Returns a table, plain or with the pattern of a cloth or of wood."""
    places = np.linspace(-reach, reach, 160)
    top, faces = relief(places, places, np.full((160, 160), height))
    flat = Mesh.of(top, faces)
    x, y = flat.middles[:, 0], flat.middles[:, 1]
    step = float(chance.uniform(8, 40))
    pattern = {
        "plain": 0 * x,
        "checks": (np.floor(x / step) % 2 + np.floor(y / step) % 2) / 2,
        "stripes": np.floor(x / step) % 2,
        "dots": (np.hypot(x % step - step / 2, y % step - step / 2) < step / 3) * 1.0,
        "wood": 0.5 + 0.5 * np.sin(x / step * 6 + 2 * np.sin(y / step / 3)),
    }[str(chance.choice(["plain", "checks", "stripes", "dots", "wood"]))]
    first, second = np.exp(chance.uniform(np.log(0.02), np.log(0.8), (2, 1)))
    first, second = first * chance.uniform(0.6, 1.2, 3), second * chance.uniform(0.6, 1.2, 3)
    return flat.painted(np.clip(first + (second - first) * pattern[:, None], 0.01, 0.85))


def board_and_marks(
    form: BoardForm, squares: Sequence[tuple[int, int]], chance: np.random.Generator
) -> Mesh:
    """Returns the board with start marks on some of its squares."""
    return joined([board_mesh(form, chance), *marks_mesh(squares, form, chance)])
