"""What speaks for a move."""

from firmware.player.move_features import Reason, merits_of
from firmware.rules.board import Move
from firmware.rules.position import Position


def reasons(position: Position, text: str) -> dict[Reason, set[str]]:
    board = position.board
    return {
        one.reason: set(board.format_squares(one.squares).split(","))
        for one in merits_of(position, Move.parse(text, board.size))
    }


def test_a_large_first_piece_opens_its_corners() -> None:
    found = reasons(Position.start("duo"), "e10,f10,g10,h10,i10")
    assert found[Reason.OPENS_CORNERS] == {"d11", "d9", "j11", "j9"}
    assert found[Reason.LARGE_PIECE] == {"e10", "f10", "g10", "h10", "i10"}
    assert Reason.TAKES_CORNERS not in found


def test_an_enemy_loses_the_way_on_that_a_move_covers() -> None:
    position = Position.start("duo", "fixed")
    for text in ("e10,e9,e8,e7,f7", "j5,i5,h5,h6,h7"):
        position = position.play(Move.parse(text, 14))
    assert reasons(position, "g6,g5,g4")[Reason.TAKES_CORNERS] == {"g4"}
