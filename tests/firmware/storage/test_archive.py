"""Finished games as ordinary files."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.codes import EndReason, Takeback
from firmware.commands.main import main
from firmware.game.config import GameConfig
from firmware.player.puzzle_results import best_seconds
from firmware.records.record import Record
from firmware.records.replay import (
    ReplayedLifting,
    ReplayedMove,
    ReplayedRefusal,
    final_position,
    replay,
)
from firmware.rules.errors import IllegalMoveError
from firmware.rules.variants import GAMES
from firmware.session.game_storage import SIDE_PX, crop
from firmware.storage.archive import ArchiveFolder
from firmware.storage.journal import Journal
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay, time_of_day
from tests.support.fake_table import house
from tests.support.noisy_board import FIRST, FOUR, SECOND, THIRD, NoisyBoard
from tests.support.solved_puzzles import TETROMINOES, moves_of
from web.contract import EndGame, NewGame, Overrule, Page, RefereeState, Resume, Undo

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"))
EVENING = TimeOfDay("2026-11-21T19:00:00+01:00", trusted=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of a game with everything in it."""
    with house(tmp_path, DUO) as table:
        for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
            table.lay(colour, move)
        table.asks(Undo())
        table.lift(THIRD)
        table.lay("purple", THIRD)
        table.lay("orange", "a1,b1")
        table.asks(Overrule())
        table.asks(EndGame(EndReason.SCORE))
        name = table.page.name
    return tmp_path / "games" / name


def test_the_record_tells_the_game_with_its_corrections(folder: Path) -> None:
    record = Record.read((folder / "record.blksgf").read_bytes())
    plies = [entry for entry in replay(record) if isinstance(entry, ReplayedMove)]
    laid = [set(str(ply.move).split(",")) for ply in plies]
    assert laid == [set(move.split(",")) for move in (FIRST, SECOND, THIRD, "a1,b1")]
    assert [ply.played.overruled for ply in plies] == [False, False, False, True]
    assert all(ply.stands for ply in plies)
    assert record.names == ("Ada", "Ben")
    assert record.result == "B+2"
    assert b"CLUNDONE[undone]" in (folder / "record.blksgf").read_bytes()


def test_the_events_are_lines_of_json_and_begin_with_what_was_agreed(folder: Path) -> None:
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    assert lines[0]["event"] == "begun"
    assert (lines[0]["game"], lines[0]["names"]) == ("duo", ["Ada", "Ben"])
    assert lines[0]["clock_was_set"] in (True, False)
    names = [line["event"] for line in lines[1:]]
    assert {"move", "undone", "illegal", "overruled", "ended"} <= set(names)


def test_the_pages_go_from_the_empty_board_to_the_result_ply_by_ply(folder: Path) -> None:
    lines = (folder / "pages.jsonl").read_text().splitlines()
    pages = [Page.from_json(line) for line in lines]
    assert [page.ply for page in pages] == [0, 1, 2, 3, 3, 4, 4]
    assert [page.finished for page in pages] == [False] * 6 + [True]
    assert pages[-1].state.code is RefereeState.GAME_OVER
    assert {page.name for page in pages} == {folder.name}


def test_a_puzzle_that_was_abandoned_is_stored_with_its_liftings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (blue, first), (_, second), *_, (green, last) = moves_of(TETROMINOES)
    outside = "q1,r1,s1,t1"
    with house(tmp_path, GameConfig(TETROMINOES.game, takeback=Takeback.ANY)) as table:
        for colour, move in ((blue, first), (blue, second), (green, last)):
            table.lay(FOUR[colour], str(move))
            table.look()
        table.lift(str(first))
        table.look()
        table.lay(FOUR[2], outside)
        table.look()
        table.asks(Overrule())
        table.asks(EndGame(EndReason.ABANDONED))
        name, position = table.page.name, table.state.position
    path = tmp_path / "games" / name / "record.blksgf"
    record = Record.read(path.read_bytes())
    assert (record.result, record.game) == ("Void", TETROMINOES.game)
    assert record.seconds is not None
    kinds = [type(entry) for entry in replay(record) if not isinstance(entry, ReplayedRefusal)]
    assert kinds == [*[ReplayedMove] * 3, ReplayedLifting, ReplayedMove]
    assert final_position(record, list(replay(record))) == position
    assert main(["replay", "--json", str(path)]) == 0, "what breaks a rule was overruled"
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["finished"], summary["left"]) == (False, 17)
    assert best_seconds(tmp_path / "games", TETROMINOES.game) is None


