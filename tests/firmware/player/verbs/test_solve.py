"""`cornerlight solve`, with boards that it examines and boards that it refuses."""

import json
from pathlib import Path

import pytest

from firmware.commands.main import main
from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import VARIANTS
from firmware.simulator.move_choice import solved

SOLVED = [
    (colour, str(move))
    for colour, laid in enumerate(solved(VARIANTS["puzzle-tetrominoes"]).laid)
    for move in laid
]


def written(path: Path, key: str, moves: list[tuple[int, str]]) -> Path:
    record = Record.new(VARIANTS[key])
    for colour, text in moves:
        record.play(Move.parse(text, 20), colour)
    path.write_bytes(record.write())
    return path


@pytest.mark.slow
def test_a_begun_record_is_solved_and_keeps_its_pieces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "begun.blksgf", "puzzle-tetrominoes", [(2, "a1,a2,a3,b3")])
    assert main(["solve", "tetrominoes", "--from", str(path), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["puzzle"], row["answer"], len(row["moves"])) == ("tetrominoes", "solvable", 20)
    assert row["moves"][0] == {"color": "red", "piece": "L4", "cells": ["a1", "a2", "a3", "b3"]}
    position = Position.start("puzzle-tetrominoes")
    colours = ("blue", "yellow", "red", "green")
    for one in row["moves"]:
        move = Move.parse(",".join(one["cells"]), 20)
        position = position.play(move, colours.index(one["color"]))
    assert position.is_over


@pytest.mark.slow
def test_of_an_impossible_board_the_culprit_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moves = [(0, "b1,b2,b3,c1"), (1, "a3,a4,b4,b5")]
    path = written(tmp_path / "spoilt.blksgf", "puzzle-tetrominoes", moves)
    assert main(["solve", "tetrominoes", "--from", str(path), "--json"]) == 1
    row = json.loads(capsys.readouterr().out)
    assert row["answer"] == "impossible"
    assert row["culprit"]["color"] == "yellow"


@pytest.mark.parametrize(
    ("key", "moves", "sentence"),
    [
        ("classic", [], "this is a record of Classic, not of tetrominoes"),
        ("puzzle-tetrominoes", [(0, "h1,i1,j1,k1")], "breaks a rule (outside-field); lift it"),
        ("puzzle-tetrominoes", SOLVED, "the puzzle is solved already; give a begun board"),
    ],
)
def test_a_board_that_cannot_be_examined_is_refused_in_a_sentence(
    key: str,
    moves: list[tuple[int, str]],
    sentence: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = written(tmp_path / "other.blksgf", key, moves)
    assert main(["solve", "tetrominoes", "--from", str(path)]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
