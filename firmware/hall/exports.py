"""Results and standings as CSV, which name players by ids alone."""

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final

from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.matches import DrawnMatch
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a text that a spreadsheet would take for a formula."""


def number_text(value: Fraction | None) -> str:
    """A number for files: "2.5", at most three digits after the point; "" for None."""
    return "" if value is None else f"{float(value):.3f}".rstrip("0").rstrip(".")


def standings_csv(state: TournamentState) -> str:
    """The standings as CSV, a line for each player."""
    order = state.agreed.order
    rows: list[Sequence[object]] = [("place", "player", "points", *order, "played")]
    rows += [
        (
            row.place,
            row.player,
            number_text(row.points),
            *map(number_text, row.tie_breaks),
            row.played,
        )
        for row in standings(state)
    ]
    return _csv(rows)


def results_csv(state: TournamentState) -> str:
    """The matches of the published rounds as CSV, a line for each player of a match."""
    head = ("round", "match", "table", "seat", "player", "score", "place", "state")
    rows: list[Sequence[object]] = [(*head, "forfeited", "reason")]
    for one in _published(state):
        for match in one.matches:
            rows += [
                (one.number, match.id, match.table or "", *_player_columns(match, seat))
                for seat in range(len(match.players))
            ]
    return _csv(rows)


def _published(state: TournamentState) -> list[Any]:
    return [one for one in state.rounds if one.stage is not RoundStage.DRAWN]


def _player_columns(match: DrawnMatch, seat: int) -> tuple[object, ...]:
    player, outcome, ruling = match.players[seat], match.outcome, match.ruling
    return (
        seat + 1,
        player,
        outcome.scores[seat] if outcome and outcome.scores else "",
        outcome.places[seat] if outcome else "",
        match.state.value,
        "yes" if ruling and player in ruling.absent else "",
        _text(ruling.reason) if ruling else "",
    )


def _csv(rows: Iterable[Sequence[object]]) -> str:
    content = io.StringIO()
    csv.writer(content, lineterminator="\r\n").writerows(rows)
    return content.getvalue()


def _text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
