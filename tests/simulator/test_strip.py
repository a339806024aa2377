"""The simulated strip shows what it is sent, and refuses what a real one refuses."""

import pytest

from firmware.devices import DeviceError, Strip
from firmware.rules.games import GAMES
from firmware.simulator.strip import LED_S, RESET_S, SimulatedStrip, serpentine
from firmware.simulator.table import VirtualTable


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(GAMES["duo"])


@pytest.fixture
def strip(table: VirtualTable, clock: Clock) -> SimulatedStrip:
    return SimulatedStrip(table, serpentine(14), clock)


def frame(lit: dict[int, tuple[int, int, int]], length: int = 196) -> bytes:
    return b"".join(bytes(lit.get(led, (0, 0, 0))) for led in range(length))


def test_it_is_a_strip(strip: SimulatedStrip) -> None:
    seam: Strip = strip
    assert seam.length == 196


def test_a_serpentine_runs_back_and_forth() -> None:
    layout = serpentine(14)
    assert sorted(layout) == list(range(196))
    assert layout[:2] == (0, 1)
    assert layout[13:16] == (13, 27, 26)


def test_leds_glow_under_their_squares(table: VirtualTable, strip: SimulatedStrip) -> None:
    strip.write(frame({14: (255, 0, 7), 195: (1, 2, 3)}))
    lights = table.scene.lights
    assert lights[27] == (255, 0, 7)
    assert lights[182] == (1, 2, 3)
    assert sum(map(any, lights)) == 2


def test_what_was_written_is_kept_with_its_time(strip: SimulatedStrip, clock: Clock) -> None:
    strip.write(frame({0: (9, 9, 9)}))
    clock.now_s += 1.0
    strip.write(frame({}))
    assert strip.written == [(100.0, frame({0: (9, 9, 9)})), (101.0, frame({}))]


@pytest.mark.parametrize("length", [0, 195 * 3, 196 * 3 - 1, 196 * 3 + 1, 196 * 4])
def test_a_wrong_number_of_bytes_is_refused(
    table: VirtualTable, strip: SimulatedStrip, length: int
) -> None:
    with pytest.raises(DeviceError, match="588"):
        strip.write(b"\xff" * length)
    assert not any(map(any, table.scene.lights))
    assert strip.written == []


def test_a_frame_too_soon_is_refused_and_one_in_time_is_not(
    strip: SimulatedStrip, clock: Clock
) -> None:
    busy_s = 196 * LED_S + RESET_S
    strip.write(frame({}))
    clock.now_s += busy_s - 1e-5
    with pytest.raises(DeviceError, match="busy"):
        strip.write(frame({}))
    clock.now_s += 2e-5
    strip.write(frame({}))
    assert len(strip.written) == 2


def test_nothing_is_written_to_a_closed_strip(table: VirtualTable, strip: SimulatedStrip) -> None:
    strip.write(frame({3: (5, 5, 5)}))
    strip.close()
    strip.close()
    with pytest.raises(DeviceError, match="closed"):
        strip.write(frame({}))
    assert table.scene.lights[3] == (5, 5, 5)


@pytest.mark.parametrize("layout", [(0, 0), (196,), (-1,)])
def test_a_layout_off_the_board_is_refused(
    table: VirtualTable, clock: Clock, layout: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="layout"):
        SimulatedStrip(table, layout, clock)
