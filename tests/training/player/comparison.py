"""A player with a given network, for `tests.evaluation.levels.games.play`."""

from typing import Final

from firmware.player.search.network import Network
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.tree import EXPECTING, PLAYING, SearchParameters
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.evaluation.levels.games import Chooser

EVALUATIONS: Final = {"network": EXPECTING, "playouts": PLAYING}
"""Parameters of the search, by what evaluates its leaves."""


def chooser(network: Network, limits: SearchLimits, rates: SearchParameters | None) -> Chooser:
    """A player with a network that searches each move anew within limits.

    Args:
        network: the network.
        limits: limits of each search.
        rates: parameters of the search, None for those of the program in the game.
    """
    player = SearchPlayer(network=network, rates=rates)

    def choose(position: Position, seed: int) -> Move:
        player.forget(seed)
        return player.think(position, limits).choices[0].move

    return choose
