"""Makes positions of strong games with their best moves, to see how much reasons tell.

Run it with `python -m tests.evaluation reason_positions --out FILE`. Each game of Duo is played by
the player against itself, first with moves drawn by their visits, and gives one position of each
phase. The best move is that of a long search; with it goes the move that `wish_of` expects of the
opponent. The same seed gives the same file.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.search.player import SearchLimits, SearchPlayer, SearchResult
from firmware.search.reasons import wish_of

PHASES: Final = ((3, 9), (10, 17), (18, 99))
"""First and last number of pieces on the board of each phase."""

_PLAYS: Final = SearchLimits(simulations=300)
"""Search of a move of a game."""

_KNOWS: Final = SearchLimits(simulations=8_000)
"""Search of the best move."""

_DRAWN: Final = 8
"""Moves of a game that are drawn by their visits, for variety."""


@dataclass(frozen=True, slots=True)
class KeptPosition:
    """A position with its best move.

    Attributes:
        position: the position.
        best: the best move by a search of 8,000 simulations.
        wish: the move that is expected of the opponent, or None.
    """

    position: Position
    best: Move
    wish: Move | None

    def __str__(self) -> str:
        wish = "" if self.wish is None else str(self.wish)
        return f"{self.position} ; {self.best} ; {wish}"

    @staticmethod
    def parse(line: str) -> "KeptPosition":
        """Reads the text that `str` writes."""
        text, best, wish = (part.strip() for part in line.split(";"))
        position = Position.parse(text)
        size = position.game.size
        return KeptPosition(
            position, Move.parse(best, size), Move.parse(wish, size) if wish else None
        )


def read_positions(path: Path) -> list[KeptPosition]:
    """The positions of a file, one a line."""
    return [KeptPosition.parse(line) for line in path.read_text("ascii").splitlines()]


def positions(games: int, seed: int) -> Iterator[KeptPosition]:
    """Yields one position of each phase of each game."""
    for game in range(games):
        chance = random.Random(f"{seed} {game}")  # noqa: S311
        line = _game(chance)
        for first, last in PHASES:
            fit = [one for one in line if first <= len(one.pieces) <= last]
            choices = [one for one in fit if len(one.legal_moves) > 1]
            if choices:
                position = chance.choice(choices)
                best = SearchPlayer().think(position, _KNOWS).choices[0].move
                yield KeptPosition(position, best, wish_of(position))


def _game(chance: random.Random) -> list[Position]:
    """The positions of a game."""
    player = SearchPlayer(seed=chance.randrange(1 << 30))
    line = [Position.start("duo")]
    while not line[-1].is_over:
        result = player.think(line[-1], _PLAYS)
        drawn = len(line) <= _DRAWN
        line.append(line[-1].play(_drawn(result, chance) if drawn else result.choices[0].move))
    return line[:-1]


def _drawn(result: SearchResult, chance: random.Random) -> Move:
    visits = [one.visits for one in result.choices]
    return chance.choices(result.choices, visits)[0].move


def main(words: Sequence[str]) -> None:
    """Writes the positions."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation reason_positions")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args(words)
    with chosen.out.open("w", encoding="ascii") as out:
        for count, one in enumerate(positions(chosen.games, chosen.seed), 1):
            out.write(f"{one}\n")
            if sys.stderr.isatty():
                print(f"\r{count} positions", end="", file=sys.stderr)  # noqa: T201
