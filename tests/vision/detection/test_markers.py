"""Markers in pictures with many other shapes."""

import time

import cv2
import numpy as np

from tests.support.drawn_boards import CORNERS, EMPTY_ROWS, flat_board, photograph
from vision.camera import Image
from vision.detection.markers import find_markers


def checkered(width: int, height: int, side: int) -> Image:
    """Draws a checkered cloth."""
    down, across = np.mgrid[:height, :width]
    squares = (across // side + down // side) % 2
    return np.asarray(np.repeat((squares * 200 + 20)[:, :, None], 3, axis=2), np.uint8)


def test_a_checkered_cloth_takes_no_longer_than_a_board() -> None:
    begun = time.process_time()
    assert find_markers(checkered(1920, 1440, 14))[0] == []
    assert time.process_time() - begun < 6.0


def test_markers_on_a_checkered_cloth_are_found() -> None:
    small = photograph(flat_board(EMPTY_ROWS))
    picture = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    cloth = checkered(picture.shape[1], picture.shape[0], 14)
    seen = np.zeros(picture.shape[:2], np.uint8)
    around = CORNERS.mean(axis=0) + 1.45 * (CORNERS - CORNERS.mean(axis=0))
    cv2.fillConvexPoly(seen, np.round(2 * around).astype(np.int32), 1)
    picture[seen == 0] = cloth[seen == 0]
    assert [marker.id for marker in find_markers(picture)[0]] == [0, 1, 2, 3]


def test_markers_are_mirrored_where_only_the_mirror_image_shows_two() -> None:
    picture = photograph(flat_board(EMPTY_ROWS))
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    assert find_markers(mirrored) == ([], True)
    markers, is_mirrored = find_markers(picture)
    assert [marker.id for marker in markers] == [0, 1, 2, 3]
    assert not is_mirrored
    assert find_markers(photograph(flat_board(EMPTY_ROWS, markers=False))) == ([], False)


def test_markers_seen_wide_and_tilted_are_kept() -> None:
    picture = photograph(flat_board(EMPTY_ROWS))
    height, width = picture.shape[:2]
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    near = np.array([[0.2, 0.2], [0.8, 0.2], [1.0, 1.0], [0.0, 1.0]], np.float32)
    tilt = cv2.getPerspectiveTransform(
        edges, near * np.array([2.5 * width, 2.5 * height], np.float32)
    )
    seen = cv2.warpPerspective(picture, tilt, (int(2.5 * width), int(2.5 * height)))
    markers = find_markers(np.asarray(seen, np.uint8))[0]
    sides = [np.sqrt(cv2.contourArea(m.corners.astype(np.float32))) for m in markers]
    assert [marker.id for marker in markers] == [0, 1, 2, 3]
    assert max(sides) > 1.9 * min(sides)
