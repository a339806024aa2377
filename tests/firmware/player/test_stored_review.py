"""The file of a review: written, read again, and computed anew if it cannot be read."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import MoveReasonCode, PlayerFailure
from firmware.game.reasons import Reason
from firmware.player.review_search import SearchTask
from firmware.player.search_result import SearchResult
from firmware.player.stored_review import OpenReview, build_review, open_review, write_review
from tests.support.random_games import random_game
from tests.support.reviewed_games import completed, searched
from web.contract import MoveReasonEntry
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


def test_a_complete_review_is_not_computed_again(opened: OpenReview) -> None:
    write_review(with_searches(opened, 500))
    assert open_review(opened.folder) is None


def test_a_review_that_is_not_complete_begins_anew(opened: OpenReview) -> None:
    write_review(with_searches(opened, 7))
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_review_with_the_searches_of_an_earlier_program_is_read(opened: OpenReview) -> None:
    write_review(with_searches(opened, 500))
    path = opened.folder / REVIEW
    table = json.loads(path.read_bytes())
    path.write_text(json.dumps(table | {"searches": [{"at": 0}]}))
    assert StoredReview.from_json(path.read_bytes()).complete


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
    write_review(with_searches(opened, 500))
    path = opened.folder / REVIEW
    path.write_bytes(path.read_bytes()[:-30])
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_review_of_other_moves_is_computed_anew(opened: OpenReview) -> None:
    write_review(with_searches(opened, 500))
    (opened.folder / RECORD).write_bytes(random_game("duo", 2)[0].write())
    again = open_review(opened.folder)
    assert again is not None
    assert not again.results


def test_a_puzzle_has_no_review(tmp_path: Path) -> None:
    (tmp_path / RECORD).write_text("(;GM[Blokus]CLGAME[puzzle-all-by-size])")
    assert open_review(tmp_path) is None


def test_the_better_move_has_its_reasons(opened: OpenReview) -> None:
    course, reasons = opened.course, (Reason(MoveReasonCode.BLOCKS, 90, ("k9", "l8")),)

    def search(task: SearchTask) -> SearchResult:
        found = searched(course, task, 0.2 if task.only else 0.5)
        choice = replace(found.choices[0], reasons=() if task.only else reasons)
        return replace(found, choices=(choice,))

    moments = build_review(course, completed(course, search)).moments
    assert {one.reasons for one in moments} == {
        (MoveReasonEntry(MoveReasonCode.BLOCKS, 90, ((5, 10), (6, 11))),)
    }
