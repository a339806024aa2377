"""Trial: the cost and the delay of a phone as the camera, beside an MJPEG stream of the same game.

    python -m tests.evaluation phone_camera --moves 14 --pictures 10800

Both cameras give the same pictures of 1280x720 at five a second to `cornerlight run`, each in a
run of its own. Printed are the seconds from the first picture that shows a piece to its verdict,
the share of a core that the process of the page takes, and its memory and the table's while as
many pictures as three hours have come over one connection, as fast as a phone may.
"""

import argparse
import http.client
import os
import re
import socket
import ssl
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from firmware.commands.main import say
from tests.support.browser import CHROMIUM, QUIET
from tests.support.filmed_game import Film, filmed
from tests.support.free_port import free_port
from tests.support.http_camera import CameraRequest, HttpCameraServer, part, stream_head
from tests.support.process_memory import memory_use
from tests.support.process_tree import children
from tests.support.running_table import RunningTable, pairing_number
from tests.support.table_script import ScriptSetup
from tests.support.waiting import eventually

PERIOD_S: Final = 0.2
"""Seconds between two pictures."""

SETTING: Final = ScriptSetup(fps=1 / PERIOD_S, width=1280, height=720, jpeg=85)
"""Pictures of a phone."""

WAITS: Final = 12
"""Pictures from one piece to the next."""

QUICK_S: Final = 0.07
"""Seconds between two pictures for the memory; a phone may send 15 a second at most."""

QUICK: Final = """
const wait = window.setTimeout;
window.setTimeout = (then, ms, ...more) => wait(then, ms > 1000 ? ms : 75, ...more);
"""
"""Script that shortens the pauses of the page between two pictures, and no other ones."""

GLANCES: Final = 5
"""Looks at the memory while many pictures come."""


def in_time(film: Film, send: Callable[[bytes], object]) -> float:
    """Sends the pictures at their times; returns the time of the first one."""
    begun = time.monotonic()
    for at, jpeg in enumerate(film.jpegs):
        time.sleep(max(0.0, begun + PERIOD_S * at - time.monotonic()))
        send(jpeg)
    return begun


def delays(film: Film, table: RunningTable, play: Callable[[], float]) -> list[float]:
    """Returns the seconds from each piece's first picture to its verdict."""
    begun: list[float] = []
    thread = threading.Thread(target=lambda: begun.append(play()))
    thread.start()
    heard = []
    for _ in film.shown:
        table.wait_for("move")
        heard.append(time.monotonic())
    thread.join()
    return [one - begun[0] - PERIOD_S * at for one, at in zip(heard, film.shown, strict=True)]


class SendingPhone:
    """A phone that is the camera, without a browser.

    Args:
        port: port of the page.
        folder: folder of the table.
    """

    def __init__(self, port: int, folder: Path) -> None:
        context = ssl.create_default_context(cafile=str(folder / "tls.pem"))
        self._origin: Final = f"https://localhost:{port + 1}"
        self._line: Final = http.client.HTTPSConnection("localhost", port + 1, context=context)
        self._loaded: Final = round(1000 * time.time())
        page = self._answer("GET", "/camera").decode()
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token, page
        form = urlencode({"token": token[1], "number": pairing_number(folder, "--camera")})
        head = {"Content-Type": "application/x-www-form-urlencoded"}
        self._line.request("POST", "/camera/take", form, head | {"Origin": self._origin})
        answer = self._line.getresponse()
        answer.read()
        self._cookie: Final = answer.headers["Set-Cookie"].partition(";")[0]

    def send(self, jpeg: bytes) -> None:
        """Sends a picture, and waits for the answer."""
        now_ms = int(1000 * time.monotonic())  # the clock of the table: an answer of now
        taken = f"{self._loaded}-{now_ms}-{now_ms}-0"
        head = {"Content-Type": "image/jpeg", "Origin": self._origin, "X-Taken": taken}
        self._answer("POST", "/camera/picture", jpeg, head | {"Cookie": self._cookie})

    def close(self) -> None:
        self._line.close()

    def _answer(
        self, method: str, path: str, body: bytes = b"", head: Mapping[str, str] | None = None
    ) -> bytes:
        self._line.request(method, path, body or None, head or {})
        answer = self._line.getresponse()
        said = answer.read()
        assert answer.status == 200, (answer.status, said)
        return said


