"""The last place of each piece that was left over, and the number of places, by rules alone."""

from dataclasses import dataclass

from firmware.records.course import Course
from firmware.rules.pieces import Piece
from firmware.rules.position import Position
from firmware.rules.variants import Colour


@dataclass(frozen=True, slots=True)
class PieceLife:
    """A piece that a colour had in hand at the end.

    Attributes:
        colour: its colour.
        piece: the piece.
        ply: number of the placement after which it had no place to the end, 0 if it never had
            one; None if it has a place in the last position.
        taken_by: colour of that placement; None if it was set by hand, or there was none.
    """

    colour: Colour
    piece: Piece
    ply: int | None
    taken_by: Colour | None


def piece_lives(course: Course) -> tuple[PieceLife, ...]:
    """The pieces in hand at the end by colour, larger ones first.

    A place can come back when a piece opens corners, so the last placement counts after which no
    place was left in any later position.
    """
    return tuple(
        _life(course, colour, piece)
        for colour in course.final.game.colours
        for piece in reversed(course.final.in_hand(colour))
    )


def mobility(course: Course) -> tuple[tuple[int, ...], ...]:
    """The number of legal placements of each colour, in each of `Course.positions`."""
    return tuple(
        tuple(len(position.moves_of(colour)) for colour in position.game.colours)
        for position in course.positions
    )


def _life(course: Course, colour: Colour, piece: Piece) -> PieceLife:
    if _has_place(course.final, colour, piece):
        return PieceLife(colour, piece, None, None)
    for ply in reversed(course.plies):
        if _has_place(ply.after, colour, piece):
            return PieceLife(colour, piece, ply.number, None)
        if _has_place(ply.before, colour, piece):
            return PieceLife(colour, piece, ply.number, ply.colour)
    return PieceLife(colour, piece, 0, None)


def _has_place(position: Position, colour: Colour, piece: Piece) -> bool:
    places = position.moves_of(colour).placements & position.board.of_piece[piece.index]
    return bool(places)
