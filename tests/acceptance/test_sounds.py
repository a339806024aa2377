"""Sounds in a real browser: rendered to samples, and counted on pages where things happen."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, expect
from playwright.sync_api import Page as BrowserPage

from firmware.rules.position import Position
from tests.acceptance.test_page_in_browser import see
from tests.support import example_pages
from tests.support.browser import NEEDS_BROWSER, PHONE, PageVisit, browser
from tests.support.played_table import BrowserPlayer, play
from tests.support.running_demo import running_demo
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually
from tests.web.test_server import served
from web.contract import ClubTable, Page, PlayerClock, RefereeState, Seat, SeatHolder, fingerprint
from web.known_phones import SEAT_COOKIE
from web.table_client import TableClient

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

RATE = 22_050
"""Samples per second."""

RENDER = """
async ([name, rate]) => {
  const { perform } = await import("/static/sounds.js");
  const audio = new OfflineAudioContext(1, 1.5 * rate, rate);
  perform(audio, name);
  return [...(await audio.startRendering()).getChannelData(0)];
}
"""

LISTEN = """
window.heard = [];
const { start } = AudioScheduledSourceNode.prototype;
let notes = null;
AudioScheduledSourceNode.prototype.start = function (at) {
  if (!notes) {
    heard.push((notes = []));
    queueMicrotask(() => (notes = null));
  }
  notes.push(at);
  start.call(this, at);
};
"""
"""Notes each sound that is made, as the times at which its notes begin."""

LOADED = "performance.getEntriesByName(`${origin}/static/sounds.js`).length"

NAMES = "import('/static/sounds.js').then(({ SOUNDS }) => Object.keys(SOUNDS))"

HEARD = """
async () => {
  const { SOUNDS } = await import("/static/sounds.js");
  return heard.map((times) => Object.keys(SOUNDS).filter((name) =>
    SOUNDS[name].length === times.length &&
    SOUNDS[name].every(([begin], at) => Math.abs(times[at] - times[0] - begin) < 0.001)).join());
}
"""
"""Names the sounds that were made."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=PHONE)
    context.add_init_script(LISTEN)
    yield context
    context.close()


class SoundedTable:
    """A table that shows given pages, whose numbers of revision it counts."""

    def __init__(self, feed: TurningFeed, link: TableClient, address: str) -> None:
        self.feed = feed
        self.link = link
        self.address = address
        self._revision = 1000

    def show(self, page: Page, on: BrowserPage | None = None) -> None:
        """Publishes a page; waits until a browser has it."""
        self._revision += 1
        self.feed.publish(replace(page, revision=self._revision))
        eventually(lambda: self.link.news.page and self.link.news.page.revision == self._revision)
        if on is not None:
            expect(on.locator("body")).to_have_attribute("data-revision", str(self._revision))

    def open(self, context: BrowserContext, *, sounds: bool = True) -> BrowserPage:
        """Opens the page for watchers, and switches the sounds on by hand."""
        page = PageVisit.begin(context).page
        page.goto(self.address)
        page.wait_for_selector("#connection[data-connection=live]")
        if sounds:
            page.click(".menu summary")
            page.check("[data-device=sounds] input")
            eventually(lambda: page.evaluate("heard.length"))  # the sample
            assert page.evaluate(HEARD) == ["laid"]
            page.keyboard.press("Escape")
        return page


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SoundedTable]:
    path = tmp_path / "feed.sock"
    with TurningFeed(path) as feed, TableClient(path) as link, served(link) as server:
        table = SoundedTable(feed, link, f"http://127.0.0.1:{server.port}")
        table.show(example_pages.page_of(example_pages.played("duo", 14)))
        yield table


def pitches(samples: NDArray[np.float64]) -> tuple[float, float]:
    """Returns the strongest frequency in hertz of the first and of the last third of a sound."""
    third = len(samples) // 3
    return tuple(  # type: ignore[return-value]
        float(np.argmax(np.abs(np.fft.rfft(part * np.hanning(third), RATE))))
        for part in (samples[:third], samples[-third:])
    )


def test_each_sound_can_be_heard_is_short_and_unlike_the_others(
    context: BrowserContext, table: SoundedTable
) -> None:
    page = table.open(context)
    found = {}
    for name in ("laid", "refused", "turn", "minute", "end"):
        samples = np.array(page.evaluate(RENDER, [name, RATE]))
        made = np.flatnonzero(np.abs(samples) > 1e-4)
        samples = samples[: made[-1] + 1]
        assert len(samples) < RATE * (1.2 if name == "end" else 0.6), name
        assert 0.3 < np.abs(samples).max() < 0.9, name
        assert np.sqrt(np.mean(samples**2)) > 0.1, name  # -20 dB of full scale
        assert np.abs(np.diff(samples)).max() < 0.25, f"{name} clicks"
        assert abs(samples[0]) < 0.01, f"{name} clicks"
        assert abs(samples[-1]) < 0.01, f"{name} clicks"
        found[name] = *pitches(samples), len(samples) / RATE
    assert page.evaluate(NAMES) == list(found)
    first, last, _ = found["laid"]
    assert last > 1.3 * first
    first, last, _ = found["refused"]
    assert last < first / 1.3
    assert first < 0.9 * found["laid"][0]
    for name, one in found.items():
        for other in (other for key, other in found.items() if key != name):
            apart = [max(a / b, b / a) for a, b in zip(one, other, strict=True)]
            assert max(apart) > 1.4, (name, one, other)


