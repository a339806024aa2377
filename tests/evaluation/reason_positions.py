"""Makes positions of strong games with their best moves, to see how much reasons tell.

Run it with `python -m tests.evaluation reason_positions --out FILE`. Each game of Duo is played by
the player against itself, first with moves drawn by their visits, and gives one position of each
phase. The best move is proved, or that of a long search; with it go the move that `wish_of` expects
of the opponent, and what is proved. The same seed gives the same file.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.player.search.endgame import EndgameSolver
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.reasons import MoveReasons, wish_of
from firmware.player.search_result import SearchedMove, SearchResult, sure_value
from firmware.rules.board import Move
from firmware.rules.position import Position

STORED_POSITIONS: Final = Path(__file__).parent / "reason_positions.txt"
"""The positions that the tests use: those of seed 1."""

PHASES: Final = ((3, 9), (10, 17), (18, 99))
"""First and last number of pieces on the board of each phase."""

_PLAYS: Final = SearchLimits(simulations=300)
"""Search of a move of a game."""

_KNOWS: Final = SearchLimits(simulations=8_000)
"""Search of the best move."""

_NODES: Final = 1_000_000
"""Limit of a proof: as many positions as the player searches in half a second on a PC."""

_DRAWN: Final = 8
"""Moves of a game that are drawn by their visits, for variety."""


@dataclass(frozen=True, slots=True)
class ReasonPosition:
    """A position with its best move.

    Attributes:
        position: the position.
        best: the best move: proved, or by a search of 8,000 simulations.
        wish: the move that is expected of the opponent, or None.
        proved: what the solver proved; None if the position is not solved.
    """

    position: Position
    best: Move
    wish: Move | None
    proved: SearchResult | None

    def __str__(self) -> str:
        wish = "" if self.wish is None else str(self.wish)
        proved = "" if self.proved is None else _proved_text(self.proved)
        return f"{self.position} ; {self.best} ; {wish} ; {proved}".rstrip()

    @staticmethod
    def parse(line: str) -> "ReasonPosition":
        """Reads the text that `str` writes."""
        text, best, wish, proved = (part.strip() for part in line.split(";"))
        position = Position.parse(text)
        size = position.game.size
        return ReasonPosition(
            position,
            Move.parse(best, size),
            Move.parse(wish, size) if wish else None,
            _parse_proved(proved, position) if proved else None,
        )


def _proved_text(proved: SearchResult) -> str:
    """The best margin, then `index=margin` or `index<bound` for each move."""
    words = (
        f"{one.move.index}{'<' if one.proved is None else '='}{one.margin:.0f}"
        for one in proved.choices
    )
    return " ".join([str(proved.proved), *words])


def _parse_proved(text: str, position: Position) -> SearchResult:
    best, *words = text.split()
    choices = []
    for word in words:
        index, sign, number = re.split("([=<])", word)
        margin, move = int(number), position.board.move(int(index))
        proved = margin if sign == "=" else None
        choices.append(SearchedMove(move, sure_value(margin), margin, 0, proved))
    return SearchResult(tuple(choices), proved=int(best))


def read_positions(path: Path) -> list[ReasonPosition]:
    """The positions of a file, one a line."""
    return [ReasonPosition.parse(line) for line in path.read_text("ascii").splitlines()]


def positions(games: int, seed: int) -> Iterator[ReasonPosition]:
    """Yields one position of each phase of each game."""
    for game in range(games):
        chance = random.Random(f"{seed} {game}")  # noqa: S311
        line = _game(chance)
        for first, last in PHASES:
            fit = [one for one in line if first <= len(one.pieces) <= last]
            choices = [one for one in fit if len(one.legal_moves) > 1]
            if choices:
                position = chance.choice(choices)
                proved = EndgameSolver().solve(position, seconds=60.0, nodes=_NODES)
                yield ReasonPosition(position, _best(position, proved), wish_of(position), proved)


def _best(position: Position, proved: SearchResult | None) -> Move:
    found = proved or SearchPlayer().think(position, _KNOWS)
    return found.choices[0].move


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


@dataclass(frozen=True, slots=True)
class Shares:
    """How often a reason is given in some positions.

    Attributes:
        best: share of the best moves that have a reason.
        random: mean share of all legal moves that have one.
    """

    best: float
    random: float


def shares(stored: Sequence[ReasonPosition]) -> Shares:
    """How often a reason is given of the best move, and of a random legal one."""
    best, any_move = 0, 0.0
    for one in stored:
        reasons = MoveReasons(one.position, one.wish)
        given = dict(
            zip(reasons.moves, map(bool, reasons.give(reasons.moves, one.proved)), strict=True)
        )
        best += given[one.best]
        any_move += sum(given.values()) / len(given)
    return Shares(best / len(stored), any_move / len(stored))


def phase_of(one: ReasonPosition) -> int:
    """Index in `PHASES`."""
    pieces = len(one.position.pieces)
    return next(i for i, (first, last) in enumerate(PHASES) if first <= pieces <= last)


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
