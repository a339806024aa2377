"""A board on a table, lit and looked at: everything that is to be traced, and what is true of it.

Nothing here traces; it is drawn by chance alone, so that a seed is a scene.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.trials.traced.board import BoardForm, board_and_marks, board_form, middle_of, table_mesh
from tests.trials.traced.eye import Eye
from tests.trials.traced.hands import hand, thing
from tests.trials.traced.lamps import Lamp, lamps, person, room
from tests.trials.traced.layout import Laid, colours_of, laid
from tests.trials.traced.leds import Glow, glows
from tests.trials.traced.looks import Finish, Look, look
from tests.trials.traced.mesh import Mesh, Values, about_z, joined, vector
from tests.trials.traced.taste import Taste
from tests.trials.traced.tiles import Carelessness, TileForm, laid_down, tinted
from tests.trials.traced.truth import hidden_shares, shapes_of

SQUARES: Final = 14
"""Along a side of what is looked at; a larger board is cut."""

_LARGER: Final = 20
_PITCH_MM: Final = 16.0
_TABLE_MM: Final = 600.0
_AROUND: Final = 1.4
"""Squares that are seen beyond the field."""

_SKIN, _CLOTH = Finish(0.35, 0.6), Finish(0.5, 0.2)


@dataclass(frozen=True, slots=True)
class Body:
    """A surface and its finish."""

    mesh: Mesh
    finish: Finish


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is to be traced, and the truth.

    Attributes:
        eye: the camera.
        bodies: whatever does not shine.
        lamps: whatever does.
        glows: LEDs.
        board: how the board is made.
        room: (h, w, 3) radiance from all around.
        corners: (4, 3) outer corners of the field at the height of the ridges: top left, top
            right, bottom right, bottom left.
        colours: (n, n) 0 empty, then the number of the colour.
        shapes: (n, n) as `Board.shapes` has them, tiles being of any shade.
        look: what the set looks like.
    """

    eye: Eye
    bodies: tuple[Body, ...]
    lamps: tuple[Lamp, ...]
    glows: tuple[Glow, ...]
    board: BoardForm
    room: NDArray[np.float32]
    corners: Values
    colours: NDArray[np.intp]
    shapes: NDArray[np.intp]
    look: Look


@dataclass(frozen=True, slots=True, eq=False)
class _Set:
    """A board with pieces, of which the part from `start` (row, column) is looked at."""

    board: BoardForm
    tiles: TileForm
    pieces: list[Laid]
    look: Look
    start: tuple[int, int]

    @property
    def squares(self) -> list[tuple[int, int]]:
        """Those that are looked at, row by row."""
        row, column = self.start
        return [(row + r, column + c) for r in range(SQUARES) for c in range(SQUARES)]

    @property
    def colours(self) -> NDArray[np.intp]:
        """(n, n) the number of the colour on each of them, 0 where there is none."""
        row, column = self.start
        everywhere = colours_of(self.pieces, self.board.size)
        return everywhere[row : row + SQUARES, column : column + SQUARES]

    def outline(self, height: float) -> Values:
        """(4, 3) outer corners of the part looked at: top left, then clockwise."""
        return _corners(self.board, self.start, SQUARES, height)