def test_a_watcher_who_wants_it_hears_each_change_once(
    context: BrowserContext, table: SoundedTable
) -> None:
    table.feed.publish(ClubTable(seats=(Seat((0,)), Seat((1,)))))
    page = table.open(context, sounds=False)
    laid = example_pages.page_of(example_pages.played("duo", 15))
    table.show(laid, page)
    page.keyboard.press("Tab")
    assert not page.locator("[data-device=sounds] input").is_checked()
    assert not page.evaluate(LOADED)
    page.close()

    page = table.open(context)
    refused = example_pages.duo_refused()
    hand = replace(refused, state=replace(refused.state, code=RefereeState.HAND))
    for shown in (laid, refused, hand, refused, laid):
        table.show(shown, page)
    assert page.evaluate(HEARD)[1:] == ["refused"]
    table.show(refused, page)
    table.show(example_pages.page_of(example_pages.played("duo", 16)), page)
    assert page.evaluate(HEARD)[1:] == ["refused", "refused", "laid"]
    timed = replace(laid, clocks=(PlayerClock((0,), 61_500, running=True), PlayerClock((1,), 9000)))
    table.show(timed, page)
    eventually(lambda: page.evaluate("heard.length") == 5)
    for left_ms in (90_000, 40_000):
        table.show(replace(timed, clocks=(PlayerClock((0,), left_ms, running=True),)), page)
    table.show(example_pages.duo_over(), page)
    table.show(example_pages.empty(), page)
    assert page.evaluate(HEARD)[4:] == ["minute", "end"]

    page.reload()
    page.wait_for_selector("#connection[data-connection=live]")
    table.show(laid, page)
    assert page.evaluate("heard") == [], "nobody has touched it"
    page.keyboard.press("Tab")
    eventually(lambda: page.evaluate(LOADED))
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)
    assert page.evaluate("heard") == [], "nothing is told of what a page finds"
    see(page, hidden=True)
    table.show(refused)
    page.wait_for_timeout(300)
    see(page, hidden=False)
    expect(page.locator("body")).to_have_attribute("data-state", "refused")
    assert page.evaluate("heard") == [], "nobody saw it"
    table.show(example_pages.page_of(example_pages.played("duo", 16)), page)
    assert page.evaluate(HEARD) == ["laid"]
    page.click(".menu summary")
    page.uncheck("[data-device=sounds] input")
    table.show(refused, page)
    assert page.evaluate(HEARD) == ["laid"]


def test_of_two_tabs_one_sounds_and_a_seat_hears_its_turn(
    context: BrowserContext, table: SoundedTable
) -> None:
    seats = (Seat((0,), SeatHolder.PERSON, fingerprint("a" * 32)), Seat((1,)))
    table.feed.publish(ClubTable(seats=seats))
    context.add_cookies([{"name": SEAT_COOKIE, "value": "a" * 32, "url": table.address}])
    table.show(example_pages.page_of(example_pages.played("duo", 15)))
    first = table.open(context)
    second = context.new_page()
    second.goto(table.address)
    second.wait_for_selector("#connection[data-connection=live]")
    second.keyboard.press("Tab")
    eventually(lambda: second.evaluate(LOADED))
    second.wait_for_timeout(300)
    for plies in (16, 17, 18):
        shown = example_pages.page_of(example_pages.played("duo", plies))
        table.show(shown, first)
        expect(second.locator("body")).to_have_attribute("data-ply", str(plies))
    assert first.evaluate(HEARD)[1:] == ["turn", "laid", "turn"]
    assert second.evaluate(HEARD) == []
    for wanted in (False, True):
        first.click(".menu summary")
        first.set_checked("[data-device=sounds] input", wanted)
        first.keyboard.press("Escape")
        expect(second.locator("[data-device=sounds] input")).to_be_checked(checked=wanted)
    first.close()
    table.show(example_pages.duo_refused(), second)
    assert second.evaluate(HEARD) == ["refused"]


def test_who_plays_hears_a_move_and_a_refusal(context: BrowserContext) -> None:
    visited = PageVisit.begin(context)
    player = BrowserPlayer(visited.page)
    with running_demo() as address:
        player.begin(address, "here")
        assert player.page.locator("[data-device=sounds] input").is_checked()
        assert not any("sounds.js" in url for url in visited.requested), "before the first touch"
        position = play(player, Position.start("duo"), BrowserPlayer.lay, plies=1)
        assert player.page.evaluate(HEARD) == ["laid"]
        wrong = position.board.move(position.board.placements // 2)
        assert position.examine(wrong.squares, 1)
        player.lay(1, wrong)
        player.until(lambda: player.fact("state") == "refused")
        assert player.page.evaluate(HEARD) == ["laid", "refused"]
        assert visited.complaints == []
