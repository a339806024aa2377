"""Trial: the effect of each part of the reader, switched off in turn.

`python -m tests.evaluation ablation --data FOLDER` reads a fixed set of pictures and recordings
with everything, then without each part, and prints for each row the squares wrong and left open,
the differences from reading with everything with their 95 % intervals, and the CPU time. A part
earns nothing if both intervals include 0. It continues where it stopped; `--whole` reads every
picture in the folder, for the parts with the smallest effect, and `--part` names some of them.

parts     the parts, and what stands in the place of each when it is switched off
subject   pictures and recordings: the fixed subset, or all
rows      results of a part, stored in a file, and their intervals
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from tests.evaluation.ablation.parts import PARTS, without
from tests.evaluation.ablation.rows import EVERYTHING, Results, heading, line
from tests.evaluation.ablation.subject import measured, subjects


def main(words: Sequence[str]) -> None:
    """Runs the rows that are missing, and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation ablation")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--to", type=Path, default=Path("ablation.jsonl"), metavar="FILE")
    parser.add_argument("--whole", action="store_true", help="all pictures, not the fixed subset")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    read, results = subjects(arguments.data, whole=arguments.whole), Results(arguments.to)
    for name in (EVERYTHING, *arguments.part):
        if results.has(name, [subject.name for subject in read]):
            continue
        print(f"reading without {name} ..." if name in PARTS else "reading ...", file=sys.stderr)  # noqa: T201
        with without(name):
            results.add(name, {subject.name: measured(subject) for subject in read})
    print(heading())  # noqa: T201
    for name in (EVERYTHING, *arguments.part):
        print(line(name, results))  # noqa: T201
