"""Every main state in a real browser: no errors, no foreign resources, accessible to all."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect
from playwright.sync_api import Page as BrowserPage

from firmware.codes import EndReason, GameKey, HintStep, MoveReasonCode, Takeback
from tests.support import example_pages
from tests.support.browser import (
    DESKTOP,
    LANDSCAPE,
    NEEDS_BROWSER,
    PHONE,
    SMALL,
    WALL,
    PageVisit,
    browser,
)
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually
from tests.web.test_server import served
from tests.web.views.test_games import NAME, write
from vision.io.image_file import load_picture
from vision.setup.setup_check import check_setup
from web.app import create_app
from web.contract import (
    ArbiterPage,
    CancelHint,
    Choose,
    CommandName,
    CommandRequest,
    EndGame,
    FindingEntry,
    HintAllowance,
    LivePicture,
    MoveReasonEntry,
    NewGame,
    Page,
    PairRequest,
    PictureAudience,
    PlacedPiece,
    PlayerClock,
    RefereeState,
    RefereeStatus,
    Rematch,
    Reply,
    SetPosition,
    SetupEntry,
)
from web.i18n.languages import LANGUAGES
from web.server import Server
from web.table_client import TableClient

pytestmark = [
    pytest.mark.slow,
    NEEDS_BROWSER,
]

PICTURE = Path(__file__).parent.parent / "vision" / "data" / "game_30.jpg"
LAST = len([move for move in example_pages.duo_over().moves if move.piece])
REFUSED = "0002-illegal-000123"
ADDRESSES = ("http://192.168.178.105:8000/",)
SIZES = {
    "phone": PHONE,
    "desktop": DESKTOP,
    "wall": WALL,
    "small": SMALL,
    "landscape": LANDSCAPE,
}
Scheme = Literal["light", "dark"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a refusal: the empty board, a move, another, the refusal, and the end."""
    folder = tmp_path_factory.mktemp("games")
    two = example_pages.played("duo", 2, seed=3)
    pages = [example_pages.page_of(example_pages.played("duo", n, seed=3)) for n in (0, 1, 2, 99)]
    refused = replace(example_pages.refused(two), evidence=REFUSED)
    write(folder, NAME, [*pages[:2], replace(pages[2], evidence="0002"), refused, pages[3]])
    for label in ("0002", REFUSED):
        for moment in ("before", "after"):
            (folder / NAME / "evidence" / f"{label}-{moment}.jpg").write_bytes(PICTURE.read_bytes())
    return folder


class BrowserTable:
    """A table that shows given pages and confirms every command."""

    def __init__(self, feed: TurningFeed, link: TableClient, port: int) -> None:
        self.feed = feed
        self.link = link
        self.address = f"http://127.0.0.1:{port}"
        self.by_name = f"http://cornerlight.local:{port}"
        self.asked: list[object] = []
        self.stop = threading.Event()

    def show(self, page: Page) -> None:
        """Publishes a page, and waits until it has arrived: only the newest one is sent."""
        self.feed.publish(page)
        eventually(lambda: self.link.news.page == page)

    def answer(self) -> None:
        while not self.stop.wait(0.02):
            for one in self.feed.take_requests():
                self.asked.append(one.message)
                number = one.message.number if isinstance(one.message, PairRequest) else ""
                token = example_pages.TOKEN if number == example_pages.NUMBER else ""
                self.feed.answer(one.who, Reply(one.message.id, token=token))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory, games: Path) -> Iterator[BrowserTable]:
    path = tmp_path_factory.mktemp("table") / "feed.sock"
    with TurningFeed(path) as feed, TableClient(path) as link:
        app = create_app(
            link,
            streams=8,
            games=games,
            everybody_sees_evidence=True,
            addresses=lambda: ADDRESSES,
        )
        server = Server(app, "127.0.0.1", 0)
        table = BrowserTable(feed, link, server.port)
        threads = [threading.Thread(target=one) for one in (server.run, table.answer)]
        for thread in threads:
            thread.start()
        feed.publish(LivePicture(PICTURE.read_bytes()))
        feed.publish(example_pages.PHONES)
        yield table
        table.stop.set()
        server.close()
        for thread in threads:
            thread.join()


@contextmanager
def visit(
    chromium: Browser,
    size: str = "phone",
    scheme: Scheme = "light",
    language: str = "en",
    *,
    script: bool = True,
) -> Iterator[PageVisit]:
    context = chromium.new_context(
        viewport=SIZES[size], color_scheme=scheme, locale=language, java_script_enabled=script
    )
    try:
        yield PageVisit.begin(context)
    finally:
        context.close()


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [
        ("refused", "phone", "light"),
        ("to-lift", "small", "light"),
        ("classic", "desktop", "dark"),
        ("over", "phone", "dark"),
        ("unsure", "desktop", "light"),
        ("astray", "phone", "light"),
        ("hot", "phone", "light"),
        ("hot", "desktop", "dark"),
        ("puzzle-impossible", "phone", "light"),
        ("puzzle-refused", "desktop", "dark"),
        ("puzzle-all", "small", "dark"),
        ("puzzle-solved", "wall", "light"),
    ],
)
def test_every_state_can_be_read_by_everybody(
    chromium: Browser, table: BrowserTable, name: str, size: str, scheme: Scheme
) -> None:
    table.feed.publish(
        replace(
            example_pages.ALL[name](), pictures=PictureAudience.EVERYBODY, revision=len(name) + 1000
        )
    )
    with visit(chromium, size, scheme) as visited:
        visited.page.goto(table.address)
        visited.page.wait_for_selector("#board svg")
        visited.page.wait_for_selector("#connection[data-connection=live]")
        visited.shoot(f"{name}-{size}-{scheme}")
        assert visited.faults() == []
        assert not visited.is_too_wide()
        assert visited.complaints == []
        assert all(url.startswith(table.address) for url in visited.requested)


@pytest.mark.parametrize("path", ["/games", f"/games/{NAME}?at=1", "/arbiter", "/tv", "/none"])
def test_every_other_page_can_be_read_by_everybody(
    chromium: Browser, table: BrowserTable, path: str
) -> None:
    table.feed.publish(replace(example_pages.duo_refused(), pictures=PictureAudience.EVERYBODY))
    with visit(chromium, "wall" if path == "/tv" else "phone") as visited:
        visited.page.goto(table.address + path)
        visited.page.wait_for_selector("main")
        visited.shoot(f"page{path.partition('?')[0].replace('/', '-')}")
        assert visited.faults() == []
        assert not visited.is_too_wide()
        # The browser itself reports a missing page.
        assert len(visited.complaints) == (path == "/none")


@pytest.mark.parametrize(
    ("language", "waiting"),
    [("en-GB", "Waiting for purple."), ("de-DE", "Violett ist am Zug."), ("ja-JP", "紫の番です。")],
)
def test_the_page_speaks_the_viewer_s_language_and_changes_it(
    chromium: Browser, table: BrowserTable, language: str, waiting: str
) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=2000))
    with visit(chromium, language=language) as visited:
        visited.page.goto(table.by_name)
        visited.reads("#sentence", waiting)
        visited.shoot(f"language-{language}")
        visited.page.click(".menu summary")
        visited.page.click(".languages [value=de]")
        visited.reads("#sentence", "Violett ist am Zug.")
        assert visited.complaints == []


