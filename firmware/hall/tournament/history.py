"""Meetings, seats and byes of the rounds before, for a draw.

A match that was not played because of a forfeit is no meeting, and gives nobody a seat. Whoever won
by forfeit counts as having had a bye: so it is in the FIDE rules of Swiss systems (C.04.1).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from firmware.hall.tournament.matches import DrawnMatch, DrawnRound, MatchEnd


@dataclass(frozen=True, slots=True)
class DrawHistory:
    """The rounds before a draw.

    Attributes:
        meetings: for each two players, as a frozenset of ids, the number of their matches.
        seats: for each player and seat the number of matches, the seat counted from 0.
        byes: for each player the byes and the wins by forfeit.
        small_tables: for each player the matches of fewer players than a full one has.
        last_seat: for each player the seat in the last match.
    """

    meetings: Counter[frozenset[str]] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    small_tables: Counter[str] = field(default_factory=Counter)
    last_seat: dict[str, int] = field(default_factory=dict)

    def met(self, one: str, other: str) -> int:
        """Number of matches of two players."""
        return self.meetings[frozenset((one, other))]

    def balance(self, player: str) -> int:
        """Matches in which the player was first, less those in which second."""
        return self.seats[player, 0] - self.seats[player, 1]


def history_of(rounds: Iterable[DrawnRound], full: int) -> DrawHistory:
    """The history that rounds add up to.

    Args:
        rounds: the rounds before the draw.
        full: players of a full match.
    """
    history = DrawHistory()
    for one in rounds:
        for match in one.matches:
            _add(history, match, full)
    return history


def _add(history: DrawHistory, match: DrawnMatch, full: int) -> None:
    if match.is_bye:
        history.byes[match.players[0]] += 1
        return
    absent = () if match.ruling is None else match.ruling.absent
    present = [player for player in match.players if player not in absent]
    history.meetings.update(map(frozenset, combinations(present, 2)))
    outcome = match.outcome
    if outcome is not None and outcome.end is MatchEnd.FORFEIT:
        history.byes.update(present if len(present) == 1 else ())
        return
    for seat, player in enumerate(match.players):
        history.seats[player, seat] += 1
        history.last_seat[player] = seat
        history.small_tables[player] += len(match.players) < full
