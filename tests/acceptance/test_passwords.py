"""The password of a camera is searched in all that a running table shows, writes and starts.

Only the command line that a person typed cannot be hidden: other users of the machine see it in the
list of processes. So the address may be in the settings, and no child process ever carries it.
"""

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from urllib.error import HTTPError

import pytest

from firmware.commands.main import main
from tests.support import rtsp_server
from tests.support.free_port import free_port
from tests.support.http_camera import DigestGate, HttpCameraServer, numbered_jpeg, stream
from tests.support.process_tree import descendants, read_if_there
from tests.support.rtsp_server import RtspServer
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are searched in /proc"),
]

USER, PASSWORD = "annabella", "Xq7vW2zz"
SECRETS = (USER, PASSWORD)

Camera = Callable[[str], str]
"""Returns the address of a camera with a login."""


@contextmanager
def http_camera() -> Iterator[Camera]:
    jpegs = (numbered_jpeg(number, 320) for number in count())
    gate = DigestGate(USER, PASSWORD, stream(jpegs, 0.1))
    with HttpCameraServer(gate) as server:
        yield lambda login: server.url("/video", login)


@contextmanager
def rtsp_camera() -> Iterator[Camera]:
    if rtsp_server.missing():
        pytest.skip(rtsp_server.missing())
    with RtspServer(login=f"{USER}:{PASSWORD}") as server:
        yield lambda login: server.url(login=login)


CAMERAS = {"http": http_camera, "rtsp": rtsp_camera}


def titles(pids: Iterable[int]) -> str:
    """Command lines, environments and names of threads, as `ps` shows them."""
    text = ""
    for pid in pids:
        process = Path(f"/proc/{pid}")
        shown = (process / "cmdline", process / "environ", *process.glob("task/*/comm"))
        text += "".join(map(read_if_there, shown))
    return text


def fetched(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        return str(answer.read().decode())


def says_camera_away(port: int) -> bool:
    try:
        return "camera-away" in fetched(port, "/page.json")
    except HTTPError:  # the table has sent no page yet
        return False


def searched(where: str, content: str | bytes) -> None:
    for secret in SECRETS:
        found = secret.encode() if isinstance(content, bytes) else secret
        assert found not in content, where  # type: ignore[operator]


def search_files(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        searched(str(path), path.read_bytes())


@pytest.mark.parametrize("kind", CAMERAS)
@pytest.mark.parametrize("password", [PASSWORD, f"wrong{PASSWORD}"], ids=["right", "wrong"])
def test_a_running_table_keeps_the_password_to_itself(
    kind: str, password: str, tmp_path: Path
) -> None:
    config, folder, output = tmp_path / "table.toml", tmp_path / "folder", tmp_path / "output.txt"
    folder.mkdir()
    port = free_port()
    folders = f"--folder {folder}/state --save {folder}/recording"
    words = f"run --config {config} --port {port} {folders}".split()
    with CAMERAS[kind]() as camera, output.open("wb") as terminal:
        config.write_text(f'[camera]\nsource = "{camera(f"{USER}:{password}")}"\n')
        command = [sys.executable, "-m", "firmware", *words]
        with subprocess.Popen(command, stdout=terminal, stderr=terminal) as process:
            try:
                eventually(lambda: is_served(port), 60)
                if password == PASSWORD:
                    eventually(lambda: any((folder / "recording").glob("0*.*")), 60)
                else:
                    eventually(lambda: says_camera_away(port), 60)
                for path in ("/", "/page.json", "/tv", "/arbiter", "/setup.json"):
                    searched(path, page(port, path))
                started = list(descendants(process.pid))
                assert started, "the page is a process"
                searched("the table and its children", titles([process.pid, *started]))
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(10) == 0
    searched("terminal", output.read_text())
    assert "Traceback" not in output.read_text()
    search_files(folder)


def is_served(port: int) -> bool:
    with suppress(OSError):
        return bool(fetched(port, "/"))
    return False


def page(port: int, path: str) -> str:
    """A page, or the text of its refusal."""
    try:
        return fetched(port, path)
    except urllib.error.HTTPError as error:
        return str(error.read().decode())


def test_no_child_carries_an_address_that_a_person_typed(tmp_path: Path) -> None:
    output, port = tmp_path / "output.txt", free_port()
    with http_camera() as camera, output.open("wb") as terminal:
        words = ["run", "--camera", camera(f"{USER}:{PASSWORD}"), "--port", str(port)]
        command = [sys.executable, "-m", "firmware", *words, "--folder", str(tmp_path / "state")]
        with subprocess.Popen(command, stdout=terminal, stderr=terminal) as process:
            try:
                eventually(lambda: is_served(port), 60)
                searched("children", titles(descendants(process.pid)))
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(10) == 0
    searched("terminal", output.read_text())


@pytest.mark.parametrize("kind", CAMERAS)
@pytest.mark.parametrize("password", [PASSWORD, f"wrong{PASSWORD}"], ids=["right", "wrong"])
@pytest.mark.parametrize(
    "words",
    [
        ["doctor", "--picture", "OUT"],
        ["doctor", "--json"],
        ["calibrate", "--check", "--json"],
        ["calibrate", "--save", "OUT"],
    ],
)
def test_no_report_shows_the_password(
    words: list[str],
    password: str,
    kind: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("firmware.commands.calibrate._MOST_FRAMES", 2)
    monkeypatch.setattr("firmware.commands.calibrate._MOVING_S", 0.0)
    config, folder = tmp_path / "table.toml", tmp_path / "folder"
    folder.mkdir()
    with CAMERAS[kind]() as camera:
        config.write_text(f'[camera]\nsource = "{camera(f"{USER}:{password}")}"\n')
        verb, *options = [str(folder / "out.png") if word == "OUT" else word for word in words]
        main([verb, "--config", str(config), *options])
    printed = capfd.readouterr()
    assert printed.out + printed.err
    searched("terminal", printed.out + printed.err)
    for path in folder.iterdir():
        searched(str(path), path.read_bytes())


@pytest.mark.parametrize(
    "words",
    [
        ["run", f"http://{USER}:{PASSWORD}@cam/video"],
        [f"http://{USER}:{PASSWORD}@cam/video"],
        ["run", "--camera", f"htp://{USER}:{PASSWORD}@cam/video"],
        ["doctor", "--camera", f"{USER}:{PASSWORD}@cam/video"],
        ["doctor", "--camera", f"http:/{USER}:{PASSWORD}@cam/video"],
        ["doctor", "--camera", f"rtsp://{USER}:{PASSWORD}/@cam/video"],
        ["calibrate", "--check", "--camera", f"http://{USER}:{PASSWORD}#@cam/video"],
        ["run", "--config", "TOML"],
    ],
)
def test_no_refusal_shows_the_password(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'[camera]\nsource = ["http://{USER}:{PASSWORD}@cam/video"]\n')
    try:
        status = main([str(config) if word == "TOML" else word for word in words])
    except SystemExit as ended:
        status = int(str(ended.code))
    assert status > 0
    printed = capsys.readouterr()
    assert "cornerlight" in printed.err or "WRONG" in printed.out
    searched("terminal", printed.out + printed.err)