def drawn(taste: Taste, chance: np.random.Generator) -> Scene:
    """A scene by chance."""
    laid_out = _set(taste, chance)
    eye = _eye(laid_out, chance)
    reach = _PITCH_MM * SQUARES / 2
    sources = lamps(eye, reach, taste, chance)
    around = room(taste, chance)
    paper = float(around[: len(around) // 2].mean()) + sum(lamp.given for lamp in sources)
    lights = glows(laid_out.squares, paper, laid_out.look.board, chance)
    lit = [square for light in lights for square in light.squares]
    above = _above(laid_out, eye, taste, chance)
    shapes = _shapes(laid_out, lit, eye, [part for body in above for part in body])
    bodies = _bodies(laid_out, chance)
    bodies += [Body(joined(parts), _SKIN) for parts in above]
    if chance.random() < taste.somebody:
        somebody = person(sources, eye, reach, taste, chance)
        bodies += [Body(somebody, _CLOTH)] if somebody is not None else []
    return Scene(
        eye,
        tuple(bodies),
        tuple(sources),
        tuple(lights),
        laid_out.board,
        around,
        laid_out.outline(laid_out.board.ridge_height),
        laid_out.colours,
        shapes,
        laid_out.look,
    )


def _set(taste: Taste, chance: np.random.Generator) -> _Set:
    size = SQUARES if chance.random() < 1 - taste.larger else _LARGER
    colours = 2 if size == SQUARES else int(chance.integers(2, 5))
    looks = look(colours, taste, chance)
    row, column = (int(place) for place in chance.integers(0, size - SQUARES + 1, 2))
    board = board_form(size, _PITCH_MM, looks.board, chance)
    tiles = TileForm.drawn(_PITCH_MM, chance)
    return _Set(board, tiles, laid(size, colours, chance), looks, (row, column))


def _corners(board: BoardForm, start: tuple[int, int], count: int, height: float) -> Values:
    """(4, 3) corners of some squares: top left, top right, bottom right, bottom left."""
    left, top, _ = middle_of(start, board) + np.array([-0.5, 0.5, 0]) * board.pitch
    right, bottom = left + count * board.pitch, top - count * board.pitch
    flat = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array([[x, y, height] for x, y in flat])


def _eye(laid_out: _Set, chance: np.random.Generator) -> Eye:
    field = laid_out.outline(laid_out.board.ridge_height)
    tilt = np.radians(abs(float(np.clip(chance.normal(0, 14), -35, 35))))
    angle = chance.uniform(0, 2 * np.pi)
    away = np.array([np.sin(tilt) * np.cos(angle), np.sin(tilt) * np.sin(angle), np.cos(tilt)])
    middle = field.mean(axis=0)
    roll = float(chance.uniform(-45, 45) if chance.random() < 0.25 else chance.normal(0, 5))
    square = float(np.exp(chance.uniform(np.log(12.5), np.log(25))))
    wide = np.cos(np.radians(abs(roll))) + np.sin(np.radians(abs(roll)))
    side = int(round(square * (SQUARES + 2 * _AROUND) * wide / 32) * 32)
    eye = Eye.looking(middle + away * float(chance.uniform(330, 1000)), middle, roll, side)
    wider = middle + (field - middle) * (1 + 2 * _AROUND / SQUARES)
    return eye.around(wider)


def _bodies(laid_out: _Set, chance: np.random.Generator) -> list[Body]:
    board, form, looks = laid_out.board, laid_out.tiles, laid_out.look
    marked = [laid_out.squares[k] for k in chance.permutation(SQUARES**2)[: chance.integers(0, 5)]]
    bodies = [Body(board_and_marks(board, marked, chance), looks.board_finish)]
    care = Carelessness(
        float(chance.choice([0.08, 0.2, 0.4])),
        float(chance.choice([0.2, 0.6, 1.2])),
        float(chance.choice([0.0, 0.05, 0.2])),
        board.ridge_height,
    )
    pieces = [
        tinted(laid_down(p, form, board.size, care, chance), looks.tiles[p.colour - 1], chance)
        for p in laid_out.pieces
    ]
    bodies += [Body(joined(pieces), looks.tile_finish)] if pieces else []
    table = table_mesh(_TABLE_MM, -board.thickness, chance)
    middle = laid_out.outline(0).mean(axis=0)
    return [*bodies, Body(table.moved(middle, about_z(chance.uniform(0, 90))), _CLOTH)]


def _above(laid_out: _Set, eye: Eye, taste: Taste, chance: np.random.Generator) -> list[list[Mesh]]:
    """Hands and things, each a list of convex bodies."""
    top = laid_out.tiles.height + 1.0
    found = []
    hands = int(chance.choice([0, 1, 2], p=taste.hands))
    for number in range(hands + (chance.random() < 0.22)):
        square = laid_out.squares[int(chance.integers(SQUARES**2))]
        place = middle_of(square, laid_out.board) + vector(0, 0, top)
        if number >= hands:
            found.append(thing(place, laid_out.tiles, chance))
            continue
        inward = np.degrees(np.arctan2(-place[1], -place[0])) + chance.normal(0, 50)
        raised = float(chance.choice([0.0, chance.uniform(0, 40)]))
        scale = float(chance.uniform(0.75, 1.1))
        found.append(hand(place + vector(0, 0, raised), float(inward), scale, chance))
    return [parts for parts in found if joined(parts).vertices[:, 2].max() < eye.place[2]]


def _shapes(
    laid_out: _Set,
    lit: Sequence[tuple[int, int]],
    eye: Eye,
    above: Sequence[Mesh],
) -> NDArray[np.intp]:
    """What is seen of each square, hands and things that lie above included."""
    row, column = laid_out.start
    colours = laid_out.colours
    tops = np.where(colours > 0, laid_out.tiles.height, 0.0).ravel().tolist()
    places = zip(laid_out.squares, tops, strict=True)
    corners = [_corners(laid_out.board, square, 1, top) for square, top in places]
    outlines = np.reshape(corners, (SQUARES, SQUARES, 4, 3))
    here = [(r - row, c - column) for r, c in lit]
    return shapes_of(colours, here, hidden_shares(eye, above, outlines))
