"""A whole game in rendered pictures, at the speed of reading."""

from pathlib import Path

import pytest

from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import solved
from tests.support.fast_game import Verdicts, play


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_puzzle_is_refereed_from_empty_to_done(puzzle: str, tmp_path: Path) -> None:
    found = play(tmp_path, puzzle, 2)
    accepted = sum(map(len, solved(PUZZLES[puzzle]).laid)) + found.lifted
    mistakes, lifted = found.mistakes, found.lifted
    assert found == Verdicts(accepted, 0, 0, mistakes, mistakes, 0, lifted, lifted, 0)


def test_a_whole_game_is_refereed_without_a_wrong_verdict(tmp_path: Path) -> None:
    assert play(tmp_path) == Verdicts(31, 0, 0, 1, 1, 0, 0, 0, 0)
