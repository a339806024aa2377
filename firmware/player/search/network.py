"""The trained network of the player; its input are the classes of `features`.

Each square adds learned vectors, selected by its classes, to the sums of the 25 squares around
it; negative sums become 0 (ReLU). The results have two uses. First, three weighted sums of them
are the values of the square for a move that covers it, that shares a side with it, and that
touches it at a corner. The logarithm of a move's weight, from which its prior is computed, is the
sum over its squares, plus a value of its piece. Second, they are summed over all squares that are
open to any colour; from these sums, and a few facts, a second layer predicts the end of the game.

That is a convolution over one-hot planes with one hidden layer, computed by adding rows instead
of multiplying (as in the first layer of Nasu's efficiently updatable networks, 2018).
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.features import (
    ALONE,
    COVERED,
    EXPOSED,
    FACTS,
    OPEN,
    REACH,
    WINDOW,
    PlayerView,
)
from firmware.player.search.jit import adding, compiled, inlined
from firmware.player.search.tables import ANCHOR, FRAME, ORIENTATION, PIECE, Floats, Tables

FOLDER: Final = Path(__file__).parent / "networks"
"""Folder to which `tests.training.player` writes networks: one file for each board."""

POOLED: Final = 0.05
"""Factor that makes sums over a board about as large as those of a square."""

MARGIN_UNIT: Final = 10.0
"""Points of margin that are one unit of the network's output."""


class Network(NamedTuple):
    """The learned weights; `hidden` is the number of units of a square, `judges` of a board.

    Attributes:
        table: (classes * 25 * hidden,) vectors that a square of each class adds to the squares
            around it, row by row; 0 for squares outside, or covered, or without a partner.
        begin: (phases, hidden) biases of the units of a square.
        ring: (10, hidden) vectors added for the distance from the middle of the board.
        worth: (3, hidden) weights of the units for a covered square, one at a side, one at a
            corner.
        piece: (phases, 21) values of the pieces.
        judge: (hidden, judges) weights from the pooled units to the second layer.
        judge_fact: (facts, judges) weights from the facts to the second layer.
        judge_begin: (phases, judges) biases of the second layer.
        end: (2, judges) weights from the second layer to the log odds and to the margin.
        end_fact: (2, facts) weights from the facts to the same.
        end_begin: (2, phases) biases of the same.
    """

    table: Floats
    begin: Floats
    ring: Floats
    worth: Floats
    piece: Floats
    judge: Floats
    judge_fact: Floats
    judge_begin: Floats
    end: Floats
    end_fact: Floats
    end_begin: Floats


@cache
def network_of(size: int, colours: int) -> Network:
    """The trained network for a size of the board and a number of colours."""
    return load(path_of(size, colours))


def path_of(size: int, colours: int, folder: Path = FOLDER) -> Path:
    """The file for a size of the board and a number of colours."""
    return folder / f"network_{size}_{colours}.npz"


def load(path: Path) -> Network:
    """Reads a network from its file."""
    with np.load(path) as arrays:
        return Network(**{name: arrays[name].astype(np.float32) for name in Network._fields})


@inlined
def is_wanted(tables: Tables, view: PlayerView, square: int) -> bool:
    """True if a move can cover the square or touch it."""
    own, stride = view.own, tables.stride
    above, below = square - stride, square + stride
    covered = own[above - 1] | own[above] | own[above + 1] | own[square - 1] | own[square]
    covered |= own[square + 1] | own[below - 1] | own[below] | own[below + 1]
    return bool(covered > 0)


@inlined
def is_open(view: PlayerView, square: int) -> bool:
    """True if the colour to move or an enemy may cover the square."""
    return bool(view.kind[square, 0] >= OPEN or view.kind[square, 1] >= EXPOSED)


@inlined
def add_window(
    target: Floats, first: int, step: int, source: Floats, begin: int, stride: int, line: int
) -> None:
    """Adds the rows of a window of one array to those of a window of another.

    Args:
        target: (n,) the sums.
        first: index of the first row in `target`.
        step: distance of the rows in `target`.
        source: (m,) the numbers to add.
        begin: index of the first row in `source`.
        stride: distance of the rows in `source`.
        line: length of a row.
    """
    for _ in range(2 * REACH + 1):
        # Slices, because compiled code then does not test each index for being negative, and
        # adds many numbers at once.
        into, added = target[first : first + line], source[begin : begin + line]
        for k in range(line):
            into[k] += added[k]
        first += step
        begin += stride


@inlined
def _spread_two(
    sums: Floats, first: int, step: int, table: Floats, row: int, other: int, line: int
) -> None:
    """Adds the vectors of two classes of a square in one pass, which is faster than two."""
    for _ in range(2 * REACH + 1):
        target, source = sums[first : first + line], table[row : row + line]
        second = table[other : other + line]
        for k in range(line):
            target[k] += source[k] + second[k]
        first += step
        row += line
        other += line


