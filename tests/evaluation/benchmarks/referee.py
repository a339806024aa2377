"""Time of a decision of the referee on a steady board.

The last column is relative to one numpy gather over all placements and squares of the board, the
least work of any scoring of all placements, timed in the same run.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.commands.bench import PLIES, Rows, Task, median_s, middle_game
from firmware.game.events import Moment
from firmware.game.state import GameState
from firmware.referee.decision import DecisionMaker
from firmware.referee.event_log import EventLog
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.orientation import OrientationTracker
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import default_edition

_SURE: Final = 5.0
"""Distance of the true colour from the others, in natural logarithms of probability."""

_NOISE: Final = 1.0
"""Standard deviation of the noise of a bad view, in the same unit."""


def measure() -> Rows:
    """Measures `decide` in a middle game of Duo and of Classic."""
    rows: Rows = {}
    for game in PLIES:
        rows |= _decisions(game)
    return rows


@dataclass(frozen=True, slots=True)
class _Board:
    """A middle game and its evidence."""

    position: Position
    chance: np.random.Generator

    def evidence(
        self, *moves: Move, noise: float = 0.0, faint: int | None = None
    ) -> LogProbabilities:
        """The evidence of the position and some new pieces of the colour to move."""
        framing = self.framing
        contents = framing.contents(self.position)
        assert self.position.to_move is not None, "a middle game is not over"
        for move in moves:
            contents[list(move.squares)] = 1 + self.position.to_move
        logs = np.full((len(contents), 1 + len(framing.plastic)), -_SURE)
        logs[np.arange(len(contents)), contents] = 0.0
        if faint is not None:
            logs[faint] = 0.0
        noisy: LogProbabilities = logs + self.chance.normal(0, noise, logs.shape)
        return noisy

    @property
    def framing(self) -> FrameMapping:
        """The frame of the game itself."""
        return FrameMapping(self.position.game.size, 0, tuple(self.position.game.colours))

    def decide(self, evidence: LogProbabilities) -> None:
        """Makes one decision."""
        edition = default_edition(self.position.game)
        state = GameState(self.position, turned=0, edition=edition)
        bearings = OrientationTracker(state, edition, None, 0)
        DecisionMaker(EventLog(state, bearings)).decide(evidence, Moment(1, 0.0))


def _decisions(game: str) -> Rows:
    position = middle_game(game)
    board = _Board(position, np.random.default_rng(1))
    legal = max(position.legal_moves, key=lambda move: (move.piece.size, move.index))
    illegal = position.board.move(position.board.placements // 2)
    faint = next(iter(legal.squares))
    cases = {
        "nothing is new": board.evidence(),
        "a legal move": board.evidence(legal),
        "an illegal one": board.evidence(illegal),
        "a move in doubt": board.evidence(legal, faint=faint),
        "a legal move, seen badly": board.evidence(legal, noise=_NOISE),
    }
    table = np.zeros(position.board.squares + 1)
    cells = position.board.cells
    work: dict[str, Task] = {"a gather over all placements": lambda: table[cells].sum(axis=1)}
    for name, evidence in cases.items():
        work[name] = lambda evidence=evidence: board.decide(evidence)  # type: ignore[misc]
    times = {name: median_s(task) for name, task in work.items()}
    gather = times["a gather over all placements"]
    return {
        f"{game}: {name}": {"ms": seconds * 1e3, "gathers": seconds / gather}
        for name, seconds in times.items()
    }
