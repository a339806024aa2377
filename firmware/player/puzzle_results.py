"""Results of puzzles in the folder of finished games: the best time of each puzzle.

The record of a solved puzzle has its time. Few records have to be replayed: the fastest is examined
first. A file that cannot be read, or tells no solved puzzle, is passed over.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from firmware.records.record import Record
from firmware.records.replay import ReplayedLifting, ReplayedMove, ReplayedSetup, replay
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import Variant
from web.contract.game_folder import RECORD, game_folders, read_game_file


def best_seconds(folder: Path, game: Variant) -> float | None:
    """Returns the least time in seconds in which a puzzle was solved; None if it never was.

    Args:
        folder: the folder of finished games; it may not exist.
        game: the puzzle.
    """
    times = sorted(_times(folder, game))
    return next((seconds for seconds, path in times if _tells_solution(path)), None)


def _times(folder: Path, game: Variant) -> Iterator[tuple[float, Path]]:
    """Yields time and path of the readable records of a puzzle.

    The name of a game's folder ends with its key.
    """
    for one in game_folders(folder):
        record = _record(one / RECORD) if one.name.endswith(f"-{game.key}") else None
        if record is not None and record.game == game and record.seconds is not None:
            yield record.seconds, one / RECORD


def _record(path: Path) -> Record | None:
    with suppress(OSError, RulesError):
        return Record.read(read_game_file(path))
    return None


def _tells_solution(path: Path) -> bool:
    """True if the last board of a record is solved by the rules of its puzzle."""
    record = _record(path)
    if record is None:
        return False
    final = Position.start(record.game)
    with suppress(RulesError):
        for entry in replay(record):
            if isinstance(entry, ReplayedMove | ReplayedLifting | ReplayedSetup):
                final = entry.after
        return is_solved(final)
    return False
