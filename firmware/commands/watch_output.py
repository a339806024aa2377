"""Output of `watch`: lines of events, the record, pictures of the lights, and the summary."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from firmware.commands.event_lines import event_line, summary_line
from firmware.commands.event_sentences import TableNames
from firmware.commands.light_frames import LightFrames
from firmware.commands.main import FAULT
from firmware.commands.progress import Progress
from firmware.errors import report_unwritable
from firmware.game.events import BoardFound, Event
from firmware.records.record import Record
from firmware.records.writer import RecordWriter
from firmware.rules.variants import Edition
from firmware.session.tracker import GameTracker
from vision.reading import SENTENCES


class WatchOutput:
    """Prints and writes what `watch` finds out.

    Args:
        arguments: the command line of `watch`.
        tracker: reader and referee of the first game.
        events: its events so far.
    """

    def __init__(
        self, arguments: argparse.Namespace, tracker: GameTracker, events: Sequence[Event] = ()
    ) -> None:
        self._begun_s: Final = time.perf_counter()
        self._source: Final[Path] = arguments.source
        self._as_json: Final[bool] = arguments.json
        self._path: Final[Path | None] = arguments.record
        folder = arguments.lights
        self._lights: Final = LightFrames(folder, arguments.place) if folder else None
        self._tracker = tracker
        self._found = False
        self._frames = 0
        self._progress: Final = Progress()
        self.begin(tracker)
        for event in events:
            self._record.add(event)
        self.save_record()

    def begin(self, tracker: GameTracker) -> None:
        """Begins another game, and its record."""
        self._tracker = tracker
        game = tracker.state.position.game
        self._record = RecordWriter(Record.new(game, application="Cornerlight"))

    def add_event(self, event: Event, tracker: GameTracker) -> None:
        """Prints an event, and adds it to the record."""
        self._found = self._found or isinstance(event, BoardFound)
        names = TableNames(tracker.state.position, tracker.edition)
        if line := event_line(event, names, as_json=self._as_json):
            self._progress.clear()
            print(line, flush=True)
        self._record.add(event)

    def add_frame(self, number: int, tracker: GameTracker) -> None:
        """Counts a frame, and writes the lights after it."""
        self._frames, self._tracker = number, tracker
        self._progress.show(f"picture {number}")
        if self._lights:
            self._lights.take(number, tracker)

    def save_record(self) -> None:
        """Writes the record so far, if one was asked for.

        Raises:
            UnreadableError: it cannot be written.
        """
        self._progress.clear()
        if self._path:
            _save(self._record.record, self._tracker.edition, self._path)

    def conclude(self) -> int:
        """Prints the summary; returns the exit status."""
        tracker, seconds = self._tracker, time.perf_counter() - self._begun_s
        if tracker.state.position.game.puzzle is not None:
            seconds = self._record.taken_s
        edition, as_json = tracker.edition, self._as_json
        print(summary_line(tracker.state, edition, self._frames, seconds, as_json=as_json))
        if self._found or tracker.cause is None:
            return 0
        print(f"cornerlight watch: {self._source}: {SENTENCES[tracker.cause]}", file=sys.stderr)
        return FAULT


def _save(record: Record, edition: Edition, path: Path) -> None:
    record.name_colours(edition)
    with report_unwritable(path, "the record"):
        path.write_bytes(record.write())
