import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.rules.board import Move
from firmware.rules.errors import IllegalMoveError, NotationError
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Starts
from tests.support.naive_rules import legality
from tests.support.random_games import played, positions


@pytest.mark.parametrize(
    ("game", "starts", "count"),
    [
        ("duo", "free", 828),
        ("duo", "fixed", 414),
        ("classic", "free", 232),
        ("classic", "fixed", 58),
    ],
)
def test_the_first_move_has_the_known_number_of_placements(
    game: str, starts: str, count: int
) -> None:
    assert len(Position.start(game, starts).legal_moves) == count


@settings(max_examples=60)
@given(positions(), st.sampled_from([0, 1, 2, 3]), st.data())
def test_legal_moves_are_those_of_the_obvious_rules(
    position: Position, colour: int, data: st.DataObject
) -> None:
    colour %= len(position.game.colours)
    legal, is_legal = position.moves_of(colour), legality(position, colour)
    chosen = st.sampled_from(legal.indices.tolist()) if legal else st.nothing()
    indices = st.integers(0, position.board.placements - 1) | chosen
    for index in data.draw(st.lists(indices, min_size=40, max_size=60)):
        move = position.board.move(index)
        assert (move in legal) == is_legal(move), f"{position!r}: {move!r}"


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_legal_moves_are_complete_in_a_middle_game(game: str) -> None:
    position = played(game, 4, 14)
    colour = position.to_move
    assert colour is not None
    every = [position.board.move(index) for index in range(position.board.placements)]
    naive = list(filter(legality(position, colour), every))
    assert list(position.legal_moves) == naive
    assert len(position.legal_moves) == len(naive)


@given(positions())
def test_a_position_goes_through_text_repr_and_pickle(position: Position) -> None:
    again = eval(repr(position))  # noqa: S307  a repr that can be pasted
    assert again == position
    assert hash(again) == hash(position)
    assert str(again) == str(position)
    assert [again.moves_of(c).placements for c in again.game.colours] == [
        position.moves_of(c).placements for c in position.game.colours
    ]
    assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301


def test_the_shared_colour_goes_through_text() -> None:
    position = Position.start(GAMES["classic-3"].sharing(1), Starts.FIXED)
    assert str(position) == "classic-3 fixed 1 shared=2 |  |  |  | "
    assert Position.parse(str(position)) == position


def test_the_text_of_a_position_is_readable() -> None:
    position = Position.start("duo").play(Move.parse("e9,d10,e10,f10,e11", 14))
    assert str(position) == "duo free 2 | e9,d10,e10,f10,e11 | "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "one begins: duo free 1"),
        ("duo free | | ", "one begins: duo free 1"),
        ("due free 1 | | ", "there is no game 'due'; the games are duo"),
        ("duo free 3 | | ", "Duo has 2 colours"),
        ("duo free 1 | ", "Duo has 2 colours"),
        ("duo free 1 shared=1 | | ", "Duo has no shared colour"),
        ("duo free 1 | e10,g10 | ", "not one of the 21 pieces"),
        ("duo free 1 | e10 | e10", "the squares are not free"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError), match=message):
        Position.parse(text)


@settings(max_examples=40)
@given(positions(("classic", "classic-3")), st.integers(0, 3), st.booleans())
def test_turning_a_position_turns_its_legal_moves(
    position: Position,
    quarters: int,
    mirrored: bool,  # noqa: FBT001
) -> None:
    turned = position.transformed(quarters, mirrored=mirrored)
    board = position.board
    for colour in position.game.colours:
        moved = {
            board.transform(move, quarters, mirrored=mirrored) for move in position.moves_of(colour)
        }
        assert set(turned.moves_of(colour)) == moved
    assert turned.to_move == position.to_move


@settings(max_examples=40)
@given(positions(("duo",)), st.sampled_from([(2, False), (1, True), (3, True)]))
def test_turning_a_duo_position_onto_its_starts_turns_its_legal_moves(
    position: Position, symmetry: tuple[int, bool]
) -> None:
    quarters, mirrored = symmetry
    turned = position.transformed(quarters, mirrored=mirrored)
    for colour in position.game.colours:
        moved = {
            position.board.transform(move, quarters, mirrored=mirrored)
            for move in position.moves_of(colour)
        }
        assert set(turned.moves_of(colour)) == moved


