"""The rules of placing once more, square by square and without any table: slow and obvious."""

from firmware.rules.games import Colour, Starts
from firmware.rules.placements import Move
from firmware.rules.position import Position

Square = tuple[int, int]


def _cells(squares: tuple[int, ...], size: int) -> set[Square]:
    return {divmod(square, size) for square in squares}


def is_legal(position: Position, move: Move, colour: Colour) -> bool:
    """Whether `colour` may lay the piece, whoever has the turn."""
    size = position.game.size
    new = _cells(move.squares, size)
    own: set[Square] = set()
    occupied: set[Square] = set()
    for other, laid in enumerate(position.laid):
        for piece in laid:
            cells = _cells(piece.squares, size)
            occupied |= cells
            if other == colour:
                own |= cells
                if piece.piece is move.piece:
                    return False
    if new & occupied:
        return False
    if not own:
        names = position.game.starts
        if position.starts is Starts.FIXED:
            names = (names[colour],)
        return bool(new & {divmod(s, size) for s in position.board.parse_squares(",".join(names))})
    if any((r + d, c + e) in own for r, c in new for d, e in ((0, 1), (1, 0), (0, -1), (-1, 0))):
        return False
    return any((r + d, c + e) in own for r, c in new for d in (-1, 1) for e in (-1, 1))
