"""People who play at the simulated table through its page in a real browser."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page

from firmware.rules.board import Move
from firmware.rules.pieces import PIECES, Shape, normalised
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from firmware.simulator.move_choice import sensibly

CALM = ("waiting", "accepted", "new-game")
"""States of the referee in which the next piece may be laid."""

PATIENCE_S = 90.0
_AFTER_DRAG_MS = 400
"""Milliseconds after a quick drag in which Chromium takes a tap for the end of a fling."""

LIFT_PX = 64.0
"""Pixels from a finger up to the piece that it drags."""

_TO_CLIENT = """
([across, down]) => {
  const overlay = document.getElementById("overlay");
  const m = JSON.parse(document.getElementById("table").textContent).view;
  const w = m[6] * across + m[7] * down + m[8];
  const u = ((m[0] * across + m[1] * down + m[2]) / w) * 1280;
  const v = ((m[3] * across + m[4] * down + m[5]) / w) * 960;
  const [left, top, width, height] = overlay.getAttribute("viewBox").split(" ").map(Number);
  const box = overlay.getBoundingClientRect();
  return [box.left + ((u - left) / width) * box.width, box.top + ((v - top) / height) * box.height];
}
"""


_OUT_OF_VIEW = """
() => [...document.querySelectorAll("#stage, .pieces, [data-tool], .cards, .progress")]
  .filter((one) => {
    const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
    if (!width) return false;
    const inside = left > -1 && right < innerWidth + 1 && top > -1 && bottom < innerHeight + 1;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const free = one.contains(hit) || document.getElementById("stage").contains(hit);
    return scrollY || !inside || !free || (one.dataset.tool && Math.min(width, height) < 44);
  })
  .map((one) => `${one.id || one.dataset.tool || one.className} ${one.getBoundingClientRect().y}`)
"""


def turns(shape: Shape) -> dict[Shape, str]:
    """Returns for each orientation of a shape the keys that turn it so."""
    found = {normalised(shape): ""}
    ways = [normalised(shape)]
    for one in ways:
        turned = normalised(tuple((column, -row) for row, column in one))
        flipped = normalised(tuple((row, -column) for row, column in one))
        for after, key in ((turned, "r"), (flipped, "f")):
            if after not in found:
                found[after] = found[one] + key
                ways.append(after)
    return found


def middle(move: Move) -> tuple[float, float]:
    """Returns the middle of a move's squares, across and down, in squares."""
    size = move.board.size
    rows, columns = zip(*(divmod(square, size) for square in move.squares), strict=True)
    count = len(move.squares)
    return sum(columns) / count + 0.5, sum(rows) / count + 0.5


def shape_of(move: Move) -> Shape:
    return normalised(tuple(divmod(square, move.board.size) for square in move.squares))