def test_over_plain_http_the_page_says_what_this_device_cannot_do(
    chromium: Browser, table: BrowserTable
) -> None:
    with visit(chromium) as visited:
        for address, able in ((table.by_name, False), (table.address, True)):
            visited.page.goto(address)
            assert visited.page.evaluate("isSecureContext") is able
            visited.page.click(".menu summary")
            assert visited.page.is_visible("[data-device=awake]") is able
            assert visited.page.is_visible("[data-missing=awake]") is not able
            assert visited.page.is_visible("[data-missing=install]") is not able
            assert visited.page.is_visible("[data-device=aloud]")
        assert visited.faults() == []
        assert visited.complaints == []


def test_moves_are_spoken_aloud_where_somebody_wants_it(
    chromium: Browser, table: BrowserTable
) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=3000))
    with visit(chromium, language="de") as visited:
        visited.page.add_init_script(
            "speechSynthesis.speak = ({lang, text}) => (window.spoken ??= []).push([lang, text])"
        )
        visited.page.goto(table.by_name)
        visited.page.wait_for_selector("#connection[data-connection=live]")
        visited.page.click(".menu summary")
        visited.page.check("[data-device=aloud] input")
        table.feed.publish(replace(example_pages.duo_refused(), revision=3001))
        visited.page.wait_for_selector("body[data-state=refused]")
        visited.page.wait_for_timeout(100)
        spoken = visited.page.evaluate("window.spoken")
        assert spoken[0] == ["de", "Violett ist am Zug."]
        assert spoken[1][1].startswith("Ben, Steine in Orange dürfen einander nur an Ecken")
        assert spoken[1][1].endswith("Bitte den Stein zurücknehmen.")


def test_running_clocks_run_on_the_phone(chromium: Browser, table: BrowserTable) -> None:
    page = example_pages.duo_unsure()
    clocks = (replace(page.clocks[0], left_ms=61_900, free_ms=0), page.clocks[1])
    table.feed.publish(replace(page, clocks=clocks, revision=4000))
    with visit(chromium) as visited:
        visited.page.goto(table.address)
        under_a_minute = re.compile(r"0:[0-5]\d")
        expect(visited.page.locator(".time[data-running]")).to_have_text(under_a_minute)
        assert visited.page.inner_text(".time:not([data-running])") == "0:21"


def test_a_past_game_is_stepped_through_by_keys_and_by_links(
    chromium: Browser, table: BrowserTable
) -> None:
    for script in (True, False):
        with visit(chromium, script=script) as visited:
            visited.page.goto(f"{table.by_name}/games")
            visited.page.click(".past")
            visited.page.wait_for_selector(f".count:text('{LAST} / {LAST}')")
            visited.page.wait_for_load_state()  # a key is lost before the script is there
            if script:
                visited.page.keyboard.press("Home")
            else:
                visited.page.click("[data-step=first-ply]")
            visited.page.wait_for_selector(f".count:text('0 / {LAST}')")
            assert visited.page.locator("#board .piece").count() == 0
            visited.page.click("[data-step=next-ply]")
            visited.page.wait_for_selector(f".count:text('1 / {LAST}')")
            assert visited.page.locator("#board .piece").count() == 1
            assert visited.complaints == []


def test_both_pictures_of_a_past_game_go_to_the_share_sheet(
    chromium: Browser, table: BrowserTable
) -> None:
    with visit(chromium, "phone", language="en") as visited:
        page = visited.page
        page.add_init_script(
            """window.shared = [];
            navigator.canShare = () => true;
            navigator.share = async ({ files: [file] }) => {
              shared.push([file.name, file.type, file.size]);
              if (shared.length > 2) throw new DOMException("too late", "NotAllowedError");
            };"""
        )
        page.goto(f"{table.address}/games/{NAME}")
        page.click("a[href$='.png']")
        eventually(lambda: len(page.evaluate("shared")) == 1, 20, 0.1)
        page.click("a[href$='.webp']")
        eventually(lambda: len(page.evaluate("shared")) == 2, 20, 0.1)
        shared = page.evaluate("shared")
        assert [one[:2] for one in shared] == [
            ["picture.png", "image/png"],
            ["picture.webp", "image/webp"],
        ]
        assert all(size > 1000 for _, _, size in shared)
        assert page.locator("[aria-busy]").count() == 0
        page.click("a[href$='.webp']")
        page.wait_for_url("**/picture.webp")
        assert page.evaluate("document.contentType") == "image/webp", "what is refused is shown"


def test_without_a_share_sheet_a_link_leads_to_the_moving_picture(
    chromium: Browser, table: BrowserTable
) -> None:
    with visit(chromium, "phone", language="de", script=False) as visited:
        visited.page.goto(f"{table.by_name}/games/{NAME}")
        visited.page.click("text=Bewegtes Bild")
        visited.page.wait_for_selector("body > img")


def test_a_past_game_is_played_slid_and_touched(chromium: Browser, table: BrowserTable) -> None:
    with visit(chromium, "small") as visited:
        page = visited.page
        page.goto(f"{table.by_name}/games/{NAME}?at=0")
        visited.reads("h1", "Anna – Ben")
        page.click("#play")
        visited.reads("#play", "Pause")
        page.wait_for_selector(f".count:text('2 / {LAST}')")
        page.click("#play")
        visited.reads("#play", "Play")
        page.focus("#slider")
        page.keyboard.press("Home")
        page.wait_for_selector(f".count:text('0 / {LAST}')")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f".count:text('1 / {LAST}')")
        spoken = page.get_attribute("#slider", "aria-valuetext")
        assert spoken is not None
        assert spoken == page.text_content("#sentence")
        assert page.evaluate("document.activeElement.id") == "slider"
        visited.requested.clear()
        page.locator("#slider").evaluate(
            """slider => {
              for (let at = 0; at < 60; at += 1) {
                slider.value = at % 2 ? 4 : 0;
                slider.dispatchEvent(new Event("input"));
              }
            }"""
        )
        page.wait_for_selector("#replay[data-at='4']")
        asked = [url for url in visited.requested if "?at=" in url]
        assert len(asked) < 4, "one request at a time, for the newest place"
        page.click("#moves [data-kind=refused]")
        page.wait_for_selector("#replay[data-at='3']")
        assert page.input_value("#slider") == "3"
        assert page.locator("#moves [aria-current=step]").get_attribute("data-kind") == "refused"
        assert "Refused" in page.inner_text("#sentence")
        expect(page.locator(f"#camera img[src*='{REFUSED}']")).to_have_count(2)
        page.locator(".refusal").scroll_into_view_if_needed()
        visited.shoot("replay-refused")
        assert visited.faults() == []
        assert not visited.is_too_wide()
        page.click("#play")
        page.wait_for_selector(f".count:text('{LAST} / {LAST}')")
        visited.reads("#play", "Play")
        assert visited.complaints == []


def test_a_screen_reader_reads_the_board_as_a_table_without_a_tab_stop(
    chromium: Browser, table: BrowserTable
) -> None:
    shown = example_pages.duo_refused()
    table.feed.publish(replace(shown, covered=((0, 0),), revision=3500))
    with visit(chromium) as visited:
        visited.page.goto(table.by_name)
        visited.page.wait_for_selector("body[data-state=refused]")
        squares = visited.page.get_by_role("table", name="Squares of the board")
        expect(squares.get_by_role("columnheader")).to_have_count(14)
        expect(squares.get_by_role("rowheader")).to_have_count(14)
        cells = squares.get_by_role("cell").all_inner_texts()[1:]
        assert len(cells) == 14 * 14

        def at(row: int, column: int) -> str:
            return cells[14 * row + column]

        last = shown.moves[-1]
        assert {at(*square) for square in last.squares} == {f"purple {last.piece}, last move"}
        wrong = shown.pieces[-1]
        assert {at(*square) for square in wrong.squares} == {"orange, refused"}
        assert at(0, 0) == "covered"
        assert cells.count("free") > 50
        stops = "#board :is(a, button, input, select, [tabindex])"
        assert visited.page.locator(stops).count() == 0
        names = visited.page.locator("#moves .aloud").all_inner_texts()
        assert set(names) == {"Anna (purple)", "Ben (orange)"}


