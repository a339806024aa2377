"""The table of constants as a file, and the table of sources."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np

from tests.evaluation.fitting.pictures import MOST, kind_of
from tests.evaluation.fitting.search import ConstantSearch, Settings
from vision.squares.fitted_constants import FittedConstant, fitted_constants

_HEADER: Final = "# Written by `python -m tests.evaluation fitting`.\n"

SOURCES_HEADING: Final = (
    "| source | pictures | today: wrong, open | fitted without it "
    "| worst as good without it | fitted with it |\n|---|---|---|---|---|---|"
)
"""First lines of the table of sources."""


def written(search: ConstantSearch, pictures: Sequence[str], moved: Settings, today: date) -> str:
    """Returns the file of constants after a fit."""
    used = described(pictures)
    entries = {}
    for name, entry in fitted_constants().items():
        data = f"{used}; it acts on {search.acts_on(name, pictures)} of them"
        value = moved.get(name, entry.value)
        entries[name] = replace(entry, value=value, data=data, date=today)
    return table_text(entries)


def table_text(entries: dict[str, FittedConstant]) -> str:
    """Returns a table of constants as TOML."""
    return _HEADER + "".join(
        f'\n["{name}"]\n'
        f"value = {entry.value}\n"
        f"unit = {json.dumps(entry.unit)}\n"
        f"data = {json.dumps(entry.data)}\n"
        f"date = {entry.date.isoformat()}\n"
        for name, entry in entries.items()
    )


def described(pictures: Sequence[str]) -> str:
    """Describes pictures by their number and kinds; where not all are used, by the first and last.

    The names of traced pictures have their seed.
    """
    numbers = Counter(map(kind_of, pictures))
    texts = []
    for kind, number in sorted(numbers.items()):
        stems = sorted(name.split("/", 1)[1] for name in pictures if kind_of(name) == kind)
        by_seed = kind == "rendered" or number == MOST
        seeds = f" ({stems[0]} to {stems[-1]})" if by_seed else ""
        texts.append(f"{number} {kind}{seeds}")
    return f"{len(pictures)} pictures: {', '.join(texts)}"


def source_line(
    source: str, search: ConstantSearch, pictures: Sequence[str], fits: Sequence[Settings]
) -> str:
    """Returns the row of a source: its counts today, and with each of some fits."""
    totals = [
        np.sum([search.counts(name, fit) for name in pictures], axis=0) for fit in ({}, *fits)
    ]
    cells = [f"{wrong}, {left_open}" for wrong, left_open in totals]
    return f"| {source} | {len(pictures)} | {' | '.join(cells)} |"
