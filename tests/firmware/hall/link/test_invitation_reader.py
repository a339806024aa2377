"""The QR code of an invitation in rendered pictures: small, tilted, noisy."""

from functools import cache

import cv2
import numpy as np
import pytest
import segno
from numpy.typing import NDArray

from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.invitation_reader import read_invitation
from firmware.rules.variants import GAMES
from tests.support.rendered_table import RenderedTable
from vision.camera import Frame

INVITATION = HallInvitation(
    "192.168.178.20", 8883, "k7m2p9qx", "07", "q3Xn0-8sJd_72mPzKfYw1A", "5e" * 32, "Spring open"
)
Picture = NDArray[np.uint8]


@cache
def board() -> Picture:
    """Returns a rendered table, 1280x960."""
    table = RenderedTable(GAMES["duo"], size=(1280, 960))
    frame = table.read()
    assert isinstance(frame, Frame)
    return frame.image


def held(side_px: int, *, tilt: float = 0.0, angle_deg: float = 0.0, noise: float = 2.0) -> Picture:
    """Returns a rendered table, 1280x960, with a code held over it.

    Args:
        side_px: width of the code with its margin in pixels.
        tilt: share by which the far edge is narrower.
        angle_deg: angle by which it is turned.
        noise: standard deviation of the sensor's noise in grey levels.
    """
    picture = board().astype(np.float32)
    squares = np.array(list(segno.make(INVITATION.uri, error="m").matrix_iter(border=4)))
    card = np.repeat(np.repeat(np.where(squares, 25.0, 235.0), 12, axis=0), 12, axis=1)
    side = len(card)
    ends = np.array([[-1 + tilt, -1], [1 - tilt, -1], [1, 1], [-1, 1]]) * side_px / 2
    turn = np.deg2rad(angle_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    ends = ends @ rotation.T + (610, 470)
    begins = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    mapping = cv2.getPerspectiveTransform(begins, ends.astype(np.float32))
    # Drawn three times as large and reduced, as the squares of a sensor take the mean.
    larger = np.diag([3.0, 3.0, 1.0]) @ mapping
    size = 3 * 1280, 3 * 960
    shown = cv2.warpPerspective(card.astype(np.float32), larger, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones_like(card, np.float32), larger, size)
    shown, mask = (
        cv2.resize(one, (1280, 960), interpolation=cv2.INTER_AREA) for one in (shown, mask)
    )
    picture = picture * (1 - mask[..., None]) + shown[..., None]
    rng = np.random.default_rng(side_px)
    picture += rng.normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [2.0, 8.0])
@pytest.mark.parametrize(
    ("tilt", "angle_deg"), [(0.0, 0.0), (0.06, 12.0), (0.1, -30.0), (0.05, 100.0)]
)
@pytest.mark.parametrize("side_px", [240, 320, 480])
def test_a_code_is_read_from_240_pixels_up(
    side_px: int, tilt: float, angle_deg: float, noise: float
) -> None:
    picture = held(side_px, tilt=tilt, angle_deg=angle_deg, noise=noise)
    assert read_invitation(picture) == INVITATION.uri


def test_a_large_photograph_is_read() -> None:
    picture = cv2.resize(held(480), (4000, 3000)).astype(np.uint8)
    assert read_invitation(picture) == INVITATION.uri
    assert read_invitation(picture, thoroughly=True) == INVITATION.uri


def test_a_code_that_is_no_invitation_is_none() -> None:
    squares = np.array(list(segno.make("http://table.local:8000").matrix_iter(border=4)))
    card = np.repeat(np.repeat(np.where(squares, 0, 255), 10, axis=0), 10, axis=1)
    picture = np.repeat(card.astype(np.uint8)[..., None], 3, axis=2)
    assert read_invitation(picture) is None


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_plain_picture_is_none(value: int) -> None:
    assert read_invitation(np.full((480, 640, 3), value, np.uint8)) is None


def test_a_table_without_a_code_is_none() -> None:
    assert read_invitation(board(), thoroughly=True) is None