def test_a_game_ends_only_after_the_arbiter_has_read_what_is_lost(
    chromium: Browser, table: BrowserTable
) -> None:
    page = replace(example_pages.duo_unsure(), candidates=(), state=waiting(), revision=3600)
    table.feed.publish(page)
    table.asked.clear()
    with visit(chromium, "small") as visited:
        paired(visited, table)
        shown = visited.page
        shown.click(".bar > details:last-child > summary")
        shown.click("summary:text('End the game')")
        assert shown.locator("summary:text('Lost on time')").count() == 0, "nobody's time is up"
        shown.click("summary:text('Without a result')")
        expect(shown.get_by_text("Nobody wins: the score of the 12 pieces laid")).to_be_visible()
        visited.shoot("arbiter-end")
        assert visited.faults() == []
        shown.click(".sure[open] [data-cancel]")
        expect(shown.locator("[value='end:abandoned']")).to_be_hidden()
        assert [one for one in table.asked if isinstance(one, CommandRequest)] == []
        shown.click("summary:text('Without a result')")
        shown.click("[value='end:abandoned']")
        shown.wait_for_selector("#reply:text('Done.')")
        out = replace(page.clocks[1], left_ms=-1, timed_out=True)
        table.feed.publish(replace(page, clocks=(page.clocks[0], out), revision=3601))
        shown.wait_for_selector("summary:text('Lost on time')", state="attached")
    [ended] = [one.command for one in table.asked if isinstance(one, CommandRequest)]
    assert ended == EndGame(EndReason.ABANDONED)


def waiting() -> RefereeStatus:
    return RefereeStatus(RefereeState.WAITING, 0)


def test_a_game_without_clocks_cannot_be_lost_on_time(
    chromium: Browser, table: BrowserTable
) -> None:
    page = replace(example_pages.duo_unsure(), candidates=(), state=waiting(), clocks=())
    table.feed.publish(replace(page, revision=3650))
    with visit(chromium) as visited:
        paired(visited, table)
        assert visited.page.locator("[value='end:score']").count() == 1
        assert visited.page.locator("[value='end:time']").count() == 0


def test_no_two_controls_have_the_same_name(chromium: Browser, table: BrowserTable) -> None:
    page = replace(example_pages.duo_unsure(), candidates=(), state=waiting(), revision=3700)
    table.feed.publish(page)
    for language in LANGUAGES:
        with visit(chromium, language=language) as visited:
            paired(visited, table)
            summaries = visited.page.locator("summary")
            names = summaries.evaluate_all("all => all.map(one => one.ariaLabel || one.innerText)")
            names = [name for name in names if name]
            assert len(names) > 2
            assert len(set(names)) == len(names), names


def test_a_hint_that_takes_long_shows_progress_and_is_cancelled(
    chromium: Browser, table: BrowserTable
) -> None:
    page = example_pages.page_of(example_pages.played("duo", 12))
    private = ArbiterPage(HintAllowance((2, 1), 0, thinking=True), SetupEntry())
    page = replace(page, possible=tuple(CommandName), private=private, revision=3800)
    table.feed.publish(page)
    table.asked.clear()
    with visit(chromium) as visited:
        paired(visited, table)
        expect(visited.page.locator(".hint progress")).to_be_visible()
        assert visited.page.locator("[value=hint]").count() == 0
        visited.shoot("arbiter-thinking")
        assert visited.faults() == []
        visited.page.click("[value=cancel-hint]")
        visited.page.wait_for_selector("#reply:text('Done.')")
        done = replace(private, hints=HintAllowance((2, 1), 0))
        table.feed.publish(replace(page, private=done, revision=3801))
        expect(visited.page.locator(".hint")).to_have_count(0)
        assert visited.page.locator("[value=hint]").count() == 1
    assert [one.command for one in table.asked if isinstance(one, CommandRequest)] == [CancelHint()]


HINT_MOVE = ((3, 2), (3, 3), (3, 4), (4, 4), (5, 4))
"""Squares c11, d11, e11, e10, e9."""

HINT_STEPS = (
    (HintStep.AREA, ((2, 1), (6, 5)), "", "Look about here: b8 to f12."),
    (HintStep.PIECE, ((2, 1), (6, 5)), "V5", "A hint for purple: V5, about here: b8 to f12."),
    (HintStep.SQUARE, HINT_MOVE[:1], "V5", "Here goes purple V5: it covers c11."),
    (HintStep.WHOLE, HINT_MOVE, "V5", "A hint for purple: V5 at c11."),
    (
        HintStep.REASON,
        HINT_MOVE,
        "V5",
        (
            "Few moves keep so many ways to go on: "
            "386 placements for the next turn. Few moves take so many corners of the other side: "
            "2, at c11, d11."
        ),
    ),
)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_each_step_of_a_hint_is_said_and_drawn(
    chromium: Browser, table: BrowserTable, size: str
) -> None:
    page = example_pages.page_of(example_pages.played("duo", 12))
    reasons = (
        MoveReasonEntry(MoveReasonCode.KEEPS_OPTIONS, 386, ((2, 1), (6, 5))),
        MoveReasonEntry(MoveReasonCode.TAKES_CORNERS, 2, HINT_MOVE[:2]),
    )
    with visit(chromium, size) as visited:
        for number, (step, squares, piece, text) in enumerate(HINT_STEPS):
            last = step is HintStep.REASON
            colour = None if step is HintStep.AREA else 0
            hints = HintAllowance((2, 1), 0, step=step, colour=colour, squares=squares, piece=piece)
            hints = replace(hints, reasons=reasons if last else ())
            private, revision = ArbiterPage(hints, SetupEntry()), 3900 + number
            shown = replace(page, possible=tuple(CommandName), private=private, revision=revision)
            table.feed.publish(shown)
            if not number:
                paired(visited, table)
            visited.reads(".hint", text)
            assert visited.page.locator("#board .reason").count() == last
            visited.shoot(f"hint-{size}-{step}")
            assert visited.faults() == []
            assert not visited.is_too_wide()


def test_names_and_choices_are_remembered_on_the_device(
    chromium: Browser, table: BrowserTable
) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=3900))
    table.asked.clear()
    with visit(chromium, "small") as visited:
        paired(visited, table)
        page = visited.page
        page.goto(f"{table.by_name}/arbiter/new")
        assert page.locator("#known-names option").count() == 0
        page.fill("[name=name-0]", "Ada")
        page.fill("[name=name-1]", " Ben ")
        assert page.is_hidden("[name=name-2]")
        page.select_option("[name=timing]", "increment")
        assert page.is_visible("[name=minutes]")
        assert page.input_value("[name=name-0]") == "Ada", "what was typed stays"
        page.select_option("[name=timing]", "none")
        page.select_option("[name=hints]", "5")
        assert page.is_hidden("[name=minutes]")
        visited.shoot("arbiter-new-small")
        assert visited.faults() == []
        page.click("[value=new-game]")
        page.wait_for_url("**/arbiter?reply=done")
        page.goto(f"{table.by_name}/arbiter/new")
        known = page.locator("#known-names option").evaluate_all("all => all.map(one => one.value)")
        assert known == ["Ada", "Ben"]
        assert page.get_attribute("[name=name-1]", "list") == "known-names"
        page.click("[value=new-game]")
        page.wait_for_url("**/arbiter?reply=done")
        page.goto(f"{table.by_name}/arbiter/new")
        page.click("#new summary")
        page.click("#forget-names")
        page.reload()
        assert page.locator("#known-names option").count() == 0
        assert page.input_value("[name=name-0]") == ""
        assert page.input_value("[name=hints]") == "5"
        for text in ("{broken", "5", '{"mode": "phones"}'):
            for key in ("names", "start"):
                page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
            page.reload()
            assert page.locator("#known-names option").count() == 0
            assert page.is_checked("[name=mode][value=here]")
            assert page.is_hidden("[name=name-2]")
        assert visited.complaints == []
    begun = [one.command for one in table.asked if isinstance(one, CommandRequest)]
    assert begun == [NewGame(names=("Ada", "Ben"), hints=5)] * 2


