"""Training positions from games of the player against itself.

A file stores moves and search results, not features, so that it stays usable when `features`
change. Each game is a line of JSON, so that files can be joined, and a truncated one can be read
up to its end.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.features import PlayerView, look, new_view
from firmware.player.search.jit import compiled
from firmware.player.search.kernels import MOVES, BoardState, put, refresh
from firmware.player.search.scoring import Sides, mover_side, sides_of, state_of
from firmware.player.search.tables import Floats, Ints, Tables, tables
from firmware.rules.position import Position
from firmware.rules.variants import Starts


@dataclass(frozen=True, slots=True)
class LabelledPosition:
    """Search results of one position of a game.

    Attributes:
        ply: placements before it.
        value: expected result for the side to move, see `player.SearchedMove`.
        margin: expected points ahead.
        visits: visits of each searched move, by placement.
    """

    ply: int
    value: float
    margin: float
    visits: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TrainingGame:
    """A game with search results.

    Attributes:
        game: key of the game.
        moves: colour and placement of each move.
        findings: results of the positions that were searched well.
        points: final points of each side.
    """

    game: str
    moves: tuple[tuple[int, int], ...]
    findings: tuple[LabelledPosition, ...]
    points: tuple[int, ...]


def write(played: TrainingGame, path: Path) -> None:
    """Appends a game to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(played), separators=(",", ":")) + "\n")


def read(paths: Iterable[Path]) -> Iterator[TrainingGame]:
    """Yields the games of some files."""
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
    """Positions as inputs of the network, with labels.

    Attributes:
        kind: (positions, squares, 3) as in `features.PlayerView`.
        reach: (positions, squares) 1 if a move of the colour to move may cover the square.
        phase: (positions,) as in `features.PlayerView`.
        facts: (positions, facts) as in `features.PlayerView`.
        first: (positions + 1,) index of the first move of each position.
        move: (moves,) placements.
        share: (moves,) share of the visits.
        value: (positions,) value by the search.
        win: (positions,) 1 if the side to move won in the end, 0.5 in a tie, 0 if it lost; with
            more sides the share of the others that it beat.
        margin: (positions,) points by which it was ahead in the end.
        number: (positions,) number of the game.
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
    """Returns the positions of games that are played on one board."""
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
