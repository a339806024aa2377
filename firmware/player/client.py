"""The player's process: a position goes in, its best moves come out."""

from dataclasses import asdict, dataclass

from firmware.codes import Scoring
from firmware.player.search_process import SearchProcess
from firmware.player.search_result import SearchResult, from_json


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A request to the player; the first limit reached ends the search.

    Attributes:
        position: `str` of a position.
        seconds: limit of time, or None.
        level: level, 1 to 12, whose move is the first choice, or None for the best move.
        simulations: limit of simulations without a level, or None.
        seed: seed of the moves of a level; the same one in a position gives the same move.
        scoring: scoring that decides the game.
        reasons: number of the first choices that have their reasons in the last answer.
        only: the moves that are searched, as their squares; none for all.
        most: number of choices in the answer.
    """

    position: str
    seconds: float | None = None
    level: int | None = None
    simulations: int | None = None
    seed: int = 1
    scoring: Scoring = Scoring.ADVANCED
    reasons: int = 0
    only: tuple[str, ...] = ()
    most: int = 10


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

    def ask(self, request: SearchRequest) -> int:
        """Starts a search and ends a running one; returns at once.

        Returns:
            The number of the request, by which its answer is found.

        Raises:
            PlayerError: the process has died.
        """
        return self.request(asdict(request))