def test_a_move_that_is_not_legal_is_refused_by_play() -> None:
    position = Position.start("duo")
    with pytest.raises(IllegalMoveError, match="a1 is not legal here: misses-start"):
        position.play(Move.parse("a1", 14))
    with pytest.raises(IllegalMoveError, match="another board"):
        position.play(Move.parse("e10", 20))


def test_a_piece_cannot_be_put_on_covered_squares() -> None:
    position = Position.start("duo").put(Move.parse("e10,f10", 14), 0)
    with pytest.raises(IllegalMoveError, match="not free"):
        position.put(Move.parse("f10", 14), 1)


def test_nothing_changes_in_a_position_that_was_played_on() -> None:
    position = played("duo", 1, 6)
    before = str(position), len(position.legal_moves)
    position.play(next(iter(position.legal_moves)))
    assert (str(position), len(position.legal_moves)) == before


@settings(max_examples=30)
@given(positions())
def test_lifting_the_last_piece_takes_the_move_back(position: Position) -> None:
    if position.to_move is None:
        return
    colour = position.to_move
    move = next(iter(position.legal_moves))
    assert position.play(move).lift(move, colour).with_turn(position.turn) == position
    with pytest.raises(IllegalMoveError, match="not on the board"):
        position.lift(move, colour)


@pytest.mark.parametrize("game", GAMES)
def test_a_random_game_ends_when_no_colour_has_a_placement(game: str) -> None:
    position = played(game, 7, 90)
    assert position.is_over
    assert position.to_move is None
    assert position.next_side is None
    assert not position.legal_moves
    assert sorted(position.passing) == list(position.game.colours)
    assert not any(position.moves_of(colour) for colour in position.game.colours)
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.play(position.board.move(0))


def test_a_colour_that_is_out_passes_and_the_others_continue() -> None:
    position = Position.start("duo")
    passed = False
    seed = 0
    while not passed:
        position = played("duo", seed, 60)
        for plies in range(40):
            position = played("duo", seed, plies)
            if position.passing and not position.is_over:
                passed = True
                break
        seed += 1
    assert position.passing == (position.turn,)
    assert position.to_move == 1 - position.turn
    assert not position.moves_of(position.turn)


def test_a_colour_that_is_out_comes_back_when_a_piece_is_lifted() -> None:
    position = played("duo", 3, 90)
    colour = position.turn
    for move in reversed(position.laid[1 - colour]):
        position = position.lift(move, 1 - colour)
        if position.moves_of(colour):
            break
    assert position.to_move is not None


def test_the_shared_colour_is_played_by_the_three_in_turn() -> None:
    for game in ("classic-3", "duo-4-3"):
        position = Position.start(game)
        hands: list[int | None] = []
        while not position.is_over and len(hands) < 16:
            if position.to_move == position.game.shared:
                hands.append(position.next_side)
            else:
                assert position.next_side == position.to_move
            position = position.play(next(iter(position.legal_moves)))
        assert hands[:4] == [0, 1, 2, 0]


def test_the_board_is_drawn_top_row_first() -> None:
    position = Position.start("duo").put(Move.parse("e10,f10", 14), 0)
    rows = position.put(Move.parse("a14", 14), 1).rows("PO")
    assert rows[0] == "O............."
    assert rows[4] == "....PP........"
    assert all(len(row) == 14 for row in rows)


def test_a_corner_that_another_colour_covers_is_no_start() -> None:
    position = Position.start("duo-4").put(Move.parse("a14", 14), 0)
    corners = position.board.parse_squares("n14,n1,a1")
    assert position.start_squares(1) == sum(1 << square for square in corners)
    fixed = Position.start("duo-4", Starts.FIXED)
    assert fixed.start_squares(3) == 1 << position.board.parse_squares("a1")[0]


def test_legal_moves_hold_moves_of_their_board_only() -> None:
    moves = Position.start("duo").legal_moves
    assert Move.parse("e10", 14) in moves
    assert Move.parse("e10", 20) not in moves
    assert "e10" not in moves
    assert repr(moves) == "<LegalMoves: 828>"
