"""Things to buy for each build: the lists of `buying.toml`, their sums, and what they lack."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from pathlib import Path
from typing import Final

from firmware.settings import load
from hardware.parts.catalogue import PARTS, grams_of
from hardware.parts.placement import SQUARES, fasteners, mast_plan, quantities
from hardware.wiring.builds import BUILDS as WIRED
from hardware.wiring.harness import Harness, harness_of

_FOLDER: Final = Path(__file__).parent
"""Folder of the builds."""

CAMERA: Final = "module-3"
"""The camera for which parts are counted."""

_SETTINGS: Final = {"duo": "table.toml", "classic": "table-classic.toml"}
"""File with the settings of each game, in the folder of a build."""

_CLAMP_PLACES: Final = 5
"""Wires that a clamp of X1 holds; clamps side by side are joined by a wire."""

_NOT_BOUGHT: Final = ("soldered", "lead of the part")
"""Ends of wires that need no part."""

_PLAIN: Final = ("red", "black")
"""Colours of wires that are bought by their colour; signals may have any other."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A line of a list.

    Attributes:
        what: what it is.
        ask: words for a shop.
        duo: how many for Duo.
        classic: how many for Classic.
        euro: estimated price of one.
        instead: what does as well, or what must not be taken.
        number: its number in the picture of the whole table; 0 if it has none.
        covers: how much one of it has of the needs that `needs_of` names.
    """

    what: str
    ask: str
    duo: int
    classic: int
    euro: int
    instead: str = ""
    number: int = 0
    covers: dict[str, float] = field(default_factory=dict)

    def count(self, game: str) -> int:
        """Returns how many a game needs."""
        return {"duo": self.duo, "classic": self.classic}[game]


def purchases(build: str) -> list[Purchase]:
    """Returns the list of a build."""
    text = (_FOLDER / build / "buying.toml").read_text(encoding="utf-8")
    return [Purchase(**line) for line in tomllib.loads(text)["line"]]


def cost(lines: list[Purchase], game: str) -> int:
    """Returns the estimated sum of a list, in euro."""
    return sum(line.count(game) * line.euro for line in lines)


def table(build: str) -> list[str]:
    """Returns the list of a build and its sums, as lines of Markdown."""
    lines = purchases(build)
    rows = [
        (
            str(line.number or ""),
            line.what,
            _both(line.duo, line.classic),
            line.ask,
            line.instead,
            _both(*(line.count(game) * line.euro for game in SQUARES)),
        )
        for line in lines
    ]
    head = (
        "",
        "what",
        "Duo / Classic",
        "what to ask for in a shop",
        "instead, or not",
        "euro, estimated",
    )
    total = ("", "**sum**", "", "", "", f"**{_both(*(cost(lines, game) for game in SQUARES))}**")
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows, total)]


def _both(duo: int, classic: int) -> str:
    return f"{duo} / {classic}"


def lacking(build: str, lines: list[Purchase]) -> list[str]:
    """Returns a sentence for each need that a list does not cover, and for each that is none."""
    needs = {game: needs_of(build, game) for game in SQUARES}
    found = [
        f"hardware/{build}/buying.toml covers {name!r}, which neither game needs"
        for name in dict.fromkeys(name for line in lines for name in line.covers)
        if not any(name in need for need in needs.values())
    ]
    for game, need in needs.items():
        for name, amount in need.items():
            covered = sum(line.count(game) * line.covers.get(name, 0) for line in lines)
            if covered < amount:
                found.append(
                    f"hardware/{build}/buying.toml covers {covered:g} of {name!r}, and "
                    f"{game} needs {amount:.3g}"
                )
    return found


@cache
def needs_of(build: str, game: str) -> Counter[str]:
    """Returns what parts, screws, mast and wiring of a build need: numbers, metres, grams."""
    need: Counter[str] = Counter()
    if build not in WIRED:
        return need
    need.update(fasteners(build, game, CAMERA))
    for name, number in quantities(build, game, CAMERA).items():
        part = PARTS[name]
        need[part.material] += number if part.is_cut else ceil(number * grams_of(name))
    need["tube"] += ceil(sum(mast_plan(build, game, CAMERA).tube_lengths_mm))
    harness = harness_of(load(_FOLDER / build / _SETTINGS[game]), WIRED[build])
    for name, number in (*_parts(harness), *_wires(harness)):
        need[name] += number
    return need


def _parts(harness: Harness) -> Iterator[tuple[str, int]]:
    """Yields each part that the wiring names, and how many of it."""
    ratings = harness.ratings
    ends = [end for wire in harness.connections for end in (wire.start, wire.end)]
    bought = {
        "Supply": (f"supply of 5 V, {ratings.supply_a:g} A", 1),
        "F1": (f"blade fuse {ratings.fuse_a:g} A", 1),
        "F2": (f"blade fuse {ratings.pi_fuse_a:g} A", 1),
        "LED": ("LED", harness.layout.length),
        "Button": ("button", len(harness.buttons)),
        "X1": ("clamp", sum(_clamps(ends.count(pole)) for pole in ("X1 +", "X1 −"))),
    }
    for part in dict.fromkeys(end.split()[0] for end in ends):
        yield bought.get(part, (part, 1))


def _clamps(wires: int) -> int:
    """Number of clamps for some wires, of which neighbours share a wire."""
    return ceil((wires - 2) / (_CLAMP_PLACES - 2))


def _wires(harness: Harness) -> Iterator[tuple[str, int]]:
    """Yields millimetres of each kind of wire, and what is at their ends."""
    for wire in harness.connections:
        if wire.section_mm2 is None:
            continue
        colour = wire.colour if wire.colour in _PLAIN else "other colours"
        yield f"wire {wire.section_mm2:g} mm², {colour}", wire.number * wire.length_mm
        for end in wire.connectors:
            if end not in _NOT_BOUGHT:
                yield f"{end}, {wire.section_mm2:g} mm²", wire.number
