"""Trial: a simulated day on which a thousand addresses guess numbers for pairing.

Run it with `python -m tests.evaluation guessing`. The limits of the page, the pairing of the table
and the number in its lights are the real ones; only the clock is simulated. Every address tries a
number every two seconds, and one of them each second asks for a number in the lights. Once an
hour somebody types a number that they drew by command, and once an hour one that the lights show
after a press of the button. A phone that gets the reply "busy" tries again 5 s later.

A number of twelve digits is never guessed in a day, so that guesses are counted in two ways:
checked numbers by the count of valid numbers, and successes of guessers who know the first digits
(`--known-digits`), each of which makes a success 10 times as likely.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware.session import command_gate
from firmware.session.pairing import Pairing
from web.contract import NUMBER_DIGITS, PairRequest, RefusalReason, Reply, Request
from web.known_phones import KnownPhones
from web.rate_limit import PairingLimits
from web.table_client import TableClient
from web.views.arbiter import CommandForwarder, new_id

DAY_S: Final = 86_400
HOUR_S: Final = 3600
EVERY_S: Final = 2
"""Seconds between two tries of an address, fewer than the page allows."""

TYPES_S: Final = 20
"""Seconds that a person takes to type a number that a command has printed."""

READS_S: Final = 90
"""Seconds that a person takes to read a number off the lights and type it."""

AGAIN_S: Final = 5
"""Seconds after which a person tries again after the reply "busy"."""

HOME: Final = "192.168.1.7"


class SimulatedClient(TableClient):
    """The page's client of a table with a simulated clock."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "nowhere")
        self.path: Final = folder / "paired.json"
        self.pairing: Final = Pairing(self.path)
        self.desk: Final = command_gate.CommandGate(self.pairing)
        self.now = 0.0
        self.requests = 0

    def ask(self, question: Request, patience_s: float = 0.0) -> Reply:
        assert isinstance(question, PairRequest)
        self.requests += 1
        answer = self.desk.answer_pairing(question, self.now, can_show=True)
        self.send_phones()
        return answer

    def send_phones(self) -> None:
        """Sends the page the list of phones and numbers, each second and before each reply."""
        self.hear(self.pairing.phones(self.now))


@dataclass
class Typing:
    """A person who types the right number until it is accepted."""

    number: str
    kind: str
    at: int
    since: int


@dataclass
class Day:
    """Results of the day.

    Attributes:
        tried: number of guesses.
        looked_at: number of guesses that were compared with a number.
        odds: probability of success of all of them together.
        hits: number of right guesses.
        waits: waiting times of right numbers in seconds, by kind of number.
        lost: number of right numbers that were not accepted within a minute.
    """

    tried: int = 0
    looked_at: int = 0
    odds: float = 0.0
    hits: int = 0
    waits: dict[str, list[int]] = field(default_factory=lambda: {"drawn": [], "shown": []})
    lost: int = 0


class Trial:
    """A table, its page, and all people who type numbers."""

    def __init__(self, folder: Path, addresses: int, digits: int) -> None:
        self.table: Final = SimulatedClient(folder)
        self._page: Final = CommandForwarder(self.table, KnownPhones(self.table), PairingLimits())
        self._addresses: Final = [f"10.0.{n // 250}.{n % 250}" for n in range(addresses)]
        self._known_digits: Final = digits
        self._chance: Final = random.Random(1)  # noqa: S311
        self._typing: list[Typing] = []
        self.day: Final = Day()

    def second(self, now: int) -> None:
        """Simulates one second."""
        table = self.table
        table.now = float(now)
        table.send_phones()
        self._page.show()
        if now % HOUR_S == HOUR_S // 4:
            number = Pairing(table.path).issue_code(table.now)
            self._typing.append(Typing(number, "drawn", now + TYPES_S, now + TYPES_S))
        if now % HOUR_S == 3 * HOUR_S // 4:
            table.desk.show_code(table.now)
            number = table.desk.shown_code(table.now)
            self._typing.append(Typing(number, "shown", now + READS_S, now + READS_S))
        table.send_phones()
        self._guess()
        for one in [one for one in self._typing if one.at == now]:
            self._type(one, now)

    def _guess(self) -> None:
        table, day, pair = self.table, self.day, self._page.exchange
        heads = [one.number[: self._known_digits] for one in self._typing] or [""]
        half = int(table.now) % EVERY_S
        for n, address in list(enumerate(self._addresses))[half::EVERY_S]:
            head = heads[n % len(heads)]
            rest = NUMBER_DIGITS - len(head)
            guess = f"{head}{self._chance.randrange(10**rest):0{rest}}"
            phones = table.news.phones
            assert phones is not None
            answer = pair(
                PairRequest(new_id(), guess), address, table.now + n / len(self._addresses)
            )
            day.tried += 1
            assert answer is not None
            if answer.refused is not RefusalReason.BUSY:
                day.looked_at += 1
                day.odds += len(phones.numbers) / 10**NUMBER_DIGITS
                day.hits += bool(answer.token)

    def _type(self, one: Typing, now: int) -> None:
        answer = self._page.exchange(PairRequest(new_id(), one.number), HOME, now + 1.0)
        assert answer is not None
        if answer.refused is RefusalReason.BUSY and now - one.since < 60:
            one.at = now + AGAIN_S
            return
        self._typing.remove(one)
        if answer.token:
            self.day.waits[one.kind].append(now - one.since)
        else:
            self.day.lost += 1


def spend(seconds: int, addresses: int, digits: int, begins: int = 0) -> Trial:
    """Simulates a part of the day, from second `begins`."""
    with tempfile.TemporaryDirectory() as name:
        trial, reported = Trial(Path(name), addresses, digits), time.monotonic()
        with closing(trial.table):
            for now in range(begins, begins + seconds):
                trial.second(now)
                if sys.stderr.isatty() and time.monotonic() - reported > 1:
                    reported = time.monotonic()
                    print(f"\r{now / HOUR_S:.1f} h", end="", file=sys.stderr)  # noqa: T201
        return trial


def main(words: Sequence[str]) -> None:
    """Simulates the day and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation guessing")
    parser.add_argument("--seconds", type=int, default=DAY_S)
    parser.add_argument("--addresses", type=int, default=1000)
    parser.add_argument(
        "--known-digits", type=int, default=0, help="first digits that guessers know"
    )
    chosen = parser.parse_args(words)
    trial = spend(chosen.seconds, chosen.addresses, chosen.known_digits)
    print("\n".join(report(trial, chosen.known_digits)))  # noqa: T201


def report(trial: Trial, digits: int) -> list[str]:
    """Returns the results as lines; `digits` is the number of digits that guessers know."""
    day = trial.day
    odds = f"1 in {1 / day.odds:,.0f}" if day.odds else "none"
    reached = f"{trial.table.requests} questions reached the table"
    return [
        f"{day.tried} numbers guessed, {day.looked_at} looked at; {reached}",
        f"the odds that one of them was right: {odds}",
        f"{day.hits} were right, which is {day.hits / 10**digits:.2g} of whole numbers",
        *(
            f"the right number, {kind}: {len(waits)} taken, after {max(waits, default=0)} s at most"
            for kind, waits in day.waits.items()
        ),
        f"right numbers that were not taken: {day.lost}",
    ]
