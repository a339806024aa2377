"""Tournaments at random: players of different strength, late entries, withdrawals and forfeits."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from firmware.hall.tournament.draw import draw_round
from firmware.hall.tournament.events import (
    MatchForfeited,
    PlayerEntered,
    PlayerReturned,
    PlayerWithdrew,
    ResultReported,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.matches import DrawnMatch, MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event, next_player_id
from tests.support.typed_tournament import fold


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A round that was just drawn.

    Attributes:
        before: the tournament before the draw.
        after: the tournament after it.
        seconds: CPU time of the draw.
    """

    before: TournamentState
    after: TournamentState
    seconds: float


def random_settings(random: Random, game: str, players: int) -> TournamentSettings:
    """Settings with fewer rounds than a player has opponents.

    In matches of four nobody has to meet half of the others twice.
    """
    most = min(9, players - 1) if game == "duo" else min(6, players // 2 - 1)
    rounds = random.randint(min(3, most), most)
    return TournamentSettings("Random", game, rounds, seed=random.randrange(10**6))


def rounds_of(
    random: Random, settings: TournamentSettings, players: int, *, lively: bool = True
) -> Iterator[DrawnStep]:
    """Plays a tournament; yields each round once it is drawn.

    Args:
        random: decides everything.
        settings: its settings.
        players: number of players at the start.
        lively: False for players who all come and stay.
    """
    state = fold((SettingsChosen(settings),))
    for _ in range(players):
        state = apply_event(state, PlayerEntered(next_player_id(state)))
    strength = {player: random.gauss(0, 1) for player in state.players}
    for number in range(1, settings.rounds + 1):
        for event in _comings(random, state, number) if lively else ():
            state = apply_event(state, event)
        strength |= {one: random.gauss(0, 1) for one in state.players.keys() - strength.keys()}
        begun = time.process_time()
        drawn = draw_round(state, number)
        seconds = time.process_time() - begun
        after = apply_event(state, drawn)
        yield DrawnStep(state, after, seconds)
        state = _played(random, after, number, strength, lively=lively)


def _comings(random: Random, state: TournamentState, number: int) -> Iterator[TournamentEvent]:
    new = next_player_id(state)
    if number > 1 and random.random() < 0.15:
        yield PlayerEntered(new)
    active = list(state.active(number))
    if len(active) > 4 and random.random() < 0.2:
        yield PlayerWithdrew(random.choice(active), "went home")
    gone = [one.id for one in state.players.values() if one.withdrawn_from is not None]
    if gone and random.random() < 0.2:
        yield PlayerReturned(random.choice(gone))


def _played(
    random: Random,
    state: TournamentState,
    number: int,
    strength: dict[str, float],
    *,
    lively: bool,
) -> TournamentState:
    events: list[TournamentEvent] = [RoundPublished(number)]
    for match in state.round(number).matches:
        if match.is_bye:
            continue
        if lively and random.random() < 0.02:
            events.append(MatchForfeited(match.id, (random.choice(match.players),), "not there"))
        else:
            events.append(ResultReported(match.id, _outcome(random, match, strength)))
    return fold((*events, RoundLocked(number)), state)


def _outcome(random: Random, match: DrawnMatch, strength: dict[str, float]) -> MatchOutcome:
    forms = (strength[player] + random.gauss(0, 0.7) for player in match.players)
    return MatchOutcome.by_scores([min(20, round(-10 + 5 * form)) for form in forms])
