"""The review as it is drawn: graphs, moments with the board before them, pieces left over."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import MoveReasonCode, PlayerFailure
from firmware.player.review_search import SearchTask
from firmware.player.search_result import SearchResult
from firmware.player.stored_review import build_review
from tests.support.reviewed_games import completed, random_course, searched
from tests.support.stored_games import store_game
from web.contract import MoveReasonEntry, Page
from web.contract.review import StoredReview
from web.game_archive import GameArchive, PastGame
from web.i18n.languages import LANGUAGES, wording_of
from web.presentation.review_view import review_of

NAME = "000001-duo"
LOSSES = {3: 0.2, 5: 0.4, 8: 0.3}


def reviewed(game: str = "duo") -> StoredReview:
    """Returns a review in which three moves cost much."""
    course = random_course(game)

    def search(task: SearchTask) -> SearchResult:
        loss = LOSSES.get(task.at, 0.0) if task.only else 0.0
        return searched(course, task, 0.5 - loss)

    return build_review(course, completed(course, search))


def stored_pages(folder: Path, game: str = "duo") -> tuple[Page, ...]:
    store_game(folder, NAME, random_course(game))
    past = GameArchive(folder).game(NAME)
    assert isinstance(past, PastGame)
    return past.pages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["duo", "classic-2", "duo-4-3", "classic"])
def test_every_game_is_drawn_in_every_language(tmp_path: Path, game: str, language: str) -> None:
    review, pages = reviewed(game), stored_pages(tmp_path, game)
    view = review_of(review, pages, wording_of(language))
    assert view.chances is not None
    assert len(view.chances.runs) == len(pages[-1].sides)
    assert len(view.mobility.runs) == len(pages[-1].colours)
    assert [one.number for one in view.moments] == [1, 2, 3]
    assert [pages[one.at].ply for one in view.moments] == [6, 9, 4]
    assert bool(view.note) == (len(pages[-1].sides) > 2)
    assert view.points
    left = sum(len(pieces) for colour in view.left for pieces, _ in colour.groups)
    assert left == len(review.lives)


def test_a_moment_shows_the_board_before_the_move(tmp_path: Path) -> None:
    moment = review_of(reviewed(), stored_pages(tmp_path), wording_of("en")).moments[0]
    assert len(moment.board.pieces) == 5
    assert moment.cost[0] == "This took the chance from 50 % to 10 %."
    assert moment.cost[1] == "The computer expects that it cost 8 points."
    assert "was better" in moment.answer[0]
    assert len(moment.in_hand) == 21 - 2


def test_what_is_proved_is_told(tmp_path: Path) -> None:
    review = reviewed()
    first = replace(review.moments[0], could_have_won=True)
    review = replace(review, moments=(first, *review.moments[1:]))
    moments = review_of(review, stored_pages(tmp_path), wording_of("en")).moments
    assert [len(one.answer) for one in moments] == [3, 2, 2]
    assert moments[0].answer[-1] == "Proved: orange could still have won with it."


def test_a_review_without_a_player_says_why(tmp_path: Path) -> None:
    failure = PlayerFailure.NO_MEMORY
    review = replace(build_review(random_course(), {}), failure=failure)
    view = review_of(review, stored_pages(tmp_path), wording_of("en"))
    assert view.chances is None
    assert "too little free memory" in view.failure
    assert not view.progress
    assert view.left


def test_a_review_that_goes_on_says_how_far_it_is(tmp_path: Path) -> None:
    course = random_course()
    results = completed(course, lambda task: searched(course, task, 0.5), most=8)
    review = build_review(course, results)
    view = review_of(review, stored_pages(tmp_path), wording_of("en"))
    assert view.progress == (
        f"The computer looks at the game: {review.searched} of {review.to_search} positions."
    )
    assert not view.moments
    assert not view.no_moments


def test_the_reasons_for_the_better_move_are_told(tmp_path: Path) -> None:
    review = reviewed()
    reason = MoveReasonEntry(MoveReasonCode.BLOCKS, 90, ((4, 5),))
    first = replace(review.moments[0], reasons=(reason,))
    review = replace(review, moments=(first, *review.moments[1:]))
    wording = wording_of("en")
    with_reason, without, _ = review_of(review, stored_pages(tmp_path), wording).moments
    assert "90" in with_reason.answer[1]
    assert without.answer[1] == wording.sentence(wording.say("no-reason"))
