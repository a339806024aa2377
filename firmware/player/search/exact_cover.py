"""Exact cover: lays pieces so that they cover every square of a field, or proves that none can.

The search keeps a list of live options, placements that contradict no piece laid so far. It takes
the square or the piece with the fewest live options and tries one of them. If that fails, it drops
this option alone and counts again, so no arrangement is tried twice. The list of each depth is
kept, so the search can stop after any number of steps and go on later.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.chance import draw, seeded
from firmware.player.search.jit import compiled
from firmware.player.search.tables import Ints, Places

Masks = NDArray[np.uint64]

FOUND: Final = 1
"""State of a search: the chosen options cover the field."""

NONE: Final = 2
"""State of a search: it has tried everything."""

STOPPED: Final = 0
"""State of a search: it has made the steps that it was allowed, and may go on."""

_DEPTH: Final = 0
"""Place in `at`: number of options that are chosen now."""

_BACK: Final = 1
"""Place in `at`: 1 if an option was just taken back, so that the groups need no check."""

_COLUMNS: Final = 2
"""Length of `at`."""

_WORD: Final = 64
"""Bits of a word of a mask."""


class Cover(NamedTuple):
    """A problem and the state of its search.

    Attributes:
        squares: (options, cells) the squares that each option covers, from 0.
        kind: (options,) the piece that it uses.
        covered: (options, words) its squares as a mask.
        barred: (options, words) squares that its colour may not cover afterwards, its own too.
        colour: (options,) its colour.
        copies: (kinds,) how many options of each kind have to be chosen.
        near: (squares, 4) the squares that share a side with each square; the number of squares
            for none.
        live: (depths + 1, options) the live options of each depth.
        lives: (depths + 1,) their number.
        chosen: (depths,) index in `live` of the option that is tried at each depth.
        counts: (depths + 1, squares + kinds) number of live options of each square, then of each
            kind.
        group: (squares,) buffer: squares of a group.
        reached: (squares,) buffer: 1 for each square in a group.
        done: (squares + kinds,) 1 for each square that is covered and each kind that is used up.
        laid: (kinds,) how many options of each kind are chosen.
        at: (2,) depth, 1 if an option was just taken back.
        chance: (1,) state of the random numbers.
    """

    squares: Places
    kind: Places
    covered: Masks
    barred: Masks
    colour: Ints
    copies: Ints
    near: Places
    live: Places
    lives: Ints
    chosen: Ints
    counts: Ints
    group: Places
    reached: Ints
    done: Ints
    laid: Ints
    at: NDArray[np.int64]
    chance: Masks


def new_cover(
    squares: Ints, kind: Ints, colour: Ints, barred: Ints, copies: Ints, near: Ints
) -> Cover:
    """A search at its start.

    Args:
        squares: (options, cells), as in `Cover`.
        kind: (options,)
        colour: (options,)
        barred: (options, n) squares that its colour may not cover afterwards, -1 for none.
        copies: (kinds,)
        near: (squares, 4) the squares that share a side with each square, -1 for none.
    """
    options, fields, depths = len(squares), len(near), int(copies.sum())
    items = fields + len(copies)
    covered = _masks(squares, fields)
    return Cover(
        squares.astype(np.uint16),
        kind.astype(np.uint16),
        covered,
        covered | _masks(barred, fields),
        colour,
        copies,
        np.where(near < 0, fields, near).astype(np.uint16),
        np.zeros((depths + 1, options), np.uint16),
        np.zeros(depths + 1, np.int32),
        np.zeros(depths, np.int32),
        np.zeros((depths + 1, items), np.int32),
        np.zeros(fields, np.uint16),
        np.zeros(fields, np.int32),
        np.zeros(items, np.int32),
        np.zeros(len(copies), np.int32),
        np.zeros(_COLUMNS, np.int64),
        seeded(0),
    )


def restart(cover: Cover, seed: int) -> None:
    """Returns to the start, with other random choices."""
    options = len(cover.squares)
    cover.live[0, :] = np.arange(options)
    cover.lives[0] = options
    cover.counts[0] = np.concatenate(
        [
            np.bincount(cover.squares.ravel(), minlength=len(cover.near)),
            np.bincount(cover.kind, minlength=len(cover.copies)),
        ]
    )
    cover.done[:] = 0
    cover.laid[:] = 0
    cover.done[len(cover.done) - len(cover.copies) :] = cover.copies == 0
    cover.at[_DEPTH], cover.at[_BACK] = 0, 0
    cover.chance[:] = seeded(seed)


def chosen_of(cover: Cover) -> list[int]:
    """The chosen options."""
    return [int(cover.live[depth, cover.chosen[depth]]) for depth in range(cover.at[_DEPTH])]


def _masks(squares: Ints, fields: int) -> Masks:
    masks = np.zeros((len(squares), -(-fields // _WORD)), np.uint64)
    for places in squares.T:
        rows = np.flatnonzero(places >= 0)
        bits = np.left_shift(np.uint64(1), (places[rows] % _WORD).astype(np.uint64))
        masks[rows, places[rows] // _WORD] |= bits
    return masks


@compiled
def search(cover: Cover, steps: int) -> int:
    """Goes on for a number of steps; returns `FOUND`, `NONE` or `STOPPED`."""
    depths = len(cover.chosen)
    for _ in range(steps):
        depth = cover.at[_DEPTH]
        if depth == depths:
            return FOUND
        item = -1
        if cover.at[_BACK] or _divides(cover):
            item = _fewest(cover, depth)
        if item >= 0:
            _choose(cover, depth, item)
            cover.at[_DEPTH], cover.at[_BACK] = depth + 1, 0
        elif depth == 0:
            return NONE
        else:
            _take_back(cover, depth - 1)
            cover.at[_DEPTH], cover.at[_BACK] = depth - 1, 1
    return FOUND if cover.at[_DEPTH] == depths else STOPPED


@compiled
def _divides(cover: Cover) -> bool:
    """True if the pieces' size divides the size of every group of squares that are not covered."""
    size = cover.squares.shape[1]
    fields = len(cover.near)
    cover.reached[:] = 0
    for first in range(fields):
        if cover.done[first] or cover.reached[first]:
            continue
        cover.group[0] = first
        cover.reached[first] = 1
        count, i = 1, 0
        while i < count:
            for side in range(4):
                other = cover.near[cover.group[i], side]
                if other < fields and not cover.done[other] and not cover.reached[other]:
                    cover.reached[other] = 1
                    cover.group[count] = other
                    count += 1
            i += 1
        if count % size:
            return False
    return True


