"""LEDs under a simulated table, with the real control of lights."""

from collections.abc import Callable
from typing import Final

from firmware.codes import Translucency
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.lights.led_display import LedDisplay
from firmware.lights.led_layout import LedLayout
from firmware.lights.scene import SceneContext, scene
from firmware.session.tracker import GameTracker
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import Ws2812Chain, under
from vision.camera import Frame


class LitTable:
    """One LED under each square of a virtual table.

    Args:
        table: the virtual table.
        clock: clock of the camera's exposures, in seconds.
        pieces: translucency of the pieces.
        digits: number to show instead of the game.
    """

    def __init__(
        self,
        table: VirtualTable,
        clock: Callable[[], float],
        pieces: Translucency,
        digits: str = "",
    ) -> None:
        size = table.scene.game.size
        wiring = LedLayout(size, size)
        self._chain: Final = Ws2812Chain(size**2, clock, under(table, wiring.layout(size)))
        strip = Ws2812Spi(SpiLine(self._chain, largest=1 << 16), self._chain.length)
        self._lights: Final = LedDisplay(strip, wiring, size, clock)
        self._aside: Final = SceneContext(pieces, digits=digits)

    @property
    def glowing(self) -> frozenset[int]:
        """Returns the squares whose LEDs glow now."""
        return frozenset(square for square, rgb in enumerate(self._chain.shown) if any(rgb))

    def lit_in(self, frame: Frame) -> frozenset[int]:
        """Returns the squares whose LEDs may glow in a frame."""
        return self._lights.seen_in(frame)

    def show(self, follower: GameTracker) -> None:
        """Shows the current state of the game."""
        glows = scene(follower.referee.state, follower.referee.edition, self._aside)
        self._lights.show(glows, turned=follower.turned, dark=follower.referee.wants_dark)
