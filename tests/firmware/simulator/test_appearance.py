"""Appearance of a virtual table: hues of its lights, heights of its pieces, and what is around."""

from colorsys import rgb_to_hsv

import numpy as np
import pytest

from firmware.lights.power_budget import corrected
from firmware.rules.board import Move
from firmware.rules.variants import EDITIONS, GAMES
from firmware.simulator.appearance import camera_pose, table_look
from firmware.simulator.table import (
    CELL_MM,
    FrameKind,
    Surroundings,
    TablePiece,
    VirtualTable,
)
from vision.plastics import PLASTICS


@pytest.mark.parametrize("name", PLASTICS)
@pytest.mark.parametrize("brightness", [1.0, 0.6, 0.2])
def test_a_light_has_the_hue_of_its_ink_in_the_picture(name: str, brightness: float) -> None:
    ink = PLASTICS[name].led
    table = VirtualTable(GAMES["duo"])
    (levels,) = corrected(np.array([ink], np.uint8), brightness).tolist()
    table.light((tuple(levels), *[(0, 0, 0)] * 195))
    (glow,) = table_look(table.scene, EDITIONS["purple-orange"]).glows
    hue, fullness, _ = rgb_to_hsv(*ink)
    seen, full, strength = rgb_to_hsv(*glow.colour)
    assert strength == max(levels)
    if fullness > 0.3:
        assert min(abs(seen - hue), 1 - abs(seen - hue)) < 14 / 360
        assert full > 0.3


@pytest.mark.parametrize(
    ("squares_out", "frame", "z_mm"),
    [
        (0.0, FrameKind.RAISED, 0.0),
        (0.45, FrameKind.RAISED, 0.0),
        (2.0, FrameKind.RAISED, 2.4),
        (2.0, FrameKind.PRINTED, 0.0),
        (3.5, FrameKind.RAISED, 2.4),
        (5.0, FrameKind.RAISED, -5.5),
    ],
)
def test_a_piece_lies_on_squares_frame_or_table(
    squares_out: float, frame: FrameKind, z_mm: float
) -> None:
    table = VirtualTable(GAMES["duo"])
    table.surround(Surroundings(frame=frame))
    table.lay(TablePiece(0, Move.parse("a9,b9,c9", 14), -CELL_MM * squares_out))
    look = table_look(table.scene, EDITIONS["purple-orange"])
    assert look.tiles[0].z_mm == z_mm


def test_a_printed_frame_has_squares_in_the_colours_of_the_pieces() -> None:
    table = VirtualTable(GAMES["duo"])
    table.surround(Surroundings(markers=False, frame=FrameKind.COLOURED, floor="sand"))
    look = table_look(table.scene, EDITIONS["purple-orange"])
    assert look.board.rim_squares == tuple(PLASTICS[name].material for name in ("purple", "orange"))
    assert look.markers == ()
    assert look.board.rim_height_mm == 0.0


@pytest.mark.parametrize("side_deg", [0.0, 90.0, 200.0, 270.0])
def test_a_tilted_camera_still_sees_the_markers(side_deg: float) -> None:
    table = VirtualTable(GAMES["classic"])
    table.tilt_camera(29.0, side_deg)
    pose = camera_pose(table.scene, (640, 480))
    out = 20 * CELL_MM / 2 + 34.0 + 17.0
    corners = np.array([[x * out, y * out, 0.0] for x in (-1, 1) for y in (-1, 1)])
    assert ((pose.project(corners) > 0) & (pose.project(corners) < (640, 480))).all()
    place = np.array([pose.x_mm - pose.look_x_mm, pose.y_mm - pose.look_y_mm])
    assert 22 < np.degrees(np.arctan2(np.hypot(*place), pose.z_mm)) < 36
