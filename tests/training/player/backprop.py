"""The gradient of the network's errors, worked out by hand for compiled code.

Forward as in play, by `network.forward`; then back from the moves and from how the game ended
to the worths of squares, to their sums, and to the table.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.search.features import (
    ALONE,
    COVERED,
    FACTS,
    REACH,
    WINDOW,
    PlayerView,
    new_view,
)
from firmware.search.jit import compiled, inlined
from firmware.search.network import POOLED, Network, add_window, forward, is_open, weight_of
from firmware.search.tables import ANCHOR, FRAME, ORIENTATION, PIECE, Floats, Ints, Tables
from tests.training.player.dataset import Lessons

_VALUE: Final = np.float32(1.5)
"""How much an error in the value counts beside one in the moves."""

_MARGIN: Final = np.float32(0.3)


class Target(NamedTuple):
    """What to learn of each position.

    Attributes:
        weight: (positions,) how much its moves count.
        value: (positions,) probability to win.
        margin: (positions,) points ahead, in units of the network.
    """

    weight: Floats
    value: Floats
    margin: Floats


class Room(NamedTuple):
    """Room to work in.

    Attributes:
        sight: the position turned.
        straight: the worths of the squares turned back.
        sums: (squares * hidden,) gradient of the sums of squares.
        push: (3, squares) gradient of the worths, turned back.
        share: (moves,) of each move by the network.
        end: (2,) gradient of how the game ends, and
        judges: (judges,) of the second layer's sums, and
        pooled: (hidden,) of the sums of all squares.
        gradient: of everything that is learned.
        loss: (6,) sums: positions, weights, and the four of `trainer.Loss`.
    """

    sight: PlayerView
    straight: PlayerView
    sums: Floats
    push: Floats
    share: Floats
    end: Floats
    judges: Floats
    pooled: Floats
    gradient: Network
    loss: np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def new_room(board: Tables, network: Network) -> Room:
    """Room to work in."""
    squares, (hidden, judges) = board.stride**2, network.judge.shape
    return Room(
        new_view(board),
        new_view(board),
        np.zeros(squares * hidden, np.float32),
        np.zeros((3, squares), np.float32),
        np.zeros(len(board.info) + 1, np.float32),
        np.zeros(2, np.float32),
        np.zeros(judges, np.float32),
        np.zeros(hidden, np.float32),
        Network(*(np.zeros_like(one) for one in network)),
        np.zeros(6),
    )


@compiled
def _show(lessons: Lessons, index: int, turned: Ints, view: PlayerView) -> None:
    """Makes a view of a position, turned."""
    for square in range(len(turned)):
        source = turned[square]
        view.own[square] = lessons.reach[index, source]
        for i in range(3):
            view.kind[square, i] = lessons.kind[index, source, i]
    view.phase[0] = lessons.phase[index]
    for i in range(FACTS):
        view.facts[i] = lessons.facts[index, i]


@compiled
def _turn_back(board: Tables, turned: Ints, room: Room) -> None:
    """Puts the worths of the squares where they are on the board that was not turned."""
    first = FRAME - 1
    for row in range(first, board.size + FRAME + 1):
        for square in range(row * board.stride + first, (row + 1) * board.stride - first):
            for i in range(3):
                room.straight.worth[i, turned[square]] = room.sight.worth[i, square]
    room.straight.phase[0] = room.sight.phase[0]


@compiled
def _share_out(
    board: Tables, network: Network, lessons: Lessons, index: int, weight: float, room: Room
) -> None:
    """Fills in `room.share` with the network's share of each move less that of the visits."""
    begin, end = lessons.first[index], lessons.first[index + 1]
    best, first, most = -1e9, 0, 0
    for i in range(end - begin):
        logit = weight_of(board, room.straight, network, lessons.move[begin + i])
        room.share[i] = logit
        if logit > best:
            best, first = logit, i
        if lessons.share[begin + i] > lessons.share[begin + most]:
            most = i
    total = 0.0
    for i in range(end - begin):
        room.share[i] = np.exp(room.share[i] - best)
        total += room.share[i]
    for i in range(end - begin):
        room.share[i] /= total
        visited = lessons.share[begin + i]
        if visited > 0:
            room.loss[2] -= weight * visited * np.log(room.share[i] + 1e-12)
        room.share[i] -= visited
    room.loss[0] += 1
    room.loss[1] += weight
    room.loss[3] += lessons.share[begin + first] == lessons.share[begin + most]


@compiled
def _push_moves(board: Tables, lessons: Lessons, index: int, weight: float, room: Room) -> None:
    """The gradient of the worths of squares and of pieces."""
    begin, end = lessons.first[index], lessons.first[index + 1]
    phase = room.sight.phase[0]
    for i in range(end - begin):
        push = np.float32(room.share[i] * weight)
        info = board.info[lessons.move[begin + i]]
        orientation, anchor = info[ORIENTATION], info[ANCHOR]
        room.gradient.piece[phase, info[PIECE]] += push
        for j in range(board.sizes[orientation]):
            room.push[0, info[j]] += push
        for j in range(1, board.sides[orientation, 0] + 1):
            room.push[1, anchor + board.sides[orientation, j]] += push
        for j in range(1, board.corners[orientation, 0] + 1):
            room.push[2, anchor + board.corners[orientation, j]] += push


