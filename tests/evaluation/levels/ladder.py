"""Scores on the scale of Elo, with intervals of 95 %.

Two players 400 Elo apart score 10 to 1. All games together are fitted by the model of Bradley and
Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39; a draw counts as half.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from tests.evaluation.levels.games import PlayedGame

_PER_LOGIT: Final = 400 / math.log(10)
"""Elo of a natural logarithm of odds."""

_WIDTH: Final = 1.96
"""Standard errors from the middle to an end of an interval of 95 %."""

_STEPS: Final = 50
"""Newton steps of the fit; it has converged after about ten."""


class Interval(NamedTuple):
    """A value with its interval of 95 %."""

    value: float
    low: float
    high: float


def result(lead: int) -> float:
    """Result of a game for the second player: 1 won, 0.5 a draw, 0 lost."""
    return 0.5 + 0.5 * ((lead > 0) - (lead < 0))


def share(games: Sequence[PlayedGame]) -> Interval:
    """Score of the second player as a share, 0 to 1.

    The two games of an opening are one draw of the sample, as the opening may favour a side. Half
    a point for each player is added, so that a clean score has an interval, too.
    """
    by_opening: dict[int, list[float]] = {}
    for one in games:
        by_opening.setdefault(one.number // 2, []).append(result(one.lead))
    means = [0.5, *(sum(one) / len(one) for one in by_opening.values())]
    middle = sum(means) / len(means)
    least = middle * (1 - middle) / 2
    variance = max(sum((one - middle) ** 2 for one in means) / max(1, len(means) - 1), least / 2)
    error = _WIDTH * math.sqrt(variance / len(means))
    raw = sum(result(one.lead) for one in games) / len(games)
    return Interval(raw, max(0.0, middle - error), min(1.0, middle + error))


def elo(score: float) -> float:
    """Difference in Elo at a score from 0 to 1."""
    odds = min(max(score, 0.001), 0.999)
    return _PER_LOGIT * math.log(odds / (1 - odds))


def scale(
    results: Mapping[tuple[str, str], Sequence[PlayedGame]], zero: str
) -> dict[str, Interval]:
    """Elo of each player above the player `zero`, fitted to all games.

    Args:
        results: games by their pair of players, which connect every player with every other.
        zero: the player at 0.
    """
    players = sorted({name for pair in results for name in pair})
    place = {name: i for i, name in enumerate(players)}
    strengths = np.zeros(len(players))
    covariance = np.zeros((len(players), len(players)))
    for _ in range(_STEPS):
        # A weak tie to 0 makes the fit unique, and finite for a player that won or lost all.
        gradient, information = -1e-3 * strengths, 1e-3 * np.eye(len(players))
        for (low, high), games in results.items():
            i, j = place[low], place[high]
            expected = 1 / (1 + math.exp(strengths[i] - strengths[j]))
            won = sum(result(one.lead) for one in games) - len(games) * expected
            weight = len(games) * expected * (1 - expected)
            gradient[[i, j]] += (-won, won)
            information[[i, j], [i, j]] += weight
            information[[i, j], [j, i]] -= weight
        covariance[:] = np.linalg.inv(information)
        strengths += np.clip(covariance @ gradient, -1, 1)
    of = place[zero]
    errors = covariance.diagonal() + covariance[of, of] - 2 * covariance[of]
    return {
        name: _interval(strengths[i] - strengths[of], math.sqrt(max(0.0, errors[i])))
        for name, i in place.items()
    }


def _interval(strength: float, error: float) -> Interval:
    value, width = _PER_LOGIT * strength, _PER_LOGIT * _WIDTH * error
    return Interval(value, value - width, value + width)
