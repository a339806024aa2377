"""Games of an independent engine, with the truth at every ply."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Variant
from tests.conftest import ROOT

DATA = ROOT / "tests" / "firmware" / "rules" / "data"
FILES = ("duo_random.json", "classic_random.json", "duo_bonus.json", "duo_pentobi.json")


@dataclass(frozen=True)
class VectorGame:
    """One game of the oracle.

    Attributes:
        game: the game.
        moves: (colour, move) in order.
        counts: numbers of legal placements before each move; None if the oracle fixes the start.
        out: (colour, number of moves before) for each colour without a placement.
        placed, bonus, points: by colour, at the end.
    """

    name: str
    game: Variant
    moves: list[tuple[int, Move]]
    counts: list[int | None]
    out: list[tuple[int, int]]
    placed: list[int]
    bonus: list[int]
    points: list[int]

    def positions(self) -> list[Position]:
        """Returns the position after each move, by the rules; fails if a move is illegal."""
        position = Position.start(self.game)
        found = []
        for colour, move in self.moves:
            assert position.to_move == colour, f"{position!r}: {colour} moves in {self.name}"
            position = position.play(move)
            found.append(position)
        return found

    def record(self) -> Record:
        """Returns the game as a record."""
        record = Record.new(self.game)
        for colour, move in self.moves:
            record.play(move, colour)
        return record


def read_games(path: Path) -> list[VectorGame]:
    """Returns the games in a file of the oracle."""
    table = json.loads(path.read_text())
    game = GAMES[table["variant"]]
    return [_game(f"{path.name} {one['id']}", game, one) for one in table["games"]]


def _game(name: str, game: Variant, one: dict[str, Any]) -> VectorGame:
    fixed = 1 if game.key == "duo" else 4
    return VectorGame(
        name,
        game,
        [(move["color"], Move.parse(move["move"], game.size)) for move in one["moves"]],
        [None if ply < fixed else move["n_legal"] for ply, move in enumerate(one["moves"])],
        [(out["color"], out["after_ply"]) for out in one["out"]],
        one["squares_placed"],
        one["bonus"],
        one["official_score"],
    )
