"""Trial: tournaments at random, with two and with four players a match.

    python -m tests.evaluation tournaments --pairs 1000 --groups 300 --restart-s 60

Two players: no rematch that another round avoids, no second bye while somebody had none, nobody
first or second more than two times oftener, no draw over a second. Four players: nobody meets three
times, and the meetings that are repeated are compared with the best of random restarts. The time
of the restarts is that of one tournament, shared by its rounds with repeated meetings.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import rustworkx

from firmware.hall.tournament.history import DrawHistory, history_of
from tests.support.random_tournaments import DrawnStep, random_settings, rounds_of

LONGEST_S = 1.0
"""Seconds of the longest draw of a round."""

MOST_PLAYERS = 100
"""Players at the start of the largest tournament."""


def pair_faults(step: DrawnStep) -> Counter[str]:
    """Counts what is wrong with a drawn round of matches of two."""
    history, after = history_of(step.before.rounds, 2), history_of(step.after.rounds, 2)
    matches = step.after.rounds[-1].matches
    players = [player for match in matches for player in match.players]
    byes = [match.players[0] for match in matches if match.is_bye]
    least = min(history.byes[player] for player in players)
    rematches = sum(history.met(*match.players) > 0 for match in matches if not match.is_bye)
    return +Counter(
        {
            "avoidable rematches": rematches - fewest_rematches(players, history, least),
            "avoidable byes": (len(byes) - len(players) % 2)
            + sum(history.byes[player] > least for player in byes),
            "second byes": sum(history.byes[player] > 0 for player in byes),
            "imbalances": sum(abs(after.balance(player)) > 2 for player in players),
            "slow draws": int(step.seconds > LONGEST_S),
        }
    )


def fewest_rematches(players: Sequence[str], history: DrawHistory, byes: int) -> int:
    """The fewest rematches of a round in which only who had `byes` byes may have one."""
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(players) + len(players) % 2))
    for one, other in combinations(range(len(players)), 2):
        graph.add_edge(one, other, 1 if history.met(players[one], players[other]) else 2)
    if len(players) % 2:
        for one, player in enumerate(players):
            if history.byes[player] == byes:
                graph.add_edge(one, len(players), 2)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sum(graph.get_edge_data(*pair) == 1 for pair in found)


def repeats(groups: Sequence[Sequence[str]], history: DrawHistory) -> int:
    """Meetings of a round that are not the first of those two players."""
    return sum(history.met(*two) > 0 for group in groups for two in combinations(group, 2))


def third_meetings(groups: Sequence[Sequence[str]], history: DrawHistory) -> int:
    """Meetings of a round that are the third of those two players, or a later one."""
    return sum(history.met(*two) > 1 for group in groups for two in combinations(group, 2))


def restarted(
    players: Sequence[str],
    sizes: Sequence[int],
    history: DrawHistory,
    random: Random,
    seconds: float,
) -> int:
    """The fewest repeated meetings of rounds that begin at random and are improved by swaps.

    A third meeting, which a draw must not have, counts as more repeated ones than a round has.
    """
    until = time.monotonic() + seconds
    fewest = len(players) ** 4
    while fewest and time.monotonic() < until:
        order = list(players)
        random.shuffle(order)
        fewest = min(fewest, _improved(order, sizes, history))
    return fewest


def _improved(order: list[str], sizes: Sequence[int], history: DrawHistory) -> int:
    ends = [sum(sizes[: group + 1]) for group in range(len(sizes))]
    home = [group for group, size in enumerate(sizes) for _ in range(size)]

    def cost(group: int) -> int:
        members = order[ends[group] - sizes[group] : ends[group]]
        meetings = [history.met(*two) for two in combinations(members, 2)]
        return sum(met > 0 for met in meetings) + sum(met > 1 for met in meetings) * len(order) ** 2

    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            if home[one] == home[other]:
                continue
            before = cost(home[one]) + cost(home[other])
            if not before:
                continue
            order[one], order[other] = order[other], order[one]
            if cost(home[one]) + cost(home[other]) < before:
                improved = True
            else:
                order[one], order[other] = order[other], order[one]
    return sum(cost(group) for group in range(len(sizes)))


def pair_tournaments(seeds: Sequence[int]) -> Counter[str]:
    """Faults of tournaments with two players a match, and the counts of what was drawn."""
    total: Counter[str] = Counter()
    for seed in seeds:
        random = Random(f"pairs {seed}")  # noqa: S311
        players = random.randint(4, MOST_PLAYERS)
        total["tournaments"] += 1
        for step in rounds_of(random, random_settings(random, "duo", players), players):
            total["rounds"] += 1
            total["longest ms"] = max(total["longest ms"], round(1000 * step.seconds))
            total += pair_faults(step)
    return total


def group_tournaments(seeds: Sequence[int], restart_s: float) -> Counter[str]:
    """Repeated meetings of tournaments with four players a match, and of random restarts."""
    total: Counter[str] = Counter()
    for seed in seeds:
        random = Random(f"groups {seed}")  # noqa: S311
        players = min(random.randint(8, MOST_PLAYERS), random.randint(8, MOST_PLAYERS))
        total["tournaments"] += 1
        settings = random_settings(random, "classic", players)
        for step in rounds_of(random, settings, players):
            history = history_of(step.before.rounds, 4)
            groups = [match.players for match in step.after.rounds[-1].matches]
            own = repeats(groups, history)
            total["rounds"] += 1
            total["longest ms"] = max(total["longest ms"], round(1000 * step.seconds))
            total["third meetings"] += third_meetings(groups, history)
            total["byes"] += sum(len(group) == 1 for group in groups)
            total["repeated"] += own
            if own:
                total["best of restarts"] += restarted(
                    [player for group in groups for player in group],
                    [len(group) for group in groups],
                    history,
                    Random(seed),  # noqa: S311 - not that of the tournament, as their number varies
                    restart_s / settings.rounds,
                )
    return total


def _lines(total: Counter[str]) -> Iterator[str]:
    return (f"{name}: {count}" for name, count in total.items())


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation tournaments")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--groups", type=int, default=300)
    parser.add_argument("--restart-s", type=float, default=60.0)
    arguments = parser.parse_args(words)
    print("two players:", *_lines(pair_tournaments(range(arguments.pairs))), sep="\n  ", flush=True)  # noqa: T201
    found = group_tournaments(range(arguments.groups), arguments.restart_s)
    print("four players:", *_lines(found), sep="\n  ")  # noqa: T201
