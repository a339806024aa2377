"""The settings of a tournament, with the presets.

A preset has points of a match, tie-breaks, and a final by rank.

Two players: a win counts 1 and a draw 1/2, as in any Swiss system.

Mind Sports Olympiad, old: the "MSO Rules and Clarifications" that the Olympiad gave out
(manualzz.com/doc/37192250). Two players: head to head, only for somebody who beat all the others or
lost to all; points spread of all rounds without the best; Sonneborn-Berger; no step is applied
again. Three and more: board of the final round, result of the final round, victory points of all
rounds, most wins, head to head, Buchholz.

Mind Sports Olympiad, new: direct encounter, Median-Buchholz, Buchholz; places are shared after
that. An event's own page may differ; the tie-breaks are a setting.

Four players: the Olympiad's Blokus event (msoworld.com/events/blokus, 2017): four rounds with four
players at a board, the final by the standings so far with the top four at board 1, on each board
the top ranked player in seat 1; the winner has to come from the top board.
"""

import re
from dataclasses import dataclass
from typing import Final

from firmware.hall.tournament.codes import HallRefusal, Preset, TieBreak
from firmware.hall.tournament.errors import require
from firmware.rules.variants import GAMES, Variant

MOST_ROUNDS: Final = 99
"""Number of the last round: ids of matches have two digits."""

MOST_TABLES: Final = 999
"""Number of the last table."""

_PLAYER_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""Id of a player, of signs that no link escapes; ours are `P1`, `P2`, ... The 32 are chosen."""


@dataclass(frozen=True, slots=True)
class PresetRules:
    """The rules of a preset.

    Attributes:
        tie_breaks: its tie-breaks, the most important one first.
        win: points of a player who beats all opponents of a match.
        has_score_points: True if the points are the sum of the scores.
        has_final: True if the last round is drawn by rank alone and its first table has the winner.
    """

    tie_breaks: tuple[TieBreak, ...]
    win: int = 1
    has_score_points: bool = False
    has_final: bool = False


PRESETS: Final = {
    Preset.TWO_PLAYERS: PresetRules(
        (TieBreak.DIRECT, TieBreak.MEDIAN_BUCHHOLZ, TieBreak.BUCHHOLZ, TieBreak.MARGIN)
    ),
    Preset.OLYMPIAD_OLD: PresetRules(
        (TieBreak.HEAD_TO_HEAD, TieBreak.MARGIN_WITHOUT_BEST, TieBreak.SONNEBORN_BERGER)
    ),
    Preset.OLYMPIAD_NEW: PresetRules(
        (TieBreak.DIRECT, TieBreak.MEDIAN_BUCHHOLZ, TieBreak.BUCHHOLZ)
    ),
    Preset.FOUR_PLAYERS: PresetRules(
        (
            TieBreak.FINAL_TABLE,
            TieBreak.FINAL_RESULT,
            TieBreak.SCORES,
            TieBreak.WINS,
            TieBreak.DIRECT,
            TieBreak.MEDIAN_BUCHHOLZ,
        ),
        win=3,
        has_final=True,
    ),
    Preset.SUM_OF_SCORES: PresetRules((TieBreak.WINS, TieBreak.DIRECT), has_score_points=True),
}
"""Rules of each preset: how points are counted, and its tie-breaks in order."""

_FOR_TWO: Final = (Preset.TWO_PLAYERS, Preset.OLYMPIAD_OLD, Preset.OLYMPIAD_NEW)
"""Presets of matches of two."""


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a tournament.

    Attributes:
        name: name of the event.
        game: key of the game that is played.
        rounds: number of rounds.
        preset: preset of points, tie-breaks and size of a match.
        tie_breaks: tie-breaks, the most important one first; none for those of the preset.
        clock_s: seconds of each player for a game; 0 for no clock.
        round_s: seconds of a round; 0 for no clock of the round.
        seed: seed of the draws.

    Raises:
        TournamentError: they contradict each other.
    """

    name: str
    game: str
    rounds: int
    preset: Preset = Preset.TWO_PLAYERS
    tie_breaks: tuple[TieBreak, ...] = ()
    clock_s: int = 0
    round_s: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        require(self.game in GAMES, f"{self.game!r} is no game; they are {', '.join(GAMES)}")
        fits = self.preset not in _FOR_TWO or self.seats == 2
        sentence = f"the preset {self.preset} is for two players; {self.game} has {self.seats}"
        require(fits, sentence, HallRefusal.NOT_FITTING)
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
    def rules(self) -> PresetRules:
        """The rules of the preset."""
        return PRESETS[self.preset]

    @property
    def order(self) -> tuple[TieBreak, ...]:
        """The tie-breaks: the chosen ones, else those of the preset."""
        return self.tie_breaks or self.rules.tie_breaks

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
