"""Hints: requested by a button or an arbiter, counted, lit, and hidden from watchers."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import (
    EndReason,
    HintAmount,
    HintStep,
    LightPlace,
    MoveReasonCode,
    PlayerFailure,
)
from firmware.errors import PlayerError
from firmware.game.config import GameConfig
from firmware.game.events import Hinted
from firmware.game.hints import agrees, steps_of
from firmware.game.reasons import Reason
from firmware.game.state import GameState
from firmware.lights.scene import HINT, MOST_HINTED
from firmware.player import search_process
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.hint_service import FIRST_S
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.fake_table import FakeLedStrip, FakeTable, house, lit_in
from tests.support.noisy_board import FIRST, SECOND
from web.contract import (
    CancelHint,
    Command,
    CommandName,
    EndGame,
    Hint,
    HintAllowance,
    Page,
    Pause,
    RefusalReason,
    Resign,
)

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], hints=1)
START_S = 300
"""Seconds for the start of a process, which compiles after a change."""


REASON = Reason(MoveReasonCode.BLOCKS, 90, ("a1", "b1"))


def largest(position: Position) -> Move:
    """Returns the move that a thinker names."""
    return max(position.legal_moves, key=lambda move: len(move.squares))


class Thinker(EngineClient):
    """A computer player that names a large move, once the test lets it answer.

    Attributes:
        seconds: duration of its search so far.
        names: the moves that it names, the best first; none for a large one.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.seconds = 0.1
        self.names: tuple[Move, ...] = ()
        self.ready = True
        self.reasons = (REASON,)
        self.broken: PlayerFailure | None = None
        self.closed = 0

    def __call__(self) -> "Thinker":
        if self.broken:
            raise PlayerError(self.broken, "it gives no answer")
        return self

    def ask(self, request: SearchRequest) -> int:
        self.asked.append(request.position)
        return len(self.asked)

    def answer(self, request: int) -> SearchResult | None:
        if self.broken:
            raise PlayerError(self.broken, "it gives no answer")
        position = Position.parse(self.asked[request - 1])
        choices = tuple(
            SearchedMove(move, 0.5, 0.0, 1, reasons=self.reasons if self.ready else ())
            for move in self.names or (largest(position),)
        )
        return SearchResult(choices, 1, self.seconds, self.ready)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def thinker() -> Thinker:
    return Thinker()


@contextmanager
def begun(folder: Path, thinker: Thinker, terms: GameConfig = DUO) -> Iterator[FakeTable]:
    """A table with a piece on it and orange to move."""
    with house(folder, terms, FakeLedStrip(), thinker) as table:
        table.lay("purple", FIRST)
        table.look(6)
        assert table.state.piece_count == 1
        yield table


def hints(page: Page) -> HintAllowance:
    assert page.private is not None
    assert page.private.hints is not None
    return page.private.hints


