"""View model of the set-up: its steps, what each says, and the results of checks."""

from dataclasses import dataclass
from typing import Final

from web.contract import (
    LightTestEntry,
    MeasurementCode,
    Page,
    ProbeEntry,
    Rating,
    RefereeState,
    SetupEntry,
)
from web.i18n.wording import Wording

STEPS: Final = ("picture", "board", "check", "lens", "lights", "game")
"""The steps in their order."""

_RUNNING: Final = MeasurementCode.RUNNING
"""State of a measurement that is going on."""


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the set-up: its code, its state as a sentence, and True if it is done."""

    code: str
    status: str
    done: bool


@dataclass(frozen=True, slots=True)
class SetupView:
    """The set-up of the table, as far as its entry in the page does not say it itself.

    Attributes:
        steps: the steps that this table has.
        corners: corners of the board as x,y,x,y,... from 0 to 1 of the picture; empty if unknown.
        places: (x,y x,y ...) of the corners of each view for the lens.
        running: code of the step whose measurement is going on; empty if none is.
        light_test: what is to be seen on the lights, or what to change; empty if there is neither.
    """

    steps: tuple[StepView, ...]
    corners: str
    places: tuple[str, ...]
    running: str
    light_test: str

    @property
    def done(self) -> str:
        """Codes of the steps that are done, with spaces between them."""
        return " ".join(step.code for step in self.steps if step.done)


def setup_of(page: Page, wording: Wording) -> SetupView | None:
    """Returns the set-up; None on a page for watchers."""
    if page.private is None:
        return None
    setup = page.private.setup
    return SetupView(
        tuple(_step(code, page, setup, wording) for code in steps_of(setup)),
        ",".join(f"{at:.5f}" for corner in setup.corners for at in corner),
        tuple(" ".join(f"{x:.4f},{y:.4f}" for x, y in place) for place in setup.lens.places),
        _running(setup),
        _light_test(setup.light_test, wording),
    )


def _running(setup: SetupEntry) -> str:
    """Returns the code of the step whose measurement is going on; empty if none is."""
    measured = {"lens": setup.lens, "test": setup.light_test, "lights": setup.lights}
    running = (code for code, one in measured.items() if one and one.state is _RUNNING)
    return next(running, "")


def steps_of(setup: SetupEntry) -> tuple[str, ...]:
    """Returns the codes of the steps that a table has."""
    return tuple(code for code in STEPS if code != "lights" or setup.lights is not None)


def task_of(code: str, setup: SetupEntry | None) -> str:
    """Returns the key of the sentence on what to do in a step."""
    beside = setup is not None and setup.lights is not None and setup.lights.beside
    return "panel" if code == "lights" and beside else code


def first_open(page: Page | None) -> str:
    """Returns the first step that is not done; the last one if all are."""
    if page is None or page.private is None:
        return STEPS[0]
    setup = page.private.setup
    steps = steps_of(setup)
    return next((code for code in steps if not _is_done(code, page, setup)), steps[-1])


def _is_done(code: str, page: Page, setup: SetupEntry) -> bool:
    return {
        "picture": setup.camera,
        "board": setup.board,
        "check": setup.checked,
        "lens": setup.lens.state is MeasurementCode.DONE,
        "lights": _are_right(setup),
        "game": page.ply > 0,
    }[code]


def _step(code: str, page: Page, setup: SetupEntry, wording: Wording) -> StepView:
    done = _is_done(code, page, setup)
    lights = setup.lights or ProbeEntry()
    test = setup.light_test or LightTestEntry(MeasurementCode.NONE)
    explained = {"picture": RefereeState.CAMERA_AWAY, "board": RefereeState.BOARD_LOST}
    if not done and explained.get(code) is page.state.code:
        return StepView(code, wording.state(page), done)
    status = wording.say(
        f"step-states.{_status(code, page, setup, done=done)}",
        views=setup.lens.views,
        wanted=setup.lens.wanted,
        lit=lights.lit,
        delay=f"{lights.delay_s:.1f}",
        number=test.number,
        count=test.count,
    )
    return StepView(code, status, done)


def _status(code: str, page: Page, setup: SetupEntry, *, done: bool) -> str:
    """Returns the key of the sentence on the state of a step."""
    if code == "board" and done and setup.by_hand:
        return "board-by-hand"
    if code == "check" and not done and setup.points:
        mends = any(one.level is Rating.MEND for one in setup.points)
        return "check-mend" if mends else "check-open"
    if code == "lens" and not done:
        return f"lens-{setup.lens.state}"
    if code == "lights" and setup.lights is not None:
        return _lights_status(setup.lights, setup.light_test)
    if code == "game" and not done and page.private is not None:
        return "game-open"
    return f"{code}-{'done' if done else 'open'}"


def _are_right(setup: SetupEntry) -> bool:
    """True if a person or the camera has seen the lights as the settings say."""
    lights, test = setup.lights, setup.light_test
    if test is not None and test.state is not MeasurementCode.NONE:
        return test.state is MeasurementCode.DONE
    return lights is not None and lights.state is MeasurementCode.DONE and not lights.settings


def _light_test(test: LightTestEntry | None, wording: Wording) -> str:
    """Returns a sentence on the test of the lights by a person; empty without anything to say."""
    if test is not None and test.remedy:
        return wording.say(f"light-remedies.{test.remedy}", value=test.value)
    return wording.say(f"lights-seen.{test.name}") if test is not None and test.name else ""


def _lights_status(lights: ProbeEntry, test: LightTestEntry | None) -> str:
    """Returns the key of the sentence on the lights: tested by a person, or by the camera."""
    if test is not None and test.state is not MeasurementCode.NONE:
        return f"test-{test.state}"
    if lights.beside:
        return "panel-lights" if lights.lights_board else f"panel-{lights.state}"
    if lights.settings:
        return "lights-other"
    is_done = lights.state is MeasurementCode.DONE
    return "lights-delay" if is_done and lights.delay_s else f"lights-{lights.state}"
