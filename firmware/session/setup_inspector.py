"""Checks the set-up in a thread of its own, so that no frame waits for it."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from firmware.session.background_job import BackgroundJob
from firmware.session.devices import in_shares
from vision.camera import Frame, Image
from vision.errors import VisionError
from vision.geometry.image_quality import Brightness, brightness_of
from vision.geometry.lens import Lens
from vision.setup.report import SetupReport
from vision.setup.setup_check import check_setup

if TYPE_CHECKING:
    from firmware.storage.camera_memory import Corners

_FRAMES: Final = 4
"""Number of frames of a check; so many are needed to detect flickering light."""

_log = logging.getLogger(__name__)


class SetupInspector:
    """Checks the set-up on request.

    Attributes:
        report: the last report; None before the first.
        corners: (x, y) of the board's corners in that check, from 0 to 1 of the picture's width
            and height, top left first and clockwise; empty if no board was found.
    """

    def __init__(self) -> None:
        self._wanted = False
        self._frames: list[Brightness] = []
        self._job: Final = BackgroundJob[SetupReport | None]("checkup")
        self.report: SetupReport | None = None
        self.corners: Corners = ()

    @property
    def looking(self) -> bool:
        """True while a check is running or requested."""
        return self._wanted or self._job.is_running

    def ask(self) -> None:
        """Requests a check of the next frames, unless one is running."""
        self._wanted = True

    def see(
        self,
        frame: Frame,
        size: int,
        palette: tuple[str, ...] | None,
        corners: NDArray[np.float64] | None = None,
        lens: Lens | None = None,
    ) -> None:
        """Takes the next frame; returns at once.

        Args:
            frame: the frame as the camera returned it.
            size: squares along a side of the board.
            palette: names of the colours of the pieces; None if they are not known for sure.
            corners: (4, 2) corners of the board in pixels, if a person has set them.
            lens: lens of the camera, if it was measured.
        """
        report = self._job.take()
        if report is not None:
            width, height = frame.image.shape[1], frame.image.shape[0]
            self.report, self.corners = report, in_shares(report.corners, (width, height))
        if not self._wanted or self._job.is_running:
            return
        # A small computer has no memory to keep the frames themselves.
        self._frames.append(brightness_of(frame.image))
        if len(self._frames) == _FRAMES:
            frames, self._frames, self._wanted = self._frames, [], False
            image = frame.image
            self._job.start(lambda: _check(image, size, palette, corners, lens, frames))

    def close(self) -> None:
        """Waits for a running check, a second or two."""
        self._job.close()


def _check(
    image: Image,
    size: int,
    palette: tuple[str, ...] | None,
    corners: NDArray[np.float64] | None,
    lens: Lens | None,
    frames: Sequence[Brightness],
) -> SetupReport | None:
    try:
        return check_setup(image, size, palette, corners, lens, frames)
    except VisionError as error:
        _log.warning("the set-up cannot be checked: %s", error)
        return None
