"""Trial: fits the constants in `vision/squares/fitted_constants.toml` to pictures.

`python -m tests.evaluation fitting --data FOLDER` reads a fixed set of pictures with each constant
at some multiples of its value. A constant moves to the value with the least cost if that is surely
better; then value, pictures and date of all constants are written. It continues where it stopped,
and may be run again from the new values.

`--without-source` leaves out each source of photographs in turn, and prints what its pictures cost
with constants fitted without them, and with them; it writes nothing. There a constant moves to the
value with the least cost, sure or not: the closest fit shows best what a source gains by it. As
the values of today were chosen with all sources in view, a third column has the worst that one
constant does to the source at a value that is as good without it.

pictures  the pictures, found and measured once, and read with other constants
search    the search for the values with the least cost
report    the table of constants, and that of sources
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import cv2

from tests.evaluation.ablation.rows import Results
from tests.evaluation.ablation.subject import board_of
from tests.evaluation.fitting.pictures import chosen, read_with, sources
from tests.evaluation.fitting.report import SOURCES_HEADING, source_line, written
from tests.evaluation.fitting.search import ConstantSearch
from vision.squares.fitted_constants import TABLE, fitted_constants


def main(words: Sequence[str]) -> None:
    """Reads what is missing, and writes the table of constants or prints that of sources."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation fitting")
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--to", type=Path, default=Path("fitting.jsonl"), metavar="FILE")
    parser.add_argument("--without-source", action="store_true", help="leave out each source")
    parser.add_argument("--rendered", type=int, default=0, metavar="N", help="boards to draw")
    arguments = parser.parse_args(words)
    cv2.setNumThreads(1)
    pictures = chosen(arguments.data, arguments.rendered)
    values = {name: entry.value for name, entry in fitted_constants().items()}
    search = ConstantSearch(values, read_with(pictures), Results(arguments.to))
    for number, name in enumerate(pictures, 1):
        print(f"{name}: {number} of {len(pictures)}", file=sys.stderr)  # noqa: T201
        search.sweep(name)
    if arguments.without_source:
        _leave_out(search, list(pictures), sources(arguments.data))
        return
    moved = search.fitted(list(pictures))
    today = datetime.now(UTC).date()
    TABLE.write_text(written(search, list(pictures), moved, today), encoding="utf-8")
    for name, value in moved.items():
        print(f"{name}: {values[name]} to {value}")  # noqa: T201
    print(f"{len(moved)} of {len(values)} constants moved")  # noqa: T201


def _leave_out(search: ConstantSearch, names: list[str], source_of: dict[str, str]) -> None:
    """Prints the table of sources."""
    print(SOURCES_HEADING)  # noqa: T201
    everything = search.fitted(names, surely=False)
    for source in sorted(set(source_of.values())):
        inside = [name for name in names if source_of.get(board_of(name)) == source]
        others = [name for name in names if name not in inside]
        without = search.fitted(others, surely=False)
        worst = search.dearest(inside, search.as_good(others))
        print(source_line(source, search, inside, (without, worst, everything)), flush=True)  # noqa: T201
