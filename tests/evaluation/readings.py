"""Trial: verdicts in whole games with accidents, from readings of decreasing quality.

Run it with `python -m tests.evaluation readings --games 150`: 150 games of each of the seven
kinds, with the sights in turn. A sight has no pictures: it gives the log odds of the truth and
Gaussian errors of each square in each frame.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

from firmware.codes import Translucency
from firmware.rules.variants import GAMES
from tests.evaluation.bounds import upper
from tests.evaluation.noisy_game import NoisyGame, Tally, ViewingConditions

SIGHTS = (
    ViewingConditions(5, 0.0),
    ViewingConditions(5, 0.5),
    ViewingConditions(5, 1.0),
    ViewingConditions(4, 1.0),
    ViewingConditions(5, 0.5, Translucency.OPAQUE),
    ViewingConditions(4, 1.0, Translucency.OPAQUE),
    ViewingConditions(5, 0.5, Translucency.TRANSLUCENT),
    ViewingConditions(4, 1.0, Translucency.TRANSLUCENT),
)
"""Qualities of readings. The last four are of a lit table: glowing squares are hidden in frames
that are not dark."""

FAULTS = (
    ("wrong accepts", ("placements",)),
    ("wrong refusals", ("legal placements",)),
    ("refused other squares", ("illegal placements",)),
    ("refused by other rules", ("illegal placements",)),
    ("refused by fewer rules", ("illegal placements",)),
    ("wrongly disturbed or undone", ("placements",)),
    ("accidents missed", ("accidents",)),
    ("stuck", ("placements",)),
    ("silent for 10 s", ("placements",)),
    ("placements told unsure", ("placements",)),
    ("of these told at once", ("moves after a doubt",)),
    ("legal undecided after two frames", ("legal placements",)),
)
"""Names of counts, each with the names of the counts of its cases."""


def soak(game: str, sights: Sequence[ViewingConditions], games: int, seed: int = 1) -> Tally:
    """Returns the counts of some games, with the sights in turn."""
    total: Tally = Counter()
    for number in range(games):
        total += NoisyGame(game, sights[number % len(sights)], seed + number).play()
    return total


def report(tally: Tally) -> list[str]:
    """Returns lines with the counts, each share with its 95 % upper bound."""
    kinds = ("games", "placements", "legal placements", "illegal placements", "accidents")
    lines = [", ".join(f"{tally[kind]} {kind}" for kind in kinds)]
    for fault, (cases,) in FAULTS:
        count, of = tally[fault], tally[cases]
        if of:
            lines.append(
                f"{fault:34} {count:5} of {of:6}  {count / of:8.4%}  below {upper(count, of):8.4%}"
            )
    return lines


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation readings")
    parser.add_argument("--games", type=int, default=4, help="games per kind (default: 4)")
    parser.add_argument("--game", choices=GAMES, help="only this kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sight", type=int, choices=range(len(SIGHTS)), help="only this sight")
    arguments = parser.parse_args(words)
    sights = SIGHTS if arguments.sight is None else SIGHTS[arguments.sight :][:1]
    whole: Tally = Counter()
    for game in [arguments.game] if arguments.game else GAMES:
        tally = soak(game, sights, arguments.games, arguments.seed)
        print(f"-- {game}", *report(tally), sep="\n", flush=True)  # noqa: T201
        whole += tally
    print("-- all", *report(whole), sep="\n")  # noqa: T201
    for name, count in sorted(whole.items()):
        if name.startswith("accident:"):
            print(f"{name:34} {count:5}")  # noqa: T201