@compiled
def sum_squares(tables: Tables, view: PlayerView, network: Network) -> None:
    """Computes `view.sums`, the units of all squares before ReLU."""
    hidden, sums, table = network.begin.shape[1], view.sums, network.table
    begin = network.begin[view.phase[0]]
    step, line = tables.stride * hidden, (2 * REACH + 1) * hidden
    for square in range((FRAME - REACH) * tables.stride, len(view.own)):
        ring = network.ring[min(tables.ring[square], len(network.ring) - 1)]
        target = sums[square * hidden : (square + 1) * hidden]
        for k in range(hidden):
            target[k] = begin[k] + ring[k]
    block = WINDOW * hidden
    for row in range(FRAME, FRAME + tables.size):
        for square in range(row * tables.stride + FRAME, row * tables.stride + FRAME + tables.size):
            kind = view.kind[square]
            first = (square - REACH * tables.stride - REACH) * hidden
            if kind[1] == COVERED:
                add_window(sums, first, step, table, kind[0] * block, line, line)
            else:
                _spread_two(sums, first, step, table, kind[0] * block, kind[1] * block, line)
            if kind[2] != ALONE:
                add_window(sums, first, step, table, kind[2] * block, line, line)


@adding
def worth_of(view: PlayerView, network: Network, square: int) -> None:
    """Computes the values of a square: covered, at a side, at a corner."""
    hidden, worth = network.begin.shape[1], network.worth
    sums = view.sums[square * hidden : (square + 1) * hidden]
    cover, along, touch = np.float32(0), np.float32(0), np.float32(0)
    for k in range(hidden):
        one = max(sums[k], np.float32(0))
        cover += one * worth[0, k]
        along += one * worth[1, k]
        touch += one * worth[2, k]
    view.worth[0, square] = cover
    view.worth[1, square] = along
    view.worth[2, square] = touch


@compiled
def judge_view(view: PlayerView, network: Network) -> None:
    """Computes `view.judges` and `view.end` from the pooled units and the facts."""
    hidden, judges = len(network.judge), network.judge.shape[1]
    phase = view.phase[0]
    for j in range(judges):
        total = network.judge_begin[phase, j]
        for k in range(hidden):
            total += view.pooled[k] * network.judge[k, j]
        for k in range(FACTS):
            total += view.facts[k] * network.judge_fact[k, j]
        view.judges[j] = max(total, np.float32(0))
    for i in range(2):
        total = network.end_begin[i, phase]
        for j in range(judges):
            total += view.judges[j] * network.end[i, j]
        for k in range(FACTS):
            total += view.facts[k] * network.end_fact[i, k]
        view.end[i] = total


@inlined
def pool(view: PlayerView, hidden: int, square: int) -> None:
    """Adds the units of a square to the pooled ones."""
    sums = view.sums[square * hidden : (square + 1) * hidden]
    for k in range(hidden):
        view.pooled[k] += np.float32(POOLED) * max(sums[k], np.float32(0))


@compiled
def forward(tables: Tables, view: PlayerView, network: Network) -> None:
    """Computes `view.worth` and `view.end`, the latter as log odds and units of margin."""
    first, hidden = FRAME - 1, network.begin.shape[1]
    sum_squares(tables, view, network)
    for k in range(hidden):
        view.pooled[k] = 0
    for row in range(first, tables.size + FRAME + 1):
        for square in range(row * tables.stride + first, (row + 1) * tables.stride - first):
            if is_wanted(tables, view, square):
                worth_of(view, network, square)
            if is_open(view, square):
                pool(view, hidden, square)
    judge_view(view, network)


@compiled
def weigh(tables: Tables, view: PlayerView, network: Network) -> None:
    """Computes the values of all squares that a move can cover or touch, and the expected end.

    `features.look` has to run before. The values are in `view.worth`; the probability that the
    side to move wins and its margin in points are in `view.end`.
    """
    forward(tables, view, network)
    view.end[0] = 1 / (1 + np.exp(-view.end[0]))
    view.end[1] *= MARGIN_UNIT


@inlined
def weight_of(tables: Tables, view: PlayerView, network: Network, placement: int) -> float:
    """The logarithm of the weight of an open placement, see `weigh`."""
    info = tables.info[placement]
    orientation, anchor = info[ORIENTATION], info[ANCHOR]
    # Three sums, because each addition waits for the one before it.
    cover, along, touch = network.piece[view.phase[0], info[PIECE]], np.float32(0), np.float32(0)
    for i in range(tables.sizes[orientation]):
        cover += view.worth[0, info[i]]
    for i in range(1, tables.sides[orientation, 0] + 1):
        along += view.worth[1, anchor + tables.sides[orientation, i]]
    for i in range(1, tables.corners[orientation, 0] + 1):
        touch += view.worth[2, anchor + tables.corners[orientation, i]]
    return float(cover + along + touch)
