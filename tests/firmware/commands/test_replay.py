"""`cornerlight replay`: the lines of the contract, the winner, and the exit status."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware.codes import Rule, Scoring
from firmware.commands.main import main
from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.engine_games import DATA
from tests.support.random_games import random_game
from tests.support.solved_puzzles import TETROMINOES, moves_of

CLUB_EVENING = ROOT / "tests" / "records" / "club-evening.blksgf"


def lines(
    capsys: pytest.CaptureFixture[str], record: Path, *words: str, status: int = 0
) -> list[dict[str, Any]]:
    assert main(["replay", "--json", *words, str(record)]) == status
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def saved(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.blksgf"
    path.write_text(text)
    return path


def test_each_placement_pass_and_the_summary_have_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = lines(capsys, DATA / "duo_pentobi_game10.blksgf")
    assert found[0] == {
        "ply": 1, "color": "purple", "piece": "X", "cells": ["e8", "d9", "e9", "f9", "e10"],
        "legal": True, "legal_moves": 828,
    }  # fmt: skip
    assert [row for row in found if row.get("event") == "pass"] == [
        {"event": "pass", "color": "purple", "after_ply": 32},
        {"event": "pass", "color": "orange", "after_ply": 32},
    ]
    summary = found[-1]
    assert summary["event"] == "summary"
    assert summary["game"] == "duo"
    assert summary["finished"] is True
    assert summary["placed"] == {"purple": 67, "orange": 66}
    assert summary["basic"] == {"purple": 22, "orange": 23}
    assert summary["score"] == {"purple": -22, "orange": -23}
    assert summary["players"] == [
        {"colors": ["purple"], "basic": 22, "score": -22},
        {"colors": ["orange"], "basic": 23, "score": -23},
    ]
    assert (summary["winner"], summary["tied"]) == (["purple"], [])
    assert summary["basic_winner"] == ["purple"]


def test_the_example_of_the_readme_is_a_legal_game_with_a_refusal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = lines(capsys, CLUB_EVENING)
    refused = [row for row in found if row.get("event") == "illegal"]
    assert refused == [
        {
            "event": "illegal",
            "after_ply": 5,
            "color": "orange",
            "cells": ["h3", "g4", "h4", "i4", "j4"],
            "reasons": [{"rule": "touches-own-side", "squares": ["j4"], "against": ["j5"]}],
        }
    ]
    assert found[-1]["winner"] == ["purple"]
    assert found[-1]["result"] == "B+6"


def test_an_illegal_move_has_its_reasons_and_exit_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = saved(tmp_path, "(;GM[Blokus Duo];B[a1];W[j5,j99];B[e10,e9,e8,e7,e6,e5])")
    rows = lines(capsys, record, status=1)
    assert [row["legal"] for row in rows[:3]] == [False] * 3
    assert rows[0]["reasons"] == [
        {"rule": "misses-start", "squares": ["a1"], "against": ["j5", "e10"]}
    ]
    assert rows[0]["overruled"] is False
    assert rows[1]["cells"] == ["j5", "j99"]
    assert rows[1]["reasons"] == [{"rule": "off-board", "squares": ["j99"], "against": []}]
    assert rows[2]["piece"] is None
    assert "not-a-piece" in {reason["rule"] for reason in rows[2]["reasons"]}
    assert rows[-1]["winner"] is None
    assert rows[-1]["finished"] is False


def solved(tmp_path: Path) -> Path:
    """The record of a solved puzzle: a piece was lifted, and one refused."""
    record = Record.new(TETROMINOES.game)
    (colour, first), *others = moves_of(TETROMINOES)
    record.play(first, colour)
    record.lift(first)
    record.attempt(first.board.parse_squares("h1,i1,j1,k1"), 2)
    for other, move in (*others, (colour, first)):
        record.play(move, other)
    record.time(83.21)
    record.finish("Solved")
    path = tmp_path / "puzzle.blksgf"
    path.write_bytes(record.write())
    return path


def test_a_puzzle_is_finished_without_a_winner_and_a_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = solved(tmp_path)
    found = lines(capsys, path)
    assert [row["event"] for row in found if "ply" not in row] == ["undone", "illegal", "summary"]
    assert found[1] == {
        "event": "undone", "after_ply": 1, "color": "blue", "piece": "Z4",
        "cells": ["b8", "a9", "b9", "a10"],
    }  # fmt: skip
    assert found[2]["reasons"][0]["rule"] == "outside-field"
    assert [row["ply"] for row in found if "ply" in row] == list(range(1, 22))
    assert found[-1] == {
        "event": "summary", "game": "puzzle-tetrominoes", "puzzle": "tetrominoes",
        "finished": True, "left": 0, "seconds": 83.2, "result": "Solved",
    }  # fmt: skip
    text = as_text(capsys, path).splitlines()
    assert text[-1] == "the puzzle is solved in 83.2 s"
    assert text[1] == "     blue   b8,a9,b9,a10: lifted"


def test_a_begun_puzzle_names_the_pieces_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = saved(tmp_path, "(;GM[Blokus]CLGAME[puzzle-pentominoes];2[a1,a2,a3,a4,a5])")
    summary = lines(capsys, record)[-1]
    assert (summary["finished"], summary["left"], summary["seconds"]) == (False, 47, None)
    assert as_text(capsys, record).endswith("not solved: 47 pieces are left\n")


def test_a_lifting_that_breaks_a_rule_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = saved(
        tmp_path,
        "(;GM[Blokus]CLGAME[puzzle-all];1[a20,b20,c20,d20,e20];1[f19,g19,h19,i19];1[j18,j17]"
        ";AE[f19,g19,h19,i19]CLUNDONE[lifted])",
    )
    undone = lines(capsys, record, status=1)[-2]
    assert undone["problems"] == [
        {"color": "blue", "rule": "no-own-corner", "squares": ["j17", "j18"], "against": []}
    ]


def test_a_puzzle_with_a_scoring_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "--scoring", "basic", str(solved(tmp_path))]) == 2
    assert "a puzzle has no score; leave out --scoring" in capsys.readouterr().err


def test_an_overruled_move_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record.new(GAMES["duo"], edition=("white", "black"))
    record.play(Move.parse("a1", 14), 0, overruled=[Rule.MISSES_START])
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    (row, summary) = lines(capsys, path)
    assert (row["color"], row["legal"], row["overruled"]) == ("white", False, True)
    assert list(summary["score"]) == ["white", "black"]


def test_a_set_position_has_a_line_with_its_problems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = saved(tmp_path, "(;GM[Blokus Duo]AB[e10][a1]AW[j5]PL[W];W[k4,k3])")
    setting, ply, _ = lines(capsys, record)
    assert setting["event"] == "set-up"
    assert setting["to_move"] == "orange"
    assert setting["cells"][13] == "P............."
    assert {problem["rule"] for problem in setting["problems"]} == {
        "no-own-corner",
        "piece-used",
    }
    assert (ply["piece"], ply["legal"]) == ("2", True)


def by_hand(record: Record, rows: list[str]) -> dict[str, Any]:
    """Computes the summary from the drawn board, for games in which nobody places all pieces."""
    text = "".join(rows)
    remaining = {
        name: 89 - text.count(letter)
        for name, letter in zip(record.edition, record.letters, strict=True)
    }
    sides = [[record.edition[colour] for colour in side] for side in record.game.sides]
    totals = [sum(remaining[name] for name in side) for side in sides]
    best = [side for side, total in zip(sides, totals, strict=True) if total == min(totals)]
    shared = record.game.shared
    return {
        "placed": {name: 89 - squares for name, squares in remaining.items()},
        "basic": remaining,
        "score": {
            name: None if colour == shared else -remaining[name]
            for colour, name in enumerate(record.edition)
        },
        "players": [
            {"colors": side, "basic": total, "score": -total}
            for side, total in zip(sides, totals, strict=True)
        ],
        "winner": best[0] if len(best) == 1 else None,
        "basic_winner": best[0] if len(best) == 1 else None,
        "tied": [name for side in best for name in side] if len(best) > 1 else [],
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_whole_games_are_scored_as_counted_by_hand(
    game: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, final = random_game(game, seed)
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    found = lines(capsys, path)
    summary = found[-1]
    assert summary["game"] == game
    assert summary["finished"] is True
    assert all(row["legal"] for row in found if "ply" in row)
    assert {row["color"] for row in found if row.get("event") == "pass"} == set(record.edition)
    expected = by_hand(record, final.rows("".join(record.letters)))
    assert {key: summary[key] for key in expected} == expected


def test_equal_sides_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ties = 0
    for seed in range(60):
        record, final = random_game("duo", seed)
        if final.squares(0).bit_count() != final.squares(1).bit_count():
            continue
        path = tmp_path / "game.blksgf"
        path.write_bytes(record.write())
        summary = lines(capsys, path)[-1]
        assert (summary["winner"], summary["tied"]) == (None, ["purple", "orange"])
        assert "purple, orange are equal" in as_text(capsys, path)
        ties += 1
    assert ties


def as_text(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    assert main(["replay", str(path)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("game", ["classic-3", "duo-4-3"])
def test_a_shared_colour_has_no_score(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.blksgf"
    path.write_bytes(Record.new(GAMES[game].sharing(1)).write())
    summary = lines(capsys, path)[-1]
    assert summary["score"]["yellow"] is None
    assert summary["score"]["green"] == -89
    assert [player["colors"] for player in summary["players"]] == [["blue"], ["red"], ["green"]]


def test_the_record_can_choose_the_scoring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.blksgf"
    path.write_bytes(Record.new(GAMES["duo"], scoring=Scoring.BASIC).write())
    assert lines(capsys, path)[-1]["scoring"] == "basic"
    assert lines(capsys, path, "--scoring", "advanced")[-1]["scoring"] == "advanced"


def test_as_text_the_verdict_and_the_result_are_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = as_text(capsys, CLUB_EVENING)
    assert "a b c d" not in out
    assert main(["replay", "--board", str(CLUB_EVENING)]) == 0
    out = capsys.readouterr().out
    assert "refused, touches-own-side at j4 against j5; taken back" in out
    assert "purple wins by the advanced scoring" in out
    assert "10 . . . . P*. . . . . . . . . \n" in out
    assert "   a b c d e f g h i j k l m n\n" in out
    assert "\x1b" not in out
