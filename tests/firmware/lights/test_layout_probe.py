"""The layout of LEDs is found through the rendered camera."""

import pytest

from firmware.codes import ChainCorner, ChainDirection
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.lights.layout_probe import LayoutProbe
from firmware.lights.led_layout import LedLayout
from firmware.rules.variants import GAMES, default_edition
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.clock import ManualClock
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import Ws2812Chain, under
from tests.support.buffered_camera import BufferedCamera
from vision.errors import SourceError
from vision.synthetic.renderer import Renderer

pytestmark = pytest.mark.slow


def probe(wiring: LedLayout, late: int | None = None) -> tuple[LayoutProbe, Ws2812Chain]:
    game, clock = GAMES["duo"], ManualClock()
    table = VirtualTable(game)
    chain = Ws2812Chain(wiring.length, clock, under(table, wiring.layout(14)))
    strip = Ws2812Spi(SpiLine(chain), chain.length)
    edition = default_edition(game)
    simulated = SimulatedCamera(table, edition, clock, Renderer(2), (800, 600))
    camera = simulated if late is None else BufferedCamera(simulated, late)
    return LayoutProbe(strip, camera, 14, clock, clock.pause), chain


@pytest.mark.parametrize(
    ("wiring", "late"),
    [
        (LedLayout(16, 16, ChainCorner.TOP_RIGHT, serpentine=False, left=2, top=1), None),
        (LedLayout(14, 14, ChainCorner.TOP_RIGHT, ChainDirection.COLUMNS), 4),
    ],
)
def test_a_wiring_is_found_through_the_camera(wiring: LedLayout, late: int | None) -> None:
    probed, chain = probe(wiring, late=late)
    found = probed.find()
    assert found.wiring is not None
    assert found.wiring.layout(14) == wiring.layout(14)
    assert found.dark == ()
    assert not any(map(any, chain.shown))
    times = [at for at, _ in chain.written]
    assert all(b - a >= 0.999 for a, b in zip(times, times[3:], strict=False))


def test_without_a_board_in_view_nothing_is_probed() -> None:
    clock = ManualClock()
    table = VirtualTable(GAMES["duo"])
    table.bump_camera(dx_mm=5000.0)
    chain = Ws2812Chain(196, clock, under(table, LedLayout(14, 14).layout(14)))
    camera = SimulatedCamera(table, default_edition(GAMES["duo"]), clock, Renderer(2), (800, 600))
    with pytest.raises(SourceError, match="no board"):
        LayoutProbe(Ws2812Spi(SpiLine(chain), 196), camera, 14, clock, clock.pause)
