"""Results of matches: places follow from scores."""

import pytest

from firmware.hall.tournament.errors import TournamentError
from firmware.hall.tournament.matches import MatchOutcome


@pytest.mark.parametrize(
    ("scores", "places"),
    [((5, 3), (1, 2)), ((3, 3), (1, 1)), ((1, 9, 9, 4), (4, 1, 1, 3)), ((0, 0, 0), (1, 1, 1))],
)
def test_the_highest_score_wins_and_equal_ones_share_a_place(
    scores: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert MatchOutcome.by_scores(scores).places == places


def test_teams_have_places_though_their_ranks_count_teams() -> None:
    assert MatchOutcome.by_ranks((5, 3, 5, 3), (1, 2, 1, 2)).places == (1, 3, 1, 3)
    assert MatchOutcome.by_ranks((9, 3), (2, 1)).places == (2, 1)


@pytest.mark.parametrize("places", [(1,), (1, 3), (2, 2), (1, 2, 2, 3), (1, 1, 2), (1,) * 5])
def test_places_that_cannot_be_are_refused(places: tuple[int, ...]) -> None:
    with pytest.raises(TournamentError):
        MatchOutcome((), places)
