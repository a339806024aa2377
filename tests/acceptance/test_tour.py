"""The guided tour at a whole simulated table: by touch, by mouse and by keyboard, to its end."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize

from tests.conftest import ROOT
from tests.support.browser import CHROMIUM, DESKTOP, PHONE, PageVisit, browser

PATIENCE_MS = 30_000
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}

STEPS = ("lay", "side", "take-back", "nudge", "cup", "doubt", "phone", "computer")

LONGEST_S = 120.0
"""The tour is over in two minutes; this is the part that its people cannot hurry."""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true",
    reason="no Chromium here; apt-get install chromium",
)

Place = tuple[float, float]
"""Pixels from the left and the top edge of the window."""

IN_WINDOW = """([x, y]) => {
  const { view } = JSON.parse(document.getElementById("table").textContent);
  const at = (row) => view[row] * x + view[row + 1] * y + view[row + 2];
  const overlay = document.getElementById("overlay");
  const [left, top, width, height] = overlay.getAttribute("viewBox").split(" ").map(Number);
  const box = overlay.getBoundingClientRect();
  return [
    box.left + (((at(0) / at(6)) * 1280 - left) / width) * box.width,
    box.top + (((at(3) / at(6)) * 960 - top) / height) * box.height,
  ];
}"""

POINTED = """() => {
  const middles = [...document.querySelectorAll(".pointed polygon")].map((square) => {
    const box = square.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  });
  return [0, 1].map((at) => middles.reduce((sum, one) => sum + one[at], 0) / middles.length);
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Runs the table of `make run`; yields its address."""
    words = ["demo", "--port", "0", "--no-browser", "--folder", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    found = (re.search(r"http://localhost:(\d+)/", line) for line in process.stdout)
    match = next(filter(None, found), None)
    assert match, "the demo said no address"
    yield f"http://127.0.0.1:{match[1]}"
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    process.stdout.close()


class Person:
    """Does what the tour says: looks for what it marks, and nowhere else.

    Args:
        visit: the page.
        name: begins the names of the screenshots.
    """

    def __init__(self, visit: PageVisit, name: str) -> None:
        self.visit = visit
        self.page = visit.page
        self.name = name
        self.axe_s = 0.0

    def reaches(self, step: str, say: str = "") -> None:
        """Waits for a step, and looks at it."""
        self.page.wait_for_selector(
            f'#tour[data-step="{step}"][data-say="{say or step}"]', timeout=PATIENCE_MS
        )
        begun = time.monotonic()
        self.page.wait_for_timeout(400)
        self.visit.shoot(f"tour-{self.name}-{say or step}")
        assert self.visit.faults() == []
        assert not self.visit.is_too_wide()
        self.axe_s += time.monotonic() - begun

    def piece(self) -> Place:
        """The marked piece of the tray."""
        return self._middle(".pieces .pointed-out")

    def landing(self) -> Place:
        """The middle of the marked squares."""
        across, down = self.page.evaluate(POINTED)
        return across, down

    def newest(self) -> Place:
        """The piece on the board that has moved last."""
        one = self.page.evaluate(
            "JSON.parse(document.getElementById('table').textContent).pieces.at(-1)"
        )
        return self.on_board(one["across"], one["down"])

    def on_board(self, across: float, down: float) -> Place:
        """A place on the board, in squares."""
        x, y = self.page.evaluate(IN_WINDOW, [across, down])
        return x, y

    def press(self, selector: str) -> None:
        """Presses a button."""
        self.page.click(selector)

    def drag(self, begin: Place, end: Place) -> None:
        """Drags a piece."""
        self.page.mouse.move(*begin)
        self.page.mouse.down()
        self.page.mouse.move(end[0] - 20, end[1] - 10, steps=3)
        self.page.mouse.move(*end, steps=3)
        self.page.mouse.up()

    def lay(self) -> None:
        """Lays the marked piece on the marked squares."""
        self.drag(self.piece(), self.landing())

    def take_back(self) -> None:
        """Takes the newest piece off the board."""
        self.drag(self.newest(), self.on_board(-1.2, 6.0))

    def put_back(self) -> None:
        """Puts the newest piece back onto the marked squares."""
        self.drag(self.newest(), self.landing())

    def _middle(self, selector: str) -> Place:
        box = self.page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not in view"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Toucher(Person):
    """A person with a phone: the piece is held above the finger."""

    LIFT_PX = 64

    def drag(self, begin: Place, end: Place) -> None:
        session = self.page.context.new_cdp_session(self.page)

        def send(kind: str, place: Place | None) -> None:
            points = [{"x": place[0], "y": place[1]}] if place else []
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        aim = end[0], end[1] + self.LIFT_PX
        send("touchStart", begin)
        for part in (0.3, 0.7, 1.0):
            send(
                "touchMove",
                (begin[0] + part * (aim[0] - begin[0]), begin[1] + part * (aim[1] - begin[1])),
            )
        send("touchEnd", None)
        session.detach()

    def press(self, selector: str) -> None:
        self.page.tap(selector)


class Typist(Person):
    """A person with a keyboard alone."""

    def press(self, selector: str) -> None:
        self.page.focus(selector)
        self.page.keyboard.press("Enter")

    def lay(self) -> None:
        self.page.focus(".pieces .pointed-out")
        self.page.keyboard.press("Enter")
        self._carry()

    def take_back(self) -> None:
        self.page.focus("#overlay")
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Delete")

    def put_back(self) -> None:
        self.page.focus("#overlay")
        self.page.keyboard.press("Enter")
        self._carry()

    def _carry(self) -> None:
        """Moves the piece in the hand onto the marked squares, by the squares that are drawn."""
        x, y = self.landing()
        left, top = self.on_board(0.5, 0.5)
        right, bottom = self.on_board(13.5, 13.5)
        for low, high, aim, axis, less, more in (
            (left, right, x, 0, "ArrowLeft", "ArrowRight"),
            (top, bottom, y, 1, "ArrowUp", "ArrowDown"),
        ):
            square = (high - low) / 13
            for _ in range(14):
                far = aim - self._held()[axis]
                if abs(far) < square / 2:
                    break
                self.page.keyboard.press(more if far > 0 else less)
        self.page.keyboard.press("Enter")

    def _held(self) -> Place:
        across, down = self.page.evaluate(POINTED.replace(".pointed", ".landing"))
        return across, down


WAYS: dict[str, tuple[type[Person], ViewportSize, bool]] = {
    "phone": (Toucher, PHONE, True),
    "phone-on-its-side": (Toucher, ON_ITS_SIDE, True),
    "desktop": (Person, DESKTOP, False),
    "keyboard": (Typist, DESKTOP, False),
}


@contextmanager
def at_the_table(chromium: Browser, way: str) -> Iterator[Person]:
    kind, size, touches = WAYS[way]
    scheme = os.environ.get("CORNERLIGHT_SCHEME", "light")
    context: BrowserContext = chromium.new_context(
        viewport=size,
        has_touch=touches,
        is_mobile=touches,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    yield kind(PageVisit.begin(context), f"{way}-{scheme}")
    context.close()


def begin(person: Person, address: str) -> None:
    person.page.goto(f"{address}/play")
    person.press("#start [value=tour]")
    person.page.wait_for_selector("#tour:not([hidden])", timeout=PATIENCE_MS)


@pytest.mark.parametrize("way", WAYS)
def test_the_tour_is_done_by_what_it_says(chromium: Browser, address: str, way: str) -> None:
    with at_the_table(chromium, way) as person:
        begin(person, address)
        began = time.monotonic()
        for step, act in doings(person).items():
            person.reaches(step)
            act()
        person.page.wait_for_selector('.play:not(:has(#tour)) #opponent', timeout=PATIENCE_MS)
        spent = time.monotonic() - began - person.axe_s
        print(f"{way}: {spent:.0f} s")
        assert spent < LONGEST_S
        assert person.visit.complaints == []
        holders = person.page.evaluate(
            "JSON.parse(document.getElementById('table').textContent).seats.map((s) => s.holder)"
        )
        assert holders == ["person", "computer"]


def doings(person: Person) -> dict[str, Callable[[], None]]:
    """Returns what a person does in each step."""

    def nudge() -> None:
        person.press(".pointed-out[data-prop=nudge]")
        person.reaches("nudge", "nudge-then")
        person.put_back()

    def cup() -> None:
        person.press(".pointed-out[data-prop=cup]")
        person.reaches("cup", "cup-then")
        person.press(".pointed-out[data-prop=cup]")

    def answer() -> None:
        person.reaches("doubt", "doubt-then")
        person.press(".pointed-out .choice >> nth=0")

    return {
        "lay": person.lay,
        "side": person.lay,
        "take-back": person.take_back,
        "nudge": nudge,
        "cup": cup,
        "doubt": answer,
        "phone": lambda: person.press("#tour-next"),
        "computer": lambda: person.press("#tour-computer"),
    }
