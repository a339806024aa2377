"""The draw of a round of matches of two: a matching of least cost.

Each possible match, and each possible bye, has a cost, and `rustworkx.max_weight_matching` (an
implementation of Edmonds' blossom algorithm) finds the round of least total cost. What matters more
is dearer than all that matters less, in a whole round together:

1. nobody has a second bye,
2. nobody meets an opponent again,
3. nobody is first, or second, more than two times oftener than the other,
4. opponents have as many points as each other, the squares of the differences counting, and both do
   not want the same seat; the bye goes to the end of the standings,
5. within a group of equal points the upper half meets the lower half, as in the Dutch system.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Final

import rustworkx

from firmware.hall.tournament.history import DrawHistory

MOST_BALANCE: Final = 2
"""Greatest difference of being first and second."""

_SECOND_BYE: Final = 10**21
"""Cost of each bye that a player had before."""

_REMATCH: Final = 10**17
"""Cost of each earlier meeting of two players."""

_UNBALANCED: Final = 10**13
"""Cost of each time that a player is first, or second, above `MOST_BALANCE`."""

_WORTH: Final = 10**24
"""Weight of a match before its cost; more than every cost."""

_POINTS: Final = 10**5
"""Cost of a difference of one point, squared."""

_SAME_WISH: Final = 6 * 10**4
"""Cost of two players who both were first, or second, more often: less than a point, more than half
a point, whose square is a quarter."""

_OUT_OF_HALF: Final = 10
"""Cost of each place from the opponent half a group away."""


def draw_pairs(
    ranked: Sequence[str], points: Sequence[Fraction], history: DrawHistory, random: Random
) -> list[tuple[str, ...]]:
    """Draws a round of matches of two.

    Args:
        ranked: ids of the players, the best first.
        points: points of each of them.
        history: the rounds before.
        random: decides who is first where nothing else does.

    Returns:
        The matches in the order of the standings, the first player first; last the bye, if the
        number of players is odd.
    """
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(ranked) + len(ranked) % 2))
    middles = _half_groups(points)
    for one in range(len(ranked)):
        for other in range(one + 1, len(ranked)):
            cost = _pair_cost(ranked[one], ranked[other], history)
            cost += _order_cost(one, other, points, middles)
            graph.add_edge(one, other, _WORTH - cost)
        if len(ranked) % 2:
            graph.add_edge(one, len(ranked), _WORTH - _bye_cost(one, ranked, points, history))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted(tuple(sorted(pair)) for pair in found)
    byes = [(ranked[one],) for one, other in pairs if other == len(ranked)]
    matches = [(one, other) for one, other in pairs if other < len(ranked)]
    return [_seated(ranked[one], ranked[other], history, random) for one, other in matches] + byes


def _half_groups(points: Sequence[Fraction]) -> list[int]:
    """For each player half the number of players with as many points, rounded up."""
    sizes = Counter(points)
    return [(sizes[one] + 1) // 2 for one in points]


def _pair_cost(one: str, other: str, history: DrawHistory) -> int:
    balances = history.balance(one), history.balance(other)
    worst = min(_worst_after(*balances), _worst_after(*reversed(balances)))
    cost = _REMATCH * history.met(one, other)
    if worst > MOST_BALANCE:
        cost += _UNBALANCED * (worst - MOST_BALANCE)
    return cost + _SAME_WISH * (worst == MOST_BALANCE)


def _worst_after(first: int, second: int) -> int:
    """The greater imbalance of two players, given their balances, after one was first."""
    return max(abs(first + 1), abs(second - 1))


def _order_cost(one: int, other: int, points: Sequence[Fraction], halves: Sequence[int]) -> int:
    difference = points[one] - points[other]
    if difference:
        return int(_POINTS * difference * difference)
    return _OUT_OF_HALF * abs(other - one - halves[one])


def _bye_cost(
    one: int, ranked: Sequence[str], points: Sequence[Fraction], history: DrawHistory
) -> int:
    above = points[one] - points[-1]
    place = len(ranked) - 1 - one
    return (
        _SECOND_BYE * history.byes[ranked[one]]
        + int(_POINTS * above * above)
        + _OUT_OF_HALF * place
    )


def _seated(one: str, other: str, history: DrawHistory, random: Random) -> tuple[str, ...]:
    """The two with the one first who was first less often, or not the last time."""

    def wish(first: str, second: str) -> tuple[int, int, int]:
        balances = history.balance(first), history.balance(second)
        again = (history.last_seat.get(first) == 0) + (history.last_seat.get(second) == 1)
        return _worst_after(*balances), balances[0] - balances[1], again

    forth, back = wish(one, other), wish(other, one)
    if forth == back:
        return (one, other) if random.random() < 0.5 else (other, one)
    return (one, other) if forth < back else (other, one)
