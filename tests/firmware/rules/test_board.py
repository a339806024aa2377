import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.errors import NotationError
from firmware.rules.pieces import PIECE_NAMED, normalised

DATA = Path(__file__).parent / "data"
DUO, CLASSIC = Board.of(14), Board.of(20)

boards = st.sampled_from([DUO, CLASSIC, Board.of(5)])


@st.composite
def moves(draw: st.DrawFn) -> Move:
    board = draw(boards)
    return board.move(draw(st.integers(0, board.placements - 1)))


@pytest.mark.parametrize(("board", "count"), [(DUO, 13_729), (CLASSIC, 30_433)])
def test_a_board_has_the_known_number_of_placements(board: Board, count: int) -> None:
    assert board.placements == len(board.cells) == len(board.piece_of) == count


@pytest.mark.parametrize(("board", "name"), [(DUO, "duo"), (CLASSIC, "classic")])
def test_each_piece_agrees_with_an_independent_list(board: Board, name: str) -> None:
    listed = json.loads((DATA / f"placements_{name}.json").read_text())
    assert board.placements == listed["total"]
    for piece, (size, orientations, placements, shape) in listed["pieces"].items():
        ours = PIECE_NAMED[piece]
        assert (ours.size, len(ours.orientations)) == (size, orientations)
        assert board.of_piece[ours.index].bit_count() == placements
        assert normalised(tuple(map(tuple, shape))) in ours.orientations


def test_squares_are_named_from_the_bottom_left() -> None:
    assert DUO.format_square(0) == "a14"
    assert DUO.format_square(195) == "n1"
    assert CLASSIC.format_square(0) == "a20"
    assert DUO.parse_square("e10") == 4 * 14 + 4
    assert DUO.parse_square("J5") == 9 * 14 + 9


@pytest.mark.parametrize("name", ["o1", "a15", "a0", "aa1", "z99"])
def test_a_square_off_the_board_is_no_square(name: str) -> None:
    assert DUO.parse_square(name) is None


@pytest.mark.parametrize("name", ["", "e", "10", "e-1", "10e", "e10 ", "é1", "e1٣", "aaa1"])
def test_what_is_not_a_name_of_a_square_is_refused(name: str) -> None:
    with pytest.raises(NotationError, match="squares look like e10"):
        DUO.parse_square(name)


@given(boards, st.data())
def test_names_of_squares_go_both_ways(board: Board, data: st.DataObject) -> None:
    square = data.draw(st.integers(0, board.squares - 1))
    assert board.parse_square(board.format_square(square)) == square


@given(moves())
def test_a_move_goes_through_text_repr_and_pickle(move: Move) -> None:
    assert Move.parse(str(move), move.board.size) is move
    assert eval(repr(move)) is move  # noqa: S307  a repr that can be pasted
    assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301
    assert move.board.find(move.squares) == move.index


def test_a_move_is_written_from_the_bottom_row_up() -> None:
    assert str(Move.parse("e11,f10,e9,e10,d10", 14)) == "e9,d10,e10,f10,e11"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e10,f10,f9,f9", "named twice"),
        ("e10,z20", "not on a board of 14x14"),
        ("e10,g10", "not one of the 21 pieces"),
        ("a1,b1,c1,d1,e1,f1", "not one of the 21 pieces"),
        ("e10;f10", "not a square"),
        ("", "not a square"),
    ],
)
def test_text_that_is_no_move_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Move.parse(text, 14)


def test_moves_of_different_boards_differ() -> None:
    assert Move.parse("a1", 14) != Move.parse("a1", 20)


def test_a_shape_that_wraps_around_the_edge_is_no_piece() -> None:
    last_of_a_row, first_of_the_next = 13, 14
    assert DUO.find([last_of_a_row, first_of_the_next]) is None


@pytest.mark.parametrize("size", [4, 27])
def test_a_board_too_small_or_too_large_is_refused(size: int) -> None:
    with pytest.raises(NotationError, match="not one for these pieces"):
        Board.of(size)


@pytest.mark.parametrize("board", [DUO, CLASSIC])
def test_the_sets_of_placements_agree_with_the_cells(board: Board) -> None:
    for square in range(0, board.squares, 7):
        listed = np.flatnonzero((board.cells == square).any(axis=1))
        assert np.array_equal(board.indices(board.covering[square]), listed)


@given(moves())
def test_neighbours_of_a_piece_are_beside_it_or_at_its_corners(move: Move) -> None:
    board = move.board

    def touching(steps: list[tuple[int, int]]) -> int:
        near = set()
        for square in move.squares:
            row, column = divmod(square, board.size)
            for down, right in steps:
                if 0 <= row + down < board.size and 0 <= column + right < board.size:
                    near.add((row + down) * board.size + column + right)
        return mask_of(near)

    assert (
        board.edge_neighbours(move.mask)
        == touching([(0, 1), (1, 0), (0, -1), (-1, 0)]) & ~move.mask
    )
    assert board.corner_neighbours(move.mask) == touching([(1, 1), (1, -1), (-1, 1), (-1, -1)])


@given(moves())
def test_four_quarter_turns_and_two_mirrors_change_nothing(move: Move) -> None:
    board = move.board
    assert board.transform(move, 4) is move
    mirrored = board.transform(move, 0, mirrored=True)
    assert board.transform(mirrored, 0, mirrored=True) is move


def test_a_quarter_turn_is_clockwise() -> None:
    assert str(DUO.transform(Move.parse("a14", 14), 1)) == "n14"
    assert str(DUO.transform(Move.parse("e5", 14), 1)) == "e10"


@given(st.sets(st.integers(0, 195)))
def test_a_mask_is_its_squares(squares: set[int]) -> None:
    assert list(squares_of(mask_of(squares))) == sorted(squares)


def test_groups_are_joined_along_sides_only() -> None:
    diagonal = DUO.parse_squares("a1,b2")
    assert DUO.groups(mask_of(diagonal)) == [1 << diagonal[1], 1 << diagonal[0]]
    snake = mask_of(DUO.parse_squares("a1,a2,a3,b3,c3,c2,c1"))
    assert DUO.groups(snake) == [snake]


def test_a_number_of_numpy_gives_a_move_with_a_usual_number() -> None:
    move = Board(14).move(np.arange(100)[70])
    assert type(move.index) is int
    assert (1 << 5000) >> move.index
