"""The network runs again only where a frame has changed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.camera import Image
from vision.detection.frame_features import MARGIN, SCALE, CoarseView, scene_at
from vision.detection.shape_cache import ShapeCache
from vision.geometry.grid import Grid, Warp
from vision.io.image_file import load_picture
from vision.squares.network import BARE

Pictured = tuple[Image, Grid, CoarseView]


@pytest.fixture(scope="module")
def frames(samples: Path, truth: dict[str, Any]) -> tuple[Pictured, Pictured]:
    """Two frames of a game, from the same place."""
    names = ("game_01.jpg", "game_42.jpg")
    grid = Grid.of(truth[names[0]]["corners"], 14, (720, 720, 3))
    images = [load_picture(samples / name) for name in names]
    warp = Warp.of(grid, SCALE, MARGIN)
    first, second = [(image, grid, scene_at(image, warp)) for image in images]
    return first, second


def test_an_unchanged_frame_has_no_changed_square(frames: tuple[Pictured, Pictured]) -> None:
    image, grid, scene = frames[0]
    cache = ShapeCache.of(image, grid, scene, is_hasty=False)
    assert not cache.changed(scene).any()
    assert cache.renewed(image, scene, cache.changed(scene), is_hasty=False) is cache


def test_squares_that_changed_get_the_outputs_of_the_new_frame(
    frames: tuple[Pictured, Pictured],
) -> None:
    (image, grid, scene), (later, _, new) = frames
    cache = ShapeCache.of(image, grid, scene, is_hasty=False)
    changed = cache.changed(new)
    assert changed.any()
    renewed = cache.renewed(later, new, changed, is_hasty=True)
    assert not renewed.changed(new).any()
    assert np.array_equal(renewed.hasty, changed)
    same = ~changed
    assert np.array_equal(renewed.shapes.classes[same], cache.shapes.classes[same])
    tiles = (renewed.shapes.classes.argmax(axis=1) != BARE).sum()
    assert tiles > (cache.shapes.classes.argmax(axis=1) != BARE).sum()
