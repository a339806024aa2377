"""`cornerlight hint` on records that it cannot help with."""

from pathlib import Path

import pytest

from firmware.commands.main import main


def test_a_puzzle_is_for_the_solver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "begun.blksgf"
    path.write_text("(;GM[Blokus]CLGAME[puzzle-all-by-size])")
    assert main(["hint", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"cornerlight solve all-by-size --from {path}" in line
