"""The settings of a tournament."""

import re
from dataclasses import dataclass
from typing import Final

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.errors import require
from firmware.rules.variants import GAMES, Variant

MOST_ROUNDS: Final = 99
"""Number of the last round: ids of matches have two digits."""

MOST_TABLES: Final = 999
"""Number of the last table."""

_PLAYER_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""Id of a player, of signs that no link escapes; ours are `P1`, `P2`, ... The 32 are chosen."""


_USUAL_TIE_BREAKS: Final = (TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.MARGIN)
"""Tie-breaks of a tournament for which nobody chose others."""


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a tournament.

    Attributes:
        name: name of the event.
        game: key of the game that is played.
        rounds: number of rounds.
        tie_breaks: tie-breaks, the most important one first; none for the usual ones.
        clock_s: seconds of each player for a game; 0 for no clock.
        round_s: seconds of a round; 0 for no clock of the round.
        seed: seed of the draws.

    Raises:
        TournamentError: they contradict each other.
    """

    name: str
    game: str
    rounds: int
    tie_breaks: tuple[TieBreak, ...] = ()
    clock_s: int = 0
    round_s: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        require(self.game in GAMES, f"{self.game!r} is no game; they are {', '.join(GAMES)}")
        require(1 <= self.rounds <= MOST_ROUNDS, f"a tournament has 1 to {MOST_ROUNDS} rounds")
        require(
            len(set(self.tie_breaks)) == len(self.tie_breaks), "a tie-break is in the list once"
        )
        require(self.clock_s >= 0 <= self.round_s, "a clock has no negative time")

    @property
    def variant(self) -> Variant:
        """The game that is played."""
        return GAMES[self.game]

    @property
    def order(self) -> tuple[TieBreak, ...]:
        """The tie-breaks: the chosen ones, else the usual ones."""
        return self.tie_breaks or _USUAL_TIE_BREAKS

    @property
    def win(self) -> int:
        """Points of a player who beats all opponents of a match."""
        return 1 if self.seats == 2 else 3

    @property
    def seats(self) -> int:
        """Players of a full match, 2 to 4."""
        return self.variant.people


def check_player_id(player: str) -> None:
    """Checks the form of a player's id.

    Raises:
        TournamentError: it is no id.
    """
    right = _PLAYER_ID.fullmatch(player)
    require(right, f"{player!r:.60} is no id of a player; it has 1 to 32 of A-Z, a-z, 0-9, _ and -")
