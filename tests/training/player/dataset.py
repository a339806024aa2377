"""Positions to learn from, out of games that the player has played against itself.

What is kept of a game is what was played and found, not what it looked like: a file can be
learned from again when `features` have changed. A line of JSON a game, so that files can be
joined and a broken off one serves as far as it goes.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.rules.position import Position
from firmware.rules.variants import Starts
from firmware.search.features import PlayerView, look, new_view
from firmware.search.jit import compiled
from firmware.search.kernels import MOVES, BoardState, put, refresh
from firmware.search.scoring import Sides, mover_side, sides_of, state_of
from firmware.search.tables import Floats, Ints, Tables, tables


@dataclass(frozen=True, slots=True)
class LabelledPosition:
    """What a search found of one position of a game.

    Attributes:
        ply: placements before it.
        value: expected result for the side to move, see `player.SearchedMove`.
        margin: expected points ahead.
        visits: of each move that was looked at, by placement.
    """

    ply: int
    value: float
    margin: float
    visits: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TrainingGame:
    """A game and what was found in it.

    Attributes:
        game: its key.
        moves: colour and placement of each.
        findings: of those positions that were searched.
        points: of each side at the end.
    """

    game: str
    moves: tuple[tuple[int, int], ...]
    findings: tuple[LabelledPosition, ...]
    points: tuple[int, ...]


def write(played: TrainingGame, path: Path) -> None:
    """Adds a game to the end of a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(played), separators=(",", ":")) + "\n")


def read(paths: Iterable[Path]) -> Iterator[TrainingGame]:
    """The games of some files."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield _played(json.loads(line))


def _played(row: dict[str, Any]) -> TrainingGame:
    findings = tuple(
        LabelledPosition(one["ply"], one["value"], one["margin"], _pairs(one["visits"]))
        for one in row["findings"]
    )
    return TrainingGame(row["game"], _pairs(row["moves"]), findings, tuple(row["points"]))


def _pairs(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((first, second) for first, second in rows)


class Lessons(NamedTuple):
    """Positions as the network sees them; `positions` is how many.

    Attributes:
        kind: (positions, squares, 3) see `features.PlayerView`.
        reach: (positions, squares) 1 where a move of the colour to move may cover the square.
        phase: (positions,) see there.
        facts: (positions, facts) see there.
        first: (positions + 1,) where the moves of each begin.
        move: (moves,) placements.
        share: (moves,) of the visits.
        value: (positions,) what the search found.
        win: (positions,) 1 if the side to move won in the end, 0.5 if nobody did, 0 if it lost;
            with more sides the share of the others that it beat.
        margin: (positions,) points by which it was ahead in the end.
        number: (positions,) which game it is from.
    """

    kind: NDArray[np.uint8]
    reach: NDArray[np.uint8]
    phase: Ints
    facts: Floats
    first: NDArray[np.int64]
    move: NDArray[np.uint16]
    share: Floats
    value: Floats
    win: Floats
    margin: Floats
    number: Ints


@compiled
def _see(board: Tables, state: BoardState, sides: Sides, colour: int, view: PlayerView) -> None:
    for other in range(len(state.tally)):
        refresh(board, state, other)
    look(board, state, sides, colour, view)


def lessons_of(games: Iterable[TrainingGame]) -> Lessons:
    """The positions of games that are played on one board."""
    columns: list[list[object]] = [[] for _ in range(10)]
    for number, played in enumerate(games):
        for row in _rows(played):
            for column, value in zip(columns, (*row, number), strict=True):
                column.append(value)
    kind, reach, phase, facts, move, share, value, win, margin, number_of = columns
    first = np.cumsum([0, *(len(one) for one in move)])  # type: ignore[arg-type]
    return Lessons(
        np.array(kind, np.uint8),
        np.array(reach, np.uint8),
        np.array(phase, np.int32),
        np.array(facts, np.float32),
        first.astype(np.int64),
        np.concatenate(move).astype(np.uint16),  # type: ignore[arg-type]
        np.concatenate(share).astype(np.float32),  # type: ignore[arg-type]
        np.array(value, np.float32),
        np.array(win, np.float32),
        np.array(margin, np.float32),
        np.array(number_of, np.int32),
    )


def _rows(played: TrainingGame) -> Iterator[tuple[object, ...]]:
    position = Position.start(played.game, Starts.FIXED)
    board, sides, state = tables(position.game.size), sides_of(position), state_of(position)
    view = new_view(board)
    laid = 0
    for finding in played.findings:
        for colour, placement in played.moves[laid : finding.ply]:
            put(board, state, colour, placement)
        laid = finding.ply
        colour = played.moves[laid][0]
        _see(board, state, sides, colour, view)
        move = state.moves[colour, : state.tally[colour, MOVES]].copy()
        visits = dict(finding.visits)
        share = np.array([visits.get(int(one), 0) for one in move], np.float32)
        win, margin = _ended(played.points, mover_side(state, sides, colour))
        yield (
            view.kind.astype(np.uint8),
            (view.own > 0).astype(np.uint8),
            int(view.phase[0]),
            view.facts.copy(),
            move,
            share / share.sum(),
            finding.value,
            win,
            margin,
        )


def _ended(points: tuple[int, ...], side: int) -> tuple[float, int]:
    others = [one for i, one in enumerate(points) if i != side]
    beaten = sum((points[side] > one) + 0.5 * (points[side] == one) for one in others)
    return beaten / len(others), points[side] - max(others)
