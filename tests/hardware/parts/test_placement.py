"""Builds as assembled: the camera sees no mast, nothing is where something else is."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.cameras.mounting import MODELS, plan_mounting
from firmware.printing.marker_layout import MarkerLayout
from hardware.parts.catalogue import PARTS
from hardware.parts.dimensions import COMPUTER_CASE, FOOT_JAW, LONGEST_RIBBON
from hardware.parts.mesh import bounds, crossings
from hardware.parts.placement import (
    BUILDS,
    SQUARES,
    MastPlan,
    Placed,
    assembly,
    board_of,
    fasteners,
    mast_parts,
    mast_plan,
    piece_on_board,
    quantities,
)
from tests.support.solids import read_dxf

LINES = 40
"""Number of upright lines along which two parts are compared."""

each_build = pytest.mark.parametrize("build", BUILDS)
each_game = pytest.mark.parametrize("game", list(SQUARES))
each_camera = pytest.mark.parametrize("camera", list(MODELS))


def sides_of_view(mast: MastPlan) -> NDArray[np.float64]:
    """Returns planes (6, 4) around what the camera sees: its four sides, the lens, the table.

    Positive values of x, y, z, 1 times a plane are inside.
    """
    plan, high = mast.plan, mast.lens_mm
    across, down = (side / 2 / plan.focal_px for side in plan.pictures)
    return np.array(
        [
            *((side, 0, -across, across * high) for side in (-1, 1)),
            *((0, side, -down, down * high) for side in (-1, 1)),
            (0, 0, -1, high),
            (0, 0, 1, 0),
        ]
    )


def is_seen(mast: MastPlan, part: Placed) -> bool:
    """Returns True if a triangle of the part is within the view, with all that it covers."""
    planes, triangles = sides_of_view(mast), with_one(part.placed)
    outside: NDArray[np.bool_] = triangles @ planes.T < 0
    beyond = np.any(np.all(outside, axis=1), axis=1)
    return any(is_inside(triangle, planes) for triangle in triangles[~beyond])


def with_one(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns points (..., 3) as (..., 4), the last value being 1."""
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)


def is_inside(polygon: NDArray[np.float64], planes: NDArray[np.float64]) -> bool:
    """Returns True if something of a polygon (N, 4) is inside of all planes."""
    points = list(polygon)
    for plane in planes:
        clipped = []
        for one, other in zip(points, [*points[1:], points[0]], strict=True):
            here, there = one @ plane, other @ plane
            if here >= 0:
                clipped.append(one)
            if here * there < 0:
                clipped.append(one + (other - one) * here / (here - there))
        points = clipped
        if not points:
            return False
    return True


@each_build
@each_game
@each_camera
def test_no_part_of_the_mast_is_in_the_view_of_the_camera(
    build: str, game: str, camera: str
) -> None:
    mast = mast_plan(build, game, camera)
    seen = [part.name for part in mast_parts(mast) if part.name != "camera" and is_seen(mast, part)]
    assert seen == []


@each_game
def test_a_mast_that_stood_closer_would_be_seen(game: str) -> None:
    mast = mast_plan("club_table", game, "module-3")
    closer = [
        Placed(one.name, one.triangles, one.position - (0, 40, 0), one.rotation)
        for one in mast_parts(mast)
    ]
    assert {one.name for one in closer if is_seen(mast, one)} >= {"mast-foot", "upright"}


@each_game
def test_the_view_shows_the_board_and_is_cut_as_a_polygon(game: str) -> None:
    mast = mast_plan("club_table", game, "module-3")
    board = next(one for one in assembly("club_table", game, "module-3") if one.name == "board")
    assert is_seen(mast, board)
    planes = sides_of_view(mast)
    wide = np.array([(-9e3, -1.0, 100.0), (9e3, -1.0, 100.0), (0.0, 1.0, 100.0)])
    assert is_inside(with_one(wide), planes)
    assert not is_inside(with_one(wide + np.array((0, 500, 0))), planes)


@each_game
@each_camera
def test_lens_and_arm_are_those_of_the_plan_for_boards_that_are_sold(
    game: str, camera: str
) -> None:
    plan = plan_mounting(MODELS[camera], board_of("twenty_minutes", game))
    mast = mast_plan("twenty_minutes", game, camera)
    assert mast.lens_mm == pytest.approx(plan.mast_mm)
    assert mast.arm_mm == pytest.approx(plan.arm_mm)


@each_game
@each_camera
def test_the_lens_hangs_above_the_middle_of_the_board(game: str, camera: str) -> None:
    """Head and camera meet: the back of the camera touches what holds it."""
    mast = mast_plan("club_table", game, camera)
    parts = {one.name: one for one in mast_parts(mast)}
    body = parts["camera"]
    assert body.position == pytest.approx((0, 0, mast.lens_mm))
    head, (_, most) = parts[mast.head.name].placed, bounds(body.placed)
    line, axis, touching = {
        "head-small": ((12.53, 0.03, 0), 2, most[2]),
        "head-large": ((16.53, 15.03, 0), 2, most[2]),
        "head-usb": ((9.03, 0, mast.lens_mm), 1, most[1]),
        "head-phone": ((35.03, 0, mast.lens_mm + 5), 1, most[1]),
    }[mast.head.name]
    assert crossings(head, line, axis)[0] == pytest.approx(touching, abs=0.01)