def test_without_a_script_a_game_is_agreed_on_too(chromium: Browser, table: BrowserTable) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=3950))
    table.asked.clear()
    with visit(chromium, script=False) as visited:
        page = visited.page
        page.goto(f"{table.by_name}/arbiter")
        page.fill("[name=number]", example_pages.NUMBER)
        page.click("form.fields button")
        page.goto(f"{table.by_name}/arbiter/new")
        page.check("[name=mode][value=computer]")
        page.select_option("[name=game]", "classic")
        page.select_option("[name=level]", "2")
        page.select_option("[name=takeback]", "arbiter")
        page.fill("[name=name-0]", "Anna")
        page.fill("[name=name-1]", "beyond")
        page.click("[value=new-game]")
        page.wait_for_url("**/arbiter?reply=done")
        page.goto(f"{table.by_name}/arbiter/new")
        page.select_option("[name=hints]", "99")
        page.fill("[name=name-0]", "Anna")
        page.fill("[name=name-1]", "\u0410nna")
        page.click("[value=new-game]")
        assert "That looks like Anna" in page.inner_text("#reply")
        assert page.input_value("[name=name-0]") == "Anna", "what was typed stays"
        assert page.input_value("[name=hints]") == "99"
    [begun] = [one.command for one in table.asked if isinstance(one, CommandRequest)]
    assert begun == NewGame(
        GameKey.CLASSIC,
        names=("Anna", "", "", ""),
        takeback=Takeback.ARBITER,
        computer=(0, 2, 2, 2),
    )


