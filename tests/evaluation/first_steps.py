"""How often the first step of a hint, shown early, and the best move at the end are apart.

Run it with `python -m tests.evaluation first_steps`. Each position is searched as for a hint: the
area of the best move after a part of the simulations is shown, and the hint goes on with the best
move in it. What that costs is the difference to the best move of all, in a search of these two.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from firmware.codes import HintStep
from firmware.game.events import Hinted
from firmware.game.hints import agrees
from firmware.game.state import GameState
from firmware.player.hint_service import FIRST_S, THINKS_S
from firmware.player.search.endgame import EndgameSolver
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.position import Position
from tests.evaluation.reason_positions import STORED_POSITIONS, read_positions


@dataclass(frozen=True)
class FirstStep:
    """What came of the first step in one position.

    Attributes:
        place: place of the hinted move among the choices at the end; 0 if it is the best.
        lost: what it costs of the chance to win.
        points: what it costs in points.
    """

    place: int
    lost: float = 0.0
    points: float = 0.0


def first_steps(
    positions: Sequence[Position], simulations: int, part: float = FIRST_S / THINKS_S
) -> Iterator[FirstStep]:
    """Yields what came of the first step in each position that is not proved at once."""
    for position in positions:
        if EndgameSolver().solve(position, seconds=10.0, nodes=1_000_000) is not None:
            continue
        player, early = SearchPlayer(seed=7), int(part * simulations)
        first = player.think(position, SearchLimits(simulations=early)).choices[0].move
        last = player.think(position, SearchLimits(simulations=simulations - early)).choices
        assert position.to_move is not None
        hint = Hinted(1, 0.5, 0, position.to_move, first, HintStep.AREA)
        shown = replace(GameState(position), hint=hint)
        place = next(k for k, one in enumerate(last) if agrees(shown, one.move))
        if not place:
            yield FirstStep(0)
            continue
        moves = [last[0].move, last[place].move]
        found = SearchPlayer(seed=11).compare(position, moves, simulations)
        best, other = (next(one for one in found if one.move == move) for move in moves)
        yield FirstStep(place, best.value - other.value, best.margin - other.margin)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation first_steps")
    parser.add_argument("--simulations", type=int, default=24_000, help="those of 2 s on a PC")
    parser.add_argument("--every", type=int, default=4, help="each N-th of the stored positions")
    given = parser.parse_args(words)
    stored = [one.position for one in read_positions(STORED_POSITIONS)][:: given.every]
    for part in (0.125, 0.25, 0.375):
        steps = list(first_steps(stored, given.simulations, part))
        apart = sum(one.place > 0 for one in steps)
        place = max(one.place for one in steps)
        lost, points = (
            sum(values) / len(steps)
            for values in ([one.lost for one in steps], [one.points for one in steps])
        )
        print(  # noqa: T201
            f"after {part:.1%}: {apart} of {len(steps)} apart, at place {place} at most,"
            f" lost {lost:.4f} of the chance, {points:.3f} points"
        )
