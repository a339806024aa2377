"""The draw of a round of matches of three or four: groups from the standings, improved by swaps.

The players are cut into groups in the order of the standings. Then the exchange of two players that
lowers the cost most is made, until none lowers it. If meetings are still repeated, some players
are exchanged at random and the groups are improved again, a limited number of times; the best round
is taken. The cost of a round, what matters more being dearer than all that matters less:

1. nobody has a second bye,
2. no two players meet a third time,
3. few players meet again,
4. few sit at a table of three again,
5. players at a table have as many points as each other, the squares of the differences counting.

Last each table's order of play is chosen so that everybody has each place equally often.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.hall.tournament.history import DrawHistory

_SECOND_BYE: Final = 10**16
"""Cost of each bye that a player had before."""

_THIRD_MEETING: Final = 10**13
"""Cost of each earlier meeting of two players but the first."""

_REPEATED: Final = 10**9
"""Cost of each earlier meeting of two players."""

_SMALL_AGAIN: Final = 10**7
"""Cost of each smaller table at which a player was before."""

_POINTS: Final = 100
"""Cost of a difference of one point, squared."""

_MOST_POINTS: Final = 100
"""Difference of points from which a further one costs no more."""

_KICKS: Final = 300
"""Number of times that a round with repeated meetings is shaken and improved again. On 19 rounds of
tournaments at random, 60 found as few repeated meetings as 1,000; 300 take 0.03 s."""

_SHAKEN: Final = 3
"""Pairs of players that are exchanged at random each time."""

_Costs = NDArray[np.int64]


def group_sizes(players: int, full: int, *, with_three: bool) -> list[int]:
    """Sizes of the matches: full ones first, then those of three before byes.

    Two people who are alone play a match of two, if there can be smaller matches.

    Args:
        players: number of players.
        full: players of a full match, 3 or 4.
        with_three: True if four can be three as well; otherwise the rest has byes.
    """
    if players == 2 and (with_three or full == 3):
        return [2]
    small = -players % 4 if with_three else 0
    if with_three and 3 * small <= players:
        return [4] * ((players - 3 * small) // 4) + [3] * small
    return [full] * (players // full) + [1] * (players % full)


def draw_groups(
    ranked: Sequence[str],
    points: Sequence[Fraction],
    sizes: Sequence[int],
    history: DrawHistory,
    random: Random,
) -> list[tuple[str, ...]]:
    """Draws a round of matches of three or four.

    Args:
        ranked: ids of the players, the best first.
        points: points of each of them.
        sizes: number of players of each match, byes last.
        history: the rounds before.
        random: shakes the groups.

    Returns:
        The matches in the order of their best players, each in the order of play; byes last.
    """
    search = _GroupSearch(ranked, points, sizes, history)
    groups = search.best(random)
    order = sorted(range(len(sizes)), key=lambda group: (sizes[group] == 1, groups[group]))
    seats = Counter(history.seats)
    return [
        _seated([ranked[player] for player in sorted(groups[group])], seats, random)
        for group in order
    ]


def _seated(players: list[str], seats: Counter[tuple[str, int]], random: Random) -> tuple[str, ...]:
    """The players of a table in an order of play in which places are repeated least."""
    orders = list(permutations(players))
    random.shuffle(orders)
    return min(
        orders,
        key=lambda order: sum(
            (seats[player, seat] + 1) ** 2 - seats[player, seat] ** 2
            for seat, player in enumerate(order)
        ),
    )


class _GroupSearch:
    """The groups of a round, as the group of each player in the order of the standings."""

    def __init__(
        self,
        ranked: Sequence[str],
        points: Sequence[Fraction],
        sizes: Sequence[int],
        history: DrawHistory,
    ) -> None:
        self._count: Final = len(ranked)
        self._met: Final = np.array(
            [[history.met(one, other) if one != other else 0 for other in ranked] for one in ranked]
        )
        self._pairs: Final = _pair_costs(self._met, points)
        self._alone: Final = _seat_costs(ranked, points, sizes, history)
        self._start: Final = np.repeat(np.arange(len(sizes)), sizes)

    def best(self, random: Random) -> list[list[int]]:
        """The players of each group in the best round found, by number."""
        best = self._improved(self._start.copy())
        for _ in range(_KICKS):
            if not self._repeats(best):
                break
            found = self._improved(self._shaken(best, random))
            if self._cost(found) <= self._cost(best):
                best = found
        return [
            [int(player) for player in np.flatnonzero(best == group)]
            for group in range(self._start[-1] + 1)
        ]

    def _together(self, groups: NDArray[np.int64]) -> NDArray[np.bool_]:
        together: NDArray[np.bool_] = groups[:, None] == groups[None, :]
        np.fill_diagonal(together, val=False)
        return together

    def _repeats(self, groups: NDArray[np.int64]) -> bool:
        return bool(self._met[self._together(groups)].any())

    def _cost(self, groups: NDArray[np.int64]) -> int:
        alone = self._alone[np.arange(self._count), groups].sum()
        return int(self._pairs[self._together(groups)].sum() // 2 + alone)

    def _shaken(self, groups: NDArray[np.int64], random: Random) -> NDArray[np.int64]:
        shaken = groups.copy()
        for _ in range(_SHAKEN):
            one, other = random.randrange(self._count), random.randrange(self._count)
            shaken[[one, other]] = shaken[[other, one]]
        return shaken

    def _improved(self, groups: NDArray[np.int64]) -> NDArray[np.int64]:
        """Makes the best exchange of two players as long as one lowers the cost."""
        everybody = np.arange(self._count)
        while True:
            member = groups[:, None] == np.arange(self._start[-1] + 1)[None, :]
            # Cost of each player in each group, the own part of a member being 0.
            inside = self._pairs @ member.astype(np.int64) + self._alone
            own = inside[everybody, groups]
            moved = inside[:, groups] - self._pairs
            change = moved + moved.T - own[:, None] - own[None, :]
            change[self._together(groups)] = 0
            least = int(change.argmin())
            one, other = divmod(least, self._count)
            if change[one, other] >= 0:
                return groups
            groups[[one, other]] = groups[[other, one]]


def _pair_costs(met: _Costs, points: Sequence[Fraction]) -> _Costs:
    """Cost of each two players at one table."""
    ends = [float(one) for one in points]
    apart = np.clip(np.subtract.outer(ends, ends), -_MOST_POINTS, _MOST_POINTS)
    spread = np.rint(_POINTS * apart * apart).astype(np.int64)
    costs: _Costs = _REPEATED * met + np.where(met > 1, _THIRD_MEETING * (met - 1), 0) + spread
    np.fill_diagonal(costs, 0)
    return costs


def _seat_costs(
    ranked: Sequence[str], points: Sequence[Fraction], sizes: Sequence[int], history: DrawHistory
) -> _Costs:
    """Cost of each player in each match for its size."""
    full = max(sizes)
    costs = np.zeros((len(ranked), len(sizes)), dtype=np.int64)
    for group, size in enumerate(sizes):
        if size == 1:
            above = [min(float(one - points[-1]), _MOST_POINTS) for one in points]
            costs[:, group] = [int(_POINTS * one * one) for one in above]
            costs[:, group] += [_SECOND_BYE * history.byes[one] for one in ranked]
        elif size < full:
            costs[:, group] = [_SMALL_AGAIN * history.small_tables[one] for one in ranked]
    return costs
