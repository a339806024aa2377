import json
import weakref
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph
from vision.camera import Image
from vision.detection.grid_fit import refine
from vision.errors import GeometryError, SourceError
from vision.geometry.calibration import Calibration, load
from vision.geometry.grid import Grid
from vision.geometry.lens import Lens
from vision.io.overlay import draw
from vision.reader import read_picture
from vision.reading import Reading
from vision.setup.lens_calibration import GridCrossings, fitted, measure

pytestmark = pytest.mark.slow

SIZE = (960, 720)
WIDE = Lens(
    np.array([[830.0, 0, 479.5], [0, 830.0, 359.5], [0, 0, 1]]),
    np.array([-0.16, 0.03, 0, 0, 0]),
    SIZE,
)
SLANTS = ((0, 0), (25, 0), (-20, 10), (0, 28), (15, -22), (-10, -25))
LINES = np.stack(np.meshgrid(np.arange(15.0), np.arange(15.0)), axis=2).reshape(-1, 2)


def seen_through(lens: Lens, slant: tuple[float, float], noise: float = 0.2) -> GridCrossings:
    """Projects the crossings of an empty Duo board, turned about two axes, through a lens."""
    turn = np.radians(np.array([*slant, 5.0]))
    way = cv2.Rodrigues(turn)[0] @ np.array([-7.0, -7.0, 0]) + np.array([0, 0, 21.0])
    solid = np.insert(LINES, 2, 0.0, axis=1)
    pixels, _ = cv2.projectPoints(solid, turn, way, lens.K, lens.dist)
    strays = np.random.default_rng(round(100 * sum(slant)) + 4000).normal(0, noise, (len(LINES), 2))
    return GridCrossings(LINES, pixels.reshape(-1, 2) + strays)


def bent(picture: Image, lens: Lens) -> Image:
    """Distorts a picture by a lens."""
    height, width = picture.shape[:2]
    across, down = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    straight = lens.straighten(np.stack([across.ravel(), down.ravel()], axis=1))
    x, y = (straight[:, k].astype(np.float32).reshape(height, width) for k in (0, 1))
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_CUBIC), np.uint8)


