"""Faults of boards of puzzles, against moves of a position and against changes of solved boards."""

import numpy as np
import pytest

from firmware.codes import Rule
from firmware.rules.board import Board
from firmware.rules.errors import NotationError
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import faults, faults_of, is_solved
from firmware.rules.variants import GAMES, PUZZLES, Variant

NAMES = list(PUZZLES)


def random_board(game: Variant, seed: int, most: int = 100) -> Position:
    chance, position = np.random.default_rng(seed), Position.start(game)
    for _ in range(most):
        able = [colour for colour in game.colours if position.moves_of(colour)]
        if not able:
            break
        colour = int(chance.choice(able))
        index = int(chance.choice(position.moves_of(colour).indices))
        position = position.play(position.board.move(index), colour)
    return position


@pytest.mark.parametrize("key", NAMES)
def test_boards_of_legal_moves_have_no_fault_in_any_order(key: str) -> None:
    for seed in range(5):
        position = random_board(PUZZLES[key], seed)
        laid = [(c, m.squares) for c in position.game.colours for m in position.laid[c]]
        np.random.default_rng(seed).shuffle(laid)
        assert faults(position.game, laid) == ()
        assert not is_solved(position)


@pytest.mark.parametrize("key", NAMES)
def test_an_illegal_move_has_the_same_rules_as_on_the_board(key: str) -> None:
    game, chance = PUZZLES[key], np.random.default_rng(1)
    tried = set()
    boards = [random_board(game, seed, 6) for seed in range(10)]
    for number in range(300):
        position = boards[number % 10]
        board = position.board
        move, colour = board.move(int(chance.integers(board.placements))), int(chance.integers(4))
        before = [(c, m.squares) for c in game.colours for m in position.laid[c]]
        violations = position.examine(move.squares, colour)
        found = faults(game, [*before, (colour, move.squares)])
        tried |= {one.rule for one in violations}
        assert bool(found) == bool(violations), (str(position), str(move))
        if found:
            (fault,) = (one for one in found if one.squares == tuple(sorted(move.squares)))
            expected, seen = (
                {one.rule for one in those} for those in (violations, fault.violations)
            )
            if Rule.OVERLAP in expected:  # the piece may cover what other rules look for
                seen, expected = seen & {Rule.OVERLAP}, {Rule.OVERLAP}
            assert seen == expected
    assert {Rule.OUTSIDE_FIELD, Rule.WRONG_SIZE} & tried or key == "puzzle-all"


def squares(text: str) -> list[int]:
    return Board.of(20).parse_squares(text)


def rules(key: str, *pieces: tuple[int, str]) -> list[list[Rule]]:
    found = faults(PUZZLES[key], [(colour, squares(text)) for colour, text in pieces])
    return [[one.rule for one in fault.violations] for fault in found]


def test_a_piece_that_sticks_out_of_the_field_names_the_squares_outside() -> None:
    (fault,) = faults(PUZZLES["puzzle-tetrominoes"], [(2, squares("g1,h1,i1,j1"))])
    (broken,) = fault.violations
    assert (fault.colour, broken.rule) == (2, Rule.OUTSIDE_FIELD)
    assert list(broken.squares) == squares("i1,j1")


def test_a_piece_of_another_size_is_named() -> None:
    assert rules("puzzle-tetrominoes", (0, "a1,b1,c1,d1,e1")) == [[Rule.WRONG_SIZE]]


def test_small_pieces_wait_for_the_large_ones() -> None:
    assert rules("puzzle-all-by-size", (0, "a1"), (1, "t20")) == [[Rule.WRONG_SIZE]] * 2


def test_colours_touch_only_where_that_is_allowed() -> None:
    pieces = (0, "a1,b1,c1,d1"), (0, "a2,b2,a3,b3")
    assert rules("puzzle-tetrominoes", *pieces) == []
    assert rules("puzzle-tetrominoes-apart", *pieces) == [[Rule.TOUCHES_OWN_SIDE]]
    assert rules("puzzle-tetrominoes-apart", pieces[0], (1, pieces[1][1])) == []


def test_a_piece_without_its_start_or_its_corner_is_named() -> None:
    pieces = (0, "c3,c4,c5,c6,c7"), (0, "t1,s1,t2,s2")
    assert rules("puzzle-all", pieces[0]) == [[Rule.MISSES_START]]
    assert rules("puzzle-all", *pieces) == [[Rule.NO_OWN_CORNER]]


def test_a_second_corner_of_the_board_begins_no_second_group() -> None:
    pieces = (0, "a1,b1,c1,d1,e1"), (0, "t1,s1,t2,s2")
    assert rules("puzzle-all", *pieces) == [[Rule.NO_OWN_CORNER]]


def test_the_same_piece_twice_in_a_colour_and_what_is_no_piece() -> None:
    assert rules("puzzle-tetrominoes", (0, "a1,b1,c1,d1"), (0, "a3,b3,c3,d3")) == [
        [Rule.PIECE_USED]
    ]
    assert rules("puzzle-tetrominoes", (0, "a1,b1,d1,e1")) == [[Rule.TWO_PIECES]]
    assert rules("puzzle-tetrominoes", (0, "a1,b1,c1,d1,e1,f1")) == [[Rule.NOT_A_PIECE]]


def test_a_piece_joined_to_its_start_only_over_smaller_ones_was_laid_too_late() -> None:
    # All fives but two are missing, so what is small is wrong too.
    pieces = (0, "a1,b1,c1,d1,e1"), (0, "f2"), (0, "g3,h3,i3,g4,h4")
    found = rules("puzzle-all-by-size", *pieces)
    assert found == [[Rule.WRONG_SIZE], [Rule.WRONG_SIZE]]


@pytest.mark.parametrize("pieces", [[(4, [0])], [(0, [400])], [(0, [])]])
def test_pieces_that_are_none_are_an_error(pieces: list[tuple[int, list[int]]]) -> None:
    with pytest.raises(NotationError, match="a piece covers squares"):
        faults(PUZZLES["puzzle-all"], pieces)


def test_a_game_is_no_puzzle() -> None:
    with pytest.raises(NotationError, match="Duo is no puzzle"):
        faults_of(Position.start(GAMES["duo"]))
