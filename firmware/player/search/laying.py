"""Boards of all 84 pieces: greedy laying, then windows that are lifted and laid anew.

Only the final board matters: no piece touches its own colour along a side, and corners join each
to the start of its colour, in the puzzle by size over pieces that are not smaller. A step lifts the
pieces of a random window, lays what fits by the best score, and lifts what nothing joins any more.
The result stays if it has no more squares in hand, or sometimes a few more (simulated annealing).
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.chance import Chance, draw, seeded
from firmware.player.search.jit import compiled
from firmware.player.search.tables import (
    ANCHOR,
    FRAME,
    ORIENTATION,
    PIECE,
    Ints,
    Tables,
    framed,
    tables,
)
from firmware.rules.board import Move
from firmware.rules.pieces import LARGEST, PIECES, SQUARES_OF_A_COLOUR
from firmware.rules.position import Position

_SMALLEST_WINDOW: Final = 3
"""Squares along the shortest side of a window."""

_WINDOWS: Final = 6
"""Number of lengths of a side of a window."""

_HEAT: Final = 0.7
"""Squares in hand that a step may add with a probability of 1/e."""

_COLD: Final = 1e-3
"""Squares in hand that a step of `vary` may add with a probability of 1/e: as good as none."""

_CORNER: Final = 0.3
"""Worth of a corner that a piece opens; a side that touches something else has 1."""

_HOLE: Final = 2.0
"""Cost of an empty square that a piece encloses."""

_NOISE: Final = 4.0
"""Width of the random part of a score."""


class Laying(NamedTuple):
    """A board, and what its steps need. Squares are in the frame of `tables`.

    Attributes:
        first: (squares + 1,) index in `by_first` of the first placement that begins at a square.
        by_first: (placements,) the placements by their first square.
        owner: (squares,) 1 more than the colour that covers a square, 0 empty, -1 off the board.
        size: (squares,) size of the piece that covers a square, 0 for none.
        start_of: (squares,) 1 more than the colour that starts at a square, 0 for none.
        start: (colours,) the starting square of each colour.
        placed: (colours, pieces) placement of each piece, -1 in hand.
        fixed: (colours, pieces) 1 if the piece was laid before, and may not be lifted.
        joined: (colours, pieces) buffer: 1 if corners join the piece to the start.
        reach: (squares,) buffer: size of the largest joined piece with a corner at a square.
        live: (placements,) buffer: the placements whose squares are empty.
        owner_before: (squares,) buffer: `owner` before a step.
        size_before: (squares,) buffer: `size` before a step.
        placed_before: (colours, pieces) buffer: `placed` before a step.
        by_size: (1,) 1 if pieces are joined over pieces that are not smaller.
        chance: (1,) state of the random numbers.
    """

    first: Ints
    by_first: Ints
    owner: Ints
    size: Ints
    start_of: Ints
    start: Ints
    placed: Ints
    fixed: Ints
    joined: Ints
    reach: Ints
    live: Ints
    owner_before: Ints
    size_before: Ints
    placed_before: Ints
    by_size: Ints
    chance: Chance


def new_laying(position: Position, seed: int) -> Laying | None:
    """A begun board, None if a colour has no starting square left."""
    table = tables(position.game.size)
    squares, colours = table.stride**2, len(position.game.colours)
    chance = np.random.default_rng(seed)
    start = _starts(position, chance)
    if start is None:
        return None
    order = np.argsort(table.info[:, 0], kind="stable").astype(np.int32)
    owner = np.full((table.stride, table.stride), -1, np.int32)
    owner[FRAME:-FRAME, FRAME:-FRAME] = 0
    start_of = np.zeros(squares, np.int32)
    start_of[start] = np.arange(1, colours + 1)
    placed = np.full((colours, len(PIECES)), -1, np.int32)
    puzzle = position.game.puzzle
    laying = Laying(
        np.searchsorted(table.info[order, 0], np.arange(squares + 1)).astype(np.int32),
        order,
        owner.ravel(),
        np.zeros(squares, np.int32),
        start_of,
        np.array(start, np.int32),
        placed,
        np.zeros_like(placed),
        np.zeros_like(placed),
        np.zeros(squares, np.int32),
        np.zeros(len(order), np.int32),
        np.zeros(squares, np.int32),
        np.zeros(squares, np.int32),
        placed.copy(),
        np.array([puzzle is not None and puzzle.by_size], np.int32),
        seeded(seed),
    )
    for colour, moves in enumerate(position.laid):
        for move in moves:
            _lay(table, laying, colour, move.index)
            laying.fixed[colour, move.piece.index] = 1
    return laying


def laid_of(position: Position, laying: Laying) -> list[tuple[int, Move]]:
    """The pieces that were laid in addition to those of the position."""
    new = np.argwhere((laying.placed >= 0) & (laying.fixed == 0)).tolist()
    return [(c, position.board.move(int(laying.placed[c, piece]))) for c, piece in new]


def _starts(position: Position, chance: np.random.Generator) -> list[int] | None:
    """For each colour the square in the frame at which it starts, or started."""
    board, game = position.board, position.game
    corners = board.parse_squares(",".join(game.starts))
    own = [next((s for s in corners if position.squares(c) >> s & 1), None) for c in game.colours]
    free = [square for square in corners if not position.occupied >> square & 1]
    chance.shuffle(free)
    begun = [bool(position.laid[colour]) for colour in game.colours]
    if any(b and s is None for b, s in zip(begun, own, strict=True)) or len(free) < begun.count(
        False
    ):
        return None
    found = [free.pop() if square is None else square for square in own]
    return [framed(square, board.size) for square in found]


@compiled
def improve(table: Tables, laying: Laying, steps: int) -> int:
    """Makes steps until all pieces are laid; returns the number of squares in hand."""
    _lay_what_fits(table, laying)
    left = _in_hand(laying)
    for _ in range(steps):
        if left == 0:
            return 0
        left = _step(table, laying, left, _HEAT)
    return left


@compiled
def vary(table: Tables, laying: Laying, steps: int) -> None:
    """Makes steps on a finished board that leave it finished."""
    for _ in range(steps):
        _step(table, laying, 0, _COLD)


@compiled
def _step(table: Tables, laying: Laying, left: int, heat: float) -> int:
    """Lays a window anew, or takes that back; returns the number of squares in hand."""
    _copy(laying.owner, laying.owner_before)
    _copy(laying.size, laying.size_before)
    _copy(laying.placed, laying.placed_before)
    _lift_window(table, laying)
    _lay_what_fits(table, laying)
    _lift_unjoined(table, laying)
    new = _in_hand(laying)
    if new <= left or draw(laying.chance) < np.exp((left - new) / heat):
        return new
    _copy(laying.owner_before, laying.owner)
    _copy(laying.size_before, laying.size)
    _copy(laying.placed_before, laying.placed)
    return left


@compiled
def _copy(source: Ints, target: Ints) -> None:
    # An assignment to a whole array needs memory, which compiled code here cannot have.
    for i in range(source.size):
        target.flat[i] = source.flat[i]


@compiled
def _in_hand(laying: Laying) -> int:
    """Number of squares of the pieces in hand."""
    squares = 0
    for square in range(len(laying.owner)):
        squares += laying.owner[square] > 0
    return len(laying.start) * SQUARES_OF_A_COLOUR - squares


_SIZE_OF: Final = np.array([piece.size for piece in PIECES], np.int32)
"""Size of each piece."""


@compiled
def _lay(table: Tables, laying: Laying, colour: int, placement: int) -> None:
    info = table.info[placement]
    size = _SIZE_OF[info[PIECE]]
    for cell in range(size):
        laying.owner[info[cell]] = colour + 1
        laying.size[info[cell]] = size
    laying.placed[colour, info[PIECE]] = placement


@compiled
def _lift(table: Tables, laying: Laying, colour: int, piece: int) -> None:
    info = table.info[laying.placed[colour, piece]]
    for cell in range(_SIZE_OF[piece]):
        laying.owner[info[cell]] = 0
        laying.size[info[cell]] = 0
    laying.placed[colour, piece] = -1


@compiled
def _lift_window(table: Tables, laying: Laying) -> None:
    """Lifts all pieces that have a square in a random window."""
    rows = _SMALLEST_WINDOW + int(draw(laying.chance) * _WINDOWS)
    columns = _SMALLEST_WINDOW + int(draw(laying.chance) * _WINDOWS)
    top = FRAME + int(draw(laying.chance) * (table.size - rows + 1))
    left = FRAME + int(draw(laying.chance) * (table.size - columns + 1))
    for colour in range(len(laying.placed)):
        for piece in range(len(_SIZE_OF)):
            placement = laying.placed[colour, piece]
            if placement < 0 or laying.fixed[colour, piece]:
                continue
            for cell in range(_SIZE_OF[piece]):
                square = table.info[placement, cell]
                row, column = table.row[square], table.column[square]
                if top <= row < top + rows and left <= column < left + columns:
                    _lift(table, laying, colour, piece)
                    break


@compiled
def _lay_what_fits(table: Tables, laying: Laying) -> None:
    """Lays the piece of the best score until none fits, larger pieces first."""
    for size in range(LARGEST, 0, -1):
        _lay_size(table, laying, size)


@compiled
def _lay_size(table: Tables, laying: Laying, size: int) -> None:
    lives = _list_empty(table, laying, size)
    while lives:
        best, best_colour, highest = -1, 0, -1e9
        remaining = 0
        for i in range(lives):
            placement = laying.live[i]
            if not _is_empty(table, laying, placement):
                continue
            laying.live[remaining] = placement
            remaining += 1
            piece = table.info[placement, PIECE]
            for colour in range(len(laying.placed)):
                if laying.placed[colour, piece] < 0 and _fits(table, laying, colour, placement):
                    score = _score(table, laying, colour, placement)
                    if score > highest:
                        best, best_colour, highest = placement, colour, score
        lives = remaining
        if best < 0:
            return
        _lay(table, laying, best_colour, best)


@compiled
def _list_empty(table: Tables, laying: Laying, size: int) -> int:
    """Lists the placements of pieces in hand whose squares are empty; returns their number."""
    lives = 0
    wanted = 0
    for piece in range(len(_SIZE_OF)):
        for colour in range(len(laying.placed)):
            if _SIZE_OF[piece] == size and laying.placed[colour, piece] < 0:
                wanted |= 1 << piece
    if not wanted:
        return 0
    for square in range(len(laying.owner)):
        if laying.owner[square] != 0:
            continue
        for i in range(laying.first[square], laying.first[square + 1]):
            placement = laying.by_first[i]
            if wanted >> table.info[placement, PIECE] & 1 and _is_empty(table, laying, placement):
                laying.live[lives] = placement
                lives += 1
    return lives


@compiled
def _is_empty(table: Tables, laying: Laying, placement: int) -> bool:
    info = table.info[placement]
    covered = 0
    for cell in range(_SIZE_OF[info[PIECE]]):
        covered |= laying.owner[info[cell]]
    return covered == 0


@compiled
def _fits(table: Tables, laying: Laying, colour: int, placement: int) -> bool:
    """True if a colour may lay a piece on these empty squares."""
    info = table.info[placement]
    size = _SIZE_OF[info[PIECE]]
    sides, anchor = table.sides[info[ORIENTATION]], info[ANCHOR]
    for i in range(1, sides[0] + 1):
        if laying.owner[anchor + sides[i]] == colour + 1:
            return False
    starts = False
    for cell in range(size):
        start = laying.start_of[info[cell]]
        if start == colour + 1:
            starts = True
        elif start > 0:
            return False
    return starts or _is_joined(table, laying, colour, placement)


@compiled
def _is_joined(table: Tables, laying: Laying, colour: int, placement: int) -> bool:
    """True if a corner of a placement touches an own piece over which it may be joined."""
    info = table.info[placement]
    corners, anchor = table.corners[info[ORIENTATION]], info[ANCHOR]
    least = _SIZE_OF[info[PIECE]] if laying.by_size[0] else 0
    for i in range(1, corners[0] + 1):
        other = anchor + corners[i]
        if laying.owner[other] == colour + 1 and laying.size[other] >= least:
            return True
    return False


@compiled
def _score(table: Tables, laying: Laying, colour: int, placement: int) -> float:
    """The worth of a placement: close to others, own corners open, no hole beside it."""
    info = table.info[placement]
    size = _SIZE_OF[info[PIECE]]
    sides, corners = table.sides[info[ORIENTATION]], table.corners[info[ORIENTATION]]
    anchor, stride = info[ANCHOR], table.stride
    score = _NOISE * draw(laying.chance)
    for i in range(1, sides[0] + 1):
        square = anchor + sides[i]
        if laying.owner[square] != 0:
            score += 1.0
            continue
        room = False
        for step in (-stride, -1, 1, stride):
            other = square + step
            if laying.owner[other] == 0:
                inside = False
                for cell in range(size):
                    inside = inside or info[cell] == other
                room = room or not inside
        if not room:
            score -= _HOLE
    for i in range(1, corners[0] + 1):
        square = anchor + corners[i]
        if laying.owner[square] == 0:
            own = colour + 1
            touches = laying.owner[square - 1] == own or laying.owner[square + 1] == own
            touches = touches or laying.owner[square - stride] == own
            if not touches and laying.owner[square + stride] != own:
                score += _CORNER
    return score


@compiled
def _lift_unjoined(table: Tables, laying: Laying) -> None:
    """Lifts all pieces that corners do not join to the start of their colour."""
    laying.joined[:, :] = 0
    for colour in range(len(laying.placed)):
        laying.reach[:] = 0
        laying.reach[laying.start[colour]] = LARGEST
        changed = True
        while changed:
            changed = False
            for piece in range(len(_SIZE_OF) - 1, -1, -1):
                placement = laying.placed[colour, piece]
                if placement < 0 or laying.joined[colour, piece]:
                    continue
                if _is_reached(table, laying, placement):
                    _reach_on(table, laying, placement)
                    laying.joined[colour, piece] = 1
                    changed = True
        for piece in range(len(_SIZE_OF)):
            if laying.placed[colour, piece] >= 0 and not laying.joined[colour, piece]:
                _lift(table, laying, colour, piece)


@compiled
def _is_reached(table: Tables, laying: Laying, placement: int) -> bool:
    """True if a piece covers the start, or a corner of a joined piece over which it may be."""
    info = table.info[placement]
    size = _SIZE_OF[info[PIECE]]
    least = size if laying.by_size[0] else 1
    highest = 0
    for cell in range(size):
        highest = max(highest, laying.reach[info[cell]])
    return highest >= least


@compiled
def _reach_on(table: Tables, laying: Laying, placement: int) -> None:
    """Marks the corners of a piece."""
    info = table.info[placement]
    size = _SIZE_OF[info[PIECE]]
    corners, anchor = table.corners[info[ORIENTATION]], info[ANCHOR]
    for i in range(1, corners[0] + 1):
        square = anchor + corners[i]
        laying.reach[square] = max(laying.reach[square], size)
