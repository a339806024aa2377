"""The form of a file of the journal: a line for each commit, sealed.

Each line is its seal, a space and JSON. The first line holds all games at that time; each further
line the events of one commit. Commits count up without a gap. A seal depends on the identity in the
first line, so a line that comes back from an older state of the disk does not pass.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from vision.errors import open_regular

_FORMS: Final = (4, 3)
"""Versions of the form that are read, the written one first; 3 is that of the copy of a journal in
SQLite."""

LARGEST: Final = 64 << 20
"""Greatest size in bytes of a file that is read; a long evening without filing has about 1 MB."""

_SEAL_BYTES: Final = 8
"""Bytes of a seal or an identity: a damaged line has a right seal once in 2**64 cases."""


class JournalGame(NamedTuple):
    """A game in the files.

    Attributes:
        number: number of the game; counts up.
        config: JSON of its settings.
        begun: time at which it began, ISO 8601.
        trusted: True if the clock was known to be right then.
        filed: number of its events in the files of the archive; 0 while there are none.
        whole: False if some of its events may have been lost to a damaged journal.
        bodies: JSON of its events in order.
    """

    number: int
    config: str
    begun: str
    trusted: bool
    filed: int = 0
    whole: bool = True
    bodies: tuple[str, ...] = ()

    @property
    def is_filed(self) -> bool:
        """True if all its events are filed; a game without an event needs no files."""
        return self.filed == len(self.bodies)


JournalEvent = tuple[int, int, str]
"""An event: number of its game, its place there from 1, its JSON."""


@dataclass(slots=True)
class FoundRows:
    """The readable part of one file, or of both.

    Attributes:
        identity: 16 random hexadecimal digits, new each time the files are rewritten; empty if
            there is no file, or no readable beginning.
        previous: the identity before; empty if there was none.
        first: number of the commit that rewrote the file.
        games: the games by number, without their events.
        commits: events of each commit by its number, perhaps twice; damage may have taken some.
        fault: the first damage or refusal of the disk, a phrase; empty if there is none.
        torn: True if its last line is incomplete, as after a power cut during a write.
    """

    identity: str = ""
    previous: str = ""
    first: int = 0
    games: dict[int, JournalGame] = field(default_factory=dict)
    commits: dict[int, list[JournalEvent]] = field(default_factory=dict)
    fault: str = ""
    torn: bool = False

    @property
    def serial(self) -> int:
        """Number of the newest commit; 0 if there is none."""
        return max(self.commits, default=0)

    @property
    def bodies(self) -> dict[tuple[int, int], str]:
        """JSON of the events by game and place."""
        events = chain.from_iterable(self.commits.values())
        return {(game, place): body for game, place, body in events}

    @property
    def last_number(self) -> int:
        """The largest number of a game in any line; 0 if there is none."""
        return max((*self.games, *(game for game, _ in self.bodies)), default=0)

    def stored(self) -> tuple[JournalGame, ...]:
        """Returns the games by number, each with its events up to the first missing one."""
        games, bodies_by_place = [], self.bodies
        for number, game in sorted(self.games.items()):
            bodies: list[str] = []
            while (body := bodies_by_place.get((number, len(bodies) + 1))) is not None:
                bodies.append(body)
            games.append(game._replace(bodies=tuple(bodies)))
        return tuple(games)

    def note(self, fault: str) -> None:
        """Notes a damage; only the first is stored."""
        self.fault = self.fault or fault

    def check_places(self) -> None:
        """Notes a fault for any event without a game, or after a missing one."""
        if sum(len(game.bodies) for game in self.stored()) != len(self.bodies):
            self.note("events are missing")


def new_identity() -> str:
    """Returns an identity for files that are rewritten."""
    return secrets.token_hex(_SEAL_BYTES)


def first_line(head: tuple[str, str, int], games: Sequence[JournalGame]) -> bytes:
    """Returns the first line of a file.

    Args:
        head: its identity, the one before, and the number of the commit.
        games: all games.
    """
    events = [(game.number, *one) for game in games for one in enumerate(game.bodies, 1)]
    rows = [game[:-1] for game in games]
    return line("", {"form": _FORMS[0], "head": head, "games": rows, "events": events})


def line(identity: str, table: dict[str, Any]) -> bytes:
    """Returns a sealed line, with its line break."""
    text = json.dumps(table, separators=(",", ":"))
    return f"{seal(identity, [text])} {text}\n".encode()


def unsealed(identity: str, content: bytes) -> dict[str, Any] | None:
    """Returns the JSON of a line; None if its seal is wrong."""
    sealed, _, body = content.decode(errors="surrogateescape").partition(" ")
    if seal(identity, [body]) != sealed:
        return None
    table: dict[str, Any] = json.loads(body)
    return table


def seal(identity: str, values: Sequence[object]) -> str:
    """Returns a checksum of values for one identity, 16 hexadecimal digits."""
    text = repr(tuple(values)).encode(errors="surrogatepass")
    return hashlib.blake2b(text, key=identity.encode(), digest_size=_SEAL_BYTES).hexdigest()


def read(path: Path) -> FoundRows:
    """Reads all readable lines of a file; a missing file has none and no fault."""
    found = FoundRows()
    try:
        with open_regular(path) as file:
            content = file.read(LARGEST)
    except FileNotFoundError:
        return found
    except OSError as error:
        found.note(str(error))
        return found
    first, *lines = content.split(b"\n")
    table = unsealed("", first)
    if table is None:
        found.note("its beginning is not what was written")
        return found
    if table["form"] not in _FORMS:
        found.note(f"it is of form {table['form']}, which this release does not know")
        return found
    found.identity, found.previous, found.first, *_ = table["head"]
    found.games = {row[0]: JournalGame(*row) for row in table["games"]}
    found.commits[found.first] = table["events"]
    # After the last line break there is nothing, or an unfinished line.
    commits = [unsealed(found.identity, one) for one in lines if one]
    if commits and commits[-1] is None:
        commits.pop()
        found.torn = True
    for commit in commits:
        if commit is None or commit["serial"] != found.serial + 1:
            found.note("a line is not what was written")
        if commit is not None:
            found.commits[commit["serial"]] = commit["events"]
    found.check_places()
    return found
