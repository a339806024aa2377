"""The players' clocks at a whole table; frames are half a second apart."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import EndReason, Timing, TurnEnd
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.events import MoveAccepted, Paused, TimedOut
from firmware.records.record import Record
from firmware.rules.variants import GAMES
from tests.support.fake_table import STEP_S, FakeTable, house
from tests.support.noisy_board import FIRST, SECOND, THIRD
from vision.camera import NoCamera
from vision.errors import BoardFailure
from web.contract import (
    EndGame,
    EndTurn,
    Pause,
    RefereeState,
    RefusalReason,
    Refuse,
    Resume,
    Undo,
)

MINUTE = GameConfig(GAMES["duo"], pace=TimeControl(Timing.SUDDEN_DEATH, 60.0))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FakeTable]:
    with house(tmp_path, MINUTE) as made:
        yield made


def left_s(table: FakeTable) -> tuple[float, ...]:
    return tuple(one.left_ms / 1000 for one in table.controller.session.clocks)


def running(table: FakeTable) -> list[bool]:
    return [one.running for one in table.controller.session.clocks]


def test_a_move_is_charged_to_the_first_clear_frame_that_shows_it(table: FakeTable) -> None:
    begun = table.table_factory.camera.now
    before = left_s(table)
    table.look(10)
    table.reach(4)
    seen = begun + 14 * STEP_S + STEP_S  # the frame after the last with a hand
    table.table_factory.board.lay("purple", FIRST)
    moves = [event for event in table.look(4) if isinstance(event, MoveAccepted)]
    assert moves[0].time > seen - STEP_S, "decided on later than seen; a game begins at 0"
    assert moves[0].left_s == (before[0] - (seen - begun), 60.0)
    assert running(table) == [False, True]
    assert left_s(table)[1] == 60.0 - (table.table_factory.camera.now - seen)


def test_time_stands_while_a_piece_is_refused_and_runs_when_it_is_taken_back(
    table: FakeTable,
) -> None:
    table.lay("purple", FIRST)
    table.lay("orange", "a1,b1")
    assert table.page.state.code is RefereeState.REFUSED
    stood = left_s(table)
    table.look(20)
    assert (left_s(table), running(table)) == (stood, [False, False])
    table.lift("a1,b1")
    table.look(2)
    assert running(table) == [False, True]
    assert left_s(table)[1] > stood[1] - 3


def test_time_stands_while_the_board_is_lost_and_while_it_is_paused(table: FakeTable) -> None:
    table.lay("purple", FIRST)
    table.table_factory.eyes.lost = BoardFailure.NO_BOARD
    table.look(12)
    stood = left_s(table)
    table.look(20)
    assert left_s(table) == stood
    table.table_factory.eyes.lost = None
    table.look(6)
    assert running(table) == [False, True]
    table.asks(Pause())
    stood = left_s(table)
    table.look(20)
    assert left_s(table) == stood
    table.asks(Resume())
    table.look(3)
    assert stood[1] - 4 * STEP_S <= left_s(table)[1] < stood[1], "the pause is not charged"


def test_time_without_pictures_is_not_charged(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay("purple", FIRST)
    table.look(4)
    stood = left_s(table)
    with monkeypatch.context() as patched:
        patched.setattr(
            table.table_factory.camera, "read", lambda: NoCamera("missing", "no camera")
        )
        table.look(3)
        assert running(table) == [False, False]
    table.table_factory.camera.now += 100
    table.look(6)
    assert running(table) == [False, True]
    assert stood[1] - 7 * STEP_S <= left_s(table)[1] <= stood[1]


def test_time_of_a_refused_piece_is_not_charged_when_a_person_decides(table: FakeTable) -> None:
    table.lay("purple", FIRST)
    table.lay("orange", "a1,b1")
    stood = left_s(table)
    table.look(60)
    assert table.asks(Refuse()) == [None]
    table.look(2)
    assert left_s(table)[0] >= stood[0] - 4 * STEP_S
    assert left_s(table)[1] >= stood[1] - 4 * STEP_S


def test_the_journal_has_the_time_at_which_a_pause_began(table: FakeTable) -> None:
    table.lay("purple", FIRST)
    table.look(20)
    table.asks(Pause())
    [paused] = [event for event in table.events if isinstance(event, Paused)]
    assert paused.left_s == left_s(table)


def test_who_runs_out_of_time_is_reported_once_and_plays_on(table: FakeTable) -> None:
    table.lay("purple", FIRST)
    table.look(130)
    table.look(10)
    out = [event for event in table.events if isinstance(event, TimedOut)]
    assert [event.colours for event in out] == [(1,)]
    assert [one.timed_out for one in table.page.clocks] == [False, True]
    table.lay("orange", SECOND)
    assert table.state.piece_count == 2, "the arbiter decides, not the clock"
    assert table.asks(EndGame(EndReason.TIME)) == [None]
    assert table.page.result is not None
    assert table.page.result.winner == (0,)


def test_a_piece_that_lay_there_in_time_is_in_time(tmp_path: Path) -> None:
    short = replace(MINUTE, pace=TimeControl(Timing.SUDDEN_DEATH, 10.0))
    with house(tmp_path, short) as table:
        while left_s(table)[0] > 3 * STEP_S:
            table.look(1)
        table.reach()
        table.table_factory.board.lay("purple", FIRST)
        table.look(4)
        assert not any(isinstance(event, TimedOut) for event in table.events)
        assert table.state.piece_count == 1


def test_an_undone_move_gives_the_turn_back_and_its_increment(tmp_path: Path) -> None:
    with house(tmp_path, replace(MINUTE, pace=TimeControl(Timing.INCREMENT, 60.0, 5.0))) as table:
        table.lay("purple", FIRST)
        with_increment = left_s(table)[0]
        table.asks(Undo())
        assert running(table) == [True, False]
        assert left_s(table)[0] <= with_increment - 5


def test_the_shared_colour_runs_for_whose_turn_it_is(tmp_path: Path) -> None:
    terms = GameConfig(GAMES["classic-3"], pace=TimeControl(Timing.SUDDEN_DEATH, 60.0))
    with house(tmp_path, terms) as table:
        rounds = (("blue", "a20"), ("yellow", "t20"), ("red", "t1"), ("green", "a1"))
        later = (("blue", "b19,b18"), ("yellow", "s19,s18"), ("red", "s2,s3"))
        for colour, squares in rounds:
            table.lay(colour, squares)
        assert running(table) == [True, False, False], "blue, after the first piece of green"
        for colour, squares in later:
            table.lay(colour, squares)
        assert table.page.turn == 3
        assert running(table) == [False, True, False], "the second person plays green now"


def test_with_buttons_a_turn_ends_when_its_player_says_so(tmp_path: Path) -> None:
    with house(tmp_path, replace(MINUTE, turn_end=TurnEnd.BUTTON)) as table:
        table.lay("purple", FIRST)
        table.look(6)
        assert table.state.piece_count == 0
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(1)
        table.look(3)
        assert table.state.piece_count == 0, "it is not the other's turn"
        table.table_factory.buttons.press(0)
        table.look(3)
        assert table.state.piece_count == 1
        table.lay("orange", SECOND)
        assert table.asks(EndTurn()) == [None]
        table.look(3)
        assert table.state.piece_count == 2


def test_without_buttons_there_is_nothing_to_press(table: FakeTable) -> None:
    assert table.asks(EndTurn()) == [RefusalReason.NOT_POSSIBLE]


def test_times_go_into_record_and_events_and_survive_a_restart(tmp_path: Path) -> None:
    with house(tmp_path, MINUTE) as table:
        for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
            table.lay(colour, move)
        recorded = [one.left_s for one in table.events if isinstance(one, MoveAccepted)]
        table.look(10)
    with house(tmp_path) as again:
        assert again.state.piece_count == 3
        assert recorded[-1] is not None
        assert left_s(again)[0] == recorded[-1][0]
        assert again.asks(EndGame(EndReason.ABANDONED)) == [None]
        name = again.page.name
    record = Record.read((tmp_path / "games" / name / "record.blksgf").read_bytes())
    assert record.root.text("TM") == "60"
    nodes = [node for node in record.root.main_line() if node.property("B")]
    assert [float(node.text("BL") or 0) for node in nodes] == [
        round(times[0], 1) for times in recorded[::2] if times
    ]
    assert record.result == "Void"


def test_a_page_is_not_published_again_for_every_second(table: FakeTable) -> None:
    table.lay("purple", FIRST)
    table.look(3)
    pages = len(table.feed.pages)
    table.look(20)
    assert len(table.feed.pages) == pages
