"""A whole game in rendered pictures, at the speed of reading."""

import re

import pytest

from firmware.commands.main import main
from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import solved


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_puzzle_is_refereed_from_empty_to_done(
    puzzle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--autoplay", "--fast", "--seed", "2", "--game", puzzle]) == 0
    counts = re.match(
        r"(\d+) moves accepted, 0 of them wrongly, 0 missed; (\d) of \2 mistakes refused, 0 wrong "
        r"refusals; (\d+) of \3 liftings seen, 0 seen wrongly; ",
        capsys.readouterr().out,
    )
    assert counts is not None
    pieces = sum(map(len, solved(PUZZLES[puzzle]).laid))
    assert int(counts[1]) == pieces + int(counts[3])


def test_a_whole_game_is_refereed_without_a_wrong_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--autoplay", "--fast", "--seed", "1"]) == 0
    assert re.match(
        r"31 moves accepted, 0 of them wrongly, 0 missed; 1 of 1 mistakes refused, 0 wrong ",
        capsys.readouterr().out,
    )