@dataclass
class BrowserPlayer:
    """Somebody who plays in a browser.

    Attributes:
        page: page of Playwright at /play.
        by_finger: True to drag pieces by finger, False by mouse.
        latencies_s: seconds from letting a piece go to the verdict.
        doubts: number of questions of the referee that were answered.
    """

    page: Page
    by_finger: bool = False
    latencies_s: list[float] = field(default_factory=list)
    doubts: int = 0
    _facing: dict[tuple[Colour, str], Shape] = field(default_factory=dict)
    _touch: CDPSession | None = None

    def begin(self, address: str, mode: str, game: str = "duo", edition: str = "auto") -> None:
        """Begins a game in a way to play."""
        self.page.goto(f"{address}/play")
        self.page.wait_for_selector("form.begin", state="attached")
        if not self.page.locator("#start").count():
            self.page.locator("summary", has_text="New game").click()
        self.page.select_option("[name=game]", game)
        if edition != "auto":
            self.page.click("form.begin summary")
            self.page.select_option("[name=edition]", edition)
        self.page.check(f"[name=mode][value={mode}]")
        self.page.click("form.begin [value=new-game]")
        self.until(lambda: bool(self.table()["seats"]) and self.fact("state") in CALM)

    def begin_puzzle(self, address: str, key: str) -> None:
        """Begins a puzzle from the first screen."""
        self.page.goto(f"{address}/play")
        self.page.check("[name=mode][value=puzzle]")
        self.page.select_option("[name=puzzle]", key)
        self.page.click("form.begin [value=new-game]")
        self.page.wait_for_selector(".play:not(:has(#start)) .ink-tabs")
        self.until(lambda: bool(self.table()["field"]) and self.fact("state") in CALM)

    def fact(self, name: str) -> str:
        """Returns a fact of the page, see `data-` of its body."""
        return self.page.locator("body").get_attribute(f"data-{name}") or ""

    def table(self) -> dict[str, Any]:
        """Returns the state of the simulated table."""
        table: dict[str, Any] = json.loads(self.page.locator("#table").text_content() or "{}")
        return table

    def until(self, holds: Any, within_s: float = PATIENCE_S) -> None:
        """Waits until something holds."""
        end_s = time.monotonic() + within_s
        while not holds():
            sentence = self.page.locator("#state").inner_text()
            assert time.monotonic() < end_s, f"{self.fact('state')}: {sentence}"
            self.page.wait_for_timeout(20)

    def client(self, across: float, down: float) -> tuple[float, float]:
        """Returns the pixels of the window at a place on the board."""
        x, y = self.page.evaluate(_TO_CLIENT, [across, down])
        return x, y

    def out_of_view(self) -> list[str]:
        """Returns what a player needs and does not see or reach without scrolling."""
        found: list[str] = self.page.evaluate(_OUT_OF_VIEW)
        return found

    def lay(self, colour: Colour, move: Move) -> None:
        """Drags a piece from its tray to its place."""
        if self.by_finger:
            self._swipe(colour, move)
        else:
            self._drag(colour, move)

    def _drag(self, colour: Colour, move: Move) -> None:
        """Drags a piece by mouse, and turns it on the way."""
        x, y = self._tray(colour, move)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        x, y = self.client(*middle(move))
        mouse.move(x + 15, y - 15, steps=3)
        for key in self._keys(colour, move):
            self.page.keyboard.press(key)
        mouse.move(x, y, steps=2)
        mouse.up()

    def adjust(self, colour: Colour, move: Move) -> None:
        """Lets a piece go two squares beside its place, moves it by finger, and lays it."""
        self._swipe(colour, move, 2.0)
        self.page.locator("[data-tool=lay]:enabled").wait_for()
        x, y = self.client(7.0, 12.0)  # beside the piece, which a finger would hide
        to_x, to_y = self.client(5.0, 12.0)
        self._finger("touchStart", x, y)
        for part in (0.5, 1.0):
            self._finger("touchMove", x + part * (to_x - x), y + part * (to_y - y))
        self._finger("touchEnd")
        self.page.wait_for_timeout(_AFTER_DRAG_MS)
        self.page.tap("[data-tool=lay]")

    def _swipe(self, colour: Colour, move: Move, beside: float = 0.0) -> None:
        """Drags a piece by finger, after it was turned by the buttons."""
        across, down = middle(move)
        keys = self._keys(colour, move)
        if keys:
            self.page.touchscreen.tap(*self._tray(colour, move))
            for key in keys:
                self.page.tap("[data-tool=right]" if key == "r" else "[data-tool=flip]")
            self.page.keyboard.press("Escape")
        x, y = self._tray(colour, move)
        self._finger("touchStart", x, y)
        self._finger("touchMove", x, y - 20)
        x, y = self.client(across + beside, down)
        self._finger("touchMove", x, y + LIFT_PX)
        x, y = self.client(across + beside, down)  # the page may have scrolled
        self._finger("touchMove", x, y + LIFT_PX)
        self._finger("touchEnd")

    def type(self, colour: Colour, move: Move) -> None:
        """Chooses, moves, turns and lays a piece by keys alone."""
        press = self.page.keyboard.press
        self._button(colour, move.piece.name).focus()
        press("Enter")
        for key in self._keys(colour, move):
            press(key)
        text = self.page.locator("#held").inner_text()
        (at,) = move.board.parse_squares(text.rpartition(" ")[2])
        row, column = divmod(at, move.board.size)
        across, down = middle(move)
        for number, more, less in (
            (int(across) - column, "ArrowRight", "ArrowLeft"),
            (int(down) - row, "ArrowDown", "ArrowUp"),
        ):
            for _ in range(abs(number)):
                press(more if number > 0 else less)
        press("Enter")

    def pick(self, colour: Colour, move: Move, across: float, down: float) -> None:
        """Drags a piece that lies on the board, by its first square, to another place."""
        table = self.table()
        name = move.piece.name
        (lying,) = (
            one for one in table["pieces"] if (one["color"], one["piece"]) == (colour, name)
        )
        row, column = divmod(move.squares[0], move.board.size)
        middle_across, middle_down = middle(move)
        held = column + 0.5 - middle_across, row + 0.5 - middle_down
        self.page.locator("#stage").scroll_into_view_if_needed()
        begin = lying["across"] + held[0], lying["down"] + held[1]
        self._pull(begin, (across + held[0], down + held[1]))

    def hold(self, colour: Colour, piece: str) -> None:
        """Puts a finger on a piece in its tray, and moves it."""
        x, y = self._middle_of(self._button(colour, piece))
        self._finger("touchStart", x, y)
        self._finger("touchMove", x, y - 40)
        self.page.locator(".ghost.held").wait_for(state="attached")

    def put_back(self, colour: Colour, move: Move) -> None:
        """Drags a piece that was pushed aside back to its place."""
        self.pick(colour, move, *middle(move))

    def _pull(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """Drags from a place on the board to another."""
        (x, y), (to_x, to_y) = self.client(*begin), self.client(*end)
        if self.by_finger:
            self._finger("touchStart", x, y)
            for part in (0.3, 0.7, 1.0):
                aim_y = to_y + LIFT_PX
                self._finger("touchMove", x + part * (to_x - x), y + part * (aim_y - y))
            self._finger("touchEnd")
            return
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(to_x, to_y, steps=4)
        self.page.mouse.up()

    def accepted(self, ply: int, move: Move) -> None:
        """Waits until the referee has accepted a move; notes how long it took.

        Where the referee is unsure and asks, the picture of the right placement is pressed.
        """
        begun_s, doubts = time.monotonic(), self.doubts
        self.until(lambda: self.fact("ply") == str(ply) or self.answers(move))
        self.until(lambda: self.fact("ply") == str(ply))
        if self.doubts == doubts:
            self.latencies_s.append(time.monotonic() - begun_s)
        self.until(lambda: self.fact("state") in (*CALM, "game-over"))

    def answers(self, move: Move) -> bool:
        """Answers the question of the referee, if there is one; True if it was answered."""
        if not self.page.locator(".ask [value^=choose]").count():
            return False
        size = move.board.size
        candidates = self.page.evaluate("fetch('/page.json').then((page) => page.json())")
        for number, one in enumerate(candidates["candidates"]):
            if {row * size + column for row, column in one["squares"]} == set(move.squares):
                self.page.locator(f".ask [value='choose:{number}']").click(force=True)
                self.doubts += 1
                return True
        return False

    def _keys(self, colour: Colour, move: Move) -> str:
        base = next(one for one in PIECES if one is move.piece).orientations[0]
        facing = self._facing.get((colour, move.piece.name), base)
        self._facing[colour, move.piece.name] = shape_of(move)
        return turns(facing)[shape_of(move)]

    def _button(self, colour: Colour, piece: str) -> Locator:
        return self.page.locator(f".pieces button[data-color='{colour}'][data-piece='{piece}']")

    def _tray(self, colour: Colour, move: Move) -> tuple[float, float]:
        ink = self.page.locator(f".ink-tabs [data-ink='{colour}']")
        if ink.count() and ink.get_attribute("aria-pressed") != "true":
            ink.click()
        return self._middle_of(self._button(colour, move.piece.name))

    def _middle_of(self, button: Locator) -> tuple[float, float]:
        """Scrolls to a button; returns the pixels of its middle."""
        if self.by_finger:
            self._scroll_tray(button)
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _scroll_tray(self, button: Locator) -> None:
        """Scrolls a tray sideways with a finger, until a button of it is in view."""
        tray = button.locator("..")
        for _ in range(20):
            box, room = button.bounding_box(), tray.bounding_box()
            assert box is not None
            assert room is not None
            left, right = box["x"] - room["x"], box["x"] + box["width"] - room["x"] - room["width"]
            if left > -1 and right < 1:
                return
            far = min(-left if left < 0 else -right, room["width"] / 2, key=abs)
            far = max(far, -room["width"] / 2) + (20 if far > 0 else -20)
            x, y = room["x"] + room["width"] / 2 - far / 2, room["y"] + room["height"] / 2
            self._finger("touchStart", x, y)
            for part in range(1, 6):
                self._finger("touchMove", x + part * far / 5, y)
            self.page.wait_for_timeout(60)  # a finger that rests throws nothing
            self._finger("touchMove", x + far, y)
            self._finger("touchEnd")
            self.page.wait_for_timeout(60)

    def _finger(self, kind: str, x: float = 0.0, y: float = 0.0) -> None:
        self._touch = self._touch or self.page.context.new_cdp_session(self.page)
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        self._touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def to_move(position: Position) -> Colour:
    colour = position.to_move
    assert colour is not None
    return colour


Lays = Callable[[BrowserPlayer, Colour, Move], None]
"""Lays a piece of a colour where a move has it."""


def play(player: BrowserPlayer, position: Position, lay: Lays, plies: int = 99) -> Position:
    """Plays all seats from one browser; each move has to be accepted as it was meant."""
    choose = sensibly(3)
    while not position.is_over and (ply := sum(map(len, position.laid))) < plies:
        move = choose(position)
        lay(player, to_move(position), move)
        player.accepted(ply + 1, move)
        position = position.play(move)
    return position


def lay_in_view(player: BrowserPlayer, colour: Colour, move: Move) -> None:
    """Lays a piece; all that it needs is on one screen, before and after."""
    assert player.out_of_view() == []
    player.lay(colour, move)
    assert player.out_of_view() == []
