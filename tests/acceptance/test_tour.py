"""The guided tour at a whole simulated table: by touch, by mouse and by keyboard, to its end."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize

from tests.support.browser import DESKTOP, NEEDS_BROWSER, SMALL, PageVisit, browser
from tests.support.played_table import LIFT_PX, BrowserPlayer
from tests.support.running_demo import running_demo

PATIENCE_MS = 30_000
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}

LONGEST_S = 120.0
"""The tour is over in two minutes; this is the part that its people cannot hurry."""

pytestmark = NEEDS_BROWSER

Place = tuple[float, float]
"""Pixels from the left and the top edge of the window."""

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


class Person:
    """Does what the tour says: looks for what it marks, and nowhere else.

    Args:
        visit: the page.
        name: begins the names of the screenshots.
    """

    def __init__(self, visit: PageVisit, name: str) -> None:
        self.visit = visit
        self.page = visit.page
        self.player = BrowserPlayer(visit.page)
        self.name = name
        self.axe_s = 0.0

    def reaches(self, step: str, say: str = "") -> None:
        """Waits for a step, and looks at it."""
        shown = self.page.locator(f'#tour[data-step="{step}"][data-say="{say or step}"]')
        self.player.until(lambda: shown.count() == 1)
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

    def place_of(self, one: dict[str, Any]) -> Place:
        """A square of a piece on the board."""
        row, column = (sum(axis) / len(one["shape"]) for axis in zip(*one["shape"], strict=True))
        # Its middle may be empty.
        near = min(one["shape"], key=lambda s: abs(s[0] - row) + abs(s[1] - column))
        return self.player.client(one["across"] + near[1] - column, one["down"] + near[0] - row)

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
        newest = self.player.table()["pieces"][-1]
        self.drag(self.place_of(newest), self.player.client(-1.2, 6.0))

    def put_back(self) -> None:
        """Puts the piece that lies askew back onto the marked squares."""
        one = max(self.player.table()["pieces"], key=lambda one: abs(one["angle_deg"]))
        begin, aim = self.place_of(one), self.landing()
        x, y = self.player.client(one["across"], one["down"])
        self.drag(begin, (begin[0] + aim[0] - x, begin[1] + aim[1] - y))

    def _middle(self, selector: str) -> Place:
        box = self.page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not in view"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Toucher(Person):
    """A person with a phone: the piece is held above the finger."""

    def drag(self, begin: Place, end: Place) -> None:
        session = self.page.context.new_cdp_session(self.page)

        def send(kind: str, place: Place | None) -> None:
            points = [{"x": place[0], "y": place[1]}] if place else []
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        aim = end[0], end[1] + LIFT_PX
        send("touchStart", begin)
        send("touchMove", (begin[0], begin[1] - 20))  # sideways would scroll the tray
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
        self.page.keyboard.press("n")  # the piece before the newest was nudged
        self._carry()

    def _carry(self) -> None:
        """Moves the piece in the hand onto the marked squares, by the squares that are drawn."""
        x, y = self.landing()
        left, top = self.player.client(0.5, 0.5)
        right, bottom = self.player.client(13.5, 13.5)
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
    "phone": (Toucher, SMALL, True),
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
def test_the_tour_is_done_by_what_it_says(chromium: Browser, way: str) -> None:
    with running_demo() as address, at_the_table(chromium, way) as person:
        begin(person, address)
        began = time.monotonic()
        for step, act in doings(person).items():
            if step != "turn":
                person.reaches(step)
            act()
        person.page.wait_for_selector(".play:not(:has(#tour)) .pieces", timeout=PATIENCE_MS)
        spent = time.monotonic() - began - person.axe_s
        print(f"{way}: {spent:.0f} s")  # noqa: T201, for `pytest -s`
        assert spent < LONGEST_S
        assert person.visit.complaints == []
        holders = [seat["holder"] for seat in person.player.table()["seats"]]
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
        person.press(".pointed-out [value^=choose] >> nth=0")

    def turn() -> None:
        person.reaches("turn", "take")
        person.press(".pieces .pointed-out")
        person.reaches("turn")
        person.press("[data-tool=right].pointed-out")

    return {
        "turn": turn,
        "flip": lambda: person.press("[data-tool=flip].pointed-out"),
        "lay": person.lay,
        "side": person.lay,
        "take-back": person.take_back,
        "nudge": nudge,
        "cup": cup,
        "doubt": answer,
        "phone": lambda: person.press("#tour-next"),
        "computer": lambda: person.press("#tour-computer"),
    }


def test_whatever_else_happens_the_tour_says_what_mends_it(chromium: Browser) -> None:
    with running_demo() as address, at_the_table(chromium, "desktop") as person:
        begin(person, address)
        person.press("#tour-next")
        person.press("#tour-next")
        person.reaches("lay")
        person.drag(person.piece(), person.player.client(2.5, 11.5))
        person.reaches("lay", "mend-refused")
        person.take_back()
        person.reaches("lay")
        person.press("#tour-next")  # a hand lays the piece
        person.reaches("side")

        person.page.reload()
        person.reaches("side")
        person.press("[value=pause]")
        person.reaches("side", "mend-paused")
        person.press(".pointed-out[value=resume]")
        person.lay()
        person.reaches("take-back")
        person.press("#tour-next")  # with the refused piece on the board
        person.reaches("nudge", "mend-refused")
        person.take_back()
        person.reaches("nudge")

        person.press("[data-prop=hand]")
        person.reaches("nudge", "mend-prop")
        person.press(".pointed-out[data-prop=hand]")
        person.reaches("nudge")
        person.press("#tour-next")
        person.reaches("cup")
        person.press("[data-prop=nudge]")
        person.reaches("cup", "mend-disturbed")
        person.put_back()
        person.reaches("cup")
        person.press("#tour-next")
        person.reaches("doubt", "doubt-then")
        person.press(".pointed-out [value=refuse]")
        person.reaches("doubt", "mend-refused")
        person.take_back()
        person.reaches("phone")
        person.press("#tour a")
        person.page.wait_for_selector(".play:not(:has(#tour)) .pieces", timeout=PATIENCE_MS)
        assert person.visit.complaints == []
