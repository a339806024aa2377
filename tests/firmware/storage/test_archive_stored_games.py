"""Games stored by any version of the program are shown and replayed without loss.

`stored_games` has the same short game as it was stored under each version of the pages.
"""

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.game.config import from_json as terms_from_json
from firmware.rules.variants import GAMES
from firmware.storage.archive import OLD_PAGES, ArchiveFolder
from firmware.storage.game_files import is_current, rebuilt_pages
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from tests.conftest import ROOT
from tests.support.waiting import eventually
from web.app import create_app
from web.contract import Page
from web.game_archive import GameArchive as Stored
from web.game_archive import PastGame
from web.table_client import TableClient

VERSIONS = sorted(
    (ROOT / "tests" / "stored_games").iterdir(), key=lambda path: int(path.name.split("-")[1])
)
TODAY = VERSIONS[-1]
NAME = "000001-duo"
PLIES = [0, 1, 2, 3, 3, 4, 4]
PIECES = [0, 1, 2, 3, 4, 4, 4]
"""Pieces that each page draws; the refused piece is one."""
LIMITS = {"game_bytes": 10**6, "all_bytes": 10**9}


@pytest.fixture
def store(tmp_path: Path) -> Callable[[Path], Path]:
    """Copies a stored game into the folder of all games."""

    def stored(version: Path) -> Path:
        return Path(shutil.copytree(version, tmp_path / "games" / NAME))

    return stored


def start_table(game: Path) -> None:
    """Runs the table's archive until it has checked the one stored game."""
    with ArchiveFolder(game.parent, **LIMITS):
        pass


def past_game(game: Path) -> PastGame:
    past = Stored(game.parent).game(NAME)
    assert isinstance(past, PastGame)
    return past


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
def test_a_game_of_every_version_shows_and_replays(
    store: Callable[[Path], Path], version: Path
) -> None:
    game = store(version)
    before = {file: (game / file).read_bytes() for file in ("events.jsonl", "record.blksgf")}
    start_table(game)
    past = past_game(game)
    assert [page.ply for page in past.pages] == PLIES
    assert past.whole
    assert past.pages[-1].finished
    assert [colour.player for colour in past.pages[0].colours] == ["Ada", "Ben"]
    assert {file: (game / file).read_bytes() for file in before} == before
    with closing(TableClient(Path("/nowhere"))) as link:
        client = create_app(link, games=game.parent).test_client()
        assert f'href="/games/{NAME}"' in client.get("/games").text
        for at, pieces in enumerate(PIECES):
            text = client.get(f"/games/{NAME}?at={at}").text
            assert text.count('<g class="piece"') == pieces
            assert text.count('data-mark="refused"') == (at == 4)
            assert "moves may be missing" not in text


def test_the_newest_stored_game_is_one_of_this_version(store: Callable[[Path], Path]) -> None:
    """A new version of the pages needs a stored game of its own in `stored_games`."""
    content = (TODAY / "pages.jsonl").read_bytes()
    assert is_current(content.splitlines()[-1])
    game = store(TODAY)
    changed = (game / "pages.jsonl").stat().st_mtime_ns
    start_table(game)
    assert (game / "pages.jsonl").stat().st_mtime_ns == changed


def test_every_game_is_looked_at_and_the_game_on_the_table_comes_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number:06}-duo" for number in range(1, 6)]
    for name in names:
        shutil.copytree(VERSIONS[0], tmp_path / name)
    stored = Stored(tmp_path)
    done: list[list[bool]] = []

    def write(*_: object) -> dict[str, bytes]:
        done.append([isinstance(stored.ending(name), PastGame) for name in names])
        return {"record.blksgf": b"(;GM[Blokus Duo])"}

    monkeypatch.setattr("firmware.storage.archive.export_files", write)
    game = StoredGame(9, GameConfig(GAMES["duo"]), TimeOfDay("", trusted=False))
    with ArchiveFolder(tmp_path, **LIMITS) as archive:
        archive.finish(game, lambda *_: None)
        eventually(lambda: all(isinstance(stored.ending(name), PastGame) for name in names))
        eventually(lambda: done)
    assert done[0][0] is False, "the oldest is still to be looked at"


def test_rebuilt_pages_say_what_the_stored_ones_say() -> None:
    content, fault = rebuilt_pages(NAME, (TODAY / "events.jsonl").read_bytes())
    assert not fault
    now = [Page.from_json(line) for line in content.splitlines()]
    then = [Page.from_json(line) for line in (TODAY / "pages.jsonl").read_bytes().splitlines()]
    for one, other in zip(now, then, strict=True):
        assert (one.moves, one.pieces, one.result) == (other.moves, other.pieces, other.result)