def curve_left(lens: Lens) -> float:
    """Remaining curvature, in pixels, of lines of a picture through WIDE after correction."""
    seen = seen_through(WIDE, (0, 0), noise=0)
    straight = lens.straighten(seen.pixels)
    matrix, _ = cv2.findHomography(seen.squares, straight)
    there = cv2.perspectiveTransform(seen.squares.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    return float(np.linalg.norm(there - straight, axis=1).max())


def test_straightening_undoes_the_bend() -> None:
    places = np.array([[3.0, 5.0], [479.5, 359.5], [950.0, 700.0]])
    assert np.abs(WIDE.bend(places) - places).max() > 5
    assert np.allclose(WIDE.straighten(WIDE.bend(places)), places, atol=1e-3)


def test_a_lens_holds_at_every_resolution_of_its_shape() -> None:
    half = WIDE.for_size(480, 360)
    whole = np.array([[101.0, 51.0]])
    assert np.allclose((WIDE.bend(whole) + 0.5) / 2 - 0.5, half.bend((whole + 0.5) / 2 - 0.5))
    with pytest.raises(GeometryError, match="another shape"):
        WIDE.for_size(1280, 720)


def test_corners_hold_at_every_resolution_of_their_shape() -> None:
    calibration = Calibration(corners=CORNERS, size=SIZE)
    half = calibration.corners_in(480, 360)
    assert half is not None
    assert np.allclose((half + 0.5) * 2 - 0.5, CORNERS)
    assert Calibration().corners_in(480, 360) is None
    with pytest.raises(GeometryError, match="another shape"):
        calibration.corners_in(1280, 720)


def test_several_slants_tell_bend_and_focal_length() -> None:
    known = fitted([seen_through(WIDE, slant) for slant in SLANTS], SIZE)
    assert known.lens is not None
    assert known.focal_known
    assert known.lens.K[0, 0] == pytest.approx(830, rel=0.02)
    assert known.residual_px < 0.4
    assert curve_left(Lens(WIDE.K, np.zeros(5), SIZE)) > 4
    assert curve_left(known.lens) < 0.4


def test_one_view_from_above_tells_the_bend_alone() -> None:
    known = fitted([seen_through(WIDE, (0, 0))], SIZE)
    assert known.lens is not None
    assert not known.focal_known
    assert curve_left(known.lens) < 0.6


def test_views_from_the_same_side_leave_the_focal_length_open() -> None:
    known = fitted([seen_through(WIDE, (2, k / 4), noise=0.5) for k in range(3)], SIZE)
    assert not known.focal_known


def test_a_lens_is_measured_on_a_picture_of_the_empty_board() -> None:
    picture = bent(photograph(flat_board(EMPTY_ROWS)), WIDE)
    grid = refine(picture, Grid.of(WIDE.bend(CORNERS), 14, picture.shape)).grid
    known = measure([(picture, grid, np.ones(196, bool))])
    assert known.lens is not None
    assert curve_left(known.lens) < 1.5


def test_a_full_board_is_refused_to_measure_on() -> None:
    picture = photograph(flat_board(EMPTY_ROWS))
    grid = Grid.of(CORNERS, 14, picture.shape)
    with pytest.raises(GeometryError, match="clear the board"):
        measure([(picture, grid, np.zeros(196, bool))])
    with pytest.raises(GeometryError, match="one resolution"):
        measure([(picture, grid, np.ones(196, bool)), (picture[:-2], grid, np.ones(196, bool))])


@pytest.mark.parametrize("known", ["markers", "corners"])
def test_a_known_lens_puts_every_crossing_in_its_place(known: str) -> None:
    picture = bent(photograph(flat_board(EMPTY_ROWS)), WIDE)
    true = WIDE.bend(Grid.of(CORNERS, 14, picture.shape).crossings.reshape(-1, 2))
    corners = true[[0, 14, 224, 210]] if known == "corners" else None
    reading = read_picture(picture, 14, corners=corners, lens=WIDE)
    assert isinstance(reading, Reading)
    assert np.abs(reading.crossings.reshape(-1, 2) - true).max() < 0.05 * 36


def test_the_lines_of_an_overlay_bend_as_the_lens_does() -> None:
    picture = bent(photograph(flat_board(EMPTY_ROWS)), WIDE)
    reading = read_picture(picture, 14, lens=WIDE)
    assert isinstance(reading, Reading)
    upper, middle, lower = reading.crossings[[0, 7, 14], 14]
    chord = (upper + lower) / 2
    assert middle[0] > chord[0] + 2, "a barrel lens bulges the right side"
    drawn = draw(picture, reading)
    row, column = middle.round().astype(int)[::-1]
    bright = drawn[row + 9, column - 6 : column + 7].sum(axis=1)
    assert abs(int(bright.argmax()) - 6) <= 1


def test_a_lens_of_another_shape_of_picture_is_refused() -> None:
    with pytest.raises(GeometryError, match="another shape"):
        read_picture(np.zeros((720, 1280, 3), np.uint8), 14, corners=CORNERS, lens=WIDE)


def test_a_calibration_is_stored_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "camera.json"
    known = Calibration(WIDE, focal_known=True, residual_px=0.31, pictures=6, board=14)
    path.write_text(json.dumps(known.to_json()))
    again = load(path)
    assert again.lens is not None
    assert np.allclose(again.lens.K, WIDE.K)
    assert np.allclose(again.lens.dist, WIDE.dist)
    assert again.to_json() == load(path).to_json()
    assert (again.lens.size, again.pictures, again.board) == (SIZE, 6, 14)
    assert again.corners is None
    path.write_text(json.dumps(Calibration(corners=CORNERS, size=SIZE).to_json()))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))  # an editor's
    again = load(path)
    assert again.lens is None
    assert again.corners is not None
    assert np.allclose(again.corners, CORNERS)
    assert again.size == SIZE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"version": 9}',
        '{"version": 1, "lens": 3, "board": 14, "corners": null}',
        '{"version": 1, "lens": null, "board": -114, "corners": null, "size": null}',
        '{"version": 1, "lens": null, "board": 100000, "corners": null, "size": null}',
    ],
)
def test_a_file_that_is_no_calibration_is_reported(tmp_path: Path, text: str) -> None:
    path = tmp_path / "camera.json"
    path.write_text(text)
    with pytest.raises(SourceError, match="is no calibration"):
        load(path)
    with pytest.raises(SourceError, match="cannot read the calibration"):
        load(tmp_path / "none.json")


def test_no_more_than_one_picture_is_held_while_a_lens_is_measured() -> None:
    picture = bent(photograph(flat_board(EMPTY_ROWS)), WIDE)
    grid = refine(picture, Grid.of(WIDE.bend(CORNERS), 14, picture.shape)).grid
    before: list[weakref.ref[Image]] = []

    def one_by_one() -> Iterator[tuple[Image, Grid, NDArray[np.bool_]]]:
        for _ in range(3):
            assert all(earlier() is None for earlier in before[:-1])
            image = picture.copy()
            before.append(weakref.ref(image))
            yield image, grid, np.ones(196, bool)
            del image

    assert measure(one_by_one()).pictures == 3


@pytest.mark.parametrize(
    "content",
    [
        "[" * 50_000,
        '{"version": 1, "lens": ' * 4000,
        " " * 200_000,
        '{"version": 1, "lens": null, "board": Infinity, "corners": null, "size": null}',
        '{"version": 1, "lens": null, "board": 14, "corners": null, "size": [1e999, 3]}',
        '{"version": 1, "lens": null, "board": 14, "corners": [1, 2], "size": null}',
        '{"version": 1, "lens": [], "board": 14, "corners": null, "size": null}',
        "[]",
        "7",
    ],
)
def test_what_is_no_calibration_is_refused_in_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "camera.json"
    path.write_text(content)
    with pytest.raises(SourceError, match=r"camera\.json") as caught:
        load(path)
    assert "\n" not in str(caught.value)
