"""Alpha-beta search of an endgame on an explicit stack, in slices of nodes.

A value is what the side to move still gains more than the other one. It does not depend on what
was gained before, so all orders of moves to the same remaining placements share an entry of the
table. Where no placement of a colour can block one of the other, each colour is searched alone.

Recursion is not possible: numba cannot load a recursive function from its cache.
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.endgame_bound import (
    Remainder,
    are_apart,
    gained,
    key_of,
    lay_placement,
    leave_only,
)
from firmware.player.search.endgame_moves import WORD, Ending
from firmware.player.search.endgame_table import (
    AT_LEAST,
    AT_MOST,
    BEST_MOVE,
    BOUND,
    ProofTable,
    find_entry,
    store_entry,
)
from firmware.player.search.jit import compiled, inlined, ones
from firmware.player.search.tables import Ints, Longs

DEPTHS: Final = 48
"""Depths of a search: 42 pieces, two more where the colours are searched alone, and the last."""

_MOVER: Final = 0
"""Column of `frame`: the colour to move at a depth, 0 or 1."""

_ALPHA: Final = 1
"""Column of `frame`: lower end of the window; a value up to it is not searched exactly."""

_BETA: Final = 2
"""Column of `frame`: upper end of the window; a value from it on is not searched exactly."""

_LOW: Final = 3
"""Column of `frame`: lower bound of the value, from the areas and the table."""

_HIGH: Final = 4
"""Column of `frame`: upper bound of the value, from the areas and the table."""

_BEST: Final = 5
"""Column of `frame`: best value of the moves tried so far, -`BOUND` before the first."""

_MOVE: Final = 6
"""Column of `frame`: the move of that value, -1 before the first."""

_NEXT: Final = 7
"""Column of `frame`: number of moves, or of colours alone, that were begun."""

_COUNT: Final = 8
"""Column of `frame`: number of moves to try, or `_APART`."""

_KEY: Final = 9
"""Column of `frame`: hash of the remainder, by which the table has its entry."""

_GAIN: Final = 10
"""Column of `frame`: points of the move that is tried; of a colour alone, the sum so far."""

_BEGUN: Final = 11
"""Column of `frame`: number of nodes when the depth began, to count the work of its entry."""

_TRIED: Final = 12
"""Column of `frame`: the move that is tried."""

_COLUMNS: Final = 13
"""Number of columns of `frame`."""

_APART: Final = -1
"""`_COUNT` of a depth at which each colour is searched alone."""

_DEPTH: Final = 0
"""Place in `at`: the depth that is searched now."""

_PHASE: Final = 1
"""Place in `at`: the phase of that depth, `_ENTER`, `_CHOOSE` or `_RETURN`."""

_VALUE: Final = 2
"""Place in `at`: value of the depth that returns, for its own mover."""

NODES: Final = 3
"""Place in `at`: number of depths that were entered so far."""

_STATES: Final = 4
"""Length of `at`."""

_ENTER: Final = 0
"""Phase of a depth that begins: its bounds and the table may give its value."""

_CHOOSE: Final = 1
"""Phase of a depth that tries its next move, or its next colour."""

_RETURN: Final = 2
"""Phase of a depth whose value is known, and goes to the depth above."""

_BLOCKED_WEIGHT: Final = 3
"""Weight of each placement of the other colour that a move blocks, to order moves; chosen."""

_SIZE_WEIGHT: Final = 16
"""Weight of each square of a move, to order moves; chosen above five blocked placements."""


class Stack(NamedTuple):
    """The state of a search.

    Attributes:
        frame: (depths, 13) see the columns above.
        moves: (depths, placements) the placements that are tried.
        worth: (depths, placements) their order: the largest first.
        at: (4,) depth, phase, value of the depth that returns, and number of nodes.
    """

    frame: Longs
    moves: Ints
    worth: Ints
    at: Longs


def new_stack(placements: int) -> Stack:
    """A stack for at most so many placements of a colour."""
    return Stack(
        np.zeros((DEPTHS, _COLUMNS), np.int64),
        np.zeros((DEPTHS, placements), np.int32),
        np.zeros((DEPTHS, placements), np.int32),
        np.zeros(_STATES, np.int64),
    )


@inlined
def begin(stack: Stack, depth: int, mover: int, alpha: int, beta: int) -> None:
    """Prepares the search of the remainder at a depth, for the window from `alpha` to `beta`."""
    frame = stack.frame[depth]
    frame[_MOVER], frame[_ALPHA], frame[_BETA] = mover, alpha, beta
    stack.at[_DEPTH], stack.at[_PHASE] = depth, _ENTER


@compiled
def start(stack: Stack, depth: int, mover: int, alpha: int, beta: int) -> None:
    """The same as `begin`, for other code than kernels."""
    begin(stack, depth, mover, alpha, beta)


@compiled
def lay_first(ending: Ending, remainder: Remainder, colour: int, placement: int) -> int:
    """Computes the remainder at depth 1, after a placement at depth 0; returns its points."""
    lay_placement(ending, remainder, 0, colour, placement)
    return gained(ending, remainder, 0, colour, placement)


@compiled
def advance(
    ending: Ending, remainder: Remainder, table: ProofTable, stack: Stack, depth: int, most: int
) -> bool:
    """Searches until the value of a depth is known, or `stack.at[NODES]` is at least `most`.

    Returns:
        True if it is known; see `value_of`.
    """
    at, frame = stack.at, stack.frame
    while True:
        here = at[_DEPTH]
        if at[_PHASE] == _ENTER:
            if at[NODES] >= most:
                return False
            at[NODES] += 1
            if _enter(ending, remainder, table, stack, here):
                at[_PHASE] = _RETURN
            else:
                at[_PHASE] = _CHOOSE
        elif at[_PHASE] == _RETURN:
            if here == depth:
                return True
            at[_DEPTH] = here - 1
            value = at[_VALUE]
            if frame[here, _MOVER] != frame[here - 1, _MOVER]:
                value = -value
            _take(stack, here - 1, value)
            at[_PHASE] = _CHOOSE
        elif frame[here, _COUNT] == _APART:
            _choose_colour(remainder, table, stack, here)
        else:
            _choose_move(ending, remainder, table, stack, here)


def value_of(stack: Stack, depth: int, mover: int) -> int:
    """The value of a finished search for a colour.

    At most `alpha` it is an upper bound, from `beta` on a lower bound, between them exact.
    """
    value = int(stack.at[_VALUE])
    return value if stack.frame[depth, _MOVER] == mover else -value


@inlined
def _enter(
    ending: Ending, remainder: Remainder, table: ProofTable, stack: Stack, here: int
) -> bool:
    """Begins a depth; returns True if bounds or the table already give its value."""
    at, frame = stack.at, stack.frame[here]
    mover = frame[_MOVER]
    if remainder.most[here, mover] == 0 and remainder.most[here, 1 - mover] > 0:
        # The colour passes. The child of a frame tells its mover, so the window turns with it.
        mover = 1 - mover
        frame[_MOVER] = mover
        frame[_ALPHA], frame[_BETA] = -frame[_BETA], -frame[_ALPHA]
    low, high = -int(remainder.most[here, 1 - mover]), int(remainder.most[here, mover])
    if _is_decided(stack, here, low, high):
        return True
    key, move = key_of(remainder, here, mover), -1
    entry = find_entry(table, key)
    if entry >= 0:
        low = max(low, table.entries[entry, AT_LEAST])
        high = min(high, table.entries[entry, AT_MOST])
        move = table.entries[entry, BEST_MOVE]
        if _is_decided(stack, here, low, high):
            return True
    frame[_LOW], frame[_HIGH], frame[_KEY] = low, high, key
    frame[_BEST], frame[_MOVE], frame[_NEXT] = -BOUND, -1, 0
    frame[_BEGUN] = at[NODES]
    both = remainder.most[here, mover] > 0 and remainder.most[here, 1 - mover] > 0
    if both and are_apart(remainder, here):
        frame[_COUNT] = _APART
    else:
        frame[_COUNT] = _list_moves(ending, remainder, stack, here, mover, move)
    return False


@inlined
def _is_decided(stack: Stack, here: int, low: int, high: int) -> bool:
    """Sets the value of a depth and returns True if its bounds suffice."""
    if low >= min(high, stack.frame[here, _BETA]):
        stack.at[_VALUE] = low
        return True
    if high <= stack.frame[here, _ALPHA]:
        stack.at[_VALUE] = high
        return True
    return False


@inlined
def _list_moves(
    ending: Ending, remainder: Remainder, stack: Stack, here: int, mover: int, first: int
) -> int:
    """Lists the legal placements with their worth, and returns their number."""
    words = remainder.now.shape[2]
    theirs = remainder.live[here, 1 - mover]
    count = 0
    for word in range(words):
        bits = remainder.now[here, mover, word]
        while bits:
            low = bits & -bits
            bits ^= low
            placement = word * WORD + ones(low - 1)
            blocks = ending.blocks[mover, placement]
            blocked = 0
            for other in range(words):
                blocked += ones(blocks[other] & theirs[other])
            worth = _SIZE_WEIGHT * ending.size[mover, placement] + _BLOCKED_WEIGHT * blocked
            if placement == first:
                worth = 1 << 20
            stack.moves[here, count] = placement
            stack.worth[here, count] = worth
            count += 1
    return count


@inlined
def _take(stack: Stack, here: int, value: int) -> None:
    """Takes the value of a move, or of a colour alone, from the depth above."""
    frame = stack.frame[here]
    value += frame[_GAIN]
    if frame[_COUNT] == _APART:
        # Each is exact, and the colours do not touch each other.
        frame[_GAIN] = value
    elif value > frame[_BEST]:
        frame[_BEST] = value
        frame[_MOVE] = frame[_TRIED]


@inlined
def _choose_colour(remainder: Remainder, table: ProofTable, stack: Stack, here: int) -> None:
    """Searches the mover alone, then the other colour alone, then returns the difference."""
    frame = stack.frame[here]
    mover, step = frame[_MOVER], frame[_NEXT]
    if step == 2:
        value = frame[_GAIN]
        work = stack.at[NODES] - frame[_BEGUN]
        store_entry(table, frame[_KEY], value, value, -1, work)
        stack.at[_VALUE] = value
        stack.at[_PHASE] = _RETURN
        return
    if step == 0:
        frame[_GAIN] = 0
    frame[_NEXT] = step + 1
    colour = mover if step == 0 else 1 - mover
    leave_only(remainder, here, colour)
    begin(stack, here + 1, colour, -BOUND, BOUND)


@inlined
def _choose_move(
    ending: Ending, remainder: Remainder, table: ProofTable, stack: Stack, here: int
) -> None:
    """Tries the next move, or returns the value of this depth."""
    frame, at = stack.frame[here], stack.at
    best, low, high = frame[_BEST], frame[_LOW], frame[_HIGH]
    alpha = max(frame[_ALPHA], best)
    beta = min(frame[_BETA], high)
    if best >= beta or frame[_NEXT] == frame[_COUNT]:
        if best >= beta:
            low = max(low, best)
        elif best <= frame[_ALPHA]:
            high = min(high, best)
        else:
            low = high = best
        store_entry(table, frame[_KEY], low, high, frame[_MOVE], at[NODES] - frame[_BEGUN])
        at[_VALUE] = best
        at[_PHASE] = _RETURN
        return
    placement = _best_left(stack, here)
    mover = frame[_MOVER]
    gain = gained(ending, remainder, here, mover, placement)
    frame[_GAIN], frame[_TRIED] = gain, placement
    lay_placement(ending, remainder, here, mover, placement)
    begin(stack, here + 1, 1 - mover, gain - beta, gain - alpha)


@inlined
def _best_left(stack: Stack, here: int) -> int:
    """Takes the placement of the largest worth from those that are left."""
    moves, worth, frame = stack.moves[here], stack.worth[here], stack.frame[here]
    first = frame[_NEXT]
    chosen = first
    for i in range(first + 1, frame[_COUNT]):
        if worth[i] > worth[chosen]:
            chosen = i
    placement = moves[chosen]
    moves[chosen], worth[chosen] = moves[first], worth[first]
    frame[_NEXT] = first + 1
    return int(placement)
