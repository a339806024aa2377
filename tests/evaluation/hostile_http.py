"""Trial: a thousand hostile requests of each kind; each must be refused without an effect.

Run it with `python -m tests.evaluation hostile_http`. Page and table are real. Requests come from
many addresses of this machine, as fast as they are answered; after each kind there is a pause
until the rate limits are reset, so that the next kind meets the check that is meant for it. Then
made-up tokens are sent while the table is busy, and phones are paired and unpaired.

`connections` and `guessing` are the trials of connections and of numbers.
"""

import argparse
import http.client
import itertools
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from firmware.session.pairing import MOST_PHONES
from tests.support.fake_game import FakeGame, spent
from tests.support.noisy_board import FIRST, SECOND

HOST: Final = "cornerlight.local"
FORGET_S: Final = 6.0
"""Seconds after which the rate limits are reset."""

EVIDENCE: Final = "/games/000001-duo/1-after.jpg"
PHONES: Final = MOST_PHONES - 2
"""Paired phones that attack: so many that few of a thousand requests meet the limit of each."""

FIRST_PAGE: Final = 100
"""Revision of the table's first page; an earlier one shows no game."""


@dataclass(frozen=True)
class Attack:
    """One request.

    Attributes:
        method: HTTP method.
        path: path of the request.
        form: fields of the body; none without a body.
        headers: headers that are added to those of an honest request, or replace them.
    """

    method: str
    path: str
    form: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


class HttpAttacker:
    """Sends requests to a page, each from another address of this machine."""

    def __init__(self, port: int) -> None:
        self._port: Final = port
        self._address: Final = itertools.cycle(
            f"127.{a}.{b}.1" for a in range(1, 9) for b in range(1, 129)
        )

    def send(self, attack: Attack, address: str = "") -> tuple[int, str, str]:
        """Returns the status, the location, and the body of the response."""
        connection = self._connection(address)
        headers = {"Host": HOST, "Origin": f"http://{HOST}", **attack.headers}
        body = urlencode(attack.form) if attack.form else None
        if body is not None:
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        sent = {name: value for name, value in headers.items() if value}
        try:
            connection.request(attack.method, attack.path, body, sent)
            answer = connection.getresponse()
            return (
                answer.status,
                answer.headers.get("Location", ""),
                answer.read().decode(errors="replace"),
            )
        finally:
            connection.close()

    def stream(self, cookie: str) -> http.client.HTTPResponse:
        """Opens an arbiter's stream without reading it."""
        connection = self._connection()
        connection.request("GET", "/events?for=arbiter", headers={"Host": HOST, "Cookie": cookie})
        return connection.getresponse()

    def _connection(self, address: str = "") -> http.client.HTTPConnection:
        source = (address or next(self._address), 0)
        return http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=30, source_address=source
        )

    def token(self, cookie: str = "") -> str:
        """Returns the token of the page's forms."""
        page = self.send(Attack("GET", "/", headers={"Cookie": cookie}))[2]
        found = re.search(r'name="token" value="(\w+)"', page)
        assert found
        return found[1]


Kinds = dict[str, Callable[[int], Attack]]


def kinds(attacker: HttpAttacker, paired: Sequence[str], revision: int) -> Kinds:
    """Returns generators of attacks by kind; some use the cookies of paired phones."""
    open_token, own_tokens = attacker.token(), [attacker.token(cookie) for cookie in paired]
    undo = {"word": "undo", "revision": str(revision)}

    def say(n: int, form: dict[str, str] | None = None, **headers: str) -> Attack:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        cookie, own_token = paired[n % len(paired)], own_tokens[n % len(paired)]
        fields = {"token": own_token, "id": f"hostile-{n:06}", **undo, **(form or {})}
        return Attack("POST", "/arbiter/say", fields, {"Cookie": cookie, **named})

    again = {"id": "hostile-again", "word": "inspect"}
    assert attacker.send(say(0, again))[1] == "/arbiter?reply=done"
    return {
        # First, as a table remembers the newest thousand commands.
        "repeated": lambda n: say(n, again),
        "a change by GET": lambda n: Attack(
            "GET",
            f"/arbiter/say?{urlencode({**undo, 'token': own_tokens[0]})}",
            {},
            {"Cookie": paired[0]},
        ),
        "no token": lambda n: say(n, {"token": ""}),
        "token of another": lambda n: say(n, {"token": open_token}),
        "no origin": lambda n: say(n, Origin=""),
        "another origin": lambda n: say(n, Origin="http://evil.example"),
        "cross-site by the browser's word": lambda n: say(n, Sec_Fetch_Site="cross-site"),
        "another host": lambda n: say(n, Host="evil.example", Origin="http://evil.example"),
        "no form": lambda n: say(n, Content_Type="application/json"),
        "too large": lambda n: say(n, {"names": "x" * 5000}),
        "a word that is none": lambda n: say(n, {"word": f"format:{n}"}),
        "a field beyond its bounds": lambda n: say(n, {"word": f"resign:{n + 4}"}),
        "stale": lambda n: say(n, {"revision": str(n % FIRST_PAGE)}),
        "not paired": lambda n: Attack(
            "POST", "/arbiter/say", {"token": open_token, "id": f"hostile-{n:06}", **undo}
        ),
        "a made-up pairing": lambda n: Attack("GET", "/arbiter", {}, {"Cookie": f"pairing=x{n}"}),
        "a wrong number": lambda n: Attack(
            "POST", "/pair", {"token": open_token, "number": f"{n:012}"}
        ),
        "out of its folder": lambda n: Attack("GET", f"/games/..%2f..%2f{n}/record.blksgf"),
        "a header too long": lambda n: Attack("GET", "/", {}, {"X-Long": "x" * 20_000}),
    }


