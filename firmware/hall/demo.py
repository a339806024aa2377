"""Simulated tables of a hall: real sessions, each connected by the same program as a real table.

One process plays at all tables. Up to eight tables are connected by a process each, as at real
tables; more of them share one, with a connection, password and will of their own.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final, Self

from firmware.hall.child_process import dying_with_us, end
from firmware.hall.link.link_file import LinkFile
from firmware.hall.running_hall import RunningHall

MOST_PROCESSES: Final = 8
"""Greatest number of tables that are connected by a process each."""

SPEED: Final = 20.0
"""Speed of the tables relative to real time."""


class DemoTables:
    """Simulated tables between `__enter__` and `__exit__`.

    Args:
        hall: the hall, which runs.
        folder: folder of the tables.
        count: number of tables, the first ones of the roster.
        url: address of the page of a table, without its number at the end.
        speed: speed of the tables relative to real time.

    Attributes:
        shares: processes that connect the tables, in the order of the tables; one for all of them
            if there are many.
    """

    def __init__(
        self, hall: RunningHall, folder: Path, count: int, url: str, speed: float = SPEED
    ) -> None:
        self._hall: Final = hall
        self._folder: Final = folder
        self._count: Final = count
        self._url: Final = url
        self._speed: Final = speed
        self._player: subprocess.Popen[bytes] | None = None
        self.shares: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        roster = self._hall.roster
        while len(roster.tables) < self._count:
            roster.add()
        folders = []
        for table in roster.tables[: self._count]:
            folder = self._folder / table.user
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            invitation = self._hall.invitation(table.number, "localhost")
            assert invitation is not None, "the table is on the roster"
            LinkFile(folder).write(invitation)
            folders.append(folder)
        words = ("--table-speed", str(self._speed), "--play-tables", *map(str, folders))
        self._player = _started("hall", *words, stdout=subprocess.PIPE)
        assert self._player.stdout is not None
        with self._player.stdout as output:
            output.readline()  # a share that looks for its table too early complains
        if self._count <= MOST_PROCESSES:
            self.shares = [
                _started("share", "--wait", "--folder", str(one), "--url", self._url + one.name)
                for one in folders
            ]
        else:
            self.shares = [_started("hall", "--share-tables", *map(str, folders))]
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.shares, *([self._player] if self._player else ())):
            end(process)


def _started(*words: str, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603
        [*dying_with_us(), sys.executable, "-m", "firmware", *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        start_new_session=True,
    )
