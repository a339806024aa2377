"""The folder of a stored game, which may have come from elsewhere."""

import os
from pathlib import Path

import pytest

from web.contract.game_folder import game_folders, last_lines, read_game_file


def test_links_that_lead_elsewhere_are_no_games(tmp_path: Path) -> None:
    games, outside = tmp_path / "games", tmp_path / "outside"
    for name in ("000001-duo", "000002-duo", "000003-duo"):
        (games / name).mkdir(parents=True)
    outside.mkdir()
    (games / "000000-duo").symlink_to(outside)
    (games / "000002-duo" / "record.blksgf").symlink_to("/etc/hostname")
    (games / "000003-duo" / "evidence").symlink_to(outside)
    (games / "notes.txt").touch()
    (games / "000004-duo").mkdir()
    assert [*game_folders(games)] == [games / "000004-duo", games / "000001-duo"]
    assert [*game_folders(games, {"000004-duo"})] == [games / "000001-duo"]
    assert [*game_folders(tmp_path / "none")] == []


def test_of_many_games_only_those_are_looked_into_that_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(100):
        (tmp_path / f"{number:06}-duo").mkdir()
    looked = set()

    def is_symlink(path: Path) -> bool:
        looked.add(path.parent.name)
        if path.parent.name == "000099-duo":
            raise PermissionError
        return False

    monkeypatch.setattr(Path, "is_symlink", is_symlink)
    assert next(game_folders(tmp_path)).name == "000098-duo"
    assert looked == {"000099-duo", "000098-duo"}


def test_a_file_that_is_larger_than_any_games_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"first\nlast\n")
    assert read_game_file(path) == b"first\nlast\n"
    os.truncate(path, 20_000_000_000)
    with pytest.raises(OSError, match="it is larger than"):
        read_game_file(path)


def test_the_last_lines_are_those_of_the_end(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"one\ntwo\nthree\n")
    assert last_lines(path, 100) == [b"one", b"two", b"three"]
    assert last_lines(path, 8) == [b"o", b"three"]
    os.truncate(path, 20_000_000_000)
    assert last_lines(path, 8) == [bytes(8)]
