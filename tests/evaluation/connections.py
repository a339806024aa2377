"""Trial: a phone and an arbiter under hundreds of hostile connections from a few addresses.

Run it with `python -m tests.evaluation connections`. Everything runs in a network namespace that
ends with the trial: the page, the table, a phone, an arbiter and the attackers. Each attacker
holds many connections open, and replaces those that the page closes. They send nothing, send a
header or a body byte by byte, read no response, send a request before they read the response,
send requests as fast as they are answered, or hold a stream.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import re
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.turning_feed import TurningFeed
from web.contract import LivePicture, PictureAudience, Reply

INSIDE: Final = "CORNERLIGHT_INSIDE"
"""Environment variable, set in the process that runs in the namespace."""

UNSHARE: Final = ("unshare", "--map-root-user", "--net")

PAGE: Final = "10.77.0.1"
PHONE: Final = "10.77.0.2"
ARBITER: Final = "10.77.0.3"
VANISHING: Final = "10.77.0.4"
VANISHES_S: Final = 60.0
"""Seconds to wait for vanished phones: the page notices after 10 s of silence and 30 s more."""

HOST: Final = "cornerlight.local"

TRICKLE_S: Final = 0.5
"""Seconds between two bytes of a slow request."""

_FORM: Final = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4000\r\n\r\n"


def asks(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


FIRST: Final = {
    "silent": b"",
    "slow header": b"GET / HTTP/1.1\r\nX-",
    "slow body": f"POST /pair HTTP/1.1\r\nHost: {HOST}\r\n{_FORM}".encode(),
    "no reading": asks("/live.jpg"),
    "pipelining": asks("/live.jpg") * 40,
    "fast": asks("/"),
    "stream": asks("/events"),
}
"""First bytes of an attacker, by its behaviour."""

NOT_READING: Final = ("no reading", "pipelining")


class ConnectionFlooder:
    """Holds hostile connections open from one address.

    Args:
        address: address of the attacker.
        port: port of the page.
        wanted: number of connections.
        per_s: connections that it reopens a second.
        habits: behaviours of the connections, in turn.
    """

    def __init__(
        self, address: str, port: int, wanted: int, per_s: int, habits: Sequence[str]
    ) -> None:
        self._address: Final = address
        self._port: Final = port
        self._poll: Final = select.epoll()
        self._missing: Final = [habits[n % len(habits)] for n in range(wanted)]
        self._open: Final[dict[int, tuple[socket.socket, str]]] = {}
        self._wanted, self._per_s = wanted, per_s

    def run(self, over: Event) -> int:
        """Attacks until `over` is set; returns the number of connections made."""
        began, opened, trickled_at = time.monotonic(), 0, 0.0
        while not over.is_set():
            now = time.monotonic()
            while self._missing and opened < self._wanted + self._per_s * (now - began):
                opened += 1
                self._connect(self._missing.pop())
            for fileno, events in self._poll.poll(0.05):
                self._answer(fileno, events)
            if now - trickled_at > TRICKLE_S:
                trickled_at = now
                for caller, habit in self._open.values():
                    if habit.startswith("slow"):
                        with suppress(OSError):
                            caller.sendall(b"x")
        return opened

    def _connect(self, habit: str) -> None:
        caller = socket.socket()
        try:
            if habit in NOT_READING:
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            caller.bind((self._address, 0))
            caller.settimeout(1.0)
            caller.connect((PAGE, self._port))
            caller.sendall(FIRST[habit])
        except OSError:
            caller.close()
            self._missing.insert(0, habit)
            return
        caller.settimeout(0.0)
        self._open[caller.fileno()] = caller, habit
        watched = 0 if habit in NOT_READING else select.EPOLLIN
        self._poll.register(caller, watched | select.EPOLLRDHUP)

    def _answer(self, fileno: int, events: int) -> None:
        caller, habit = self._open[fileno]
        data = b""
        with suppress(OSError):
            if events & select.EPOLLIN:
                data = caller.recv(1 << 16)
            if data and habit == "fast":
                caller.sendall(FIRST[habit])
        if not data:
            del self._open[fileno]
            caller.close()
            self._missing.insert(0, habit)


def attack(
    address: str, port: int, chosen: argparse.Namespace, over: Event, pipe: Connection
) -> None:
    """Runs one attacker in a process of its own; sends the number of connections made."""
    habits = chosen.habit or list(FIRST)
    pipe.send(ConnectionFlooder(address, port, chosen.connections, chosen.reopen, habits).run(over))


@dataclass(frozen=True)
class ServedPage:
    """A page with a table.

    Attributes:
        port: port of the page.
        page: process of the page.
        log: path of its log.
    """

    port: int
    page: int
    log: Path


@contextmanager
def served(folder: Path) -> Iterator[ServedPage]:
    """Runs a page in a process of its own; the table answers every command at once."""
    config, log = folder / "page.toml", folder / "log.txt"
    config.write_text(f"[page]\nport = 0\nhost = '{PAGE}'\n")
    words = ["page", "--config", str(config), "--socket", str(folder / "feed.sock"), "--attached"]
    over = threading.Event()

    def obey() -> None:
        while not over.wait(0.005):
            for request in feed.take_requests():
                feed.answer(request.who, Reply(request.message.id))

    with TurningFeed(folder / "feed.sock") as feed, log.open("wb") as errors:
        feed.publish(example_pages.PHONES)
        feed.publish(replace(example_pages.classic_middle(), pictures=PictureAudience.EVERYBODY))
        feed.publish(LivePicture(b"\xff\xd8\xff\xe0" + bytes(60_000)))
        table = threading.Thread(target=obey)
        table.start()
        page = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
        )
        try:
            assert page.stdout
            found = re.search(rb'"port": (\d+)', page.stdout.readline())
            assert found
            yield ServedPage(int(found[1]), page.pid, log)
        finally:
            page.communicate()
            over.set()
            table.join()


def loads(port: int) -> float:
    """Returns the seconds until a phone has the page, its files, a picture and the first event."""
    began = time.monotonic()
    with closing(connection(PHONE, port)) as phone:
        for path in ("/", "/static/style.css", "/static/live.js", "/static/device.js", "/live.jpg"):
            phone.request("GET", path, headers={"Host": HOST, "Accept-Encoding": "gzip"})
            answer = phone.getresponse()
            answer.read()
            assert answer.status == 200, (path, answer.status)
    with closing(connection(PHONE, port)) as phone:
        phone.request("GET", "/events", headers={"Host": HOST})
        answer = phone.getresponse()
        if answer.status == 200:
            while not answer.readline().startswith(b"data: "):
                pass
        else:  # without a stream it polls
            answer.read()
            phone.request("GET", "/fragments.json", headers={"Host": HOST})
            assert phone.getresponse().status == 200
    return time.monotonic() - began


def taps(port: int) -> float:
    """Returns the seconds until the arbiter's phone gets the reply to a command."""
    headers = {"Host": HOST, "Cookie": f"pairing={example_pages.TOKEN}", "Origin": f"http://{HOST}"}
    with closing(connection(ARBITER, port)) as phone:
        phone.request("GET", "/arbiter", headers=headers)
        page = phone.getresponse().read().decode()
    found = re.search(r'name="token" value="(\w+)"', page)
    assert found
    form = {"token": found[1], "id": f"tap-{time.monotonic_ns()}", "word": "pause", "revision": "1"}
    began = time.monotonic()
    with closing(connection(ARBITER, port)) as phone:
        headers |= {"Content-Type": "application/x-www-form-urlencoded"}
        phone.request("POST", "/arbiter/say", urlencode(form), headers)
        answer = phone.getresponse()
        answer.read()
        assert answer.headers["Location"] == "/arbiter?reply=done", answer.headers["Location"]
    return time.monotonic() - began


