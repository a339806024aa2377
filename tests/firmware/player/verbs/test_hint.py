"""`cornerlight hint` on records that it cannot help with."""

import json
from pathlib import Path

import pytest

from firmware.codes import MoveReasonCode
from firmware.commands.main import main


def test_a_puzzle_is_for_the_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "begun.blksgf"
    path.write_text("(;GM[Blokus]CLGAME[puzzle-all-by-size])")
    assert main(["hint", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"cornerlight solve all-by-size --from {path}" in line


def test_moves_come_with_their_reasons_as_codes_and_as_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "begun.blksgf"
    path.write_text("(;GM[Blokus Duo];B[e8,d9,e9,f9,e10];W[j5,i6,j6,k6,j7])")
    assert main(["hint", str(path), "--seconds", "0.5", "--json"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    reasons = [reason for move in moves for reason in move["reasons"]]
    assert reasons
    assert all(reason.keys() == {"reason", "number", "squares"} for reason in reasons)
    assert {reason["reason"] for reason in reasons} <= {code.value for code in MoveReasonCode}
    assert main(["hint", str(path), "--seconds", "0.5"]) == 0
    assert "ew moves " in capsys.readouterr().out
