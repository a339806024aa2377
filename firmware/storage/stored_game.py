"""A game as journal and archive store it: its settings and its events."""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from firmware.game.config import GameConfig
from firmware.game.event_codec import from_json
from firmware.game.events import Event
from firmware.game.state import GameState, apply_event
from firmware.rules.position import Position
from firmware.rules.variants import Edition
from firmware.storage.wall_clock import TimeOfDay
from web.contract.person_names import skeleton

_DIGITS: Final = 6
"""Number of digits of a game's number in the name of its folder."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game that is stored.

    Attributes:
        number: its number in the journal, from 1; 0 for one that is read from its folder.
        config: settings of the game.
        begun: time at which it began.
        events: its events in order.
        filed: number of its events in the files of the archive.
    """

    number: int
    config: GameConfig
    begun: TimeOfDay
    events: tuple[Event, ...] = ()
    filed: int = 0

    @property
    def name(self) -> str:
        """Name of its folder; names sort by time, even if the clock was wrong."""
        date = f"{self.begun.date}-" if self.begun.date else ""
        return f"{self.number:0{_DIGITS}}-{date}{self.config.game.key}"

    @property
    def states(self) -> list[GameState]:
        """The states before the first event and after each.

        Raises:
            IllegalMoveError: the events do not follow one another in such a game.
        """
        states = [GameState(Position.start(self.config.game), computer=self.config.computer)]
        for event in self.events:
            states.append(apply_event(states[-1], event))
        return states

    @property
    def state(self) -> GameState:
        """The state after its events; see `states`."""
        return self.states[-1]


def names_without(names: tuple[str, ...], person: str) -> tuple[str, ...]:
    """Returns the names of people without one of them, however it was typed; none if none stay."""
    kept = tuple("" if skeleton(name) == skeleton(person) else name for name in names)
    return kept if any(kept) or kept == names else ()


def terms_without(body: str, person: str) -> str:
    """Returns the JSON of the settings of a game, or of its first event, without a name.

    JSON that cannot be read, from which nobody learns a name either, stays.
    """
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        table = json.loads(body)
        names = tuple(table.get("names", ()))
        kept = names_without(names, person)
        if kept != names:
            return json.dumps({**table, "names": kept})
    return body


def readable_events(
    lines: Iterable[object], config: GameConfig, edition: Edition
) -> tuple[tuple[Event, ...], str]:
    """Decodes events up to the first that does not fit; returns them and the reason.

    Args:
        lines: the JSON form of each event; a ValueError while they are read is a reason, too.
        config: settings of the game.
        edition: names of the colours in the order of play.
    """
    events: list[Event] = []
    state = GameState(Position.start(config.game))
    try:
        for line in lines:
            event = from_json(line, config.game.size, edition)
            state = apply_event(state, event)
            events.append(event)
    except ValueError as error:
        return tuple(events), str(error)
    return tuple(events), ""
