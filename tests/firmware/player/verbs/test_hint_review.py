"""`cornerlight hint --review`: with a made-up player, with the real one, and without any."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.codes import PlayerFailure
from firmware.commands.main import main
from firmware.errors import PlayerError
from firmware.player import review_search
from firmware.player.review_search import SearchTask
from firmware.player.search_result import SearchResult
from firmware.player.verbs import hint_review
from firmware.records.course import Course
from firmware.rules.pieces import PIECES
from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.random_games import overruled_game, random_game
from tests.support.reviewed_games import searched
from web.contract.review import PieceLifeEntry

EVENING = ROOT / "tests/records/club-evening.blksgf"

Review = Callable[..., list[dict[str, Any]]]


class NoEngine:
    """A player that cannot run."""

    def __init__(self, **_: object) -> None:
        message = "the player needs numba; install it with: pip install numba"
        raise PlayerError(PlayerFailure.NOT_INSTALLED, message)


class MadeUpLink:
    """A player that is never asked: its answers are made up."""

    def __init__(self, **_: object) -> None:
        pass

    def close(self) -> None:
        pass


def made_up(_: object, course: Course, task: SearchTask, *__: object) -> SearchResult:
    loss = 0.3 if task.at == 4 and task.only else 0.0
    return searched(course, task, 0.5 - loss)


@pytest.fixture
def reviewed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Review:
    def run_review(path: Path, link: type = MadeUpLink) -> list[dict[str, Any]]:
        monkeypatch.setattr(hint_review, "EngineClient", link)
        monkeypatch.setattr(hint_review, "_answer", made_up)
        assert main(["hint", str(path), "--review", "--json"]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_review


@pytest.mark.parametrize("game", GAMES)
def test_one_line_a_move_then_a_summary(reviewed: Review, tmp_path: Path, game: str) -> None:
    record, final = random_game(game, 3)
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    *moves, summary = reviewed(path)
    assert [one["ply"] for one in moves] == list(range(1, len(moves) + 1))
    fifth = moves[4]
    assert fifth["value"] == {"before": 0.5, "after": pytest.approx(0.2)}
    assert fifth["loss"] == pytest.approx(0.3)
    assert fifth["stands"]
    assert fifth["better"]["cells"] in fifth["accepted"]
    assert moves[5]["better"] is None or moves[5]["loss"] == 0
    assert summary["moments"] == [5]
    assert summary["complete"]
    assert summary["finished"]
    assert len(summary["left"]) == final.count_in_hand


def test_without_the_player_the_rules_are_printed_and_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hint_review, "EngineClient", NoEngine)
    assert main(["hint", str(EVENING), "--review"]) == 0
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line == (
        "the review has no chances: the player needs numba; install it with: pip install numba"
    )
    left = [line for line in printed.out.splitlines() if " left: " in line]
    ends = [(line.split()[0], line.split(": ")[1]) for line in left]
    assert len(set(ends)) == len(ends), "one line for each colour and ply"
    assert "their last places vanished with move" in printed.out


def test_pieces_left_over_share_a_line_if_the_same_move_took_their_places() -> None:
    ends = [(24, None), (24, 1), (24, 1), (None, None)]
    lives = [PieceLifeEntry(0, PIECES[k].name, ply, by) for k, (ply, by) in enumerate(ends)]
    lines = list(hint_review.left_over(lives, ("purple", "orange")))
    assert lines == [
        f"purple has {PIECES[0].name} left: its last place vanished with move 24",
        (
            f"purple has {PIECES[1].name}, {PIECES[2].name} left: "
            "their last places vanished with move 24 of orange"
        ),
        f"purple has {PIECES[3].name} left: it still has a place",
    ]


def test_an_unfinished_and_an_overruled_game(reviewed: Review, tmp_path: Path) -> None:
    path = tmp_path / "game.blksgf"
    path.write_text("(;GM[Blokus Duo];B[e10];W[a1,a2]CLOVERRULED[misses-start];B[f11,f12])")
    first, second, _, summary = reviewed(path)
    assert first["legal"]
    assert not second["legal"]
    assert second["value"] is None
    assert not summary["finished"]
    assert {one["last_place_lost_at_ply"] for one in summary["left"]} >= {None}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_broke_off_after_overruled_moves(
    reviewed: Review, tmp_path: Path, game: str
) -> None:
    record, final = overruled_game(game, 1, 18)
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    *moves, summary = reviewed(path)
    assert len(moves) == 18
    assert sum(not one["legal"] for one in moves) >= 4
    assert all(one["legal"] == (one["value"] is not None) for one in moves)
    assert summary["complete"]
    assert not summary["finished"]
    assert len(summary["left"]) == final.count_in_hand


def test_an_empty_record_has_a_summary_alone(reviewed: Review, tmp_path: Path) -> None:
    path = tmp_path / "game.blksgf"
    path.write_text("(;GM[Blokus Duo])")
    (summary,) = reviewed(path)
    assert summary["moments"] == []


def test_a_puzzle_has_no_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "begun.blksgf"
    path.write_text("(;GM[Blokus]CLGAME[puzzle-all-by-size])")
    assert main(["hint", str(path), "--review"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("other", [["--seconds", "3"], ["--level", "3"]])
def test_it_searches_as_much_as_it_needs(
    other: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["hint", str(EVENING), "--review", *other])
    assert ended.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


@pytest.mark.slow
def test_the_real_player_reviews_a_real_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_search, "SIMULATIONS", 300)
    assert main(["hint", str(EVENING), "--review"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "points lost a move" in printed.out
