"""Matches of the player against itself over GTP, refereed by the rules."""

import sys

import pytest

from tests.evaluation.matches import GtpProcess, play

STRONG, WEAK = "sharp", "3"


def engine(game: str, level: str) -> GtpProcess:
    words = ["gtp", "--game", game, "--level", level, "--seed", "5"]
    return GtpProcess([sys.executable, "-m", "firmware", *words])


@pytest.mark.parametrize(("game", "games"), [("duo", 6), ("classic-2", 2)])
def test_a_high_level_beats_a_low_one_by_legal_moves(game: str, games: int) -> None:
    with engine(game, STRONG) as strong, engine(game, WEAK) as weak:
        rows = [play(game, strong, weak, number) for number in range(games)]
    assert all(row["moves"] for row in rows)
    assert sum(row["lead"] for row in rows) > 0
