"""Whole games of random placements, legal and not, seen ever worse: how often is a verdict wrong?

Run it with `python -m tests.trials readings --games 50`.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from firmware.events import Event, Illegal, Moved
from firmware.referee.referee import Referee
from firmware.rules.placements import Move
from firmware.rules.position import Position
from tests.referee.table import Match, Table

FOUR = ("blue", "yellow", "red", "green")
ATTEMPTS = 10
"""Times a piece is shown again, by five clear frames, until it counts as stuck."""

Tally = Counter[str]


@dataclass(frozen=True)
class Sight:
    """How well the board is seen: log odds of the truth and their standard deviation."""

    sure: float
    noise: float


def illegal_placement(position: Position, chance: random.Random) -> Move | None:
    """A legal move of the colour to move that slipped by a square, or a piece anywhere."""
    board = position.board
    legal = board.move(int(chance.choice(position.legal_moves.indices)))
    slip = chance.choice((1, -1, board.size, -board.size))
    index: int | None = chance.randrange(board.placements)
    if chance.random() < 0.7:
        squares = [square + slip for square in legal.squares]
        index = board.find(squares) if 0 <= min(squares) <= max(squares) < board.squares else None
    if index is None:
        return None
    move = board.move(index)
    legal_here = move in position.legal_moves
    # Before the first move nobody knows the frame: a piece that fits either way is legal.
    if not position.occupied:
        legal_here = any(board.transform(move, turn) in position.legal_moves for turn in (0, 1, 3))
    return None if legal_here or move.mask & position.occupied else move


class Evening:
    """One game at a table, with attempts that are to be refused."""

    def __init__(self, game: str, sight: Sight, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.position = Position.start(game)
        self.palette = FOUR if len(self.position.game.colours) == 4 else ("purple", "orange")
        size = self.position.game.size
        self.table = Table(size, self.palette, noise=sight.noise, sure=sight.sure, seed=seed)
        self.match = Match(self.table, Referee(self.position, self.palette))
        self.match.settle()
        self.tally: Tally = Counter()

    def play(self) -> Tally:
        while not self.position.is_over and not self.tally["stuck"]:
            move = illegal_placement(self.position, self.chance)
            if move is not None and self.chance.random() < 0.3:
                self._cheat(move)
            self._lay()
        self.tally["told unsure"] += sum(one.name == "unsure" for one in self.match.events)
        return self.tally

    @property
    def _plastic(self) -> str:
        colour = self.position.to_move
        assert colour is not None
        return self.palette[colour]

    def _cheat(self, move: Move) -> None:
        self.table.lay(self._plastic, move)
        events = self.match.after_hand()
        refused = [one for one in events if isinstance(one, Illegal)]
        self._count(events, [], "illegal")
        # Before the first move the frame is open, and squares may be named in either.
        if refused and self.position.occupied:
            right = [set(one.squares) for one in refused] == [set(move.squares)]
            self.tally["refused other squares"] += not right
        self.table.lift(move)
        state = self.match.referee.state
        for _ in range(ATTEMPTS):
            self.match.after_hand(5)
            state = self.match.referee.state
            if not (state.refused or state.candidates or state.disturbed):
                return
        self.tally["stuck"] += 1

    def _lay(self) -> None:
        move = self.position.board.move(int(self.chance.choice(self.position.legal_moves.indices)))
        self.table.lay(self._plastic, move)
        events = self.match.after_hand()
        self._count(events, [move], "legal")
        self.position = self.position.play(move)
        for _ in range(ATTEMPTS):
            state = self.match.referee.state
            if state.history and state.plies == sum(map(len, self.position.laid)):
                self.tally["wrong accepts"] += state.history[-1].move != move
                self.tally["stuck"] += state.history[-1].move != move
                return
            later = self.match.after_hand(5)
            self.tally["wrong refusals"] += any(isinstance(one, Illegal) for one in later)
        self.tally["stuck"] += 1

    def _count(self, events: list[Event], expected: list[Move], kind: str) -> None:
        accepted = [one.move for one in events if isinstance(one, Moved)]
        refused = any(isinstance(one, Illegal) for one in events)
        self.tally[f"{kind} placements"] += 1
        self.tally["wrong accepts"] += any(move not in expected for move in accepted)
        self.tally["wrong refusals"] += bool(expected) and refused
        self.tally[f"{kind} undecided after two frames"] += not accepted and not refused


def soak(game: str, sight: Sight, games: int, seed: int = 1) -> Tally:
    """What became of the placements of some games."""
    total: Tally = Counter()
    for number in range(games):
        total += Evening(game, sight, seed + number).play()
    return total


def main(words: Sequence[str]) -> None:
    """Plays games with ever more noise and prints what became of the placements."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials readings")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(words)
    for game in ("duo", "classic"):
        for sight in (Sight(5, 0), Sight(5, 0.5), Sight(5, 1), Sight(4, 1), Sight(5, 1.5)):
            tally = soak(game, sight, arguments.games, arguments.seed)
            print(game, sight, dict(sorted(tally.items())))  # noqa: T201
