"""Forgetting a person: no byte of the table's folder has the name afterwards, in any spelling."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.storage import archive as archive_module
from firmware.storage.archive import OLD_PAGES, ArchiveFolder
from firmware.storage.atomic_file import write_whole
from firmware.storage.journal import Journal
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from tests.firmware.storage.test_archive_stored_games import VERSIONS
from tests.support.family_month import SPELLINGS, store_month
from web.contract.game_folder import EVIDENCE
from web.contract.person_names import skeleton
from web.game_archive import GameArchive, PastGame
from web.people import people_of

LIMITS = {"game_bytes": 10**6, "all_bytes": 10**9}
FORGOTTEN = "Ada", "Zo\u00eb & Co"
KEPT = [name for name in SPELLINGS if name not in FORGOTTEN]


def forget(games: Path, *people: str, present: str = "") -> None:
    with ArchiveFolder(games, **LIMITS) as archive:
        for person in people:
            archive.forget(person, present)


def spellings(person: str) -> set[bytes]:
    """Returns the forms in which a file may have the name."""
    typed = {*SPELLINGS[person], *(name.upper() for name in SPELLINGS[person])}
    texts = {*typed, *(json.dumps(one)[1:-1] for one in typed)}
    return {text.encode() for text in texts} | {json.dumps(text)[1:-1].encode() for text in texts}


def files_with(folder: Path, person: str) -> list[Path]:
    """Looks through every byte of a folder for a name, as a word."""
    words = spellings(person)
    named = re.compile(b"(?<![A-Za-z])(" + b"|".join(map(re.escape, words)) + b")(?![A-Za-z])")
    found = []
    for path in folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if any(word in content for word in words) and named.search(content):
            found.append(path)
    return found


def content_of(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_no_byte_has_the_names_and_all_else_stays(
    tmp_path: Path,
) -> None:
    games = tmp_path / "games"
    stored = store_month(games)
    for name in SPELLINGS:
        assert len(files_with(games, name)) > 60, "the search finds a name that is there"
    before = {one.name: one for one in people_of(GameArchive(games).listings())}
    forget(games, *FORGOTTEN)
    for name in FORGOTTEN:
        assert files_with(games, name) == []
    after = people_of(GameArchive(games).listings())
    assert {skeleton(one.name) for one in after} == {skeleton(name) for name in KEPT}
    for person in after:
        was = before[person.name]
        assert (person.wins, person.squares_left) == (was.wins, was.squares_left)
        assert person.points_lost == was.points_lost
        assert person.mistakes == was.mistakes
    archive = GameArchive(games)
    for game in stored:
        names = [
            "" if any(name in SPELLINGS[one] for one in FORGOTTEN) else name for name in game.names
        ]
        past = archive.ending(game.name)
        assert isinstance(past, PastGame)
        assert {colour.player for page in past.pages for colour in page.colours} == set(names)
        is_theirs = names != list(game.names)
        assert (games / game.name / EVIDENCE).exists() != is_theirs
        if game.review is not None:
            assert archive.review(game.name) == game.review
    content = content_of(games)
    with ArchiveFolder(games, **LIMITS):
        pass  # the table starts again, and finds nothing to rebuild
    assert content_of(games) == content


def test_a_game_whose_people_are_all_forgotten_is_as_one_without_names(tmp_path: Path) -> None:
    (game,) = store_month(tmp_path, 1)
    forget(tmp_path, *game.names)
    past = GameArchive(tmp_path).game(game.name)
    assert isinstance(past, PastGame)
    assert all(not colour.player for colour in past.pages[-1].colours)
    events = (tmp_path / game.name / "events.jsonl").read_text()
    assert json.loads(events.partition("\n")[0])["names"] == []
    assert "PB" not in (tmp_path / game.name / "record.blksgf").read_text()


class Killed(BaseException):
    """The process ends."""


@pytest.mark.parametrize("writes", range(8))
def test_killed_in_the_middle_and_run_again_it_ends_the_same(
    tmp_path: Path, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, twice = tmp_path / "once", tmp_path / "twice"
    store_month(once, 2)
    shutil.copytree(once, twice)
    forget(once, "Ben")
    left = iter(range(writes))

    def limited(work: Callable[..., None]) -> Callable[..., None]:
        def one(*given: Any, **more: Any) -> None:
            if next(left, None) is None:
                raise Killed
            work(*given, **more)

        return one

    with monkeypatch.context() as killing:
        killing.setattr(Path, "replace", limited(Path.replace))
        killing.setattr(shutil, "rmtree", limited(shutil.rmtree))
        try:
            for folder in sorted(twice.iterdir()):
                archive_module._forget_in(folder, "Ben", has_pictures=False)
        except Killed:
            assert files_with(twice, "Ben")
    forget(twice, "Ben")
    assert content_of(twice) == content_of(once)
    assert files_with(twice, "Ben") == []


def test_a_disk_that_refuses_one_game_does_not_spare_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    games = tmp_path / "games"
    store_month(games, 8)
    refused = next(path for path in files_with(games, "Ben") if path.name == "pages.jsonl")

    def refuse(path: Path, content: bytes) -> None:
        if path == refused:
            raise OSError(5, "Input/output error")
        write_whole(path, content)

    with monkeypatch.context() as broken:
        broken.setattr("firmware.storage.archive.write_whole", refuse)
        forget(games, "Ben")
    assert files_with(games, "Ben") == [refused]
    assert f"a name stays in {refused.parent}: Input/output error" in caplog.text
    forget(games, "BEN")
    assert files_with(games, "Ben") == []


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
def test_games_of_every_version_forget(tmp_path: Path, version: Path) -> None:
    shutil.copytree(version, tmp_path / "000001-duo")
    shutil.copy(version / "pages.jsonl", tmp_path / "000001-duo" / OLD_PAGES)
    assert len(files_with(tmp_path, "Ada")) >= 3
    forget(tmp_path, "\u0410DA")
    assert files_with(tmp_path, "Ada") == []
    past = GameArchive(tmp_path).game("000001-duo")
    assert isinstance(past, PastGame)
    assert {colour.player for colour in past.pages[-1].colours} == {"", "Ben"}


def test_records_of_others_forget_and_keep_all_else(tmp_path: Path) -> None:
    text = (
        "(;GM[Blokus Duo]PB[Ada \\[1\\]]PW[M\u00fcller]C[x])"
        "(;GM[Blokus]P1[Ada [1\\]]PB[Ada [1\\] & B])"
    )
    (tmp_path / "mine.blksgf").write_bytes(text.encode("latin-1"))
    forget(tmp_path, "ada [1]")
    after = (tmp_path / "mine.blksgf").read_bytes().decode("latin-1")
    assert after == "(;GM[Blokus Duo]PW[M\u00fcller]C[x])(;GM[Blokus]PB[B])"


def test_words_that_are_no_names_stay(tmp_path: Path) -> None:
    store_month(tmp_path, 1)
    before = content_of(tmp_path)
    forget(tmp_path, "Duo", "purple", "Z5")
    assert content_of(tmp_path) == before


def test_games_in_which_somebody_never_played_stay_to_the_last_byte(tmp_path: Path) -> None:
    game = tmp_path / "000007-duo"
    (game / EVIDENCE).mkdir(parents=True)
    (game / EVIDENCE / "1-after.jpg").write_bytes(b"picture")
    (game / "record.blksgf").write_text("(;GM[Blokus Duo]PB[Anna]PW[]P1 [x])")
    (game / "events.jsonl").write_text('{"names": ["", ""], "begun": "2026"}\n')
    odd = tmp_path / "000008-duo"
    odd.mkdir()
    (odd / "events.jsonl").write_text("[" * 100_000)
    before = content_of(tmp_path)
    forget(tmp_path, "Bob")
    assert content_of(tmp_path) == before


def test_the_pictures_of_the_present_game_are_deleted(tmp_path: Path) -> None:
    for name in ("000007-duo", "000008-duo"):
        (tmp_path / name / EVIDENCE).mkdir(parents=True)
    forget(tmp_path, "Ada", present="000008-duo")
    assert (tmp_path / "000007-duo" / EVIDENCE).exists()
    assert not (tmp_path / "000008-duo" / EVIDENCE).exists()


def test_the_journal_forgets_in_all_its_files(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    config = GameConfig(GAMES["duo"], names=("Ada", "Ben"))
    begun = TimeOfDay("2026-11-21T19:00:00+00:00", trusted=True)
    with Journal(path) as journal:
        journal.begin(config, begun)
        journal.begin(config, begun)
    content = path.read_bytes()
    path.write_bytes(content[:300] + b"x" + content[301:])
    with Journal(path) as journal:
        assert journal.resume() is not None
        assert "is kept as" in journal.trouble
        assert len(files_with(tmp_path, "Ada")) >= 3
        (tmp_path / "journal.backup-2026-11-01.tar").write_bytes(b"of somebody")
        assert journal.forget("ADA")
        assert (tmp_path / "journal.backup-2026-11-01.tar").exists()
        assert journal.saved
        assert files_with(tmp_path, "Ada") == []
        assert files_with(tmp_path, "Ben")
    with Journal(path) as journal:
        resumed = journal.resume()
        assert isinstance(resumed, StoredGame)
        assert resumed.config.names == ("", "Ben")
        assert journal.trouble == ""