@compiled
def _push_end(network: Network, view: PlayerView, value: float, margin: float, room: Room) -> None:
    """The gradient of how the game ends, with what the network is wrong by."""
    phase, gradient = view.phase[0], room.gradient
    chance = 1 / (1 + np.exp(-view.end[0]))
    off = view.end[1] - margin
    room.loss[4] -= value * np.log(chance + 1e-9) + (1 - value) * np.log(1 - chance + 1e-9)
    room.loss[5] += off * off
    room.end[0] = _VALUE * np.float32(chance - value)
    room.end[1] = _MARGIN * np.float32(min(max(off, -1.0), 1.0))
    for j in range(len(room.judges)):
        room.judges[j] = 0
    for i in range(2):
        push = room.end[i]
        gradient.end_begin[i, phase] += push
        for k in range(FACTS):
            gradient.end_fact[i, k] += push * view.facts[k]
        for j in range(len(room.judges)):
            gradient.end[i, j] += push * view.judges[j]
            room.judges[j] += push * network.end[i, j]


@compiled
def _push_judges(network: Network, view: PlayerView, room: Room) -> None:
    """The gradient of the second layer, after that of how the game ends."""
    phase, gradient = view.phase[0], room.gradient
    for k in range(len(room.pooled)):
        room.pooled[k] = 0
    for j in range(len(room.judges)):
        if view.judges[j] > 0:
            push = room.judges[j]
            gradient.judge_begin[phase, j] += push
            for k in range(FACTS):
                gradient.judge_fact[k, j] += push * view.facts[k]
            for k in range(len(room.pooled)):
                gradient.judge[k, j] += push * view.pooled[k]
                room.pooled[k] += push * network.judge[k, j] * np.float32(POOLED)


@inlined
def _push_worth(
    network: Network, sums: Floats, slope: Floats, worth: int, push: float, room: Room
) -> None:
    for k in range(len(slope)):
        room.gradient.worth[worth, k] += push * max(sums[k], np.float32(0))
        slope[k] += push * network.worth[worth, k]


@compiled
def _push_sums(board: Tables, network: Network, turned: Ints, room: Room) -> None:
    """The gradient of the sums of squares, from that of the worths and of all sums together."""
    view, hidden, first = room.sight, network.begin.shape[1], FRAME - 1
    begin = room.gradient.begin[view.phase[0]]
    for i in range(len(room.sums)):
        room.sums[i] = 0
    for row in range(first, board.size + FRAME + 1):
        for square in range(row * board.stride + first, (row + 1) * board.stride - first):
            sums = view.sums[square * hidden : (square + 1) * hidden]
            slope = room.sums[square * hidden : (square + 1) * hidden]
            if is_open(view, square):
                for k in range(hidden):
                    slope[k] = room.pooled[k]
            for i in range(3):
                _push_worth(network, sums, slope, i, room.push[i, turned[square]], room)
                room.push[i, turned[square]] = 0
            ring = room.gradient.ring[min(board.ring[square], len(network.ring) - 1)]
            for k in range(hidden):
                slope[k] *= sums[k] > 0
                begin[k] += slope[k]
                ring[k] += slope[k]


@compiled
def _push_table(board: Tables, room: Room) -> None:
    """The gradient of the table, from that of the sums; see `network.sum_squares`."""
    hidden, table = room.gradient.begin.shape[1], room.gradient.table
    step, line = board.stride * hidden, (2 * REACH + 1) * hidden
    block = WINDOW * hidden
    for row in range(FRAME, FRAME + board.size):
        for square in range(row * board.stride + FRAME, row * board.stride + FRAME + board.size):
            kind = room.sight.kind[square]
            first = (square - REACH * board.stride - REACH) * hidden
            add_window(table, kind[0] * block, line, room.sums, first, step, line)
            if kind[1] != COVERED:
                add_window(table, kind[1] * block, line, room.sums, first, step, line)
            if kind[2] != ALONE:
                add_window(table, kind[2] * block, line, room.sums, first, step, line)


@compiled
def study(
    board: Tables,
    network: Network,
    lessons: Lessons,
    target: Target,
    indices: Ints,
    turned: Ints,
    room: Room,
) -> None:
    """Adds up loss and gradient over some positions, each turned in its own way.

    Args:
        board: the board.
        network: what is learned so far.
        lessons: the positions, and
        target: what to learn of them.
        indices: (n,) which ones.
        turned: (n, squares) where each square of the turned board comes from.
        room: filled with gradient and losses.
    """
    for i in range(len(indices)):
        index = indices[i]
        weight = target.weight[index]
        _show(lessons, index, turned[i], room.sight)
        forward(board, room.sight, network)
        _turn_back(board, turned[i], room)
        _share_out(board, network, lessons, index, weight, room)
        _push_moves(board, lessons, index, weight, room)
        _push_end(network, room.sight, target.value[index], target.margin[index], room)
        _push_judges(network, room.sight, room)
        _push_sums(board, network, turned[i], room)
        _push_table(board, room)
