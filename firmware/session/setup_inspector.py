"""Checks the set-up in a thread of its own, so that no frame waits for it."""

import logging
import threading
from typing import TYPE_CHECKING, Final

from vision.camera import Frame, Image
from vision.errors import VisionError
from vision.setup.setup_check import check_setup

if TYPE_CHECKING:
    from vision.setup.report import SetupReport

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
        self._images: list[Image] = []
        self._thread: threading.Thread | None = None
        self.report: SetupReport | None = None
        self.corners: tuple[tuple[float, float], ...] = ()

    @property
    def looking(self) -> bool:
        """True while a check is running or requested."""
        return self._wanted or self._thread is not None

    def ask(self) -> None:
        """Requests a check of the next frames, unless one is running."""
        self._wanted = True

    def see(self, frame: Frame, size: int, palette: tuple[str, ...] | None) -> None:
        """Takes the next frame; returns at once.

        Args:
            frame: the frame as the camera returned it.
            size: squares along a side of the board.
            palette: names of the colours of the pieces; None if they are not known for sure.
        """
        thread = self._thread
        if thread is not None and not thread.is_alive():
            thread.join()
            self._thread = thread = None
        if not self._wanted or thread is not None:
            return
        self._images.append(frame.image)
        if len(self._images) == _FRAMES:
            images, self._images, self._wanted = self._images, [], False
            self._begin(images, size, palette)

    def close(self) -> None:
        """Waits for a running check, a second or two."""
        if self._thread is not None:
            self._thread.join()

    def _begin(self, images: list[Image], size: int, palette: tuple[str, ...] | None) -> None:
        arguments = (images, size, palette)
        thread = threading.Thread(target=self._check, args=arguments, name="checkup")
        try:
            thread.start()
        except RuntimeError as error:
            _log.warning("the set-up cannot be checked: %s", error)
        else:
            self._thread = thread

    def _check(self, images: list[Image], size: int, palette: tuple[str, ...] | None) -> None:
        try:
            report = check_setup(images, size, palette)
        except VisionError as error:
            _log.warning("the set-up cannot be checked: %s", error)
            return
        height, width = images[-1].shape[:2]
        found = [] if report.corners is None else report.corners.tolist()
        # Pixel coordinates are those of centres; corners of a cut-off board lie outside.
        self.corners = tuple(
            (min(1.0, max(0.0, (x + 0.5) / width)), min(1.0, max(0.0, (y + 0.5) / height)))
            for x, y in found
        )
        self.report = report
