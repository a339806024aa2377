"""The searches that a review needs, and their results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from firmware.player.searched_move import SearchedMove
from firmware.rules.board import Move

FIRST_PASS: Final = 1_000
"""Simulations of each search of the first pass, which looks at every position."""

SECOND_PASS: Final = 8_000
"""Simulations of each search of the second pass, which decides what is shown. In even games two of
13 labels at 1,000 simulations agreed with those at 8,000."""

CHOICES: Final = 40
"""Greatest number of moves in a stored result of the second pass, besides the played one."""


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A search of a position of the game.

    Attributes:
        at: index of the position in `Course.positions`.
        simulations: number of simulations, `FIRST_PASS` or `SECOND_PASS`.
        only: the move that is searched; None for all.
    """

    at: int
    simulations: int
    only: Move | None = None

    @property
    def is_second(self) -> bool:
        """True in the second pass."""
        return self.simulations >= SECOND_PASS


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The result of a search.

    Attributes:
        task: the search.
        choices: the moves, the best first; none if the player found none.
        proved: exact difference in points for the side to move under best play; None if unknown.
    """

    task: SearchTask
    choices: tuple[SearchedMove, ...]
    proved: int | None = None

    @property
    def best(self) -> SearchedMove | None:
        """The first choice."""
        return self.choices[0] if self.choices else None

    def choice(self, move: Move) -> SearchedMove | None:
        """The results of a move; None if the search did not name it."""
        return next((one for one in self.choices if one.move == move), None)


SearchResults = Mapping[SearchTask, SearchOutcome]
"""The results so far."""


def sure_value(margin: int) -> float:
    """The value of a proved difference in points."""
    return 0.5 if margin == 0 else float(margin > 0)
