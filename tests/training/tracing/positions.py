"""One picture of a position in an edition that is sold, with other grids next to it. Pure.

Such a picture may mislead a reader about the board or its edge: next to it there is a board with
squares of half its pitch, a chess board, a cloth with checks as large as its squares, or a second
board, and the camera is far enough away to show them.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from firmware.rules.position import Position
from tests.training.tracing.board import BoardForm, board_and_marks, board_form
from tests.training.tracing.eye import Eye, upwards
from tests.training.tracing.game import TracedTable
from tests.training.tracing.lamps import lamps
from tests.training.tracing.looks import Finish
from tests.training.tracing.mesh import Mesh, Values, about_z, joined, relief, vector
from tests.training.tracing.setting import CLOTH, PITCH_MM, SQUARES, TABLE_MM, Body, TracedScene
from tests.training.tracing.story import STARTS, Shot, StoryPiece, own
from tests.training.tracing.taste import Taste
from tests.training.tracing.tiles import laid_down, tinted

BESIDE: Final = ("nothing", "board", "chess", "cloth", "paper")
"""Kinds of grids next to a board."""

_SQUARED: Final = {"chess": (8, (25, 45)), "paper": (40, (5, 9))}
"""Squares along a side, and their smallest and largest width in mm."""

_MOVES: Final = 34
"""Largest number of pieces of a random game; most games end before."""

_PX: Final = (12.0, 22.0)
_MOST_PX: Final = 640
"""Smallest and largest pixels per square, and largest side of the picture in pixels."""

_LINED: Final = 0.9
"""Share of a square's width without its line."""

