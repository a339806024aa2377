"""A camera over the virtual table."""

from collections.abc import Callable
from typing import Final

from firmware.rules.variants import Edition
from firmware.simulator.appearance import PieceMaterial, table_look
from firmware.simulator.table import VirtualTable
from vision.camera import Frame
from vision.synthetic.renderer import Renderer

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
