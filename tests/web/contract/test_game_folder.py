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
    assert game_folders(games) == [games / "000001-duo"]
    assert game_folders(tmp_path / "none") == []


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
