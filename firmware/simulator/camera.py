"""A camera over the virtual table."""

from collections import deque
from collections.abc import Callable
from typing import Final

from firmware.rules.variants import Edition
from firmware.simulator.appearance import PieceMaterial, table_look
from firmware.simulator.table import VirtualTable
from vision.camera import Camera, Frame
from vision.synthetic import Renderer

SIZE: Final = (1280, 960)
"""Width and height of a frame in pixels."""

_EXPOSURE_S: Final = 0.02
"""Seconds of an exposure."""


class SimulatedCamera:
    """Frames of a virtual table.

    Args:
        table: the table in view.
        edition: names of the colours of plastic, in the order of play.
        clock: returns seconds, for the times of the frames.
        renderer: renders the frames; its seed determines their noise.
        size: width and height of a frame in pixels.
        plastic: material of the pieces; None for opaque plastic.
        after: number of the frame before the first.

    Attributes:
        number: number of the last frame.
    """

    def __init__(
        self,
        table: VirtualTable,
        edition: Edition,
        clock: Callable[[], float],
        renderer: Renderer,
        size: tuple[int, int] = SIZE,
        plastic: PieceMaterial | None = None,
        after: int = 0,
    ) -> None:
        self._table = table
        self._edition = edition
        self._clock = clock
        self._renderer = renderer
        self._size = size
        self._plastic = plastic
        self.number = after
        self._closed = False

    def read(self) -> Frame | None:
        """A frame of the present table; None after `close`."""
        if self._closed:
            return None
        self.number += 1
        look = table_look(self._table.scene, self._edition, self._size, self._plastic)
        now = self._clock()
        image = self._renderer.render(look, self.number)
        return Frame(image, now, self.number, (now - _EXPOSURE_S, now))

    def close(self) -> None:
        """Closes the camera; further reads return None."""
        self._closed = True


class BufferedCamera:
    """A camera that returns frames some frames late, without times of exposure.

    Webcams with a buffering driver behave like this.

    Args:
        camera: camera that takes the frames.
        late: number of frames in buffers.
    """

    def __init__(self, camera: Camera, late: int) -> None:
        self._camera: Final = camera
        self._waiting: Final[deque[Frame]] = deque()
        self._late: Final = late

    def read(self) -> Frame | None:
        """The oldest buffered frame, with time and number of the newest; None at the end."""
        while len(self._waiting) <= self._late:
            frame = self._camera.read()
            if frame is None:
                return None
            self._waiting.append(frame)
        newest = self._waiting[-1]
        return Frame(self._waiting.popleft().image, newest.time_s, newest.number)

    def close(self) -> None:
        """Closes the wrapped camera."""
        self._camera.close()
