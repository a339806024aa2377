"""The pages of a review: what they show, attempts at a moment, and files that cannot be read."""

from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support import example_pages
from tests.support.reviewed_games import random_course
from tests.support.stored_games import store_game
from tests.web.presentation.test_review_view import NAME, reviewed
from web.app import create_app
from web.contract.game_folder import REVIEW
from web.contract.review import StoredReview
from web.table_client import TableClient

AT = f"/games/{NAME}/review"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store_game(tmp_path, NAME, random_course())
    return tmp_path


@pytest.fixture
def review(folder: Path) -> StoredReview:
    found = reviewed()
    (folder / NAME / REVIEW).write_text(found.to_json())
    return found


@pytest.fixture
def client(folder: Path) -> FlaskClient:
    with closing(TableClient(Path("/nowhere"))) as link:  # past games need no table
        return create_app(link, games=folder).test_client()


def names(squares: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{chr(97 + column)}{14 - row}" for row, column in squares)


def test_the_review_shows_graphs_moments_and_pieces(
    client: FlaskClient, review: StoredReview
) -> None:
    text = client.get(AT).text
    assert text.count('class="course"') == 2
    assert text.count('id="moment-') == 3
    assert "Pieces left over" in text
    assert 'http-equiv="refresh"' not in text
    assert len(review.lives) <= text.count("<svg viewBox")


def test_a_past_game_and_the_end_of_a_game_lead_to_it(client: FlaskClient) -> None:
    assert f'href="{AT}"' in client.get(f"/games/{NAME}").text


def test_a_game_without_a_review_says_so(client: FlaskClient) -> None:
    assert "This game has no review yet." in client.get(AT).text
    assert client.get(f"{AT}/1").status_code == 404


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b'{"version": 99}', b"\xff", b"[" * 99_999])
def test_a_review_that_cannot_be_read_is_as_none(
    client: FlaskClient, folder: Path, damage: bytes
) -> None:
    (folder / NAME / REVIEW).write_bytes(damage)
    assert "This game has no review yet." in client.get(AT).text


def test_a_right_move_is_right_and_shows_the_answer(
    client: FlaskClient, review: StoredReview
) -> None:
    (accepted,) = review.moments[0].accepted
    text = client.get(f"{AT}/1?pieces={names(accepted)}").text
    assert "as good as the best one" in text
    assert "was better" in text


def test_a_wrong_move_is_wrong_and_shows_no_answer(
    client: FlaskClient, review: StoredReview
) -> None:
    played = review.moves[review.moments[0].at].squares
    text = client.get(f"{AT}/1?pieces={names(played)}").text
    assert "not one of the best moves" in text
    assert "was better" not in text
    assert names(played) in text, "it can be changed"


@pytest.mark.parametrize("text", ["nonsense", "z99", "e10 e10 e10", "<script>", "P", "é1", "a" * 9])
def test_what_is_no_move_is_not_right(client: FlaskClient, review: StoredReview, text: str) -> None:
    answer = client.get(f"{AT}/1", query_string={"pieces": text})
    assert answer.status_code == 200
    assert "as good as the best one" not in answer.text
    assert "<script>a" not in answer.text


def test_the_better_move_is_shown_on_demand(client: FlaskClient, review: StoredReview) -> None:
    assert "was better" not in client.get(f"{AT}/1").text
    assert "was better" in client.get(f"{AT}/1?show").text
    assert client.get(f"{AT}/4").status_code == 404


def test_there_is_none_of_a_game_that_does_not_exist(client: FlaskClient) -> None:
    assert client.get("/games/000099-duo/review").status_code == 404
    assert client.get("/games/..%2f..%2fetc/review").status_code == 404


def test_a_puzzle_has_no_review(folder: Path, client: FlaskClient) -> None:
    game = folder / "000002-puzzle-tetrominoes"
    game.mkdir()
    (game / "pages.jsonl").write_text(example_pages.puzzle_solved().to_json() + "\n")
    assert client.get(f"/games/{game.name}/review").status_code == 404
    assert "/review" not in client.get(f"/games/{game.name}").text
