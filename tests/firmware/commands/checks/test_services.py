"""The units of an installed table, the table behind its socket, and the score page."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from firmware.assembly.table_places import TablePlaces
from firmware.commands.checks.check import AS_ROOT, Check
from firmware.commands.checks.services import (
    TableAnswer,
    ask_table,
    check_page,
    check_table,
    check_units,
)
from firmware.machine.units import PAGE, PLAYER, POWER_OFF, TABLE, Unit, is_installed, units
from firmware.settings import PageSettings
from tests.support.example_pages import empty
from tests.support.serving import serving
from tests.support.stand_in_computer import StandInComputer
from tests.support.turning_feed import TurningFeed
from web.contract import Page

RESTART = f"sudo systemctl restart {TABLE}"


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path)


def wrong_unit(pi: StandInComputer, name: str, **properties: str) -> Check:
    pi.units[name] |= properties
    (check,) = (one for one in check_units(units(pi.computer)) if one.fine is not True)
    return check


def unit(pi: StandInComputer, **properties: str) -> Unit:
    pi.units[TABLE] |= properties
    return units(pi.computer)[TABLE]


def test_units_that_run_are_fine(pi: StandInComputer) -> None:
    checks = check_units(units(pi.computer))
    units_of = ("table", "page", "player", "power-off")
    assert [one.name for one in checks] == [f"cornerlight-{one}" for one in units_of]
    assert {one.found for one in checks} == {"active, starts with the computer"}
    pi.units[TABLE]["NRestarts"] = "3"
    assert "started again 3 times" in check_units(units(pi.computer))[0].found


def test_a_unit_that_was_stopped_is_started(pi: StandInComputer) -> None:
    check = wrong_unit(pi, PAGE, ActiveState="inactive", SubState="dead")
    assert (check.name, check.fine, check.found) == ("cornerlight-page", False, "inactive")
    assert check.remedy == f"sudo systemctl enable --now {PAGE}"


def test_a_unit_that_does_not_start_with_the_computer_is_enabled(pi: StandInComputer) -> None:
    check = wrong_unit(pi, POWER_OFF, ActiveState="failed", Result="resources")
    assert (check.name, check.fine) == ("cornerlight-power-off", False)
    pi.units[POWER_OFF] |= {"ActiveState": "active"}
    check = wrong_unit(pi, PLAYER, UnitFileState="disabled")
    assert check.remedy == f"sudo systemctl enable {PLAYER}"


@pytest.mark.parametrize(
    "properties",
    [
        {"ActiveState": "failed", "Result": "exit-code"},
        {"ActiveState": "activating", "SubState": "auto-restart", "Result": "exit-code"},
    ],
)
def test_a_unit_that_ends_again_and_again_is_wrong(
    pi: StandInComputer, properties: dict[str, str]
) -> None:
    check = wrong_unit(pi, TABLE, NRestarts="12", **properties)
    assert check.found == "it ended with exit-code, after 12 starts by systemd"
    assert check.remedy.startswith(f"journalctl -u {TABLE} -n 20")


def test_a_unit_that_is_not_there_is_installed_again(pi: StandInComputer) -> None:
    assert "sudo make install" in wrong_unit(pi, TABLE, LoadState="not-found").remedy


def test_units_of_which_systemd_tells_nothing_are_not_known(pi: StandInComputer) -> None:
    pi.outputs["systemctl",] = None
    (check,) = check_units(units(pi.computer))
    assert check.fine is None


def test_nothing_is_installed_where_no_systemd_runs(pi: StandInComputer) -> None:
    assert is_installed(pi.computer)
    (pi.root / "run/systemd/system").rmdir()
    assert not is_installed(pi.computer)


@contextmanager
def table(folder: Path, page: Page | None) -> Iterator[TablePlaces]:
    places = TablePlaces.within(folder)
    feed = TurningFeed(places.socket)
    if page is not None:
        feed.publish(page)
    feed.start()
    try:
        yield places
    finally:
        feed.close()


def test_a_table_that_runs_sends_its_page(tmp_path: Path) -> None:
    with table(tmp_path, empty()) as places:
        found = ask_table(places)
        assert found.runs is True
        assert found.page is not None
        check = check_table(places, found)
    assert (check.fine, check.found) == (True, f"one runs; its files are in {tmp_path}")


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("saved", "the game is not saved"),
        ("lights", "its lights have failed"),
        ("buttons", "its buttons have failed"),
    ],
)
def test_what_has_failed_at_the_table_is_wrong(
    tmp_path: Path, pi: StandInComputer, field: str, found: str
) -> None:
    page = replace(empty(), **{field: False})  # type: ignore[arg-type]
    check = check_table(TablePlaces.within(tmp_path), TableAnswer(runs=True, page=page), unit(pi))
    assert check.fine is False
    assert check.found.endswith(found)
    assert check.remedy == RESTART


def test_no_table_is_wrong_only_where_its_unit_is_active(
    tmp_path: Path, pi: StandInComputer
) -> None:
    places = TablePlaces.within(tmp_path / "none")
    found = ask_table(places)
    assert found == TableAnswer(runs=False)
    assert check_table(places, found).found == "none runs"
    assert check_table(places, found, unit(pi)).remedy == RESTART
    assert check_table(places, found, unit(pi, ActiveState="inactive")).fine is True


@pytest.mark.skipif(os.geteuid() == 0, reason="root may ask everywhere")
def test_a_socket_in_a_closed_folder_is_not_known(tmp_path: Path) -> None:
    places = TablePlaces.within(tmp_path / "closed")
    places.folder.mkdir(mode=0)
    assert ask_table(places) == TableAnswer(runs=None)


def test_a_table_that_this_user_may_not_ask_is_not_known(tmp_path: Path) -> None:
    check = check_table(TablePlaces.within(tmp_path), TableAnswer(runs=None))
    assert (check.fine, check.remedy) == (None, AS_ROOT)


@contextmanager
def page(status: int, body: bytes) -> Iterator[PageSettings]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with serving(HTTPServer(("127.0.0.1", 0), Answer)) as server:
        yield PageSettings(host="127.0.0.1", port=server.server_port)


def test_a_page_that_answers_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with page(200, empty().to_json().encode()) as settings:
        assert check_page(settings).fine is True
        everywhere = replace(settings, host="0.0.0.0")  # noqa: S104, this machine asks itself
        assert check_page(everywhere).found == f"it answers at http://127.0.0.1:{settings.port}/"


def test_a_page_without_a_table_is_wrong() -> None:
    with page(503, b"The table has not begun.\n") as settings:
        check = check_page(settings)
    assert (check.fine, check.remedy) == (False, RESTART)


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, b"<html>"), (200, b"[1]"), (404, b""), (200, b"\xff")],
)
def test_another_program_at_the_port_is_told(status: int, body: bytes) -> None:
    with page(status, body) as settings:
        check = check_page(settings)
    assert check.found.startswith("another program answers at ")
    assert check.remedy.startswith("sudo ss -ltnp")


def test_a_program_that_speaks_no_http_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_10.0\r\n")
                connection.recv(1000)

        thread = threading.Thread(target=greet)
        thread.start()
        check = check_page(PageSettings(host="127.0.0.1", port=server.getsockname()[1]))
        thread.join()
    assert check.found.startswith("another program answers at ")


def test_a_page_that_does_not_answer_is_wrong() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    check = check_page(PageSettings(host="127.0.0.1", port=port))
    assert check.found == f"it does not answer at http://127.0.0.1:{port}/: Connection refused"
    assert check.remedy == f"sudo systemctl restart {PAGE}"


def test_a_page_at_any_free_port_is_not_known() -> None:
    assert check_page(PageSettings(port=0)).fine is None
