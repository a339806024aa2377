"""Faults, each put into a copy of the tree by itself, and the tests that have to catch it.

    python -m tests.evaluation faults                 # all, about six minutes
    python -m tests.evaluation faults storage lights  # those of these rooms
    python -m tests.evaluation faults "own side"      # those with these words in their names

The named tests pass in the unchanged copy, and one of them fails with the fault. A fault that is
not caught is a hole in the tests. Where the text of a fault is no longer in its file, the fault is
to be put into the new code.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
"""The tree that is copied."""

_LONGEST_S: Final = 300.0
"""Seconds after which tests that hang because of a fault have caught it."""


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A fault.

    Attributes:
        name: what goes wrong, a short sentence.
        file: the file from the root of the tree.
        text: a text that is in the file once.
        instead: the text in its place.
        tests: file of the tests that catch it, below `tests/`.
    """

    name: str
    file: str
    text: str
    instead: str
    tests: str

    @property
    def trouble(self) -> str:
        """One sentence if the text is not in its file once; else empty."""
        path = _ROOT / self.file
        times = path.read_text().count(self.text) if path.is_file() else 0
        return "" if times == 1 else f"{self.text!r} is {times} times in {self.file}; name another"


FAULTS: Final[dict[str, tuple[PlantedFault, ...]]] = {
    "rules": (
        PlantedFault(
            "a square beyond the right edge is a neighbour",
            "firmware/rules/board.py",
            "column + right < size",
            "column + right <= size",
            "firmware/rules/test_board.py",
        ),
        PlantedFault(
            "a corner neighbour shares an edge",
            "firmware/rules/board.py",
            "((-1, -1), (-1, 1), (1, -1), (1, 1))",
            "((-1, 0), (-1, 1), (1, -1), (1, 1))",
            "firmware/rules/test_board.py",
        ),
        PlantedFault(
            "the last row has no placements",
            "firmware/rules/board.py",
            "rows = size - max(row for row, _ in shape)",
            "rows = size - max(row for row, _ in shape) - 1",
            "firmware/rules/test_board.py",
        ),
        PlantedFault(
            "a piece may touch its own side",
            "firmware/rules/position.py",
            "barred[colour] |= board.covering_any(",
            "barred[colour - 1] |= board.covering_any(",
            "firmware/rules/test_position.py",
        ),
        PlantedFault(
            "a piece may be laid twice",
            "firmware/rules/position.py",
            "barred[colour] |= board.of_piece[move.piece.index]",
            "barred[colour] |= 0",
            "firmware/rules/test_position.py",
        ),
        PlantedFault(
            "a colour that passes after the last one is not named",
            "firmware/rules/position.py",
            "(self.to_move - self.turn) % count",
            "self.to_move - self.turn",
            "firmware/rules/test_position_engine_games.py",
        ),
        PlantedFault(
            "a covered starting square may be covered again",
            "firmware/rules/position.py",
            '(",".join(names))) & ~self.occupied',
            '(",".join(names)))',
            "firmware/rules/test_legality.py",
        ),
        PlantedFault(
            "a puzzle by size takes any piece first",
            "firmware/rules/legality.py",
            "{position.largest_in_hand} if puzzle.by_size else puzzle.sizes",
            "puzzle.sizes",
            "firmware/referee/test_referee_puzzles.py",
        ),
        PlantedFault(
            "the bonus is for the single square that is laid first",
            "firmware/rules/scoring.py",
            "MONOMINO_LAST_BONUS * (laid[-1]",
            "MONOMINO_LAST_BONUS * (laid[0]",
            "firmware/rules/test_scoring.py",
        ),
        PlantedFault(
            "most squares in hand win",
            "firmware/rules/scoring.py",
            "best = min(side.basic",
            "best = max(side.basic",
            "firmware/rules/test_scoring.py",
        ),
        PlantedFault(
            "a move taken back keeps its increment",
            "firmware/game/clock.py",
            "credited(person, -1)",
            "credited(person, 1)",
            "firmware/game/test_clock.py",
        ),
        PlantedFault(
            "a move taken back stays in the history",
            "firmware/game/state.py",
            "return history[-1].before, history[:-1]",
            "return history[-1].before, history",
            "firmware/game/test_events.py",
        ),
        PlantedFault(
            "a side whose time ran out may win",
            "firmware/game/result.py",
            "(state.timed_out if how is EndReason.TIME",
            "(state.timed_out if how is EndReason.SCORE",
            "firmware/game/test_result.py",
        ),
        PlantedFault(
            "a bracket in a name ends the property",
            "firmware/records/sgf.py",
            '.replace("]", "\\\\]")',
            "",
            "firmware/records/test_sgf.py",
        ),
        PlantedFault(
            "the shared colour of a record counts from 0",
            "firmware/records/record.py",
            "str((game.shared or 0) + 1)",
            "str(game.shared or 0)",
            "firmware/records/test_record.py",
        ),
    ),
    "referee": (
        PlantedFault(
            "one frame decides",
            "firmware/referee/steadiness.py",
            "if len(self._frames) < _CLEAR_FRAMES",
            "if not self._frames",
            "firmware/referee/test_steadiness.py",
        ),
        PlantedFault(
            "a board is judged under a moving hand",
            "firmware/referee/steadiness.py",
            "now - self._touched < _QUIET_S",
            "now < self._touched",
            "firmware/referee/test_steadiness.py",
        ),
        PlantedFault(
            "a faint piece is refused",
            "firmware/referee/adjudication.py",
            "_FAINT: Final = 3.5",
            "_FAINT: Final = -9.0",
            "firmware/referee/test_decision_refusing.py",
        ),
        PlantedFault(
            "two pieces that exclude each other are decided by chance",
            "firmware/referee/puzzle_pieces.py",
            "contested.update([one, *excluded])",
            "contested.update([])",
            "firmware/referee/test_puzzle_pieces_any_order.py",
        ),
        PlantedFault(
            "a piece that lies askew is refused at once",
            "firmware/referee/grace_periods.py",
            "_STRAIGHTEN_S: Final = 2.5",
            "_STRAIGHTEN_S: Final = 0.0",
            "firmware/referee/test_grace_periods.py",
        ),
        PlantedFault(
            "a shadow makes a piece missing at once",
            "firmware/referee/grace_periods.py",
            "_INCOMPLETE_S: Final = 4.0",
            "_INCOMPLETE_S: Final = 0.0",
            "firmware/referee/test_grace_periods.py",
        ),
        PlantedFault(
            "two sets on one table are taken for a misread board",
            "firmware/referee/misreadings.py",
            "_SETS: Final = 2",
            "_SETS: Final = 1",
            "firmware/referee/test_misreadings.py",
        ),
        PlantedFault(
            "an undo leaves the move of the person",
            "firmware/referee/arbiter_rulings.py",
            "by_person[::-1].index(True) + 1 if",
            "max(1, by_person[::-1].index(True)) if",
            "integration/test_computer_seats.py",
        ),
        PlantedFault(
            "a colour passes again and again",
            "firmware/referee/arbiter_rulings.py",
            "if colour not in state.passed",
            "if colour is not None",
            "firmware/referee/test_referee_whole_games.py",
        ),
        PlantedFault(
            "a piece on another may stand",
            "firmware/referee/arbiter_rulings.py",
            "if move.mask & position.occupied:\n        raise",
            "if not move.mask:\n        raise",
            "firmware/referee/test_arbiter_rulings.py",
        ),
        PlantedFault(
            "a piece is taken back where only the arbiter may",
            "firmware/referee/decision.py",
            "self._takeback is Takeback.ARBITER or",
            "",
            "firmware/referee/test_known_pieces.py",
        ),
        PlantedFault(
            "a hidden move makes the next one wrong",
            "firmware/referee/decision.py",
            "[one for one in judgement.refused if one not in early]",
            "list(judgement.refused)",
            "firmware/referee/test_static_occlusion.py",
        ),
        PlantedFault(
            "an illegal piece takes the place of the last one",
            "firmware/referee/known_pieces.py",
            "one.move != seen and mapping.to_game(one.move) in legal",
            "one.move != seen",
            "firmware/referee/test_known_pieces_exchanged.py",
        ),
        PlantedFault(
            "a first piece is taken for a printed mark",
            "firmware/referee/false_pieces.py",
            "one.move.piece.size == 1 and",
            "",
            "firmware/referee/test_orientation.py",
        ),
        PlantedFault(
            "a lifted piece of a puzzle may leave others without a corner",
            "firmware/referee/puzzle_pieces.py",
            "not _faults(rest) <= _faults(position)",
            "not _faults(rest)",
            "firmware/referee/test_puzzle_pieces_lifted.py",
        ),
    ),
    "storage": (
        PlantedFault(
            "the checksum of a line is not compared",
            "firmware/storage/journal_rows.py",
            "seal(identity, [body]) != sealed",
            "not sealed",
            "firmware/storage/test_journal_rows.py",
        ),
        PlantedFault(
            "a move is shown before the disk has it",
            "firmware/storage/journal_files.py",
            "os.fdatasync(journal)",
            "os.fstat(journal)",
            "firmware/storage/test_journal_files.py",
        ),
        PlantedFault(
            "the copy of the journal gets no moves",
            "firmware/storage/journal_files.py",
            "_write_all(copy, added, self._end)",
            "os.ftruncate(copy, self._end + len(added))",
            "firmware/storage/test_journal_files.py",
        ),
        PlantedFault(
            "a damaged journal is overwritten",
            "firmware/storage/journal_files.py",
            "self._damaged = bool(why)",
            "self._damaged = False",
            "firmware/storage/test_journal.py",
        ),
        PlantedFault(
            "two tables write to one journal",
            "firmware/storage/run_folder.py",
            "fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)",
            "fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)",
            "firmware/storage/test_journal.py",
        ),
        PlantedFault(
            "a journal cut cleanly is taken for a whole one",
            "firmware/storage/journal_files.py",
            '"its end is missing" if newest > found.serial',
            '"its end is missing" if newest < found.serial',
            "firmware/storage/test_journal.py",
        ),
        PlantedFault(
            "a refused write counts as saved",
            "firmware/storage/journal.py",
            "return not self._pending and self._written == self._wanted",
            "return True",
            "firmware/storage/test_journal.py",
        ),
        PlantedFault(
            "a renamed file may be empty after a power cut",
            "firmware/storage/atomic_file.py",
            "            os.fsync(file.fileno())\n",
            "",
            "firmware/storage/test_atomic_file.py",
        ),
        PlantedFault(
            "a recording fills the disk",
            "firmware/storage/session_recorder.py",
            ".free < self._least_free",
            ".free < 0",
            "firmware/storage/test_session_recorder.py",
        ),
        PlantedFault(
            "pictures of one game take any space",
            "firmware/storage/archive.py",
            "len(jpeg) > self._room[game]",
            "len(jpeg) < 0",
            "firmware/storage/test_archive.py",
        ),
    ),
    "lights": (
        PlantedFault(
            "red and green are swapped on the wire",
            "firmware/drivers/pixel_order.py",
            '"RGB".index(letter) for letter in order',
            '"RGB".index(letter) for letter in "RGB"',
            "firmware/drivers/test_interfaces.py",
        ),
        PlantedFault(
            "the last packet of a frame does not show it",
            "firmware/drivers/wled.py",
            "_PUSH if start == starts[-1]",
            "_PUSH if start == starts[0]",
            "firmware/drivers/test_wled.py",
        ),
        PlantedFault(
            "a button that bounces is pressed twice",
            "firmware/drivers/gpio_buttons.py",
            "BOUNCE_S: Final = 0.02",
            "BOUNCE_S: Final = 0.0",
            "firmware/drivers/test_gpio_buttons.py",
        ),
        PlantedFault(
            "a strip that failed is not opened again",
            "firmware/drivers/reopened_strip.py",
            "strip, self._strip = self._strip, None\n            strip.close()",
            "self._strip.close()",
            "firmware/drivers/test_reopened_strip.py",
        ),
        PlantedFault(
            "the setting of the brightness is ignored",
            "firmware/lights/led_display.py",
            "brightness = self._brightness() * ramp",
            "brightness = ramp",
            "firmware/lights/test_led_display.py",
        ),
        PlantedFault(
            "the lights stay on while the camera looks",
            "firmware/lights/led_display.py",
            "wanted = {} if dark else at(scene, now)",
            "wanted = at(scene, now)",
            "firmware/lights/test_led_display.py",
        ),
        PlantedFault(
            "a turned board is lit the other way round",
            "firmware/lights/led_display.py",
            "np.rot90(board, turned // 90)",
            "np.rot90(board, -turned // 90)",
            "firmware/lights/test_led_display.py",
        ),
        PlantedFault(
            "the strip takes more than its supply gives",
            "firmware/lights/power_budget.py",
            "max(0.0, self.limit_ma - dark) / lit",
            "self.limit_ma / lit",
            "firmware/lights/test_power_budget.py",
        ),
        PlantedFault(
            "the lights flash six times a second",
            "firmware/lights/flash_limiter.py",
            "MOST: Final = 3",
            "MOST: Final = 6",
            "firmware/lights/test_led_display.py",
        ),
        PlantedFault(
            "every second row of the chain is not the one that runs back",
            "firmware/lights/led_layout.py",
            "if self.serpentine and line % 2:",
            "if self.serpentine and not line % 2:",
            "firmware/lights/test_led_layout.py",
        ),
    ),
    "page": (
        PlantedFault(
            "watchers see what is for arbiters",
            "web/contract/page.py",
            "return replace(self, private=None, pictures=pictures)",
            "return replace(self, pictures=pictures)",
            "web/views/test_arbiter.py",
        ),
        PlantedFault(
            "every phone may see the camera",
            "web/views/live.py",
            "is PictureAudience.EVERYBODY or knows(news, context.phones.token)",
            "is not PictureAudience.NOBODY",
            "web/views/test_live.py",
        ),
        PlantedFault(
            "any token is that of a paired phone",
            "web/known_phones.py",
            "news.phones is not None and news.phones.knows(token)",
            "news.phones is not None",
            "web/views/test_arbiter.py",
        ),
        PlantedFault(
            "the table takes commands of any phone",
            "firmware/session/command_gate.py",
            "(request.token):\n            return RefusalReason",
            "(request.token) and False:\n            return RefusalReason",
            "firmware/session/test_command_gate.py",
        ),
        PlantedFault(
            "any phone gets the number of the camera",
            "firmware/session/command_gate.py",
            "(request.token):\n            return Reply",
            "(request.token) and False:\n            return Reply",
            "firmware/session/test_command_gate.py",
        ),
        PlantedFault(
            "a form of another site is taken",
            "web/request_guard.py",
            " and parts.netloc.lower() == host.lower()",
            "",
            "web/test_request_guard.py",
        ),
        PlantedFault(
            "the page is served under a name of another site",
            "web/request_guard.py",
            'or "." not in name',
            'or "." in name',
            "web/test_request_guard.py",
        ),
        PlantedFault(
            "a sender has no limit",
            "web/rate_limit.py",
            "self.level -= 1.0",
            "self.level -= 0.0",
            "web/test_rate_limit.py",
        ),
        PlantedFault(
            "spectators have no delay",
            "web/hall/history.py",
            "recording.shown(now - delay_s)",
            "recording.shown(now)",
            "web/hall/test_spectators.py",
        ),
        PlantedFault(
            "a listener gets the page of a table that stands",
            "firmware/session/feed_server.py",
            '(0, b""))[0] <= self._since',
            '(0, b""))[0] < 0',
            "firmware/session/test_feed_server.py",
        ),
        PlantedFault(
            "a shared colour has points",
            "firmware/storage/page_builder.py",
            "counts = colour != position.game.shared and",
            "counts = points is not None and",
            "firmware/storage/test_page_builder.py",
        ),
    ),
}
"""The faults by room."""


