"""The points of each player in each round.

A match counts its win times the part of the opponents that was beaten, an equal one counting half:
1, 1/2 and 0 for two players; 3, 2, 1 and 0 for four; 3, 1 1/2 and 0 for three, so that a table of
three is worth as much as one of four. Partners are no opponents.

A bye counts as a win of two players, and as half a win of more. Who forfeits, withdrew, or entered
later has nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch, MatchEnd, MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState
from firmware.rules.variants import Variant

HALF: Final = Fraction(1, 2)
"""Part of an opponent that a draw beats, and of a win that a draw or a bye may be worth."""


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """The part of one player in one round.

    Attributes:
        points: points for the standings.
        opponents: ids of the opponents; none unless the match was played.
        won: for each opponent the part that was won: 1, 1/2 or 0.
        is_winner: True if the match was played and nobody else won it.
        margin: own score less the mean of the opponents'; None unless the scores ended the match.
        is_absent: True if the player withdrew, had not entered or forfeited.
    """

    points: Fraction = Fraction(0)
    opponents: tuple[str, ...] = ()
    won: tuple[Fraction, ...] = ()
    is_winner: bool = False
    margin: Fraction | None = None
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
        for match in one.matches:
            for player, part in _parts(settings, match):
                found[player].append(part)
        for player in state.players.keys() - one.players:
            found[player].append(PlayerRound(is_absent=True))
    return {player: tuple(parts) for player, parts in found.items()}


def _parts(settings: TournamentSettings, match: DrawnMatch) -> Iterator[tuple[str, PlayerRound]]:
    """Yields the part of each player of a match that has a result."""
    if match.is_bye:
        points = settings.win * (Fraction(1) if settings.seats == 2 else HALF)
        yield match.players[0], PlayerRound(points)
        return
    outcome = match.outcome
    if outcome is None:
        return
    absent = () if match.ruling is None else match.ruling.absent
    for seat, player in enumerate(match.players):
        won = _won(settings.variant, outcome, seat)
        points = settings.win * sum(won.values(), Fraction(0)) / len(won)
        if outcome.end is MatchEnd.FORFEIT:
            gone = player in absent
            yield player, PlayerRound(Fraction(0) if gone else points, is_absent=gone)
        else:
            opponents = tuple(match.players[other] for other in won)
            yield (
                player,
                PlayerRound(
                    points,
                    opponents,
                    tuple(won.values()),
                    all(part == 1 for part in won.values()),
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
