"""The reasons for the legal moves of a position: their numbers, and which of them are given.

Each reason has a number for every legal move. P is the position before a move, Q the one after
it, both exact by the rules; *own* is the colour that moves, the *opponents* are the colours of all
other sides. The numbers of several opponents are added; a shared colour, which scores for nobody,
is never an opponent, and its own moves have no reasons about own placements.

A reason is given only if the move is among the best 5 % of all legal moves in it, equal ones
included. A reason that holds for most moves says nothing about one of them: "opens corners" holds
for 92 % of the best moves and for 88 % of random ones.

Whatever a move blocks covers one of its squares, because nothing else changes for the opponents.
So their placements after a move are those before it without a square of the move, and only the
own placements are listed anew.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason
from firmware.player.search.jit import compiled
from firmware.player.search.kernels import (
    CORNER,
    LAID,
    MOVES,
    BoardState,
    copy_state,
    empty_state,
    put,
    refresh,
)
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search.scoring import state_of
from firmware.player.search.tables import FRAME, PIECE, Ints, Tables, tables
from firmware.player.search_result import SearchResult
from firmware.rules.board import Move
from firmware.rules.pieces import LARGEST, PIECES
from firmware.rules.position import Position
from firmware.rules.variants import Colour

Numbers = NDArray[np.int64]
"""(moves,): the number of a reason for each legal move, 0 where the reason does not hold."""

MOST_GIVEN: Final = 2
"""Greatest number of reasons that are given for a move."""

TOP_SHARE: Final = 0.05
"""Largest share of the legal moves that are as good in a reason as a move for which it is given."""

FEW: Final = 8
"""Placements left of a piece of five squares from which on it is not called urgent."""

WISH_FROM_S: Final = 1.0
"""Seconds of a request from which on the opponent's wish is searched as well."""

_WISH: Final = SearchLimits(seconds=0.5, simulations=500)
"""Limits of that search: it takes 0.03 s on a PC, a few times that on a small computer."""

_WISH_MB: Final = 2
"""Memory of its tree, in units of 2**20 bytes."""

_KEEPS: Final = 0
"""Row of `numbers` and `marks`: own placements after the move; marked are corners they use."""

_REACHES: Final = 1
"""Row of `numbers` and `marks`: squares that own placements newly cover."""

_BLOCKS: Final = 2
"""Row of `numbers` and `marks`: placements that opponents lose; the move's squares in their way."""

_SHUTS: Final = 3
"""Row of `numbers` and `marks`: squares that an opponent can cover no more."""

_CORNERS: Final = 4
"""Row of `numbers` and `marks`: corners of opponents that the move covers."""

_STRANDS: Final = 5
"""Row of `numbers` and `marks`: pieces that lose their last placement; its squares are marked."""

_CODES: Final = (
    MoveReasonCode.KEEPS_OPTIONS,
    MoveReasonCode.REACHES,
    MoveReasonCode.BLOCKS,
    MoveReasonCode.SHUTS_OUT,
    MoveReasonCode.TAKES_CORNERS,
    MoveReasonCode.STRANDS,
)
"""Reasons that the kernel counts, by row."""

_OWN: Final = (MoveReasonCode.KEEPS_OPTIONS, MoveReasonCode.REACHES, MoveReasonCode.LARGE_NOW)
"""Reasons about own placements, which a shared colour has not."""

_PIECES: Final = len(PIECES)
"""Pieces of a colour."""

_FIRST_LARGE: Final = next(piece.index for piece in PIECES if piece.size == LARGEST)
"""Index of the first piece of five squares; all later ones have as many."""


class MoveCount(NamedTuple):
    """A position, and buffers for the numbers of one move. Squares are in the frame of `tables`.

    Attributes:
        before: the position, its lists of placements up to date.
        after: (state) buffer: the position after a move.
        enemy: (colours,) 1 for a colour of an opponent.
        cover: (colours, squares) 1 if a placement of the colour covers the square in `before`.
        holds: (colours, pieces) 1 if the piece has a placement in `before`.
        cover_after: (squares,) buffer: the same for one colour after a move.
        holds_after: (pieces,) buffer: the same.
        numbers: (reasons,) output: the numbers of a move.
        marks: (reasons, squares) output: 1 at the squares of each reason.
    """

    before: BoardState
    after: BoardState
    enemy: Ints
    cover: Ints
    holds: Ints
    cover_after: Ints
    holds_after: Ints
    numbers: Ints
    marks: Ints