def test_what_was_agreed_before_seats_and_hints_were_is_read() -> None:
    [version] = [path for path in VERSIONS if path.name == "wire-3"]
    begun = json.loads((version / "events.jsonl").read_text().splitlines()[0])
    assert "seats" not in begun
    assert "hints" not in begun
    assert terms_from_json(begun).names == ("Ada", "Ben")


@pytest.mark.parametrize("length", [None, 0, 100, 10_000])
def test_pages_that_are_missing_or_cut_short_are_rebuilt(
    store: Callable[[Path], Path], length: int | None
) -> None:
    game = store(TODAY)
    pages = game / "pages.jsonl"
    pages.unlink() if length is None else pages.write_bytes(pages.read_bytes()[:length])
    start_table(game)
    past = past_game(game)
    assert [page.ply for page in past.pages] == PLIES
    assert past.whole
    assert not (game / OLD_PAGES).exists()


def test_pages_of_this_version_without_its_newest_key_are_rebuilt(
    store: Callable[[Path], Path],
) -> None:
    game = store(TODAY)
    pages = game / "pages.jsonl"
    older = pages.read_bytes().replace(b'"whole":true,', b"")
    assert older != pages.read_bytes()
    pages.write_bytes(older)
    start_table(game)
    assert [page.ply for page in past_game(game).pages] == PLIES


def test_events_cut_short_show_what_is_left_and_keep_the_old_pages(
    store: Callable[[Path], Path], caplog: pytest.LogCaptureFixture
) -> None:
    game = store(VERSIONS[0])
    events, pages = (game / "events.jsonl").read_bytes(), (game / "pages.jsonl").read_bytes()
    (game / "events.jsonl").write_bytes(events[:800])
    for _ in range(2):
        start_table(game)
        past = past_game(game)
        assert [page.ply for page in past.pages] == [0, 1, 2]
        assert not past.whole
        assert (game / OLD_PAGES).read_bytes() == pages
        assert (game / "events.jsonl").read_bytes() == events[:800]
    faults = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(faults) == 1
    assert "moves may be missing" in faults[0]
    assert "line 5 is not JSON" in faults[0]


def no_such_event(content: bytes) -> bytes:
    return content.replace(b'"event": "move"', b'"event": "unheard-of"')


def no_such_colour(content: bytes) -> bytes:
    return content.replace(b'["purple", "orange"]', b'["purpel", "orange"]')


def colour_missing(content: bytes) -> bytes:
    return content.replace(b'["purple", "orange"]', b'["purple"]')


def impossible_move(content: bytes) -> bytes:
    return content.replace(b'["g8", "f9", "g9", "e10", "f10"]', b'["a1"]')


def cut_in_the_first_line(content: bytes) -> bytes:
    return content[:50]


def nothing(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (no_such_event, "line 3 cannot be read: 'unheard-of' is no event"),
        (impossible_move, "line 3 cannot be read"),
        (no_such_colour, "is no list of colours; they are purple, orange"),
        (colour_missing, "the game has 2 different colours, not purple"),
        (cut_in_the_first_line, "line 1 is not JSON"),
        (nothing, "there are no events"),
        (None, "No such file"),
    ],
)
def test_events_that_tell_no_move_leave_every_file_and_one_sentence(
    store: Callable[[Path], Path],
    caplog: pytest.LogCaptureFixture,
    damage: Callable[[bytes], bytes] | None,
    why: str,
) -> None:
    game = store(VERSIONS[0])
    events = game / "events.jsonl"
    events.write_bytes(damage(events.read_bytes())) if damage else events.unlink()
    before = {path.name: path.read_bytes() for path in game.iterdir()}
    start_table(game)
    assert {path.name: path.read_bytes() for path in game.iterdir()} == before
    [fault] = [record.getMessage() for record in caplog.records]
    assert "cannot be read, nor rebuilt" in fault
    assert why in fault


def test_a_game_with_orange_first_is_rebuilt_with_its_own_order(
    store: Callable[[Path], Path],
) -> None:
    events = (TODAY / "events.jsonl").read_text()
    names = {"purple": "orange", "orange": "purple"}
    swapped = "".join(
        f'"{names.get(part, part)}"' if at % 2 else part
        for at, part in enumerate(events.split('"'))
    )
    content, fault = rebuilt_pages(NAME, swapped.encode())
    assert not fault
    first = json.loads(content.splitlines()[0])
    assert [colour["name"] for colour in first["colors"]] == ["orange", "purple"]
