"""WLED in the network: what it shows, what it drops in silence, and why it shows nothing."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from threading import Event

import pytest

from firmware.drivers.interfaces import DeviceError
from firmware.drivers.wled import LATE_S, MOST_BYTES, Wled, packets
from tests.support.waiting import eventually
from tests.support.wled_controller import WledController, WledFaults

FRAME = bytes(range(1, 256)) * 5


@pytest.fixture(params=[14, 15, 16])
def controller(request: pytest.FixtureRequest) -> Iterator[WledController]:
    with closing(WledController(500, request.param)) as controller:
        yield controller


def opened(controller: WledController, length: int = 400, wait_s: float = 6.0) -> Wled:
    return Wled(controller.address, length, wait_s=wait_s, ddp_port=controller.ddp_port)


def shows(controller: WledController, frame: bytes) -> bool:
    return bytes(level for one in controller.shown for level in one).startswith(frame)


def test_a_frame_is_cut_into_packets_of_which_the_last_shows_it() -> None:
    assert [len(one) for one in packets(bytes(3 * 400), 1)] == [1210]
    assert [len(one) for one in packets(bytes(2 * MOST_BYTES), 1)] == [1450, 1450]
    assert [one[0] for one in packets(bytes(3 * 1000), 15)] == [0x40, 0x40, 0x41]
    assert packets(b"\x01\x02\x03", 7) == [bytes.fromhex("41070b01000000000003010203")]


def test_a_frame_is_shown_and_stays_while_nothing_changes(controller: WledController) -> None:
    strip = opened(controller)
    strip.write(FRAME[:1200])
    eventually(lambda: shows(controller, FRAME[:1200]), LATE_S)
    time.sleep(3)  # longer than after which WLED shows its own effect
    assert shows(controller, FRAME[:1200])
    strip.close()
    eventually(lambda: not shows(controller, FRAME[:1200]), 5)


def test_frames_that_are_lost_or_late_are_shown_in_time(controller: WledController) -> None:
    controller.faults = WledFaults(loss=0.3, delay_s=0.1)
    strip = opened(controller)
    for first in range(5):
        frame = FRAME[first : first + 1200]
        strip.write(frame)
        time.sleep(LATE_S)
        assert shows(controller, frame)
    strip.close()


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        (WledFaults(mute=True), "does not answer; look at its power"),
        (WledFaults(no_wled=True), "is no WLED; name its address"),
        (WledFaults(override=1), "its own effect over ours; end the override"),
        (WledFaults(other="192.168.1.9"), "another program, at 192.168.1.9, drives"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_a_sentence(faults: WledFaults, sentence: str) -> None:
    with closing(WledController(400)) as controller:
        controller.faults = faults
        with pytest.raises(DeviceError, match=sentence):
            opened(controller)


def test_too_few_leds_and_a_matrix_with_another_wiring_are_said() -> None:
    with (
        closing(WledController()) as new,
        pytest.raises(DeviceError, match="has 30 LEDs instead of 400"),
    ):
        opened(new)
    with closing(WledController(400, is_matrix=True)) as matrix:
        opened(matrix).close()
        with pytest.raises(DeviceError, match="serpentine to false"):
            Wled(matrix.address, 400, is_wired_in_rows=False, wait_s=6)


def test_it_is_away_at_a_start_and_comes_back_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.drivers.wled._ASK_S", 0.2)
    with closing(WledController(400)) as controller:
        controller.faults.mute = True
        strip = opened(controller, wait_s=0.0)
        eventually(lambda: "does not answer" in refusal(strip))
        controller.faults.mute = False
        eventually(lambda: not refusal(strip))
        eventually(lambda: shows(controller, FRAME[:1200]), LATE_S)
        # While it shows frames, one slow answer is no reason.
        controller.faults.mute = True
        time.sleep(0.3)
        assert not refusal(strip)
        eventually(lambda: "does not answer" in refusal(strip))
        strip.close()


def test_before_the_first_answer_it_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connects, and answers nothing
        port = silent.getsockname()[1]
        strip = Wled(f"127.0.0.1:{port}", 400)
        assert refusal(strip) == f"WLED at 127.0.0.1:{port} has not answered yet"
        strip.close()


def test_closed_while_it_connects_it_opens_no_line_for_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connecting, is_closed, done = Event(), Event(), Event()
    connect = Wled._connect

    def held_up(strip: Wled, line: socket.socket) -> str:
        connecting.set()
        is_closed.wait(5)
        try:
            return connect(strip, line)
        finally:
            done.set()

    monkeypatch.setattr(Wled, "_connect", held_up)
    with closing(WledController(400)) as controller:
        strip = opened(controller, wait_s=0.0)
        assert connecting.wait(5)
        strip.close()
        is_closed.set()
        assert done.wait(5)
        assert strip._socket.fileno() < 0


def refusal(strip: Wled) -> str:
    try:
        strip.write(FRAME[:1200])
    except DeviceError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("address", ["127.0.0.1:1", "no.such.name.invalid", "[::", "127.0.0.1:x"])
def test_an_address_where_nothing_is_has_its_sentence(address: str) -> None:
    with pytest.raises(DeviceError, match=r"WLED at .* does not answer"):
        Wled(address, 196, wait_s=6)


def test_what_makes_it_dim_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    with closing(WledController(400, brightness=128)) as controller:
        opened(controller).close()
    assert "dims all to 50 % unless it forces full brightness" in caplog.text
    assert "more than 850 mA" in caplog.text
