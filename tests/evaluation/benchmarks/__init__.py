"""Speed and memory of the parts on this machine, in many cases: one module a part.

rules    the rules
referee  the referee on a steady board
reader   reading a frame, and the memory of `watch`
lights   a frame of lights, from the scene to the bus, and its current
journal  a commit of the journal
player   the first answer of the player, and its memory

Each has `measure() -> Rows`. `cornerlight bench` measures one case of each.
"""

import argparse
from collections.abc import Sequence
from importlib import import_module

PARTS = ("rules", "reader", "referee", "journal", "lights", "player")


def main(words: Sequence[str]) -> None:
    """Measures the parts that are named, or all, and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation benchmarks")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all")
    for part in parser.parse_args(words).parts or PARTS:
        rows = import_module(f"tests.evaluation.benchmarks.{part}").measure()
        for name, row in rows.items():
            figures = "  ".join(f"{key} {value:,.4g}" for key, value in row.items())
            print(f"{name:36}", figures)  # noqa: T201
