"""Boards whose corners a network sees."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from tests.support.ruined_pictures import without_markers
from tests.vision.detection.test_markerless import load
from vision.camera import Image
from vision.detection.board_network import CORNER, OUTPUTS, SQUARES, STRIDE, VIEW_PX, outputs_of
from vision.detection.proposals import BoardProposal, cut_side, proposals
from vision.geometry.grid import WITHIN, Grid, Points


def off(corners: Points, truth: Points) -> float:
    """Largest error of a corner, in squares of a board of 14."""
    grid = Grid.of(truth, 14, (1000, 1000))
    turns = [np.roll(corners, k, axis=0) - truth for k in range(4)]
    return min(float(np.linalg.norm(turn, axis=1).max()) for turn in turns) / grid.square_px


@pytest.mark.parametrize("name", ["markers_005", "markers_008"])
@pytest.mark.parametrize("zoom", [0.5, 1.0, 2.0])
def test_the_corners_of_a_board_are_seen(
    samples: Path, truth: dict[str, Any], name: str, zoom: float
) -> None:
    image = without_markers(load(samples, name))
    image = np.asarray(cv2.resize(image, None, fx=zoom, fy=zoom), np.uint8)
    corners = (np.array(truth[f"{name}.jpg"]["corners"]) + 0.5) * zoom - 0.5
    likeliest = proposals(image)[0]
    assert off(likeliest.corners, corners) < 0.5
    assert likeliest.larger < 0


def test_of_two_boards_the_corners_of_both_are_seen(samples: Path, truth: dict[str, Any]) -> None:
    image = without_markers(load(samples, "markers_005"))
    corners = np.array(truth["markers_005.jpg"]["corners"])
    seen = proposals(np.hstack([image, image]))
    for place in (corners, corners + np.array([image.shape[1], 0])):
        assert min(off(one.corners, place) for one in seen) < 0.5


@pytest.mark.parametrize("shape", [(3, 900), (900, 3), (1, 1), (120, 2000), (110, 40_000)])
def test_a_picture_of_any_shape_may_be_searched(shape: tuple[int, int]) -> None:
    picture = np.full((*shape, 3), 90, np.uint8)
    assert proposals(picture) == []
    assert cut_side(picture) is None


def test_the_network_sees_nothing_outside_the_picture() -> None:
    chance = np.random.default_rng(3)
    view = chance.integers(0, 255, (VIEW_PX, VIEW_PX, 3), np.uint8)
    within = np.zeros((VIEW_PX, VIEW_PX), np.uint8)
    within[64:192] = WITHIN
    other = np.where(within[..., None] > 0, view, 255 - view)
    outputs, again = outputs_of(view, within), outputs_of(other, within)
    assert outputs.shape == (OUTPUTS, VIEW_PX // STRIDE, VIEW_PX // STRIDE)
    assert np.allclose(outputs, again, atol=1e-4)
    assert (outputs[[CORNER, SQUARES]] < 0).mean() > 0.9


def test_a_board_is_looked_at_until_it_stays(samples: Path) -> None:
    image, moves = without_markers(load(samples, "markers_008")), [200.0, 60.0, 2.0, 1.0]

    def seen(_: Image, corners: Points) -> list[BoardProposal]:
        return [BoardProposal(corners + moves.pop(0), -1.0, -1.0, 0.9)]

    with patch("vision.detection.proposals._look", seen):
        assert len(proposals(image)) == 1
    assert moves == [1.0]
