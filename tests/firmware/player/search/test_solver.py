"""The solver against brute force on small fields, and on every puzzle."""

import itertools
import time

import numpy as np
import pytest

from firmware.player.search.mirrored import mirrored
from firmware.player.search.reach import is_out_of_reach
from firmware.player.search.solver import solve
from firmware.player.solver_client import Answer, Solution, check_solution
from firmware.rules.extent import field_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import PUZZLES, Contact, Puzzle, Variant

pytestmark = pytest.mark.slow

LONG_S = 300.0
"""Seconds that suffice on a busy machine, the compilation included."""

SMALL = {
    contact: Variant(
        "small",
        "Small",
        20,
        ("a20", "t20", "t1", "a1"),
        ((0, 1, 2, 3),),
        1,
        "Small",
        None,
        Puzzle(6, 4, frozenset({3}), contact),
    )
    for contact in (Contact.ANY, Contact.NOT_AT_SIDES)
}
"""Four colours with the two pieces of three squares, on 6x4 squares."""


def solved(position: Position, seed: int = 0) -> Solution:
    return solve(position, seed=seed, seconds=LONG_S)


def can_be_solved(position: Position) -> bool:
    if position.is_over:
        return is_solved(position)
    free = field_of(position.game) & ~position.occupied
    covering = position.board.covering[(free & -free).bit_length() - 1]
    return any(
        can_be_solved(position.play(position.board.move(index), colour))
        for colour in position.game.colours
        for index in position.board.indices(position.moves_of(colour).placements & covering)
    )


@pytest.mark.parametrize("contact", SMALL)
def test_answers_on_small_fields_equal_those_of_brute_force(contact: Contact) -> None:
    chance, answers = np.random.default_rng(1), set()
    for number in range(60):
        position = Position.start(SMALL[contact])
        for _ in range(1 + number % 4):
            able = [c for c in position.game.colours if position.moves_of(c)]
            if able:
                colour = int(chance.choice(able))
                index = int(chance.choice(position.moves_of(colour).indices))
                position = position.play(position.board.move(index), colour)
        found = solved(position)
        assert (found.answer is Answer.SOLVABLE) == can_be_solved(position), position.laid
        assert found.answer is not Answer.UNKNOWN
        answers.add(found.answer)
        if found.culprit is not None:
            colour, move = found.culprit
            assert can_be_solved(position.lift(move, colour))
    assert len(answers) == 2, "the boards are of both sorts"


@pytest.mark.parametrize("key", PUZZLES)
def test_every_puzzle_is_solved_from_empty_and_a_seed_gives_one_solution(key: str) -> None:
    position = Position.start(PUZZLES[key])
    # The two of all pieces take seconds each: one is solved twice alike, the other in two ways.
    seeds = {"puzzle-all": (3, 3), "puzzle-all-by-size": (3, 4)}.get(key, (3, 3, 4))
    found = [solved(position, seed).moves for seed in seeds]
    for moves in found:
        check_solution(position, moves)
    assert len(set(found)) == len(set(seeds))


def test_the_time_of_a_made_solution_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(game: Variant, seed: int) -> list[LaidPiece]:
        time.sleep(0.2)
        return mirrored(game, seed)

    monkeypatch.setattr("firmware.player.search.solver.mirrored", slow)
    assert solved(Position.start(PUZZLES["puzzle-pentominoes-apart"]), 3).seconds >= 0.2


@pytest.mark.parametrize("key", ["puzzle-tetrominoes", "puzzle-tetrominoes-apart"])
def test_of_an_impossible_board_the_piece_laid_last_that_spoils_it_is_named(key: str) -> None:
    whole = solved(Position.start(PUZZLES[key])).moves
    position = Position.start(PUZZLES[key])
    for colour, move in whole[:8]:
        position = position.play(move, colour)
    wrong = (
        (colour, move)
        for colour, move in itertools.chain.from_iterable(
            ((c, m) for m in position.moves_of(c)) for c in position.game.colours
        )
        if solve(position.play(move, colour), seed=0, seconds=LONG_S).answer is Answer.IMPOSSIBLE
    )
    colour, move = next(wrong)
    spoilt = position.play(move, colour)
    found = solve(spoilt, seed=0, seconds=LONG_S, order=(*whole[:8], (colour, move)))
    assert (found.answer, found.culprit) == (Answer.IMPOSSIBLE, (colour, move))


def test_a_begun_board_of_all_pieces_keeps_its_pieces() -> None:
    whole = solved(Position.start("puzzle-all")).moves
    position = Position.start("puzzle-all")
    for colour, move in whole[:40]:
        position = position.play(move, colour)
    found = solved(position)
    assert set(found.moves[:40]) == set(whole[:40]), "laid pieces come first"
    check_solution(position, found.moves)


def test_a_colour_that_others_lock_in_is_out_of_reach() -> None:
    position = Position.start("puzzle-all")
    assert not is_out_of_reach(position)
    board = position.board
    for colour, text in ((0, "a20"), (1, "b20,c20,c19,b19"), (2, "a19,a18,b18")):
        index = board.find(board.parse_squares(text))
        assert index is not None
        position = position.put(board.move(index), colour)
    assert is_out_of_reach(position)
