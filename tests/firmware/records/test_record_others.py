"""Records of other programs are read as Pentobi reads them.

`pentobi-games.json` and `pentobi-odd.json` of `tests/records` have what Pentobi 31 (commit 7cdd99b)
answered when it was given these records.
"""

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from firmware.records.record import Record
from firmware.records.replay import (
    Entry,
    ReplayedMove,
    ReplayedSetup,
    final_position,
    open_record,
    replay,
)
from firmware.rules.errors import RecordError
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import GAMES, Variant
from tests.conftest import ROOT
from tests.support.random_games import played

RECORDS = ROOT / "tests" / "records"
ODD = json.loads((RECORDS / "pentobi-odd.json").read_text(encoding="utf-8"))
GAMES_OF_OURS = json.loads((RECORDS / "pentobi-games.json").read_text(encoding="utf-8"))
ALL_SQUARES = 89


def game_of(key: str) -> Variant:
    """Returns the game of `classic-3/0`, with its shared colour, or of `duo`."""
    name, _, shared = key.partition("/")
    return GAMES[name].sharing(int(shared)) if shared else GAMES[name]


def whole_game(key: str, seed: int) -> bytes:
    """Returns a record of a random game to its end.

    In every fifth one a move is refused, another taken back, and the position set by hand.
    """
    chance = random.Random(seed)  # noqa: S311
    position = Position.start(game_of(key))
    record = Record.new(position.game)
    ply = 0
    while (colour := position.to_move) is not None:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        ply += 1
        if seed % 5 == 0 and ply == 8:
            record.attempt(move.squares, (colour + 1) % len(position.game.colours))
            record.play(move, colour)
            record.take_back()
            other = played(position.game.key, seed + 1, 10)
            if other.game == position.game:
                record.set_position(position, other)
                position = other
                continue
        record.play(move, colour)
        position = position.play(move)
    return record.write()


def answer_of(record: Record, entries: list[Entry]) -> dict[str, Any]:
    """Returns the last position of a record in the words of Pentobi's answers."""
    position = final_position(record, entries)
    colours = position.game.colours
    points = [one.advanced for one in score(position).colours]
    return {
        "squares": [
            position.board.format_squares(
                position.board.in_record_order(
                    s for s in range(position.board.squares) if position.colour_at(s) == colour
                )
            )
            for colour in colours
        ],
        # Pentobi has points for a shared colour, too.
        "points": [None if one is None else one + ALL_SQUARES for one in points],
        "to_play": None if position.is_over else (position.to_move or 0) + 1,
    }


def digest(answer: dict[str, Any]) -> str:
    return sha256("/".join(answer["squares"]).encode()).hexdigest()[:16]


@pytest.mark.parametrize("key", GAMES_OF_OURS)
def test_whole_games_of_ours_are_the_same_to_pentobi(key: str) -> None:
    for seed, said in enumerate(GAMES_OF_OURS[key]):
        data = whole_game(key, seed)
        assert sha256(data).hexdigest()[:16] == said["record"], "Pentobi saw another record"
        record = Record.read(data)
        ours = answer_of(record, list(replay(record)))
        assert (digest(ours), ours["points"], ours["to_play"]) == (
            said["squares"],
            said["points"],
            None,
        )


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd["record"])
def test_a_record_of_others_is_read_as_pentobi_reads_it(odd: dict[str, Any]) -> None:
    data = odd["record"].encode(odd.get("encoding", "utf-8"))
    if "refused" in odd:
        with pytest.raises(RecordError) as caught:
            list(replay(Record.read(data)))
        assert odd["refused"] in str(caught.value)
        return
    record = Record.read(data)
    entries = list(replay(record))
    if "broken" in odd:
        moves = [v for one in entries if isinstance(one, ReplayedMove) for v in one.violations]
        settings = [p for one in entries if isinstance(one, ReplayedSetup) for p in one.problems]
        assert odd["broken"] in {*(v.rule for v in moves), *(p.violation.rule for p in settings)}
    if "pentobi" in odd:
        assert answer_of(record, entries) == odd["pentobi"]


@pytest.mark.parametrize("path", sorted((RECORDS / "others").iterdir()), ids=lambda path: path.name)
def test_a_legal_record_of_others_is_replayed_without_a_fault(path: Path) -> None:
    record, entries = open_record(path)
    moves = [entry for entry in entries if isinstance(entry, ReplayedMove)]
    assert all(not move.violations for move in moves)
    laid = [len(pieces) for pieces in final_position(record, entries).laid]
    assert (
        laid
        == {
            "duo-A1A2": [2, 1],
            "gm-lower": [1, 0],
            "pl-black": [1, 0],
            "two-player-AB": [1, 1, 0, 0],
            "two-player-BW": [1, 0, 0, 0],
        }[path.stem]
    )
