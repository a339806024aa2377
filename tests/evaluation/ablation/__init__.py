"""Trial: the effect of each part of the reader, switched off in turn.

`python -m tests.evaluation ablation --data FOLDER` reads a fixed set of pictures and recordings
with everything, then without each part, and prints for each row the squares wrong and left open,
the differences from reading with everything with their 95 % intervals, and the CPU time. A part
earns nothing if both intervals include 0.

With everything each picture is read twice, the second time to see which parts act on it; without a
part only those are read on which it acts, as the others come out the same. It continues where it
stopped. `--whole` reads every picture in the folders and `--rendered N` boards that are drawn by
seed, for the parts with the smallest effect; `--part` names some of them. More pictures are traced
by `python -m tests.training tracing --positions N --seed SEED --to FOLDER/renders/positions`.

parts     the parts, and what stands in the place of each when it is switched off
subject   pictures and recordings: the fixed subset, or all
rows      results without each part, stored in a file, and their intervals
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from tests.evaluation.ablation.parts import PARTS, observed, without
from tests.evaluation.ablation.rows import EVERYTHING, Results, heading, line
from tests.evaluation.ablation.subject import Subject, subjects


def main(words: Sequence[str]) -> None:
    """Reads what is missing, and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation ablation")
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--to", type=Path, default=Path("ablation.jsonl"), metavar="FILE")
    parser.add_argument("--whole", action="store_true", help="all pictures, not the fixed subset")
    parser.add_argument("--rendered", type=int, default=0, metavar="N", help="boards to draw")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    read = subjects(arguments.data, arguments.rendered, whole=arguments.whole)
    results, names = Results(arguments.to), [subject.name for subject in read]
    for name in (EVERYTHING, *arguments.part):
        for number, subject in enumerate(read):
            if not results.is_known(name, subject.name):
                print(f"without {name}: {number + 1} of {len(read)}", file=sys.stderr)  # noqa: T201
                _read(name, subject, results)
    print(heading())  # noqa: T201
    for name in (EVERYTHING, *arguments.part):
        print(line(name, results, names), flush=True)  # noqa: T201


def _read(name: str, subject: Subject, results: Results) -> None:
    with without(name):
        counts = subject.read()
    if name != EVERYTHING:
        results.add(name, subject.name, counts)
        return
    with observed() as acting:
        assert subject.read()[:2] == counts[:2], f"{subject.name}: read twice, with two results"
    results.add(name, subject.name, counts, PARTS.keys() - acting)
