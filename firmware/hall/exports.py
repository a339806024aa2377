"""Results and standings as files: CSV, JSON, TRF, and a zip of records.

All name players by ids alone.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from firmware.hall.link.messages import GameRecord
from firmware.hall.tournament.codes import RoundStage
from firmware.hall.tournament.errors import require
from firmware.hall.tournament.matches import DrawnMatch
from firmware.hall.tournament.points import PlayerRound, player_rounds
from firmware.hall.tournament.standings import standings
from firmware.hall.tournament.state import TournamentState
from firmware.records.root_properties import game_of as game_of_record
from firmware.records.root_properties import name_properties
from firmware.records.sgf import parse, serialise
from firmware.rules.errors import RulesError
from web.contract.schema import plain

_NAMES: Final = ("PB", "PW", "P1", "P2", "P3", "P4")
"""Properties of a record that name people."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Time of the files in a zip, the earliest possible: the same records make the same file."""

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


def tournament_json(state: TournamentState) -> str:
    """Settings, players, published rounds and standings as JSON."""
    order = state.agreed.order
    table: dict[str, Any] = {
        "settings": plain(state.agreed),
        "players": [plain(player) for player in state.players.values()],
        "rounds": [plain(one) for one in _published(state)],
        "standings": [
            {
                "place": row.place,
                "player": row.player,
                "points": number_text(row.points),
                "tie_breaks": dict(zip(order, map(number_text, row.tie_breaks), strict=True)),
                "played": row.played,
            }
            for row in standings(state)
        ],
    }
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def tournament_trf(state: TournamentState) -> str:
    """A tournament of matches of two as a Tournament Report File.

    The columns are those of TRF16 (handbook.fide.com, C.04 Annex 2); `XXR`, the number of rounds,
    is from the extension TRF(x). Players are numbered in the order of entry. Whoever was first in a
    match is "w". A bye that was drawn is "U", one that was asked for "H", an absence "Z", a forfeit
    "+" or "-". A match without a result is left out.

    Raises:
        TournamentError: its matches have more than two players, or its points are scores.
    """
    fits = state.agreed.seats == 2 and not state.agreed.rules.has_score_points
    require(fits, "a TRF file has wins of matches of two players; export CSV or JSON")
    numbers = {player: number for number, player in enumerate(state.players, 1)}
    ranks = {row.player: row for row in standings(state)}
    lines = [
        f"012 {state.agreed.name}",
        f"062 {len(numbers)}",
        "092 Individual: Swiss-System",
        f"XXR {state.agreed.rounds}",
    ]
    rounds = player_rounds(state)
    for player, number in numbers.items():
        row = ranks[player]
        parts = {part.number: part for part in rounds[player]}
        results = "".join(
            f"  {_trf_result(one.number, player, state, parts, numbers)}"
            for one in _published(state)
        )
        head = f"001 {number:>4} {'':4} {player:<33} {'':4} {'':3} {'':11} {'':10}"
        lines.append(f"{head} {float(row.points):>4.1f} {row.place:>4}{results}".rstrip())
    return "\r\n".join(lines) + "\r\n"


def records_zip(records: Iterable[GameRecord], players: Mapping[str, Sequence[str]]) -> bytes:
    """The records as a zip, in each the players' names replaced by their ids.

    One that is no record is left out, since it may have names; `left-out.txt` lists those.

    Args:
        records: the records of games of matches.
        players: ids of the players of each match, in the order of play.
    """
    content = io.BytesIO()
    left_out = []
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for record in sorted(records, key=lambda one: (one.pairing, one.name)):
            try:
                text = with_ids(record.sgf, players[record.pairing])
            except RulesError:
                left_out.append(f"{record.pairing} {record.name}\n")
                continue
            _add(file, f"{record.pairing}-{_file_name(record.name)}.blksgf", text)
        if left_out:
            _add(file, "left-out.txt", "".join(left_out))
    return content.getvalue()


def with_ids(sgf: str, players: Sequence[str]) -> str:
    """A record with ids in place of the names of its people.

    Raises:
        RulesError: it is no record.
    """
    root = parse(sgf)
    game = game_of_record(root)
    root.properties[:] = [item for item in root.properties if item.identifier not in _NAMES]
    for identifier, value in name_properties(game, players):
        root.set(identifier, value)
    return serialise(root)


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


def _trf_result(
    number: int,
    player: str,
    state: TournamentState,
    parts: Mapping[int, PlayerRound],
    numbers: Mapping[str, int],
) -> str:
    """Opponent, colour and result of a round, 8 columns."""
    part = parts.get(number)
    if part is None:
        return " " * 8
    if not part.order:
        return "0000 - Z"
    match = state.round(number).matches[part.order - 1]
    if match.is_bye:
        return f"0000 - {'H' if match.is_asked else 'U'}"
    other = next(one for one in match.players if one != player)
    side = "w" if match.players[0] == player else "b"
    if part.is_played:
        return f"{numbers[other]:>4} {side} {'0=1'[int(2 * part.points)]}"
    return f"{numbers[other]:>4} {side} {'-' if part.is_absent else '+'}"


def _csv(rows: Iterable[Sequence[object]]) -> str:
    content = io.StringIO()
    csv.writer(content, lineterminator="\r\n").writerows(rows)
    return content.getvalue()


def _text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)[:100]


def _add(file: zipfile.ZipFile, name: str, text: str) -> None:
    file.writestr(zipfile.ZipInfo(name, _EPOCH), text, zipfile.ZIP_DEFLATED)
