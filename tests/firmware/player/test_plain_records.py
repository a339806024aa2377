"""Records of other programs become games that are listed and replayed."""

import json
import shutil
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from firmware.game.events import MoveAccepted, MoveRefused, Overruled, PositionSet, Withdrawn
from firmware.player.plain_records import recorded_game, show_records
from firmware.player.review_service import ReviewService
from firmware.records.record import Record
from firmware.records.replay import final_position, replay
from firmware.rules.variants import GAMES
from firmware.storage.game_files import export_files, rebuilt_pages
from tests.conftest import ROOT
from tests.support.random_games import overruled_game, random_game
from tests.support.solved_puzzles import TETROMINOES, moves_of
from tests.support.waiting import eventually
from web.app import create_app
from web.contract import Page, RefereeState
from web.contract.game_folder import PAGES
from web.game_archive import GameArchive, PastGame, Unreadable
from web.table_client import TableClient

RECORDS = ROOT / "tests" / "records"
EVENING = RECORDS / "club-evening.blksgf"
ODD = json.loads((RECORDS / "pentobi-odd.json").read_text(encoding="utf-8"))
X = "e8,d9,e9,f9,e10"


def put(source: Path, *places: Path) -> None:
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)


def shown(games: Path) -> list[str]:
    show_records(games, set())
    return GameArchive(games).names()


def pages(record: bytes) -> list[Page]:
    content = export_files(recorded_game(Record.read(record)), "guest")[PAGES]
    return [Page.from_json(line) for line in content.splitlines()]


def test_a_folder_with_a_record_alone_is_listed_and_replayed(tmp_path: Path) -> None:
    put(EVENING, tmp_path / "guest" / "record.blksgf")
    assert shown(tmp_path) == ["guest"]
    past = GameArchive(tmp_path).game("guest")
    assert isinstance(past, PastGame)
    assert (past.whole, past.pages[-1].finished) == (True, True)
    assert [colour.player for colour in past.pages[0].colours] == ["Ada", "Ben"]
    assert [side.score for side in past.pages[-1].sides] == [-23, -29]
    with closing(TableClient(Path("/nowhere"))) as link:
        client = create_app(link, games=tmp_path).test_client()
        assert "Ada" in client.get("/games").text
        pieces = [
            client.get(f"/games/guest?at={at}").text.count('<g class="piece"') for at in (0, 1, 5)
        ]
        assert pieces == [0, 1, 5]
        assert client.get("/games/guest/record.blksgf").data == EVENING.read_bytes()


def test_records_under_any_name_get_a_game_each_before_those_of_the_table(tmp_path: Path) -> None:
    put(
        EVENING,
        tmp_path / "Ann & Bea.blksgf",
        tmp_path / "ann-bea.blksgf",
        tmp_path / "Club Evening" / "record.blksgf",
        tmp_path / "openings" / "one.blksgf",
        tmp_path / "openings" / "two.blksgf",
        tmp_path / "000001-duo" / "record.blksgf",
    )
    names = shown(tmp_path)
    assert names[0] == "000001-duo"
    assert [name.rpartition("-")[0] for name in names[1:]] == [
        "000000-openings-two",
        "000000-openings-one",
        "000000-club-evening-record",
        "000000-ann-bea",
        "000000-ann-bea",
    ]
    assert shown(tmp_path) == names, "once is enough"


@pytest.mark.parametrize("path", sorted((RECORDS / "others").iterdir()), ids=lambda path: path.name)
def test_every_record_of_others_is_shown(tmp_path: Path, path: Path) -> None:
    put(path, tmp_path / path.name)
    [name] = shown(tmp_path)
    past = GameArchive(tmp_path).game(name)
    assert isinstance(past, PastGame)
    laid = len(past.pages[-1].pieces)
    assert laid == {"duo-A1A2": 3, "two-player-AB": 2}.get(path.stem, 1)


def test_a_record_whose_name_is_no_text_is_shown(tmp_path: Path) -> None:
    put(EVENING, tmp_path / "\udcff\udcfe.blksgf", tmp_path / "\udcff.blksgf")
    assert [name[:8] for name in shown(tmp_path)] == ["000000--", "000000--"]


