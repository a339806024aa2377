"""A puzzle at a table: hints in steps, the answer that people see, the time, the best result."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.codes import HintStep, PlayerFailure, Takeback
from firmware.game.config import GameConfig
from firmware.game.events import Hinted
from firmware.game.hints import revealed_squares
from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece
from firmware.rules.variants import PUZZLES
from tests.support.fake_solver import FakeSolver
from tests.support.fake_table import FakeTable, house
from tests.support.noisy_board import FOUR
from tests.support.solved_puzzles import TETROMINOES, moves_of
from web.contract import (
    AnswerCode,
    CancelHint,
    CommandName,
    GameKey,
    Hint,
    HintAllowance,
    NewGame,
    Page,
    PuzzleEntry,
    RefusalReason,
)

pytestmark = pytest.mark.slow

CONFIG = GameConfig(PUZZLES["puzzle-tetrominoes"], takeback=Takeback.ANY, hints=3)
PIECES = moves_of(TETROMINOES)
WRONG: LaidPiece = (3, Move.parse("d5,d6,d7,d8", 20))


@pytest.fixture
def solver() -> FakeSolver:
    return FakeSolver(TETROMINOES)


def lay(table: FakeTable, piece: LaidPiece) -> None:
    table.lay(FOUR[piece[0]], str(piece[1]))
    table.look(3)


def lift(table: FakeTable, piece: LaidPiece) -> None:
    table.lift(str(piece[1]))
    table.look(3)


@contextmanager
def begun(folder: Path, solver: FakeSolver, config: GameConfig = CONFIG) -> Iterator[FakeTable]:
    """A table with two pieces of the solution on it."""
    with house(folder, config, solver=solver) as table:
        for piece in PIECES[:2]:
            lay(table, piece)
        assert table.state.piece_count == 2
        yield table


def hints(page: Page) -> HintAllowance:
    assert page.private is not None
    assert page.private.hints is not None
    return page.private.hints


def puzzle(page: Page) -> PuzzleEntry:
    assert page.puzzle is not None
    return page.puzzle


def ask(table: FakeTable) -> None:
    assert table.asks(Hint()) == [None]
    table.look(2)


def test_a_hint_is_given_in_four_steps_and_costs_once(tmp_path: Path, solver: FakeSolver) -> None:
    with begun(tmp_path, solver) as table:
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED
        pages = []
        for _ in range(4):
            ask(table)
            pages.append(hints(table.page))
        assert [one.step for one in pages] == [
            HintStep.SOLVABLE,
            HintStep.AREA,
            HintStep.PIECE,
            HintStep.WHOLE,
        ]
        assert [one.left for one in pages] == [(2,)] * 4
        assert [len(one.squares) for one in pages][::3] == [0, 4]
        assert [one.piece for one in pages][:2] == ["", ""]
        assert puzzle(table.page).answer is AnswerCode.SOLVABLE
        assert CommandName.HINT not in table.page.possible
        given = [one for one in table.events if isinstance(one, Hinted)]
        assert {(one.colour, one.move) for one in given} <= set(PIECES[2:])
        area, (square,), whole = (set(one.squares) for one in pages[1:])
        assert square in area & whole
        covered = {square for piece in table.page.pieces for square in piece.squares}
        assert not area & covered
        assert solver.asked == [()], "the solution of the empty board still holds"


def test_the_whole_puzzle_is_solved_by_hints(tmp_path: Path, solver: FakeSolver) -> None:
    config = GameConfig(CONFIG.game, takeback=Takeback.ANY, hints=99)
    with house(tmp_path, config, solver=solver) as table:
        table.look(2)
        for _ in PIECES:
            for _ in range(4):
                ask(table)
            assert table.state.hint is not None
            lay(table, (table.state.hint.colour, table.state.hint.move))
        assert table.state.over
        assert table.state.ended is None
        assert not puzzle(table.page).running
        assert puzzle(table.page).best_s == pytest.approx(puzzle(table.page).taken_ms / 1000)
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED
        assert solver.asked == [()]


def test_people_may_play_on_while_the_solver_is_at_work(tmp_path: Path, solver: FakeSolver) -> None:
    with begun(tmp_path, solver) as table:
        solver.ready = False
        lay(table, WRONG)
        assert table.asks(Hint()) == [None]
        table.look(3)
        assert hints(table.page).thinking
        assert puzzle(table.page).answer is AnswerCode.THINKING
        lay(table, PIECES[6])
        assert table.state.piece_count == 4
        assert not hints(table.page).thinking
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED
        assert hints(table.page).left == (3,)


def test_a_cancelled_question_costs_nothing(tmp_path: Path, solver: FakeSolver) -> None:
    with begun(tmp_path, solver) as table:
        solver.ready = False
        lay(table, WRONG)
        assert table.asks(Hint()) == [None]
        assert table.asks(CancelHint()) == [None]
        table.look(2)
        assert not hints(table.page).thinking
        solver.ready = True
        table.look(4)
        assert not any(isinstance(one, Hinted) for one in table.events)


def test_impossible_is_said_with_the_piece_and_until_it_is_lifted(
    tmp_path: Path, solver: FakeSolver
) -> None:
    with begun(tmp_path, solver) as table:
        lay(table, WRONG)
        lay(table, PIECES[10])
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED
        ask(table)
        entry = puzzle(table.page)
        assert (entry.answer, entry.impossible_since) == (AnswerCode.IMPOSSIBLE, 3)
        names = {table.page.square_name(square) for square in entry.culprit}
        assert names == {"d5", "d6", "d7", "d8"}
        assert hints(table.page).step is None
        assert hints(table.page).left == (3,), "there is nothing to hint at"
        lift(table, PIECES[10])
        assert puzzle(table.page).answer is AnswerCode.IMPOSSIBLE
        lift(table, WRONG)
        assert puzzle(table.page).answer is AnswerCode.SOLVABLE
        lay(table, PIECES[10])
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED


def test_an_answer_that_is_not_found_is_said(tmp_path: Path, solver: FakeSolver) -> None:
    solver.finds = False
    with begun(tmp_path, solver) as table:
        ask(table)
        assert puzzle(table.page).answer is AnswerCode.UNKNOWN
        assert (hints(table.page).thinking, hints(table.page).left) == (False, (3,))


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (PlayerFailure.NOT_INSTALLED, PlayerFailure.NOT_INSTALLED),
        (PlayerFailure.NO_MEMORY, PlayerFailure.NO_MEMORY),
    ],
)
def test_a_table_without_a_solver_says_why_and_referees_on(
    tmp_path: Path, solver: FakeSolver, failure: PlayerFailure, code: PlayerFailure
) -> None:
    solver.broken = failure
    with begun(tmp_path, solver) as table:
        assert table.asks(Hint()) == [RefusalReason.NO_PLAYER]
        assert hints(table.page).failure is code
        assert puzzle(table.page).answer is AnswerCode.NOT_ASKED
        lay(table, PIECES[2])
        assert table.state.piece_count == 3
        solver.broken = None
        ask(table)
        assert hints(table.page).step is HintStep.SOLVABLE


def test_a_solver_that_ends_while_somebody_waits_is_named(
    tmp_path: Path, solver: FakeSolver
) -> None:
    with begun(tmp_path, solver) as table:
        solver.ready = False
        lay(table, WRONG)
        table.asks(Hint())
        solver.broken = PlayerFailure.ENDED
        table.look(3)
        assert hints(table.page).failure is PlayerFailure.ENDED
        assert not hints(table.page).thinking


def test_without_hints_the_solver_is_never_started(tmp_path: Path, solver: FakeSolver) -> None:
    config = GameConfig(CONFIG.game, takeback=Takeback.ANY)
    with begun(tmp_path, solver, config) as table:
        assert table.asks(Hint()) == [RefusalReason.NOT_POSSIBLE]
        assert solver.starts == 0


def test_hint_time_and_cost_are_the_same_after_a_restart(
    tmp_path: Path, solver: FakeSolver
) -> None:
    with begun(tmp_path, solver) as table:
        ask(table)
        ask(table)
        before, taken = hints(table.page), puzzle(table.page).taken_ms
        squares = revealed_squares(table.state)
    assert solver.closed == 1
    with house(tmp_path, None, solver=FakeSolver(TETROMINOES)) as again:
        assert hints(again.page) == before
        assert puzzle(again.page).answer is AnswerCode.SOLVABLE
        assert revealed_squares(again.state) == squares
        assert again.state.hint is not None
        assert again.state.hint.step is HintStep.AREA
        assert puzzle(again.page).taken_ms >= taken > 0
        ask(again)
        assert hints(again.page).step is HintStep.PIECE


def test_a_solved_puzzle_is_stored_with_its_time_and_is_the_best_result_of_the_next(
    tmp_path: Path, solver: FakeSolver
) -> None:
    with house(tmp_path, CONFIG, solver=solver) as table:
        for piece in PIECES:
            lay(table, piece)
        assert table.state.over
        name, best = table.page.name, puzzle(table.page).best_s
        assert best is not None
    folder = tmp_path / "games" / name
    record = Record.read((folder / "record.blksgf").read_bytes())
    assert record.result == "Solved"
    assert record.seconds == pytest.approx(best, abs=0.06)
    pages = [Page.from_json(line) for line in (folder / "pages.jsonl").read_bytes().splitlines()]
    assert len(pages[-1].pieces) == 20
    first = json.loads((folder / "events.jsonl").read_text().splitlines()[0])
    assert first["game"] == "puzzle-tetrominoes"
    with house(tmp_path / "x", CONFIG) as other:
        assert puzzle(other.page).best_s is None
    with house(tmp_path, CONFIG, solver=solver) as following:
        following.look(3)
        assert puzzle(following.page).best_s == record.seconds
        assert puzzle(following.page).taken_ms == 0


def test_a_puzzle_that_is_left_for_another_game_is_stored_and_its_solver_ends(
    tmp_path: Path, solver: FakeSolver
) -> None:
    with begun(tmp_path, solver) as table:
        name = table.page.name
        assert table.asks(NewGame(GameKey.CLASSIC)) == [None]
        assert solver.closed == 1
        assert table.page.puzzle is None
    record = Record.read((tmp_path / "games" / name / "record.blksgf").read_bytes())
    assert (record.result, record.game.key) == (None, "puzzle-tetrominoes")
