"""Reasons for a move."""

from firmware.player.move_features import MoveReason, features_of_move
from firmware.rules.board import Move
from firmware.rules.position import Position


def reasons(position: Position, text: str) -> dict[MoveReason, set[str]]:
    board = position.board
    return {
        one.reason: set(board.format_squares(one.squares).split(","))
        for one in features_of_move(position, Move.parse(text, board.size))
    }


def test_a_large_first_piece_opens_its_corners() -> None:
    found = reasons(Position.start("duo"), "e10,f10,g10,h10,i10")
    assert found[MoveReason.OPENS_CORNERS] == {"d11", "d9", "j11", "j9"}
    assert found[MoveReason.LARGE_PIECE] == {"e10", "f10", "g10", "h10", "i10"}
    assert MoveReason.TAKES_CORNERS not in found


def test_an_enemy_loses_the_way_on_that_a_move_covers() -> None:
    position = Position.start("duo", "fixed")
    for text in ("e10,e9,e8,e7,f7", "j5,i5,h5,h6,h7"):
        position = position.play(Move.parse(text, 14))
    assert reasons(position, "g6,g5,g4")[MoveReason.TAKES_CORNERS] == {"g4"}