FITS = """select => {
  const actual = select.offsetWidth;
  select.style.width = "max-content";  // as wide as its longest option needs
  const needed = select.offsetWidth;
  select.style.width = "";
  return needed <= actual + 1;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_form_of_a_new_game_is_cut_off_on_a_small_phone(
    chromium: Browser, table: BrowserTable, language: str
) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=3960))
    with visit(chromium, "small", language=language) as visited:
        paired(visited, table)
        visited.page.goto(f"{table.by_name}/arbiter/new")
        visited.page.locator("#new details > summary").click()
        for game in ("duo", "classic-3"):
            visited.page.select_option("[name=game]", game)
            visited.page.select_option("[name=timing]", "increment")
            for select in visited.page.locator("#new select:visible").all():
                assert select.evaluate(FITS), select.get_attribute("name")
            for part in visited.page.locator("#new :is(button, .button, label, p):visible").all():
                assert part.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
        assert not visited.is_too_wide()
        visited.shoot(f"arbiter-new-small-{language}")


def test_the_corners_start_on_the_board_that_was_found(
    chromium: Browser, table: BrowserTable
) -> None:
    corners = ((0.15, 0.05), (0.9, 0.06), (0.87, 0.93), (0.12, 0.9))
    page = replace(
        example_pages.empty(),
        pictures=PictureAudience.EVERYBODY,
        private=ArbiterPage(setup=SetupEntry(corners=corners, camera=True, board=True)),
        revision=3970,
    )
    table.feed.publish(page)
    with visit(chromium) as visited:
        paired(visited, table)
        visited.page.goto(f"{table.by_name}/arbiter/setup/board")
        visited.page.wait_for_selector("#corners img")
        handles = visited.page.locator(".corner")

        def shown() -> list[tuple[float, float]]:
            box = visited.page.locator("#corners").bounding_box()
            assert box is not None
            return [share_of(handle, box) for handle in handles.all()]

        for found, place in zip(shown(), corners, strict=True):
            assert found == pytest.approx(place, abs=0.01)
        moved = tuple((x - 0.05, y + 0.02) for x, y in corners)
        setup = SetupEntry(corners=moved, camera=True, board=True)
        table.feed.publish(replace(page, private=ArbiterPage(setup=setup), revision=3971))
        expect(visited.page.locator("#calibrate [name=corners]")).to_have_value(
            ",".join(f"{at:.5f}" for corner in moved for at in corner)
        )
        handles.first.focus()
        visited.page.keyboard.press("ArrowRight")
        by_hand = shown()
        table.feed.publish(replace(page, revision=3972))
        visited.page.wait_for_selector("body[data-revision='3972']")
        assert shown() == by_hand, "what a person has moved stays"


def share_of(handle: Locator, box: FloatRect) -> tuple[float, float]:
    """Returns the middle of a handle as shares of a box."""
    own = handle.bounding_box()
    assert own is not None
    middle = own["x"] + own["width"] / 2, own["y"] + own["height"] / 2
    return (middle[0] - box["x"]) / box["width"], (middle[1] - box["y"]) / box["height"]


def test_a_phone_is_paired_and_asks(chromium: Browser, table: BrowserTable) -> None:
    table.feed.publish(
        replace(example_pages.duo_unsure(), pictures=PictureAudience.EVERYBODY, revision=5000)
    )
    table.asked.clear()
    with visit(chromium, language="en") as visited:
        page = visited.page
        page.goto(f"{table.by_name}/arbiter")
        page.fill("[name=number]", "1234-5678 9012")
        page.click("form.fields button")
        page.wait_for_selector("#question .candidate")
        visited.shoot("arbiter")
        page.click("[value='choose:1']")
        page.wait_for_selector("#reply:text('Done.')")
        page.click("summary:text('Undo')")
        page.click("[value=undo]")
        expect(page.locator(".confirm[open]")).to_have_count(0)
        page.click(".bar > details:last-child > summary")
        visited.shoot("arbiter-more")
        page.click("summary:text('Give up')")
        page.click("[value='resign:1']")
        expect(page.locator(".confirm[open]")).to_have_count(0)
        assert visited.faults() == []
        new_game_and_corners(visited, table)
        assert visited.complaints == []
    commands = [getattr(one, "command", None) for one in table.asked]
    words = [one.name.value for one in commands if one is not None]
    assert words == ["choose", "undo", "resign", "new-game", "calibrate"]
    game = commands[-2]
    assert (game.game, game.names, game.timing, game.clock_s, game.step_s) == (  # type: ignore[union-attr]
        "classic-3", ("Änne", "花子", "<b>"), "increment", 1200, 5,
    )  # fmt: skip
    assert (game.seats, game.shared, game.hints) == ((0, 3, 1), 2, 5)  # type: ignore[union-attr]
    corners = commands[-1].corners  # type: ignore[union-attr]
    assert corners[0] == pytest.approx((0.3, 0.25), abs=0.02)


def paired(visited: PageVisit, table: BrowserTable) -> None:
    """Pairs the phone."""
    visited.page.goto(f"{table.by_name}/arbiter")
    visited.page.fill("[name=number]", example_pages.NUMBER)
    visited.page.click("form.fields button")
    visited.page.wait_for_selector("#controls .bar")


def test_an_arbiter_sees_hints_and_whether_the_set_up_is_good_enough(
    chromium: Browser, table: BrowserTable
) -> None:
    hints = HintAllowance((2, 1), 1, step=HintStep.REACH, colour=1, squares=((9, 9), (10, 10)))
    points = tuple(
        FindingEntry(point.code, point.level, point.fault, point.remedy)
        for point in check_setup(load_picture(PICTURE), 14).points
    )
    page = example_pages.duo_refused()
    waiting = RefereeStatus(RefereeState.WAITING, 1)
    page = replace(
        page,
        state=waiting,
        pieces=page.pieces[:-1],
        refused=(),
        pictures=PictureAudience.EVERYBODY,
        revision=7000,
    )
    page = replace(
        page, possible=tuple(CommandName), private=ArbiterPage(hints, SetupEntry(looking=True))
    )
    table.feed.publish(page)
    table.asked.clear()
    with visit(chromium) as visited:
        paired(visited, table)
        visited.reads(".hint", "A hint for orange: j5, k4.")
        visited.page.wait_for_selector("#board .hinted")
        visited.shoot("arbiter-hint")
        assert visited.faults() == []
        visited.page.click("[value=hint]")
        visited.page.wait_for_selector("#reply:text('Done.')")
        visited.page.goto(f"{table.by_name}/arbiter/setup/check")
        visited.page.click("[value=inspect]")
        visited.reads("#setup .looking", "The table is looking ...")
        corners = ((0.15, 0.05), (0.9, 0.06), (0.87, 0.93), (0.12, 0.9))
        private = ArbiterPage(hints, SetupEntry(points, corners=corners))
        table.feed.publish(replace(page, private=private, revision=7001))
        visited.page.wait_for_selector("#setup .findings")
        assert visited.page.locator("#setup li").count() == len(points)
        visited.shoot("arbiter-setup")
        assert visited.faults() == []
        assert not visited.is_too_wide()
        visited.page.goto(f"{table.by_name}/arbiter/setup/board")
        text = visited.page.input_value("#calibrate [name=corners]")
        assert text.startswith("0.15000,0.05000,0.90000,")
        assert visited.complaints == []
    words = [one.command.name.value for one in table.asked if isinstance(one, CommandRequest)]
    assert words == ["hint", "inspect"]


def test_a_position_is_set_by_touching_squares(chromium: Browser, table: BrowserTable) -> None:
    table.feed.publish(replace(example_pages.empty(), revision=8000))
    table.asked.clear()
    with visit(chromium) as visited:
        paired(visited, table)
        page = visited.page
        page.goto(f"{table.by_name}/arbiter/position")
        field = page.locator("#lay .field").bounding_box()
        assert field is not None
        step = field["width"] / 14

        def touch(name: str) -> None:
            column, row = ord(name[0]) - ord("a"), 14 - int(name[1:])
            page.mouse.click(field["x"] + (column + 0.5) * step, field["y"] + (row + 0.5) * step)

        for name in ("e10", "e9", "f9", "c3", "g8"):
            touch(name)
        page.check("[name=ink][value=O]", force=True)
        for name in ("j5", "k5", "c3"):
            touch(name)
        visited.shoot("arbiter-position")
        assert visited.faults() == []
        assert not visited.is_too_wide()
        page.select_option("[name=turn]", "1")
        page.click("[value='stand:by-hand']")
        page.wait_for_url("**/arbiter?reply=done")
        assert visited.complaints == []
    (command,) = [one.command for one in table.asked if isinstance(one, CommandRequest)][-1:]
    pieces = (
        PlacedPiece(0, ((4, 4), (5, 4), (5, 5))),
        PlacedPiece(0, ((6, 6),)),
        PlacedPiece(1, ((9, 9), (9, 10))),
    )
    assert command == SetPosition(1, pieces)


def test_the_pictures_of_the_last_move_stand_beside_it(
    chromium: Browser, table: BrowserTable
) -> None:
    page = example_pages.page_of(
        example_pages.played("duo", 2, seed=3), name=NAME, pictures=PictureAudience.EVERYBODY
    )
    table.feed.publish(replace(page, revision=9000))
    with visit(chromium) as visited:
        visited.page.goto(table.by_name)
        visited.page.wait_for_selector("#connection[data-connection=live]")
        expect(visited.page.locator("#evidence figure:visible")).to_have_count(2)
        visited.page.locator("#evidence").scroll_into_view_if_needed()
        visited.shoot("evidence")
        last = replace(page.moves[-1], ply=77)
        changed = replace(page, moves=(*page.moves[:-1], last), revision=9001)
        table.feed.publish(changed)
        expect(visited.page.locator("#evidence figure:visible")).to_have_count(0)


def new_game_and_corners(visited: PageVisit, table: BrowserTable) -> None:
    page = visited.page
    page.goto(f"{table.by_name}/arbiter/new")
    page.select_option("[name=game]", "classic-3")
    for place, name in enumerate(("Änne", "花子", "<b>")):
        page.fill(f"[name=name-{place}]", name)
    page.select_option("[name=hints]", "5")
    page.click("#new summary")
    page.select_option("[name=seat-0]", "0")
    page.select_option("[name=shared]", "2")
    assert page.is_hidden("[name=first]")
    assert page.is_hidden("[name=name-3]")
    page.select_option("[name=timing]", "increment")
    page.fill("[name=minutes]", "20")
    page.fill("[name=step_s]", "5")
    assert visited.faults() == []
    visited.shoot("arbiter-new")
    page.click("[value=new-game]")
    page.wait_for_url("**/arbiter?reply=done")
    page.goto(f"{table.by_name}/arbiter/setup/board")
    page.wait_for_selector("#corners img")
    box = page.locator("#corners").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.15 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.25 * box["height"])
    page.mouse.up()
    visited.shoot("arbiter-corners")
    page.click("[value=calibrate]")
    page.wait_for_selector("#reply:text('Done.')")


def test_without_a_script_a_paired_phone_asks_too(chromium: Browser, table: BrowserTable) -> None:
    table.feed.publish(replace(example_pages.duo_unsure(), revision=6000))
    table.asked.clear()
    with visit(chromium, script=False) as visited:
        visited.page.goto(f"{table.by_name}/arbiter")
        visited.page.fill("[name=number]", example_pages.NUMBER)
        visited.page.click("form.fields button")
        visited.page.click("[value='choose:0']")
        assert visited.page.inner_text("#reply") == "Done."
    assert [getattr(one, "revision", 0) for one in table.asked] == [0, 6000]


@pytest.mark.parametrize(("path_of_page", "size"), [("/", "phone"), ("/tv", "wall")])
def test_a_connection_that_was_lost_is_found_again(
    chromium: Browser, tmp_path: Path, path_of_page: str, size: str
) -> None:
    path = tmp_path / "feed.sock"
    with TableClient(path) as link, visit(chromium, size) as visited:
        with served(link) as server, TurningFeed(path) as feed:
            port = server.port
            page = replace(example_pages.duo_unsure(), revision=1)
            feed.publish(page)
            visited.page.goto(f"http://cornerlight.local:{port}{path_of_page}")
            visited.reads("#connection", "Live")
            assert visited.page.is_hidden("#stale")
        visited.reads("#connection", "Connection lost, trying again")
        is_stale(visited)
        visited.shoot(f"connection-lost{path_of_page.replace('/', '-')}")
        frozen = visited.page.inner_text(".time[data-running]")
        visited.page.wait_for_timeout(1100)
        assert visited.page.inner_text(".time[data-running]") == frozen
        with served(link, port=port):
            visited.reads("#connection", "Offline")
            is_stale(visited)
            visited.reads("#sentence", "The table does not answer. This is what it showed last.")
            with TurningFeed(path) as feed:
                feed.publish(replace(example_pages.duo_refused(), revision=1))
                visited.reads("#connection", "Live")
                visited.page.wait_for_selector("body[data-state=refused]")
                expect(visited.page.locator("#stale")).to_be_hidden()
                assert visited.page.locator("body[data-stale]").count() == 0


def is_stale(visited: PageVisit) -> None:
    """Asserts that the page is greyed, and says since when."""
    message = re.compile(r"^Nothing new since \d{1,2}:\d\d [AP]M; the game may have gone on\.$")
    expect(visited.page.locator("#stale")).to_have_text(message)
    expect(visited.page.locator("#board")).to_have_css("filter", "grayscale(1)")
    assert visited.faults() == []


def test_above_the_limit_a_phone_polls(chromium: Browser, tmp_path: Path) -> None:
    path = tmp_path / "feed.sock"
    with TurningFeed(path) as feed, TableClient(path) as link, served(link, streams=0) as server:
        feed.publish(replace(example_pages.empty(), revision=1))
        with visit(chromium) as visited:
            visited.page.goto(f"http://cornerlight.local:{server.port}")
            feed.publish(replace(example_pages.duo_refused(), revision=2))
            visited.page.wait_for_selector("body[data-state=refused]")
            visited.reads("#connection", "Live, every few seconds")


def test_a_phone_that_polls_asks_for_a_stream_four_times_a_minute(
    chromium: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "feed.sock"
    with TurningFeed(path) as feed, TableClient(path) as link, served(link, streams=0) as server:
        feed.publish(replace(example_pages.empty(), revision=1))
        with visit(chromium) as visited:
            visited.page.clock.install()
            visited.page.goto(f"http://cornerlight.local:{server.port}")
            visited.reads("#connection", "Live, every few seconds")
            visited.page.clock.run_for(13_000)
            assert len([one for one in visited.requested if "/events" in one]) == 1
            with visited.page.expect_request("**/events*"):
                visited.page.clock.run_for(3_000)


def test_of_twenty_tabs_of_a_browser_those_that_are_seen_stay_live(
    chromium: Browser, tmp_path: Path
) -> None:
    path, tabs = tmp_path / "feed.sock", 20
    with TurningFeed(path) as feed, TableClient(path) as link, served(link, streams=64) as server:
        feed.publish(example_pages.page_of(example_pages.played("duo", 2)))
        with visit(chromium, "desktop") as visited:
            pages = [visited.page, *(visited.page.context.new_page() for _ in range(tabs - 1))]
            for number, page in enumerate(pages):
                page.goto(f"http://127.0.0.1:{server.port}{('/', '/tv', '/overlay')[number % 3]}")
                expect(pieces(page)).to_have_count(2)
                if number < tabs - 8:
                    see(page, hidden=True)
            feed.publish(example_pages.page_of(example_pages.played("duo", 5)))
            for page in pages[-8:]:
                expect(pieces(page)).to_have_count(5)
            for page in pages[:-8]:
                assert pieces(page).count() == 2
            see(pages[0], hidden=False)
            expect(pieces(pages[0])).to_have_count(5)
            assert visited.complaints == []


def pieces(page: BrowserPage) -> Locator:
    """Returns the pieces on the board of a page or an overlay."""
    return page.locator(":is(#board, #overlay-board) .piece")


def see(page: BrowserPage, *, hidden: bool) -> None:
    """Hides a tab behind another one, or shows it again."""
    page.evaluate(
        """(value) => {
          Object.defineProperty(document, "hidden", { value, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


@pytest.mark.parametrize("size", ["desktop", "wall"])
@pytest.mark.parametrize("game", ["duo", "classic"])
def test_the_wall_invites_phones_until_the_first_piece(
    chromium: Browser, table: BrowserTable, size: str, game: str
) -> None:
    revision = 9000 + 10 * len(game + size)
    fresh = example_pages.page_of(example_pages.played(game, 0))
    table.feed.publish(replace(fresh, revision=revision))
    with visit(chromium, size) as visited:
        visited.page.goto(f"{table.address}/tv")
        visited.reads(".address", "192.168.178.105:8000")
        for part in (".qr", ".address", ".invitation"):
            box = visited.page.locator(part).bounding_box()
            assert box
            assert box["x"] + box["width"] <= SIZES[size]["width"]
            assert box["y"] + box["height"] <= SIZES[size]["height"]
        lines = visited.page.locator(".address").evaluate("one => one.getClientRects().length")
        assert lines == 1
        visited.shoot(f"wall-invitation-{game}-{size}")
        assert visited.faults() == []
        begun = example_pages.page_of(example_pages.played(game, 1))
        table.feed.publish(replace(begun, revision=revision + 1))
        expect(visited.page.locator(".invitation")).to_have_count(0)
        expect(visited.page.locator("#trays")).to_be_visible()
        table.feed.publish(replace(fresh, begun=True, revision=revision + 2))
        expect(visited.page.locator("#board .piece")).to_have_count(0)
        assert visited.page.locator(".invitation").count() == 0


CLOCKS = tuple(PlayerClock((i,), 754_000 - 131_000 * i, running=i == 0) for i in range(4))
HOURS = tuple(replace(clock, left_ms=4_754_000) for clock in CLOCKS)

OUT_OF_SIGHT = """() => [...document.querySelectorAll('main > section, .beside *')]
  .filter((one) => {
    const box = one.getBoundingClientRect();
    // Moves that have no room are in a column of their own, beside those in sight.
    const aside = one.closest('.lines li')?.offsetLeft > one.closest('.lines')?.offsetLeft;
    if (aside || !one.checkVisibility() || !box.width) return false;
    return box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
  }).map((one) => one.outerHTML.slice(0, 80))"""

CUT_LINES = """() => {
  const list = document.querySelector('.lines');
  if (!list) return [];
  const room = list.getBoundingClientRect();
  return [...list.children].map((one) => one.getBoundingClientRect())
    .filter((box) => box.left < room.right && (box.bottom > room.bottom + 1));
}"""

SMALL_TEXT = """(least) => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !one.checkVisibility()) continue;
    if (one.closest('.aloud, script, style, figcaption, .caption, .course')) continue;
    const drawing = one.closest('svg');
    const scale = drawing ? one.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(one).fontSize) * scale;
    if (size < least - 0.01) found.push(`${size}: ${one.outerHTML.slice(0, 80)}`);
  }
  return found;
}"""

WITHOUT_NEWER_RULES = """() => {
  const forget = (owner) => {
    for (let at = owner.cssRules.length - 1; at >= 0; at--) {
      const rule = owner.cssRules[at];
      const newer = rule instanceof CSSContainerRule || (rule.selectorText || '').includes(':has(');
      if (newer) owner.deleteRule(at);
      else if (rule.cssRules) forget(rule);
    }
  };
  for (const sheet of document.styleSheets) forget(sheet);
}"""

OVERLAPS = """() => {
  const seen = [...document.querySelectorAll('.beside section')]
    .filter((one) => one.checkVisibility() && one.clientHeight)
    .map((one) => [one.id, one.getBoundingClientRect()]);
  return seen.flatMap(([id, box], at) => seen.slice(at + 1)
    .filter(([, other]) => box.bottom > other.top + 1 && other.bottom > box.top + 1
      && box.right > other.left + 1 && other.right > box.left + 1)
    .map(([other]) => `${id} ${other}`));
}"""

LEAST_TEXT_PX = 30
"""Pixels that text on a television of 1920x1080 needs to be read from across a room."""


@pytest.mark.parametrize("pictures", [PictureAudience.EVERYBODY, PictureAudience.NOBODY])
@pytest.mark.parametrize(
    ("game", "plies", "clocks"),
    [
        ("classic", 38, CLOCKS),
        ("classic", 0, HOURS),
        ("classic-teams", 0, CLOCKS),
        ("classic", 199, ()),
        ("duo", 15, CLOCKS[:2]),
        ("duo", 99, ()),
    ],
)
def test_the_wall_shows_everything_whole_and_large(
    chromium: Browser,
    table: BrowserTable,
    game: str,
    plies: int,
    clocks: tuple[PlayerClock, ...],
    pictures: PictureAudience,
) -> None:
    page = example_pages.page_of(example_pages.played(game, plies, seed=4), begun=True)
    revision = 10_000 + plies + len(clocks)
    table.feed.publish(replace(page, clocks=clocks, pictures=pictures, revision=revision))
    with visit(chromium, "wall") as visited:
        visited.page.goto(f"{table.address}/tv")
        visited.page.wait_for_selector("#connection[data-connection=live]")
        visited.page.locator("img:visible").evaluate_all(
            "all => Promise.all(all.map((one) => one.decode().catch(() => {})))"
        )
        visited.shoot(f"wall-{game}-{plies}-{pictures.value}")
        assert visited.page.evaluate(OUT_OF_SIGHT) == []
        assert visited.page.evaluate(CUT_LINES) == []
        assert visited.page.evaluate(SMALL_TEXT, LEAST_TEXT_PX) == []
        assert visited.page.evaluate(OVERLAPS) == []
        assert visited.page.locator("#moves h2:visible").count() == 0
        sizes = visited.page.evaluate(
            "[...new Set([...document.querySelectorAll('.card:has(.time) :is(.score, .time)')]"
            ".map((one) => getComputedStyle(one).fontSize))]"
        )
        assert len(sizes) == bool(clocks)
        if plies in {15, 38} and pictures is PictureAudience.EVERYBODY:
            widths = visited.page.evaluate(
                "['#camera', '.rest'].map((one) => document.querySelector(one).clientWidth)"
            )
            assert widths[0] > 0.4 * widths[1]
            assert visited.page.locator("#moves .lines li").first.is_visible()
        assert visited.faults() == []
        # Televisions and programs for streams have browsers of the years before 2023.
        visited.page.evaluate(WITHOUT_NEWER_RULES)
        visited.shoot(f"wall-older-{game}-{plies}-{pictures.value}")
        assert visited.page.evaluate(OVERLAPS) == []
        assert visited.page.evaluate(OUT_OF_SIGHT) == []


@pytest.mark.parametrize("size", ["wall", "desktop"])
@pytest.mark.parametrize("pictures", [PictureAudience.EVERYBODY, PictureAudience.NOBODY])
def test_a_long_sentence_pushes_nothing_off_the_wall(
    chromium: Browser, table: BrowserTable, size: str, pictures: PictureAudience
) -> None:
    unclear = tuple((row, column) for row in (3, 4) for column in range(10, 14))
    state = RefereeStatus(RefereeState.UNSURE, squares=unclear)
    page = replace(example_pages.empty("classic"), state=state, begun=True, pictures=pictures)
    table.feed.publish(replace(page, clocks=CLOCKS, revision=10_500 + len(size)))
    with visit(chromium, size, language="de") as visited:
        visited.page.goto(f"{table.address}/tv")
        visited.page.wait_for_selector("#connection[data-connection=live]")
        visited.shoot(f"wall-long-{size}-{pictures.value}")
        assert visited.page.evaluate(OUT_OF_SIGHT) == []


IN_A_GAME = (
    *(CommandName.NEW_GAME, CommandName.UNDO, CommandName.SET_POSITION, CommandName.PAUSE),
    *(CommandName.RESIGN, CommandName.END, CommandName.HINT, CommandName.OVERRULE),
)


OPEN_WITH_ITS_PARENTS = """question => {
  for (let one = question; one; one = one.parentElement.closest('details')) one.open = true;
}"""


def test_every_question_can_be_cancelled_and_asks_the_table_nothing(
    chromium: Browser, table: BrowserTable
) -> None:
    page = replace(example_pages.duo_refused(), possible=IN_A_GAME, revision=11_000)
    table.feed.publish(page)
    for script in (True, False):
        with visit(chromium, script=script) as visited:
            paired(visited, table)
            table.asked.clear()
            for question in visited.page.locator(".confirm, .choices details").all():
                question.evaluate(OPEN_WITH_ITS_PARENTS)
                question.locator("[data-cancel]:visible").last.click()
                expect(question).not_to_have_attribute("open", "")
            assert visited.page.locator("summary").count() == 10
            if script:
                opened = visited.page.locator("#controls details[open]")
                visited.page.click("summary:text('Undo')")
                expect(opened).to_have_count(1)
                visited.page.keyboard.press("Escape")
                expect(opened).to_have_count(0)
            assert table.asked == []
            assert visited.complaints == []


@pytest.mark.parametrize("name", ["refused", "unsure"])
def test_on_a_landscape_phone_the_arbiters_buttons_cover_nothing(
    chromium: Browser, table: BrowserTable, name: str
) -> None:
    possible = (*IN_A_GAME, CommandName.CHOOSE, CommandName.REFUSE)
    page = replace(example_pages.ALL[name](), possible=possible, clocks=CLOCKS[:2])
    table.feed.publish(replace(page, revision=11_100 + len(name)))
    with visit(chromium, "landscape") as visited:
        paired(visited, table)
        visited.page.wait_for_selector("#connection[data-connection=live]")
        visited.shoot(f"arbiter-landscape-{name}")
        boxes = [
            visited.page.locator(part).bounding_box()
            for part in (".desk", "#board svg", "#state .banner", "#scores .cards")
        ]
        desk, board, state, scores = (box for box in boxes if box)
        for box in (board, state, scores):
            assert box["x"] + box["width"] <= desk["x"]
        assert board["y"] + board["height"] <= SIZES["landscape"]["height"]
        assert desk["width"] < 0.36 * SIZES["landscape"]["width"]
        assert visited.faults() == []
        assert not visited.is_too_wide()


SMALL_TARGETS = """(least) => {
  const found = [];
  for (const one of document.querySelectorAll('a, button, summary, input, select, textarea')) {
    const target = one.closest('label') ?? one; // touching its text switches a switch too
    const box = target.getBoundingClientRect();
    if (one.type === 'hidden' || !one.checkVisibility() || box.width <= 1) continue;
    if (Math.min(box.width, box.height) < least - 0.1) found.push(target.outerHTML.slice(0, 80));
  }
  return found;
}"""

LEAST_TARGET_PX = 44
"""Least side of what is touched, in CSS pixels: WCAG 2.5.5."""


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/games",
        f"/games/{NAME}?at=1",
        "/arbiter",
        "/arbiter/new",
        "/arbiter/position",
        "/arbiter/setup/board",
        "/arbiter/setup/check",
        "/arbiter/setup/lens",
        "/arbiter/setup/game",
        "/none",
    ],
)
@pytest.mark.parametrize("size", ["small", "desktop"])
def test_whatever_is_touched_is_large_enough_for_a_finger(
    chromium: Browser, table: BrowserTable, path: str, size: str
) -> None:
    page = replace(example_pages.duo_unsure(), pictures=PictureAudience.EVERYBODY)
    table.feed.publish(replace(page, revision=11_200 + len(path + size)))
    with visit(chromium, size) as visited:
        paired(visited, table)
        visited.page.goto(table.by_name + path)
        visited.page.evaluate(
            "for (const one of document.querySelectorAll('details')) one.open = true;"
        )
        assert visited.page.evaluate(SMALL_TARGETS, LEAST_TARGET_PX) == []
        assert not visited.is_too_wide()


def test_a_scanned_number_fills_the_form_and_leaves_address_and_history(
    chromium: Browser, table: BrowserTable
) -> None:
    with visit(chromium) as visited:
        visited.page.goto(f"{table.by_name}/arbiter#{example_pages.NUMBER}")
        expect(visited.page.locator("[name=number].number")).to_have_value("1234 5678 9012")
        assert visited.page.url == f"{table.by_name}/arbiter"
        assert not any(example_pages.NUMBER in one for one in visited.requested)
        visited.shoot("pair-scanned")
        visited.page.keyboard.press("Enter")
        visited.page.wait_for_selector("#controls")
        # Scanned again by the same phone, which is paired.
        visited.page.goto("about:blank")
        visited.page.goto(f"{table.by_name}/arbiter#{example_pages.NUMBER}")
        visited.page.wait_for_selector("#controls")
        assert visited.page.url == f"{table.by_name}/arbiter"
        visited.page.go_back()
        visited.page.go_forward()
        assert "#" not in visited.page.url
        assert visited.complaints == []


@pytest.mark.parametrize("fragment", ["12345", "abcdefghijkl", "1234567890123", "<b>", ""])
def test_any_other_fragment_fills_nothing(
    chromium: Browser, table: BrowserTable, fragment: str
) -> None:
    with visit(chromium) as visited:
        visited.page.goto(f"{table.by_name}/arbiter#{fragment}")
        expect(visited.page.locator("[name=number].number")).to_have_value("")
        assert visited.complaints == []


@pytest.mark.parametrize("path", ["/", "/tv", "/arbiter"])
@pytest.mark.parametrize("size", ["small", "phone", "landscape", "desktop", "wall"])
def test_a_refusal_stays_on_every_screen_until_the_piece_is_gone(
    chromium: Browser, table: BrowserTable, path: str, size: str
) -> None:
    scheme: Scheme = "dark" if size in ("landscape", "desktop") else "light"
    page = replace(example_pages.duo_refused(), pictures=PictureAudience.EVERYBODY, revision=10000)
    hand = replace(page, state=RefereeStatus(RefereeState.HAND, colour=1), revision=10001)
    waiting = RefereeStatus(RefereeState.WAITING, colour=1)
    gone = replace(page, state=waiting, refused=(), pieces=page.pieces[:-1], revision=10002)
    table.feed.publish(page)
    with visit(chromium, size, scheme, language="en") as visited:
        if path == "/arbiter":
            paired(visited, table)
        visited.page.goto(table.by_name + path)
        visited.page.wait_for_selector("#connection[data-connection=live]")
        sentence = "Ben, orange pieces may touch each other only at corners: this one shares"
        spoken = []
        for shown, state in ((page, "refused"), (hand, "hand")):
            table.feed.publish(shown)
            visited.page.wait_for_selector(f"body[data-state={state}]")
            card = visited.page.locator(".refusal")
            expect(card).to_contain_text(sentence)
            expect(card.locator(".rule")).to_be_visible()
            box, wide = card.bounding_box(), SIZES[size]["width"]
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= wide
            expect(card).to_be_in_viewport(ratio=0.5)
            assert visited.page.locator("#board .fault").count() == 3
            spoken.append(visited.page.inner_text("#announcement"))
            visited.shoot(f"refusal{path.replace('/', '-')}-{state}-{size}-{scheme}")
        assert spoken[0] == spoken[1]
        assert visited.faults() == []
        assert not visited.is_too_wide()
        table.feed.publish(gone)
        expect(visited.page.locator(".refusal")).to_have_count(0)
        assert visited.complaints == []


def overlap(visited: PageVisit, one: str, other: str) -> bool:
    """True if two elements cover a point in common."""
    a, b = (visited.page.locator(name).bounding_box() for name in (one, other))
    assert a is not None
    assert b is not None
    across = a["x"] < b["x"] + b["width"] - 0.5 and b["x"] < a["x"] + a["width"] - 0.5
    down = a["y"] < b["y"] + b["height"] - 0.5 and b["y"] < a["y"] + a["height"] - 0.5
    return across and down


@pytest.mark.parametrize("size", ["small", "phone", "landscape", "desktop", "wall"])
@pytest.mark.parametrize("by_picture", [True, False], ids=["picture", "diagram"])
def test_a_doubt_is_answered_by_touching_a_picture_that_hides_no_board(
    chromium: Browser, table: BrowserTable, size: str, *, by_picture: bool
) -> None:
    corners = ((0.18, 0.05), (0.8, 0.05), (0.78, 0.95), (0.15, 0.9))
    page = replace(
        example_pages.duo_unsure(),
        private=ArbiterPage(setup=SetupEntry(corners=corners if by_picture else ())),
        pictures=PictureAudience.PAIRED,
        possible=(CommandName.CHOOSE, CommandName.REFUSE, CommandName.PAUSE),
    )
    table.show(replace(example_pages.empty(), revision=11000))
    table.show(replace(page, revision=11001))
    table.feed.publish(LivePicture(PICTURE.read_bytes()))
    table.asked.clear()
    with visit(chromium, size, "dark" if by_picture else "light", language="en") as visited:
        paired(visited, table)
        expect(visited.page.locator(".candidate")).to_have_count(2)
        expect(visited.page.locator(".candidate image")).to_have_count(2 * by_picture)
        visited.page.wait_for_timeout(200)
        visited.shoot(f"doubt-{'picture' if by_picture else 'diagram'}-{size}")
        assert not overlap(visited, "#question", "svg.board")
        first, second = (visited.page.locator(".candidate").nth(at).bounding_box() for at in (0, 1))
        assert first is not None
        assert second is not None
        assert first["y"] == second["y"], "side by side"
        assert min(second["width"], second["height"]) >= 44
        assert visited.faults() == []
        assert not visited.is_too_wide()
        visited.page.locator(".candidate").nth(1).click()
        visited.page.wait_for_selector("#reply:text('Done.')")
        assert visited.complaints == []
    (command,) = [one.command for one in table.asked if isinstance(one, CommandRequest)]
    assert command == Choose(1)


def test_the_end_leads_to_the_rematch_the_next_game_and_the_picture(
    chromium: Browser, table: BrowserTable
) -> None:
    page = replace(example_pages.duo_over(), possible=(CommandName.REMATCH,), revision=12000)
    table.feed.publish(page)
    table.asked.clear()
    with visit(chromium, language="en") as visited:
        visited.page.goto(table.by_name)
        visited.reads("#sentence", "Game over: Ben wins by 6; points: −18 against −24.")
        visited.reads("#result .next", "Rematch: Ben begins.")
        assert visited.page.locator("[value=rematch]").count() == 0, "a watcher asks for nothing"
        paired(visited, table)
        visited.shoot("end")
        assert visited.faults() == []
        assert visited.page.get_attribute("#result .take a", "href") == "/arbiter/new"
        expect(visited.page.locator("#result a[data-share]")).to_be_visible()
        visited.page.click("[value=rematch]")
        visited.page.wait_for_selector("#reply:text('Done.')")
        assert visited.complaints == []
    (command,) = [one.command for one in table.asked if isinstance(one, CommandRequest)]
    assert command == Rematch()
