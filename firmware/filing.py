"""A finished game as the contents of its files: a pure function of its events."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware import __version__
from firmware.event_json import to_json
from firmware.events import Event, Moved, Overruled, Passed, Standing, Undone
from firmware.game import GameState, fold
from firmware.outcome import in_record, outcome
from firmware.page import Shown, page
from firmware.rules.games import Edition, default_edition
from firmware.rules.position import Position
from firmware.rules.record import Record
from firmware.terms import Terms
from firmware.terms import to_json as terms_to_json
from firmware.transcript import Transcript
from firmware.wallclock import TimeOfDay
from web.contract import Code

RECORD = "record.blksgf"
EVENTS = "events.jsonl"
PAGES = "pages.jsonl"

_SHOWN = (Moved, Overruled, Passed, Standing)
"""Events after which the board is worth a page."""


@dataclass(frozen=True, slots=True)
class Told:
    """A game that is told from its events.

    Attributes:
        name: of its folder.
        terms: what was agreed.
        begun: when it began.
        events: in the order they happened.
    """

    name: str
    terms: Terms
    begun: TimeOfDay
    events: tuple[Event, ...]


def files_of(game: Told) -> dict[str, bytes]:
    """The files of a game by name, in the order in which they are to be written.

    Raises:
        IllegalMoveError: the events cannot follow each other.
    """
    states = [GameState(Position.start(game.terms.game))]
    for event in game.events:
        states.append(fold(states[-1], event))
    edition = states[-1].edition or game.terms.edition or default_edition(game.terms.game)
    return {
        RECORD: _record(game, states[-1], edition),
        EVENTS: _lines(_told(game, edition)),
        PAGES: _lines(_pages(game, states, edition)),
    }


def _record(game: Told, last: GameState, edition: Edition) -> bytes:
    record = Record.new(
        game.terms.game,
        edition=edition,
        scoring=game.terms.scoring,
        names=game.terms.names,
        date=game.begun.date,
        application=f"Cornerlight:{__version__}",
    )
    pace = game.terms.pace
    if pace.kept:
        step = f"{pace.step_s:g} {pace.timing.value}" if pace.step_s else ""
        record.limit_time(pace.clock_s, step)
    transcript = Transcript(record)
    for event in game.events:
        transcript.add(event)
    found = outcome(last, game.terms.scoring)
    if found is not None:
        record.finish(in_record(found, game.terms.game))
    return record.write()


def _told(game: Told, edition: Edition) -> Iterator[str]:
    agreed = terms_to_json(game.terms)
    begun = {"begun": game.begun.text, "clock_was_set": game.begun.trusted}
    yield json.dumps({"event": "begun", **agreed, **begun})
    for event in game.events:
        yield json.dumps(to_json(event, game.terms.game.size, edition))


def _pages(game: Told, states: list[GameState], edition: Edition) -> Iterator[str]:
    """The empty board, each placement and pass that stands, and the end."""
    kept = [states[0]]
    for state, event in zip(states[1:], game.events, strict=True):
        if isinstance(event, Standing):
            kept = [states[0]]
        if isinstance(event, Undone):
            kept = [one for one in kept if one.plies <= state.plies] or [state]
        if isinstance(event, _SHOWN):
            kept.append(state)
    if states[-1] != kept[-1]:
        kept.append(states[-1])
    for revision, state in enumerate(kept):
        code = Code.GAME_OVER if state.over else Code.WAITING
        if not state.over and state.position.to_move is None:
            code = Code.ACCEPTED  # every colour has passed, and the end is told next
        shown = Shown(revision, code, edition, game.terms.scoring, game.terms.names, name=game.name)
        yield page(state, shown).to_json()


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