@compiled
def _cover(tables: Tables, state: BoardState, colour: int, cover: Ints, holds: Ints) -> None:
    """Marks the squares and the pieces of the placements of a colour."""
    moves = state.moves[colour]
    for i in range(state.tally[colour, MOVES]):
        info = tables.info[moves[i]]
        holds[info[PIECE]] = 1
        # Always five: the padding of smaller pieces is square 0, which is not used.
        for j in range(LARGEST):
            cover[info[j]] = 1
    cover[0] = 0


@compiled
def _measure(tables: Tables, count: MoveCount, colour: int, placement: int) -> None:
    """Computes numbers and marks of a move of a colour."""
    for code in range(len(count.numbers)):
        count.numbers[code] = 0
        for square in range(count.marks.shape[1]):
            count.marks[code, square] = 0
    copy_state(count.before, count.after)
    put(tables, count.after, colour, placement)
    _measure_own(tables, count, colour)
    for other in range(len(count.enemy)):
        if count.enemy[other]:
            _measure_enemy(tables, count, other, placement)


@compiled
def _clear(count: MoveCount) -> None:
    for square in range(len(count.cover_after)):
        count.cover_after[square] = 0
    for piece in range(_PIECES):
        count.holds_after[piece] = 0


@compiled
def _measure_own(tables: Tables, count: MoveCount, colour: int) -> None:
    """Own placements after the move, their new squares, and the corners that they use."""
    after, marks = count.after, count.marks
    count.numbers[_KEEPS] = refresh(tables, after, colour)
    _clear(count)
    _cover(tables, after, colour, count.cover_after, count.holds_after)
    for square in range(len(count.cover_after)):
        if count.cover_after[square] and not count.cover[colour, square]:
            count.numbers[_REACHES] += 1
            marks[_REACHES, square] = 1
    opened = after.recent[colour, 0]
    for i in range(1, opened[0] + 1):
        if count.cover_after[opened[i]]:
            marks[_KEEPS, opened[i]] = 1


@compiled
def _measure_enemy(tables: Tables, count: MoveCount, other: int, placement: int) -> None:
    """Placements, squares, corners and pieces that an opponent loses."""
    before, marks, numbers = count.before, count.marks, count.numbers
    _clear(count)
    moves = before.moves[other]
    for i in range(before.tally[other, MOVES]):
        info = tables.info[moves[i]]
        if _is_hit(tables, count, moves[i]):
            numbers[_BLOCKS] += 1
            continue
        count.holds_after[info[PIECE]] = 1
        for j in range(LARGEST):
            count.cover_after[info[j]] = 1
    for square in range(1, len(count.cover_after)):
        if count.cover[other, square] and not count.cover_after[square]:
            numbers[_SHUTS] += 1
            marks[_SHUTS, square] = 1
    for j in range(LARGEST):
        square = tables.info[placement, j]
        if count.cover[other, square]:
            marks[_BLOCKS, square] = 1
            corners = before.masks[CORNER, other, tables.row[square]]
            if before.tally[other, LAID] and corners & tables.bit[square]:
                numbers[_CORNERS] += 1
                marks[_CORNERS, square] = 1
    _measure_stranded(tables, count, other)


@compiled
def _is_hit(tables: Tables, count: MoveCount, placement: int) -> bool:
    """True if a placement that was open before the move is so no more."""
    info = tables.info[placement]
    hit = False
    for j in range(LARGEST):
        hit = hit or count.after.owner[info[j]] > 0
    return hit