def test_there_are_pictures_of_the_board_before_and_after_each_decision(folder: Path) -> None:
    names = sorted(path.stem for path in (folder / "evidence").iterdir())
    assert {"0001-after", "0002-before", "0002-after", "0004-after"} <= set(names)
    assert any("illegal" in name for name in names)
    picture = cv2.imread(str(folder / "evidence" / "0002-after.jpg"))
    assert picture is not None
    assert picture.shape == (SIDE_PX, SIDE_PX, 3)


def test_each_page_of_a_decision_names_its_pictures_also_that_of_a_refusal(folder: Path) -> None:
    pages = [Page.from_json(line) for line in (folder / "pages.jsonl").read_bytes().splitlines()]
    [refused] = [page for page in pages if page.state.code is RefereeState.REFUSED]
    assert refused.evidence.startswith("0003-illegal-")
    assert [page.evidence for page in pages if page is not refused] == [
        "", "0001", "0002", "0003", "0004", ""
    ]  # fmt: skip
    for page in pages[1:-1]:
        assert (folder / "evidence" / f"{page.evidence}-after.jpg").is_file()


def test_nothing_but_the_board_is_in_a_picture() -> None:
    reading = NoisyBoard().reading()
    image = np.full((960, 1280, 3), 255, np.uint8)
    (left, top), (right, bottom) = reading.corners[0], reading.corners[2]
    image[int(top) : int(bottom), int(left) : int(right)] = 40
    image[int(top) : int(top) + 60, int(left) : int(left) + 60] = (0, 0, 200)
    upright, turned = crop(image, reading, 0), crop(image, reading, 90)
    assert upright.max() < 255
    assert (upright[:20, :20] == (0, 0, 200)).all()
    assert (turned[:20, -20:] == (0, 0, 200)).all(), "clockwise, as squares are turned"


