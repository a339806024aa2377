"""Answers about a puzzle: kept while they hold, asked for again when they do not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from firmware.codes import PlayerFailure
from firmware.game.state import GameState, Ply
from firmware.player.solvability import KnownBoards, Solvability, outlook
from firmware.player.solver_client import Answer, Solution
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from tests.support.fake_solver import FakeSolver
from tests.support.solved_puzzles import TETROMINOES, moves_of

START = Position.start(TETROMINOES.game)
PIECES = moves_of(TETROMINOES)
WRONG: LaidPiece = (3, Move.parse("f1,f2,f3,f4", 20))
"""A piece that lies on squares of others of the solution."""
OTHER: LaidPiece = (2, Move.parse("e7,e8,e9,f9", 20))


def state_of(pieces: Sequence[LaidPiece], set_up: Sequence[LaidPiece] = ()) -> GameState:
    """Returns the state after pieces were set, and others laid in this order."""
    position, history = START, []
    for colour, move in set_up:
        position = position.put(move, colour)
    for colour, move in pieces:
        history.append(Ply(colour, move, position))
        position = position.put(move, colour)
    return replace(GameState(position), history=tuple(history))


def settled(one: Solvability, state: GameState) -> Solvability:
    """Follows a board until nothing more is asked."""
    for _ in range(20):
        one.follow(state)
    return one


def answer_of(one: Solvability, state: GameState) -> Answer | None:
    return settled(one, state).outlook.answer


@pytest.fixture
def solver() -> FakeSolver:
    return FakeSolver(TETROMINOES)


@pytest.fixture
def followed(solver: FakeSolver) -> Solvability:
    return Solvability(solver)


def test_the_held_solution_answers_as_long_as_the_moves_agree_with_it(
    followed: Solvability, solver: FakeSolver
) -> None:
    settled(followed, state_of([]))
    for count in (1, 5, 19):
        settled(followed, state_of(PIECES[:count]))
        assert followed.outlook.answer is Answer.SOLVABLE
        followed.follow(state_of(PIECES[3:count]))
        assert followed.outlook.answer is Answer.SOLVABLE, "at once, also after a lifting"
    assert solver.asked == [()]


def test_nothing_is_known_until_the_solver_answers(
    followed: Solvability, solver: FakeSolver
) -> None:
    solver.ready = False
    state = state_of(PIECES[:2])
    settled(followed, state)
    assert followed.outlook.answer is None
    assert followed.next_piece() is None
    solver.ready = True
    followed.follow(state)
    assert followed.outlook.answer is Answer.SOLVABLE
    assert len(solver.asked) == 1


def test_a_change_of_the_board_ends_a_search_that_nobody_needs(
    followed: Solvability, solver: FakeSolver
) -> None:
    solver.ready = False
    settled(followed, state_of(PIECES[:2]))
    settled(followed, state_of(PIECES[:3]))
    solver.ready = True
    settled(followed, state_of(PIECES[:3]))
    assert solver.asked == [PIECES[:2], PIECES[:3]]
    assert followed.outlook.answer is Answer.SOLVABLE


def test_the_piece_that_made_it_impossible_is_named_with_its_number(
    followed: Solvability,
) -> None:
    settled(followed, state_of(PIECES[:4]))
    settled(followed, state_of([*PIECES[:4], WRONG]))
    found = followed.outlook
    assert (found.answer, found.impossible_since, found.culprit) == (Answer.IMPOSSIBLE, 5, WRONG)
    settled(followed, state_of([*PIECES[:4], WRONG, PIECES[5]]))
    found = followed.outlook
    assert (found.answer, found.impossible_since) == (Answer.IMPOSSIBLE, 5)


def test_more_pieces_on_an_impossible_board_need_no_question(
    followed: Solvability, solver: FakeSolver
) -> None:
    settled(followed, state_of(PIECES[:2]))
    settled(followed, state_of([*PIECES[:2], WRONG]))
    asked = len(solver.asked)
    for count in (3, 4, 5):
        followed.follow(state_of([*PIECES[:2], WRONG, *PIECES[2:count]]))
        assert followed.outlook.answer is Answer.IMPOSSIBLE
    settled(followed, state_of(PIECES[:5]))
    assert followed.outlook.answer is Answer.SOLVABLE, "it was lifted"
    assert len(solver.asked) == asked


def test_earlier_boards_are_asked_about_until_the_number_is_known(
    followed: Solvability, solver: FakeSolver
) -> None:
    pieces = [*PIECES[:6], WRONG, *PIECES[6:8], *PIECES[10:13]]
    settled(followed, state_of(pieces))
    assert followed.outlook.impossible_since == 7
    assert followed.outlook.culprit == WRONG, "the solver has found it in the whole board"
    assert len(solver.asked) <= 5, "by halves"


def test_two_wrong_pieces_have_no_single_culprit(followed: Solvability) -> None:
    settled(followed, state_of([OTHER, PIECES[0], WRONG, PIECES[3]]))
    found = followed.outlook
    assert (found.answer, found.impossible_since, found.culprit) == (Answer.IMPOSSIBLE, 1, None)


def test_pieces_that_were_set_have_no_number(followed: Solvability) -> None:
    settled(followed, state_of(PIECES[:2], set_up=[WRONG]))
    assert followed.outlook.answer is Answer.IMPOSSIBLE
    assert followed.outlook.impossible_since is None
    assert followed.outlook.culprit == WRONG
    settled(followed, state_of([WRONG], set_up=PIECES[:2]))
    assert followed.outlook.impossible_since == 3


def test_what_is_not_found_in_time_is_unknown_and_not_asked_again(
    followed: Solvability, solver: FakeSolver
) -> None:
    solver.finds = False
    settled(followed, state_of([]))
    assert answer_of(followed, state_of(PIECES[:3])) is Answer.UNKNOWN
    assert len(solver.asked) == 2
    solver.finds = True
    assert answer_of(followed, state_of(PIECES[:4])) is Answer.SOLVABLE
    assert answer_of(followed, state_of(PIECES[:3])) is Answer.SOLVABLE, "a later one agrees"


def test_somebody_who_asks_again_has_the_solver_try_again(
    followed: Solvability, solver: FakeSolver
) -> None:
    solver.finds = False
    assert answer_of(followed, state_of(PIECES[:3])) is Answer.UNKNOWN
    solver.finds = True
    followed.retry()
    assert answer_of(followed, state_of(PIECES[:3])) is Answer.SOLVABLE
    assert solver.seeds == [0, 1], "with other choices"


def test_an_unknown_board_between_leaves_the_number_open() -> None:
    known = KnownBoards()
    whole = (*PIECES[:2], WRONG, OTHER)
    known.add(frozenset(whole), Solution(Answer.IMPOSSIBLE, (), None, 1.0))
    known.add(frozenset(whole[:2]), Solution(Answer.SOLVABLE, PIECES, None, 1.0))
    assert outlook(whole, 0, known).wanted == whole[:3]
    known.add(frozenset(whole[:3]), Solution(Answer.UNKNOWN, (), None, 1.0))
    found = outlook(whole, 0, known)
    assert (found.wanted, found.impossible_since, found.culprit) == (None, None, None)


def test_a_solution_of_another_board_is_none() -> None:
    known = KnownBoards()
    known.add(frozenset([WRONG]), Solution(Answer.SOLVABLE, PIECES, None, 1.0))
    assert known.answer(frozenset([WRONG])) is Answer.UNKNOWN


def test_the_next_piece_can_be_laid_and_fits_tightly(followed: Solvability) -> None:
    position = START
    laid: list[LaidPiece] = []
    for _ in PIECES:
        settled(followed, state_of(laid))
        piece = followed.next_piece()
        assert piece is not None
        assert piece in PIECES
        position = position.play(piece[1], piece[0])
        laid.append(piece)
    assert position.is_over
    board = position.board
    corners = set(board.parse_squares("a1,h1,a10,h10"))
    assert corners & set(laid[0][1].squares), "the first lies in a corner of the field"


@pytest.mark.parametrize("failure", PlayerFailure)
def test_a_solver_that_fails_is_not_started_again_before_somebody_asks(
    followed: Solvability, solver: FakeSolver, failure: PlayerFailure
) -> None:
    solver.broken = failure
    settled(followed, state_of(PIECES[:1]))
    assert followed.failure is failure
    solver.broken = None
    settled(followed, state_of(PIECES[:2]))
    assert (solver.starts, followed.outlook.answer) == (0, None)
    followed.retry()
    settled(followed, state_of(PIECES[:2]))
    assert (solver.starts, followed.outlook.answer) == (1, Answer.SOLVABLE)


def test_a_solver_that_ends_in_the_middle_is_closed(
    followed: Solvability, solver: FakeSolver
) -> None:
    solver.ready = False
    settled(followed, state_of(PIECES[:1]))
    solver.broken = PlayerFailure.ENDED
    settled(followed, state_of(PIECES[:1]))
    assert (followed.failure, solver.closed) == (PlayerFailure.ENDED, 1)
