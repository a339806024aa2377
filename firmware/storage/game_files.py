"""Creates the files of a finished game, and rebuilds pages from stored events.

Any version of the program reads the events of every version before it. The pages have the format of
one version, and are rebuilt from the events if the format has changed.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from firmware import __version__
from firmware.game.config import GameConfig
from firmware.game.config import from_json as terms_from_json
from firmware.game.config import to_json as terms_to_json
from firmware.game.event_codec import to_json
from firmware.game.events import (
    Event,
    MoveAccepted,
    MoveRefused,
    Overruled,
    Passed,
    PositionSet,
    Undone,
)
from firmware.game.result import sgf_result
from firmware.game.solving_time import SolvingTime
from firmware.game.state import GameState, all_reframed
from firmware.records.record import Record
from firmware.records.writer import RecordWriter
from firmware.rules.errors import NotationError
from firmware.rules.variants import Colour, Edition, default_edition, parse_edition
from firmware.storage.page_builder import PageContext, PuzzleProgress, build_page
from firmware.storage.stored_game import StoredGame, readable_events, terms_without
from firmware.storage.wall_clock import TimeOfDay
from web.contract import ContractError, MoveEntry, Page, RefereeState
from web.contract.game_folder import EVENTS, PAGES, RECORD
from web.contract.person_names import skeleton

_PAGE_EVENTS = (MoveAccepted, Overruled, Passed, PositionSet)
"""Events after which a page is stored; refusals have theirs too."""

_RECORDS: Final = ".blksgf"
"""Suffix of records."""

_PLAYER: Final = re.compile(r'"player":\s*("(?:[^"\\]|\\.)*")')
"""A name in a page of any version."""

_NAMED: Final = re.compile(r"(?<![A-Za-z])(P[BW1-4])\s*\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
"""A name in a record, or the names of a team."""

_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
"""A sign of a record that is no sign of its form."""

_MOST_REFUSALS: Final = 200
"""Refusals of a game that have a page: as many take about 3 MB in Classic."""


def export_files(game: StoredGame, folder: str) -> dict[str, bytes]:
    """Returns the files of a game by name, in the order of writing.

    Args:
        game: the game.
        folder: name of its folder, for the pages.

    Raises:
        IllegalMoveError: the events do not fit each other.
    """
    states = game.states
    edition = _edition(game, states[-1])
    return {
        RECORD: _record(game, states[-1], edition),
        EVENTS: _lines(_event_lines(game, edition)),
        PAGES: _lines(_pages(game, states, edition, folder)),
    }


def content_without(file: str, content: bytes, person: str) -> bytes:
    """Returns the content of a game's file without the name of a person, however it was typed.

    Args:
        file: name of the file: a record, the events, or pages of any version.
        content: its content.
        person: the name.
    """
    try:
        text, encoding = content.decode(), "utf-8"
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "latin-1"  # as records of others are read
    if file == EVENTS:
        begun, end, events = text.partition("\n")
        text = terms_without(begun, person) + end + events
    elif file.endswith(_RECORDS):
        text = _record_without(text, person)
    else:
        key = skeleton(person)
        text = _PLAYER.sub(lambda found: _player_without(found[0], found[1], key), text)
    return text.encode(encoding)


def _player_without(pair: str, typed: str, key: str) -> str:
    with suppress(ValueError):  # of a damaged line
        if skeleton(json.loads(typed)) == key:
            return '"player":""'
    return pair


def _record_without(text: str, person: str) -> str:
    """Returns a record without a name; its teams keep the names of the others."""
    key = skeleton(person)
    typed = {one for _, one in _NAMED.findall(text) if skeleton(_ESCAPE.sub(r"\1", one)) == key}

    def without(found: re.Match[str]) -> str:
        value = found[2]
        for one in typed:
            parted = value.removeprefix(f"{one} & ").removesuffix(f" & {one}")
            value = "" if value == one else parted
        if value == found[2]:
            return found[0]
        return f"{found[1]}[{value}]" if value else ""

    return _NAMED.sub(without, text)


def is_current(last_line: bytes) -> bool:
    """True if pages that end with this line have the format of this version."""
    try:
        Page.from_json(last_line)
    except ContractError:
        return False
    return True


def rebuilt_pages(folder: str, events: bytes) -> tuple[bytes, str]:
    """Rebuilds the pages of a game that this version or an earlier one has stored.

    Args:
        folder: name of the game's folder.
        events: content of `events.jsonl`. The game ends before the first unreadable line.

    Returns:
        The content of `pages.jsonl`, and the reason why the events end early, a clause that names
        the line; empty if they are complete.

    Raises:
        ValueError: no move can be read; the message is a clause that names the line.
    """
    lines, fault = _tables(events)
    if not lines:
        raise NotationError(fault or "there are no events")
    begun = lines[0]
    config = terms_from_json(begun)
    when = TimeOfDay(str(begun.get("begun", "")), begun.get("clock_was_set") is True)
    readings = (readable_events(lines[1:], config, edition) for edition in _editions(lines, config))
    read, why = max(readings, key=lambda reading: len(reading[0]))
    if why:
        fault = f"line {len(read) + 2} cannot be read: {why}"
    game = StoredGame(0, config, when, read)
    states = game.states
    if fault and not any(state.piece_count for state in states):
        raise NotationError(fault)
    edition = _edition(game, states[-1])
    return _lines(_pages(game, states, edition, folder, whole=not fault)), fault


def _tables(events: bytes) -> tuple[list[Mapping[str, Any]], str]:
    """Parses the lines up to the first unreadable one; returns them and the reason."""
    tables: list[Mapping[str, Any]] = []
    for number, line in enumerate(events.splitlines(), 1):
        try:
            table = json.loads(line)
        except (ValueError, RecursionError) as error:
            return tables, f"line {number} is not JSON: {error}"
        if not isinstance(table, Mapping):
            return tables, f"line {number} is not a table of keys and values"
        tables.append(table)
    return tables, ""


def _editions(lines: list[Mapping[str, Any]], config: GameConfig) -> Iterator[Edition]:
    """Yields the names that the colours may have in a file, the likeliest first."""
    for line in reversed(lines):
        with suppress(KeyError, NotationError):
            yield parse_edition(line["edition"], len(config.game.colours))
            break
    yield config.edition or default_edition(config.game)


def _edition(game: StoredGame, last: GameState) -> Edition:
    return last.edition or game.config.edition or default_edition(game.config.game)


def _record(game: StoredGame, last: GameState, edition: Edition) -> bytes:
    record = Record.new(
        game.config.game,
        edition=edition,
        scoring=game.config.scoring,
        names=game.config.names,
        date=game.begun.date,
        application=f"Cornerlight:{__version__}",
    )
    if any(game.config.computer):
        record.name_computer(game.config.computer, game.config.seed)
    pace = game.config.pace
    if pace.is_timed:
        step = f"{pace.step_s:g} {pace.timing.value}" if pace.step_s else ""
        record.limit_time(pace.clock_s, step)
    transcript = RecordWriter(record)
    for event in game.events:
        transcript.add(event)
    if result := sgf_result(last, game.config.scoring):
        record.finish(result)
    return record.write()


def _event_lines(game: StoredGame, edition: Edition) -> Iterator[str]:
    settings = terms_to_json(game.config)
    begun = {"begun": game.begun.text, "clock_was_set": game.begun.trusted}
    yield json.dumps({"event": "begun", **settings, **begun})
    for event in game.events:
        yield json.dumps(to_json(event, game.config.game.size, edition))


@dataclass(frozen=True, slots=True)
class _Step:
    """A moment of a game that has a page: a state, and the event that led to it, if one did.

    `taken_s` are the seconds that a puzzle has taken until then.
    """

    state: GameState
    event: Event | None = None
    taken_s: float = 0.0


def _pages(
    game: StoredGame,
    states: list[GameState],
    edition: Edition,
    folder: str,
    *,
    whole: bool = True,
) -> Iterator[str]:
    """Yields pages of the empty board, of each placement, pass and refusal, and of the end.

    What was undone has no page; in a puzzle, refusals have none either.
    """
    plies = {
        event.frame: state.piece_count for state, event in zip(states[1:], game.events, strict=True)
    }
    passes: list[MoveEntry] = []
    for revision, step in enumerate(_steps(game, states, edition)):
        event, label = step.event, ""
        if isinstance(event, Passed):
            passes.append(MoveEntry(event.after_ply, event.colour))
        elif event is not None:
            label = evidence_label(event, plies[event.frame])
        context = PageContext(
            _code(step),
            edition,
            game.config.scoring,
            game.config.names,
            puzzle=PuzzleProgress(taken_s=step.taken_s),
        )
        page = build_page(step.state, context)
        moves = sorted((*page.moves, *passes), key=lambda move: (move.ply, not move.piece))
        page = replace(
            page,
            revision=revision,
            moves=tuple(moves),
            whole=whole,
            name=folder,
            evidence=label,
        )
        yield page.to_json()


def _steps(game: StoredGame, states: list[GameState], edition: Edition) -> list[_Step]:
    begin, last = states[0], states[-1]
    if game.config.game.puzzle is not None:
        return _puzzle_steps(game, begin, last)
    steps, refusals = [_Step(begin)], 0
    for state, event in zip(states[1:], game.events, strict=True):
        if isinstance(event, PositionSet):
            steps = [_Step(begin)]
        if isinstance(event, Undone):
            steps = [one for one in steps if one.state.piece_count <= state.piece_count] or [
                _Step(state)
            ]
        if isinstance(event, MoveRefused):
            refusals += 1
            settled = all_reframed(state, (last.turned or 0, edition), settled=True)
            # In the frame that was found later a piece may break no rule.
            refused = tuple(one for one in settled.refused if one.violations)
            if refusals <= _MOST_REFUSALS and settled.refused[-1].violations:
                steps.append(_Step(replace(settled, refused=refused), event))
        elif isinstance(event, _PAGE_EVENTS):
            steps.append(_Step(state, event))
    if last != steps[-1].state:
        steps.append(_Step(last))
    return steps


def _puzzle_steps(game: StoredGame, begin: GameState, last: GameState) -> list[_Step]:
    """Returns the steps to the last board, without the pieces that were lifted on the way."""
    time, taken_s = SolvingTime(), 0.0
    laid: dict[tuple[Colour, int], tuple[MoveAccepted | Overruled, float]] = {}
    newest: dict[int, Event] = {}
    for event in game.events:
        time = time.after(event)
        taken_s = time.seconds(event.time)
        if isinstance(event, MoveAccepted | Overruled):
            laid[event.colour, event.move.mask] = event, taken_s
            newest[event.ply] = event
    steps = [_Step(begin)]
    for number, ply in enumerate(last.history, 1):
        position = ply.before.put(ply.move, ply.colour)
        state = replace(begin, position=position, history=last.history[:number], begun=True)
        event, at_s = laid[ply.colour, ply.move.mask]
        # The pictures of a placement are those of the last one with its number.
        steps.append(_Step(state, event if newest[event.ply] is event else None, at_s))
    return [*steps, _Step(last, None, taken_s)] if last.over or len(steps) == 1 else steps


def _code(step: _Step) -> RefereeState:
    """Returns the state of the referee that the page of a step shows."""
    state = step.state
    if isinstance(step.event, MoveRefused):
        return RefereeState.REFUSED
    if state.over:
        return RefereeState.GAME_OVER
    if state.possible_turns:
        return RefereeState.UNSURE
    # Every colour may have passed, and the end follows.
    return RefereeState.ACCEPTED if state.position.to_move is None else RefereeState.WAITING


def evidence_label(event: Event, plies: int) -> str:
    """Returns the name of the pictures of a decision, without `-before.jpg` or `-after.jpg`.

    Args:
        event: the decision. A placement has its number; any other event the number of the last
            placement, its own name and its frame.
        plies: accepted pieces after all events of its frame.
    """
    if isinstance(event, MoveAccepted | Overruled):
        return f"{event.ply:04}"
    return f"{plies:04}-{event.name}-{event.frame:06}"


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
