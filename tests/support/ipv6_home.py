"""A page and phones in an IPv6 network of their own: run as a module in a network namespace.

It prints, as JSON, the status of each request that the phones in a second namespace send.
"""

import http.client
import json
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from tests.conftest import ROOT
from tests.evaluation.connections import UNSHARE
from tests.support import example_pages
from web.app import create_app
from web.contract import ClubTable, Seat, SeatHolder, fingerprint
from web.server import Server
from web.table_client import TableClient

MODULE: Final = "tests.support.ipv6_home"

HOME: Final = "2001:db8:5::"
"""Network of the page and of most phones."""

ABROAD: Final = "2001:db8:9::"
"""Another network, behind a router."""

PAIRED: Final = f"pairing={example_pages.TOKEN}"
SEATED: Final = "table-seat=a-seat"
MOST: Final = 60
"""Phones of the network."""


def statuses() -> dict[str, list[int]]:
    """Returns the statuses of what phones ask for in a namespace of its own, by their names."""
    inside = 'ip link set lo up && exec "$@"'
    words = [*UNSHARE, "sh", "-c", inside, "sh", sys.executable, "-m", MODULE]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=True, cwd=ROOT, text=True)
    found: dict[str, list[int]] = json.loads(done.stdout.splitlines()[-1])
    return found


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


class PhoneNamespace:
    """Phones in a namespace that a wire connects with this one."""

    def __init__(self, port: int) -> None:
        words = ["unshare", "--net", sys.executable, "-m", MODULE, str(port)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        self._answers, self._orders = self._process.stdout, self._process.stdin
        assert self._answers.readline()
        _ip("link", "add", "inner", "type", "veth", "peer", "name", "outer")
        _ip("link", "set", "outer", "netns", str(self._process.pid))
        _ip("addr", "add", f"{HOME}1/64", "dev", "inner", "nodad")
        _ip("link", "set", "inner", "up")
        self.ask("", "")
        _ip("-6", "route", "add", f"{ABROAD}/64", "via", f"{HOME}{_host(10)}")

    def ask(self, source: str, path: str, cookie: str = "", method: str = "GET") -> int:
        """Returns the status of a request; a stream stays open."""
        self._orders.write(json.dumps([source, path, cookie, method]) + "\n")
        self._orders.flush()
        return int(self._answers.readline())

    def end(self) -> None:
        self._process.communicate()


def _host(number: int) -> str:
    return f"{number:x}"


def _phones(port: int) -> None:
    """Obeys orders from standard input, in the namespace of the phones."""
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()
    _ip("link", "set", "outer", "up")
    for number in range(10, 10 + MOST):
        _ip("addr", "add", f"{HOME}{_host(number)}/64", "dev", "outer", "nodad")
        _ip("addr", "add", f"{ABROAD}{_host(number)}/128", "dev", "outer", "nodad")
    print(0, flush=True)  # noqa: T201
    opened: list[Any] = []
    for line in sys.stdin:
        source, path, cookie, method = json.loads(line)
        phone = http.client.HTTPConnection(f"{HOME}1", port, timeout=10, source_address=(source, 0))
        status = 0
        with suppress(OSError, http.client.HTTPException):
            phone.request(method, path, headers={"Cookie": cookie, "Host": "localhost"})
            answer = phone.getresponse()
            status = answer.status
            opened.append((phone, answer))
        print(status, flush=True)  # noqa: T201


def _asked(phones: PhoneNamespace) -> dict[str, list[int]]:
    home = [f"{HOME}{_host(number)}" for number in range(10, 10 + MOST)]
    abroad = [f"{ABROAD}{_host(number)}" for number in range(10, 22)]
    flood = [phones.ask(home[0], "/language", method="POST") for _ in range(40)]
    return {
        "flood": flood,
        "changes at home": [phones.ask(one, "/language", method="POST") for one in home[1:4]],
        "streams at home": [phones.ask(one, "/events") for one in home[:50]],
        "paired": [phones.ask(home[50], "/events", PAIRED)],
        "seated": [phones.ask(home[51], "/events", SEATED)],
        "made up": [phones.ask(home[52], "/events", "pairing=made-up; table-seat=made-up")],
        "streams abroad": [phones.ask(one, "/events") for one in abroad],
    }


def _main() -> None:
    seat = Seat((0,), SeatHolder.PERSON, fingerprint(SEATED.partition("=")[2]))
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.classic_middle())
        link.hear(example_pages.PHONES)
        link.hear(ClubTable((seat,)))
        server = Server(create_app(link), "::", 0)
        threading.Thread(target=server.run, daemon=True).start()
        phones = PhoneNamespace(server.port)
        print(json.dumps(_asked(phones)))  # noqa: T201
        phones.end()
        server.close()


if __name__ == "__main__":
    _phones(int(sys.argv[1])) if sys.argv[1:] else _main()
