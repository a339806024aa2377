"""The page beside a table: its settings, its reports, and its end."""

import os
import signal
import socket
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from firmware.commands.page_process import PageProcess, report
from firmware.errors import CornerlightError
from firmware.settings import PageSettings
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

PATIENCE_S = 30.0
"""Seconds for a page to start; this machine may be busy."""


def fetched(port: int, path: str = "/tv") -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        text: str = answer.read().decode()
    return text


def test_it_tells_its_port_and_answers_there(tmp_path: Path) -> None:
    settings = PageSettings(host="127.0.0.1", port=0)
    with PageProcess(tmp_path, tmp_path / "feed.sock", settings) as page:
        eventually(lambda: page.port is not None)
        assert page.port
        assert "Cornerlight" in fetched(page.port)
        page.check()
        assert not page.was_visited


def test_a_page_that_is_killed_comes_back_at_its_port_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = PageSettings(host="127.0.0.1", port=0)
    with PageProcess(tmp_path, tmp_path / "feed.sock", settings) as page:
        eventually(lambda: page.port is not None, PATIENCE_S)
        assert page.port
        for _ in range(2):
            os.kill(page._process.pid, signal.SIGKILL)
            page._process.wait()
            eventually(lambda: answers(page), PATIENCE_S)
    assert [record.message for record in caplog.records] == [
        "the score page has ended: exit status -9; it is started again"
    ]


def test_a_page_that_dies_again_and_again_is_started_ever_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    starts, program = tmp_path / "starts", tmp_path / "page"
    program.write_text(f"""#!/bin/sh
echo start >> {starts}; echo '{{"port": 8123}}'""")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    now = time.monotonic()
    monkeypatch.setattr("firmware.commands.page_process.time.monotonic", lambda: now)
    with PageProcess(tmp_path, tmp_path / "feed.sock", PageSettings()) as page:
        begun = now
        while now < begun + 600:
            page._process.wait()
            page.check()
            now += 0.25
    # After 0.5, 1, 2 ... 32 s, then each minute.
    assert 14 <= len(starts.read_text().splitlines()) <= 18
    assert len(caplog.records) == 1


def answers(page: PageProcess) -> bool:
    """True if the page answers; the loop of the table turns meanwhile."""
    page.check()
    try:
        socket.create_connection(("127.0.0.1", page.port or 0)).close()
    except ConnectionRefusedError:
        return False
    return True


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = PageSettings(host="127.0.0.1", port=port)
        with (
            PageProcess(tmp_path, tmp_path / "feed.sock", settings) as page,
            pytest.raises(CornerlightError) as caught,
        ):
            eventually(page.check)
    assert str(caught.value) == (
        f"cannot listen on port {port} of 127.0.0.1: Address already in use; "
        "choose another with --port"
    )


def test_what_the_page_reports_reaches_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "page"
    program.write_text("""#!/bin/sh
echo 'not JSON'; echo '[1]'; echo '{"port": 8123}'; echo '{"visited": true}'
read end""")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    with PageProcess(tmp_path, tmp_path / "feed.sock", PageSettings()) as page:
        eventually(lambda: page.was_visited)
        assert page.port == 8123


def test_a_report_to_a_table_that_has_ended_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        report(visited=True)
        monkeypatch.undo()
        with pytest.raises(BrokenPipeError):
            broken.flush()  # what the report wrote
        with suppress(BrokenPipeError):
            broken.close()
