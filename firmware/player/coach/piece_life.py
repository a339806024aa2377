"""The last place of each piece that was left over, and the number of places, by rules alone."""

from firmware.records.course import Course
from firmware.rules.pieces import Piece
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from web.contract.review import PieceLifeEntry


def piece_lives(course: Course) -> tuple[PieceLifeEntry, ...]:
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


def _life(course: Course, colour: Colour, piece: Piece) -> PieceLifeEntry:
    if _has_place(course.final, colour, piece):
        return PieceLifeEntry(colour, piece.name, None, None)
    for ply in reversed(course.plies):
        if _has_place(ply.after, colour, piece):
            return PieceLifeEntry(colour, piece.name, ply.number, None)
        if _has_place(ply.before, colour, piece):
            return PieceLifeEntry(colour, piece.name, ply.number, ply.colour)
    return PieceLifeEntry(colour, piece.name, 0, None)


def _has_place(position: Position, colour: Colour, piece: Piece) -> bool:
    places = position.moves_of(colour).placements & position.board.of_piece[piece.index]
    return bool(places)
