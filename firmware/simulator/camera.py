"""A camera over the virtual table."""

from collections.abc import Callable
from typing import Final

from firmware.rules.games import Edition
from firmware.simulator.outlook import outlook
from firmware.simulator.table import VirtualTable
from vision.camera import Frame
from vision.synthetic import Renderer

SIZE: Final = (1280, 960)
"""Width and height of a frame in pixels."""


class SimulatedCamera:
    """Frames of a virtual table.

    Args:
        table: what it looks at.
        edition: what the colours of the plastic are, in the order of play.
        clock: seconds; stamps the frames.
        renderer: draws them; give it a seed.
        size: width and height of a frame in pixels.
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
        after: int = 0,
    ) -> None:
        self._table = table
        self._edition = edition
        self._clock = clock
        self._renderer = renderer
        self._size = size
        self.number = after
        self._closed = False

    def read(self) -> Frame | None:
        """The table as it looks now; None once it is closed."""
        if self._closed:
            return None
        self.number += 1
        look = outlook(self._table.scene, self._edition, self._size)
        return Frame(self._renderer.render(look, self.number), self._clock(), self.number)

    def close(self) -> None:
        """Ends it."""
        self._closed = True