def test_links_are_neither_read_nor_written_through(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    games, outside = tmp_path / "games", tmp_path / "outside"
    put(EVENING, outside / "record.blksgf", games / "own.blksgf")
    [own] = shown(games)
    shutil.rmtree(games / own)
    (games / own).symlink_to(outside)  # the name that a record gets can be foreseen
    (games / "guest").symlink_to(outside)
    (games / "linked.blksgf").symlink_to(outside / "record.blksgf")
    assert shown(games) == []
    assert [path.name for path in outside.iterdir()] == ["record.blksgf"]
    for name in ("own", "linked"):
        assert f"{name}.blksgf is not shown: a link leads elsewhere; copy" in caplog.text


def test_a_record_that_comes_while_the_table_is_on_is_shown_by_its_service(tmp_path: Path) -> None:
    games = tmp_path / "games"
    service = ReviewService(games, None)
    now = count(step=100)

    def is_shown() -> bool:
        service.work(next(now))
        return any(games.glob("000000-later-*/pages.jsonl"))

    assert not is_shown()
    put(EVENING, games / "later.blksgf")
    eventually(is_shown)
    service.close()


def test_a_record_that_cannot_be_played_is_listed_and_named_once_with_the_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "trigon.blksgf").write_text("(;GM[Blokus Trigon])")
    put(EVENING, tmp_path / "good.blksgf")
    known: set[str] = set()
    for _ in range(3):
        show_records(tmp_path, known)
    [said] = caplog.messages
    assert f"{tmp_path}/trigon.blksgf is not shown: " in said
    assert "GM: 'Blokus Trigon' is not a game known here" in said
    found = [type(GameArchive(tmp_path).game(name)) for name in GameArchive(tmp_path).names()]
    assert found == [Unreadable, PastGame]


def test_a_game_of_an_earlier_version_of_the_pages_is_rebuilt_from_its_events(
    tmp_path: Path,
) -> None:
    put(EVENING, tmp_path / "guest" / "record.blksgf")
    show_records(tmp_path, set())
    before = (tmp_path / "guest" / "pages.jsonl").read_bytes()
    assert rebuilt_pages("guest", (tmp_path / "guest" / "events.jsonl").read_bytes()) == (
        before,
        "",
    )


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_has_a_page_for_each_move_and_its_end(key: str) -> None:
    record, position = random_game(key, 3)
    game = recorded_game(record)
    assert game.state.position == position
    assert game.state.over
    found = pages(record.write())
    assert sorted({page.ply for page in found}) == list(range(len(position.pieces) + 1))
    assert found[-1].finished


def test_moves_that_an_arbiter_let_stand_are_not_refused_first() -> None:
    record, position = overruled_game("duo", 1, 12)
    game = recorded_game(record)
    assert game.state.position.laid == position.laid
    assert not any(isinstance(event, MoveRefused) for event in game.events)


def test_an_illegal_move_says_why_and_stands_where_it_can() -> None:
    data = f"(;GM[Blokus Duo];B[{X}];W[j5];B[a1];W[a1];B[f8,h8])".encode()
    kinds = [type(event) for event in recorded_game(Record.read(data)).events]
    refused = [MoveRefused, Withdrawn]
    assert kinds == [MoveAccepted, MoveAccepted, *refused, Overruled, *refused, *refused]
    found = pages(data)
    codes = [page.state.code is RefereeState.REFUSED for page in found]
    assert codes == [False, False, False, True, False, True, True, False]
    assert len(found[-1].pieces) == 3


def test_a_turn_alone_keeps_the_moves_before_it() -> None:
    game = recorded_game(Record.read(f"(;GM[Blokus Duo];B[{X}];PL[B];B[g7,g8])".encode()))
    assert not any(isinstance(event, PositionSet) for event in game.events)
    assert len(game.state.history) == 2


@pytest.mark.parametrize(
    "odd", [odd for odd in ODD if "refused" not in odd], ids=lambda odd: odd["record"]
)
def test_every_odd_record_shows_its_last_position(odd: dict[str, str]) -> None:
    data = odd["record"].encode(odd.get("encoding", "utf-8"))
    record = Record.read(data)
    laid = final_position(record, list(replay(record))).laid
    last = pages(data)[-1]
    colours = [piece.colour for piece in last.pieces if piece.mark != "refused"]
    assert [colours.count(colour) for colour in record.game.colours] == list(map(len, laid))


def test_a_solved_puzzle_has_the_time_of_its_end() -> None:
    record = Record.new(TETROMINOES.game)
    for colour, move in moves_of(TETROMINOES):
        record.play(move, colour)
    colour, move = moves_of(TETROMINOES)[-1]
    record.lift(move)
    record.play(move, colour)
    record.time(83.2)
    last = pages(record.write())[-1]
    assert (last.finished, len(last.pieces)) == (True, len(TETROMINOES.pieces))
    assert last.puzzle is not None
    assert last.puzzle.taken_ms == 83_200
