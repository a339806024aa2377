"""`page`: visitors, and the table that it serves."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.commands import page
from firmware.commands.main import main
from firmware.commands.page import _VisitorReport


def test_the_first_request_from_another_machine_is_reported_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(page, "is_own", {"127.0.0.1", "192.168.1.5"}.__contains__)
    visitors = _VisitorReport()
    visitors("127.0.0.1")
    visitors("192.168.1.5")
    assert capsys.readouterr().out == ""
    visitors("192.168.1.6")
    visitors("192.168.1.7")
    assert json.loads(capsys.readouterr().out) == {"visited": True}


@pytest.mark.parametrize("text", ["{", "[1]", '"text"'])
def test_settings_that_are_no_object_are_refused(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["page", "--settings", text])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_of_games_that_is_a_file_is_refused_before_anything_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["page", "--port", "0", "--games", "/dev/null"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "cornerlight: /dev/null is no folder; name one with --games\n"


def test_a_service_says_where_its_table_keeps_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, seen, shown = tmp_path / "table.toml", tmp_path / "seen", []
    seen.mkdir()
    settings.write_text('[table]\ngames = "/data/games"\n')
    monkeypatch.setattr(page, "_serve", lambda *words, **_: shown.append(words[1:3]))
    assert main(["page", "--config", str(settings), "--games", str(seen), "--port", "0"]) == 0
    assert main(["page", "--games", str(seen), "--port", "0"]) == 0
    assert shown == [(seen, "/data/games"), (seen, str(seen))]


@contextmanager
def attached(folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a page as a table does, without one."""
    words = ["page", "--attached", "--port", "0", "--socket", str(folder / "none.sock")]
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", *words, "--games", str(folder), *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=str)
def test_an_attached_page_ends_while_its_input_is_open(
    sent: signal.Signals, tmp_path: Path
) -> None:
    with attached(tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "port" in process.stdout.readline()
        process.send_signal(sent)
        assert process.wait(20) == 0
        assert "Fatal Python error" not in process.stderr.read()


def test_a_page_that_cannot_encrypt_is_served_and_its_log_says_why(tmp_path: Path) -> None:
    with attached(tmp_path, "--keys", str(tmp_path / "nowhere")) as process:
        assert process.stdout is not None
        assert "port" in json.loads(process.stdout.readline())
        _, errors = process.communicate(timeout=20)
    assert "no phone but this machine can be the camera: cannot keep" in errors
