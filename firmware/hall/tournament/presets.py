"""The presets: points of a match, tie-breaks, and a final by rank.

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

from dataclasses import dataclass
from typing import Final

from firmware.hall.tournament.codes import Preset, TieBreak
from firmware.hall.tournament.settings import TournamentSettings


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


def rules_of(settings: TournamentSettings) -> PresetRules:
    """The rules of a tournament's preset."""
    return PRESETS[settings.preset]


def tie_breaks_of(settings: TournamentSettings) -> tuple[TieBreak, ...]:
    """The tie-breaks of a tournament: the chosen ones, else those of its preset."""
    return settings.tie_breaks or rules_of(settings).tie_breaks