def cpu_s(pid: int) -> float:
    """Returns the processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def table_with(camera: str, folder: Path, port: int) -> RunningTable:
    words = ["--port", str(port), "--no-browser", "--game", "duo", "--edition", "purple-orange"]
    return RunningTable(camera, folder, words, with_page=True)


def by_phone(film: Film, folder: Path, pictures: int) -> list[float]:
    """Returns the delays of a phone; prints what its pictures cost."""
    port = free_port()
    with table_with("phone", folder, port) as table:
        table.wait_for("camera-away")
        eventually((folder / "tls.pem").exists, 60.0)
        time.sleep(1.0)
        with closing(SendingPhone(port, folder)) as phone:
            (page,) = children(table.process.pid)
            before_s, begun = cpu_s(page), time.monotonic()
            found = delays(film, table, lambda: in_time(film, phone.send))
            share = (cpu_s(page) - before_s) / (time.monotonic() - begun)
            say(f"the process of the page takes {100 * share:.1f} % of a core")
            say("pictures  page MB  table MB")
            for at in range(pictures):
                if at % max(1, pictures // GLANCES) == 0:
                    shown = [memory_use(pid).private / 2**20 for pid in (page, table.process.pid)]
                    say(f"{at:8}  {shown[0]:7.1f}  {shown[1]:8.1f}")
                phone.send(film.jpegs[at % len(film.jpegs)])
                time.sleep(QUICK_S)
    return found


def in_browser(film: Film, folder: Path, pictures: int) -> None:
    """Prints the memory of a browser that has sent many pictures, as fast as a phone may."""
    port = free_port()
    path = folder / "film.mjpeg"
    folder.mkdir()
    path.write_bytes(b"".join(film.jpegs))
    with table_with("phone", folder, port) as table, sync_playwright() as playwright:
        table.wait_for("camera-away")
        eventually((folder / "tls.pem").exists, 60.0)
        fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        words = [*QUIET, *fake, f"--use-file-for-fake-video-capture={path}"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=words)
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.add_init_script(QUICK)
        sent = [0]
        page.on("response", lambda one: sent.append(sent.pop() + one.url.endswith("/picture")))
        page.goto(f"https://localhost:{port + 1}/camera#{pairing_number(folder, '--camera')}")
        page.click("#take button")
        devtools = page.context.new_cdp_session(page)
        say("pictures  heap MB")
        for at in range(GLANCES + 1):
            while sent[0] < at * pictures // GLANCES:
                page.wait_for_timeout(100)
            devtools.send("HeapProfiler.collectGarbage")
            used = devtools.send("Runtime.getHeapUsage")["usedSize"] / 2**20
            say(f"{sent[0]:8}  {used:7.2f}")
        browser.close()


def by_stream(film: Film, folder: Path) -> list[float]:
    """Returns the delays of an MJPEG stream."""
    started, line = threading.Event(), []
    over = threading.Event()

    def respond(_: CameraRequest, to: socket.socket) -> object:
        to.sendall(stream_head() + part(film.jpegs[0]))
        line.append(to)
        started.set()
        over.wait()
        return False

    with (
        HttpCameraServer(respond) as camera,
        table_with(camera.url(), folder, free_port()) as table,
    ):
        started.wait(60)
        found = delays(film, table, lambda: in_time(film, lambda one: line[-1].sendall(part(one))))
        over.set()
    return found


def main(words: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=14, help="moves of the game")
    parser.add_argument("--pictures", type=int, default=0, help="further pictures, for the memory")
    parser.add_argument("--by-browser", type=int, default=0, help="pictures that a browser sends")
    arguments = parser.parse_args(words)
    film = filmed(SETTING, arguments.moves, WAITS)
    with tempfile.TemporaryDirectory() as folder:
        rows = {
            "stream": by_stream(film, Path(folder) / "stream"),
            "phone": by_phone(film, Path(folder) / "phone", arguments.pictures),
        }
        if arguments.by_browser:
            in_browser(film, Path(folder) / "browser", arguments.by_browser)
    medians = {name: statistics.median(found) for name, found in rows.items()}
    for name, found in rows.items():
        say(f"{name}: {medians[name]:.2f} s to the verdict, {max(found):.2f} s at most")
    late = medians["phone"] - medians["stream"]
    say(f"the phone is {late:+.2f} s later")
    return 0 if late <= 0.1 else 1
