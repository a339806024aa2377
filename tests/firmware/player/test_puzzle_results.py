"""The best time of a puzzle, from the folder of finished games."""

from pathlib import Path

from firmware.player.puzzle_results import best_seconds
from firmware.records.record import Record
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES
from tests.support.solved_puzzles import TETROMINOES, TETROMINOES_APART, moves_of


def stored(folder: Path, number: int, seconds: float, solved: Position, *, left: int = 0) -> Path:
    """Stores the record of a puzzle with some pieces left in hand."""
    record = Record.new(solved.game)
    for colour, move in moves_of(solved)[left:]:
        record.play(move, colour)
    record.time(seconds)
    path = folder / f"{number:06}-2026-11-23-{solved.game.key}" / "record.blksgf"
    path.parent.mkdir(parents=True)
    path.write_bytes(record.write())
    return path


def test_the_best_time_is_the_least_of_a_solved_puzzle_of_the_same_name(tmp_path: Path) -> None:
    assert best_seconds(tmp_path / "nowhere", TETROMINOES.game) is None
    stored(tmp_path, 1, 83.2, TETROMINOES)
    stored(tmp_path, 2, 64.5, TETROMINOES)
    stored(tmp_path, 3, 12.5, TETROMINOES, left=1)
    stored(tmp_path, 4, 9.5, TETROMINOES_APART)
    assert best_seconds(tmp_path, TETROMINOES.game) == 64.5
    assert best_seconds(tmp_path, TETROMINOES_APART.game) == 9.5
    assert best_seconds(tmp_path, PUZZLES["puzzle-pentominoes"]) is None


def test_files_that_are_damaged_are_passed_over(tmp_path: Path) -> None:
    stored(tmp_path, 1, 83.2, TETROMINOES)
    cut = stored(tmp_path, 2, 20.0, TETROMINOES)
    cut.write_bytes(cut.read_bytes()[:200])
    wrong = stored(tmp_path, 3, 30.0, TETROMINOES)
    wrong.write_bytes(wrong.read_bytes().replace(b"CLSECONDS[30.0]", b"CLSECONDS[soon]"))
    faulty = stored(tmp_path, 4, 10.0, TETROMINOES)
    faulty.write_bytes(faulty.read_bytes().replace(b"a9,b9", b"k9,l9"))
    unlifted = stored(tmp_path, 5, 11.0, TETROMINOES)
    text = unlifted.read_bytes().replace(b"\n;1[", b"\n;AE[r1]CLUNDONE[lifted]\n;1[", 1)
    unlifted.write_bytes(text)
    none, folder = (tmp_path / f"00000{n}-x-puzzle-tetrominoes" for n in (6, 7))
    none.write_text("a file in the place of a folder")
    (folder / "record.blksgf").mkdir(parents=True)
    binary = stored(tmp_path, 8, 5.0, TETROMINOES)
    binary.write_bytes(bytes(range(256)) * 5000)
    other = stored(tmp_path, 9, 6.0, TETROMINOES)
    other.write_bytes(b"(;GM[Blokus Duo];B[e10])")
    assert best_seconds(tmp_path, TETROMINOES.game) == 83.2
