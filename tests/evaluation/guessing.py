"""A simulated day on which a thousand addresses guess numbers: does anybody get in, and is the
right number always taken?

Run it with `python -m tests.evaluation guessing`. The limits of the page, the pairing of the table
and the number in its lights are the real ones; only the clock is simulated. Every address tries a
number every two seconds, and one of them each second to have the lights show one. Once an hour
somebody types a number that they drew by command, and once an hour one that the lights show as
somebody holds a button. Whoever is told that the table is busy tries again 5 s later.

A number of twelve digits is never guessed in a day, so that guesses are counted in two ways: how
many were looked at while how many numbers were good, and how often somebody got in who was told
the first digits beforehand (`--told`), which is 10 times as likely for each of them.
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
from web.contract import NUMBER_DIGITS, CommandRequest, PairRequest, RefusalReason, Reply
from web.security.known_phones import KnownPhones
from web.table_client import TableClient
from web.views.arbiter import CommandForwarder

DAY_S: Final = 86_400
HOUR_S: Final = 3600
EVERY_S: Final = 2
"""So often each address tries a number: more often than the page looks at any."""

TYPES_S: Final = 20
"""How long somebody takes who types a number that a command has printed."""

READS_S: Final = 90
"""How long somebody takes to read a number off the lights and type it."""

AGAIN_S: Final = 5
HOME: Final = "192.168.1.7"


class SimulatedClient(TableClient):
    """The page's link to a table whose time is simulated."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "nowhere")
        self.path: Final = folder / "paired.json"
        self.desk: Final = command_gate.CommandGate(Pairing(self.path))
        self.now = 0.0
        self.asked = 0

    def ask(self, question: CommandRequest | PairRequest, patience_s: float = 0.0) -> Reply:
        assert isinstance(question, PairRequest)
        self.asked += 1
        answer = self.desk.answer_pairing(question, self.now, can_show=True)
        self.tell()
        return answer

    def tell(self) -> None:
        """Tells the page what a table tells each second, and before each answer."""
        self.hear(self.desk.phones(self.now))


@dataclass
class Typing:
    """Somebody types the right number, until it is taken."""

    number: str
    kind: str
    at: int
    since: int


@dataclass
class Day:
    """What came of it.

    Attributes:
        tried: numbers that were guessed.
        looked_at: those that were compared with a number.
        odds: of all of them together.
        hits: guesses that were right.
        waits: by kind of number, how long each right one had to wait.
        lost: right numbers that were not taken within a minute.
    """

    tried: int = 0
    looked_at: int = 0
    odds: float = 0.0
    hits: int = 0
    waits: dict[str, list[int]] = field(default_factory=lambda: {"drawn": [], "shown": []})
    lost: int = 0


class Trial:
    """A table, its page, and all who type."""

    def __init__(self, folder: Path, addresses: int, told: int) -> None:
        self.table: Final = SimulatedClient(folder)
        self._page: Final = CommandForwarder(self.table, KnownPhones(self.table))
        self._addresses: Final = [f"10.0.{n // 250}.{n % 250}" for n in range(addresses)]
        self._told: Final = told
        self._chance: Final = random.Random(1)  # noqa: S311
        self._typing: list[Typing] = []
        self.day: Final = Day()

    def second(self, now: int) -> None:
        """Everything that happens within a second."""
        table = self.table
        table.now = float(now)
        table.tell()
        self._page.show()
        if now % HOUR_S == HOUR_S // 4:
            number = Pairing(table.path).issue_code(table.now)
            self._typing.append(Typing(number, "drawn", now + TYPES_S, now + TYPES_S))
        if now % HOUR_S == 3 * HOUR_S // 4:
            table.desk.show_code(table.now)
            number = table.desk.shown_code(table.now)
            self._typing.append(Typing(number, "shown", now + READS_S, now + READS_S))
        table.tell()
        self._guess()
        for one in [one for one in self._typing if one.at == now]:
            self._type(one, now)

    def _guess(self) -> None:
        table, day, pair = self.table, self.day, self._page.pair
        heads = [one.number[: self._told] for one in self._typing] or [""]
        half = int(table.now) % EVERY_S
        for n, address in list(enumerate(self._addresses))[half::EVERY_S]:
            head = heads[n % len(heads)]
            rest = NUMBER_DIGITS - len(head)
            guess = f"{head}{self._chance.randrange(10**rest):0{rest}}"
            phones = table.news.phones
            assert phones is not None
            answer = pair(guess, address, table.now + n / len(self._addresses))
            day.tried += 1
            assert answer is not None
            if answer.refused is not RefusalReason.BUSY:
                day.looked_at += 1
                day.odds += len(phones.numbers) / 10**NUMBER_DIGITS
                day.hits += bool(answer.token)

    def _type(self, one: Typing, now: int) -> None:
        answer = self._page.pair(one.number, HOME, now + 1.0)
        assert answer is not None
        if answer.refused is RefusalReason.BUSY and now - one.since < 60:
            one.at = now + AGAIN_S
            return
        self._typing.remove(one)
        if answer.token:
            self.day.waits[one.kind].append(now - one.since)
        else:
            self.day.lost += 1


def spend(seconds: int, addresses: int, told: int, begins: int = 0) -> Trial:
    """Some of the day, from its first second or a later one."""
    with tempfile.TemporaryDirectory() as name:
        trial, shown = Trial(Path(name), addresses, told), time.monotonic()
        with closing(trial.table):
            for now in range(begins, begins + seconds):
                trial.second(now)
                if sys.stderr.isatty() and time.monotonic() - shown > 1:
                    shown = time.monotonic()
                    print(f"\r{now / HOUR_S:.1f} h", end="", file=sys.stderr)  # noqa: T201
        return trial


def main(words: Sequence[str]) -> None:
    """Spends such a day and prints what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation guessing")
    parser.add_argument("--seconds", type=int, default=DAY_S)
    parser.add_argument("--addresses", type=int, default=1000)
    parser.add_argument("--told", type=int, default=0, help="digits that guessers know beforehand")
    chosen = parser.parse_args(words)
    trial = spend(chosen.seconds, chosen.addresses, chosen.told)
    print("\n".join(report(trial, chosen.told)))  # noqa: T201


def report(trial: Trial, digits: int) -> list[str]:
    """What came of a day, in lines; `digits` is how many guessers knew beforehand."""
    day = trial.day
    odds = f"1 in {1 / day.odds:,.0f}" if day.odds else "none"
    reached = f"{trial.table.asked} questions reached the table"
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
