"""A second implementation of the placement rules, square by square, slow and simple."""

from collections.abc import Callable

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Starts

Square = tuple[int, int]


def _cells(squares: tuple[int, ...], size: int) -> set[Square]:
    return {divmod(square, size) for square in squares}


def legality(position: Position, colour: Colour) -> Callable[[Move], bool]:
    """Returns a predicate: True if `colour` may make a move, whoever has the turn."""
    size = position.game.size
    own: set[Square] = set()
    occupied: set[Square] = set()
    for other, pieces in enumerate(position.laid):
        for piece in pieces:
            cells = _cells(piece.squares, size)
            occupied |= cells
            own |= cells if other == colour else set()
    used = {piece.piece for piece in position.laid[colour]}
    names = position.game.starts
    if position.starts is Starts.FIXED:
        names = (names[colour],)
    starts = _cells(tuple(position.board.parse_squares(",".join(names))), size)

    def is_legal(move: Move) -> bool:
        new = _cells(move.squares, size)
        if move.piece in used or new & occupied:
            return False
        if not own:
            return bool(new & starts)
        sides = ((0, 1), (1, 0), (0, -1), (-1, 0))
        if any((r + d, c + e) in own for r, c in new for d, e in sides):
            return False
        return any((r + d, c + e) in own for r, c in new for d in (-1, 1) for e in (-1, 1))

    return is_legal
