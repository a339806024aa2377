"""A puzzle at a whole table: done, put away, gone on with after a restart."""

from pathlib import Path

import pytest

from firmware.codes import Takeback
from firmware.game.config import GameConfig
from firmware.game.events import Solved
from firmware.rules.board import Move
from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import KnownSolution, solved
from tests.support.fake_table import FakeTable, house
from tests.support.noisy_board import FOUR
from web.contract import RefereeState

TERMS = GameConfig(PUZZLES["puzzle-tetrominoes"], takeback=Takeback.ANY)


def lay_until(table: FakeTable, plies: int) -> None:
    choose = KnownSolution(solved(TERMS.game), 4)
    while table.state.piece_count < plies:
        laying = choose(table.state.position)
        assert laying is not None
        table.lay(FOUR[laying[0]], str(laying[1]))


def pieces(table: FakeTable) -> list[Move]:
    return [move for laid in table.state.position.laid for move in laid]


def test_a_solved_puzzle_stays_solved_while_it_is_put_away(tmp_path: Path) -> None:
    with house(tmp_path, TERMS) as table:
        lay_until(table, 20)
        assert [event for event in table.events if isinstance(event, Solved)]
        assert table.page.state.code is RefereeState.GAME_OVER
        for move in pieces(table)[:6]:
            table.lift(str(move))
            assert table.state.over
        assert table.state.piece_count == 20


def test_a_puzzle_goes_on_after_a_restart(tmp_path: Path) -> None:
    with house(tmp_path, TERMS) as table:
        lay_until(table, 8)
        table.lift(str(pieces(table)[2]))
        before = table.state.position
    with house(tmp_path) as again:
        assert again.state.position == before
        again.look()
        lay_until(again, 10)
        assert again.state.piece_count == 10


@pytest.mark.parametrize("lifted", [1, 7])
def test_pieces_cleared_off_an_unfinished_puzzle_are_taken_back(
    tmp_path: Path, lifted: int
) -> None:
    with house(tmp_path, TERMS) as table:
        lay_until(table, 7)
        table.reach()
        for move in pieces(table)[:lifted]:
            table.table_factory.board.lift(str(move))
        table.look(6)
        assert table.state.piece_count == 7 - lifted
        assert table.state.anew_size is None
