"""Rendered frames: the geometry is exact, the seed decides, a benchmark can be run by hand.

python -m tests.vision.synthetic.test_renderer
"""

import sys
import time
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import (
    BoardLook,
    CameraPose,
    HandLook,
    LampLook,
    MarkerLook,
    SquareLight,
    TableLook,
    Tile,
)

pytestmark = pytest.mark.slow

PURPLE, ORANGE = (98, 44, 146), (236, 108, 24)
CAMERA = CameraPose(8.0, -45.0, 440.0, 0.0, 0.0, 0.7)
SMALL = CameraPose(8.0, -45.0, 440.0, focal_px=560.0, width=640, height=480)
OUT_MM = 14 * 16 / 2 + 34
MARKERS = tuple(
    MarkerLook(name, x * OUT_MM, y * OUT_MM)
    for name, (x, y) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1)))
)
if TYPE_CHECKING:
    from collections.abc import Callable

Pixels = NDArray[np.uint8]
SQUARE = ((0.0, 0.0),)


def look(**changes: object) -> TableLook:
    return replace(TableLook(CAMERA, BoardLook(14), markers=MARKERS), **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def clean() -> Renderer:
    """Renderer without noise; its stored pictures change no pixel, as a test below shows."""
    return Renderer(1, noise=0.0)


def found_markers(image: Pixels) -> dict[int, NDArray[np.float64]]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    assert ids is not None
    return {
        int(name): np.asarray(places, np.float64).reshape(4, 2)
        for name, places in zip(np.asarray(ids).ravel(), corners, strict=True)
    }


def test_a_camera_above_the_middle_projects_by_its_focal_length() -> None:
    camera = CameraPose(0.0, 0.0, 500.0, focal_px=1000.0, width=801, height=601)
    assert camera.project(np.zeros(3)) == pytest.approx([400, 300])
    assert camera.project(np.array([50.0, 20.0, 0.0])) == pytest.approx([500, 260])
    assert camera.project(np.array([50.0, 0.0, 100.0])) == pytest.approx([525, 300])
    turned = replace(camera, roll_deg=90.0).project(np.array([50.0, 0.0, 0.0]))
    assert turned == pytest.approx([400, 400]), "clockwise"


def test_a_plane_agrees_with_points_in_space() -> None:
    for z_mm in (0.0, -5.5, 12.0):
        flat = CAMERA.plane(z_mm) @ np.array([31.0, -70.0, 1.0])
        assert flat[:2] / flat[2] == pytest.approx(CAMERA.project(np.array([31.0, -70.0, z_mm])))


def test_markers_are_found_where_they_lie(clean: Renderer) -> None:
    found = found_markers(clean.render(look()))
    assert sorted(found) == [0, 1, 2, 3]
    for marker in MARKERS:
        half = marker.size_mm / 2
        corners = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        places = np.column_stack([corners + np.array([marker.x_mm, marker.y_mm]), np.full(4, -5.5)])
        assert np.abs(found[marker.name] - CAMERA.project(places)).max() < 1.0


def test_the_corners_of_the_field_are_where_the_squares_end(clean: Renderer) -> None:
    board = replace(BoardLook(14), floor=(200, 200, 200), rim=(20, 20, 20))
    image = clean.render(look(board=board))
    half = board.field_mm / 2
    corners = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    inner, outer = corners * 0.97, corners * 1.05
    for inside, outside in zip(CAMERA.project(inner), CAMERA.project(outer), strict=True):
        bright = image[round(inside[1]), round(inside[0])].mean()
        dark = image[round(outside[1]), round(outside[0])].mean()
        assert bright > dark + 60


def test_a_tile_stands_where_its_top_is_projected(clean: Renderer) -> None:
    tile = Tile(ORANGE, SQUARE, 90.0, 80.0)
    bare = clean.render(look()).astype(int)
    laid = clean.render(look(tiles=(tile,))).astype(int)
    changed = np.abs(laid - bare).max(axis=2) > 60
    rows, columns = np.nonzero(changed)
    middle = CAMERA.project(np.array([90.0, 80.0, tile.height_mm / 2]))
    assert [columns.mean(), rows.mean()] == pytest.approx(middle, abs=2.5)


def test_walls_are_seen_on_the_side_of_the_camera_and_are_darker_than_the_top(
    clean: Renderer,
) -> None:
    tile = Tile(ORANGE, SQUARE, 80.0, 0.0, height_mm=18.0)
    image = clean.render(look(tiles=(tile,))).astype(int)
    wall = CAMERA.project(np.array([72.4, 0.0, 8.0])).round().astype(int)
    top = CAMERA.project(np.array([80.0, 0.0, 18.0])).round().astype(int)
    blue, _, red = image[wall[1], wall[0]]
    assert red > 3 * blue
    assert red < 0.75 * image[top[1], top[0], 2]


def test_glow_lights_its_square_and_little_else(clean: Renderer) -> None:
    dark = clean.render(look()).astype(int)
    lit = clean.render(look(glows=(SquareLight(8.0, 8.0, (0, 255, 0)),))).astype(int)
    more = (lit - dark)[..., 1]
    here = CAMERA.project(np.array([8.0, 8.0, 0.0])).round().astype(int)
    there = CAMERA.project(np.array([72.0, 8.0, 0.0])).round().astype(int)
    assert more[here[1], here[0]] > 100
    assert more[there[1], there[0]] <= 2


def test_a_warm_lamp_is_redder_and_a_dim_one_darker(clean: Renderer) -> None:
    render = clean.render
    plain, warm, dim = (
        render(look(lamp=lamp)).reshape(-1, 3).mean(axis=0)
        for lamp in (LampLook(), LampLook(kelvin=2800), LampLook(brightness=0.5))
    )
    assert warm[2] / warm[0] > 1.3 * plain[2] / plain[0]
    assert dim == pytest.approx(plain / 2, rel=0.03)


def test_a_hand_covers_what_is_under_it_from_its_own_side(clean: Renderer) -> None:
    render = clean.render
    bare = render(look()).astype(int)
    for reach_deg, edge in ((90.0, np.s_[-1, :]), (180.0, np.s_[:, -1])):
        hand = HandLook(0.0, 0.0, reach_deg=reach_deg)
        changed = np.abs(render(look(hand=hand)).astype(int) - bare).max(axis=2) > 40
        assert changed.mean() > 0.05
        assert changed[edge].any(), "the arm reaches the edge of the picture"


def test_seed_and_number_decide_every_pixel() -> None:
    scene = look(
        camera=SMALL, tiles=(Tile(PURPLE, SQUARE, 0.0, 0.0, 20.0),), hand=HandLook(30.0, 10.0)
    )
    first = Renderer(4).render(scene, 7)
    assert (first == Renderer(4).render(scene, 7)).all()
    assert (first != Renderer(4).render(scene, 8)).any()
    assert (first != Renderer(5).render(scene, 7)).any()


def test_what_is_cached_from_frame_to_frame_changes_no_pixel() -> None:
    busy = Renderer(2)
    held = Tile(ORANGE, SQUARE, 30.0, 10.0, z_mm=9.0)
    scenes = [
        look(camera=SMALL, tiles=(Tile(PURPLE, SQUARE, 0.0, 0.0),)),
        look(camera=SMALL, lamp=LampLook(brightness=0.7)),
        look(
            camera=SMALL,
            hand=HandLook(30.0, 10.0, holding=held),
        ),
        look(camera=SMALL),
    ]
    for number, scene in enumerate(scenes):
        assert (busy.render(scene, number) == Renderer(2).render(scene, number)).all()


def test_pieces_that_come_and_go_leave_no_trace_of_how_they_came() -> None:
    """Pieces drawn one after another give the same table as all drawn at once."""
    dice = np.random.default_rng(3)
    busy = Renderer(2)
    tiles: list[Tile] = []
    for number in range(12):
        if len(tiles) > 4 and number % 3 == 0:
            del tiles[int(dice.integers(len(tiles)))]
        x_mm, y_mm = dice.uniform(-130, 130, 2).tolist()
        tiles.append(Tile(PURPLE if number % 2 else ORANGE, SQUARE, x_mm, y_mm, 30.0 * number))
        scene = look(camera=SMALL, tiles=tuple(tiles))
        seen = busy.render(scene, number)
        if number % 4 == 3:
            assert (seen == Renderer(2).render(scene, number)).all(), number


def bench(frames: int = 60) -> dict[str, float]:
    """Measures frames per second on one core at 1280x960, with the fullest board.

    Returns:
        Frames per second if nothing, the hand, an LED or a piece changes.
    """
    cv2.setNumThreads(1)
    cells = product(range(20), range(20))
    tiles = tuple(
        Tile(PURPLE if (r // 2 + c // 2) % 2 else ORANGE, SQUARE, 16 * c - 152.0, 16 * r - 152.0)
        for r, c in cells
        if (r + c) % 6
    )
    full = replace(look(tiles=tiles), board=BoardLook(20), camera=replace(CAMERA, z_mm=560.0))
    renderer, speeds = Renderer(1), {}
    hand = HandLook(0.0, 0.0, holding=Tile(ORANGE, SQUARE, 0.0, 0.0, z_mm=9.0))
    kinds: dict[str, Callable[[int], TableLook]] = {
        "still": lambda _: full,
        "hand": lambda i: replace(full, hand=replace(hand, x_mm=float(i))),
        "light": lambda i: replace(full, glows=(SquareLight(8.0, 8.0, (0, 3 * i, 0)),)),
        "piece": lambda i: replace(full, tiles=tiles[i:]),
    }
    for name, scene in kinds.items():
        renderer.render(scene(0))
        began = time.perf_counter()
        for number in range(1, frames + 1):
            renderer.render(scene(number), number)
        speeds[name] = frames / (time.perf_counter() - began)
    return speeds


if __name__ == "__main__":
    for name, speed in bench().items():
        sys.stdout.write(f"{name:6} {speed:6.1f} frames a second\n")
