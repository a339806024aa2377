"""Bands of a flickering lamp: told from hands, sleeves, people and lamps; and a table says so."""

from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS
from firmware.session.tracker import GameTracker
from tests.support.drawn_boards import EMPTY_ROWS, flat_board, photograph, with_hand
from vision.camera import Frame, Image
from vision.errors import BoardFailure
from vision.geometry.image_quality import RollingBands
from vision.reader import Reader

ONE = [*EMPTY_ROWS[:4], "....PP........", ".....PP.......", "......P.......", *EMPTY_ROWS[:7]]
WHOLE = photograph(flat_board(ONE))
PICTURE = np.asarray(cv2.resize(WHOLE, None, fx=0.25, fy=0.25), np.uint8)
HAND = np.asarray(cv2.resize(with_hand(WHOLE), None, fx=0.25, fy=0.25), np.uint8)
HEIGHT, WIDTH = PICTURE.shape[:2]
RNG = np.random.default_rng(1)


def banded(picture: Image, k: int, depth: float, count: float = 2.0) -> Image:
    """The k-th picture under a lamp: some bands, each time elsewhere, and the sensor's noise."""
    phase = 2 * np.pi * (count * np.linspace(0, 1, len(picture)) + 0.37 * k)
    noise = RNG.normal(0, 2, picture.shape)
    lit = picture * (1 + depth * np.sin(phase))[:, None, None] + noise
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def are_plain(pictures: Iterable[Image], period_s: float = 0.2) -> bool:
    bands = RollingBands()
    for k, picture in enumerate(pictures):
        bands.see(picture, k * period_s)
    return bands.are_plain


@pytest.mark.parametrize("count", [1.0, 1.5, 2.0, 3.3])
@pytest.mark.parametrize("depth", [0.12, 0.18, 0.3])
def test_bands_are_told(depth: float, count: float) -> None:
    assert are_plain(banded(PICTURE, k, depth, count) for k in range(12))
    assert are_plain((banded(PICTURE, k, depth, count) for k in range(60)), period_s=1 / 30)


def test_bands_are_told_with_a_hand_over_a_part() -> None:
    assert are_plain(banded(HAND, k, 0.18) for k in range(12))


def test_few_pictures_tell_nothing() -> None:
    assert not are_plain(banded(PICTURE, k, 0.3) for k in range(7))
    assert not are_plain((banded(PICTURE, k, 0.3) for k in range(20)), period_s=0.05)


def hand_at(k: int) -> Image:
    """A hand that goes to and fro."""
    picture = PICTURE.copy()
    at = (int(WIDTH * (0.5 + 0.4 * np.sin(k))), int(HEIGHT * (0.5 + 0.4 * np.cos(1.7 * k))))
    return np.asarray(cv2.circle(picture, at, HEIGHT // 5, (120, 155, 205), -1), np.uint8)


def sleeve_at(k: int) -> Image:
    """A sleeve across the whole picture, which goes to and fro."""
    picture = PICTURE.copy()
    y = int(HEIGHT * (0.4 + 0.3 * np.sin(k)))
    picture[y : y + HEIGHT // 4] = (40, 40, 60)
    return picture


def person_at(k: int) -> Image:
    """Somebody who leans over the lower part of the table."""
    picture = PICTURE.copy()
    picture[int(HEIGHT * (0.6 + 0.3 * np.sin(k))) :] = (60, 50, 40)
    return picture


def whole_at(k: int) -> Image:
    """A lamp that flickers slowly."""
    return np.asarray(np.clip(PICTURE * (1 + 0.3 * np.sin(2 * k)), 0, 255), np.uint8)


def shaken_at(k: int) -> Image:
    """A table that is shaken."""
    return np.roll(PICTURE, (int(3 * np.sin(k)), int(3 * np.cos(3 * k))), (0, 1))


@pytest.mark.parametrize("picture_at", [hand_at, sleeve_at, person_at, whole_at, shaken_at])
def test_what_moves_over_the_table_makes_no_bands(picture_at: Callable[[int], Image]) -> None:
    assert not any(
        are_plain(banded(picture_at(k + start), k, depth) for k in range(12))
        for start in range(0, 60, 5)
        for depth in (0.0, 0.03)
    )


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0.18, 0.25, 0.35])
def test_a_table_goes_on_under_bands_or_names_the_lamp(depth: float) -> None:
    tracker = GameTracker(Reader(14), Position.start("duo"), EDITIONS["purple-orange"])
    empty = photograph(flat_board(EMPTY_ROWS))
    for k in range(4):
        tracker.see(Frame(banded(empty, k, 0.0), k / 2, k + 1))
    for k in range(4, 24):
        tracker.see(Frame(banded(WHOLE, k, depth, 1.0), k / 2, k + 1))
        if tracker.referee.state.piece_count or tracker.failure:
            break
    assert tracker.referee.state.piece_count or tracker.failure is BoardFailure.BANDS
