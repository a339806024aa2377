"""The exposure of a camera: locked when it has settled, kept, and dropped if it does not fit.

Exposure, gain, white balance and focus are locked after they have settled. The locked values are
kept, so that the camera gives the same picture in every evening and is ready sooner.
"""

import logging
from collections.abc import Collection, Mapping
from typing import Final, Protocol

import cv2
import numpy as np

from firmware.cameras.interfaces import Picture
from vision.camera import UPRIGHT
from vision.errors import VisionError

Exposure = Mapping[str, float]
"""Locked values by name, as the driver names them; empty if none are known."""

_WHITE: Final = 99.0
"""Percentile of brightness that counts as white: a board has light squares or lines."""

_DARKEST: Final = 40.0
"""Brightness of white, 0 to 255, below which a board is hardly read. Automatic exposure leaves it
at 150 or more."""

_BURNT: Final = 250
"""Brightness, 0 to 255, from which a pixel is overexposed."""

_BURNT_SHARE: Final = 0.5
"""Share of overexposed pixels that automatic exposure never leaves: it aims at a medium grey."""

_log = logging.getLogger(__name__)


class ExposureMemory(Protocol):
    """Keeps the exposure of each camera for each size of its pictures."""

    def exposure_of(self, name: str, size: tuple[int, int]) -> Exposure:
        """Returns the values that are kept for a camera and pictures of that size."""
        ...

    def keep_exposure(self, name: str, size: tuple[int, int], exposure: Exposure) -> None:
        """Keeps the values of a camera; none to forget them."""
        ...


class _NoExposureMemory:
    """Keeps nothing: each opening lets the controls settle."""

    def exposure_of(self, _name: str, _size: tuple[int, int]) -> Exposure:
        """Returns no values."""
        return {}

    def keep_exposure(self, name: str, size: tuple[int, int], exposure: Exposure) -> None:
        """Does nothing."""


KEEPS_NOTHING: Final = _NoExposureMemory()
"""Memory of a program that looks at a camera for a moment: the controls settle each time."""


class CameraControls(Protocol):
    """The controls of a camera that is being opened; each method raises CameraError."""

    @property
    def name(self) -> str:
        """The camera as a person knows it."""
        ...

    def settled(self) -> Exposure:
        """Lets all controls settle automatically; returns their values."""
        ...

    def lock(self, values: Exposure) -> tuple[Exposure, Picture | None]:
        """Locks controls at values.

        Returns:
            Those that the camera keeps, and a picture taken with them; None if it came in part.
        """
        ...


def locked_exposure(
    controls: CameraControls, exposures: ExposureMemory, size: tuple[int, int]
) -> Exposure:
    """Locks the controls of a camera at the values that are kept for it, or at new ones.

    Args:
        controls: the controls.
        exposures: keeps the values.
        size: width and height of the pictures in pixels.

    Returns:
        The values that are locked.
    """
    stored = exposures.exposure_of(controls.name, size)
    if stored:
        locked, picture = controls.lock(stored)
        why = why_unfit(stored.keys() - locked.keys(), picture)
        if not why:
            return stored
        _log.warning(
            "the exposure kept for the %s is dropped, as %s; it is set anew", controls.name, why
        )
    locked, picture = controls.lock(controls.settled())
    # Values of a room without light are of no use in the next evening.
    if not why_unfit((), picture):
        exposures.keep_exposure(controls.name, size, locked)
    return locked


def why_unfit(refused: Collection[str], picture: Picture | None) -> str:
    """Returns why locked values are of no use, as the end of a sentence; empty if they are fine.

    Args:
        refused: names of the values that the camera does not keep.
        picture: a picture taken with them; None if it came only in part, which tells nothing.
    """
    if refused:
        return f"the camera does not keep its {' and '.join(sorted(refused))}"
    if picture is None:
        return ""
    try:
        grey = cv2.cvtColor(picture.upright(UPRIGHT), cv2.COLOR_BGR2GRAY)
    except VisionError:
        return ""
    if np.percentile(grey, _WHITE) < _DARKEST:
        return "the picture is much too dark with it"
    if (grey >= _BURNT).mean() > _BURNT_SHARE:
        return "the picture is much too bright with it"
    return ""
