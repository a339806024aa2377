"""Trial: a hall of many tables, live: its processor time, and how fast it notices lost tables.

Run it with `python -m tests.evaluation hall_load --tables 50`. With eight tables or fewer, one is
also killed and one is stopped, as each has a process of its own.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from firmware.hall.broker_files import PASSWORDS, RIGHTS, SETTINGS, password_file
from firmware.hall.demo import MOST_PROCESSES
from firmware.hall.link.messages import Status, Summary, decode
from firmware.hall.link.topics import TableTopic
from firmware.hall.roster import Roster
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient

_STARTS_S = 120.0
_TICKS = os.sysconf("SC_CLK_TCK")


class LiveHall:
    """A hall with simulated tables, and a client that hears all of it."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.folder = folder
        words = ["hall", "--demo", str(tables), "--folder", str(folder), "--json"]
        words += ["--port", str(free_port()), "--broker-port", str(free_port())]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.facts = json.loads(self.process.stdout.readline())
        self.roster = Roster(folder)
        self.client = self.listener()

    def listener(self) -> NotingClient:
        """Returns a client that hears the tables, beside the only one of the hall."""
        broker, topics = self.folder / "broker", self.roster.topics
        with (broker / PASSWORDS).open("ab") as passwords:
            passwords.write(password_file({"listener": "hears-all"}))
        with (broker / RIGHTS).open("a") as rights:
            rights.write(f"user listener\ntopic read {topics.all_of_tables}\n")
        os.kill(self.process_with(str(broker / SETTINGS)), signal.SIGHUP)
        client = NotingClient(
            self.facts["broker_port"], self.folder / "authority.pem", "listener", "hears-all"
        )
        client.subscribe(topics.all_of_tables)
        return client

    def online(self) -> list[bool]:
        """Returns for each table whether it is online."""
        return [self.status(one.user) for one in self.roster.tables]

    def status(self, table: str) -> bool:
        heard = self.client.messages.get(self.roster.topics.table(table, TableTopic.STATUS), [])
        return bool(heard) and decode(Status, heard[-1]).online

    def is_offline(self, table: str) -> bool:
        return not self.status(table)

    def summaries(self) -> int:
        """Returns the number of tables that told of a game."""
        topics = [self.roster.topics.table(t.user, TableTopic.SUMMARY) for t in self.roster.tables]
        heard = [self.client.messages.get(topic, [b""])[-1] for topic in topics]
        return sum(1 for one in heard if one and decode(Summary, one).ply)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def share_of(self, table: str) -> int:
        """Returns the process that connects a table."""
        return self.process_with("share", str(self.folder / "tables" / table))

    def process_with(self, *wanted: str) -> int:
        """Returns the process whose command has some words."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if all(one.encode() in words for one in wanted):
                return int(path.parent.name)
        raise AssertionError(f"no process has {wanted}")

    def close(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait()


def seconds_until(holds: Callable[[], object], within_s: float) -> float:
    """Returns the seconds until something holds; infinity if it does not in time."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > within_s:
            return float("inf")
        time.sleep(0.02)
    return time.monotonic() - begun


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation hall_load")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the measurement")
    arguments = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        hall = LiveHall(Path(folder), arguments.tables)
        try:
            _measure(hall, arguments.seconds)
            if arguments.tables <= MOST_PROCESSES:
                _lose_tables(hall)
        finally:
            hall.close()


def _measure(hall: LiveHall, seconds: float) -> None:
    up = seconds_until(lambda: all(hall.online()), _STARTS_S)
    playing = seconds_until(lambda: hall.summaries() == len(hall.roster.tables), _STARTS_S)
    _say(f"all tables online after {up:.1f} s, all at play {playing:.1f} s later")
    begun, before = time.monotonic(), hall.cpu_s()
    time.sleep(seconds)
    share = (hall.cpu_s() - before) / (time.monotonic() - begun)
    _say(f"the hall takes {share:.1%} of a core (bar: 25 %)")


def _lose_tables(hall: LiveHall) -> None:
    for table, number, bar in (("01", signal.SIGKILL, 7), ("02", signal.SIGSTOP, 25)):
        process = hall.share_of(table)
        os.kill(process, number)
        gone = seconds_until(partial(hall.is_offline, table), 60.0)
        _say(f"{number.name}: offline after {gone:.1f} s (bar: {bar} s)")
        if number == signal.SIGSTOP:
            os.kill(process, signal.SIGCONT)
            back = seconds_until(partial(hall.status, table), 60.0)
            _say(f"SIGCONT: online after {back:.1f} s")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201
