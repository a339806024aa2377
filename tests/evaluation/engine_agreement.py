"""Trial: agreement of the player's moves with a long search of a stronger engine.

    python -m tests.evaluation engine_agreement duo_positions_l7.json --seconds 0.1 0.5 1 3
    python -m tests.evaluation engine_agreement duo_positions_l7.json --simulations 1000 4000

The file lists positions with the other engine's visits of each move. Reported for each budget:
the share of those visits on the player's choice, the rate at which that is one of the three most
visited moves, and the rate at which it is the most visited. Only open positions count: those
whose best value by the other engine is between 0.1 and 0.9. No training uses them.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.board import Move
from firmware.rules.position import Position

_OPEN: Final = (0.1, 0.9)
"""Range of the best value of an open position."""


def position_of(row: dict[str, Any], game: str) -> Position:
    """Returns the position of a row of the file."""
    position = Position.start(game, "fixed")
    for colour, text in row["history"]:
        turned = position.with_turn(colour)
        position = turned.play(Move.parse(text, turned.game.size))
    return position.with_turn(row["to_play"])


def likeness(rows: list[dict[str, Any]], game: str, budget: SearchLimits, seed: int) -> str:
    """Returns a line on the agreement with the other engine within a budget."""
    shares, among_three, same, simulations = 0.0, 0, 0, 0
    for row in rows:
        thought = SearchPlayer(seed=seed).think(position_of(row, game), budget)
        chosen = thought.choices[0].move
        visits = {Move.parse(text, chosen.board.size): n for text, n, _ in row["candidates"]}
        ranked = sorted(visits, key=lambda move: -visits[move])
        shares += visits.get(chosen, 0) / row["visits"]
        among_three += chosen in ranked[:3]
        same += chosen == ranked[0]
        simulations += thought.simulations
    count = len(rows)
    return (
        f"share of visits {shares / count:.3f}, among three {among_three / count:.0%}, "
        f"the same {same / count:.0%}; {simulations / count:,.0f} simulations a position"
    )


def main(words: Sequence[str]) -> None:
    """Searches every open position of a file within each budget."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation engine_agreement")
    parser.add_argument("file", type=Path, nargs="?", help="positions with visits, as JSON")
    parser.add_argument("--seconds", type=float, nargs="*", default=[])
    parser.add_argument("--simulations", type=int, nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    if arguments.file is None:
        print("no positions here: name a file of them")  # noqa: T201
        return
    data = json.loads(arguments.file.read_text())
    low, high = _OPEN
    rows = [row for row in data["positions"] if low <= row["best_value"] <= high]
    print(f"{len(rows)} open positions of {data['engine']}, level {data['level']}")  # noqa: T201
    SearchPlayer().think(position_of(rows[0], data["variant"]), SearchLimits(simulations=2))
    budgets = [(f"{s:g} s", SearchLimits(seconds=s)) for s in arguments.seconds]
    budgets += [(f"{n:,} simulations", SearchLimits(simulations=n)) for n in arguments.simulations]
    for name, budget in budgets:
        line = likeness(rows, data["variant"], budget, arguments.seed)
        print(f"{name}: {line}", flush=True)  # noqa: T201
