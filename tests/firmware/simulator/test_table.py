"""The true state of the virtual table, and changes that it refuses."""

import threading

import pytest

from firmware.game.seating import seat_of
from firmware.rules.board import Move
from firmware.rules.pieces import PIECE_NAMED, PIECES
from firmware.rules.variants import GAMES
from firmware.simulator.table import (
    CELL_MM,
    Hand,
    Lighting,
    TablePiece,
    VirtualTable,
    square_at,
    square_mm,
)

DUO = GAMES["duo"]
W = Move.parse("e10,f10,f9,g9,g8", 14)


def table_with(*pieces: TablePiece) -> VirtualTable:
    table = VirtualTable(DUO)
    for placed in pieces:
        table.lay(placed)
    return table


def test_squares_and_places_are_the_same_both_ways() -> None:
    for size in (14, 20):
        for square in range(size * size):
            assert square_at(size, *square_mm(size, square)) == square
    assert square_mm(14, 0) == (-104.0, 104.0)
    assert square_at(14, -113.0, 0.0) is None


def test_the_truth_is_where_pieces_lie() -> None:
    truth = table_with(TablePiece(1, W, 0.6, -0.7, 2.0)).scene.truth()
    assert {at for at, colour in enumerate(truth) if colour == 1} == set(W.squares)
    assert truth.count(None) == 14 * 14 - 5


def test_a_piece_pushed_a_whole_square_is_on_other_squares() -> None:
    table = table_with(TablePiece(0, W))
    table.shift(0, W.piece, TablePiece(0, W, dx_mm=CELL_MM))
    truth = table.scene.truth()
    meant = set(Move.parse("f10,g10,g9,h9,h8", 14).squares)
    assert {at for at, colour in enumerate(truth) if colour == 0} == meant


def test_a_turned_piece_covers_turned_squares() -> None:
    bar = Move.parse("e5,f5,g5", 14)
    table = table_with(TablePiece(0, bar, angle_deg=90.0))
    standing = set(Move.parse("f4,f5,f6", 14).squares)
    assert {at for at, c in enumerate(table.scene.truth()) if c == 0} == standing


def test_trays_hold_what_is_neither_laid_nor_held() -> None:
    table = table_with(TablePiece(0, W))
    assert PIECE_NAMED["W"] not in table.scene.trays[0]
    assert table.scene.trays[1] == PIECES
    bar = Move.parse("j5", 14)
    table.move_hand(Hand(0, 0, 1, TablePiece(1, bar)))
    assert PIECE_NAMED["1"] not in table.scene.trays[1]
    table.lay(TablePiece(1, bar))
    assert table.scene.hand == Hand(0, 0, 1)
    table.move_hand(None)
    assert table.lift(0, W.piece).move == W
    assert table.scene.trays[0] == PIECES
    assert table.scene.truth().count(None) == 14 * 14 - 1


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    table = table_with(TablePiece(0, W))
    before = table.scene
    with pytest.raises(ValueError, match="already"):
        table.lay(TablePiece(0, W))
    with pytest.raises(ValueError, match="no placement"):
        table.lay(TablePiece(2, W))
    with pytest.raises(ValueError, match="no placement"):
        table.lay(TablePiece(0, Move.parse("a1", 20)))
    with pytest.raises(ValueError, match="not on the board"):
        table.lift(1, W.piece)
    with pytest.raises(ValueError, match="stays the piece"):
        table.shift(0, W.piece, TablePiece(1, W))
    with pytest.raises(ValueError, match="lift it first"):
        table.move_hand(Hand(0, 0, 3, TablePiece(0, W)))
    with pytest.raises(ValueError, match="one for each square"):
        table.light(((0, 0, 0),) * 195)
    assert table.scene == before


def test_a_scene_never_changes() -> None:
    table = table_with()
    before = table.scene
    table.lay(TablePiece(0, W))
    table.switch_lamp(Lighting(brightness=0.5))
    table.bump_camera(dx_mm=3.0, roll_deg=1.0)
    table.bump_camera(dx_mm=1.0)
    assert before.pieces == ()
    assert before.lamp == Lighting()
    assert table.scene.camera.dx_mm == 4.0
    assert table.scene.camera.roll_deg == 1.0


def test_changes_from_several_threads_are_all_kept() -> None:
    table = VirtualTable(DUO)

    def push() -> None:
        for _ in range(500):
            table.bump_camera(dx_mm=1.0)

    threads = [threading.Thread(target=push) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.scene.camera.dx_mm == 2000.0


def test_people_sit_where_their_colours_lie() -> None:
    assert [seat_of(DUO, colour) for colour in (0, 1)] == [3, 1]
    assert [seat_of(GAMES["classic"], colour) for colour in range(4)] == [3, 2, 1, 0]
    assert [seat_of(GAMES["classic-2"], colour) for colour in range(4)] == [3, 1, 3, 1]
    assert [seat_of(GAMES["classic-teams"], colour) for colour in range(4)] == [3, 2, 1, 0]
    assert [seat_of(GAMES["classic-3"], colour) for colour in range(4)] == [3, 2, 1, 0]