@compiled
def _fewest(cover: Cover, depth: int) -> int:
    """The square or kind with the fewest live options, -1 if one has too few."""
    fields = len(cover.near)
    counts = cover.counts[depth]
    fewest, least, ties = -1, len(cover.squares) + 1, 0
    for item in range(len(counts)):
        if cover.done[item]:
            continue
        count = counts[item]
        if count == 0:
            return -1
        if item >= fields and count < cover.copies[item - fields] - cover.laid[item - fields]:
            return -1
        if count < least:
            fewest, least, ties = item, count, 1
        elif count == least:
            ties += 1
            if draw(cover.chance) * ties < 1:
                fewest = item
    return fewest


@compiled
def _choose(cover: Cover, depth: int, item: int) -> None:
    """Tries a random option of an item, and lists the options that remain live after it."""
    fields = len(cover.near)
    lives, live = cover.lives[depth], cover.live[depth]
    index = _random_index(cover, depth, item)
    option = live[index]
    cover.chosen[depth] = index
    kind, colour = cover.kind[option], cover.colour[option]
    cover.laid[kind] += 1
    used_up = cover.laid[kind] == cover.copies[kind]
    if used_up:
        cover.done[fields + kind] = 1
    for cell in range(cover.squares.shape[1]):
        cover.done[cover.squares[option, cell]] = 1
    counts = cover.counts[depth + 1]
    counts[:] = 0
    remaining = 0
    for i in range(lives):
        other = live[i]
        if used_up and cover.kind[other] == kind:
            continue
        forbidden = cover.barred if cover.colour[other] == colour else cover.covered
        clash = np.uint64(0)
        for word in range(cover.covered.shape[1]):
            clash |= forbidden[option, word] & cover.covered[other, word]
        if clash:
            continue
        cover.live[depth + 1, remaining] = other
        remaining += 1
        for cell in range(cover.squares.shape[1]):
            counts[cover.squares[other, cell]] += 1
        counts[fields + cover.kind[other]] += 1
    cover.lives[depth + 1] = remaining


@compiled
def _random_index(cover: Cover, depth: int, item: int) -> int:
    """Index in the live options of a random one that covers a square or is of a kind."""
    fields = len(cover.near)
    number = int(draw(cover.chance) * cover.counts[depth, item])
    for i in range(cover.lives[depth]):
        option = cover.live[depth, i]
        fits = item >= fields and cover.kind[option] == item - fields
        for cell in range(cover.squares.shape[1]):
            fits = fits or cover.squares[option, cell] == item
        if fits:
            if number == 0:
                return i
            number -= 1
    return 0


@compiled
def _take_back(cover: Cover, depth: int) -> None:
    """Takes back the option of a depth, and drops it from the live ones there."""
    fields = len(cover.near)
    index, last = cover.chosen[depth], cover.lives[depth] - 1
    option = cover.live[depth, index]
    kind = cover.kind[option]
    cover.laid[kind] -= 1
    cover.done[fields + kind] = 0
    counts = cover.counts[depth]
    counts[fields + kind] -= 1
    for cell in range(cover.squares.shape[1]):
        square = cover.squares[option, cell]
        cover.done[square] = 0
        counts[square] -= 1
    cover.live[depth, index] = cover.live[depth, last]
    cover.lives[depth] = last
