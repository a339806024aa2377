"""Is the set-up good enough? Looked at in a thread of its own, so that no frame waits for it."""

import logging
import threading
from typing import TYPE_CHECKING, Final

from vision.camera import Frame, Image
from vision.errors import VisionError
from vision.setup.setup_check import check_setup

if TYPE_CHECKING:
    from vision.setup.report import SetupReport

_FRAMES: Final = 4
"""As many tell whether the light flickers."""

_log = logging.getLogger(__name__)


class SetupInspector:
    """Looks at a set-up when somebody asks.

    Attributes:
        report: what was found last; None before.
        corners: (x, y) where the board was found then, from 0 to 1 of the picture's width and
            height, top left first and clockwise; none where it was not.
    """

    def __init__(self) -> None:
        self._wanted = False
        self._images: list[Image] = []
        self._thread: threading.Thread | None = None
        self.report: SetupReport | None = None
        self.corners: tuple[tuple[float, float], ...] = ()

    @property
    def looking(self) -> bool:
        """Whether a look is under way."""
        return self._wanted or self._thread is not None

    def ask(self) -> None:
        """Begins a look at the next frames, unless one is under way."""
        self._wanted = True

    def see(self, frame: Frame, size: int, palette: tuple[str, ...] | None) -> None:
        """Takes the next frame; returns at once.

        Args:
            frame: as the camera gave it.
            size: squares along a side of the board.
            palette: names of the colours of plastic; None where they are not known for sure.
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
        """Waits for a look that is under way, a second or two."""
        if self._thread is not None:
            self._thread.join()

    def _begin(self, images: list[Image], size: int, palette: tuple[str, ...] | None) -> None:
        words = (images, size, palette)
        thread = threading.Thread(target=self._look, args=words, name="checkup")
        try:
            thread.start()
        except RuntimeError as error:
            _log.warning("the set-up cannot be checked: %s", error)
        else:
            self._thread = thread

    def _look(self, images: list[Image], size: int, palette: tuple[str, ...] | None) -> None:
        try:
            report = check_setup(images, size, palette)
        except VisionError as error:
            _log.warning("the set-up cannot be checked: %s", error)
            return
        height, width = images[-1].shape[:2]
        found = [] if report.corners is None else report.corners.tolist()
        # Pixels are named by their middles; of a board that is cut off some corners lie outside.
        self.corners = tuple(
            (min(1.0, max(0.0, (x + 0.5) / width)), min(1.0, max(0.0, (y + 0.5) / height)))
            for x, y in found
        )
        self.report = report
