"""The solver's process from the table's side."""

import pytest

from firmware.errors import PlayerError
from firmware.player import search_process
from firmware.player.solver_client import Answer, SolverClient, check_solution
from firmware.rules.board import Move
from firmware.rules.position import Position

START_S = 300
"""Seconds for a first answer: the first process after a change compiles the kernels."""


@pytest.mark.slow
def test_a_begun_board_goes_in_and_a_solution_or_the_culprit_comes_out() -> None:
    empty = Position.start("puzzle-tetrominoes")
    client = SolverClient()
    try:
        solution = client.wait(client.ask(empty), START_S)
        assert solution is not None
        assert solution.answer is Answer.SOLVABLE
        assert len(solution.moves) == 20
        # Nothing fills the corner that it leaves.
        move = Move.parse("b1,b2,b3,c1", 20)
        over = Move.parse("a3,a4,b4,b5", 20)
        spoilt = empty.play(move, 0).play(over, 1)
        laid = [(0, move), (1, over)]
        request = client.ask(spoilt, order=laid, seconds=START_S)
        found = client.wait(request, START_S)
        assert found is not None
        assert (found.answer, found.culprit) == (Answer.IMPOSSIBLE, laid[1])
    finally:
        client.close()
    with pytest.raises(PlayerError, match="the solver's process has ended"):
        client.ask(empty)


def test_what_is_no_solution_is_not_handed_on() -> None:
    with pytest.raises(ValueError, match="the solution is none"):
        check_solution(Position.start("puzzle-tetrominoes"), [])


def test_without_numba_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_process, "find_spec", lambda _: None)
    with pytest.raises(
        PlayerError, match=r"the solver needs numba; install it with: .* -m pip install numba$"
    ):
        SolverClient()
