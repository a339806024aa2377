"""A camera over the virtual table."""

from collections import deque
from collections.abc import Callable
from typing import Final

from firmware.rules.variants import Edition
from firmware.simulator.appearance import Plastic, table_look
from firmware.simulator.table import VirtualTable
from vision.camera import Camera, Frame
from vision.synthetic import Renderer

SIZE: Final = (1280, 960)
"""Width and height of a frame in pixels."""
_EXPOSURE_S: Final = 0.02


class SimulatedCamera:
    """Frames of a virtual table.

    Args:
        table: what it looks at.
        edition: what the colours of the plastic are, in the order of play.
        clock: seconds; stamps the frames.
        renderer: draws them; give it a seed.
        size: width and height of a frame in pixels.
        plastic: what the pieces are made of; None for opaque plastic.
        after: number of the frame before the first.

    Attributes:
        number: of the newest frame.
    """

    def __init__(
        self,
        table: VirtualTable,
        edition: Edition,
        clock: Callable[[], float],
        renderer: Renderer,
        size: tuple[int, int] = SIZE,
        plastic: Plastic | None = None,
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
        """The table as it looks now; None once it is closed."""
        if self._closed:
            return None
        self.number += 1
        look = table_look(self._table.scene, self._edition, self._size, self._plastic)
        now = self._clock()
        image = self._renderer.render(look, self.number)
        return Frame(image, now, self.number, (now - _EXPOSURE_S, now))

    def close(self) -> None:
        """Ends it."""
        self._closed = True


class BufferedCamera:
    """A camera that hands out what it took some frames ago, and does not say when that was.

    So do webcams whose driver keeps frames in buffers.

    Args:
        camera: takes the frames; it says when.
        late: how many frames wait in buffers.
    """

    def __init__(self, camera: Camera, late: int) -> None:
        self._camera: Final = camera
        self._waiting: Final[deque[Frame]] = deque()
        self._late: Final = late

    def read(self) -> Frame | None:
        """The oldest frame that waits, stamped as if it were new; None when there are no more."""
        while len(self._waiting) <= self._late:
            frame = self._camera.read()
            if frame is None:
                return None
            self._waiting.append(frame)
        newest = self._waiting[-1]
        return Frame(self._waiting.popleft().image, newest.time_s, newest.number)

    def close(self) -> None:
        """Closes the camera."""
        self._camera.close()
