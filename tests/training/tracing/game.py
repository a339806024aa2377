"""The frames of a game on one table under one camera. Pure.

The truth has the format of the recorded game of the further data, so that the same trial reads
both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from firmware.rules.variants import EDITIONS
from tests.training.tracing.board import board_and_marks, board_form, middle_of, table_mesh
from tests.training.tracing.eye import Eye, upwards
from tests.training.tracing.hands import hand
from tests.training.tracing.lamps import AreaLight, lamps, person, room
from tests.training.tracing.looks import Finish, PieceSetLook
from tests.training.tracing.markers import Stuck, markers_around
from tests.training.tracing.mesh import Mesh, Values, about_z, joined, vector
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
from tests.training.tracing.story import SIDE, STARTS, Shot, StoryPiece
from tests.training.tracing.taste import Taste
from tests.training.tracing.tiles import (
    Carelessness,
    TileForm,
    laid_down,
    piece_mesh,
    rested,
    tinted,
)

PLASTIC: Final = {
    "purple": (92, 41, 140),
    "orange": (240, 109, 18),
    "black": (18, 19, 20),
    "white": (228, 228, 222),
    "blue": (14, 65, 168),
    "green": (24, 139, 62),
    "red": (190, 19, 24),
    "yellow": (243, 203, 29),
}
"""sRGB colours of the pieces of usual sets."""

_BOARDS: Final = ((51, 51, 52), (86, 96, 116), (19, 20, 20), (214, 211, 203), (150, 150, 150))
_SETS: Final = ("purple-orange", "purple-orange", "black-white", "blue-green", "red-yellow")
_HIDDEN: Final = 0.05
"""Hidden share of a square above which the truth marks it as hidden."""

_HELD_MM: Final = (6.0, 40.0)
_KINDS: Final = ("table", "eye", "lamps", "room", "marks", "pieces", "tint", "hand", "person")


@dataclass(frozen=True, slots=True, eq=False)
class TracedTable:
    """The constant parts of a game.

    Attributes:
        seed: seed of all random choices.
        palette: names of the two colours.
        setting: board without pieces.
        fixed: board, markers, table.
        eye: camera; `bumped` is the camera after a push.
        lamps: light sources.
        care: placement errors of people.
        is_marked: True if there are markers.
    """

    seed: tuple[int, ...]
    palette: tuple[str, ...]
    setting: TracedBoard
    fixed: tuple[Body, ...]
    eye: Eye
    bumped: Eye
    lamps: tuple[AreaLight, ...]
    care: Carelessness
    taste: Taste
    is_marked: bool

    @staticmethod
    def drawn(seed: tuple[int, ...], taste: Taste) -> "TracedTable":
        """Returns a random table."""
        chance = _chance(seed, "table")
        palette = EDITIONS[_SETS[int(chance.integers(len(_SETS)))]]
        dark = 0.75 if palette == EDITIONS["purple-orange"] else 0.9
        which = chance.integers(3) if chance.random() < dark else chance.integers(3, 5)
        usual = _light(np.array([PLASTIC[name] for name in palette]))
        look = PieceSetLook(
            _light(np.array(_BOARDS[int(which)])) * chance.normal(1, 0.05, 3),
            usual * chance.normal(1, 0.04, usual.shape),
            Finish(float(chance.uniform(0.1, 0.5)), float(chance.uniform(0.3, 0.9))),
            Finish(float(chance.uniform(0.03, 0.25)), float(chance.uniform(0.6, 1.0))),
        )
        board = board_form(SIDE, PITCH_MM, look.board, chance)
        board = board if board.lines == "ridge" else replace(board, lines="ridge", line_height=0.9)
        setting = TracedBoard(board, TileForm.drawn(PITCH_MM, chance), [], look, (0, 0))
        is_marked = bool(chance.random() < 0.75)
        stuck = Stuck.drawn(chance)
        cards = markers_around(board, stuck, chance) if is_marked else []
        eye, bumped = _eyes(setting, cards, _chance(seed, "eye"))
        care = Carelessness(0.25, float(chance.uniform(0.3, 0.9)), 0.05, board.ridge_height)
        sources = lamps(eye, PITCH_MM * SQUARES / 2, taste, _chance(seed, "lamps"))
        fixed = (
            Body(board_and_marks(board, STARTS, _chance(seed, "marks")), look.board_finish),
            Body(table_mesh(TABLE_MM, -board.thickness, chance), CLOTH),
            *([Body(joined(cards), CLOTH)] if cards else []),
        )
        return TracedTable(
            seed, palette, setting, fixed, eye, bumped, tuple(sources), care, taste, is_marked
        )

    def scene(self, shot: Shot, number: int) -> tuple[TracedScene, Values]:
        """Returns the scene of a frame, and the hidden share of each square."""
        pieces = [laid.piece for laid in shot.placed]
        setting = replace(self.setting, pieces=pieces)
        eye = self.bumped if shot.bumped else self.eye
        laid = [self._mesh_of(one, place) for place, one in enumerate(shot.placed)]
        limbs, held = self._above(shot, number)
        tops = [*laid, *held]
        bodies = [*self.fixed, *([Body(joined(tops), setting.look.tile_finish)] if tops else [])]
        bodies += [Body(joined(limbs), SKIN)] if limbs else []
        bodies += self._somebody(eye, number) if limbs else []
        hidden = hidden_in(setting, eye, [*limbs, *held])
        sources = [replace(lamp, paper=lamp.paper * shot.light) for lamp in self.lamps]
        around = room(self.taste, _chance(self.seed, "room")) * np.float32(shot.light)
        scene = TracedScene(
            eye,
            tuple(bodies),
            tuple(sources),
            (),
            setting.board,
            around,
            setting.outline(setting.board.ridge_height),
            setting.colours,
            setting.piece_numbers,
            shapes_seen(setting, [], hidden),
            setting.look,
        )
        return scene, hidden

    def _mesh_of(self, one: StoryPiece, place: int) -> Mesh:
        colour = self.setting.look.tiles[one.piece.colour - 1]
        chance = _chance(self.seed, "pieces", place, one.draw)
        mesh = laid_down(one.piece, self.setting.tiles, SIDE, self.care, chance)
        return tinted(rested(mesh, self.setting.board), colour, _chance(self.seed, "tint", place))

    def _above(self, shot: Shot, number: int) -> tuple[list[Mesh], list[Mesh]]:
        """Returns the parts of a hand, and of the piece that it holds."""
        if not shot.reaching:
            return [], []
        chance = _chance(self.seed, "hand", number)
        row, column = shot.reaching[int(chance.integers(len(shot.reaching)))]
        place = middle_of((row, column), self.setting.board)
        rise = self.setting.tiles.height + float(chance.uniform(*_HELD_MM))
        tip = place + vector(0, 0, rise + (self.setting.tiles.height if shot.held else 0))
        inward = np.degrees(np.arctan2(-place[1], -place[0])) + chance.normal(0, 35)
        limbs = hand(tip, float(inward), float(chance.uniform(0.75, 1.05)), chance)
        if shot.held is None:
            return limbs, []
        colour = self.setting.look.tiles[shot.held.colour - 1]
        turn = about_z(float(chance.uniform(-40, 40)))
        held = piece_mesh(shot.held, self.setting.tiles)
        return limbs, [tinted(held, colour, chance).moved(place + vector(0, 0, rise), turn)]

    def _somebody(self, eye: Eye, number: int) -> list[Body]:
        """Returns the player, who may stand in the light."""
        chance = _chance(self.seed, "person", number)
        if chance.random() > self.taste.somebody:
            return []
        body = person(list(self.lamps), eye, PITCH_MM * SIDE / 2, self.taste, chance)
        return [] if body is None else [Body(body, CLOTH)]

    def labels(self, shot: Shot, scene: TracedScene, hidden: Values, file: str) -> dict[str, Any]:
        """Returns the truth of a frame."""
        rows, columns = np.nonzero(hidden > _HIDDEN)
        return {
            "file": file,
            "state": "hand" if shot.reaching else "settled",
            "cells_physical": ["".join(".AB"[c] for c in row) for row in scene.colours],
            "occluded_cells": [
                [int(c), SIDE - 1 - int(r)] for r, c in zip(rows, columns, strict=True)
            ],
            "grid_corners_px": scene.eye.project(scene.corners).round(3).tolist(),
        }

    def described(self) -> dict[str, Any]:
        """Returns the truth of the whole game."""
        first, second = self.palette
        return {
            "game": "duo",
            "size": SIDE,
            "edition": {
                "name": "-".join(self.palette),
                "A": {"name": first},
                "B": {"name": second},
            },
            "flags": {"markers": self.is_marked},
        }


def _eyes(
    setting: TracedBoard, cards: Sequence[Mesh], chance: np.random.Generator
) -> tuple[Eye, Eye]:
    """Returns a camera roughly above the board, and the same after a push."""
    field = setting.outline(0)
    tilt, angle = np.radians(chance.uniform(0, 15)), chance.uniform(0, 2 * np.pi)
    away = upwards(tilt, angle)
    middle = field.mean(axis=0)
    reach = joined(cards).vertices if cards else middle + (field - middle) * 1.15
    share = np.abs(reach[:, :2]).max() / np.abs(field[:, :2]).max()
    square = float(chance.uniform(15, 26))
    side = int(round(square * SIDE * share * 1.05 / 32) * 32)
    place = middle + away * float(chance.uniform(350, 800))
    roll = float(chance.normal(0, 4))
    eye = Eye.looking(place, middle, roll, side).around(middle + (reach - middle) * 1.04)
    pushed = Eye.looking(
        place + np.append(chance.normal(0, 3, 2), 0),
        middle + np.append(chance.normal(0, 2, 2), 0),
        roll + float(chance.normal(0, 0.5)),
        side,
    )
    return eye, replace(pushed, focal=eye.focal)


def _light(colour: Values) -> Values:
    """Returns linear light of sRGB colours from 0 to 255."""
    return np.asarray((colour / 255) ** 2.2)


def _chance(seed: Sequence[int], kind: str, *numbers: int) -> np.random.Generator:
    """Returns a generator for one kind of choice, independent of all other kinds."""
    return np.random.default_rng([*seed, _KINDS.index(kind), *numbers])
