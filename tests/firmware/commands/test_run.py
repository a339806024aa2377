"""`cornerlight run` on cameras that are away, its first minute, and its configuration."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from firmware.commands import run as run_module
from firmware.commands.main import NEED_UNIX, main
from firmware.settings import Settings
from tests.conftest import ROOT
from tests.support.free_port import free_port
from tests.support.http_camera import (
    HttpCameraServer,
    Respond,
    picture,
    with_basic,
)
from tests.support.recorded_moves import record_moves
from tests.support.terminal import in_terminal
from tests.support.waiting import eventually
from web.table_client import TableClient

pytestmark = pytest.mark.slow


@contextmanager
def running(*words: str | Path, umask: int = -1, **environ: str) -> Iterator[subprocess.Popen[str]]:
    """Runs `run` in a process of its own, and ends it with the test."""
    command = [sys.executable, "-m", "firmware", "run", *map(str, words)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | environ,
        umask=umask,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> str:
    """Ends it as systemd does; returns its remaining output."""
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in err
    return out


def line_with(lines: IO[str] | None, words: str) -> str:
    assert lines is not None
    for line in lines:
        if words in line:
            return line
    pytest.fail(f"nothing said {words}")


AWAY = ("--camera", "http://127.0.0.1:9/video")
"""A camera that is away for ever, as nothing listens there."""


# Cameras that are away: waiting or a person may mend it

WEBCAM = """
import sys
from unittest.mock import patch
from firmware.cameras import usb
from firmware.commands.main import main
from tests.support.v4l2_device import V4l2Device
device = V4l2Device({device})
{state}
with patch.object(usb, "_opencv", device.capture), patch.object(usb, "_probe", device.probe):
    sys.exit(main(sys.argv[1:]))
