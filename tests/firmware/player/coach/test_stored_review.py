"""The file of a review: written, read again, and computed anew if it cannot be read."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import MoveReasonCode, PlayerFailure
from firmware.game.reasons import Reason
from firmware.player.coach.stored_review import OpenReview, open_review, write_review
from tests.support.random_games import random_game
from tests.support.reviewed_games import completed, searched
from web.contract.game_folder import RECORD, REVIEW
from web.contract.review import StoredReview


@pytest.fixture
def opened(tmp_path: Path) -> OpenReview:
    (tmp_path / RECORD).write_bytes(random_game("duo", 1)[0].write())
    found = open_review(tmp_path)
    assert found is not None
    return found


def with_searches(one: OpenReview, count: int) -> OpenReview:
    results = completed(one.course, lambda task: searched(one.course, task, 0.5), most=count)
    return replace(one, results=results)


def test_the_searches_come_back(opened: OpenReview) -> None:
    first = with_searches(opened, 7)
    write_review(first)
    again = open_review(opened.folder)
    assert again is not None
    assert again.results == first.results
    assert any(task.only for task in again.results)


def test_the_reason_for_missing_chances_is_stored(opened: OpenReview) -> None:
    write_review(opened, PlayerFailure.NO_MEMORY)
    stored = StoredReview.from_json((opened.folder / REVIEW).read_bytes())
    assert stored.failure is PlayerFailure.NO_MEMORY
    assert stored.searched == 0
    assert stored.lives


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"[]",
        b"{",
        b'{"version": 0}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_a_file_that_cannot_be_read_is_computed_anew(opened: OpenReview, damage: bytes) -> None:
    (opened.folder / REVIEW).write_bytes(damage)
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_file_that_was_cut_short_is_computed_anew(opened: OpenReview) -> None:
    write_review(with_searches(opened, 4))
    path = opened.folder / REVIEW
    path.write_bytes(path.read_bytes()[:-30])
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_review_of_other_moves_is_computed_anew(opened: OpenReview) -> None:
    write_review(with_searches(opened, 4))
    (opened.folder / RECORD).write_bytes(random_game("duo", 2)[0].write())
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_puzzle_has_no_review(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text("(;GM[Blokus]CLGAME[puzzle-all-by-size])")
    assert open_review(tmp_path) is None


def test_the_reasons_come_back(opened: OpenReview) -> None:
    one = with_searches(opened, 1)
    ((task, outcome),) = one.results.items()
    reasons = (
        Reason(MoveReasonCode.BLOCKS, 90, ("k9", "l8")),
        Reason(MoveReasonCode.PROVEN, -3, ()),
    )
    choice = replace(outcome.choices[0], reasons=reasons)
    one = replace(one, results={task: replace(outcome, choices=(choice,))})
    write_review(one)
    again = open_review(one.folder)
    assert again is not None
    assert again.results == one.results