@each_build
@each_game
@each_camera
def test_nothing_hides_board_or_markers_from_the_camera(build: str, game: str, camera: str) -> None:
    mast, size = mast_plan(build, game, camera), board_of(build, game)
    layout = MarkerLayout(size)
    wanted = [
        (np.array((0.0, 0.0)), size.outer_mm / 2),
        *((np.array(centre) * (1, -1), layout.card_mm / 2) for centre in layout.centres),
    ]
    for part in assembly(build, game, camera):
        if part.name.startswith(("button", "panel")):
            least, most = shadow(part, mast)
            for middle, half in wanted:
                assert (least > middle + half).any() or (most < middle - half).any(), part.name


def shadow(part: Placed, mast: MastPlan) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns least and greatest x, y (2,) at which a part hides the floor of the squares."""
    points = part.placed.reshape(-1, 3)
    points = points[points[:, 2] > mast.floor_mm]
    if not len(points):
        return np.full(2, np.inf), np.full(2, np.inf)
    share = (mast.lens_mm - mast.floor_mm) / (mast.lens_mm - points[:, 2])
    on_floor = points[:, :2] * share[:, None]
    return on_floor.min(axis=0), on_floor.max(axis=0)


@each_build
@each_game
def test_nothing_is_where_something_else_is(build: str, game: str) -> None:
    for camera in ("module-3", "phone", "usb", "hq-6mm") if build == "club_table" else ["ai"]:
        check_apart(assembly(build, game, camera))


def check_apart(parts: tuple[Placed, ...]) -> None:
    """Compares what upright lines through the parts find."""
    solid = [part for part in parts if part.name not in {"board", "camera"}]
    random = np.random.default_rng(23)
    boxes = [bounds(part.placed) for part in solid]
    found = [part.placed for part in solid]
    for one, other in combinations(range(len(solid)), 2):
        least = np.maximum(boxes[one][0], boxes[other][0])
        most = np.minimum(boxes[one][1], boxes[other][1])
        if (most - least < 0.02).any():
            continue
        for x, y in random.uniform(least[:2], most[:2], (LINES, 2)):
            shared = overlap(
                crossings(found[one], (x, y, 0), 2), crossings(found[other], (x, y, 0), 2)
            )
            assert shared < 0.03, (solid[one].name, solid[other].name, x, y)


def overlap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Returns the greatest length that two solids share along a line."""
    if len(one) % 2 or len(other) % 2:
        return 0.0
    return max(
        (
            min(end, last) - max(start, first)
            for start, end in zip(one[::2], one[1::2], strict=True)
            for first, last in zip(other[::2], other[1::2], strict=True)
        ),
        default=0.0,
    )


@each_build
@each_game
@each_camera
def test_quantities_name_parts(build: str, game: str, camera: str) -> None:
    count = quantities(build, game, camera)
    assert set(count) <= set(PARTS)
    assert count[mast_plan(build, game, camera).head.name] == 1


@each_game
@each_camera
def test_every_clamp_has_its_bolt_and_every_foot_its_screw(game: str, camera: str) -> None:
    """One in the foot, two in the elbow, one in the head."""
    count = fasteners("twenty_minutes", game, camera)
    assert count.pop("M4 x 20 bolt with nut") == 4
    assert count.pop("M6 x 70 bolt with nut") == 1
    assert len(count) == 1


@each_game
def test_every_hole_of_the_base_plate_has_its_screw(game: str) -> None:
    holes = [one for one in read_dxf(PARTS[f"base-{game}"].file(".dxf")) if one.kind == "CIRCLE"]
    assert fasteners("glowing_board", game, "ai")["M3 x 12 screw"] == len(holes)


@each_build
@each_game
@each_camera
def test_the_longest_cable_that_is_sold_reaches_from_the_computer_to_the_camera(
    build: str, game: str, camera: str
) -> None:
    mast = mast_plan(build, game, camera)
    assert mast.ribbon_mm <= LONGEST_RIBBON
    assert mast.computer_mm - COMPUTER_CASE[2] > FOOT_JAW


@each_game
def test_every_foot_of_a_panel_has_its_screws(game: str) -> None:
    feet = quantities("club_table", game, "ai")
    wanted = 2 * feet.get("panel-wedge", 0) + feet.get("panel-block", 0)
    assert fasteners("club_table", game, "ai")["M3 x 10 screw, countersunk"] == wanted > 0


def test_a_glowing_board_has_four_corners_and_pieces_for_everybody() -> None:
    duo = quantities("glowing_board", "duo", "module-3")
    classic = quantities("glowing_board", "classic", "module-3")
    assert duo["frame-corner-duo"] == classic["frame-corner-classic"] == 4
    assert duo["light-grid-duo-a"] == duo["light-grid-duo-b"] == 2
    assert (duo["piece-i5"], classic["piece-i5"]) == (2, 4)
    assert (duo["button-box-1"], classic["button-box-1"]) == (2, 4)


def test_a_piece_lies_on_its_squares() -> None:
    least, most = bounds(piece_on_board("O", "duo", 0, 12).placed)
    assert least == pytest.approx((5 * 50 / 3 + 0.15, 5 * 50 / 3 + 0.15, 19))
    assert most == pytest.approx((7 * 50 / 3 - 0.15, 7 * 50 / 3 - 0.15, 23.5))
