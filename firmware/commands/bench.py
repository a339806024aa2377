"""`cornerlight bench`: measures the speed of the parts on this machine.

Times are medians and depend on the machine and its load; ratios within one run depend less.
"""

import argparse
import json
from collections.abc import Iterable
from importlib import import_module
from typing import Final

from firmware.benchmarks.common import Rows
from firmware.commands.progress import Progress

EXAMPLE: Final = "cornerlight bench lights --json"

PARTS: Final = ("rules", "reader", "referee", "journal", "lights", "player")
"""Modules of `firmware.benchmarks`, in the order in which they are measured."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    words = f"part to measure: {', '.join(PARTS)}; all by default"
    parser.add_argument("parts", nargs="*", type=_part, metavar="PART", help=words)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measures and prints."""
    rows = measured(arguments.parts or PARTS)
    if arguments.json:
        print(json.dumps(rows))
    else:
        for name, row in rows.items():
            print(f"{name:36}", "  ".join(f"{key} {value:,.4g}" for key, value in row.items()))
    return 0


def measured(parts: Iterable[str]) -> Rows:
    """Returns the measurements of some parts."""
    rows: Rows = {}
    progress = Progress()
    for part in parts:
        progress.show(f"measuring {part}")
        rows |= import_module(f"firmware.benchmarks.{part}").measure()
    progress.clear()
    return rows


def _part(word: str) -> str:
    if word not in PARTS:
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(PARTS)}")
    return word
