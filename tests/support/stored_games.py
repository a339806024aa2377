"""Folders of finished games as a table stores them, from records."""

from pathlib import Path

from firmware.game.config import GameConfig
from firmware.game.events import Event, MoveAccepted, NoMovesLeft, Overruled
from firmware.records.course import Course
from firmware.rules.scoring import score
from firmware.rules.variants import default_edition
from firmware.storage.game_files import export_files
from firmware.storage.stored_game import StoredGame
from firmware.storage.wall_clock import TimeOfDay


def store_game(
    folder: Path,
    name: str,
    course: Course,
    names: tuple[str, ...] = (),
    computer: tuple[int, ...] = (),
) -> Path:
    """Writes the files of a game; returns its folder."""
    game = course.final.game
    events: list[Event] = []
    for frame, ply in enumerate(course.plies, 1):
        edition = default_edition(game) if frame == 1 else None
        number = len(events) + 1
        if ply.is_legal:
            events.append(MoveAccepted(frame, frame, number, ply.colour, ply.move, 1.0, 0, edition))
        else:
            violations = ply.before.examine(ply.move.squares, ply.colour)
            events.append(
                Overruled(frame, frame, number, ply.colour, ply.move, violations, 0, edition)
            )
    if course.final.is_over:
        points = tuple(one.advanced for one in score(course.final).colours)
        events.append(NoMovesLeft(len(events) + 1, len(events) + 1, points))
    config = GameConfig(game, names=names, scoring=course.scoring, computer=computer)
    stored = StoredGame(1, config, TimeOfDay("", trusted=False), tuple(events))
    path = folder / name
    path.mkdir(parents=True)
    for file, content in export_files(stored, name).items():
        (path / file).write_bytes(content)
    return path