@compiled
def _measure_stranded(tables: Tables, count: MoveCount, other: int) -> None:
    """Pieces that lose their last placement, and the squares of their placements."""
    stranded = 0
    for piece in range(_PIECES):
        if count.holds[other, piece] and not count.holds_after[piece]:
            count.numbers[_STRANDS] += 1
            stranded |= 1 << piece
    if not stranded:
        return
    moves = count.before.moves[other]
    for i in range(count.before.tally[other, MOVES]):
        info = tables.info[moves[i]]
        if stranded >> info[PIECE] & 1:
            for j in range(LARGEST):
                count.marks[_STRANDS, info[j]] = 1
    count.marks[_STRANDS, 0] = 0


@compiled
def _measure_moves(tables: Tables, count: MoveCount, colour: int, begin: int, found: Ints) -> None:
    """Computes the numbers of legal moves from index `begin` on: (moves, reasons).

    The marks are those of the last one. This is the only entry, because each further one that
    lays a piece takes seconds to compile.
    """
    for i in range(len(found)):
        _measure(tables, count, colour, count.before.moves[colour, begin + i])
        for code in range(len(count.numbers)):
            found[i, code] = count.numbers[code]


class MoveReasons:
    """Reasons for the legal moves of a position.

    Args:
        position: a position in which a colour has to move.
        wish: the move that the next opponent is expected to make, or None; see `wish_of`.

    Attributes:
        moves: the legal moves.
        numbers: for each reason that needs no proof its numbers, in the order of `moves`.
    """

    def __init__(self, position: Position, wish: Move | None = None) -> None:
        colour = position.to_move
        assert colour is not None, "a legal move has a colour"
        self._tables: Final = tables(position.game.size)
        self._position: Final = position
        self._colour: Final = colour
        self._wish: Final = wish
        self._count: Final = _new_count(self._tables, position, colour)
        listed = self._count.before.moves[colour, : self._count.before.tally[colour, MOVES]]
        self.moves: Final = tuple(map(position.board.move, listed.tolist()))
        self.numbers: Final = self._counted()

    def give(
        self, moves: Iterable[Move], result: SearchResult | None = None
    ) -> list[tuple[Reason, ...]]:
        """The reasons that are given for some moves: at most two for each, proofs first.

        Args:
            moves: legal moves.
            result: the result of the position; if it is solved, with all legal moves.
        """
        codes = superlatives(self.numbers)
        found = []
        for move in moves:
            index = self.moves.index(move)
            proof = None if result is None else proof_of(move, result)
            reasons = [] if proof is None else [proof]
            reasons += [self._reason(code, index) for code in codes[index]]
            found.append(tuple(reasons[:MOST_GIVEN]))
        return found

    def _counted(self) -> dict[MoveReasonCode, Numbers]:
        found = np.zeros((len(self.moves), len(_CODES)), np.int32)
        _measure_moves(self._tables, self._count, self._colour, 0, found)
        numbers = dict(zip(_CODES, found.T.astype(np.int64), strict=True))
        pieces = np.array([move.piece.index for move in self.moves])
        left = np.bincount(pieces, minlength=_PIECES)[pieces]
        numbers[MoveReasonCode.LARGE_NOW] = np.where(pieces >= _FIRST_LARGE, left, 0)
        if self._wish is not None:
            squares = self._wish.mask
            spoils = np.array([bool(move.mask & squares) for move in self.moves])
            numbers[MoveReasonCode.TAKES_THE_WISH] = np.where(spoils, self._wish.piece.size, 0)
        if self._colour == self._position.game.shared:
            for code in _OWN:
                del numbers[code]
        return numbers

    def _reason(self, code: MoveReasonCode, index: int) -> Reason:
        """A reason for a legal move, with its squares."""
        squares = self._squares(code, index)
        board = self._position.board
        names = tuple(map(board.format_square, board.in_record_order(squares)))
        return Reason(code, int(self.numbers[code][index]), names)

    def _squares(self, code: MoveReasonCode, index: int) -> tuple[int, ...]:
        if code is MoveReasonCode.LARGE_NOW:
            return self.moves[index].squares
        if code is MoveReasonCode.TAKES_THE_WISH and self._wish is not None:
            return self._wish.squares
        numbers = np.zeros((1, len(_CODES)), np.int32)
        _measure_moves(self._tables, self._count, self._colour, index, numbers)
        size = self._position.game.size
        marked = np.flatnonzero(self._count.marks[_CODES.index(code)]).tolist()
        rows = [divmod(square, self._tables.stride) for square in marked]
        return tuple((row - FRAME) * size + column - FRAME for row, column in rows)


