"""The rows of the journal in both of its files, and the seals that protect them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_SEAL_BYTES: Final = 8
"""Bytes of a seal: a damaged row has a right seal once in 2**64 cases."""


class GameRow(NamedTuple):
    """A game that was begun.

    Attributes:
        number: number of the game; counts up.
        config: JSON of its settings.
        begun: time at which it began, ISO 8601.
        trusted: True if the clock was known to be right then.
        filed: number of its events in the files of the game; 0 while there are none.
        whole: False if some of its events may have been lost to a damaged journal.
    """

    number: int
    config: str
    begun: str
    trusted: bool
    filed: int = 0
    whole: bool = True


class EventRow(NamedTuple):
    """An event: `place` counts from 1 within its game, `body` is its JSON."""

    game: int
    place: int
    body: str


@dataclass(frozen=True, slots=True)
class EncodedGame:
    """A game with the bodies of its events in order."""

    row: GameRow
    bodies: tuple[str, ...]

    @property
    def is_filed(self) -> bool:
        """True if all its events are filed; a game without an event needs no files."""
        return self.row.filed == len(self.bodies)

    @property
    def events(self) -> Iterable[EventRow]:
        """Its events as rows."""
        return (EventRow(self.row.number, *one) for one in enumerate(self.bodies, 1))


class JournalHeader(NamedTuple):
    """The header of both files, replaced each time they are rewritten.

    Attributes:
        identity: 16 random hexadecimal digits. The seal of every row that follows depends on
            them, so a row that comes back from an older state of the disk does not pass.
        previous: the identity before; empty if there was none.
        serial: number of the commit that rewrote the files. Commits count up without a gap.
        games: number of games in that commit.
        events: number of events in that commit.
    """

    identity: str
    previous: str
    serial: int
    games: int
    events: int


@dataclass(slots=True)
class FoundRows:
    """The readable rows of one file.

    Attributes:
        head: its header; None if there is no file, or no readable header.
        serial: number of the newest commit in it.
        games: rows of the games by number.
        bodies: bodies of the events by game and place.
        doubtful: first two columns of the rows with a wrong seal: for an event its game and
            place, which may be wrong too.
        fault: the first damage found, a phrase; empty if there is none.
        unread: the refusal of the disk to read all of it; empty if there was none.
        torn: True if its last line is incomplete, as after a power cut during a write.
        old_form: True if an earlier release wrote it, without a header.
    """

    head: JournalHeader | None = None
    serial: int = 0
    games: dict[int, GameRow] = field(default_factory=dict)
    bodies: dict[tuple[int, int], str] = field(default_factory=dict)
    doubtful: set[tuple[object, ...]] = field(default_factory=set)
    fault: str = ""
    unread: str = ""
    torn: bool = False
    old_form: bool = False

    @property
    def identity(self) -> str:
        """Identity of its header; empty if there is none."""
        return self.head.identity if self.head else ""

    @property
    def is_sound(self) -> bool:
        """True if it has a header, and all the rest was readable."""
        return self.head is not None and not (self.fault or self.unread or self.torn)

    @property
    def last_number(self) -> int:
        """The largest number of a game in any row; 0 if there is none."""
        return max((*self.games, *(game for game, _ in self.bodies)), default=0)

    def stored(self) -> tuple[EncodedGame, ...]:
        """Returns the games by number, each with its events up to the first missing one."""
        return tuple(
            EncodedGame(self.games[number], tuple(self._bodies_of(number)))
            for number in sorted(self.games)
        )

    def note(self, fault: str) -> None:
        """Notes a damage; only the first is stored."""
        self.fault = self.fault or fault

    def check_places(self) -> None:
        """Notes a fault for any event without a game, or after a missing one."""
        if sum(len(game.bodies) for game in self.stored()) != len(self.bodies):
            self.note("events are missing")

    def _bodies_of(self, game: int) -> Iterable[str]:
        place = 1
        while (body := self.bodies.get((game, place))) is not None:
            yield body
            place += 1


def seal(identity: str, values: Sequence[object]) -> str:
    """Returns a checksum of values for one identity, 16 hexadecimal digits."""
    text = repr(tuple(values)).encode(errors="surrogatepass")
    return hashlib.blake2b(text, key=identity.encode(), digest_size=_SEAL_BYTES).hexdigest()
