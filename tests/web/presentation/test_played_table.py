"""A simulated table as JSON for the script of those who play at it."""

import json

from tests.support import example_pages
from web.contract import ClubTable, Page, Seat, SimulatedTable
from web.i18n.wording import Wording
from web.presentation.played_table import played_table

CLUB = ClubTable((Seat((0,)), Seat((1,))))


def table_of(page: Page) -> dict[str, object]:
    table: dict[str, object] = json.loads(
        played_table(SimulatedTable(page.size, (1.0,) * 9), CLUB, page, Wording())
    )
    return table


def test_the_script_gets_the_seats_of_the_table() -> None:
    seats = table_of(example_pages.empty())["seats"]
    assert seats == [{"colors": [one], "holder": "free", "phone": ""} for one in (0, 1)]


def test_a_game_has_no_field() -> None:
    table = table_of(example_pages.empty())
    assert (table["size"], table["field"], table["culprit"]) == (14, None, [])


def test_a_puzzle_has_its_field_and_the_piece_to_lift() -> None:
    page = example_pages.puzzle_impossible()
    assert page.puzzle is not None
    table = table_of(page)
    assert table["field"] == [8, 10]
    assert table["culprit"] == [list(square) for square in page.puzzle.culprit]
    assert table["turn"] is None


def test_the_script_gets_a_square_of_each_move_for_its_number() -> None:
    page = example_pages.classic_middle()
    laid = [move for move in page.moves if move.squares]
    plies = table_of(page)["plies"]
    assert isinstance(plies, list)
    assert [ply for ply, *_ in plies] == [move.ply for move in laid]
    assert all(
        (row, column) in move.squares for (_, row, column), move in zip(plies, laid, strict=True)
    )