"""
"""Program that runs the command line with a simulated webcam."""


@pytest.mark.parametrize(
    ("device", "state", "fault", "remedy"),
    [
        ("", "device.missing = True", "missing", "plug it in"),
        ("", "device.forbidden = True", "no-permission", "group video"),
        ("", "device.capture(0, 0)", "busy", "close that program"),
        ("sizes=[(640, 480)]", "", "other-size", "640x480"),
        ("", "device.stall()", "silent", "unplug it"),
    ],
)
def test_a_webcam_that_gives_no_pictures_is_waited_for(
    tmp_path: Path, device: str, state: str, fault: str, remedy: str
) -> None:
    if fault == "busy":
        state = "device._users = 1"
    program = WEBCAM.format(device=device, state=state)
    words = ["run", "--camera", "0", "--no-page", "--folder", str(tmp_path), "--json"]
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        event = json.loads(line_with(process.stdout, ""))
        assert (event["event"], event["fault"]) == ("camera-away", fault)
        assert remedy in event["reason"]
        assert "camera-back" not in ended(process)


def html(_: object, line: socket.socket) -> None:
    body = b"<html>log in</html>"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    line.sendall(head.encode() + body)


def asleep(_: object, line: socket.socket) -> None:
    line.recv(1)  # never answers


@pytest.mark.parametrize(
    ("respond", "fault", "remedy"),
    [
        (with_basic("me", "word", picture(b"")), "password", "password"),
        (html, "no-pictures", "address"),
        (asleep, "silent", "start the camera again"),
    ],
)
def test_a_phone_that_gives_no_pictures_is_waited_for(
    tmp_path: Path, respond: Respond, fault: str, remedy: str
) -> None:
    with HttpCameraServer(respond) as phone:
        words = ("--camera", phone.url(), "--no-page", "--folder", tmp_path, "--json")
        with running(*words) as process:
            event = json.loads(line_with(process.stdout, ""))
            assert (event["event"], event["fault"]) == ("camera-away", fault)
            assert remedy in event["reason"]
            assert "camera-back" not in ended(process)


def test_no_camera_at_all_is_refused_at_a_terminal_and_waited_for_elsewhere(
    tmp_path: Path,
) -> None:
    if Path("/dev/video0").exists():
        pytest.skip("this machine has a camera")
    words = ("--no-page", "--folder", str(tmp_path))
    output, status = in_terminal("run", *words)
    assert status == 2
    assert "no camera was found" in output
    assert "name one with --camera" in output
    assert "Traceback" not in output
    with running(*words, "--json") as process:
        assert json.loads(line_with(process.stdout, ""))["event"] == "camera-away"
        ended(process)


def test_at_a_terminal_a_phone_is_offered_where_no_camera_is(tmp_path: Path) -> None:
    if Path("/dev/video0").exists():
        pytest.skip("this machine has a camera")
    words = ("--folder", str(tmp_path), "--port", str(free_port()), "--no-browser")
    output, status = in_terminal("run", *words, until="/camera within 5 minutes")
    assert status == 0
    assert "no camera was found; name one with --camera, or take a phone" in output


# What waiting cannot mend


@pytest.mark.parametrize("source", ["no-such-folder", "ftp://camera/stream"])
def test_a_source_that_waiting_cannot_mend_is_refused(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--camera", source, "--no-page", "--folder", str(tmp_path)]) == 2
    assert source.partition(":")[0] in capsys.readouterr().err


def test_a_port_in_use_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("", 0)) as taken:
        port = str(taken.getsockname()[1])
        with running(*AWAY, "--folder", tmp_path, "--port", port) as process:
            _, err = process.communicate(timeout=30)
            assert process.returncode == 2
    assert err.count("\n") == 1
    assert "choose another with --port" in err


def test_a_folder_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["run", *AWAY, "--folder", str(tmp_path / "file")]) == 2
    assert "no folder" in capsys.readouterr().err


def test_a_second_table_in_one_folder_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    words = (*AWAY, "--folder", tmp_path, "--port", port)
    with running(*words) as first:
        line_with(first.stdout, "score page")
        with running(*words) as second:
            _, err = second.communicate(timeout=30)
            assert second.returncode == 2
        assert err.count("\n") == 1
        assert "another table runs here" in err
        with socket.create_connection(("127.0.0.1", int(port))) as phone:
            phone.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            phone.recv(1)
            first.kill()
            first.wait()
            with running(*words) as next_one:
                line_with(next_one.stdout, "score page")
                ended(next_one)


@pytest.mark.parametrize("verb", sorted(NEED_UNIX))
def test_windows_is_told_in_one_sentence(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main([verb]) == 2
    assert capsys.readouterr().err == (
        f"cornerlight: {verb} does not work on Windows; use Linux or macOS, or Linux under WSL\n"
    )


def test_a_camera_of_a_mac_is_said_to_be_untried() -> None:
    assert run_module.is_untried("0", "darwin")
    assert run_module.is_untried("auto", "darwin")
    assert not run_module.is_untried("0", "linux")
    assert not run_module.is_untried("http://phone/video", "darwin")


# The first minute

URLS = re.compile(r"http://(\S+):(\d+)/")


def test_a_terminal_shows_addresses_a_code_and_the_number(tmp_path: Path) -> None:
    words = ("run", *AWAY, "--port", "0", "--folder", str(tmp_path))
    output, status = in_terminal(*words, until="for another number")
    assert status == 0
    assert "http://localhost:" in output
    assert "http://0.0.0.0" not in output
    assert "scan this" in output
    assert output.count("▀") > 20
    assert re.search(r"type \d{4} \d{4} \d{4} at http://\S+/arbiter within 5 minutes", output)


def test_a_narrow_terminal_shows_no_code(tmp_path: Path) -> None:
    words = ("run", *AWAY, "--port", "0", "--folder", str(tmp_path))
    output, _ = in_terminal(*words, until="for another number", columns=30)
    assert "▀" not in output
    assert re.search(r"type \d{4} \d{4} \d{4} at http", output)


def test_a_desktop_gets_a_browser_unless_it_is_refused(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o700)
    desktop = {"DISPLAY": ":0", "BROWSER": f"{browser} %s"}
    words = ("run", *AWAY, "--port", "0", "--folder", str(tmp_path / "state"))

    def seen(*more: str, until: str = "for another number", **environ: str) -> str:
        in_terminal(*words, *more, until=until, within_s=5.0, environ=environ)
        return opened.read_text() if opened.exists() else ""

    assert seen("--no-browser", **desktop) == ""
    assert seen("--json", **desktop) == ""
    assert seen() == ""
    assert re.fullmatch(r"http://localhost:\d+/\n", seen(until="never", **desktop))


def test_json_has_no_other_line(tmp_path: Path) -> None:
    with (
        running(*AWAY, "--port", "0", "--folder", tmp_path, "--json") as process,
        TableClient(tmp_path / "feed.sock") as link,
    ):
        event = json.loads(line_with(process.stdout, ""))
        assert (event["event"], event["fault"]) == ("camera-away", "unreachable")
        assert process.stdout is not None
        eventually(lambda: link.news.page)
        time.sleep(3.0)  # the page is up by then
        assert ended(process) == ""


def test_recordings_go_beside_each_other_and_are_their_owners_only(tmp_path: Path) -> None:
    """The same command twice, as when a game is taken up again."""
    words = (*AWAY, "--no-page", "--folder", tmp_path / "state", "--save", tmp_path / "kept")
    for _ in range(2):
        with running(*words, umask=0o022) as process:
            line_with(process.stdout, "refuses the connection")
            ended(process)
    assert (tmp_path / "kept" / "inputs.jsonl").exists()
    assert (tmp_path / "kept-2" / "inputs.jsonl").exists()
    others = {path for path in tmp_path.rglob("*") if path.stat().st_mode & 0o077}
    assert others == set()


def test_without_options_pair_page_and_doctor_find_the_running_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    with running(*AWAY, "--port", "0") as process:
        advice = line_with(process.stdout, "for another number")
        assert advice.endswith("for another number: cornerlight pair\n")
        assert (tmp_path / "state" / "cornerlight" / "journal.jsonl").exists()
        assert (tmp_path / "run" / "cornerlight" / "feed.sock").is_socket()
        assert main(["pair", "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["number"]) == 12
        main(["doctor", "--json"])
        checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}
        assert checks["table"]["found"].startswith("one runs; its files are in")
        command = [sys.executable, "-m", "firmware", "page", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as page:
            match = URLS.search(line_with(page.stdout, "http://localhost"))
            assert match
            shown = fetched(int(match[2]), "/tv", "The camera gives no pictures")
            page.terminate()
        assert "The camera gives no pictures" in shown
        ended(process)


def fetched(port: int, path: str, until: str) -> str:
    """Returns a page as soon as it has some words."""
    text = ""
    for _ in range(50):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
            text = str(answer.read().decode())
        if until in text:
            return text
    return text


def test_a_configuration_is_obeyed(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config.write_text(
        f"[page]\nhost = '127.0.0.1'\nport = {port}\nstreams = 1\nevidence = 'everybody'\n"
        f"[table]\nfolder = '{tmp_path}/a'\ngames = '{tmp_path}/b'\nsocket = '{tmp_path}/c/d'\n"
    )
    with running(*AWAY, "--config", config) as process:
        line = line_with(process.stdout, "only this machine can open the page")
        assert "page.host is 127.0.0.1" in line
        assert f"http://127.0.0.1:{port}/" in line_with(process.stdout, "score page")
        advice = line_with(process.stdout, "for another number")
        assert advice.endswith(f"cornerlight pair --config {config}\n")
        assert (tmp_path / "a" / "journal.jsonl").exists()
        assert (tmp_path / "c" / "d").is_socket()
        assert main(["pair", "--config", str(config)]) == 0
        ended(process)
    with socket.create_server(("127.0.0.1", port)):
        words = (*AWAY, "--config", config, "--port", "0")
        with running(*words) as process:
            line_with(process.stdout, "for another number")
            ended(process)


def test_the_page_gets_its_settings_from_the_configuration(tmp_path: Path) -> None:
    """A game with moves: everybody sees the evidence, and one phone at a time has a stream."""
    recording = record_moves(tmp_path / "recording", tmp_path / "recorded", Settings())
    config = tmp_path / "table.toml"
    config.write_text(
        "[page]\nport = 0\nstreams = 1\nevidence = 'everybody'\n"
        f"[table]\nfolder = '{tmp_path}/a'\ngames = '{tmp_path}/b'\nsocket = '{tmp_path}/c/d'\n"
    )
    with running("--camera", recording, "--config", config) as process:
        match = URLS.search(line_with(process.stdout, "http://localhost"))
        assert match
        line_with(process.stdout, " lays ")
        port = int(match[2])
        pictured = re.search(r'src="(\S+-after.jpg)', fetched(port, "/", "-after.jpg"))
        assert pictured
        stored = pictured[1].replace("/games/", "").replace("1-after", "evidence/0001-after")
        eventually((tmp_path / "b" / stored).exists)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{pictured[1]}") as answer:
            assert answer.read(2) == b"\xff\xd8"
        streams = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
        answers = []
        for phone in streams:
            phone.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answers.append(phone.recv(12))
        for phone in streams:
            phone.close()
        assert answers == [b"HTTP/1.1 200", b"HTTP/1.1 503"]
        ended(process)
