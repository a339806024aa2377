import pytest

from tests.evaluation.bounds import upper
from tests.evaluation.noisy_game import ViewingConditions
from tests.evaluation.readings import soak

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("game", "games"), [("duo", 5), ("classic", 2), ("duo-4", 2)])
@pytest.mark.parametrize(
    "sight",
    [ViewingConditions(5, 0.5), ViewingConditions(5, 1.0), ViewingConditions(4, 1.0)],
    ids=str,
)
def test_no_verdict_is_wrong_however_badly_the_board_is_seen(
    game: str, games: int, sight: ViewingConditions
) -> None:
    tally = soak(game, [sight], games)
    assert tally["legal placements"] > 60
    assert tally["illegal placements"] > 3
    assert tally["wrong accepts"] == 0
    assert tally["wrong refusals"] == 0
    assert tally["refused other squares"] == 0
    assert tally["refused by other rules"] == 0
    assert tally["wrongly disturbed or undone"] == 0
    assert tally["accidents missed"] == 0
    assert tally["stuck"] == 0


def test_a_board_that_is_seen_well_is_decided_at_once() -> None:
    tally = soak("duo", [ViewingConditions(5, 0.5)], 8, seed=50)
    assert tally["legal undecided after two frames"] == 0
    assert tally["illegal undecided after two frames"] == 0
    assert tally["placements told unsure"] == 0


def test_the_bound_of_a_rate_never_seen_is_the_rule_of_three() -> None:
    assert upper(0, 1000) == pytest.approx(3 / 1000, rel=0.01)
    # Clopper and Pearson's own table: two of ten, one-sided 95 %.
    assert upper(2, 10) == pytest.approx(0.507, abs=0.001)
    assert upper(5, 5) == 1.0