def connection(address: str, port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(PAGE, port, timeout=10, source_address=(address, 0))


@dataclass
class RequestTimings:
    """Durations and failures of an operation."""

    seconds: list[float] = field(default_factory=list)
    failed: int = 0

    def measure(self, work: Callable[[], float]) -> None:
        try:
            self.seconds.append(work())
        except (OSError, http.client.HTTPException):
            self.failed += 1

    def figures(self) -> dict[str, float | int]:
        return {
            "times": len(self.seconds),
            "failed": self.failed,
            "median_s": round(statistics.median(self.seconds or [float("inf")]), 3),
            "worst_s": round(max(self.seconds, default=float("inf")), 3),
        }


def most_open(port: int, addresses: Sequence[str]) -> int:
    """Returns the largest number of connections that the page holds from one address.

    The list of connections is not of a single moment, and includes those that are being refused. So
    the smallest of some counts is the most accurate.
    """
    return min(max(open_from(port)[one] for one in addresses) for _ in range(5))


def open_from(port: int) -> Counter[str]:
    """Returns the number of accepted connections from each address, as Linux lists them."""
    held: Counter[str] = Counter()
    listed = Path("/proc/net/tcp").read_text()
    established = re.findall(rf":{port:04X} (\w+):\w+ 01(?: +\S+){{5}} +(\d+) ", listed)
    for theirs, inode in established:
        if inode != "0":  # 0: not accepted yet
            held[socket.inet_ntoa(int(theirs, 16).to_bytes(4, sys.byteorder))] += 1
    return held


def vanish(port: int, phones: int) -> float:
    """Cuts watching phones off the network; returns the seconds until their places are free."""
    change_address("add", VANISHING)
    watching = [connection(VANISHING, port) for _ in range(phones)]
    for one in watching:
        one.request("GET", "/events", headers={"Host": HOST})
    streams = [one.getresponse() for one in watching]
    assert open_from(port)[VANISHING] == phones
    change_address("del", VANISHING)
    began = time.monotonic()
    while open_from(port)[VANISHING] and time.monotonic() - began < VANISHES_S:
        time.sleep(0.5)
    for stream in streams:
        stream.close()
    return time.monotonic() - began


def change_address(how: str, address: str) -> None:
    words = ["ip", "addr", how, f"{address}/32", "dev", "lo"]
    subprocess.run(words, check=True)


def besieged(chosen: argparse.Namespace) -> dict[str, Any]:
    """Returns the measurements of phone and arbiter during the attack."""
    addresses = [f"10.77.1.{n + 1}" for n in range(chosen.addresses)]
    for address in (PAGE, PHONE, ARBITER, *addresses):
        change_address("add", address)
    over, (results, sender) = multiprocessing.Event(), multiprocessing.Pipe(duplex=False)
    phone, arbiter, most = RequestTimings(), RequestTimings(), 0
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as scene:
        alone = loads(scene.port), taps(scene.port)
        processes = [
            multiprocessing.Process(target=attack, args=(one, scene.port, chosen, over, sender))
            for one in addresses
        ]
        for process in processes:
            process.start()
        try:
            time.sleep(chosen.wait)
            until = time.monotonic() + chosen.seconds
            while time.monotonic() < until:
                phone.measure(lambda: loads(scene.port))
                arbiter.measure(lambda: taps(scene.port))
                most = max(most, most_open(scene.port, addresses))
                time.sleep(chosen.pause)
        finally:
            over.set()
            for process in processes:
                process.join()
        gone_s = vanish(scene.port, chosen.vanish) if chosen.vanish else 0.0
        log = scene.log.read_text()
    return {
        "alone_s": [round(one, 3) for one in alone],
        "phone": phone.figures(),
        "arbiter": arbiter.figures(),
        "hostile_connections": sum(results.recv() for _ in addresses),
        "vanished_s": round(gone_s, 1),
        "most_open_of_an_address": most,
        "tracebacks": log.count("Traceback"),
        "log_lines": log.count("\n"),
    }


def can_isolate() -> bool:
    """True if this machine allows a network namespace."""
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    words = [*UNSHARE, "ip", "link", "set", "lo", "up"]
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


def isolated(words: Sequence[str]) -> dict[str, Any]:
    """Returns the measurements of one run in a namespace of its own."""
    inside = [sys.executable, "-m", "tests.evaluation", "connections", *words]
    script = 'ip link set lo up && exec "$@"'
    done = subprocess.run(
        [*UNSHARE, "sh", "-c", script, "sh", *inside],
        env={**os.environ, INSIDE: "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(words: Sequence[str]) -> None:
    """Attacks a page and prints the measurements of phone and arbiter."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation connections")
    parser.add_argument("--addresses", type=int, default=3)
    parser.add_argument("--connections", type=int, default=300, help="connections per address")
    parser.add_argument("--reopen", type=int, default=200, help="new ones per address and second")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--wait", type=float, default=5.0, help="seconds before the measurements")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between measurements")
    parser.add_argument("--vanish", type=int, default=8, help="phones that vanish at the end")
    parser.add_argument("--habit", action="append", choices=FIRST, help="behaviour (default: all)")
    chosen = parser.parse_args(words)
    if os.environ.get(INSIDE):
        print(json.dumps(besieged(chosen)))  # noqa: T201
    elif not can_isolate():
        print("no network namespace here: unshare and ip are needed")  # noqa: T201
    else:
        print(json.dumps(isolated(words), indent=1))  # noqa: T201
