"""Games of the player against itself, for `dataset`.

They begin with some moves drawn from the prior, so that all games differ; later one move in seven
is drawn by its visits. Half of the positions are searched well and used for training; the others
only enough to continue, which gives more games in the same time (Wu 2019, section 3.1).
"""

import random
from typing import Final

from firmware.player.search.network import Network
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.tree import SearchParameters
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import Starts
from tests.training.player.dataset import LabelledPosition, TrainingGame

_MEMORY_MB: Final = 24
"""Memory of a search tree."""


_SEARCHED: Final = 0.5
"""Share of the positions that are searched well."""

_LIGHTLY: Final = 6
"""Factor by which the other positions have fewer simulations."""

_DRAWN: Final = 0.15
"""Share of the moves that are drawn by their visits, instead of the most visited."""

_OPENING: Final = (0, 0, 1, 2, 2, 3, 4, 5, 6)
"""Numbers of opening moves per pair of colours that are drawn from the prior; one is chosen."""

_FLATTENED: Final = 0.7
"""Exponent of the prior in that draw."""


def play(
    game: str,
    simulations: int,
    chance: random.Random,
    network: Network | None = None,
    rates: SearchParameters | None = None,
) -> TrainingGame:
    """Plays a game of the player against itself."""
    player = SearchPlayer(
        seed=chance.randrange(1 << 30), memory_mb=_MEMORY_MB, network=network, rates=rates
    )
    position = Position.start(game, Starts.FIXED)
    opening = chance.choice(_OPENING) * len(position.game.colours) // 2
    moves: list[tuple[int, int]] = []
    findings: list[LabelledPosition] = []
    while (colour := position.to_move) is not None:
        if len(moves) < opening:
            choices = player.think(position, SearchLimits(simulations=1)).choices
            flattened = [one.prior**_FLATTENED for one in choices]
            move = chance.choices(choices, flattened)[0].move
        else:
            well = chance.random() < _SEARCHED
            made = simulations if well else simulations // _LIGHTLY
            thought = player.think(position, SearchLimits(simulations=made))
            if well and len(thought.choices) > 1:
                findings.append(_finding(len(moves), thought))
            move = _drawn(thought.choices, chance)
        moves.append((colour, move.index))
        position = position.play(move)
    points = tuple(side.advanced for side in score(position).sides)
    return TrainingGame(game, tuple(moves), tuple(findings), points)


def _finding(ply: int, thought: SearchResult) -> LabelledPosition:
    looked_at = [one for one in thought.choices if one.visits]
    visits = sum(one.visits for one in looked_at)
    return LabelledPosition(
        ply,
        round(sum(one.value * one.visits for one in looked_at) / visits, 4),
        round(sum(one.margin * one.visits for one in looked_at) / visits, 2),
        tuple((one.move.index, one.visits) for one in looked_at),
    )


def _drawn(choices: tuple[SearchedMove, ...], chance: random.Random) -> Move:
    if chance.random() < _DRAWN:
        return chance.choices(choices, [one.visits for one in choices])[0].move
    return choices[0].move