_BOARD_FINISH: Final = Finish(0.3, 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class TracedPosition:
    """A position on a table.

    Attributes:
        table: the board, its colours and the camera.
        shot: the pieces.
        beside: one of `BESIDE`.
    """

    table: TracedTable
    shot: Shot
    beside: str

    @staticmethod
    def drawn(seed: tuple[int, ...], taste: Taste, least: float = 0.0) -> "TracedPosition":
        """Returns a random position, with at least so many squares of the table in view."""
        table, chance = TracedTable.drawn(seed, taste), np.random.default_rng([*seed, len(BESIDE)])
        placed = tuple(StoryPiece(piece, 0) for piece in _played(chance))
        kind = str(chance.choice(BESIDE, p=[0.4, 0.15, 0.15, 0.15, 0.15]))
        eye = _eye(table, chance, least)
        fixed = _with_beside(table, kind, chance)
        lit = lamps(eye, PITCH_MM * SQUARES / 2, taste, chance)
        table = replace(table, eye=eye, fixed=fixed, lamps=tuple(lit) or table.lamps)
        return TracedPosition(table, Shot(placed), kind)

    def scene(self) -> TracedScene:
        """Returns the scene to trace."""
        return self.table.scene(self.shot, 1)[0]

    def truth(self, scene: TracedScene) -> dict[str, Any]:
        """Returns the truth of the picture, in the format of the renders of the further data."""
        facts = self.table.described()
        frame = self.table.labels(self.shot, scene, np.zeros((SQUARES, SQUARES)), "")
        return {
            "edition": facts["edition"],
            "flags": facts["flags"] | {"beside": self.beside},
            "cells": frame["cells_physical"],
            "occluded_cells": [],
            "grid_corners_px": frame["grid_corners_px"],
        }


def _played(chance: np.random.Generator) -> list[Any]:
    """Returns the pieces after some random legal moves, mostly large ones first, as people play."""
    position, pieces = Position.start("duo"), []
    for _ in range(int(chance.integers(1, _MOVES))):
        colour = position.to_move
        if colour is None:
            break
        moves = list(position.legal_moves)
        large = max(move.piece.size for move in moves)
        moves = [move for move in moves if move.piece.size == large or chance.random() < 0.1]
        move = moves[int(chance.integers(len(moves)))]
        pieces.append(own(move, colour))
        position = position.play(move)
    return pieces


def _eye(table: TracedTable, chance: np.random.Generator, least: float) -> Eye:
    """Returns a camera at a usual slant, with much of the table in its picture."""
    field = table.setting.outline(0)
    middle = field.mean(axis=0)
    tilt = np.radians(min(35.0, abs(float(chance.normal(0, 16)))))
    away = upwards(tilt, chance.uniform(0, 2 * np.pi))
    roll = float(chance.uniform(-45, 45) if chance.random() < 0.3 else chance.normal(0, 6))
    around = float(chance.choice([chance.uniform(1.3, 2.5), chance.uniform(2.5, 10)]))
    around = max(around, least, 3.5 if table.is_marked else 0.0)
    wide = (np.cos(np.radians(abs(roll))) + np.sin(np.radians(abs(roll)))) * (SQUARES + 2 * around)
    square = min(float(chance.uniform(*_PX)), _MOST_PX / wide)
    side = int(round(square * wide / 32) * 32)
    aim = middle + np.append(chance.normal(0, 0.15 * around * PITCH_MM, 2), 0)
    eye = Eye.looking(aim + away * float(chance.uniform(350, 1000)), aim, roll, side)
    wider = middle + (field - middle) * (1 + 2 * around / SQUARES)
    return eye.around(wider)


def _with_beside(table: TracedTable, kind: str, chance: np.random.Generator) -> tuple[Body, ...]:
    """Returns the fixed bodies of a table, with another grid next to the board."""
    board = table.setting.board
    edge = SQUARES * PITCH_MM / 2 + board.gap + board.frame_width
    gap = float(chance.uniform(2, 40)) + (45 if table.is_marked else 0)
    way = about_z(90.0 * int(chance.integers(4)) + float(chance.normal(0, 4)))
    aside = float(chance.normal(0, 60))
    if kind == "nothing":
        return table.fixed
    if kind == "cloth":
        base, cloth, *rest = table.fixed
        step = PITCH_MM * float(chance.choice([1.0, 0.5, 1.5, 2.0]))
        other = _checks(2 * TABLE_MM, step, chance).moved(vector(0, 0, -board.thickness))
        turn = about_z(0.0 if chance.random() < 0.5 else float(chance.normal(0, 8)))
        slid = np.append(chance.uniform(0, step, 2), 0)
        return (base, Body(other.moved(slid, turn), cloth.finish), *rest)
    if kind == "board":
        bodies = _second_board(table, chance)
        half = edge
    else:
        squares, steps = _SQUARED[kind]
        step = float(chance.uniform(*steps))
        half = squares * step / 2
        bodies = [Body(_checks(2 * half, step, chance).moved([0, 0, 0.5]), CLOTH)]
    place = vector(edge + gap + half, aside, -board.thickness if kind != "board" else 0)
    moved = [Body(body.mesh.moved(place).moved([0, 0, 0], way), body.finish) for body in bodies]
    return (*table.fixed, *moved)


def _second_board(table: TracedTable, chance: np.random.Generator) -> list[Body]:
    setting = table.setting
    board = setting.board if chance.random() < 0.5 else _other_board(chance)
    base = Body(board_and_marks(board, STARTS, chance), _BOARD_FINISH)
    pieces = [
        tinted(
            laid_down(piece, setting.tiles, SQUARES, table.care, chance),
            setting.look.tiles[piece.colour - 1],
            chance,
        )
        for piece in _played(chance)
    ]
    return [base, Body(joined(pieces), setting.look.tile_finish)]


def _other_board(chance: np.random.Generator) -> BoardForm:
    colour: Values = np.exp(chance.uniform(np.log(0.02), np.log(0.6))) * chance.uniform(0.8, 1.2, 3)
    return board_form(SQUARES, PITCH_MM, colour, chance)


def _checks(side: float, step: float, chance: np.random.Generator) -> Mesh:
    """Returns a flat square with a pattern of checks, or of thin lines between squares."""
    count = max(2, round(side / step))
    lined = bool(chance.random() < 0.5)
    share = np.array([0.0, _LINED]) if lined else np.array([0.0])
    places = (np.arange(count)[:, None] + share - count / 2).ravel() * step
    places = np.append(places, count / 2 * step)
    top, faces = relief(places, places, np.zeros((len(places),) * 2))
    flat = Mesh.of(top, faces)
    first, second = np.exp(chance.uniform(np.log(0.02), np.log(0.8), (2, 1)))
    first, second = first * chance.uniform(0.7, 1.2, 3), second * chance.uniform(0.7, 1.2, 3)
    at = flat.middles[:, :2] / step + count / 2
    number = np.floor(at).astype(np.intp)
    odd = np.where(lined, (at - number > _LINED).any(axis=1), number.sum(axis=1) % 2 == 1)
    return flat.painted(np.where(odd[:, None], first, second))
