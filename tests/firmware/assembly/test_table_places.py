"""Places of a table's files, and of the table that runs."""

from pathlib import Path

import pytest

from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.errors import CornerlightError
from firmware.session.feed_server import FeedServer
from firmware.settings import Settings, parse

SYSTEM = TablePlaces.of(Settings())


def of_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TablePlaces:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    places = TablePlaces.of_user()
    places.socket.parent.mkdir(parents=True)
    return places


def test_files_are_in_the_state_folder_and_the_socket_in_the_runtime_folder() -> None:
    environ = {"XDG_STATE_HOME": "/state", "XDG_RUNTIME_DIR": "/run/user/7"}
    places = TablePlaces.of_user(environ)
    assert places.folder == Path("/state/cornerlight")
    assert places.games == Path("/state/cornerlight/games")
    assert places.paired == Path("/state/cornerlight/paired.json")
    assert places.socket == Path("/run/user/7/cornerlight/feed.sock")


@pytest.mark.parametrize("environ", [{}, {"XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": ""}])
def test_without_these_variables_all_is_in_the_home_folder(environ: dict[str, str]) -> None:
    folder = Path.home() / ".local" / "state" / "cornerlight"
    assert TablePlaces.of_user(environ) == TablePlaces.within(folder)


def test_each_place_can_be_set_by_itself() -> None:
    table = {"folder": "/a", "games": "/b", "socket": "/c/d"}
    assert TablePlaces.of(parse({"table": table})) == TablePlaces(
        Path("/a"), Path("/b"), Path("/c/d")
    )


@pytest.mark.parametrize("name", ["short", "long" * 30])
def test_the_running_table_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).mkdir()
    places = of_user(monkeypatch, tmp_path / name)
    assert not places.is_running
    with FeedServer(places.socket):
        assert places.is_running
        assert places_of_running_table() == places
    assert not places.is_running


def test_without_a_running_table_it_is_the_last_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    places = of_user(monkeypatch, tmp_path)
    if not SYSTEM.folder.exists():
        assert places_of_running_table() == places
    places.folder.mkdir(parents=True)
    assert places_of_running_table() == places


@pytest.mark.parametrize("name", ["file", "file/folder/in/it"])
def test_a_folder_that_is_a_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CornerlightError, match="file is no folder; name one with --folder"):
        TablePlaces.within(tmp_path / name).check()
    TablePlaces.within(tmp_path / "not" / "there").check()


def test_without_a_home_a_folder_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    with pytest.raises(CornerlightError, match="name a folder with --folder"):
        TablePlaces.of_user({})
