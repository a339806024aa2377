"""Places of a chosen piece: who is told them, where they are shown, and how long."""

from pathlib import Path
from uuid import uuid4

import pytest

from firmware.codes import HintAmount
from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from tests.support.fake_table import FakeLedStrip, FakeTable, house, lit_in
from web.contract import (
    ArbiterPage,
    PlayRequest,
    RefusalReason,
    Reply,
    ShowPlaces,
    Sit,
)

AGREED = GameConfig(GAMES["duo"], hints=1)
FIRST = "e10,e9,e8,e7,e6"
PURPLE, ORANGE = 0, 1


def ask(
    table: FakeTable, piece: str, *, colour: int = PURPLE, token: str = "", paired: bool = True
) -> Reply:
    pairing = (table.token or "") if paired else ""
    table.asks(PlayRequest(uuid4().hex, token, pairing, ShowPlaces(colour, piece)))
    return table.feed.answers[-1]


def named(table: FakeTable, squares: object) -> set[str]:
    return {table.page.square_name(one) for one in squares}  # type: ignore[attr-defined]


def shown(table: FakeTable) -> tuple[str, set[str], set[str]]:
    private = table.page.private or ArbiterPage()
    return private.piece, named(table, private.covers), named(table, private.corners)


def lit(table: FakeTable, bulbs: FakeLedStrip) -> set[str]:
    table.look(1)
    board, before = table.state.position.board, len(bulbs.frames)
    table.look(6)
    on = frozenset[int]().union(*map(lit_in, bulbs.frames[before - 1 :]))
    return {board.format_square(square) for square in on}


def test_the_table_shows_the_starts_of_a_piece_until_it_is_asked_again(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, AGREED, bulbs) as table:
        dark = lit(table, bulbs)
        assert ask(table, "1").places == ((((0, 0),), ((4, 4), (9, 9)), ((4, 4), (9, 9))),)
        assert shown(table) == ("1", {"e10", "j5"}, {"e10", "j5"})
        assert lit(table, bulbs) == dark | {"e10", "j5"}
        assert ask(table, "1") == Reply(table.feed.answers[-1].id), "it is cancelled"
        assert shown(table) == ("", set(), set())
        assert lit(table, bulbs) == dark


def test_another_piece_replaces_the_places_and_a_move_ends_them(tmp_path: Path) -> None:
    with house(tmp_path, AGREED) as table:
        ask(table, "2")
        assert shown(table) == (
            "2",
            {"e10", "d10", "f10", "e9", "e11", "j5", "i5", "k5", "j4", "j6"},
            {"e10", "j5"},
        )
        ask(table, "1")
        assert shown(table)[0] == "1"
        table.lay("purple", FIRST)
        table.look(6)
        assert table.state.piece_count == 1
        assert shown(table) == ("", set(), set())
        assert ask(table, "1", colour=PURPLE).refused is RefusalReason.NOT_POSSIBLE
        ask(table, "1", colour=ORANGE)
        assert shown(table) == ("1", {"j5"}, {"j5"})


def test_each_way_round_has_its_own_squares(tmp_path: Path) -> None:
    with house(tmp_path, AGREED) as table:
        ways = {shape: (squares, starts) for shape, squares, starts in ask(table, "I3").places}
        assert set(ways) == {((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0))}
        flat, starts = ways[(0, 0), (0, 1), (0, 2)]
        assert named(table, starts) == {"e10", "j5"}
        assert named(table, flat) == {
            *("c10", "d10", "e10", "f10", "g10"),
            *("h5", "i5", "j5", "k5", "l5"),
        }


def test_a_laid_or_unknown_piece_fits_nowhere(tmp_path: Path) -> None:
    with house(tmp_path, AGREED) as table:
        assert ask(table, "Q").refused is RefusalReason.NOWHERE
        assert ask(table, "F", colour=3).refused is RefusalReason.NOT_POSSIBLE
        assert shown(table) == ("", set(), set())


def test_the_seat_of_the_person_to_move_may_ask_and_nobody_else(tmp_path: Path) -> None:
    with house(tmp_path, AGREED) as table:
        tokens = []
        for person in range(2):
            table.asks(PlayRequest(uuid4().hex, "", "", Sit(person)))
            tokens.append(table.feed.answers[-1].token)
        assert ask(table, "1", token=tokens[0], paired=False).places
        for token in (tokens[1], ""):
            other = ask(table, "2", token=token, paired=False)
            assert (other.refused, other.places) == (RefusalReason.NOT_YOURS, ())
        assert shown(table)[0] == "1"


@pytest.mark.parametrize(
    "terms",
    [
        GameConfig(GAMES["duo"]),
        GameConfig(GAMES["duo"], hints=9, hint_amount=(HintAmount.NONE, HintAmount.EVERYTHING)),
    ],
)
def test_who_agreed_on_no_hints_is_not_told_and_nothing_glows(
    tmp_path: Path, terms: GameConfig
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, terms, bulbs) as table:
        dark = lit(table, bulbs)
        answer = ask(table, "1")
        assert (answer.refused, answer.places) == (RefusalReason.NO_HINTS_AGREED, ())
        assert (shown(table), lit(table, bulbs)) == (("", set(), set()), dark)


def test_places_cost_no_hint(tmp_path: Path) -> None:
    with house(tmp_path, AGREED) as table:
        ask(table, "1")
        assert table.page.private is not None
        assert table.page.private.hints is not None
        assert table.page.private.hints.left == (1, 1)


def test_watchers_see_neither_page_nor_picture_of_the_places(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, AGREED, bulbs) as table:
        assert ask(table, "1").places
        table.look(1)
        assert "places" not in table.page.public.to_json()
        assert table.page.public.private is None
        for glows in (True, False):
            table.feed.pictures.clear()
            table.look(8)
            assert len(table.feed.pictures) == (2 if glows else 8), "one of four is dark"
            ask(table, "1")