def proof_of(move: Move, result: SearchResult) -> Reason | None:
    """The proof for a legal move in a solved position, or None.

    A margin that all legal moves share is no reason for one of them.
    """
    best = result.proved
    if best is None or not any(one.move == move and one.proved == best for one in result.choices):
        return None
    others = [one.margin for one in result.choices if one.move != move]
    if best > 0 and others and max(others) <= 0:
        return Reason(MoveReasonCode.ONLY_WINNING, best, ())
    if others and min(others) < best:
        return Reason(MoveReasonCode.PROVEN, best, ())
    return None


def superlatives(
    numbers: Mapping[MoveReasonCode, Numbers],
) -> tuple[tuple[MoveReasonCode, ...], ...]:
    """The reasons in which each legal move is among the best, first those that the fewest have.

    Args:
        numbers: the numbers of each reason that needs no proof.
    """
    shares = {code: _shares(code, values) for code, values in numbers.items()}
    order = list(MoveReasonCode)

    def best(move: int) -> tuple[MoveReasonCode, ...]:
        fit = [code for code in shares if shares[code][move] <= TOP_SHARE]
        return tuple(sorted(fit, key=lambda code: (shares[code][move], order.index(code))))

    return tuple(best(move) for move in range(len(next(iter(shares.values())))))


def _shares(code: MoveReasonCode, numbers: Numbers) -> NDArray[np.float64]:
    """For each legal move the share of them that are as good in a reason; above 1 without it."""
    merits = (
        np.where(numbers > 0, FEW - numbers, 0) if code is MoveReasonCode.LARGE_NOW else numbers
    )
    as_good = len(merits) - np.searchsorted(np.sort(merits), merits, side="left")
    return np.where(merits > 0, as_good / len(merits), 2.0)


def wish_of(position: Position, stopped: threading.Event | None = None) -> Move | None:
    """The move that a short search expects of the next opponent if it had the turn.

    Args:
        position: a position in which a colour has to move.
        stopped: ends the search at once when another thread sets it.

    Returns:
        The move, legal for its colour in `position`; None if no opponent can move.
    """
    colour = position.to_move
    assert colour is not None, "somebody has to move"
    enemies = _enemies(position, colour)
    count = len(position.game.colours)
    order = ((colour + step) % count for step in range(1, count))
    enemy = next((one for one in order if one in enemies and position.moves_of(one)), None)
    if enemy is None:
        return None
    result = SearchPlayer(memory_mb=_WISH_MB).think(position.with_turn(enemy), _WISH, stopped)
    return result.choices[0].move


def _enemies(position: Position, colour: Colour) -> frozenset[Colour]:
    """The colours of all other sides, without the shared one."""
    game, side = position.game, position.side_of(colour)
    others = (one for one in game.colours if one != game.shared)
    return frozenset(one for one in others if game.side_of(one) != side)


def _new_count(table: Tables, position: Position, colour: Colour) -> MoveCount:
    before = state_of(position)
    colours, squares = before.open.shape
    enemies = _enemies(position, colour)
    enemy = np.array([one in enemies for one in position.game.colours], np.int32)
    cover = np.zeros((colours, squares), np.int32)
    holds = np.zeros((colours, _PIECES), np.int32)
    for one in position.game.colours:
        _cover(table, before, one, cover[one], holds[one])
    return MoveCount(
        before,
        empty_state(table, colours),
        enemy,
        cover,
        holds,
        np.zeros(squares, np.int32),
        np.zeros(_PIECES, np.int32),
        np.zeros(len(_CODES), np.int32),
        np.zeros((len(_CODES), squares), np.int32),
    )