def _copied(folder: Path) -> None:
    """Copies all files that git has or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (_ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(_ROOT / name, folder / name)


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a copy, which imports its own modules before any that are installed."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=_LONGEST_S,
        check=False,
    )


def _fails(folder: Path, tests: Iterable[str]) -> str:
    """Returns the last line of tests of which one fails; empty if all pass."""
    paths = [f"tests/{name}" for name in tests]
    try:
        done = _run(folder, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *paths)
    except subprocess.TimeoutExpired:
        return f"no end within {_LONGEST_S:.0f} s"
    last = (done.stdout.splitlines() or done.stderr.splitlines() or ["no output"])[-1]
    return last if done.returncode else ""


def _judged(fault: PlantedFault, folder: Path) -> str:
    """Returns empty text for a fault that is caught in a copy, else one sentence on it."""
    if trouble := fault.trouble:
        return trouble
    path = folder / fault.file
    before = path.read_text()
    path.write_text(before.replace(fault.text, fault.instead))
    try:
        found = _fails(folder, [fault.tests])
    finally:
        path.write_text(before)
    return "" if found else f"tests/{fault.tests} does not catch it"


def trial(chosen: Sequence[PlantedFault]) -> Iterator[tuple[PlantedFault, str]]:
    """Yields each fault, and empty text if it is caught, else one sentence on it.

    Raises:
        RuntimeError: the tests fail without a fault.
    """
    with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
        folder = Path(name).resolve()
        _copied(folder)
        origin = _run(folder, "-c", "import firmware; print(firmware.__file__)").stdout
        if not origin.startswith(str(folder)):
            raise RuntimeError(f"the copy imports {origin.strip()}, which is not its own")
        if failed := _fails(folder, sorted({fault.tests for fault in chosen})):
            raise RuntimeError(f"the tests do not pass without a fault: {failed}")
        for fault in chosen:
            yield fault, _judged(fault, folder)


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation faults")
    parser.add_argument("words", nargs="*", help="rooms, or words of names of faults")
    wanted = parser.parse_args(words).words
    chosen = [
        fault
        for room, faults in FAULTS.items()
        for fault in faults
        if not wanted or any(word == room or word in fault.name for word in wanted)
    ]
    caught = 0
    for fault, trouble in trial(chosen):
        caught += not trouble
        print(f"{fault.name}: {trouble or 'caught'}", flush=True)  # noqa: T201
    print(f"{caught} of {len(chosen)} faults are caught")  # noqa: T201
