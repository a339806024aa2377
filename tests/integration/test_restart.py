"""A table that restarts continues its game, and compares the board with its journal."""

import errno
import os
import random
import time
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.storage.journal import Journal
from firmware.storage.journal_files import JournalFiles
from tests.support.disk import MountError, fill, remount, small_disk
from tests.support.fake_table import FakeTable, RecordingFeed, house
from tests.support.noisy_board import FIRST, SECOND, THIRD
from web.contract import NewGame, Overrule, Pause, RefereeState, Resign, Resume, Undo

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"))
MOVES = (("purple", FIRST), ("orange", SECOND), ("purple", THIRD))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns the folder of a table that ended after three moves."""
    with house(tmp_path, DUO) as table:
        for colour, move in MOVES:
            table.lay(colour, move)
    return tmp_path


def test_it_continues_where_it_was(folder: Path) -> None:
    with house(folder) as table:
        assert table.state.piece_count == 3
        assert [one.name for one in table.events] == ["board-found"]
        assert [colour.player for colour in table.page.colours] == ["Ada", "Ben"]
        table.lay("orange", "l8,m8,m9")
        assert table.state.piece_count == 4


def forget_after(folder: Path, name: str) -> None:
    """Removes the last events from the journal, as if the table had died right after one."""
    path = folder / "journal.jsonl"
    with Journal(path) as journal:
        stored = journal.resume()
    assert stored is not None
    count = [at for at, event in enumerate(stored.events, 1) if event.name == name][-1]
    assert count < len(stored.events)
    for file in folder.glob("journal.*"):
        file.unlink()
    with Journal(path) as journal:
        journal.begin(stored.config, stored.begun)
        journal.record(stored.events[:count])


def test_a_game_that_died_between_its_last_move_and_its_end_ends(tmp_path: Path) -> None:
    chance = random.Random(4)  # noqa: S311
    with house(tmp_path, DUO) as table:
        while (colour := table.state.position.to_move) is not None:
            indices = table.state.position.legal_moves.indices
            move = table.state.position.board.move(int(chance.choice(indices)))
            table.lay(table.table_factory.board.palette[colour], str(move))
        ended, result = table.state, table.page.result
        assert ended.over
    forget_after(tmp_path, "move")
    with house(tmp_path) as table:
        assert table.state == ended
        assert table.page.result == result
    with house(tmp_path) as table:
        assert table.state == ended, "and what was caught up with is on disk"


def test_a_game_that_died_between_a_word_and_what_followed_from_it_ends(folder: Path) -> None:
    with house(folder) as table:
        assert table.asks(Resign(1)) == [None]
        ended = table.state
        assert ended.over
    forget_after(folder, "resigned")
    with house(folder) as table:
        assert table.state.ended is ended.ended
        assert table.page.finished


def test_the_first_page_is_there_before_the_first_frame(folder: Path) -> None:
    with house(folder) as table:
        first = table.feed.pages[0]
        assert len(first.moves) == 3
        assert first.state.code is RefereeState.BOARD_LOST


def test_live_and_after_a_restart_the_game_is_the_same(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        for colour, move in MOVES:
            table.lay(colour, move)
        table.lay("orange", "a1,b1")
        table.asks(Overrule())
        table.asks(Undo())
        table.lay("purple", "h10,i10")
        table.asks(Pause())
        live = table.state
    with house(tmp_path) as again:
        assert again.state == live
        assert again.page.state.code is RefereeState.PAUSED


def test_a_game_that_was_ended_stays_ended_until_somebody_continues(folder: Path) -> None:
    with house(folder) as table:
        table.asks(Resign(0))
    with house(folder) as again:
        assert again.page.result is not None
        assert again.asks(Resume()) == [None]
        assert again.page.result is None


def test_a_piece_that_is_missing_after_a_restart_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeTable, "look", lambda table, frames=3: [])
    with house(folder) as table:
        monkeypatch.undo()
        table.table_factory.board.lift(SECOND)
        events = table.look(4)
        assert [event.name for event in events] == ["board-found", "disturbed"]
        assert table.page.state.code is RefereeState.DISTURBED
        missing = {table.page.square_name(square) for square in table.page.state.squares}
        assert missing == set(SECOND.split(","))
        table.table_factory.board.lay("orange", SECOND)
        assert [event.name for event in table.look(4)] == ["restored"]


def test_a_move_that_was_laid_meanwhile_is_accepted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeTable, "look", lambda table, frames=3: [])
    with house(folder) as table:
        monkeypatch.undo()
        table.table_factory.board.lay("orange", "l8,m8,m9")
        table.look(4)
        assert table.state.piece_count == 4


def spoil(folder: Path, ply: int, *names: str) -> None:
    """Damages a move in some files."""
    for name in names:
        path = folder / name
        content = path.read_bytes()
        content = content.replace(f'\\"ply\\": {ply}'.encode(), f'\\"ply\\": {ply + 1}'.encode())
        assert content != path.read_bytes()
        path.write_bytes(content)


@pytest.mark.parametrize("name", ["journal.jsonl", "journal.jsonl-copy"])
def test_damage_to_one_of_its_files_costs_the_table_nothing(folder: Path, name: str) -> None:
    spoil(folder, 2, name)
    with house(folder) as table:
        assert "the journal was damaged" in table.journal.trouble
        assert table.state.piece_count == 3
        assert table.page.saved
        assert table.page.whole


def test_a_damaged_journal_costs_no_game_at_the_table(folder: Path) -> None:
    spoil(folder, 3, "journal.jsonl", "journal.jsonl-copy")
    with house(folder) as table:
        assert "the journal was damaged" in table.journal.trouble
        assert table.state.piece_count == 2, "what could be read"
        assert not table.page.whole, "which every screen says"
        table.table_factory.board.lay("purple", THIRD)
        table.look(4)
        assert table.state.piece_count == 3
        assert table.page.saved
        table.asks(NewGame())
        assert table.page.whole


def test_not_saved_is_on_the_page_until_it_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with house(tmp_path, DUO) as table:
        with monkeypatch.context() as refusing:
            refusing.setattr(JournalFiles, "append", refuse)
            refusing.setattr(JournalFiles, "replace", refuse)
            table.lay("purple", FIRST)
            assert table.state.piece_count == 1, "the game goes on"
            assert not table.page.saved
        for _ in range(400):
            if table.journal.saved:
                break
            table.look(1)
            time.sleep(0.01)
        table.look(1)
        assert table.page.saved


@pytest.mark.parametrize("how", ["full", "ro"])
def test_a_table_that_starts_on_a_disk_that_refuses_plays_and_says_so(
    tmp_path: Path, how: str
) -> None:
    try:
        with small_disk(tmp_path / "disk", "1m") as disk:
            with house(disk, DUO) as table:
                table.lay("purple", FIRST)
            if how == "full":
                fill(disk)
            else:
                remount(disk, "ro")
            # Its socket is in another folder, as with `cornerlight demo` in this case.
            table = FakeTable(disk, wire=lambda _: RecordingFeed(tmp_path / "feed.sock"))
            table.feed.start()
            table.lay("orange", SECOND)
            assert table.state.piece_count == 2
            assert not table.page.saved
            assert table.asks(Pause()) == [None], "a phone was paired"
            table.close()
    except MountError as error:
        pytest.skip(str(error))
