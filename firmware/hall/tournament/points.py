"""The points of each player in each round.

A match counts its win times the part of the opponents that was beaten, an equal one counting half:
1, 1/2 and 0 for two players; 3, 2, 1 and 0 for four; 3, 1 1/2 and 0 for three, so that a table of
three is worth as much as one of four. Partners are no opponents.

A drawn bye counts as a win of two players, and as half a win of more. A bye that was asked for
counts half. Who forfeits, withdrew, or entered later has nothing.

If the points are the sum of the scores, a bye and a win by forfeit count as the mean of the
player's own scores, and whatever else was not played as a game without a placement, since scores
are below zero.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch, MatchEnd, MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState
from firmware.rules.pieces import SQUARES_OF_A_COLOUR
from firmware.rules.variants import Variant

HALF: Final = Fraction(1, 2)
"""Part of an opponent that a draw beats, and of a win that a draw or a bye may be worth."""


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """The part of one player in one round.

    Attributes:
        number: number of the round.
        points: points for the standings.
        opponents: ids of the opponents; none unless the match was played.
        won: for each opponent the part that was won: 1, 1/2 or 0.
        place: place of the match from 1; 0 unless it was played.
        is_winner: True if the match was played and nobody else won it.
        score: own score; None unless the match was played and has scores.
        margin: own score less the mean of the opponents'; None unless the scores ended the match.
        order: number of the match in the order of the draw, from 1; 0 without one.
        is_absent: True if the player withdrew, had not entered, asked for a bye or forfeited.
    """

    number: int
    points: Fraction = Fraction(0)
    opponents: tuple[str, ...] = ()
    won: tuple[Fraction, ...] = ()
    place: int = 0
    is_winner: bool = False
    score: int | None = None
    margin: Fraction | None = None
    order: int = 0
    is_absent: bool = False

    @property
    def is_played(self) -> bool:
        """True if the player met opponents at a table."""
        return bool(self.opponents)


def player_rounds(state: TournamentState) -> Mapping[str, tuple[PlayerRound, ...]]:
    """The rounds of each player that have a result, for each player in the order of entry.

    A round that is drawn and not published does not count, nor does a match without a result.
    """
    found: dict[str, list[PlayerRound]] = {player: [] for player in state.players}
    settings = state.agreed
    for one in state.rounds:
        if one.stage is RoundStage.DRAWN:
            continue
        for order, match in enumerate(one.matches, 1):
            for part in _parts(settings, one.number, match):
                found[part[0]].append(replace(part[1], order=order))
        for player in state.players.keys() - one.players:
            found[player].append(PlayerRound(one.number, is_absent=True))
    rounds = {player: tuple(parts) for player, parts in found.items()}
    if settings.rules.has_score_points:
        worst = worst_score(settings.variant)
        return {player: _by_scores(parts, worst) for player, parts in rounds.items()}
    return rounds


def worst_score(game: Variant) -> int:
    """The score of a player who placed nothing."""
    colours = len(game.sides[0]) if len(game.sides) < len(game.colours) else 1
    return -colours * SQUARES_OF_A_COLOUR


def half_win(settings: TournamentSettings) -> Fraction:
    """The points of a draw; 0 if points are scores."""
    rules = settings.rules
    return Fraction(0) if rules.has_score_points else rules.win * HALF


def _parts(
    settings: TournamentSettings, number: int, match: DrawnMatch
) -> Iterator[tuple[str, PlayerRound]]:
    """Yields the part of each player of a match that has a result."""
    if match.is_bye:
        full = settings.seats == 2 and not match.is_asked
        points = settings.rules.win * (Fraction(1) if full else HALF)
        yield match.players[0], PlayerRound(number, points, is_absent=match.is_asked)
        return
    outcome = match.outcome
    if outcome is None:
        return
    absent = () if match.ruling is None else match.ruling.absent
    for seat, player in enumerate(match.players):
        won = _won(settings.variant, outcome, seat)
        points = settings.rules.win * sum(won.values(), Fraction(0)) / len(won)
        if outcome.end is MatchEnd.FORFEIT:
            gone = player in absent
            yield player, PlayerRound(number, Fraction(0) if gone else points, is_absent=gone)
        else:
            opponents = tuple(match.players[other] for other in won)
            yield (
                player,
                PlayerRound(
                    number,
                    points,
                    opponents,
                    tuple(won.values()),
                    outcome.places[seat],
                    all(part == 1 for part in won.values()),
                    outcome.scores[seat] if outcome.scores else None,
                    _margin(outcome, seat, tuple(won)),
                ),
            )


def _won(game: Variant, outcome: MatchOutcome, seat: int) -> dict[int, Fraction]:
    """For each opponent, by seat, the part that was won."""
    partners = _partners(game, len(outcome.places), seat)
    own = outcome.places[seat]
    return {
        other: Fraction(1) if own < place else HALF if own == place else Fraction(0)
        for other, place in enumerate(outcome.places)
        if other not in partners
    }


def _partners(game: Variant, count: int, seat: int) -> tuple[int, ...]:
    """Seats of a player's side, the own one included."""
    if game.people == count == len(game.colours) and len(game.sides) < count:
        return game.sides[game.side_of(seat)]
    return (seat,)


def _margin(outcome: MatchOutcome, seat: int, others: tuple[int, ...]) -> Fraction | None:
    if not outcome.scores or outcome.end is not MatchEnd.SCORE:
        return None
    return outcome.scores[seat] - Fraction(sum(outcome.scores[one] for one in others), len(others))


def _by_scores(parts: tuple[PlayerRound, ...], worst: int) -> tuple[PlayerRound, ...]:
    """The rounds of one player with scores as points."""
    own = [part.score for part in parts if part.score is not None]
    mean = Fraction(sum(own), len(own)) if own else Fraction(worst)
    return tuple(replace(part, points=_score_points(part, mean, worst)) for part in parts)


def _score_points(part: PlayerRound, mean: Fraction, worst: int) -> Fraction:
    if part.score is not None:
        return Fraction(part.score)
    return mean if part.points > 0 else Fraction(worst)
