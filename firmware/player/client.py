"""The player's process: a position goes in, its best moves come out."""

from dataclasses import dataclass
from typing import Any

from firmware.player.search_process import SearchProcess


@dataclass(frozen=True, slots=True)
class SuggestedMove:
    """A move with its results in the search.

    Attributes:
        cells: names of the squares, as in records.
        piece: name of the piece.
        value: expected result for the side to move, 0 lost to 1 won.
        margin: expected difference in points.
        visits: simulations that began with it.
    """

    cells: tuple[str, ...]
    piece: str
    value: float
    margin: float
    visits: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """An answer of the player about one position.

    Attributes:
        request: the number that `ask` returned.
        choices: the examined moves, the best first.
        simulations: number of simulations.
        seconds: duration of the search so far.
        done: True if the search has ended.
        highest_level: highest level, 1 to 12, that this machine plays within 6 s a move in such
            a position; None if the search was too short to tell.
    """

    request: int
    choices: tuple[SuggestedMove, ...]
    simulations: int
    seconds: float
    done: bool
    highest_level: int | None = None


class EngineClient(SearchProcess[Analysis]):
    """A process of the player with its last answer.

    Args:
        threads: number of threads of the search.
        memory_mb: limit for its trees in MB.

    Raises:
        PlayerError: it cannot run on this machine, or cannot be started.
    """

    def __init__(self, *, threads: int = 1, memory_mb: int = 64) -> None:
        options = ("--threads", str(threads), "--memory", str(memory_mb))
        super().__init__("player", _answer, *options)

    def ask(
        self,
        position: str,
        *,
        seconds: float | None = None,
        level: int | None = None,
        simulations: int | None = None,
        seed: int = 1,
        most: int = 10,
    ) -> int:
        """Starts a search and ends a running one; returns at once.

        Args:
            position: `str` of a position.
            seconds: limit of time, or None.
            level: level, 1 to 12, whose move is the first choice, or None for the best move.
            simulations: limit of simulations without a level, or None.
            seed: seed of the moves of a level; the same one in a position gives the same move.
            most: number of choices in the answer.

        Returns:
            The number of the request, which its answer contains.

        Raises:
            PlayerError: the process has died.
        """
        return self.request(
            {
                "position": position,
                "seconds": seconds,
                "level": level,
                "simulations": simulations,
                "seed": seed,
                "most": most,
            }
        )


def _answer(row: dict[str, Any]) -> Analysis:
    """An answer from its JSON; anything else raises one of `search_process.NO_ANSWER`."""
    choices = tuple(
        SuggestedMove(
            tuple(map(str, one["cells"])),
            str(one["piece"]),
            float(one["value"]),
            float(one["margin"]),
            int(one["visits"]),
        )
        for one in row["choices"]
    )
    highest = row.get("highest_level")
    return Analysis(
        int(row["request"]),
        choices,
        int(row["simulations"]),
        float(row["seconds"]),
        bool(row["done"]),
        None if highest is None else int(highest),
    )
