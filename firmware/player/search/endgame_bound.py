"""The placements that each colour has left in an endgame, and a bound of its points."""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.endgame_moves import COLOURS, SQUARE_WORDS, WORD, Ending
from firmware.player.search.endgame_table import mixed
from firmware.player.search.jit import compiled, inlined, ones
from firmware.player.search.tables import Ints, Longs
from firmware.rules.pieces import MONOMINO, PIECES

_MONOMINO: Final = 1 << MONOMINO.index
"""Bit of the piece of a single square."""

_PIECES: Final = len(PIECES)
"""Pieces of a colour."""

_SIZE_OF: Final = tuple(piece.size for piece in PIECES)
"""Squares of each piece."""

_MOST_SUM: Final = 62
"""Largest area of which sums of pieces are computed, as bits of a word."""


class Remainder(NamedTuple):
    """The placements that are left at each depth of a search.

    Attributes:
        live: (depths, colours, words) placements that may be laid now or later.
        now: (depths, colours, words) placements that are legal now.
        area: (depths, colours, 4) squares that the live placements cover.
        hand: (depths, colours) the pieces in hand, as bits.
        most: (depths, colours) points that the colour gains at most.
        bonus: (3,) points for laying all pieces, further ones if the single square is the last,
            and a number that the hash begins with.
        queue: (2, words) buffers.
    """

    live: Longs
    now: Longs
    area: Longs
    hand: Longs
    most: Ints
    bonus: Longs
    queue: Longs


def new_remainder(depths: int, words: int, bonus: tuple[int, int]) -> Remainder:
    """An empty remainder; `bonus` has the points for all pieces and for the single square last."""
    sets = (depths, COLOURS, words)
    return Remainder(
        np.zeros(sets, np.int64),
        np.zeros(sets, np.int64),
        np.zeros((depths, COLOURS, SQUARE_WORDS), np.int64),
        np.zeros((depths, COLOURS), np.int64),
        np.zeros((depths, COLOURS), np.int32),
        np.array([*bonus, 1], np.int64),
        np.zeros((2, words), np.int64),
    )


@compiled
def settle(ending: Ending, remainder: Remainder, depth: int, colour: int) -> None:
    """Removes live placements that nothing reaches; computes area and bound.

    Before it `live` has all placements that are not barred, and `now` those of them that a corner
    reaches.
    """
    words = remainder.live.shape[2]
    live, area = remainder.live[depth, colour], remainder.area[depth, colour]
    reached, queue = remainder.queue[0], remainder.queue[1]
    missing = 0
    for word in range(words):
        queue[word] = remainder.now[depth, colour, word]
        reached[word] = queue[word]
        missing += ones(live[word] & ~queue[word])
    for word in range(SQUARE_WORDS):
        area[word] = 0
    pieces = 0
    word = 0
    while word < words:
        bits = queue[word]
        if bits == 0:
            word += 1
            continue
        low = bits & -bits
        queue[word] = bits ^ low
        placement = word * WORD + ones(low - 1)
        pieces |= 1 << ending.piece[colour, placement]
        for part in range(SQUARE_WORDS):
            area[part] |= ending.squares[colour, placement, part]
        if missing:
            opens = ending.opens[colour, placement]
            for other in range(words):
                found = opens[other] & live[other] & ~reached[other]
                if found:
                    queue[other] |= found
                    reached[other] |= found
                    missing -= ones(found)
                    word = min(word, other)
    for word in range(words):
        live[word] = reached[word]
    remainder.most[depth, colour] = _most(remainder, depth, colour, pieces)


@inlined
def _most(remainder: Remainder, depth: int, colour: int, pieces: int) -> int:
    """Points that a colour gains at most.

    Its pieces with a live placement must lie beside each other on the squares of such placements.
    It earns a bonus only if every piece in hand has one and there are squares for all.
    """
    squares = 0
    for word in range(SQUARE_WORDS):
        squares += ones(remainder.area[depth, colour, word])
    total = 0
    sums = 1
    for piece in range(_PIECES):
        if pieces >> piece & 1:
            size = _SIZE_OF[piece]
            total += size
            # Sums above the area fall out of the word, and are not asked for.
            sums |= sums << size
    hand = remainder.hand[depth, colour]
    if total <= squares:
        if hand and hand == pieces:
            total += remainder.bonus[0]
            if hand & _MONOMINO:
                total += remainder.bonus[1]
        return total
    if squares > _MOST_SUM:
        return squares
    while sums >> squares & 1 == 0:
        squares -= 1
    return squares


