"""Tables of the pages that are computed: what to buy, tubes, parts to print or cut, screws.

A page has each between the comments `<!-- NAME -->` and `<!-- end of NAME -->`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from firmware.cameras.mounting import MODELS
from hardware import buying
from hardware.buying import CAMERA
from hardware.parts.catalogue import PARTS, PartEntry, grams_of
from hardware.parts.placement import BUILDS, SQUARES, fasteners, mast_plan, quantities

_COST: Final = "| cost, estimated in euro |"
"""Beginning of the row with the sums of all builds, on the page of all."""

_PIECE: Final = "piece-"
"""Beginning of the names of pieces."""


def tubes(build: str) -> list[str]:
    """Returns the lengths of upright and arm for each camera, as lines of Markdown."""
    games = " | ".join(f"{game.capitalize()}: upright, arm" for game in SQUARES)
    lines = [f"| camera | head | {games} |", f"|---|---|{'---|' * len(SQUARES)}"]
    for key, model in MODELS.items():
        masts = [mast_plan(build, game, key) for game in SQUARES]
        lengths = [
            f"{high:.0f} mm, {far:.0f} mm" for high, far in (mast.tube_lengths_mm for mast in masts)
        ]
        lines.append(f"| {model.title} | `{masts[0].head.name}` | {' | '.join(lengths)} |")
    return lines


def parts(build: str) -> list[str]:
    """Returns the parts to print or cut and how many of each, as lines of Markdown."""
    counts = {game: quantities(build, game, CAMERA) for game in SQUARES}
    titles = " | ".join(game.capitalize() for game in SQUARES)
    lines = [
        f"| part | {titles} | grams | material | files |",
        f"|---|{'---|' * (len(SQUARES) + 3)}",
    ]
    for name, entry in PARTS.items():
        numbers = [counts[game].get(name, 0) for game in SQUARES]
        if any(numbers) and not name.startswith(_PIECE):
            row = [entry.title, *_shown(numbers), _grams(entry), entry.material, _files(entry)]
            lines.append(f"| {' | '.join(row)} |")
    return lines + _pieces(list(counts.values()))


def _pieces(counts: list[dict[str, int]]) -> list[str]:
    """Returns the row of the pieces, which are printed in sets."""
    names = [name for name in PARTS if name.startswith(_PIECE)]
    sets = [{count.get(name, 0) for name in names} for count in counts]
    if any(len(number) != 1 for number in sets):
        raise ValueError("a build needs whole sets of pieces; see hardware.parts.placement")
    numbers = [number.pop() for number in sets]
    if not any(numbers):
        return []
    grams = sum(map(grams_of, names))
    folder = "[piece-*.stl, piece-*.step](../parts/files)"
    row = [
        f"set of {len(names)} pieces",
        *_shown(numbers),
        f"{grams:.0f}",
        PARTS[names[0]].material,
    ]
    return [f"| {' | '.join([*row, folder])} |"]


def _shown(numbers: list[int]) -> list[str]:
    return [str(number) if number else "-" for number in numbers]


def screws(build: str) -> list[str]:
    """Returns the screws and how many of each, as lines of Markdown."""
    counts = {game: fasteners(build, game, CAMERA) for game in SQUARES}
    titles = " | ".join(game.capitalize() for game in SQUARES)
    names = dict.fromkeys(name for count in counts.values() for name in count)
    rows = [[name, *_shown([count.get(name, 0) for count in counts.values()])] for name in names]
    head = [f"| screw | {titles} |", f"|---|{'---|' * len(SQUARES)}"]
    return head + [f"| {' | '.join(row)} |" for row in rows]


_TABLES: Final[dict[str, Callable[[str], list[str]]]] = {
    "buying": buying.table,
    "tubes": tubes,
    "parts": parts,
    "screws": screws,
}
"""Functions that return the lines of a table for a build, by its name."""

_ONLY: Final = {"twenty_minutes": ("buying",)}
"""Tables of a page that has not all of them."""


def write(folder: Path) -> None:
    """Writes the tables anew into the pages below a folder."""
    for path, text in _pages(folder):
        path.write_text(text, encoding="utf-8")


def differences(folder: Path) -> list[str]:
    """Returns a sentence for each page whose tables are other ones, and for what a list lacks."""
    stale = [
        f"{path} has a table that differs from the parts; make it anew with: python -m hardware"
        for path, text in _pages(folder)
        if path.read_text(encoding="utf-8") != text
    ]
    lists = {build: buying.purchases(build) for build in BUILDS}
    return stale + [one for build in BUILDS for one in buying.lacking(build, lists[build])]


def _pages(folder: Path) -> Iterable[tuple[Path, str]]:
    """Yields each page with its tables as they should be."""
    for build in BUILDS:
        path = folder / build / "README.md"
        text = path.read_text(encoding="utf-8")
        for name in _ONLY.get(build, _TABLES):
            text = _with_table(text, name, _TABLES[name](build))
        yield path, text
    path = folder / "README.md"
    rows = path.read_text(encoding="utf-8").split("\n")
    yield path, "\n".join(_costs() if row.startswith(_COST) else row for row in rows)


def _costs() -> str:
    """Returns the row with the sums of all builds."""
    lists = [buying.purchases(build) for build in BUILDS]
    sums = [" / ".join(str(buying.cost(lines, game)) for game in SQUARES) for lines in lists]
    return f"{_COST} {' | '.join(sums)} |"


def _with_table(page: str, name: str, lines: list[str]) -> str:
    """Returns a page with a table in its place."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = page.partition(start)
    _, also_found, after = rest.partition(end)
    if not (found and also_found):
        raise ValueError(f"a page lacks the place of its table: {start} and {end}")
    return "\n".join([before + start, "", *lines, "", end + after])


def _grams(entry: PartEntry) -> str:
    """Returns the weight of a printed part that is filled wholly."""
    return "-" if entry.is_cut else f"{grams_of(entry.name):.0f}"


def _files(entry: PartEntry) -> str:
    suffixes = (".dxf",) if entry.is_cut else (".stl", ".step")
    return ", ".join(f"[{one[1:].upper()}](../parts/files/{entry.name}{one})" for one in suffixes)
