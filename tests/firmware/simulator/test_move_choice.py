"""The next piece of a puzzle from a known solution."""

import pytest

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import KnownSolution, solved


@pytest.mark.parametrize("key", PUZZLES)
def test_every_puzzle_has_a_stored_solution(key: str) -> None:
    assert is_solved(solved(PUZZLES[key]))


@pytest.mark.parametrize("key", PUZZLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_piece_of_it_is_legal_in_its_turn(key: str, seed: int) -> None:
    position, choose = Position.start(key), KnownSolution(solved(PUZZLES[key]), seed)
    while laying := choose(position):
        position = position.play(laying[1], laying[0])
    assert is_solved(position)


def test_a_seed_decides_order_and_colours() -> None:
    start, solution = Position.start("puzzle-pentominoes"), solved(PUZZLES["puzzle-pentominoes"])
    first = [KnownSolution(solution, seed)(start) for seed in (1, 1, 2)]
    assert first[0] == first[1] != first[2]


def test_a_board_of_another_solution_is_not_continued() -> None:
    start = Position.start("puzzle-tetrominoes")
    laid = {move for own in solved(start.game).laid for move in own}
    other = next(move for move in start.moves_of(0) if move not in laid)
    assert isinstance(other, Move)
    assert KnownSolution(solved(start.game), 1)(start.play(other, 0)) is None
