"""The decision table of the design: board and light."""

import numpy as np
import pytest

from firmware.game.events import Event, LightChanged
from firmware.referee.referee import Phase
from tests.support.noisy_board import FIRST, SECOND, duo, names
from vision.errors import BoardFailure


def test_a_board_out_of_view_is_lost_and_found_again() -> None:
    match = duo(FIRST)
    events = [event for _ in range(4) for event in match.show(lost=BoardFailure.NO_BOARD)]
    assert names(events) == ["board-lost"]
    assert match.referee.phase is Phase.BOARD_LOST
    assert names(match.settle(3)) == ["board-found"]


def test_a_board_out_of_view_for_a_moment_is_not_lost() -> None:
    match = duo(FIRST)
    assert match.show(lost=BoardFailure.NO_BOARD) == []
    assert names(match.settle(3)) == []


def test_a_bump_is_reported_once_and_the_game_continues() -> None:
    match = duo(FIRST)
    match.table.lay("orange", SECOND)
    match.show(hand=True)
    match.table.corners = match.table.corners + np.array([5.8, -5.4])
    assert names(match.settle()) == ["board-moved", "move"]
    assert names(match.settle(5)) == []


def test_markers_hidden_by_a_hand_are_no_bump() -> None:
    match = duo(FIRST)
    match.table.corners = match.table.corners + 6.0
    match.show(hand=True)
    match.table.corners = match.table.corners - 6.0
    assert names(match.settle()) == []


def test_a_cloud_is_reported_once_though_it_takes_several_frames() -> None:
    match = duo(FIRST)
    found: list[Event] = []
    for brightness in (80.0, 55.0, 50.0, 50.0, 50.0):
        match.table.brightness = brightness
        found += match.show()
    assert names(found) == ["light-changed"]
    assert isinstance(found[0], LightChanged)
    assert found[0].factor == pytest.approx(80 / 120, abs=0.01)


def test_a_camera_that_gets_used_to_other_light_tells_of_no_second_change() -> None:
    match = duo(FIRST)
    found: list[Event] = []
    for brightness in (80.0, 80.0, 100.0, 110.0, 110.0):
        match.table.brightness = brightness
        found += match.show()
    assert names(found) == ["light-changed"]
    match.settle(10)
    match.table.brightness = 60.0
    assert names(match.show()) == ["light-changed"]


def test_a_day_that_fades_is_no_event() -> None:
    match = duo(FIRST)
    for _ in range(100):
        match.table.brightness *= 0.99
        assert match.show() == []
