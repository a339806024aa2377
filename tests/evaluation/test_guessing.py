"""Some minutes of the day of the trial `guessing`."""

import pytest

from tests.evaluation.guessing import HOUR_S, READS_S, TYPES_S, spend
from web.rate_limit import GuessLimiter

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "begins", "seconds"),
    [
        ("drawn", HOUR_S // 4 - 20, 21 + TYPES_S),
        ("shown", 3 * HOUR_S // 4 - 5, 6 + READS_S),
    ],
)
def test_the_right_number_is_taken_at_once_while_a_thousand_addresses_guess(
    kind: str, begins: int, seconds: int
) -> None:
    trial = spend(seconds, 1000, 0, begins)
    day = trial.day
    assert (day.waits[kind], day.lost, day.hits) == ([0], 0, 0)
    assert day.looked_at <= GuessLimiter.PER_S * (seconds + 1)
    assert trial.table.requests < 5 * seconds
    assert day.odds * 86_400 / seconds < 1e-4


def test_who_knows_all_but_two_digits_guesses_right() -> None:
    trial = spend(TYPES_S, 200, 10, HOUR_S // 4)
    assert trial.day.hits > 0
