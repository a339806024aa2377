"""Results of a part, stored in a file, and the intervals of their differences."""

import json
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

EVERYTHING: Final = "nothing"
"""Name of the row in which no part is switched off."""

_DRAWS: Final = 4000
"""Draws of the bootstrap (Efron 1979); more move its bounds by less than a tenth of a square."""

Counts = tuple[int, int, float]
"""Squares wrong, squares left open, and CPU seconds."""


class Results:
    """Results by part and picture, one line of JSON for each part.

    Args:
        path: the file; it is continued.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._rows: dict[str, dict[str, Counts]] = {}
        if path.exists():
            for text in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(text)
                self._rows.setdefault(row["without"], {}).update(row["counts"])

    def has(self, name: str, pictures: list[str]) -> bool:
        """True if all these pictures were read without a part."""
        return set(pictures) <= set(self._rows.get(name, {}))

    def add(self, name: str, counts: dict[str, Counts]) -> None:
        """Stores the results without a part."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"without": name, "counts": counts}) + "\n")
        self._rows.setdefault(name, {}).update(counts)

    def paired(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(pictures, 3) results with everything and without a part, of the pictures of both."""
        whole, some = self._rows[EVERYTHING], self._rows[name]
        both = [picture for picture in whole if picture in some]
        return np.array([whole[one] for one in both]), np.array([some[one] for one in both])


def interval(differences: NDArray[np.float64], seed: int = 1) -> tuple[float, float]:
    """Bounds of the sum of paired differences, at 95 %, by a bootstrap over the pictures."""
    chance = np.random.default_rng(seed)
    draws = chance.integers(len(differences), size=(_DRAWS, len(differences)))
    low, high = np.quantile(differences[draws].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)


def heading() -> str:
    """The first lines of the table."""
    return (
        "| without | wrong | open | more wrong | more open | CPU | earns |\n"
        "|---|---|---|---|---|---|---|"
    )


def line(name: str, results: Results) -> str:
    """A row of the table."""
    whole, some = results.paired(name)
    wrong, left_open, cpu_s = some.sum(axis=0)
    bounds = [interval((some - whole)[:, column]) for column in (0, 1)]
    # A part earns something if it surely spares wrong squares or open ones.
    earns = [word for word, (low, _) in zip(("wrong", "open"), bounds, strict=True) if low > 0]
    costs = [word for word, (_, high) in zip(("wrong", "open"), bounds, strict=True) if high < 0]
    more = [f"{low:+.0f} to {high:+.0f}" for low, high in bounds]
    verdict = ", ".join([*earns, *(f"costs {word}" for word in costs)]) or "nothing"
    return (
        f"| {name} | {wrong:.0f} | {left_open:.0f} | {more[0]} | {more[1]} "
        f"| {cpu_s / whole.sum(axis=0)[2]:.2f} | {'' if name == EVERYTHING else verdict} |"
    )
