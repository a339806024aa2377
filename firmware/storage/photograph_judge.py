"""Judges a photograph that a phone sends to the page, by `read` in a process of its own.

The page serves phones meanwhile. The process has the lowest priority, little memory and few
seconds, because the same computer may referee a game.
"""

import json
import logging
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final

from firmware.rules.variants import GAMES, LETTERS
from firmware.storage.page_builder import ink_of, tray_of
from vision.io.image_header import ImageFormat, format_of, header_of
from web import contract

_READ: Final = (sys.executable, "-m", "firmware", "read", "--json")
"""Command that reads the picture in a file."""

_LONGEST_S: Final = 9.0
"""Seconds for the process, so that a phone has its answer within 10."""

_MOST_PIXELS: Final = 1600 * 1600
"""Pixels of a photograph: `judge.js` makes each side 1600 at most."""

_MEMORY: Final = 220_000_000
"""Bytes of data of the process, which has 60 MB of libraries besides; it needs 200 MB, of which it
touches 75."""

_LOWEST: Final = 19
"""Least priority of a process (setpriority(2))."""

_log = logging.getLogger(__name__)


class PhotographJudge:
    """Judges photographs, one at a time.

    Args:
        command: command that reads the picture in a file, which is its last word.
    """

    def __init__(self, command: Sequence[str] = _READ) -> None:
        self._command: Final = command
        self._busy: Final = Lock()

    def judge(self, photograph: bytes) -> contract.Page | str:
        """Returns the page of the position in a JPEG, else the key of the text that says why not.

        The page has pieces that break a rule as refused ones, and squares that are unsure in its
        state. Its squares are those of the picture, so that it has no starting squares.
        """
        if not self._busy.acquire(blocking=False):
            return "photograph.busy"
        try:
            return _fault(photograph) or self._judged(photograph)
        except (OSError, ValueError, LookupError, TypeError) as error:
            _log.warning("a photograph was not judged: %s", error)
            return "photograph.failed"
        finally:
            self._busy.release()

    def _judged(self, photograph: bytes) -> contract.Page | str:
        with TemporaryDirectory() as folder:
            path = Path(folder, "still.jpg")
            path.write_bytes(photograph)
            with subprocess.Popen(  # noqa: S603
                [*self._command, str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Each more thread takes memory, and time of those who play.
                env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            ) as process:
                _limit(process.pid)
                try:
                    printed = process.communicate(timeout=_LONGEST_S)[0]
                except subprocess.TimeoutExpired:
                    process.kill()
                    return "photograph.slow"
        if not printed:
            raise OSError(f"it ended with {process.returncode}")
        return _understood(json.loads(printed))


def _fault(photograph: bytes) -> str:
    """Returns the key of the text that says why a file is not even read; empty if it is."""
    header = None
    with suppress(ValueError):  # its header is damaged
        if format_of(photograph) is ImageFormat.JPEG:
            header = header_of(photograph)
    if header is None:
        return "photograph.damaged"
    return "photograph.too-large" if header.pixels > _MOST_PIXELS else ""


def _limit(process: int) -> None:
    """Limits a process that has just begun, as far as the system lets this one."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, _LOWEST)
    if sys.platform == "linux":
        seconds = int(_LONGEST_S) + 1  # it ends too if this process is killed
        for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_DATA, _MEMORY)):
            with suppress(OSError):
                resource.prlimit(process, kind, (most, most))
        with suppress(OSError):
            Path(f"/proc/{process}/oom_score_adj").write_text("1000", encoding="ascii")


def _understood(line: dict[str, Any]) -> contract.Page | str:
    """Returns the page of a line of `read --json`, or the key of a text."""
    if not line["found"]:
        return f"board-failures.{line['code']}" if line.get("code") else "photograph.implausible"
    if not line["plausible"]:
        return "photograph.implausible"
    size, names, game = line["size"], list(line["score"]), GAMES[line["game"]]

    def squares(cells: Sequence[str]) -> tuple[contract.Square, ...]:
        return tuple((size - int(cell[1:]), ord(cell[0]) - ord("a")) for cell in cells)

    def colour(name: str, points: int | None) -> contract.Colour:
        used = {one["piece"] for one in line["pieces"] if one["color"] == name}
        left = tuple(piece for piece in tray_of(game) if piece.name not in used)
        return contract.Colour(name, LETTERS[name], ink_of(name), score=points, left=left)

    pieces = [
        contract.BoardPiece(names.index(one["color"]), squares(one["cells"]))
        for one in line["pieces"]
    ]
    refused = []
    for one in line["problems"]:
        index, at = names.index(one["color"]), squares(one["squares"])
        reason = contract.ViolationEntry(contract.Rule(one["rule"]), at, squares(one["against"]))
        refused.append(contract.RefusedPiece(index, at, (reason,)))
        pieces.append(contract.BoardPiece(index, at, contract.Mark.REFUSED))
    return contract.Page(
        revision=0,
        title=game.title,
        size=size,
        colours=tuple(colour(*one) for one in line["score"].items()),
        sides=tuple(contract.Side((i,), line["score"][name]) for i, name in enumerate(names)),
        state=contract.RefereeStatus(contract.RefereeState.UNSURE, squares=squares(line["unsure"])),
        pieces=tuple(pieces),
        refused=tuple(refused),
    )
