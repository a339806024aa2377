"""Common behaviour of buttons on mock pins of gpiozero and at a simulated table; faults of pins."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from gpiozero import PinError
from gpiozero.pins.mock import MockFactory, MockPin

from firmware.drivers.gpio_buttons import BOUNCE_S, GpioButtons
from firmware.drivers.interfaces import OFF_S, ButtonPress, Buttons, DeviceError
from firmware.simulator.buttons import SimulatedButtons
from tests.conftest import ROOT

PINS = (5, 6, 16)
HOLD_S = 1.0
PRESS_S = 0.12


@dataclass
class PinBench:
    """Mock pins with manual levels and time."""

    now_s: float = 0.0
    chips: list[MockFactory] = field(default_factory=list)
    pin_class: type[MockPin] = MockPin

    def open(self) -> MockFactory:
        self.chips.append(MockFactory(pin_class=self.pin_class))
        return self.chips[-1]

    def buttons(self) -> GpioButtons:
        made = GpioButtons(PINS, HOLD_S, opener=self.open, clock=lambda: self.now_s)
        assert made.pressed() == ()
        return made

    def level(self, person: int, *, down: bool, after_s: float = 0.0) -> None:
        self.now_s += after_s
        pin = self.chips[-1].pin(PINS[person])
        pin.drive_low() if down else pin.drive_high()

    def press(self, person: int, *, held: bool = False, off: bool = False) -> None:
        self.level(person, down=True, after_s=0.5)
        held_s = 2 * HOLD_S if held else PRESS_S
        self.level(person, down=False, after_s=OFF_S if off else held_s)
        self.now_s += 2 * BOUNCE_S


@pytest.fixture
def bench() -> Iterator[PinBench]:
    made = PinBench()
    yield made
    for chip in made.chips:
        chip.reset()


@pytest.fixture(params=["simulated", "gpio"])
def fitted(request: pytest.FixtureRequest, bench: PinBench) -> tuple[Buttons, Callable[..., None]]:
    """Buttons, and a function that presses them."""
    if request.param == "gpio":
        return bench.buttons(), bench.press
    simulated = SimulatedButtons(len(PINS))
    return simulated, simulated.press


Fitted = tuple[Buttons, Callable[..., None]]


def test_a_press_is_reported_once(fitted: Fitted) -> None:
    buttons, press = fitted
    press(1)
    assert buttons.pressed() == (ButtonPress(1),)
    assert buttons.pressed() == ()


def test_presses_while_the_loop_is_late_are_reported_in_their_order(fitted: Fitted) -> None:
    buttons, press = fitted
    for person in (2, 0, 0, 1):
        press(person)
    assert buttons.pressed() == (ButtonPress(2), ButtonPress(0), ButtonPress(0), ButtonPress(1))


def test_a_held_button_is_reported_as_held_and_its_release_says_nothing(fitted: Fitted) -> None:
    buttons, press = fitted
    press(0, held=True)
    press(1)
    assert buttons.pressed() == (ButtonPress(0, held=True), ButtonPress(1))


def test_a_button_held_on_is_reported_twice_and_its_release_says_nothing(fitted: Fitted) -> None:
    buttons, press = fitted
    press(0, off=True)
    press(1)
    held, off = ButtonPress(0, held=True), ButtonPress(0, held=True, off=True)
    assert buttons.pressed() == (held, off, ButtonPress(1))
    assert buttons.pressed() == ()


def test_closed_buttons_refuse_to_be_read(fitted: Fitted) -> None:
    buttons, _ = fitted
    buttons.close()
    buttons.close()
    with pytest.raises(DeviceError, match="closed"):
        buttons.pressed()


def test_a_button_that_is_still_held_is_reported_without_waiting_for_its_release(
    bench: PinBench,
) -> None:
    buttons = bench.buttons()
    bench.level(0, down=True)
    bench.now_s += HOLD_S - 0.01
    assert buttons.pressed() == ()
    bench.now_s += 0.02
    assert buttons.pressed() == (ButtonPress(0, held=True),)
    bench.now_s += OFF_S - HOLD_S - 0.02
    assert buttons.pressed() == ()
    bench.now_s += 0.02
    assert buttons.pressed() == (ButtonPress(0, held=True, off=True),)
    bench.level(0, down=False, after_s=5.0)
    bench.now_s += BOUNCE_S
    assert buttons.pressed() == ()


def test_a_release_just_before_the_machine_would_switch_off_says_nothing(bench: PinBench) -> None:
    buttons = bench.buttons()
    bench.level(0, down=True)
    bench.level(0, down=False, after_s=OFF_S - 0.01)
    bench.now_s += 1.0
    assert buttons.pressed() == (ButtonPress(0, held=True),)


def test_a_contact_that_bounces_is_pressed_once(bench: PinBench) -> None:
    buttons = bench.buttons()
    for down in (True, False, True, False, True):
        bench.level(0, down=down, after_s=0.002)
        assert buttons.pressed() == ()
    for down, after_s in ((False, PRESS_S), (True, 0.003), (False, 0.003)):
        bench.level(0, down=down, after_s=after_s)
    bench.now_s += 2 * BOUNCE_S
    assert buttons.pressed() == (ButtonPress(0),)


def test_a_release_that_bounces_just_before_the_hold_is_no_long_press(bench: PinBench) -> None:
    buttons = bench.buttons()
    bench.level(0, down=True)
    bench.level(0, down=False, after_s=HOLD_S - 0.005)
    bench.now_s += 0.01
    assert buttons.pressed() == ()
    bench.now_s += BOUNCE_S
    assert buttons.pressed() == (ButtonPress(0),)


def test_a_wire_that_hangs_loose_hums_and_presses_nothing(bench: PinBench) -> None:
    buttons = bench.buttons()
    for wave in range(500):
        bench.level(0, down=wave % 2 == 0, after_s=0.01)  # mains of 50 Hz
        if wave % 7 == 0:
            assert buttons.pressed() == ()


def test_the_chip_pulls_every_pin_up(bench: PinBench) -> None:
    bench.buttons()
    assert [bench.chips[-1].pin(pin).pull for pin in PINS] == ["up"] * len(PINS)


class ShortedPin(MockPin):  # type: ignore[misc]
    """A pin that is shorted to ground."""

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001 - as gpiozero has it
        return bool(super()._change_state(value=False))


def test_a_button_that_is_down_from_the_beginning_says_nothing_and_is_found(
    bench: PinBench,
) -> None:
    buttons = GpioButtons(
        PINS,
        HOLD_S,
        opener=lambda: MockFactory(pin_class=ShortedPin),
        clock=lambda: bench.now_s,
    )
    for _ in range(5):
        assert buttons.pressed() == ()
        bench.now_s += HOLD_S
    assert buttons.down() == (0, 1, 2)


class LoosePin(MockPin):  # type: ignore[misc]
    """A pin of a chip that can be removed."""

    out = False

    def _get_state(self) -> bool:
        if LoosePin.out:
            raise PinError("the chip is gone")
        return bool(super()._get_state())


def test_a_chip_that_fails_is_reported_and_taken_again(
    bench: PinBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.pin_class = LoosePin
    buttons = bench.buttons()
    bench.press(0)
    monkeypatch.setattr(LoosePin, "out", True)
    with pytest.raises(DeviceError, match="GPIO5, GPIO6, GPIO16 cannot be read: the chip is gone"):
        buttons.pressed()
    monkeypatch.setattr(LoosePin, "out", False)
    assert buttons.pressed() == ()
    assert len(bench.chips) == 2
    bench.press(2)
    assert buttons.pressed() == (ButtonPress(2),)


@pytest.mark.parametrize(
    ("message", "remedy"),
    [("'GPIO busy'", "choose other pins"), ("'can not open gpiochip'", "into the group gpio")],
)
def test_what_lgpio_refuses_is_said_with_its_remedy(message: str, remedy: str) -> None:
    def refuse() -> MockFactory:
        raise PinError(message)

    with pytest.raises(DeviceError, match=f"GPIO5, GPIO6, GPIO16 cannot be read: .*{remedy}"):
        GpioButtons(PINS, opener=refuse).pressed()


def test_a_folder_without_room_for_the_pipe_is_named() -> None:
    """lgpio makes its pipe when it is imported, so this needs a process of its own."""
    pytest.importorskip("lgpio", reason="lgpio is not installed")
    code = "from firmware.drivers.gpio_buttons import GpioButtons; GpioButtons([5]).pressed()"
    machine = {**os.environ, "LG_WD": "/proc"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=machine,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert "the buttons need a pipe in the folder /proc" in done.stderr
    assert "LG_WD" in done.stderr
