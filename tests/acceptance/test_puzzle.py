"""A whole puzzle in a browser, on the real pipeline: mistakes, a hint, and the end."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from playwright.sync_api import Browser

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from tests.support.browser import DESKTOP, NEEDS_BROWSER, PHONE, PageVisit, browser
from tests.support.example_pages import SOLVED_TETROMINOES
from tests.support.played_table import CALM, BrowserPlayer, middle
from tests.support.running_demo import running_demo

pytestmark = NEEDS_BROWSER

HAS_SOLVER = find_spec("numba") is not None
PUZZLE = "puzzle-tetrominoes"
SOLUTION = [(colour, Move.parse(text, 20)) for colour, text in SOLVED_TETROMINOES]
BESIDE = Move.parse("h1,i1,h2,i2", 20)
"""A square piece half outside the field."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(params=["desktop", "phone"])
def visit(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[PageVisit]:
    by_finger = request.param == "phone"
    size = PHONE if by_finger else DESKTOP
    context = chromium.new_context(viewport=size, has_touch=by_finger, is_mobile=by_finger)
    yield PageVisit.begin(context)
    context.close()


def blocking(position: Position, colour: Colour, move: Move) -> Move:
    """A legal placement of the same piece that leaves a square free that nothing can fill."""
    field = {square for square in range(400) if square // 20 >= 10 and square % 20 < 8}
    for other in position.moves_of(colour):
        free = field - {*other.squares} - set(_squares(position))
        lonely = (s for s in free if not free & {s - 20, s + 20, s - 1, s + 1})
        if other.piece is move.piece and any(lonely):
            return other
    raise AssertionError("every placement leaves a puzzle that may be solved")


def _squares(position: Position) -> Iterator[int]:
    return (square for laid in position.laid for move in laid for square in move.squares)


def test_twenty_tetrominoes_with_two_mistakes_and_a_hint(visit: PageVisit) -> None:
    player = BrowserPlayer(visit.page, by_finger="390" in str(visit.page.viewport_size))
    page, position = visit.page, Position.start(PUZZLE)
    name = "phone" if player.by_finger else "desktop"
    with running_demo() as address:
        player.begin_puzzle(address, PUZZLE)
        visit.shoot(f"puzzle-{name}-empty")
        beyond_the_border(player, visit, name)
        for ply, (colour, move) in enumerate(SOLUTION, 1):
            if ply == 11:
                impossible(player, visit, position, name)
            player.lay(colour, move)
            player.accepted(ply, move)
            position = position.play(move, colour)
        player.until(lambda: player.fact("finished") == "true")
        visit.shoot(f"puzzle-{name}-solved")
        assert visit.faults() == []
        assert "Solved in" in page.locator("#state").inner_text()
        shown = page.request.get(f"{address}/page.json").json()
        assert shown["result"]["how"] == "solved"
        assert len(shown["moves"]) == 20
        page.wait_for_timeout(2000)
        page.goto(f"{address}/games")
        assert "Solved in" in page.locator(".games").inner_text()
        visit.shoot(f"puzzle-{name}-games")
    assert visit.complaints == []


def beyond_the_border(player: BrowserPlayer, visit: PageVisit, name: str) -> None:
    """Lays a piece over the border; takes it back when it is refused."""
    player.lay(3, BESIDE)
    player.until(lambda: player.fact("state") == "refused")
    player.page.locator(".refusal").wait_for()
    assert "inside the border" in player.page.locator(".refusal").inner_text()
    visit.shoot(f"puzzle-{name}-refused")
    player.pick(3, BESIDE, -3.0, 12.0)
    player.until(lambda: player.fact("state") in CALM and not player.table()["pieces"])


def impossible(player: BrowserPlayer, visit: PageVisit, position: Position, name: str) -> None:
    """Lays a piece after which nothing solves the puzzle; the answer says so, and it is lifted."""
    colour, move = SOLUTION[10]
    wrong = blocking(position, colour, move)
    player.lay(colour, wrong)
    player.accepted(11, wrong)
    if HAS_SOLVER:
        answer = player.page.locator(".progress .answer")
        player.page.click("[name=word][value=hint]")
        # The piece to lift is found after the answer.
        player.until(lambda: answer.count() and "Impossible since move 11" in answer.inner_text())
        assert answer.get_attribute("data-answer") == "impossible"
        visit.shoot(f"puzzle-{name}-impossible")
    across, down = middle(wrong)
    player.pick(colour, wrong, -3.0 + across % 1, 12.0 + down % 1)
    player.until(lambda: player.fact("ply") == "10" and player.fact("state") in CALM)
    if HAS_SOLVER:
        steps(player, visit, name)


def steps(player: BrowserPlayer, visit: PageVisit, name: str) -> None:
    """Asks for every step of a hint, which says more each time."""
    hints: list[str] = []

    def is_new() -> bool:
        # Read once: the page may draw itself anew between two readings.
        text = hint_of(player)
        if text in ("", *hints):
            return False
        hints.append(text)
        return True

    for _ in range(4):
        player.page.click("[name=word][value=hint]")
        player.until(is_new)
    visit.shoot(f"puzzle-{name}-hint")
    assert "still be solved" in hints[0]
    assert [text.partition(" ")[0] for text in hints[1:]] == ["Look", "Here", "Here"]


def hint_of(player: BrowserPlayer) -> str:
    """Returns what the hint says; the first step is the answer beside the progress."""
    hint = player.page.locator("#question .hint p")
    if hint.count():
        return "" if player.page.locator("#question progress").count() else hint.inner_text()
    answer = player.page.locator(".progress .answer[data-answer=solvable]")
    return answer.inner_text() if answer.count() else ""
