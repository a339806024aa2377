"""Results without each part, stored in a file, and the intervals of their differences."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

EVERYTHING: Final = "nothing"
"""Name of the row in which no part is switched off."""

_DRAWS: Final = 4000
"""Draws of the bootstrap (Efron 1979); more move its bounds by less than a tenth of a square."""

_OUTSIDE: Final = 40
"""Draws that fall outside the bounds, at least; fewer would leave their place to chance."""

Counts = tuple[int, int, float]
"""Squares wrong, squares left open, and CPU seconds."""


class Results:
    """Results by part and subject, one line of JSON for each.

    Args:
        path: the file; it is continued.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._rows: dict[str, dict[str, Counts]] = {}
        self._idle: dict[str, frozenset[str]] = {}
        if path.exists():
            for text in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(text)
                self._put(row["without"], row["subject"], tuple(row["counts"]), row.get("idle", ()))

    def _put(self, name: str, subject: str, counts: Counts, idle: Iterable[str]) -> None:
        self._rows.setdefault(name, {})[subject] = counts
        if name == EVERYTHING:
            self._idle[subject] = frozenset(idle)

    def is_known(self, name: str, subject: str) -> bool:
        """True if the result without a part is stored, or equal to that with everything."""
        return subject in self._rows.get(name, {}) or not self._acts(name, subject)

    def _acts(self, name: str, subject: str) -> bool:
        return name not in self._idle.get(subject, ())

    def counts(self, name: str, subject: str) -> Counts:
        """Returns a result that is stored."""
        return self._rows[name][subject]

    def add(self, name: str, subject: str, counts: Counts, idle: Iterable[str] = ()) -> None:
        """Stores the result of a subject without a part.

        Args:
            name: the part; `EVERYTHING` for none.
            subject: name of the picture or recording.
            counts: its result.
            idle: with `EVERYTHING`, the parts that do not act on it.
        """
        row: dict[str, object] = {"without": name, "subject": subject, "counts": counts}
        if name == EVERYTHING:
            row["idle"] = sorted(idle)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self._put(name, subject, counts, idle)

    def paired(
        self, name: str, subjects: Sequence[str]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Returns the results of subjects with everything and without a part.

        Returns:
            (subjects, 3) with everything; (subjects, 3) without the part; (subjects,) True where
            the part acts.
        """
        whole, some = self._rows[EVERYTHING], self._rows.get(name, {})
        acts = [name == EVERYTHING or self._acts(name, one) for one in subjects]
        without = [
            some[one] if acting else whole[one] for one, acting in zip(subjects, acts, strict=True)
        ]
        return np.array([whole[one] for one in subjects]), np.array(without), np.array(acts)


def interval(differences: NDArray[np.float64], error: float = 0.05) -> tuple[float, float]:
    """Bounds of the sum of paired differences, by a bootstrap over the pictures.

    Args:
        differences: (pictures,) their differences.
        error: probability that the sum is outside the bounds.
    """
    chance, many = np.random.default_rng(1), max(_DRAWS, round(_OUTSIDE / error))
    draws = chance.integers(len(differences), size=(many, len(differences)))
    low, high = np.quantile(differences[draws].sum(axis=1), [error / 2, 1 - error / 2])
    return float(low), float(high)


def heading() -> str:
    """Returns the first lines of the table."""
    return (
        "| without | acts on | wrong | open | more wrong | more open | CPU | earns |\n"
        "|---|---|---|---|---|---|---|---|"
    )


def line(name: str, results: Results, subjects: Sequence[str]) -> str:
    """Returns a row of the table; CPU time is that of subjects on which the part acts."""
    whole, some, acts = results.paired(name, subjects)
    wrong, left_open, _ = some.sum(axis=0)
    bounds = [interval((some - whole)[:, column]) for column in (0, 1)]
    # A part earns something if it surely spares wrong squares or open ones.
    earns = [word for word, (low, _) in zip(("wrong", "open"), bounds, strict=True) if low > 0]
    costs = [word for word, (_, high) in zip(("wrong", "open"), bounds, strict=True) if high < 0]
    more = [f"{low:+.0f} to {high:+.0f}" for low, high in bounds]
    verdict = ", ".join([*earns, *(f"costs {word}" for word in costs)]) or "nothing"
    cpu = f"{some[acts, 2].sum() / whole[acts, 2].sum():.2f}" if acts.any() else ""
    return (
        f"| {name} | {acts.sum()} of {len(acts)} | {wrong:.0f} | {left_open:.0f} | {more[0]} "
        f"| {more[1]} | {cpu} | {'' if name == EVERYTHING else verdict} |"
    )
