"""The order of the players: points, then each tie-break among those who are still equal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.state import TournamentState
from firmware.hall.tournament.tie_breaks import PointsTable, points_table, values


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """One line of the standings.

    Attributes:
        place: place from 1; players who share one have the same.
        player: id of the player.
        points: points.
        tie_breaks: the value of each tie-break of the tournament; None where it decides nothing.
        played: number of matches that were played.
    """

    place: int
    player: str
    points: Fraction
    tie_breaks: tuple[Fraction | None, ...]
    played: int


def standings(state: TournamentState) -> tuple[RankedPlayer, ...]:
    """The standings after all results so far, the best first.

    Players who share a place are in the order of entry. A result counts as soon as it is reported
    and nobody disputes it.
    """
    table = points_table(state)
    order = state.agreed.order
    rows = []
    place = 1
    for group, found in _resolved(table, tuple(state.players), order):
        for player in group:
            played = sum(part.is_played for part in table.rounds[player])
            found_here = tuple(one[player] for one in found)
            rows.append(RankedPlayer(place, player, table.points[player], found_here, played))
        place += len(group)
    return _winner_first(state, tuple(rows))


_Found = tuple[dict[str, Fraction | None], ...]
"""For each tie-break the values of the players whom it compared."""


def _resolved(
    table: PointsTable, players: Sequence[str], order: Sequence[TieBreak]
) -> Iterator[tuple[Sequence[str], _Found]]:
    """Yields the groups of equal players, the best first."""

    def points(player: str) -> Fraction:
        return table.points[player]

    for _, group in groupby(sorted(players, key=points, reverse=True), key=points):
        yield from _broken(table, tuple(group), order)


def _broken(
    table: PointsTable, tied: tuple[str, ...], order: Sequence[TieBreak]
) -> Iterator[tuple[Sequence[str], _Found]]:
    if not order:
        yield tied, ()
        return
    found = values(table, order[0], tied)

    def value(player: str) -> Fraction:
        return found[player] or Fraction(0)

    for _, group in groupby(sorted(tied, key=value, reverse=True), key=value):
        for equal, rest in _broken(table, tuple(group), order[1:]):
            yield equal, (found, *rest)


def _winner_first(
    state: TournamentState, rows: tuple[RankedPlayer, ...]
) -> tuple[RankedPlayer, ...]:
    """The standings with the winner from the first table of the final, once that has a result."""
    last = state.agreed.rounds
    if not state.agreed.rules.has_final or len(state.rounds) < last:
        return rows
    top = state.round(last).matches[0]
    if top.is_bye or top.outcome is None:
        return rows
    best = next(row for row in rows if row.player in top.players)
    if best.place == 1:
        return rows
    ahead = tuple(replace(row, place=row.place + 1) for row in rows if row.place < best.place)
    rest = tuple(row for row in rows if row.place >= best.place and row != best)
    return (replace(best, place=1), *ahead, *(_after(best, row) for row in rest))


def _after(best: RankedPlayer, row: RankedPlayer) -> RankedPlayer:
    """A player who shared the place of the winner is one behind."""
    return replace(row, place=row.place + 1) if row.place == best.place else row
