"""A tournament typed as a table: who met whom with which scores."""

from collections.abc import Iterable, Sequence
from functools import reduce

from firmware.hall.tournament.events import (
    DrawnGroup,
    MatchForfeited,
    PlayerEntered,
    PlayerWithdrew,
    ResultReported,
    RoundDrawn,
    RoundLocked,
    RoundPublished,
    SettingsChosen,
    TournamentEvent,
)
from firmware.hall.tournament.matches import MatchOutcome
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.state import TournamentState, apply_event

Row = tuple[str, str]
"""Players and scores: ("P1 P2", "-3 -8"), ("P5", "") for a bye, and ("P1 P2", "P2 absent")."""


def fold(
    events: Iterable[TournamentEvent], state: TournamentState | None = None
) -> TournamentState:
    """The state after events.

    Raises:
        TournamentError: one of them cannot follow.
    """
    return reduce(apply_event, events, state or TournamentState())


def begun(settings: TournamentSettings, players: int) -> TournamentState:
    """A tournament whose players P1, P2 and so on have entered."""
    entries = (PlayerEntered(f"P{number}") for number in range(1, players + 1))
    return fold((SettingsChosen(settings), *entries))


def played(
    state: TournamentState, *rounds: Sequence[Row], withdrawn: Iterable[str] = ()
) -> TournamentState:
    """The tournament after further rounds, each locked.

    Args:
        state: the tournament.
        rounds: the rows of each round.
        withdrawn: ids of players who withdraw after the first of these rounds.
    """
    for place, rows in enumerate(rounds):
        number = state.next_round
        drawn, results = [], []
        for table, (names, scores) in enumerate(rows, 1):
            players = tuple(names.split())
            alone = len(players) == 1
            drawn.append(DrawnGroup(players, 0 if alone else table))
            if not alone:
                results.append(_result(f"{number}-{table:02}", scores))
        events: list[TournamentEvent] = [RoundDrawn(number, tuple(drawn)), RoundPublished(number)]
        state = fold((*events, *results, RoundLocked(number)), state)
        if place == 0:
            for player in withdrawn:
                state = apply_event(state, PlayerWithdrew(player))
    return state


def _result(match: str, scores: str) -> TournamentEvent:
    if "absent" in scores:
        return MatchForfeited(match, tuple(scores.split()[:-1]))
    outcome = MatchOutcome.by_scores([int(one) for one in scores.split()])
    return ResultReported(match, outcome)
