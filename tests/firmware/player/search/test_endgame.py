"""Exact endgames: equal to a slow search, within limits, and loaded from the cache.

`python -m tests.evaluation endgames --positions 1200` compares many more positions.
"""

import random
import subprocess
import sys
import threading
import time
from itertools import islice

import pytest

from firmware.codes import Scoring
from firmware.player.search import endgame
from firmware.player.search.endgame import MOST_IN_HAND, EndgameSolver
from firmware.rules.position import Position
from tests.conftest import ROOT
from tests.evaluation.endgames import compared, positions
from tests.support.endgames import crowded
from tests.support.wall_clock import WALL_CLOCK

pytestmark = pytest.mark.slow

PATIENT_S = 60.0
"""Seconds that suffice on a busy machine."""


@pytest.fixture(scope="module")
def solver() -> EndgameSolver:
    return EndgameSolver()


def line(seed: int) -> list[Position]:
    """A random game of large pieces."""
    chance = random.Random(seed)  # noqa: S311
    found = [Position.start("duo")]
    while not found[-1].is_over:
        moves = list(found[-1].legal_moves)
        large = max(move.piece.size for move in moves)
        found.append(found[-1].play(chance.choice([m for m in moves if m.piece.size == large])))
    return found


def open_ending() -> Position:
    """A position that takes many seconds to solve."""
    return next(one for one in line(7) if one.count_in_hand == MOST_IN_HAND)


@pytest.mark.parametrize("scoring", Scoring)
def test_the_margin_after_every_move_equals_that_of_a_slow_search(
    solver: EndgameSolver, scoring: Scoring
) -> None:
    margins = [compared(solver, one, scoring, visits=200) for one in islice(positions(7), 60)]
    assert len([one for one in margins if one is not None]) >= 30


def test_bonuses_are_proved(solver: EndgameSolver) -> None:
    """One side may lay all its pieces; the scorings differ by exactly its 15 or 20 points."""
    chance, bonuses = random.Random(2), set()  # noqa: S311
    for _ in range(60):
        position = crowded(chance)
        advanced = compared(solver, position, Scoring.ADVANCED, visits=200)
        basic = compared(solver, position, Scoring.BASIC, visits=200)
        if advanced is not None and basic is not None:
            bonuses.add(abs(advanced - basic))
    assert {0, 15, 20} <= bonuses


def test_the_last_plies_of_a_game_agree_with_each_other(solver: EndgameSolver) -> None:
    """The best move keeps the margin, and no other move gains; the end has the proved score."""
    solved = 0
    for position in (one for one in line(3) if one.count_in_hand <= 17):
        result = solver.solve(position, seconds=5.0)
        if result is None:
            continue
        solved += 1
        best = result.choices[0]
        assert result.proved is not None
        assert best.proved == best.margin == result.proved
        assert {one.move for one in result.choices} == set(position.legal_moves)
        assert all(one.margin <= result.proved for one in result.choices)
        after = position.play(best.move)
        following = solver.solve(after, seconds=PATIENT_S)
        if following is not None:
            turned = after.next_side != position.next_side
            assert following.proved == (-result.proved if turned else result.proved)
    assert solved >= 4


def test_a_limit_of_nodes_gives_nothing_or_the_whole_truth(solver: EndgameSolver) -> None:
    position = next(one for one in line(3) if one.count_in_hand <= 16)
    whole = solver.solve(position, seconds=PATIENT_S)
    assert whole is not None
    for nodes in (1, 10, 100, 1000, 10_000):
        result = EndgameSolver().solve(position, seconds=PATIENT_S, nodes=nodes)
        assert result is None or (result.proved == whole.proved and result.nodes <= nodes)
    assert EndgameSolver().solve(position, seconds=PATIENT_S, nodes=1) is None


@WALL_CLOCK
def test_a_limit_of_time_is_respected(solver: EndgameSolver) -> None:
    begun = time.perf_counter()
    result = solver.solve(open_ending(), seconds=0.1)
    assert result is None or result.choices
    assert time.perf_counter() - begun < 1.0


@WALL_CLOCK
def test_a_proof_stops_when_told(solver: EndgameSolver) -> None:
    stopped = threading.Event()
    threading.Timer(0.2, stopped.set).start()
    begun = time.perf_counter()
    solver.solve(open_ending(), stopped=stopped, seconds=600.0)
    assert 0.1 < time.perf_counter() - begun < 5
    assert solver.solve(open_ending(), stopped=stopped) is None


def test_other_positions_are_not_tried(
    solver: EndgameSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = line(1)[-1]
    early, empty = line(1)[6], Position.start("duo")
    others = [Position.start(key) for key in ("classic", "duo-4", "classic-2", "puzzle-all")]
    assert solver.solve(early) is None
    monkeypatch.setattr(endgame, "MOST_IN_HAND", 84)
    assert all(solver.solve(one) is None for one in (over, empty, *others))


def test_a_second_process_loads_the_kernels_from_the_cache() -> None:
    program = (
        "from tests.firmware.player.search.test_endgame import *\n"
        "result = EndgameSolver().solve(line(3)[-4], seconds=PATIENT_S)\n"
        "print(result.proved)"
    )
    words = [sys.executable, "-c", program]
    ran = [
        subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    result = EndgameSolver().solve(line(3)[-4], seconds=PATIENT_S)
    assert result is not None
    assert [one.stdout for one in ran] == [f"{result.proved}\n"] * 2
