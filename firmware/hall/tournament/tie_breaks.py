"""Comparisons of players with equal points; a greater value is better.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile
from typing import Final

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.points import PlayerRound, half_win, player_rounds
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
        final: number of the last round of the tournament.
    """

    rounds: Mapping[str, tuple[PlayerRound, ...]]
    points: Mapping[str, Fraction]
    adjusted: Mapping[str, Fraction]
    final: int


def points_table(state: TournamentState) -> PointsTable:
    """The points of a tournament so far."""
    rounds = player_rounds(state)
    points = {
        player: sum((part.points for part in parts), NOTHING) for player, parts in rounds.items()
    }
    draw = half_win(state.agreed)
    adjusted = {
        player: points[player] + _absent_at_end(parts, draw) for player, parts in rounds.items()
    }
    return PointsTable(rounds, points, adjusted, state.agreed.rounds)


def values(
    table: PointsTable, tie_break: TieBreak, tied: Sequence[str]
) -> dict[str, Fraction | None]:
    """The values of a tie-break for players with equal points.

    Args:
        table: the points so far.
        tie_break: the tie-break.
        tied: ids of two or more players.

    Returns:
        For each of them the value; None for all if the tie-break decides nothing among them.
    """
    return _COMPARISONS[tie_break](table, tied)


def _absent_at_end(parts: Sequence[PlayerRound], draw: Fraction) -> Fraction:
    """Points that are added as draws for the rounds at the end that a player was absent from."""
    at_end = tuple(takewhile(lambda part: part.is_absent, reversed(parts)))
    return sum((draw - part.points for part in at_end), NOTHING)


def _direct(table: PointsTable, tied: Sequence[str]) -> dict[str, Fraction | None]:
    """Points among each other, if all of them met."""
    parts = {player: _against(table, player, tied) for player in tied}
    if len(tied) < 2 or any(
        {other for other, _ in met} != {*tied} - {one} for one, met in parts.items()
    ):
        return dict.fromkeys(tied)
    return {player: sum((won for _, won in met), NOTHING) for player, met in parts.items()}


def _head_to_head(table: PointsTable, tied: Sequence[str]) -> dict[str, Fraction | None]:
    """1 for a player who beat all others of them, -1 for one who lost to all, else 0."""
    found: dict[str, Fraction | None] = {}
    for player in tied:
        met = _against(table, player, tied)
        everybody = len(tied) > 1 and {other for other, _ in met} >= {*tied} - {player}
        parts = {won for _, won in met}
        sign = 1 if parts == {Fraction(1)} else -1 if parts == {NOTHING} else 0
        found[player] = Fraction(sign if everybody else 0)
    return found if any(found.values()) else dict.fromkeys(tied)


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


def _opponents_points(table: PointsTable, player: str) -> list[Fraction]:
    """For each round the points of the opponents, or of the dummy."""
    return [
        sum((table.adjusted[other] for other in part.opponents), NOTHING) / len(part.opponents)
        if part.is_played
        else table.points[player]
        for part in table.rounds[player]
    ]


def _buchholz(table: PointsTable, player: str) -> Fraction:
    return sum(_opponents_points(table, player), NOTHING)


def _median_buchholz(table: PointsTable, player: str) -> Fraction:
    return sum(sorted(_opponents_points(table, player))[1:-1], NOTHING)


def _sonneborn_berger(table: PointsTable, player: str) -> Fraction:
    """A win by default counts as one against the dummy."""
    total = NOTHING
    for part in table.rounds[player]:
        if part.is_played:
            pairs = zip(part.opponents, part.won, strict=True)
            beaten = sum((won * table.adjusted[other] for other, won in pairs), NOTHING)
            total += beaten / len(part.opponents)
        elif part.points > 0:
            total += table.points[player] * min(part.points, Fraction(1))
    return total


def _margins(table: PointsTable, player: str) -> list[Fraction]:
    return [part.margin for part in table.rounds[player] if part.margin is not None]


def _margin_without_best(table: PointsTable, player: str) -> Fraction:
    return sum(sorted(_margins(table, player))[:-1], NOTHING)


def _scores(table: PointsTable, player: str) -> Fraction:
    scores = (part.score for part in table.rounds[player] if part.score is not None)
    return Fraction(sum(scores))


def _final(table: PointsTable, player: str) -> PlayerRound | None:
    return next((part for part in table.rounds[player] if part.number == table.final), None)


def _final_table(table: PointsTable, player: str) -> Fraction:
    part = _final(table, player)
    return Fraction(-part.order) if part and part.order else Fraction(-len(table.rounds) - 1)


def _final_result(table: PointsTable, player: str) -> Fraction:
    part = _final(table, player)
    return part.points if part else NOTHING


_Comparison = Callable[[PointsTable, Sequence[str]], dict[str, Fraction | None]]


def _each(value: Callable[[PointsTable, str], Fraction]) -> _Comparison:
    """The comparison by a value that depends on the player alone."""
    return lambda table, tied: {player: value(table, player) for player in tied}


_COMPARISONS: Final[dict[TieBreak, _Comparison]] = {
    TieBreak.DIRECT: _direct,
    TieBreak.HEAD_TO_HEAD: _head_to_head,
    TieBreak.MEDIAN_BUCHHOLZ: _each(_median_buchholz),
    TieBreak.BUCHHOLZ: _each(_buchholz),
    TieBreak.SONNEBORN_BERGER: _each(_sonneborn_berger),
    TieBreak.WINS: _each(
        lambda table, player: Fraction(sum(part.is_winner for part in table.rounds[player]))
    ),
    TieBreak.MARGIN: _each(lambda table, player: sum(_margins(table, player), NOTHING)),
    TieBreak.MARGIN_WITHOUT_BEST: _each(_margin_without_best),
    TieBreak.SCORES: _each(_scores),
    TieBreak.FINAL_TABLE: _each(_final_table),
    TieBreak.FINAL_RESULT: _each(_final_result),
}
"""Functions that return the values of the tied players, by tie-break."""
