"""Whole games played by hand in a browser, on the real pipeline: mouse, finger, keyboard."""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from firmware.rules.board import Board, Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Colour
from firmware.simulator.move_choice import sensibly
from tests.support.browser import CHROMIUM, DESKTOP, PHONE, PageVisit, browser
from tests.support.played_table import BrowserPlayer, to_move
from tests.support.running_demo import running_demo

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true",
    reason="no Chromium here; apt-get install chromium",
)

Lays = Callable[[BrowserPlayer, Colour, Move], None]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def phone(chromium: Browser) -> Iterator[PageVisit]:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    yield PageVisit.begin(context)
    context.close()


@pytest.fixture
def desktop(chromium: Browser) -> Iterator[PageVisit]:
    context = chromium.new_context(viewport=DESKTOP)
    yield PageVisit.begin(context)
    context.close()


def play(player: BrowserPlayer, position: Position, lay: Lays, plies: int = 99) -> Position:
    """Plays all seats from one browser; each move has to be accepted as it was meant."""
    choose = sensibly(3)
    while not position.is_over and (ply := sum(map(len, position.laid))) < plies:
        move = choose(position)
        lay(player, to_move(position), move)
        player.accepted(ply + 1)
        position = position.play(move)
    return position


def laid(player: BrowserPlayer, address: str) -> list[tuple[Colour, frozenset[int]]]:
    """Returns the moves that the page lists."""
    page = player.page.request.get(f"{address}/page.json").json()
    return [
        (move["color"], frozenset(row * page["size"] + column for row, column in move["squares"]))
        for move in page["moves"]
        if move["squares"]
    ]


def meant(position: Position) -> set[tuple[Colour, frozenset[int]]]:
    return {
        (colour, frozenset(move.squares))
        for colour, moves in enumerate(position.laid)
        for move in moves
    }


def every_prop(player: BrowserPlayer) -> None:
    """Uses each prop; the game stands as it was after each."""
    page = player.page
    page.click(".props summary")
    for prop in ("cup", "dim", "lamp", "glare", "hand"):
        page.click(f"[data-prop={prop}]")
        player.until(lambda prop=prop: prop in player.table()["props"])
        page.wait_for_timeout(1500)
        page.click(f"[data-prop={prop}]")
        player.until(lambda prop=prop: prop not in player.table()["props"])
        player.until(lambda: player.fact("state") in ("waiting", "accepted"))
    for prop in ("camera", "board", "camera", "board"):
        page.click(f"[data-prop={prop}]")
        page.wait_for_timeout(2500)
        player.until(lambda: player.fact("state") in ("waiting", "accepted"))
    page.click("[data-prop=nudge]")
    player.until(lambda: player.fact("state") in ("disturbed", "unsure"))
    page.click(".props summary")


def put_back(player: BrowserPlayer, colour: Colour, move: Move) -> None:
    """Drags a piece that was pushed aside back to its place."""
    (lying,) = (
        one
        for one in player.table()["pieces"]
        if one["color"] == colour and one["piece"] == move.piece.name
    )
    row, column = divmod(move.squares[0], move.board.size)
    rows = [square // move.board.size for square in move.squares]
    columns = [square % move.board.size for square in move.squares]
    home = sum(columns) / len(columns) + 0.5, sum(rows) / len(rows) + 0.5
    dx, dy = lying["across"] - home[0], lying["down"] - home[1]
    player.page.mouse.move(*player.client(column + 0.5 + dx, row + 0.5 + dy))
    player.page.mouse.down()
    player.page.mouse.move(*player.client(column + 0.5, row + 0.5), steps=4)
    player.page.mouse.up()
    player.until(lambda: player.fact("state") in ("waiting", "accepted"))


def test_a_whole_duo_by_dragging(desktop: PageVisit) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo() as address:
        player.begin(address, "here")
        desktop.shoot("play-desktop-empty")
        position = play(player, Position.start("duo"), BrowserPlayer.drag, plies=2)
        every_prop(player)
        put_back(player, 0, position.laid[0][-1])
        assert desktop.faults() == []
        position = play(player, position, BrowserPlayer.drag, plies=12)
        desktop.shoot("play-desktop-mid")
        position = play(player, position, BrowserPlayer.drag)
        assert set(laid(player, address)) == meant(position)
        assert player.fact("finished") == "true"
        desktop.shoot("play-desktop-end")
    assert desktop.complaints == []
    report("desktop", player)


def test_the_first_moves_by_finger_on_a_phone(phone: PageVisit) -> None:
    player = BrowserPlayer(phone.page)
    with running_demo() as address:
        player.begin(address, "here")
        position = play(player, Position.start("duo"), BrowserPlayer.swipe, plies=3)
        assert set(laid(player, address)) == meant(position)
        phone.shoot("play-phone")
        assert phone.faults() == []
    assert phone.complaints == []
    report("phone", player)


def test_a_piece_beside_its_own_is_refused_and_taken_back(desktop: PageVisit) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo() as address:
        player.begin(address, "computer")
        player.drag(0, Move.parse("e10,d10,f10,e9,e11", 14))
        player.accepted(1)
        player.until(lambda: player.fact("ply") == "2")
        board = Board.of(14)
        beside = board.move(board.find(board.parse_squares("e12,f12,g12")) or 0)
        player.drag(0, beside)
        player.until(lambda: player.fact("state") == "refused")
        desktop.shoot("play-refused")
        player.pick(0, beside, -3.0, 3.0)
        player.until(lambda: player.fact("state") in ("waiting", "accepted"))
        assert all(one["piece"] != "I3" for one in player.table()["pieces"])
    assert desktop.complaints == []


@pytest.mark.parametrize("key", [key for key in GAMES if key != "duo"])
def test_the_first_moves_of_every_other_game(desktop: PageVisit, key: str) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo("--game", key) as address:
        player.begin(address, "here", key)
        position = play(player, Position.start(GAMES[key]), BrowserPlayer.drag, plies=12)
        assert set(laid(player, address)) == meant(position)
        desktop.shoot(f"play-{key}")
        assert desktop.faults() == []
    report(key, player)


def test_a_whole_duo_by_keyboard_alone(desktop: PageVisit) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo() as address:
        player.begin(address, "here")
        position = play(player, Position.start("duo"), BrowserPlayer.type)
        assert set(laid(player, address)) == meant(position)
    report("keyboard", player)


def report(what: str, player: BrowserPlayer) -> None:
    """Prints the seconds from letting go to the verdict, for `pytest -s`."""
    latencies = sorted(player.latencies_s)
    median, late = latencies[len(latencies) // 2], latencies[int(0.95 * len(latencies))]
    print(f"{what}: verdict {median:.2f} s median, {late:.2f} s at 95 %")  # noqa: T201