@inlined
def gained(ending: Ending, remainder: Remainder, depth: int, colour: int, placement: int) -> int:
    """Points that a colour gains at once by a placement."""
    points = int(ending.size[colour, placement])
    piece = 1 << int(ending.piece[colour, placement])
    if remainder.hand[depth, colour] == piece:
        points += remainder.bonus[0]
        if piece == _MONOMINO:
            points += remainder.bonus[1]
    return points


@inlined
def key_of(remainder: Remainder, depth: int, mover: int) -> int:
    """A hash of all that decides what can still be gained, and who moves.

    Positions reached over different placements are the same if the same ones remain. A piece in
    hand without a placement counts only by the bonus that it prevents.
    """
    key = remainder.bonus[2] + mover
    for colour in range(COLOURS):
        key = mixed(key, remainder.most[depth, colour])
        for word in range(remainder.live.shape[2]):
            key = mixed(key, remainder.live[depth, colour, word])
            key = mixed(key, remainder.now[depth, colour, word])
    return int(key)


@inlined
def lay_placement(
    ending: Ending, remainder: Remainder, depth: int, colour: int, placement: int
) -> None:
    """Computes the remainder of the next depth, after a placement."""
    words = remainder.live.shape[2]
    after, other = depth + 1, 1 - colour
    bars, blocks = ending.bars[colour, placement], ending.blocks[colour, placement]
    opens = ending.opens[colour, placement]
    blocked = 0
    for word in range(words):
        live = remainder.live[depth, colour, word] & ~bars[word]
        remainder.live[after, colour, word] = live
        remainder.now[after, colour, word] = live & (
            remainder.now[depth, colour, word] | opens[word]
        )
        theirs = remainder.live[depth, other, word]
        blocked |= theirs & blocks[word]
        remainder.live[after, other, word] = theirs & ~blocks[word]
        remainder.now[after, other, word] = remainder.now[depth, other, word] & ~blocks[word]
    piece = 1 << ending.piece[colour, placement]
    remainder.hand[after, colour] = remainder.hand[depth, colour] & ~piece
    remainder.hand[after, other] = remainder.hand[depth, other]
    settle(ending, remainder, after, colour)
    if blocked:
        settle(ending, remainder, after, other)
    else:
        _keep(remainder, depth, other)


@inlined
def leave_only(remainder: Remainder, depth: int, colour: int) -> None:
    """Computes the remainder of the next depth with one colour alone."""
    words = remainder.live.shape[2]
    after, other = depth + 1, 1 - colour
    for word in range(words):
        remainder.live[after, colour, word] = remainder.live[depth, colour, word]
        remainder.now[after, colour, word] = remainder.now[depth, colour, word]
        remainder.live[after, other, word] = 0
        remainder.now[after, other, word] = 0
    remainder.hand[after, colour] = remainder.hand[depth, colour]
    remainder.hand[after, other] = 0
    _keep(remainder, depth, colour)
    for part in range(SQUARE_WORDS):
        remainder.area[after, other, part] = 0
    remainder.most[after, other] = 0


@inlined
def _keep(remainder: Remainder, depth: int, colour: int) -> None:
    for part in range(SQUARE_WORDS):
        remainder.area[depth + 1, colour, part] = remainder.area[depth, colour, part]
    remainder.most[depth + 1, colour] = remainder.most[depth, colour]


@inlined
def are_apart(remainder: Remainder, depth: int) -> bool:
    """True if no placement of one colour can ever block one of the other."""
    common = 0
    for part in range(SQUARE_WORDS):
        common |= remainder.area[depth, 0, part] & remainder.area[depth, 1, part]
    return common == 0
