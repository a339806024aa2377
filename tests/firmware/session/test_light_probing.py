"""The layout of a table's LEDs is found while its frames go on arriving."""

import time
from collections.abc import Sequence

import pytest

from firmware.assembly.hardware import build_led_chain
from firmware.codes import ChainCorner, ChainDirection, LightPlace
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.lights import delay_probe, layout_probe
from firmware.lights.led_layout import LedLayout
from firmware.rules.variants import GAMES, default_edition
from firmware.session.light_probing import LightProbing
from firmware.settings import LightsSettings
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.table import VirtualTable
from firmware.simulator.ws2812_chain import Ws2812Chain, under
from tests.support.buffered_camera import BufferedCamera
from tests.support.wall_clock import WALL_CLOCK
from vision.plastics import Rgb
from vision.synthetic.renderer import Renderer
from web.contract import MeasurementCode

pytestmark = pytest.mark.slow

USUAL = LedLayout(14, 14)
OTHER = LedLayout(14, 14, ChainCorner.BOTTOM_RIGHT, ChainDirection.COLUMNS)
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_probe, "MOST", 60)


class LitBoard:
    """A board over LEDs in view of a camera, and the search for their layout."""

    def __init__(
        self,
        wiring: LedLayout,
        late: int | None = None,
        *,
        place: LightPlace = LightPlace.UNDER,
        spill: int = 0,
    ) -> None:
        game = GAMES["duo"]
        table = VirtualTable(game)

        def beside(shown: Sequence[Rgb]) -> None:
            lit = spill if any(map(any, shown)) else 0
            table.light(((lit, lit, lit),) * 196)

        glow = under(table, wiring.layout(14)) if place is LightPlace.UNDER else beside
        self.chain = Ws2812Chain(wiring.length, time.monotonic, glow)
        strip = Ws2812Spi(SpiLine(self.chain), self.chain.length)
        camera = SimulatedCamera(
            table, default_edition(game), time.monotonic, Renderer(2), (800, 600)
        )
        self.camera = camera if late is None else BufferedCamera(camera, late)
        chain = build_led_chain(LightsSettings(place=place), strip, 14)
        self.probing = LightProbing(chain, 14, None)

    def run(self) -> MeasurementCode:
        until = time.monotonic() + PATIENCE_S
        while self.probing.state is MeasurementCode.RUNNING:
            assert time.monotonic() < until
            frame = self.camera.read()
            assert frame is not None
            self.probing.see(frame)
        return self.probing.state


def test_a_layout_that_is_as_the_settings_say_needs_no_others() -> None:
    board = LitBoard(USUAL)
    assert board.run() is MeasurementCode.DONE
    entry = board.probing.entry
    assert (entry.settings, entry.unseen) == ("", 0)
    assert entry.lit >= 4
    assert not any(map(any, board.chain.shown))


def test_another_layout_is_named_as_settings() -> None:
    board = LitBoard(OTHER)
    assert board.run() is MeasurementCode.DONE
    settings = board.probing.entry.settings.splitlines()
    assert settings[0] == "[lights]"
    assert 'along = "columns"' in settings
    assert 'first = "bottom-right"' in settings
    assert "serpentine = true" in settings


def test_a_camera_that_is_late_is_waited_for_and_its_delay_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delay_probe, "_PHASE_S", (0.6, 12.0))
    board = LitBoard(OTHER, late=7)
    assert board.run() is MeasurementCode.DONE
    delay = board.probing.delay
    assert delay is not None
    assert delay.frames > 1
    assert board.probing.entry.delay_s == delay.seconds > 0
    assert 'along = "columns"' in board.probing.entry.settings


@WALL_CLOCK
def test_a_search_that_is_stopped_ends_at_once() -> None:
    board = LitBoard(USUAL)
    begun = time.monotonic()
    board.probing.close()
    assert time.monotonic() - begun < 1.0


@pytest.mark.parametrize("place", LightPlace)
def test_without_a_board_in_view_the_search_fails(place: LightPlace) -> None:
    board = LitBoard(USUAL, place=place)
    frame = board.camera.read()
    assert frame is not None
    frame.image[:] = 100
    board.probing.see(frame)
    until = time.monotonic() + PATIENCE_S
    while board.probing.state is MeasurementCode.RUNNING:
        assert time.monotonic() < until
        board.probing.see(frame)
        time.sleep(0.05)
    assert board.probing.state is MeasurementCode.FAILED
    assert board.probing.lights_board is None


@pytest.mark.parametrize("spill", [0, 60])
def test_a_panel_either_lights_the_board_or_does_not(
    monkeypatch: pytest.MonkeyPatch, spill: int
) -> None:
    monkeypatch.setattr(delay_probe, "_PHASE_S", (0.6, 12.0))
    board = LitBoard(USUAL, place=LightPlace.BESIDE, spill=spill)
    assert board.run() is MeasurementCode.DONE
    assert board.probing.lights_board is (spill > 0)
    entry = board.probing.entry
    assert (entry.beside, entry.lights_board, entry.settings) == (True, spill > 0, "")
    assert not any(map(any, board.chain.shown))
