"""A table whose frames take long to read: people, buttons and lights do not wait."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.game.events import MoveAccepted
from firmware.rules.variants import VARIANTS
from tests.support.fake_table import FakeTable
from tests.support.wall_clock import WALL_CLOCK
from web.contract import EndGame, GameKey, NewGame, Pause, Resume

DUO = GameConfig(VARIANTS["duo"])

ABOVE_NOISE_S = 0.5
"""Seconds that a step may take on a loaded machine; a reading in these tests takes far longer."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FakeTable]:
    with closing(FakeTable(tmp_path, DUO)) as table:
        table.table_factory.is_live = True
        yield table
        table.table_factory.eyes.may_read.set()


def hold(table: FakeTable) -> None:
    """Has the reading of the next frame take until it is released."""
    table.table_factory.eyes.may_read.clear()
    table.look(1)


def release(table: FakeTable) -> None:
    table.table_factory.eyes.may_read.set()
    table.look(2)


@WALL_CLOCK
def test_the_loop_turns_while_a_frame_is_read(table: FakeTable) -> None:
    hold(table)
    slowest = 0.0
    for _ in range(10):
        begun = time.perf_counter()
        table.look(1)
        slowest = max(slowest, time.perf_counter() - begun)
    assert slowest < ABOVE_NOISE_S


def test_frames_that_come_meanwhile_are_dropped(table: FakeTable) -> None:
    hold(table)
    taken = table.table_factory.camera.number
    table.look(10)
    assert table.table_factory.camera.number == taken
    release(table)
    assert table.table_factory.camera.number > taken


def test_a_recording_waits_for_each_frame(tmp_path: Path) -> None:
    with closing(FakeTable(tmp_path, DUO)) as table:
        taken = table.table_factory.camera.number
        table.look(10)
        assert table.table_factory.camera.number == taken + 10


def test_a_move_is_accepted_once_its_frame_was_read(table: FakeTable) -> None:
    table.reach()
    table.table_factory.board.lay("purple", "e10,f10,f9,g9,g8")
    hold(table)
    assert table.look(5) == []
    release(table)
    table.look(3)
    assert len([one for one in table.events if isinstance(one, MoveAccepted)]) == 1


def test_an_arbiter_is_answered_while_a_frame_is_read(table: FakeTable) -> None:
    hold(table)
    assert table.asks(Pause()) == [None]
    assert table.state.paused
    release(table)
    assert table.asks(Resume()) == [None]
    assert not table.state.paused


def test_buttons_are_asked_while_a_frame_is_read(table: FakeTable) -> None:
    hold(table)
    buttons = table.table_factory.buttons
    assert buttons is not None
    buttons.broken = "the wire is loose"
    table.look(1)
    assert not table.page.buttons


def test_a_reading_for_a_game_that_was_replaced_changes_nothing(table: FakeTable) -> None:
    table.lay("purple", "e10,f10,f9,g9,g8")
    old = table.table_factory.eyes
    table.table_factory.board.lay("orange", "j5,j6,j7,i5,h5")
    old.may_read.clear()
    table.look(1)
    assert table.asks(EndGame()) == [None]
    assert table.asks(NewGame(GameKey.DUO)) == [None]
    before = len(table.events)
    old.may_read.set()
    table.look(3)
    assert not any(isinstance(one, MoveAccepted) for one in table.events[before:])
    assert not table.state.piece_count


def test_an_error_of_the_reader_ends_the_loop(table: FakeTable) -> None:
    table.table_factory.eyes.error = ZeroDivisionError("a fault of the reader")
    with pytest.raises(ZeroDivisionError, match="a fault of the reader"):
        table.look(5)
    table.table_factory.eyes.error = None


def test_frames_of_a_game_are_numbered_without_gaps(table: FakeTable) -> None:
    hold(table)
    table.asks(Pause())
    table.asks(Resume())
    release(table)
    table.lay("purple", "e10,f10,f9,g9,g8")
    frames = [one.frame for one in table.events]
    assert frames == sorted(frames)
    assert frames[-1] <= table.controller.frames
