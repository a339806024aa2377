"""The search of a position at a level, without a process."""

from firmware.player.search.levels import begin_level, choose
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search_result import SearchResult
from firmware.rules.position import Position


def think_at_level(player: SearchPlayer, position: Position, level: int, seed: int) -> SearchResult:
    """Searches a position at a level; the first choice is the move that it plays.

    Args:
        player: the player.
        position: a position with a colour to move.
        level: 1 to 12.
        seed: seed of the game.
    """
    limits = SearchLimits(simulations=begin_level(player, position, level, seed))
    return choose(player, position, player.think(position, limits), level, seed)
