"""Games between two networks, with the same openings and swapped sides."""

from collections.abc import Iterator
from typing import Final

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.search.player import SearchLimits, SearchPlayer
from firmware.search.tree import EXPECTING, PLAYING
from firmware.search.weights import Knowledge
from tests.evaluation.levels.games import Chooser, PlayedGame, play

EVALUATIONS: Final = {"network": EXPECTING, "playouts": PLAYING}
"""Parameters of the search, by what evaluates its leaves."""

_MEMORY_MB: Final = 64
"""Memory of the tree of each player, in units of 2**20 bytes."""


def chooser(learned: Knowledge, limits: SearchLimits, evaluation: str | None) -> Chooser:
    """A player with a network that searches each move anew within limits.

    Args:
        learned: the network, and the weights of playouts.
        limits: limits of each search.
        evaluation: name in `EVALUATIONS`, None for what the program does in the game.
    """
    rates = None if evaluation is None else EVALUATIONS[evaluation]
    player = SearchPlayer(memory_mb=_MEMORY_MB, learned=learned, rates=rates)

    def choose(position: Position, seed: int) -> Move:
        player.forget(seed)
        return player.think(position, limits).choices[0].move

    return choose


def games(pair: tuple[Chooser, Chooser], game: str, count: int) -> Iterator[PlayedGame]:
    """Plays some games; a positive `lead` is of the second player."""
    for number in range(count):
        yield play(pair, game, number)
