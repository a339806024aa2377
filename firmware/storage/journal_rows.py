"""The rows of the journal, as its two files hold them, and the seals that protect them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_SEAL_BYTES: Final = 8
"""A damaged row passes for whole once in 2**64 damages."""


class GameRow(NamedTuple):
    """A game that was begun.

    Attributes:
        number: of the game; counts up.
        terms: JSON of what was agreed.
        begun: when it began, ISO 8601.
        trusted: whether the clock was known to be right then.
        filed: how many of its events the files of the game tell; 0 while there are none.
        whole: False if events of it may have been lost to a damaged journal.
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
        """True if its files tell all of it; a game without an event needs none."""
        return self.row.filed == len(self.bodies)

    @property
    def events(self) -> Iterable[EventRow]:
        """Its events as rows."""
        return (EventRow(self.row.number, *one) for one in enumerate(self.bodies, 1))


class JournalHeader(NamedTuple):
    """The beginning of both files, another one each time they are written anew.

    Attributes:
        identity: 16 random hexadecimal digits. The seal of every row that follows depends on
            them, so a row that comes back from an older state of the disk does not pass.
        previous: the identity before; empty if there was none.
        serial: number of the commit that wrote the files anew. Commits count up without a gap.
        games: how many games were written then.
        events: how many events were written then.
    """

    identity: str
    previous: str
    serial: int
    games: int
    events: int


@dataclass(slots=True)
class FoundRows:
    """All that could be read of one file.

    Attributes:
        head: its beginning; None if there is no file, or no beginning that can be read.
        serial: number of the newest commit in it.
        games: rows of the games by number.
        bodies: bodies of the events by game and place.
        doubtful: first two columns of the rows that are not as they were written; of an event its
            game and place, as far as these can be believed.
        fault: why it is not as it was written, a phrase; empty if it is.
        unread: why the disk did not let it be read, or not all of it; empty if it did.
        torn: whether its end cannot be read, as after a power cut in mid-write.
        old_form: whether an earlier release wrote it, without a head.
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
        """Of its head; empty if there is none."""
        return self.head.identity if self.head else ""

    @property
    def is_sound(self) -> bool:
        """True if it has a head, and all behind it could be read."""
        return self.head is not None and not (self.fault or self.unread or self.torn)

    @property
    def last_number(self) -> int:
        """The largest number of a game that anything in it names; 0 if nothing does."""
        return max((*self.games, *(game for game, _ in self.bodies)), default=0)

    def stored(self) -> tuple[EncodedGame, ...]:
        """The games by number, each with its events up to the first that is missing."""
        return tuple(
            EncodedGame(self.games[number], tuple(self._bodies_of(number)))
            for number in sorted(self.games)
        )

    def note(self, fault: str) -> None:
        """Notes that it is not as it was written; the first fault is the one that is told."""
        self.fault = self.fault or fault

    def check_places(self) -> None:
        """Notes as a fault any event without a game, or behind one that is missing."""
        if sum(len(game.bodies) for game in self.stored()) != len(self.bodies):
            self.note("events are missing")

    def _bodies_of(self, game: int) -> Iterable[str]:
        place = 1
        while (body := self.bodies.get((game, place))) is not None:
            yield body
            place += 1


def seal(identity: str, values: Sequence[object]) -> str:
    """A checksum of values that belong to the files of one identity, 16 hexadecimal digits."""
    text = repr(tuple(values)).encode(errors="surrogatepass")
    return hashlib.blake2b(text, key=identity.encode(), digest_size=_SEAL_BYTES).hexdigest()
