"""A board counts as cleared when it was really seen empty, and tidying up undoes no move."""

import numpy as np
import pytest

from firmware.rules.board import Move
from firmware.session.cleared_board import EmptyBoardWatch, TidyingUp
from tests.support.noisy_board import FIRST, SECOND, NoisyBoard
from vision.errors import BoardFailure

STEP_S = 0.5


def cleared_at(watch: EmptyBoardWatch, board: NoisyBoard, *, seconds: float = 10.0) -> float | None:
    """Returns the seconds after which a board counts as cleared; None if it does not."""
    for step in range(int(seconds / STEP_S)):
        if watch.see(board.reading(), step * STEP_S):
            return step * STEP_S
    return None


def test_an_empty_board_is_cleared_after_some_seconds() -> None:
    assert cleared_at(EmptyBoardWatch(), NoisyBoard()) == 3.0


def test_a_single_square_that_remains_prevents_it() -> None:
    board = NoisyBoard()
    board.lay("orange", "a1")
    assert cleared_at(EmptyBoardWatch(), board) is None


def test_a_square_in_doubt_prevents_it() -> None:
    board = NoisyBoard()
    board.blur("c3", purple=0.8, orange=-5.0)
    assert cleared_at(EmptyBoardWatch(), board) is None


@pytest.mark.parametrize("kind", ["hand", "blurred", "lost"])
def test_time_begins_anew_after_a_frame_that_does_not_show_the_board(kind: str) -> None:
    watch, board = EmptyBoardWatch(), NoisyBoard()
    for step in range(6):
        assert not watch.see(board.reading(), step * STEP_S)
    reading = (
        BoardFailure.NO_BOARD
        if kind == "lost"
        else board.reading(hand=kind == "hand", blurred=kind == "blurred")
    )
    assert not watch.see(reading, 3.0)
    assert not watch.see(board.reading(), 3.5)
    assert [watch.see(board.reading(), at) for at in (5.0, 6.0, 6.5)] == [False, False, True]


def test_a_gap_between_frames_is_no_time_in_which_the_board_was_seen() -> None:
    watch, board = EmptyBoardWatch(), NoisyBoard()
    assert not any(watch.see(board.reading(), at) for at in (0.0, 10.0, 20.0, 30.0, 40.0))


def test_squares_under_lights_have_to_be_seen_in_the_dark() -> None:
    watch, board = EmptyBoardWatch(), NoisyBoard()
    lit = frozenset({0, 1, 2})
    board.covered = set(lit)
    for step in range(20):
        assert not watch.see(board.reading(), step * STEP_S, lit)
    assert watch.wants_dark
    board.covered = set()
    assert watch.see(board.reading(), 10.0)
    board.covered = set(lit)
    assert watch.see(board.reading(), 10.5, lit), "they were seen"


def test_glare_may_hide_a_few_squares_but_not_many() -> None:
    board = NoisyBoard()
    board.covered = set(range(10))
    assert cleared_at(EmptyBoardWatch(), board) == 3.0
    board.covered = set(range(60))
    assert cleared_at(EmptyBoardWatch(), board) is None


def test_pieces_that_were_there_are_told_from_a_hand() -> None:
    watch, board = EmptyBoardWatch(), NoisyBoard()
    board.lay("purple", FIRST)
    watch.see(board.reading(), 0.0)
    assert watch.sees_pieces
    watch.see(board.reading(hand=True), 0.5)
    assert watch.sees_pieces, "nothing is known of what lies under a hand"


FIRST_MOVE, LAST_MOVE = Move.parse(FIRST, 14), Move.parse(SECOND, 14)


@pytest.mark.parametrize(
    ("lifted", "seconds", "tidied"),
    [
        ([], 0.0, False),
        ([LAST_MOVE], 0.0, True),
        ([LAST_MOVE], 9.0, True),
        ([LAST_MOVE], 10.0, False),
        ([FIRST_MOVE], 60.0, True),
        ([FIRST_MOVE, LAST_MOVE], 60.0, True),
    ],
)
def test_only_the_last_piece_lifted_alone_for_long_is_a_move_taken_back(
    lifted: list[Move],
    seconds: float,
    tidied: bool,  # noqa: FBT001
) -> None:
    tidying = TidyingUp()
    tidying.is_going_on(lifted, LAST_MOVE, 0.0)
    assert tidying.is_going_on(lifted, LAST_MOVE, seconds) is tidied


def test_what_is_seen_is_kept_by_square() -> None:
    watch, board = EmptyBoardWatch(), NoisyBoard()
    board.covered = {5}
    watch.see(board.reading(), 0.0)
    assert np.flatnonzero(~watch.seen).tolist() == [5]
