"""One game after another at a table: cleared boards, questions, and two evenings in a row."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import EndReason, Takeback, Timing
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.events import GameBegun
from firmware.game.seating import usual_seats
from firmware.rules.variants import GAMES
from firmware.storage.journal import Journal
from tests.evaluation.many_games import play
from tests.support.fake_table import FakeLedStrip, FakeTable, house
from tests.support.noisy_board import FIRST, SECOND, THIRD
from vision.camera import NoCamera
from web.contract import (
    BeginAnew,
    CommandName,
    EndGame,
    NewGame,
    Pause,
    RefereeState,
    RefusalReason,
    Rematch,
    Resign,
    Resume,
    Undo,
)

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"), hints=2)
CLEARED = 12
"""Frames after which an empty board is cleared."""


def names(table: FakeTable) -> list[str]:
    return [one.name for one in table.events if one.name not in ("hand", "clear")]


def begun(table: FakeTable) -> list[str]:
    return [one.begins for one in table.events if isinstance(one, GameBegun)]


def clear_away(table: FakeTable) -> None:
    """Takes all pieces off the board by one reach of a hand."""
    table.reach()
    table.table_factory.board.contents.clear()


def played(folder: Path, config: GameConfig = DUO) -> Iterator[FakeTable]:
    with house(folder, config) as made:
        image = made.table_factory.camera.image
        made.table_factory.camera.image = image[::8, ::8].copy()
        play(made, random.Random(7))  # noqa: S311
        made.look(4)
        yield made


@pytest.fixture
def over(tmp_path: Path) -> Iterator[FakeTable]:
    """A table with a game of Duo that has just ended."""
    yield from played(tmp_path)


@pytest.fixture
def unfinished(tmp_path: Path) -> Iterator[FakeTable]:
    """A table with a game of Duo after three moves."""
    with house(tmp_path, DUO) as made:
        for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
            made.lay(colour, move)
        yield made


# After the end


def test_a_cleared_board_begins_the_next_game_and_the_other_player_begins(over: FakeTable) -> None:
    clear_away(over)
    over.look(CLEARED)
    assert begun(over) == ["orange"]
    page = over.page
    assert (page.state.code, page.moves, page.result) == (RefereeState.NEW_GAME, (), None)
    assert [colour.name for colour in page.colours] == ["orange", "purple"]
    assert [colour.player for colour in page.colours] == ["Ben", "Ada"]
    assert page.turn == 0
    terms = over.controller.session.config
    assert terms == replace(DUO, names=("Ben", "Ada"), seats=(1, 3), begins="orange")
    over.lay("orange", FIRST)
    assert over.state.piece_count == 1
    assert over.page.state.code is not RefereeState.NEW_GAME


def test_no_rematch_begins_between_the_pieces_of_the_last_game(over: FakeTable) -> None:
    assert CommandName.REMATCH not in over.page.possible
    assert over.asks(Rematch()) == [RefusalReason.NOT_POSSIBLE], "the pieces still lie there"
    assert begun(over) == []


def test_a_rematch_keeps_the_names_and_changes_who_begins(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.table_factory.clears_board = True
        assert table.asks(NewGame(names=("Ada", "Ben"), first="purple", hints=2)) == [None]
        table.lay("purple", FIRST)
        assert table.asks(Rematch()) == [RefusalReason.NOT_POSSIBLE], "the game goes on"
        assert table.asks(EndGame()) == [None]
        assert CommandName.REMATCH in table.page.possible
        assert table.asks(Rematch()) == [None]
        assert begun(table) == ["", "orange"]
        page = table.page
        assert (page.moves, page.result) == ((), None)
        assert [colour.player for colour in page.colours] == ["Ben", "Ada"]
        assert [colour.name for colour in page.colours] == ["orange", "purple"]
        assert table.controller.session.config.hints == 2
        table.lay("orange", FIRST)
        assert table.state.piece_count == 1
        assert table.asks(EndGame(), table.command(Rematch(), revision=1)) == [
            None,
            RefusalReason.STALE,
        ]


def test_both_games_are_kept(tmp_path: Path, over: FakeTable) -> None:
    clear_away(over)
    over.look(CLEARED)
    over.lay("orange", FIRST)
    over.close()
    first, second = sorted((tmp_path / "games").iterdir())
    assert b"RE[" in (first / "record.blksgf").read_bytes()
    assert not (second / "record.blksgf").exists(), "only pictures of it yet"
    with Journal(tmp_path / "journal.jsonl") as journal:
        stored = journal.resume()
    assert stored is not None
    assert (stored.number, stored.state.piece_count, stored.config.begins) == (2, 1, "orange")


def test_the_result_stays_while_pieces_are_put_away_one_by_one(over: FakeTable) -> None:
    before, result = names(over), over.page.result
    assert result is not None
    board, shown = over.table_factory.board, len(over.feed.pages) - 1
    for ply in reversed(over.state.history):
        over.reach(2)
        board.lift(ply.move)
        over.look(3)
    assert {page.state.code for page in over.feed.pages[shown:]} == {RefereeState.GAME_OVER}
    assert {page.result for page in over.feed.pages[shown:]} == {result}
    assert names(over) == before, "nothing was undone, and nothing is disturbed"
    over.look(CLEARED)
    assert begun(over) == ["orange"]


def test_pieces_pushed_about_after_the_end_hide_no_result(over: FakeTable) -> None:
    board = over.table_factory.board
    over.reach()
    for square in sorted(board.contents)[:40]:
        del board.contents[square]
    board.lay("purple", "a1,b1,c1")
    over.look(8)
    assert over.page.state.code is RefereeState.GAME_OVER
    assert "disturbed" not in names(over)


def test_the_move_that_ended_the_game_can_still_be_taken_back(over: FakeTable) -> None:
    last = over.state.history[-1].move
    over.lift(str(last))
    assert over.page.state.code is RefereeState.GAME_OVER
    over.look(25)
    assert names(over)[-1] == "undone"
    assert over.page.result is None


def test_an_arbiter_undoes_the_last_move_after_the_end_at_once(over: FakeTable) -> None:
    assert over.asks(Undo()) == [None]
    assert over.page.result is None


def test_one_piece_left_on_the_board_begins_no_game(over: FakeTable) -> None:
    keep = over.state.history[3].move
    clear_away(over)
    over.table_factory.board.lay("orange", str(keep))
    over.look(4 * CLEARED)
    assert begun(over) == []
    assert over.page.result is not None


def test_a_hand_that_comes_again_and_again_puts_it_off(over: FakeTable) -> None:
    clear_away(over)
    for _ in range(6):
        over.look(4)
        over.reach()
    assert begun(over) == []


def test_a_game_that_was_given_up_is_followed_too(unfinished: FakeTable) -> None:
    assert unfinished.asks(Resign(0)) == [None]
    unfinished.look(CLEARED)
    assert begun(unfinished) == [], "the pieces still lie there"
    clear_away(unfinished)
    unfinished.look(CLEARED)
    assert begun(unfinished) == ["orange"]


def test_a_game_that_was_ended_without_a_piece_is_not_followed(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        assert table.asks(EndGame(EndReason.ABANDONED)) == [None]
        table.look(2 * CLEARED)
        assert begun(table) == []


def test_a_paused_table_waits(over: FakeTable) -> None:
    assert over.asks(Resume()) == [RefusalReason.NOT_POSSIBLE]
    assert over.asks(Pause()) == [RefusalReason.NOT_POSSIBLE]


def test_an_arbiter_can_replace_the_game_that_began_by_itself(over: FakeTable) -> None:
    clear_away(over)
    over.look(CLEARED)
    assert over.asks(NewGame(names=("Cleo", "Dev"), first="purple")) == [None]
    over.look()
    assert over.page.state.code is RefereeState.WAITING
    assert [colour.player for colour in over.page.colours] == ["Cleo", "Dev"]


def test_the_lights_let_the_camera_see_that_the_board_was_cleared(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        for colour, move in (("purple", FIRST), ("orange", SECOND)):
            table.lay(colour, move)
            table.look(4)
        table.asks(Resign(0))
        table.look(20)
        assert any(frame != bytes(len(frame)) for frame in bulbs.frames[-8:]), "the winner is lit"
        clear_away(table)
        table.look(30)
        assert begun(table) == ["orange"]


@pytest.mark.parametrize("key", [key for key in GAMES if len(GAMES[key].colours) == 4])
def test_with_four_colours_people_keep_their_seats_and_the_next_begins(key: str) -> None:
    game = GAMES[key]
    people = tuple("ABCD"[: game.people])
    config = GameConfig(game, names=people)
    following = config.next_game(None)
    assert following.names == (*people[1:], people[0])
    assert following.begins == "blue"
    at = dict(zip(people, usual_seats(game), strict=True))
    assert dict(zip(following.names, following.seats, strict=True)) == at
    again = following
    for _ in range(game.people - 1):
        again = again.next_game(None)
    assert (again.names, again.seats) == (people, usual_seats(game))


def test_who_begins_alternates_where_it_was_agreed() -> None:
    agreed = GameConfig(GAMES["duo"], first="purple", takeback=Takeback.ARBITER)
    following = agreed.next_game(("purple", "orange"))
    assert (following.first, following.begins) == ("orange", "orange")
    assert following.takeback is Takeback.ARBITER
    assert following.next_game(("orange", "purple")).first == "purple"


# An empty board under an unfinished game


def test_an_empty_board_under_a_game_asks_and_decides_nothing(unfinished: FakeTable) -> None:
    clear_away(unfinished)
    unfinished.look(60)
    assert names(unfinished).count("new-game-asked") == 1
    assert unfinished.page.state.code is RefereeState.ANEW_ASKED
    assert unfinished.state.piece_count == 3
    assert {"begin-anew", "resume"} <= set(unfinished.page.possible)


def test_begin_anew_keeps_the_old_game_as_unfinished(tmp_path: Path, unfinished: FakeTable) -> None:
    clear_away(unfinished)
    unfinished.look(CLEARED)
    assert unfinished.asks(BeginAnew()) == [None]
    assert begun(unfinished) == ["purple"]
    unfinished.look()
    assert unfinished.page.state.code is RefereeState.NEW_GAME
    assert [colour.player for colour in unfinished.page.colours] == ["Ada", "Ben"]
    unfinished.lay("purple", FIRST)
    assert unfinished.state.piece_count == 1
    unfinished.close()
    stored = min((tmp_path / "games").iterdir())
    assert (stored / "record.blksgf").read_bytes().count(b";B[") == 2
    assert b"RE[" not in (stored / "record.blksgf").read_bytes()


def test_go_on_guides_the_pieces_back_and_does_not_ask_again(unfinished: FakeTable) -> None:
    clear_away(unfinished)
    unfinished.look(CLEARED)
    assert unfinished.asks(Resume()) == [None]
    unfinished.reach()
    unfinished.look(2 * CLEARED)
    assert unfinished.page.state.code is RefereeState.DISTURBED
    assert unfinished.page.state.target_squares
    assert "begin-anew" not in unfinished.page.possible
    for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
        unfinished.lay(colour, move)
    assert "restored" in names(unfinished)
    unfinished.lay("orange", "l8,m8,m9")
    assert unfinished.state.piece_count == 4


def test_pieces_laid_back_answer_the_question(unfinished: FakeTable) -> None:
    clear_away(unfinished)
    unfinished.look(CLEARED)
    unfinished.lay("purple", FIRST)
    assert unfinished.page.state.code is RefereeState.DISTURBED
    assert "begin-anew" in unfinished.page.possible
    unfinished.lay("orange", SECOND)
    unfinished.lay("purple", THIRD)
    assert "restored" in names(unfinished)
    assert "begin-anew" not in unfinished.page.possible
    assert unfinished.state.piece_count == 3


def test_a_board_that_was_never_laid_on_asks_nothing(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.look(3 * CLEARED)
        assert names(table) == ["board-found"]


def test_the_clock_stands_while_people_are_asked(tmp_path: Path) -> None:
    timed = replace(DUO, pace=TimeControl(Timing.SUDDEN_DEATH, 600.0))
    with house(tmp_path, timed) as table:
        table.lay("purple", FIRST)
        table.lay("orange", SECOND)
        clear_away(table)
        table.look(CLEARED)
        stood = table.controller.session.clocks
        table.look(20)
        assert table.controller.session.clocks == stood
        assert not any(clock.running for clock in stood)


def test_a_restart_tells_the_same_as_the_running_table(
    tmp_path: Path, unfinished: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_away(unfinished)
    unfinished.look(CLEARED)
    live = unfinished.state
    unfinished.close()
    monkeypatch.setattr(FakeTable, "look", lambda table, frames=3: [])
    with house(tmp_path) as again:
        assert again.state == live


# The camera is away


@pytest.mark.parametrize("settled", [True, False])
def test_lights_say_at_once_that_the_camera_is_away(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settled: bool,  # noqa: FBT001
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        table.lay("purple", FIRST)
        table.look(20)
        if not settled:
            table.reach()  # the lights are out then, for the camera to decide
            table.look(1)
        camera = table.table_factory.camera
        now = camera.now
        monkeypatch.setattr(camera, "read", lambda: NoCamera("missing", "it was unplugged"))
        shown = set()
        for step in range(1, 9):
            camera.now = now + step / 4
            table.look(1)
            shown.add(bulbs.on)
        assert frozenset({0, 1, 2, 11, 12, 13}) <= max(shown, key=len)
        assert len(max(shown, key=len)) == 20
        assert [page.state.code for page in table.feed.pages][-1] is RefereeState.CAMERA_AWAY
        monkeypatch.undo()
        table.look(20)
        assert len(bulbs.on) < 20
        assert table.page.state.code is RefereeState.WAITING


# Evenings


def test_two_evenings_in_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in played(tmp_path, GameConfig(GAMES["duo"])):
        clear_away(table)
        table.look(CLEARED)
        assert begun(table) == ["orange"]
        table.lay("orange", FIRST)
        table.lay("purple", SECOND)
        assert table.state.piece_count == 2
    monkeypatch.setattr(FakeTable, "look", lambda table, frames=3: [])
    with house(tmp_path) as table:
        monkeypatch.undo()
        table.table_factory.board.contents.clear()
        table.look(CLEARED)
        assert table.page.state.code is RefereeState.ANEW_ASKED
        assert table.asks(BeginAnew()) == [None]
        assert [colour.name for colour in table.page.colours] == ["orange", "purple"]
        play(table, random.Random(8))  # noqa: S311
        assert table.page.result is not None
    games = sorted((tmp_path / "games").iterdir())
    assert [path.name[:6] for path in games] == ["000001", "000002", "000003"]
    results = [b"RE[" in (path / "record.blksgf").read_bytes() for path in games]
    assert results == [True, False, True]
