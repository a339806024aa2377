"""The players of a calibration, and games between two of them."""

import random
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Final

from firmware.player.search.levels import LEVELS
from firmware.player.search.network import path_of
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.scoring import score
from firmware.rules.variants import Starts
from tests.evaluation.matches import PENTOBI, PENTOBI_GAMES, SIDE_NAMES, GtpProcess
from tests.support.level_moves import think_at_level

Chooser = Callable[[Position, int], Move]
"""Chooses a move in a position, with a seed."""

_OPENING_PLIES: Final = 3
"""Moves of a sampled opening for each pair of colours."""

_FLATTENED: Final = 0.7
"""Exponent of the prior by which the moves of an opening are drawn."""

_MEMORY_MB: Final = 64
"""Memory of the trees of a level, as in the player's process."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a pair.

    Attributes:
        number: number of the game; two in a row have the same opening, with swapped sides.
        lead: points by which the second player of the pair leads.
        seconds: CPU seconds of this process.
    """

    number: int
    lead: int
    seconds: float


def largest(position: Position, seed: int) -> Move:
    """A random placement of a piece of the largest size that can be laid."""
    moves = list(position.legal_moves)
    most = max(move.piece.size for move in moves)
    chance = random.Random(f"{seed} {position}")  # noqa: S311
    return chance.choice([move for move in moves if move.piece.size == most])


@cache
def _searcher() -> SearchPlayer:
    return SearchPlayer(memory_mb=_MEMORY_MB)


def at_level(level: int) -> Chooser:
    """A level of the player; 0 is `largest`."""
    if level == 0:
        return largest
    return lambda position, seed: think_at_level(_searcher(), position, level, seed).choices[0].move


def fingerprint(player: str, game: str) -> str:
    """Text that changes with whatever changes the play of a player."""
    if player.startswith("p") or player == "0":
        return player
    start = Position.start(game)
    network = sha256(path_of(start.game.size, len(start.game.colours)).read_bytes()).hexdigest()
    one = LEVELS[int(player) - 1]
    return f"{one.simulations} {one.temperature:g} {network[:12]}"


@contextmanager
def started(player: str, game: str, seed: int, pentobi: str) -> Iterator[Chooser]:
    """A player by its name: a level, or the level of Pentobi after a `p`, in a fresh process."""
    if not player.startswith("p"):
        yield at_level(int(player))
        return
    words = PENTOBI.format(game=PENTOBI_GAMES[game], level=player[1:], seed=seed)
    with GtpProcess([pentobi, *shlex.split(words)]) as engine:
        yield _GtpChooser(engine)


class _GtpChooser:
    """A GTP engine that is shown each position by the moves since the last one."""

    def __init__(self, engine: GtpProcess) -> None:
        self._engine: Final = engine
        self._shown: set[tuple[int, int, Move]] = set()

    def __call__(self, position: Position, seed: int) -> Move:
        names = SIDE_NAMES[len(position.game.colours)]
        laid = [
            (turn, colour, move)
            for colour, moves in enumerate(position.laid)
            for turn, move in enumerate(moves)
        ]
        if not self._shown.issubset(laid):
            self._engine("clear_board")
            self._shown = set()
        for _, colour, move in sorted(set(laid) - self._shown, key=lambda one: one[:2]):
            self._engine(f"play {names[colour]} {move}")
        self._shown = set(laid)
        assert position.to_move is not None, "the game is not over"
        text = self._engine(f"reg_genmove {names[position.to_move]}")
        return Move.parse(text, position.game.size)


def opening(game: str, number: int) -> Position:
    """The position after a few moves drawn from the prior, the same one for the same number."""
    chance = random.Random(f"{game} {number}")  # noqa: S311
    position, player = Position.start(game, Starts.FIXED), _searcher()
    for _ in range(_OPENING_PLIES * len(position.game.colours) // 2):
        player.forget(number)
        choices = player.think(position, SearchLimits(simulations=1)).choices
        weights = [one.prior**_FLATTENED for one in choices]
        position = position.play(chance.choices(choices, weights)[0].move)
    return position


def play(pair: tuple[Chooser, Chooser], game: str, number: int) -> PlayedGame:
    """Plays a game; the second player has the first side in games with even numbers."""
    begun = time.process_time()
    position = opening(game, number // 2)
    while (side := position.next_side) is not None:
        mover = 1 if side % 2 == number % 2 else 0
        position = position.play(pair[mover](position, number // 2))
    points = [0, 0]
    for index, one in enumerate(score(position).sides):
        points[1 if index % 2 == number % 2 else 0] += one.advanced
    return PlayedGame(number, points[1] - points[0], round(time.process_time() - begun, 3))


@contextmanager
def started_pair(
    pair: tuple[str, str], game: str, seed: int, pentobi: str
) -> Iterator[tuple[Chooser, Chooser]]:
    """Starts both players of a pair."""
    with ExitStack() as stack:
        low, high = (stack.enter_context(started(one, game, seed, pentobi)) for one in pair)
        yield low, high
