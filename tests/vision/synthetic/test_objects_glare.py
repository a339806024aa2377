"""A mirrored lamp: white in its middle, soft at its edge, and nothing far away."""

from dataclasses import replace

import numpy as np
import pytest

from vision.synthetic.objects import draw_glare
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import BoardLook, CameraPose, GlareLook, TableLook

CAMERA = CameraPose(8.0, -45.0, 440.0, focal_px=560.0, width=640, height=480)
GLARE = GlareLook(-40.0, 40.0)


def light(glare: GlareLook, grey: int = 100, camera: CameraPose = CAMERA) -> np.ndarray:
    """Returns the grey levels that a lamp adds to a grey picture."""
    canvas = np.full((camera.height, camera.width, 3), grey, np.uint8)
    draw_glare(canvas, glare, camera)
    assert (canvas[..., 0] == canvas[..., 1]).all()
    assert (canvas[..., 0] == canvas[..., 2]).all()
    return canvas[..., 0].astype(int) - grey


def middle(glare: GlareLook, camera: CameraPose = CAMERA) -> tuple[int, int]:
    """Returns row and column of the middle of a lamp."""
    column, row = camera.project(np.array([glare.x_mm, glare.y_mm, 0.0])).round().astype(int)
    return int(row), int(column)


def test_the_middle_is_white_whatever_lies_below() -> None:
    for grey in (0, 100, 255):
        assert light(GLARE, grey)[middle(GLARE)] == 255 - grey


def test_it_fades_to_all_sides_and_changes_nothing_far_away() -> None:
    added = light(GLARE)
    row, column = middle(GLARE)
    for ray in (added[row, column:], added[row, column::-1], added[row:, column]):
        assert (np.diff(ray) <= 0).all()
        assert ray[-1] == 0
    assert (added >= 0).all()
    assert (added > 0).mean() < 0.25


def test_it_is_where_its_look_says_and_as_large() -> None:
    for glare in (GLARE, GlareLook(60.0, -30.0), GlareLook(0.0, 0.0, radius_mm=20.0)):
        added = light(glare)
        rows, columns = np.nonzero(added > added.max() / 2)
        row, column = middle(glare)
        assert (rows.mean(), columns.mean()) == pytest.approx((row, column), abs=1.0)
    small, large = light(replace(GLARE, radius_mm=20.0)), light(replace(GLARE, radius_mm=40.0))
    assert (large > 20).sum() == pytest.approx(4 * (small > 20).sum(), rel=0.1)


def test_a_lamp_beyond_the_picture_is_no_error() -> None:
    assert (light(GlareLook(5000.0, 5000.0)) == 0).all()


def test_a_rendered_table_has_the_lamp_and_is_the_same_again_without_it() -> None:
    look = TableLook(CAMERA, BoardLook(14))
    renderer = Renderer(1, noise=0.0)
    plain = renderer.render(look, 1)
    dazzled = renderer.render(replace(look, glare=GLARE), 1)
    assert dazzled[middle(GLARE)].min() > 240
    assert (dazzled[-20:, -20:] == plain[-20:, -20:]).all()
    assert (renderer.render(look, 1) == plain).all()