def test_a_held_button_asks_and_the_table_continues_while_the_player_thinks(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        assert table.table_factory.buttons is not None
        thinker.ready = False
        table.table_factory.buttons.press(0, held=True)
        table.look(2)
        assert thinker.asked == [], "it is not the turn of the other"
        table.table_factory.buttons.press(1, held=True)
        table.look(5)
        assert hints(table.page).thinking
        assert hints(table.page).left == (1, 1)
        thinker.ready = True
        table.look(2)
        page = hints(table.page)
        assert (page.thinking, page.left, page.step) == (False, (1, 0), HintStep.AREA)


def lay_two(table: FakeTable) -> None:
    """Lays a piece of each colour, after which moves are in several areas."""
    for colour, squares in (("purple", FIRST), ("orange", SECOND)):
        table.lay(colour, squares)
        table.look(6)
    assert table.state.piece_count == 2


def in_ink_of_hint(pixels: bytes) -> set[int]:
    """Returns the LEDs that glow green and blue, without red."""
    inks = [pixels[led : led + 3] for led in range(0, len(pixels), 3)]
    return {led for led, (red, green, blue) in enumerate(inks) if not red and green and blue}


def apart(position: Position, move: Move) -> Move:
    """Returns a large move whose hint shows another area than that of a move."""
    state = replace(GameState(position), hint=Hinted(1, 0.5, 0, 0, move, HintStep.AREA))
    others = (one for one in position.legal_moves if len(one.squares) == 5)
    return next(one for one in others if not agrees(state, one))


def test_the_first_step_comes_early_and_what_follows_agrees_with_it(
    tmp_path: Path, thinker: Thinker
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs, thinker) as table:
        lay_two(table)
        position = table.state.position
        shown = largest(position)
        state = replace(table.state, hint=Hinted(1, 0.5, 0, 0, shown, HintStep.AREA))
        better = next(one for one in position.legal_moves if one != shown and agrees(state, one))
        best = apart(position, shown)
        thinker.ready, thinker.names = False, (shown,)
        assert table.asks(Hint()) == [None]
        table.look(2)
        assert hints(table.page).step is None, "the search has only begun"
        thinker.seconds = FIRST_S
        table.look(2)
        first = hints(table.page)
        assert (first.step, first.thinking, first.left) == (HintStep.AREA, True, (0, 1))
        before = len(bulbs.frames)
        table.look(20)
        area = {row * 14 + column for row, column in first.squares}
        glowing = set().union(*map(in_ink_of_hint, bulbs.frames[before:]))
        assert len(glowing) == min(len(area), MOST_HINTED)
        assert glowing <= area, "lights and page show the same"
        thinker.ready, thinker.names = True, (best, better, shown)
        table.look(2)
        assert table.state.hint is not None
        assert (table.state.hint.move, table.state.hint.reasons) == (better, (REASON,))
        assert hints(table.page) == replace(first, thinking=False), "the page says no other"
        for _ in range(3):
            assert table.asks(Hint()) == [None]
        whole = hints(table.page)
        assert (whole.step, whole.left) == (HintStep.WHOLE, (0, 1))
        assert {row * 14 + column for row, column in whole.squares} == set(better.squares)


def test_the_page_tells_how_far_the_player_is_while_it_gets_ready(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        thinker.ready, thinker.starting = False, (31, 40)
        assert table.page.machine.player_start is None, "nobody has asked"
        table.asks(Hint())
        table.look(1)
        assert table.page.machine.player_start == (31, 40)
        thinker.starting = None
        table.look(1)
        assert table.page.machine.player_start is None


def test_a_search_that_leaves_the_shown_area_keeps_the_hinted_move(
    tmp_path: Path, thinker: Thinker
) -> None:
    with house(tmp_path, DUO, FakeLedStrip(), thinker) as table:
        lay_two(table)
        position = table.state.position
        shown = largest(position)
        thinker.ready, thinker.seconds = False, FIRST_S
        table.asks(Hint())
        table.look(2)
        thinker.ready, thinker.names = True, (apart(position, shown),)
        table.look(2)
        assert not hints(table.page).thinking
        for _ in range(3):
            assert table.asks(Hint()) == [None]
        assert table.state.hint is not None
        assert (table.state.hint.move, table.state.hint.step) == (shown, HintStep.WHOLE)


@pytest.mark.parametrize("how", [EndGame(EndReason.ABANDONED), Pause(), Resign(0)])
def test_what_comes_after_the_first_step_changes_no_game_that_stands_or_is_over(
    tmp_path: Path, thinker: Thinker, how: Command
) -> None:
    with begun(tmp_path, thinker) as table:
        position = table.state.position
        thinker.ready, thinker.seconds = False, FIRST_S
        table.asks(Hint())
        table.look(2)
        shown = table.state.hint
        assert shown is not None
        assert table.asks(how) == [None]
        count = len(table.events)
        others = [one for one in position.legal_moves if one != shown.move]
        thinker.ready = True
        thinker.names = tuple(one for one in others if agrees(table.state, one))[:1]
        table.look(3)
        assert [one for one in table.events[count:] if isinstance(one, Hinted)] == []
        private = (table.page.private,)
        told = [one.hints.failure for one in private if one is not None and one.hints is not None]
        assert told in ([], [None])


def test_a_search_that_is_cancelled_after_the_first_step_leaves_it(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        thinker.ready, thinker.seconds = False, FIRST_S
        table.asks(Hint())
        table.look(2)
        table.asks(CancelHint())
        page = hints(table.page)
        assert (page.step, page.thinking, page.left) == (HintStep.AREA, False, (1, 0))


def test_a_cancelled_question_is_forgotten_and_costs_nothing(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        thinker.ready = False
        assert table.asks(Hint()) == [None]
        assert hints(table.page).thinking
        stale = table.command(CancelHint(), revision=0)
        assert table.asks(stale) == [None], "the page may have changed since"
        assert not hints(table.page).thinking
        thinker.ready = True
        table.look(5)
        assert hints(table.page).left == (1, 1)
        assert not any(isinstance(one, Hinted) for one in table.events)
        assert thinker.closed == 0, "the player goes on"
        assert table.asks(Hint()) == [None]
        table.look(2)
        assert len(thinker.asked) == 2
        assert hints(table.page).left == (1, 0)


def test_cancelling_nothing_changes_nothing(tmp_path: Path, thinker: Thinker) -> None:
    with begun(tmp_path, thinker) as table, house(tmp_path / "other", DUO) as without:
        for one in (table, without):
            before = one.page
            assert one.asks(CancelHint()) == [None]
            assert one.page == before


def test_a_hint_costs_once_and_is_shown_in_five_steps_and_then_no_more(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        pages = []
        for _ in steps_of(DUO.game):
            assert table.asks(Hint()) == [None]
            table.look(2)
            pages.append(hints(table.page))
        assert [one.left for one in pages] == [(1, 0)] * 5
        move = largest(Position.parse(thinker.asked[0]))
        assert [len(one.squares) for one in pages][2:] == [1, 5, 5]
        assert pages[0].squares == pages[1].squares
        assert [one.piece for one in pages] == ["", *[move.piece.name] * 4]
        assert [len(one.reasons) for one in pages] == [0, 0, 0, 0, 1]
        assert pages[4].reasons[0].number == REASON.number
        assert len(pages[4].reasons[0].squares) == 2
        assert CommandName.HINT not in table.page.possible
        assert table.asks(Hint()) == [RefusalReason.NOT_POSSIBLE]
        assert len(thinker.asked) == 1
        assert [one.step for one in table.events if isinstance(one, Hinted)] == [
            HintStep.AREA,
            HintStep.PIECE,
            HintStep.SQUARE,
            HintStep.WHOLE,
            HintStep.REASON,
        ]


def test_a_person_gets_as_much_as_they_agreed_on(tmp_path: Path, thinker: Thinker) -> None:
    amounts = (HintAmount.NONE, HintAmount.AREA_AND_PIECE)
    with begun(tmp_path, thinker, replace(DUO, hint_amount=amounts)) as table:
        for _ in range(2):
            assert table.asks(Hint()) == [None]
            table.look(2)
        assert hints(table.page).amount is HintAmount.AREA_AND_PIECE
        assert table.asks(Hint()) == [RefusalReason.NOT_POSSIBLE]
        table.lay("orange", SECOND)
        table.look(6)
        assert table.asks(Hint()) == [RefusalReason.NO_HINTS_AGREED]
        assert hints(table.page).left == (1, 0)


def test_reasons_with_squares_off_the_board_end_no_game(tmp_path: Path, thinker: Thinker) -> None:
    thinker.reasons = (Reason(MoveReasonCode.BLOCKS, 1, ("z99",)),)
    with begun(tmp_path, thinker) as table:
        table.asks(Hint())
        table.look(2)
        assert hints(table.page).failure is PlayerFailure.NO_MOVE


def test_who_has_spent_their_hints_is_refused_and_the_other_is_not(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        table.asks(Hint())
        table.look(2)
        table.lay("orange", SECOND)
        table.look(6)
        assert hints(table.page).squares == (), "a hint is for one position"
        assert table.asks(Hint()) == [None]
        table.look(2)
        assert hints(table.page).left == (0, 0)
        table.asks(Hint(), Hint())
        move = largest(Position.parse(thinker.asked[-1]))
        table.lay("purple", ",".join(_names(move.squares)))
        table.look(6)
        assert table.state.piece_count == 3
        assert table.asks(Hint()) == [RefusalReason.HINTS_SPENT]


def _names(squares: tuple[int, ...]) -> list[str]:
    board = Position.start("duo").board
    return [board.format_square(square) for square in squares]


def test_what_was_asked_is_still_counted_after_a_restart(tmp_path: Path, thinker: Thinker) -> None:
    with begun(tmp_path, thinker) as table:
        table.asks(Hint())
        table.look(2)
        before = hints(table.page)
    assert thinker.closed
    with house(tmp_path, None, FakeLedStrip(), thinker) as again:
        assert hints(again.page) == before


def test_a_journal_whose_hint_had_other_steps_resumes_and_goes_on(
    tmp_path: Path, thinker: Thinker
) -> None:
    shutil.copy(ROOT / "tests" / "journals" / "three-steps" / "journal.sqlite", tmp_path)
    with house(tmp_path, None, FakeLedStrip(), thinker) as table:
        before = hints(table.page)
        assert (before.step, len(before.squares)) == (HintStep.REACH, 2)
        assert before.left == (1, 0)
        assert table.asks(Hint()) == [None]
        whole = hints(table.page)
        assert (whole.step, len(whole.squares), whole.left) == (HintStep.WHOLE, 5, (1, 0))
        assert set(before.squares) < set(whole.squares)
        assert table.asks(Hint()) == [RefusalReason.NOT_POSSIBLE], "its reasons are not known"
        assert thinker.asked == []


@pytest.mark.parametrize("program", ["/nowhere/player", "false"])
def test_a_player_that_cannot_run_ends_no_game(
    tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_process, "command", lambda *_: [program])
    with house(tmp_path, DUO, FakeLedStrip(), EngineClient) as table:
        table.lay("purple", FIRST)
        for _ in range(3):
            assert table.asks(Hint()) in ([None], [RefusalReason.NO_PLAYER])
            time.sleep(0.05)
            table.look(2)
        assert hints(table.page).failure in (PlayerFailure.ENDED, PlayerFailure.NOT_STARTED)
        table.lay("orange", SECOND)
        table.look(6)
        assert table.state.piece_count == 2


@pytest.mark.parametrize("moves", [("a1,a2",), ()])
def test_a_player_that_names_no_move_ends_no_game(
    tmp_path: Path, moves: tuple[str, ...], thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = tuple(SearchedMove(Move.parse(one, 14), 0.5, 0.0, 1) for one in moves)
    monkeypatch.setattr(thinker, "answer", lambda _: SearchResult(choices, 1, 0.1))
    with begun(tmp_path, thinker) as table:
        table.asks(Hint())
        table.look(2)
        assert hints(table.page).failure is PlayerFailure.NO_MOVE


def test_a_hint_that_comes_too_late_is_not_shown_and_costs_nothing(
    tmp_path: Path, thinker: Thinker
) -> None:
    with begun(tmp_path, thinker) as table:
        thinker.ready = False
        table.asks(Hint())
        table.lay("orange", SECOND)
        thinker.ready = True
        assert table.state.piece_count == 1, "the piece lies there, and is being read"
        table.look(6)
        assert table.state.piece_count == 2
        assert hints(table.page) == HintAllowance((1, 1), 0)


def test_the_lights_wink_where_the_hint_is(tmp_path: Path, thinker: Thinker) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs, thinker) as table:
        table.lay("purple", FIRST)
        table.look(6)
        table.asks(Hint())
        before = len(bulbs.frames)
        table.look(12)
        row, column = hints(table.page).squares[0]
        led = row * 14 + column
        lit = [frame[3 * led : 3 * led + 3] for frame in bulbs.frames[before:]]
        assert any(blue > red for red, _, blue in lit), f"it glows in {HINT}"
        assert bytes(3) in lit, "and not all the time"


@pytest.mark.parametrize("place", LightPlace)
def test_no_picture_shows_watchers_a_hint_that_glows(
    tmp_path: Path, thinker: Thinker, place: LightPlace
) -> None:
    bulbs = FakeLedStrip(place)
    with house(tmp_path, DUO, bulbs, thinker) as table:
        table.lay("purple", FIRST)
        table.look(6)
        table.asks(Hint())
        table.look(1)
        row, column = hints(table.page).squares[0]
        led = row * 14 + column
        table.look(6)
        before = len(table.feed.pictures)
        for _ in range(20):
            table.look(1)
            # The times of exposure are unknown, so a short dark window is not long enough.
            assert len(table.feed.pictures) == before
        assert any(led in lit_in(frame) for frame in bulbs.frames[-20:])
        table.lay("orange", SECOND)
        table.look(12)
        assert len(table.feed.pictures) > before


def test_a_table_without_a_player_says_why_and_counts_nothing(
    tmp_path: Path, thinker: Thinker
) -> None:
    thinker.broken = PlayerFailure.NOT_INSTALLED
    with begun(tmp_path, thinker) as table:
        assert table.asks(Hint()) == [RefusalReason.NO_PLAYER]
        assert hints(table.page) == HintAllowance((1, 1), 1, failure=PlayerFailure.NOT_INSTALLED)
        thinker.broken, thinker.ready = None, False
        assert table.asks(Hint()) == [None]
        thinker.broken = PlayerFailure.ENDED
        table.look(2)
        assert hints(table.page).failure is PlayerFailure.ENDED
        assert table.state.hinted == ()


def test_where_no_hints_were_agreed_on_nobody_can_ask(tmp_path: Path, thinker: Thinker) -> None:
    with begun(tmp_path, thinker, replace(DUO, hints=0)) as table:
        assert table.page.private is not None
        assert table.page.private.hints is None
        assert table.asks(Hint()) == [RefusalReason.NOT_POSSIBLE]
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(1, held=True)
        table.look(2)
        assert thinker.asked == []


def test_the_real_player_gives_a_hint_that_the_rules_allow(tmp_path: Path) -> None:
    with house(tmp_path, DUO, None, lambda: EngineClient(memory_mb=16)) as table:
        assert table.asks(Hint()) == [None]
        for _ in range(START_S * 20):
            table.look(1)
            if table.state.hint is not None:
                break
            time.sleep(0.05)
        assert table.state.hint is not None
        assert table.state.hint.move in table.state.position.legal_moves
