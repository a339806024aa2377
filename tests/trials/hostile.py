"""A thousand hostile requests of each kind: is every one refused, and is the table unchanged?

Run it with `python -m tests.trials hostile`. The page is served for real, the table behind it is
whole. Requests come from many addresses of this machine, as fast as they are answered; between
two kinds the page is given time to forget that it was asked too much, so that each kind meets
the check that is meant for it and not only the limit of the rate.
"""

import argparse
import http.client
import itertools
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.evening import Evening, spent
from tests.referee.table import FIRST, SECOND

HOST: Final = "cornerlight.local"
FORGET_S: Final = 6.0
FIRST_PAGE: Final = 100
"""Pages of the table count from here: an earlier one shows no game of it."""


@dataclass(frozen=True)
class Attack:
    """One request.

    Attributes:
        method: of HTTP.
        path: that is asked for.
        form: fields of the body; none without a body.
        headers: beside, or instead of, those of an honest request.
    """

    method: str
    path: str
    form: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


class Attacker:
    """Sends requests to a page, each from another address of this machine."""

    def __init__(self, port: int) -> None:
        self._port: Final = port
        self._address: Final = itertools.cycle(
            f"127.{a}.{b}.1" for a in range(1, 9) for b in range(1, 129)
        )

    def send(self, attack: Attack) -> tuple[int, str, str]:
        """The status, where it leads to, and the body."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=30, source_address=(next(self._address), 0)
        )
        headers = {"Host": HOST, "Origin": f"http://{HOST}", **attack.headers}
        body = urlencode(attack.form) if attack.form else None
        if body is not None:
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        sent = {name: value for name, value in headers.items() if value}
        try:
            connection.request(attack.method, attack.path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.headers.get("Location", ""), answer.read().decode()
        finally:
            connection.close()

    def token(self, cookie: str = "") -> str:
        """What a form must carry, as anybody may read it from the page."""
        page = self.send(Attack("GET", "/", headers={"Cookie": cookie}))[2]
        found = re.search(r'name="token" value="(\w+)"', page)
        assert found
        return found[1]


Kinds = dict[str, Callable[[int], Attack]]


def kinds(attacker: Attacker, paired: str, revision: int) -> Kinds:
    """Attacks by what is wrong with them; some are made with the cookie of a paired phone."""
    open_token, own_token = attacker.token(), attacker.token(paired)
    undo = {"word": "undo", "revision": str(revision)}

    def say(n: int, form: dict[str, str] | None = None, **headers: str) -> Attack:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        fields = {"token": own_token, "id": f"hostile-{n:06}", **undo, **(form or {})}
        return Attack("POST", "/arbiter/say", fields, {"Cookie": paired, **named})

    again = {"id": "hostile-again", "word": "check"}
    assert attacker.send(say(0, again))[1] == "/arbiter?said=done"
    return {
        "a change by GET": lambda n: Attack(
            "GET", f"/arbiter/say?{urlencode({**undo, 'token': own_token})}", {}, {"Cookie": paired}
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
        "repeated": lambda n: say(n, again),
        "not paired": lambda n: Attack(
            "POST", "/arbiter/say", {"token": open_token, "id": f"hostile-{n:06}", **undo}
        ),
        "a made-up pairing": lambda n: Attack("GET", "/arbiter", {}, {"Cookie": f"pairing=x{n}"}),
        "a wrong number": lambda n: Attack(
            "POST", "/pair", {"token": open_token, "number": f"{n:06}"}
        ),
        "out of its folder": lambda n: Attack("GET", f"/games/..%2f..%2f{n}/record.blksgf"),
        "a header too long": lambda n: Attack("GET", "/", {}, {"X-Long": "x" * 20_000}),
    }


def is_refused(status: int, location: str, body: str) -> bool:
    """Whether an answer says no: by its status, or on the page that it leads to."""
    if status == 303:
        return "said=" in location and "said=done" not in location
    return status >= 400 or ('name="number"' in body and 'id="controls"' not in body)


def attack(evening: Evening, attacker: Attacker, make: Callable[[int], Attack], times: int) -> str:
    """How one kind of attack was answered; says loudly if it was not refused."""
    before = evening.house.state.plies
    statuses: Counter[int] = Counter()
    let_through = 0
    for n in range(times):
        status, location, body = attacker.send(make(n))
        statuses[status] += 1
        let_through += not is_refused(status, location, body)
    with evening.lock:
        changed = evening.house.state.plies != before
    told = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    if let_through or changed:
        raise AssertionError(f"{let_through} let through, the game changed: {changed}; {told}")
    return told


def main(words: Sequence[str]) -> None:
    """Attacks a page in every way and prints how it answered."""
    parser = argparse.ArgumentParser(prog="python -m tests.trials hostile")
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--only", default="", help="kinds whose names hold this")
    chosen = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name, spent(Path(name)) as evening:
        for colour, squares in (("purple", FIRST), ("orange", SECOND)):
            evening.lay(colour, squares)
        attacker = Attacker(int(evening.address.rpartition(":")[2]))
        paired = f"pairing={evening.house.token}"
        for kind, make in kinds(attacker, paired, evening.house.page.revision).items():
            if chosen.only not in kind:
                continue
            time.sleep(FORGET_S)
            print(f"{kind:36} {attack(evening, attacker, make, chosen.times)}", flush=True)  # noqa: T201
        print(f"the game still has {evening.house.state.plies} moves")  # noqa: T201
