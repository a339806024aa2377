"""Trial: damaged input files, each of which must be read, or refused in one sentence.

`python -m tests.evaluation file_fuzz --seconds 600` damages pictures, videos, recordings,
calibrations, settings, records and the folder of a table, and passes each to the command that
reads it, in a process of its own whose memory and processor time are measured. Pipes, devices,
links and files without an end take the places of files. A fault is a traceback, a crash, a run
that does not end, a refusal of more than one line, a change outside the folder, or more than
300 MB or 10 s; with `--keep` the files of each fault are stored. `--kind` selects one kind.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation.file_fuzz import kept, odd, pictures, recordings, texts
from tests.evaluation.file_fuzz.case import FuzzCase
from tests.support.bounded_runs import CompletedRun, runner

KINDS: dict[str, Callable[[random.Random], FuzzCase]] = {
    "pictures": pictures.picture,
    "bare boards": pictures.bare_board,
    "videos": recordings.video,
    "recordings": recordings.folder,
    "calibrations": texts.calibration,
    "settings": texts.settings,
    "records": texts.record,
    "odd places": odd.read,
    "odd outputs": odd.write,
    "kept games": kept.games,
    "tables": kept.state,
}
"""Generators of damaged files, by kind."""


@dataclass
class FuzzTally:
    """Results of the files of a kind.

    Attributes:
        read: number of files that were read, with any result.
        refused: number of files that were refused.
        peak: peak memory of a file, in bytes.
        seconds: longest processor time of a file.
        faults: sentences on the faults.
    """

    read: int = 0
    refused: int = 0
    peak: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, run: CompletedRun, fault: str) -> None:
        """Counts one run, with the sentence on its fault if it has one."""
        self.read += run.status in {0, 1}
        self.refused += run.status == 2
        self.peak = max(self.peak, run.peak)
        self.seconds = max(self.seconds, run.seconds)
        if fault:
            self.faults.append(fault)


def fuzz(
    kinds: Sequence[str], seeds: Iterator[int], keep: Path | None = None
) -> dict[str, FuzzTally]:
    """Damages files of each kind in turn, one for each seed, and runs their commands."""
    tallies = {kind: FuzzTally() for kind in kinds}
    with runner() as running:
        for seed in seeds:
            for kind, tally in tallies.items():
                case = KINDS[kind](random.Random(f"{kind} {seed}"))  # noqa: S311
                with tempfile.TemporaryDirectory(prefix="cornerlight-") as name:
                    run = running.run(case.put_into(Path(name)))
                    fault = run.fault or case.escape_from(Path(name))
                tally.add(run, fault)
                if fault:
                    print(f"{kind} {seed}: {fault}", flush=True)  # noqa: T201
                    if keep is not None:
                        case.put_into(keep / f"{kind}-{seed}")
    return tallies


def _until(seconds: float, first: int) -> Iterator[int]:
    """Yields numbers from the first one until the time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield first
        first += 1


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the results."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation file_fuzz")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first file of each kind")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="folder for files with faults")
    chosen = parser.parse_args(words)
    tallies = fuzz(chosen.kind or [*KINDS], _until(chosen.seconds, chosen.seed), chosen.keep)
    for kind, tally in tallies.items():
        print(  # noqa: T201
            f"{kind:12} {tally.read:6d} read, {tally.refused:6d} refused; at most "
            f"{tally.peak / 1e6:4.0f} MB and {tally.seconds:5.2f} s; {len(tally.faults)} faults"
        )
    if any(tally.faults for tally in tallies.values()):
        raise SystemExit(1)
