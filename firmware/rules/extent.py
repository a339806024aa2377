"""The pieces and the squares that a game or a puzzle uses."""

from functools import cache

from firmware.rules.board import Board, mask_of
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.variants import Variant


@cache
def pieces_of(game: Variant) -> tuple[Piece, ...]:
    """The pieces that each colour has, smaller ones first."""
    if game.puzzle is None:
        return PIECES
    return tuple(piece for piece in PIECES if piece.size in game.puzzle.sizes)


@cache
def field_of(game: Variant) -> int:
    """Mask of the squares on which pieces may lie; the field of a puzzle begins at a1."""
    if game.puzzle is None:
        return (1 << game.size * game.size) - 1
    rows, columns = range(game.size - game.puzzle.rows, game.size), range(game.puzzle.columns)
    return mask_of(row * game.size + column for row in rows for column in columns)


@cache
def start_mask(game: Variant) -> int:
    """Mask of the starting squares of all colours."""
    return mask_of(Board.of(game.size).parse_squares(",".join(game.starts)))


@cache
def placements_of_sizes(game: Variant, sizes: frozenset[int]) -> int:
    """The set of placements of all pieces of some sizes in squares."""
    board = Board.of(game.size)
    found = 0
    for piece in PIECES:
        if piece.size in sizes:
            found |= board.of_piece[piece.index]
    return found


@cache
def barred_placements(game: Variant) -> int:
    """The set of placements that no colour ever has: off the field, or of pieces that it lacks."""
    if game.puzzle is None:
        return 0
    board = Board.of(game.size)
    outside = ((1 << board.squares) - 1) & ~field_of(game)
    lacking = frozenset(piece.size for piece in PIECES) - game.puzzle.sizes
    return board.covering_any(outside) | placements_of_sizes(game, lacking)
