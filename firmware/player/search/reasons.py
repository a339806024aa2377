"""The reasons for the legal moves of a position: their numbers, and which of them are given.

Each reason has a number for every legal move. P is the position before a move, Q the one after
it, both exact by the rules; *own* is the colour that moves, the *opponents* are the colours of all
other sides. The numbers of several opponents are added; a shared colour, which scores for nobody,
is never an opponent, and its own moves have no reasons about own placements.

A reason is given only if the move is among the best 5 % of all legal moves in it, equal ones
included. A reason that holds for most moves says nothing about one of them: "opens corners" holds
for 92 % of the best moves and for 88 % of random ones.
"""

import threading
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.codes import MoveReasonCode
from firmware.game.reasons import Reason
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.player.search_result import SearchResult
from firmware.rules.board import Board, Move, mask_where, squares_of
from firmware.rules.pieces import LARGEST
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

_OWN: Final = (MoveReasonCode.KEEPS_OPTIONS, MoveReasonCode.REACHES, MoveReasonCode.LARGE_NOW)
"""Reasons about own placements, which a shared colour has not."""

_LOST: Final = (
    MoveReasonCode.BLOCKS,
    MoveReasonCode.SHUTS_OUT,
    MoveReasonCode.TAKES_CORNERS,
    MoveReasonCode.STRANDS,
)
"""Reasons about placements that opponents lose."""


class _Options(NamedTuple):
    """The placements of a colour.

    Attributes:
        placements: the placements.
        squares: the squares that they cover.
        pieces: the placements of each piece that has any.
        corners: the squares at corners of the colour's pieces that they cover.
    """

    placements: int
    squares: int
    pieces: tuple[int, ...]
    corners: int


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
        self._position: Final = position
        self._colour: Final = colour
        self._wish: Final = wish
        self._own: Final = _options(position, colour)
        enemies = _enemies(position, colour)
        self._enemies: Final = [_options(position, enemy) for enemy in enemies]
        self.moves: Final = tuple(position.legal_moves)
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
        counts = [self._count(move) for move in self.moves]
        numbers = {code: np.array([one[code] for one in counts]) for code in counts[0]}
        if self._wish is None:
            del numbers[MoveReasonCode.TAKES_THE_WISH]
        if self._colour == self._position.game.shared:
            for code in _OWN:
                del numbers[code]
        return numbers

    def _count(self, move: Move) -> dict[MoveReasonCode, int]:
        """The number of each reason for a legal move."""
        board, own, piece, wish = self._position.board, self._own, move.piece, self._wish
        after = self._after(move)
        reached = _covered(board, after & ~own.placements) & ~own.squares
        same = own.placements & board.of_piece[piece.index]
        numbers = dict.fromkeys(_LOST, 0)
        # Nothing else changes for the opponents.
        hit = board.covering_any(move.mask)
        for enemy in self._enemies:
            left = enemy.placements & ~hit
            shut = enemy.squares & ~_covered(board, left)
            numbers[MoveReasonCode.BLOCKS] += (enemy.placements & hit).bit_count()
            numbers[MoveReasonCode.SHUTS_OUT] += shut.bit_count()
            numbers[MoveReasonCode.TAKES_CORNERS] += (enemy.corners & move.mask).bit_count()
            numbers[MoveReasonCode.STRANDS] += sum(not places & left for places in enemy.pieces)
        return numbers | {
            MoveReasonCode.KEEPS_OPTIONS: after.bit_count(),
            MoveReasonCode.REACHES: reached.bit_count(),
            MoveReasonCode.LARGE_NOW: same.bit_count() if piece.size == LARGEST else 0,
            MoveReasonCode.TAKES_THE_WISH: wish.piece.size if wish and move.mask & wish.mask else 0,
        }

    def _after(self, move: Move) -> int:
        """The own placements after a move."""
        return self._position.put(move, self._colour).moves_of(self._colour).placements

    def _reason(self, code: MoveReasonCode, index: int) -> Reason:
        """A reason for a legal move, with its squares."""
        board = self._position.board
        squares = board.in_record_order(squares_of(self._squares(code, self.moves[index])))
        names = tuple(map(board.format_square, squares))
        return Reason(code, int(self.numbers[code][index]), names)

    def _squares(self, code: MoveReasonCode, move: Move) -> int:
        """The squares of a reason for a legal move."""
        board, own = self._position.board, self._own
        hit, after = board.covering_any(move.mask), self._after(move)
        if code is MoveReasonCode.TAKES_THE_WISH and self._wish is not None:
            return self._wish.mask
        if code is MoveReasonCode.KEEPS_OPTIONS:
            return _covered(board, after) & board.corner_neighbours(move.mask)
        if code is MoveReasonCode.REACHES:
            return _covered(board, after) & ~own.squares
        marked = move.mask if code is MoveReasonCode.LARGE_NOW else 0
        for enemy in self._enemies:
            if code is MoveReasonCode.BLOCKS:
                marked |= enemy.squares & move.mask
            elif code is MoveReasonCode.TAKES_CORNERS:
                marked |= enemy.corners & move.mask
            elif code is MoveReasonCode.SHUTS_OUT:
                marked |= enemy.squares & ~_covered(board, enemy.placements & ~hit)
            elif code is MoveReasonCode.STRANDS:
                for places in enemy.pieces:
                    marked |= 0 if places & ~hit else _covered(board, places)
        return marked


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


def _options(position: Position, colour: Colour) -> _Options:
    board, placements = position.board, position.moves_of(colour).placements
    squares = _covered(board, placements)
    pieces = (placements & places for places in board.of_piece)
    corners = squares & board.corner_neighbours(position.squares(colour))
    return _Options(placements, squares, tuple(filter(None, pieces)), corners)


def _covered(board: Board, placements: int) -> int:
    """The squares that some placements cover."""
    flags = np.zeros(board.squares + 1, np.bool_)
    flags[board.cells[board.indices(placements)]] = True
    return mask_where(flags[:-1])
