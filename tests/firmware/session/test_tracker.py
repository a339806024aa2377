"""Reader and referee together: what is said while no board is found."""

from dataclasses import replace

import numpy as np
import pytest

from firmware.game.events import Moment
from firmware.referee.referee import Phase
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS
from firmware.session.tracker import GameTracker
from tests.support.fake_table import FakeCamera, FakeReader
from tests.support.noisy_board import NoisyBoard
from vision.errors import BoardFailure

SEARCH_FRAMES = 6
"""Frames of the fake camera in the three seconds for which a board is searched."""


def test_a_game_that_has_just_begun_looks_for_its_board_before_it_says_why_there_is_none() -> None:
    eyes, camera = FakeReader(NoisyBoard()), FakeCamera()
    tracker = GameTracker(eyes, Position.start("duo"), EDITIONS["purple-orange"])
    eyes.lost = BoardFailure.COVERED
    reasons = []
    for _ in range(SEARCH_FRAMES + 1):
        reasons.append(tracker.failure)
        tracker.see(camera.read())
    assert tracker.referee.phase is Phase.BOARD_LOST
    assert [*reasons, tracker.failure] == [None] * (SEARCH_FRAMES + 1) + [BoardFailure.COVERED]


def test_a_board_that_was_found_and_is_lost_has_its_reason_at_once() -> None:
    eyes, camera = FakeReader(NoisyBoard()), FakeCamera()
    tracker = GameTracker(eyes, Position.start("duo"), EDITIONS["purple-orange"])
    tracker.see(camera.read())
    assert tracker.failure is None
    eyes.lost = BoardFailure.TOO_DARK
    while tracker.referee.phase is not Phase.BOARD_LOST:
        tracker.see(camera.read())
    assert tracker.failure is BoardFailure.TOO_DARK


@pytest.mark.parametrize("sides", [[], [2], [0, 1, 2, 3]])
def test_a_board_whose_rim_is_outside_the_picture_is_named_once(
    sides: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    tracker = GameTracker(FakeReader(NoisyBoard()), Position.start("duo"), None)
    beyond = np.zeros((4, 14), np.float32)
    beyond[sides] = -np.inf
    beyond[1, :13] = -np.inf
    for number in range(1, 4):
        reading = replace(NoisyBoard().reading(), beyond=beyond)
        tracker.judge(tracker.accept(reading), Moment(number, number / 2))
    assert caplog.text.count("the picture ends at the border of the board") == bool(sides)


@pytest.mark.parametrize(
    ("edition", "failure"),
    [
        ("purple-orange", BoardFailure.NO_COLOURS),
        ("black-white", None),
        (None, BoardFailure.NO_COLOURS),
    ],
)
def test_a_picture_without_colours_is_judged_only_where_black_and_white_is_certain(
    edition: str | None, failure: BoardFailure | None
) -> None:
    board = NoisyBoard()
    known = EDITIONS[edition] if edition else None
    tracker = GameTracker(FakeReader(board), Position.start("duo"), known)
    palette = known or EDITIONS["black-white"]
    grey = replace(board.reading(), palette=palette, has_colours=False)
    for number in range(1, 12):
        tracker.judge(tracker.accept(grey), Moment(number, number / 2))
    assert tracker.failure is failure