def is_refused(status: int, location: str, body: str) -> bool:
    """True if a response is a refusal, by its status or by its location."""
    if status == 303:
        return "reply=" in location and "reply=done" not in location
    return status >= 400 or ('name="number"' in body and 'id="controls"' not in body)


def attack(
    evening: FakeGame, attacker: HttpAttacker, make: Callable[[int], Attack], times: int
) -> str:
    """Returns counts of the responses to one kind of attack; fails if one was not refused."""
    before = evening.house.state.piece_count
    statuses: Counter[int] = Counter()
    let_through = 0
    for n in range(times):
        status, location, body = attacker.send(make(n))
        statuses[status] += 1
        let_through += not is_refused(status, location, body)
    with evening.lock:
        changed = evening.house.state.piece_count != before
    counts = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    if let_through or changed:
        raise AssertionError(f"{let_through} let through, the game changed: {changed}; {counts}")
    return counts


def sees(attacker: HttpAttacker, cookie: str) -> list[str]:
    """Returns the parts for arbiters that the sender of a cookie gets."""
    found = []
    sent = {"Cookie": cookie}
    if attacker.send(Attack("GET", EVIDENCE, headers=sent))[0] == 200:
        found.append("pictures of moves")
    if 'action="/arbiter/say"' in attacker.send(Attack("GET", "/arbiter/camera", {}, sent))[2]:
        found.append("the camera")
    with attacker.stream(cookie) as stream:
        if stream.status == 200 and b'"controls"' in first_news(stream):
            found.append("the stream")
    return found


def first_news(stream: http.client.HTTPResponse) -> bytes:
    """Returns the first event of a stream."""
    return next(line for line in stream if line.startswith(b"data: "))


def make_up(evening: FakeGame, attacker: HttpAttacker, tokens: int) -> str:
    """Sends commands with made-up tokens to a table that is too busy to check them."""
    addresses = [f"127.9.9.{n}" for n in range(1, 6)]

    def command(n: int) -> None:
        cookie = f"pairing=made-up-{n}"
        form = {"token": form_tokens[n], "id": f"made-up-{n:06}", "word": "undo", "revision": "1"}
        attacker.send(Attack("POST", "/arbiter/say", form, {"Cookie": cookie}), addresses[n % 5])

    form_tokens = [attacker.token(f"pairing=made-up-{n}") for n in range(tokens // 2)]
    with ThreadPoolExecutor(tokens // 2) as pool, evening.lock:  # the table stands still
        list(pool.map(command, range(tokens // 2)))
    given = Counter(what for n in range(tokens) for what in sees(attacker, f"pairing=made-up-{n}"))
    if given:
        raise AssertionError(f"of {tokens} made-up tokens so many were given {dict(given)}")
    return f"{tokens} made-up tokens were given nothing"


def unpair(evening: FakeGame, attacker: HttpAttacker, times: int) -> str:
    """Pairs and unpairs phones; reports the parts they get then and the delay of their streams."""
    late = []
    for n in range(times):
        with evening.lock:
            number = evening.house.pairing.issue_code(time.monotonic())
            token = evening.house.pairing.verify_code(number, time.monotonic())
        cookie = f"pairing={token}"
        until = time.monotonic() + 10
        while len(sees(attacker, cookie)) < 3:
            assert time.monotonic() < until, "a phone that was paired is not known"
        with attacker.stream(cookie) as stream:
            first_news(stream)
            began = time.monotonic()
            form = {"token": attacker.token(cookie)}
            assert attacker.send(Attack("POST", "/unpair", form, {"Cookie": cookie}))[1] == "/"
            stream.read()
            late.append(time.monotonic() - began)
        assert not evening.house.pairing.knows(token), "the token is still good"
        assert sees(attacker, cookie) == [], f"the phone that was forgotten as number {n} sees more"
    return f"{times} phones were forgotten; the last stream ended after {max(late):.2f} s"


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation hostile_http")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--tokens", type=int, default=160, help="made-up and unpaired tokens")
    parser.add_argument("--only", default="", help="kinds whose name contains this")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name, spent(Path(name)) as evening:
        for colour, squares in (("purple", FIRST), ("orange", SECOND)):
            evening.lay(colour, squares)
        attacker = HttpAttacker(int(evening.address.rpartition(":")[2]))
        with evening.lock:
            pairing, now = evening.house.pairing, time.monotonic()
            tokens = [pairing.verify_code(pairing.issue_code(now), now) for _ in range(PHONES)]
        paired = [f"pairing={token}" for token in tokens]
        time.sleep(FORGET_S)
        for kind, make in kinds(attacker, paired, evening.house.page.revision).items():
            if chosen.only not in kind:
                continue
            time.sleep(FORGET_S)
            print(f"{kind:36} {attack(evening, attacker, make, chosen.times)}", flush=True)  # noqa: T201
        for part in (make_up, unpair):
            if chosen.only in part.__name__:
                print(part(evening, attacker, chosen.tokens), flush=True)  # noqa: T201
        print(f"the game still has {evening.house.state.piece_count} moves")  # noqa: T201
