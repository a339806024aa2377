"""The player's process: a position goes in, its best moves come out."""

from collections.abc import Sequence
from typing import Final, TypedDict, Unpack

from firmware.player.search_process import SearchProcess
from firmware.player.search_result import SearchResult, from_json


class SearchOptions(TypedDict, total=False):
    """Options of a search; the first limit reached ends it.

    Attributes:
        seconds: limit of time, or None.
        level: level, 1 to 12, whose move is the first choice, or None for the best move.
        simulations: limit of simulations without a level, or None.
        seed: seed of the moves of a level; the same one in a position gives the same move.
        scoring: scoring that decides the game, `advanced` or `basic`.
        reasons: True for choices with their reasons.
        only: the moves that are searched, as their squares; none for all.
        most: number of choices in the answer.
    """

    seconds: float | None
    level: int | None
    simulations: int | None
    seed: int
    scoring: str
    reasons: bool
    only: Sequence[str]
    most: int


_USUAL: Final[SearchOptions] = {
    "seconds": None,
    "level": None,
    "simulations": None,
    "seed": 1,
    "scoring": "advanced",
    "reasons": False,
    "only": (),
    "most": 10,
}
"""Options that a request does not name."""


class EngineClient(SearchProcess[SearchResult]):
    """A process of the player with its last answer.

    Args:
        threads: number of threads of the search.
        memory_mb: limit for its trees in MB.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    def __init__(self, *, threads: int = 1, memory_mb: int = 64) -> None:
        options = ("--threads", str(threads), "--memory", str(memory_mb))
        super().__init__("player", from_json, *options)

    def ask(self, position: str, **options: Unpack[SearchOptions]) -> int:
        """Starts a search and ends a running one; returns at once.

        Args:
            position: `str` of a position.
            options: what is searched, and how long.

        Returns:
            The number of the request, which its answer contains.

        Raises:
            PlayerError: the process has died.
        """
        return self.request({"position": position, **_USUAL, **options})
