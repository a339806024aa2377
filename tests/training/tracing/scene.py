"""Random scenes: boards as diverse as possible, with objects on them and above.

This module does not trace: a scene depends only on its seed.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from tests.training.tracing.board import board_and_marks, board_form, middle_of, table_mesh
from tests.training.tracing.eye import Eye, upwards
from tests.training.tracing.hands import hand, thing
from tests.training.tracing.lamps import lamps, person, room
from tests.training.tracing.layout import misplaced, random_layout
from tests.training.tracing.leds import glows
from tests.training.tracing.looks import look
from tests.training.tracing.mesh import Mesh, about_z, joined, vector
from tests.training.tracing.setting import (
    CLOTH,
    PITCH_MM,
    SKIN,
    SQUARES,
    TABLE_MM,
    Body,
    TracedBoard,
    TracedScene,
    hidden_in,
    shapes_seen,
)
from tests.training.tracing.taste import Framing, Taste
from tests.training.tracing.tiles import Carelessness, TileForm, laid_down, tinted

_LARGER: Final = 20
_MISPLACED: Final = 0.6
"""Share of boards with pieces between squares."""


def drawn(taste: Taste, chance: np.random.Generator) -> TracedScene:
    """Returns a random scene."""
    laid_out = _set(taste, chance)
    eye = _eye(laid_out, taste.framing, chance)
    reach = PITCH_MM * laid_out.count / 2
    sources = lamps(eye, reach, taste, chance)
    around = room(taste, chance)
    paper = float(around[: len(around) // 2].mean()) + sum(lamp.paper for lamp in sources)
    lights = glows(laid_out.squares, paper, laid_out.look.board, chance)
    lit = [square for light in lights for square in light.squares]
    above = _above(laid_out, eye, taste, chance)
    hidden = hidden_in(laid_out, eye, [part for body in above for part in body])
    bodies = _bodies(laid_out, chance)
    bodies += [Body(joined(parts), SKIN) for parts in above]
    if chance.random() < taste.somebody:
        somebody = person(sources, eye, reach, taste, chance)
        bodies += [Body(somebody, CLOTH)] if somebody is not None else []
    return TracedScene(
        eye,
        tuple(bodies),
        tuple(sources),
        tuple(lights),
        laid_out.board,
        around,
        laid_out.outline(laid_out.board.ridge_height),
        laid_out.colours,
        laid_out.piece_numbers,
        shapes_seen(laid_out, lit, hidden),
        laid_out.look,
    )


def _set(taste: Taste, chance: np.random.Generator) -> TracedBoard:
    size = SQUARES if chance.random() < 1 - taste.larger else _LARGER
    colours = 2 if size == SQUARES else int(chance.integers(2, 5))
    looks = look(colours, taste, chance)
    count = size if taste.framing.whole else SQUARES
    row, column = (int(place) for place in chance.integers(0, size - count + 1, 2))
    board = board_form(size, PITCH_MM, looks.board, chance)
    tiles = TileForm.drawn(PITCH_MM, chance)
    pieces = random_layout(size, colours, chance)
    (other,) = chance.spawn(1)
    if other.random() < _MISPLACED:
        pieces = misplaced(pieces, size, other)
    return TracedBoard(board, tiles, pieces, looks, (row, column), count)


def _eye(laid_out: TracedBoard, framing: Framing, chance: np.random.Generator) -> Eye:
    field = laid_out.outline(laid_out.board.ridge_height)
    spread, most = framing.tilt
    tilt = np.radians(abs(float(np.clip(chance.normal(0, spread), -most, most))))
    angle = chance.uniform(0, 2 * np.pi)
    away = upwards(tilt, angle)
    middle = field.mean(axis=0)
    is_askew = chance.random() < framing.askew
    roll = float(chance.uniform(-45, 45) if is_askew else chance.normal(0, 5))
    square = float(np.exp(chance.uniform(*np.log(framing.square_px))))
    around = float(chance.uniform(*framing.around))
    wide = np.cos(np.radians(abs(roll))) + np.sin(np.radians(abs(roll)))
    side = int(round(square * (laid_out.count + 2 * around) * wide / 32) * 32)
    far = float(chance.uniform(330, 1000)) * laid_out.count / SQUARES
    eye = Eye.looking(middle + away * far, middle, roll, side)
    wider = middle + (field - middle) * (1 + 2 * around / laid_out.count)
    eye = eye.around(wider)
    bend = float(chance.uniform(-framing.bend, 0.2 * framing.bend)) / eye.edge**2
    return replace(eye, bend=bend).around(wider)


def _bodies(laid_out: TracedBoard, chance: np.random.Generator) -> list[Body]:
    board, form, looks = laid_out.board, laid_out.tiles, laid_out.look
    order = chance.permutation(laid_out.count**2)
    marked = [laid_out.squares[k] for k in order[: chance.integers(0, 5)]]
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
    table = table_mesh(TABLE_MM, -board.thickness, chance)
    middle = laid_out.outline(0).mean(axis=0)
    return [*bodies, Body(table.moved(middle, about_z(chance.uniform(0, 90))), CLOTH)]


def _above(
    laid_out: TracedBoard, eye: Eye, taste: Taste, chance: np.random.Generator
) -> list[list[Mesh]]:
    """Returns hands and objects, each a list of convex bodies."""
    top = laid_out.tiles.height + 1.0
    found = []
    hands = int(chance.choice([0, 1, 2], p=taste.hands))
    for number in range(hands + (chance.random() < 0.22)):
        square = laid_out.squares[int(chance.integers(laid_out.count**2))]
        place = middle_of(square, laid_out.board) + vector(0, 0, top)
        if number >= hands:
            found.append(thing(place, laid_out.tiles, chance))
            continue
        inward = np.degrees(np.arctan2(-place[1], -place[0])) + chance.normal(0, 50)
        raised = float(chance.choice([0.0, chance.uniform(0, 40)]))
        scale = float(chance.uniform(0.75, 1.1))
        found.append(hand(place + vector(0, 0, raised), float(inward), scale, chance))
    return [parts for parts in found if joined(parts).vertices[:, 2].max() < eye.place[2]]
