"""Records without events, such as those of other programs, become games of the folder of games.

Each `.blksgf` file in that folder, or in a folder in it, is shown. A copy of it gets the name
`record.blksgf` in a folder of its own, whose name begins with `000000-` and so sorts before those
of the table's games; where it has this name and a folder already it stays. Events and pages are
written beside it, and from then on it is a game as any other.
"""

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from firmware.errors import UnreadableError, read_file
from firmware.game import events
from firmware.game.config import GameConfig
from firmware.game.state import GameState, apply_event
from firmware.records import replay
from firmware.records.node_properties import RecordedPlacement
from firmware.records.record import Record
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.scoring import score
from firmware.rules.violations import Violation
from firmware.storage.atomic_file import write_whole
from firmware.storage.game_files import export_files
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay
from web.contract.game_folder import EVENTS, GAME_NAME, PAGES, RECORD, game_folders

_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
"""Characters that names of games have no place for; see `GAME_NAME`."""

_LONGEST_NAME: Final = 60
"""Characters of a file's or a person's name that are kept; a game's name has some more."""

_log = logging.getLogger(__name__)


def show_records(folder: Path, known: set[str]) -> None:
    """Makes games of the records in a folder.

    Args:
        folder: the folder of all games; it may not exist yet.
        known: names in it that were looked at before; new ones are added.
    """
    for path in (*sorted(folder.glob("*.blksgf")), *game_folders(folder, known)):
        is_folder = path.is_dir()
        found = [] if path.name in known else [*path.glob("*.blksgf")] if is_folder else [path]
        for record in found:
            words = record.relative_to(folder).with_suffix("").as_posix()
            # Different files may have the same words.
            plain = _NO_NAME.sub("-", words.lower())[:_LONGEST_NAME]
            name = f"{plain}-{crc32(os.fsencode(words)):08x}"
            stays = is_folder and record.name == RECORD and GAME_NAME.fullmatch(path.name)
            game = path if stays else folder / f"000000-{name}"
            known |= {path.name, game.name}
            try:
                _show(record, game)
            except (OSError, RulesError) as error:
                _log.error("%s is not shown: %s", record, error)


def _show(record: Path, game: Path) -> None:
    """Writes the files of a game, unless they exist."""
    if (game / EVENTS).exists() or (game / PAGES).exists():
        return
    if record.is_symlink() or game.is_symlink():
        raise UnreadableError("a link leads elsewhere; copy the record itself")
    data = read_file(record)
    if record.parent != game:
        game.mkdir(exist_ok=True)
        write_whole(game / RECORD, data)
    files = export_files(recorded_game(Record.read(data)), game.name)
    for name in (EVENTS, PAGES):
        write_whole(game / name, files[name])


def recorded_game(record: Record) -> StoredGame:
    """Returns the game of a record.

    An illegal move is refused first, so that its page says why, and then stands if its squares are
    free. The record of a puzzle has the time of its end alone.

    Raises:
        RecordError: a property cannot be read, or the record is longer than any game.
    """
    names = tuple(name[:_LONGEST_NAME] for name in record.names)
    config = GameConfig(record.game, record.edition, names=names, scoring=record.scoring)
    state = GameState(Position.start(record.game))
    told: list[events.Event] = []
    for number, entry in enumerate(replay.replay(record), 1):
        for event in _events(entry, state, events.Moment(number, 0.0)):
            state = apply_event(state, event)
            told.append(event)
    end = events.Moment(len(told) + 1, record.seconds or 0.0)
    if record.game.puzzle is not None and is_solved(state.position):
        told.append(events.Solved(*end))
    elif record.game.puzzle is None and state.position.is_over:
        points = tuple(one.advanced for one in score(state.position).colours)
        told.append(events.NoMovesLeft(*end, points))
    return StoredGame(0, config, TimeOfDay("", trusted=False), tuple(told))


def _events(entry: replay.Entry, state: GameState, moment: events.Moment) -> Iterator[events.Event]:
    match entry:
        case replay.ReplayedMove():
            yield from _move(entry, state, moment)
        case replay.ReplayedRefusal():
            yield from _refusal(entry.attempted, entry.violations, moment)
        case replay.ReplayedPass():
            yield events.Passed(*moment, entry.colour, state.piece_count)
        case replay.ReplayedLifting():
            for colour, move in entry.lifted:
                yield events.Undone(*moment, 0, colour, move)
        case replay.ReplayedSetup():
            # The moves before a set position have no pages, so a turn alone is not set.
            if not state.history or entry.after.laid != state.position.laid:
                yield events.PositionSet(*moment, entry.after)


def _move(
    entry: replay.ReplayedMove, state: GameState, moment: events.Moment
) -> Iterator[events.Event]:
    colour, move, ply = entry.played.colour, entry.move, state.piece_count + 1
    is_laid = move is not None and not move.mask & state.position.occupied
    if not entry.stands or not is_laid:
        yield from _refusal(entry.played, entry.violations, moment)
    if move is None or not is_laid:
        return
    if entry.violations or not state.position.may_lay(colour):
        yield events.Overruled(*moment, ply, colour, move, entry.violations)
    else:
        yield events.MoveAccepted(*moment, ply, colour, move, 1.0)


def _refusal(
    placing: RecordedPlacement, violations: tuple[Violation, ...], moment: events.Moment
) -> Iterator[events.Event]:
    if placing.squares:
        refused = events.MoveRefused(*moment, placing.colour, placing.squares, violations)
        yield from (refused, events.Withdrawn.of(refused, moment))
