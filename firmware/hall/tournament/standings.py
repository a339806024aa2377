"""The order of the players: points, then each tie-break among those who are still equal.

Rounds that were not played follow the regulations of FIDE since 2023 (handbook.fide.com,
"Tie-Break Regulations", on unplayed rounds), as the program `tiebreak` (npmjs.com/package/tiebreak)
computes them too:

- In the own Buchholz, a round without an opponent (bye, forfeit either way, absence) counts as a
  match against a dummy opponent who ends with as many points as the player.
- In the Buchholz of others, a player's points are what was scored, byes and forfeits included, but
  every round at the end that the player was absent from counts as a draw. So nobody is hurt by an
  opponent who goes home.

Until 2022 a virtual opponent was used that began with the player's points before that round and
drew the rest, which Vega still describes. With byes it gives other values; no setting brings it
back.

At a table of three or four the mean of the opponents' points counts, so that a round is worth the
same at any table.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, takewhile
from typing import Final

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.points import HALF, PlayerRound, player_rounds
from firmware.hall.tournament.state import TournamentState

NOTHING: Final = Fraction(0)
"""No points; sums begin with it, so that an empty one is a fraction as well."""


@dataclass(frozen=True, slots=True)
class PointsTable:
    """The points from which tie-breaks are computed.

    Attributes:
        rounds: the rounds of each player that have a result.
        points: sum of the points of each player.
        adjusted: the same as it counts for the Buchholz of opponents.
    """

    rounds: Mapping[str, tuple[PlayerRound, ...]]
    points: Mapping[str, Fraction]
    adjusted: Mapping[str, Fraction]


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
    table = _points_table(state)
    comparisons = [_COMPARISONS[one] for one in state.agreed.order]
    rows: list[RankedPlayer] = []
    for group, (points, *values) in _groups(table, tuple(state.players), [_points, *comparisons]):
        place = len(rows) + 1
        for player in group:
            played = sum(part.is_played for part in table.rounds[player])
            found = tuple(one[player] for one in values)
            rows.append(RankedPlayer(place, player, points[player] or NOTHING, found, played))
    return tuple(rows)


_Values = dict[str, Fraction | None]
"""Values of the players whom a comparison compared; None for all if it decides nothing."""

_Comparison = Callable[[PointsTable, Sequence[str]], _Values]


def _groups(
    table: PointsTable, tied: Sequence[str], comparisons: Sequence[_Comparison]
) -> Iterator[tuple[Sequence[str], tuple[_Values, ...]]]:
    """Yields the groups of equal players, the best first, with the values of each comparison."""
    if not comparisons:
        yield tied, ()
        return
    found = comparisons[0](table, tied)

    def value(player: str) -> Fraction:
        return found[player] or NOTHING

    for _, group in groupby(sorted(tied, key=value, reverse=True), key=value):
        for equal, rest in _groups(table, tuple(group), comparisons[1:]):
            yield equal, (found, *rest)


def _points_table(state: TournamentState) -> PointsTable:
    """The points of a tournament so far."""
    rounds = player_rounds(state)
    points = {
        player: sum((part.points for part in parts), NOTHING) for player, parts in rounds.items()
    }
    draw = state.agreed.win * HALF
    adjusted = {
        player: points[player] + _absent_at_end(parts, draw) for player, parts in rounds.items()
    }
    return PointsTable(rounds, points, adjusted)


def _absent_at_end(parts: Sequence[PlayerRound], draw: Fraction) -> Fraction:
    """Points that are added as draws for the rounds at the end that a player was absent from."""
    at_end = tuple(takewhile(lambda part: part.is_absent, reversed(parts)))
    return sum((draw - part.points for part in at_end), NOTHING)


def _direct(table: PointsTable, tied: Sequence[str]) -> _Values:
    """Points among each other, if all of them met."""
    parts = {player: _against(table, player, tied) for player in tied}
    if len(tied) < 2 or any(
        {other for other, _ in met} != {*tied} - {one} for one, met in parts.items()
    ):
        return dict.fromkeys(tied)
    return {player: sum((won for _, won in met), NOTHING) for player, met in parts.items()}


def _against(
    table: PointsTable, player: str, tied: Sequence[str]
) -> tuple[tuple[str, Fraction], ...]:
    """The opponents among `tied` whom a player met, each with the part that was won."""
    return tuple(
        (other, won)
        for part in table.rounds[player]
        for other, won in zip(part.opponents, part.won, strict=True)
        if other in tied
    )


def _buchholz(table: PointsTable, player: str) -> Fraction:
    """For each round the points of the opponents, or of the dummy."""
    rounds = (
        sum((table.adjusted[other] for other in part.opponents), NOTHING) / len(part.opponents)
        if part.is_played
        else table.points[player]
        for part in table.rounds[player]
    )
    return sum(rounds, NOTHING)


def _margin(table: PointsTable, player: str) -> Fraction:
    margins = (part.margin for part in table.rounds[player] if part.margin is not None)
    return sum(margins, NOTHING)


def _each(value: Callable[[PointsTable, str], Fraction]) -> _Comparison:
    """The comparison by a value that depends on the player alone."""
    return lambda table, tied: {player: value(table, player) for player in tied}


_points: Final = _each(lambda table, player: table.points[player])
"""The comparison by points, before all others."""

_COMPARISONS: Final[dict[TieBreak, _Comparison]] = {
    TieBreak.DIRECT: _direct,
    TieBreak.BUCHHOLZ: _each(_buchholz),
    TieBreak.WINS: _each(
        lambda table, player: Fraction(sum(part.is_winner for part in table.rounds[player]))
    ),
    TieBreak.MARGIN: _each(_margin),
}
"""Functions that return the values of the tied players, by tie-break."""