def test_a_game_that_continues_after_its_end_is_filed_again(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.lay("purple", FIRST)
        table.asks(
            EndGame(EndReason.ABANDONED),
        )
        table.asks(Resume())
        table.look(3)
        table.lay("orange", SECOND)
        name = table.page.name
        table.asks(NewGame())
        assert table.page.name != name
    pages = (tmp_path / "games" / name / "pages.jsonl").read_text().splitlines()
    assert Page.from_json(pages[-1]).ply == 2


def test_a_game_without_a_piece_becomes_no_files(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.asks(NewGame())
    assert not (tmp_path / "games").exists()


def test_a_folder_sorts_by_time_whatever_the_clock_said() -> None:
    untrusted = TimeOfDay("1970-01-01T00:00:00+00:00", trusted=False)
    names = [
        StoredGame(number, DUO, begun).name for number, begun in ((9, EVENING), (10, untrusted))
    ]
    assert names == ["000009-2026-11-21-duo", "000010-duo"]
    assert sorted(names) == names


def test_numbers_continue_after_the_journal_was_lost(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.lay("purple", FIRST)
        table.asks(EndGame())
    for path in tmp_path.glob("journal.*"):
        path.unlink()
    with house(tmp_path, DUO) as table:
        assert table.journal.number == 2


NOISE = np.random.default_rng(10).integers(0, 255, (64, 64, 3)).astype(np.uint8)


def test_pictures_stop_at_the_budget_of_a_game(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path, game_bytes=20_000, all_bytes=10**9) as archive:
        for number in range(20):
            archive.keep("000001-duo", f"{number:04}-after", NOISE)
    sizes = [path.stat().st_size for path in (tmp_path / "000001-duo" / "evidence").iterdir()]
    assert 10_000 < sum(sizes) <= 20_000


def fault_of_the_program(*_: object) -> dict[str, bytes]:
    raise IllegalMoveError("these events cannot follow each other")


UNDATED = TimeOfDay("", trusted=False)


def record_alone(*_: object) -> dict[str, bytes]:
    return {"record.blksgf": b"(;GM[Blokus Duo])"}


def test_the_oldest_games_lose_their_pictures_first_and_never_their_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.archive.export_files", record_alone)
    filed: list[tuple[int, int]] = []
    for number in range(1, 5):
        evidence = tmp_path / f"{number:06}-duo" / "evidence"
        evidence.mkdir(parents=True)
        (evidence / "0001-after.jpg").write_bytes(bytes(10_000))
    with ArchiveFolder(tmp_path, game_bytes=10**6, all_bytes=25_000) as archive:
        for number in range(1, 5):
            archive.finish(StoredGame(number, DUO, UNDATED), lambda *game: filed.append(game))
    remaining = [path.parent.parent.name for path in sorted(tmp_path.rglob("*.jpg"))]
    assert remaining == ["000003-duo", "000004-duo"]
    assert filed == [(number, 0) for number in range(1, 5)]
    assert len(list(tmp_path.rglob("record.blksgf"))) == 4


def test_what_lies_outside_the_folder_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.archive.export_files", record_alone)
    games, outside = tmp_path / "games", tmp_path / "outside"
    (outside / "evidence").mkdir(parents=True)
    for path in (outside / "evidence" / "family.jpg", outside / "pages.jsonl"):
        path.write_bytes(bytes(10_000))
    games.mkdir()
    (games / "000001-duo").symlink_to(outside)
    with ArchiveFolder(games, game_bytes=10**6, all_bytes=1) as archive:
        assert archive.newest == 1
        for number in (2, 3):
            archive.finish(StoredGame(number, DUO, UNDATED), lambda *_: None)
    assert (outside / "evidence" / "family.jpg").stat().st_size == 10_000
    assert (outside / "pages.jsonl").read_bytes() == bytes(10_000)


def test_a_number_of_a_hundred_digits_is_not_counted_up(tmp_path: Path) -> None:
    for name in ("9" * 200, "000007-duo"):
        (tmp_path / name).mkdir()
    with ArchiveFolder(tmp_path, game_bytes=1, all_bytes=1) as archive:
        assert archive.newest == 999_999_999


def test_a_disk_that_refuses_costs_files_and_not_the_game(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "games").write_text("in the way")
    with house(tmp_path, DUO) as table:
        table.lay("purple", FIRST)
        assert table.asks(EndGame()) == [None]
        table.look(2)
    assert "cannot write to" in caplog.text
    assert (tmp_path / "games").read_text() == "in the way"


def test_a_game_that_cannot_become_files_keeps_no_other_from_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_fails(game: StoredGame, _: str) -> dict[str, bytes]:
        return fault_of_the_program() if game.number == 1 else record_alone()

    monkeypatch.setattr("firmware.storage.archive.export_files", first_fails)
    filed: list[tuple[int, int]] = []
    with ArchiveFolder(tmp_path, game_bytes=10**6, all_bytes=10**9) as archive:
        archive.finish(StoredGame(1, DUO, UNDATED), lambda *game: filed.append(game))
        archive.keep("000001-duo", "0001-after", np.zeros((0, 0, 3), np.uint8))
        archive.finish(StoredGame(2, DUO, UNDATED), lambda *game: filed.append(game))
    assert filed == [(2, 0)]
    assert (tmp_path / "000002-duo" / "record.blksgf").exists()
    assert caplog.text.count("is not filed") == 2


def test_a_game_that_cannot_become_files_stays_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.archive.export_files", fault_of_the_program)
    with house(tmp_path, DUO) as table:
        table.lay("purple", FIRST)
        table.asks(NewGame())
        table.lay("purple", FIRST)
        table.asks(NewGame())
    with Journal(tmp_path / "journal.jsonl") as journal:
        assert [game.state.piece_count for game in journal.unfiled()] == [1, 1, 0]


def test_the_time_of_day_has_its_offset_and_says_whether_it_is_to_be_trusted() -> None:
    now = time_of_day()
    assert len(now.text) == len("2026-11-21T19:00:00+01:00")
    assert now.date in (None, now.text[:10])
    assert TimeOfDay(now.text, trusted=False).date is None
