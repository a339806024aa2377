"""Games against the computer at the simulated table, in a browser of a phone's size."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from firmware.game.levels import LEVELS
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.simulator.move_choice import sensibly
from tests.support.browser import NEEDS_BROWSER, PHONE, WALL, PageVisit, browser
from tests.support.played_table import CALM, BrowserPlayer
from tests.support.running_demo import running_demo

pytestmark = NEEDS_BROWSER


MOST_DOUBTS = 2
"""Questions of a game about pieces that lie as they were meant."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def phone(chromium: Browser) -> Iterator[PageVisit]:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield PageVisit.begin(context)
    context.close()


def news(player: BrowserPlayer, address: str) -> dict[str, Any]:
    page: dict[str, Any] = player.page.request.get(f"{address}/page.json").json()
    return page


def move_of(entry: dict[str, Any], position: Position) -> Move:
    """Returns the move of an entry of the page."""
    size = position.game.size
    index = position.board.find([row * size + column for row, column in entry["squares"]])
    assert index is not None
    return position.board.move(index)


def chosen(player: BrowserPlayer, address: str, position: Position) -> Move:
    """Waits for the computer's choice."""
    player.until(lambda: news(player, address)["chosen"])
    return move_of(news(player, address)["chosen"], position)


def waits(player: BrowserPlayer, address: str, position: Position) -> Position:
    """Waits until the computer's piece is accepted; answers the referee if it is unsure of it."""
    ply = sum(map(len, position.laid))

    def is_accepted() -> bool:
        if player.fact("state") == "unsure" and (laid := news(player, address)["chosen"]):
            player.answers(move_of(laid, position))
        return player.fact("ply") == str(ply + 1)

    player.until(is_accepted)
    assert player.doubts <= MOST_DOUBTS
    return position.play(move_of(news(player, address)["moves"][-1], position))


def begin(player: BrowserPlayer, address: str, *, by_hand: bool) -> None:
    """Begins a Duo against the weakest level from the first screen."""
    player.page.goto(f"{address}/play")
    player.page.select_option("[name=level]", "1")
    if by_hand:
        player.page.click("form.begin summary")
        player.page.check("[name=by-hand]")
    player.page.click("form.begin [value=new-game]")
    player.until(lambda: bool(player.table()["seats"]) and player.fact("state") in CALM)


def lays(player: BrowserPlayer, position: Position, move: Move) -> Position:
    """Lays a piece and waits for the verdict."""
    assert position.to_move is not None
    player.lay(position.to_move, move)
    player.accepted(sum(map(len, position.laid)) + 1, move)
    return position.play(move)


def test_a_whole_duo_against_the_computer(phone: PageVisit) -> None:
    player = BrowserPlayer(phone.page, by_finger=True)
    choose = sensibly(3)
    with running_demo() as address:
        phone.page.goto(f"{address}/play")
        phone.shoot("opponent-start")
        begin(player, address, by_hand=False)
        phone.shoot("opponent-begun")
        position = Position.start("duo")
        while not position.is_over:
            ply = sum(map(len, position.laid))
            if position.to_move == 0:
                position = lays(player, position, choose(position))
                continue
            position = waits(player, address, position)
            if ply == 13:
                phone.shoot("opponent-mid")
        player.until(lambda: player.fact("finished") == "true")
        phone.shoot("opponent-end")
        page = news(player, address)
        assert [seat["level"] for seat in page["computer"]] == [0, 1]
    assert phone.complaints == []


def look_elsewhere(chromium: Browser, address: str) -> None:
    """Looks at the other screens while the computer's piece is to be laid."""
    for path, viewport in (("", PHONE), ("tv", WALL)):
        context = chromium.new_context(viewport=viewport)
        visit = PageVisit.begin(context)
        visit.page.goto(f"{address}/{path}")
        visit.shoot(f"opponent-chosen-{path or 'front'}")
        context.close()


def test_the_computers_pieces_laid_by_hand(chromium: Browser, phone: PageVisit) -> None:
    player = BrowserPlayer(phone.page, by_finger=True)
    with running_demo() as address:
        begin(player, address, by_hand=True)
        position = Position.start("duo")
        position = lays(player, position, sensibly(3)(position))
        player.until(lambda: "thinks" in phone.page.locator("#state").inner_text())
        phone.shoot("opponent-thinks")
        move = chosen(player, address, position)
        player.until(lambda: "has chosen" in phone.page.locator("#announcement").inner_text())
        assert LEVELS[0] in phone.page.locator("#state").inner_text()
        phone.shoot("opponent-chosen")
        look_elsewhere(chromium, address)
        others = [one for one in position.legal_moves if one.piece is not move.piece]
        wrong = min(others, key=lambda one: (one.mask & move.mask).bit_count() - one.piece.size)
        player.lay(1, wrong)
        player.until(lambda: player.fact("state") == "refused")
        phone.page.locator(".refusal").wait_for()
        assert "the computer's piece goes to" in phone.page.locator("#state").inner_text()
        phone.shoot("opponent-refused")
        assert phone.faults() == []
        phone.page.locator("#stage").scroll_into_view_if_needed()
        phone.shoot("opponent-refused-board")
        player.pick(1, wrong, -3.0, 3.0)
        player.until(lambda: player.fact("state") in CALM)
        position = lays(player, position, move)
        position = lays(player, position, sensibly(3)(position))
        chosen(player, address, position)
        phone.page.goto(f"{address}/arbiter")
        phone.shoot("opponent-arbiter")
        phone.page.get_by_text("More", exact=True).click()
        phone.page.get_by_text("Who plays for the computer").click()
        phone.page.locator("[value='assign-seat:1']").scroll_into_view_if_needed()
        phone.shoot("opponent-take-over")
        phone.page.click("[value='assign-seat:1']")
        player.until(lambda: news(player, address)["chosen"] is None)
        phone.page.goto(f"{address}/arbiter/new")
        phone.shoot("opponent-new-game")
    assert phone.complaints == []
