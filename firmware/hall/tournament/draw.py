"""The draw of a round, and what is unusual in a round that is drawn or swapped by hand.

A draw depends on the events so far and the seed of the tournament alone: drawn again, it is the
same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

from firmware.hall.tournament.codes import HallRefusal, UnusualCode
from firmware.hall.tournament.errors import require
from firmware.hall.tournament.events import DrawnGroup, RoundDrawn
from firmware.hall.tournament.group_draw import draw_groups, group_sizes
from firmware.hall.tournament.history import DrawHistory, history_of
from firmware.hall.tournament.matches import DrawnMatch, RoundWarning
from firmware.hall.tournament.pair_draw import MOST_BALANCE, draw_pairs
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState, check_drawable


def draw_round(state: TournamentState, number: int, tables: Sequence[int] = ()) -> RoundDrawn:
    """Draws a round; `apply_event` makes it part of the tournament.

    Args:
        state: the tournament.
        number: number of the round: the next one, or the last one if it is not published.
        tables: numbers of the tables that can be used, the first ones first; none for 1, 2, 3 and
            so on. Matches beyond them have no table.

    Raises:
        TournamentError: the round cannot be drawn now.
    """
    check_drawable(state, number)
    players = state.active(number)
    require(
        len(players) >= 2, "a round needs two players at least; enter more", HallRefusal.TOO_FEW
    )
    matches = _drawn(replace(state, rounds=state.rounds[: number - 1]), number, players)
    return RoundDrawn(number, tuple(_at_tables(matches, tables or range(1, len(matches) + 1))))


def unusual(state: TournamentState, number: int) -> tuple[RoundWarning, ...]:
    """Returns the warnings about the matches of a round that is drawn.

    Raises:
        TournamentError: it is not drawn.
    """
    one = state.round(number)
    history = history_of(state.rounds[: number - 1], state.agreed.seats)
    return tuple(warning for match in one.matches for warning in _unusual(match, history))


def game_of(state: TournamentState, players: int) -> str:
    """Key of the game of a match, which depends on the number of its players.

    A table of three of a tournament of four plays the form of that game for three, if there is
    one.
    """
    game = state.agreed.game
    if players == state.agreed.seats:
        return game
    return _SMALLER.get((game, players), game)


_SMALLER: Final = {
    ("classic", 3): "classic-3",
    ("classic", 2): "classic-2",
    ("classic-3", 2): "classic-2",
    ("duo-4-3", 2): "duo-4",
}
"""Games with fewer players than a tournament's own."""


def _drawn(state: TournamentState, number: int, players: Sequence[str]) -> list[tuple[str, ...]]:
    """The matches of the round after all those of a tournament."""
    settings = state.agreed
    rows = {row.player: row for row in standings(state)}
    ranked = list(players)
    _random(state, number, "order").shuffle(ranked)
    ranked.sort(key=lambda player: rows[player].place)
    points = [rows[player].points for player in ranked]
    history = history_of(state.rounds, settings.seats)
    random = _random(state, number, "draw")
    if settings.seats == 2:
        return draw_pairs(ranked, points, history, random)
    sizes = group_sizes(len(ranked), settings.seats, with_three=_plays_with_three(settings.game))
    return draw_groups(ranked, points, sizes, history, random)


def _random(state: TournamentState, number: int, purpose: str) -> Random:
    return Random(f"{state.agreed.seed} {number} {purpose}")  # noqa: S311 - repeatable by the seed


def _plays_with_three(game: str) -> bool:
    """True if a game of four can be played by three."""
    return (game, 3) in _SMALLER


def _at_tables(matches: Sequence[tuple[str, ...]], tables: Sequence[int]) -> Iterator[DrawnGroup]:
    numbers = iter(tables)
    for players in matches:
        yield DrawnGroup(players, next(numbers, 0) if len(players) > 1 else 0)


def _unusual(match: DrawnMatch, history: DrawHistory) -> Iterator[RoundWarning]:
    if match.is_bye:
        if history.byes[match.players[0]]:
            yield RoundWarning(UnusualCode.SECOND_BYE, match.players)
        return
    for two in combinations(match.players, 2):
        if history.met(*two):
            yield RoundWarning(UnusualCode.REMATCH, two)
    if len(match.players) == 2:
        for player, step in zip(match.players, (1, -1), strict=True):
            if abs(history.balance(player) + step) > MOST_BALANCE:
                yield RoundWarning(UnusualCode.BALANCE, (player,))
    if not match.table:
        yield RoundWarning(UnusualCode.MISSING_TABLE, match.players)
