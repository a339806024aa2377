"""Whole games played by hand in a browser, on the real pipeline: mouse, finger, keyboard."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from firmware.codes import Rule
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Colour
from firmware.simulator.move_choice import sensibly
from tests.support.browser import DESKTOP, NEEDS_BROWSER, PHONE, SMALL, PageVisit, browser
from tests.support.played_table import BrowserPlayer, Lays, lay_in_view, play, to_move
from tests.support.running_demo import running_demo

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture
def phone(chromium: Browser) -> Iterator[PageVisit]:
    with opened_phone(chromium) as visit:
        yield visit


@pytest.fixture
def small(chromium: Browser) -> Iterator[PageVisit]:
    with opened_phone(chromium, SMALL) as visit:
        yield visit


@contextmanager
def opened_phone(chromium: Browser, size: ViewportSize = PHONE) -> Iterator[PageVisit]:
    context = chromium.new_context(viewport=size, has_touch=True, is_mobile=True)
    yield PageVisit.begin(context)
    context.close()


@pytest.fixture
def desktop(chromium: Browser) -> Iterator[PageVisit]:
    context = chromium.new_context(viewport=DESKTOP)
    yield PageVisit.begin(context)
    context.close()


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


def refused_and_taken_back(player: BrowserPlayer, position: Position) -> None:
    """Lays a piece beside the side of an own one; takes it back when it is refused."""
    before = len(player.table()["pieces"])
    colour = to_move(position)
    beside = next(
        move
        for move in map(position.board.move, range(position.board.placements))
        if [one.rule for one in position.examine(move.squares, colour)] == [Rule.TOUCHES_OWN_SIDE]
    )
    player.lay(colour, beside)
    player.until(lambda: player.fact("state") == "refused")
    player.page.locator(".refusal").wait_for()
    assert not player.by_finger or player.out_of_view() == []
    player.pick(colour, beside, -3.0, 3.0)
    player.until(lambda: player.fact("state") in ("waiting", "accepted"))
    assert len(player.table()["pieces"]) == before


def test_a_whole_duo_by_mouse_with_every_prop(desktop: PageVisit) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo() as address:
        player.begin(address, "here")
        desktop.shoot("play-desktop-empty")
        position = play(player, Position.start("duo"), BrowserPlayer.lay, plies=2)
        every_prop(player)
        player.put_back(0, position.laid[0][-1])
        player.until(lambda: player.fact("state") in ("waiting", "accepted"))
        refused_and_taken_back(player, position)
        assert desktop.faults() == []
        position = play(player, position, BrowserPlayer.lay, plies=12)
        desktop.shoot("play-desktop-mid")
        end_of(player, position, BrowserPlayer.lay, address)
        desktop.shoot("play-desktop-end")
    assert desktop.complaints == []
    report("desktop", player)


def test_a_whole_duo_by_touch_on_a_small_phone_without_scrolling(small: PageVisit) -> None:
    player = BrowserPlayer(small.page, by_finger=True)
    with running_demo() as address:
        player.begin(address, "here")
        position = play(player, Position.start("duo"), lay_in_view, plies=2)
        refused_and_taken_back(player, position)
        assert small.faults() == []
        flick(small, "adjust")
        position = play(player, position, BrowserPlayer.adjust, plies=4)
        flick(small, "adjust")
        end_of(player, position, lay_in_view, address)
        small.shoot("play-small-end")
        flick(small, "adjust")
        small.page.reload()
        small.page.locator("[data-switch=adjust][aria-checked=true]").wait_for()
    assert small.complaints == []
    report("small phone", player)


def test_a_refusal_is_taken_back_while_the_computer_waits(desktop: PageVisit) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo() as address:
        player.begin(address, "computer")
        position = Position.start("duo")
        move = Move.parse("e10,d10,f10,e9,e11", 14)
        player.lay(0, move)
        player.accepted(1, move)
        player.until(lambda: player.fact("ply") == "2")
        refused_and_taken_back(player, position.play(move).with_turn(0))
        desktop.shoot("play-computer")
    assert desktop.complaints == []


def test_two_phones_play_each_their_own_pieces(
    chromium: Browser, desktop: PageVisit, phone: PageVisit
) -> None:
    owner, guest = BrowserPlayer(desktop.page), BrowserPlayer(phone.page, by_finger=True)
    with running_demo() as address:
        owner.begin(address, "phones")
        sit_down(guest, address)
        position = play_in_turn((owner, guest), Position.start("duo"), 6)
        assert not phone.page.locator(".pieces button[data-color='0']").count()
        assert not desktop.page.locator(".pieces button[data-color='1']").count()
        phone.shoot("play-second-phone")
        # A phone that vanishes while it holds a piece leaves it in its tray.
        guest.hold(1, "1")
        phone.page.context.close()
        assert len(owner.table()["pieces"]) == 6
        free_seat(owner)
        with opened_phone(chromium) as another:
            guest = BrowserPlayer(another.page, by_finger=True)
            sit_down(guest, address)
            play_in_turn((owner, guest), position, 8)
            assert len(guest.table()["pieces"]) == 8
    assert desktop.complaints == []
    assert phone.complaints == []


def sit_down(guest: BrowserPlayer, address: str) -> None:
    """Takes the free seat of a table."""
    guest.page.goto(f"{address}/play")
    guest.page.locator("#start [data-sit]").click()
    guest.page.locator(".pieces button").first.wait_for()


def free_seat(owner: BrowserPlayer) -> None:
    """Empties the seat of another phone."""
    owner.page.locator("summary", has_text="Seats").click()
    owner.page.locator("button[data-empty]").click()
    owner.until(lambda: [seat["holder"] for seat in owner.table()["seats"]][1] == "free")
    owner.page.locator("summary", has_text="Seats").click()


def play_in_turn(players: Sequence[BrowserPlayer], position: Position, plies: int) -> Position:
    """Plays up to a number of plies, each colour by its own player."""
    choose = sensibly(3)
    while (ply := sum(map(len, position.laid))) < plies:
        move, colour = choose(position), to_move(position)
        players[colour].lay(colour, move)
        for player in players:
            player.accepted(ply + 1, move)
        position = position.play(move)
    return position


def flick(visit: PageVisit, switch: str) -> None:
    """Presses a switch below the table, and goes back up."""
    visit.page.click(f"[data-switch={switch}]")
    visit.page.evaluate("scrollTo(0, 0)")


def end_of(player: BrowserPlayer, position: Position, lay: Lays, address: str) -> None:
    """Plays a game to its end."""
    position = play(player, position, lay)
    assert set(laid(player, address)) == meant(position)
    assert player.fact("finished") == "true"


def test_a_family_begins_in_two_taps_and_plays_as_last_time_with_one(phone: PageVisit) -> None:
    page, player = phone.page, BrowserPlayer(phone.page, by_finger=True)
    with running_demo() as address:
        page.goto(f"{address}/play")
        page.tap("[name=mode][value=here]")
        page.fill("[name=name-0]", "Zoe")
        page.fill("[name=name-1]", "Yan")
        assert phone.faults() == []
        page.tap("#start [value=new-game]")
        page.locator(".pieces button").first.wait_for()
        expect(page.locator(".cards .name")).to_have_text(["Zoe", "Yan"], use_inner_text=True)
        assert page.locator("#controls [value=hint]").count() == 1
        play(player, Position.start("duo"), BrowserPlayer.lay, plies=1)
        page.locator("summary", has_text="Seats").click()
        page.click("#stand")
        page.tap("#start [value=new-game]")
        page.locator(".pieces button").first.wait_for()
        player.until(lambda: player.fact("ply") == "0")
        expect(page.locator(".cards .name")).to_have_text(["Zoe", "Yan"], use_inner_text=True)
    # Who has left the seat asks once whether it is still theirs.
    assert [one for one in phone.complaints if "409" not in one] == []


def test_names_that_look_alike_are_refused_and_typed_again(phone: PageVisit) -> None:
    page = phone.page
    with running_demo() as address:
        page.goto(f"{address}/play")
        page.tap("[name=mode][value=here]")
        page.fill("[name=name-0]", "Zoe")
        page.fill("[name=name-1]", "Zoe")
        page.press("[name=name-1]", "Enter")
        refused = page.locator("#reply", has_text="That looks like Zoe")
        refused.wait_for()
        page.tap(".menu summary")  # once the sentence above it has gone
        with page.expect_navigation():
            page.tap("[name=language][value=en]")
        page.fill("[name=name-1]", "Yan")
        page.press("[name=name-1]", "Enter")
        page.locator(".pieces button").first.wait_for()
        page.locator("summary", has_text="New game").tap()
        page.fill("[name=name-1]", "Zoe")
        page.press("[name=name-1]", "Enter")
        refused.wait_for()
        assert page.input_value("[name=name-1]") == "Zoe"
        page.reload()  # sends nothing again
        assert page.is_hidden("#reply")
        page.locator("summary", has_text="New game").tap()
        page.tap("[name=show][value=watch]")
        page.wait_for_url(f"{address}/")
        names = page.locator(".cards .name")
        expect(names).to_have_text(["Purple", "Orange"], use_inner_text=True)  # nobody plays


@pytest.mark.parametrize("key", [key for key in GAMES if key != "duo"])
def test_the_first_moves_of_every_other_game(desktop: PageVisit, key: str) -> None:
    player = BrowserPlayer(desktop.page)
    with running_demo("--game", key) as address:
        player.begin(address, "here", key)
        places = set()

        def lay(player: BrowserPlayer, colour: Colour, move: Move) -> None:
            places.add(str(player.page.locator("#stage").bounding_box()))
            player.lay(colour, move)

        position = play(player, Position.start(GAMES[key]), lay, plies=12)
        assert len(places) == 1, "the picture stays where it is"
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
    print(f"{what}: verdict {median:.2f} s median, {late:.2f} s at 95 %, {player.doubts} doubts")  # noqa: T201
