"""Search for the values of constants that cost least."""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.evaluation.ablation.rows import Counts, Results, interval
from tests.evaluation.ablation.subject import board_of

FACTORS: Final = (0.7, 0.85, 1.2, 1.4)
"""Multiples of the value of a constant that are tried."""

WRONG: Final = 20.0
"""Cost of a wrong square, in open ones. A wrong one may become a wrong verdict, the worst of all;
an open one costs another frame, or a look by a person. It is no more, so that no whole board is
left open to spare a few wrong squares."""

_ERROR: Final = 0.05
"""Probability that any constant moves by chance."""

Settings = dict[str, float]
"""Values of constants other than those in the table, by name."""


class ConstantSearch:
    """Costs of pictures with other values of constants, and the search for the least.

    Each constant is first tried alone, on every picture. Then those that are better are put
    together, the best first, each kept only if it is still better beside those before. That reads
    far less than a search in all directions at once, and misses a pair of constants that is better
    together while each alone is worse.

    Args:
        values: value of each constant in the table, by name.
        read: reads a picture, by name, with other values of some constants.
        results: results so far, stored in a file.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        read: Callable[[str, Settings], Counts],
        results: Results,
    ) -> None:
        self.values: Final = values
        self._table: Final = sha256(json.dumps(dict(values)).encode()).hexdigest()[:8]
        self._read: Final = read
        self._results: Final = results

    def counts(self, picture: str, settings: Settings) -> tuple[int, int]:
        """Returns the squares of a picture read wrong and left open."""
        row = self._row(settings)
        if not self._results.is_known(row, picture):
            self._results.add(row, picture, self._read(picture, settings))
        return self._results.counts(row, picture)[:2]

    def sweep(self, picture: str) -> None:
        """Reads a picture with each constant at each value that is tried.

        A constant that changes nothing at its lowest and its highest value is taken to change
        nothing between them.
        """
        whole = self.counts(picture, {})
        for name in self.values:
            lowest, *between, highest = self._tried(name)
            idle = all(self.counts(picture, one) == whole for one in (lowest, highest))
            for settings in between:
                row = self._row(settings)
                if idle and not self._results.is_known(row, picture):
                    self._results.add(row, picture, (*whole, 0.0))
                self.counts(picture, settings)

    def acts_on(self, name: str, pictures: Sequence[str]) -> int:
        """Returns the number of pictures that a constant changes at any value that is tried."""
        return sum(
            any(self.counts(one, tried) != self.counts(one, {}) for tried in self._tried(name))
            for one in pictures
        )

    def fitted(self, pictures: Sequence[str], *, surely: bool = True) -> Settings:
        """Returns the values that cost less than those in the table.

        Args:
            pictures: names of the pictures to fit to.
            surely: True to move a constant only if that is better beyond chance.
        """
        error = _ERROR / (len(self.values) * len(FACTORS))
        moved: Settings = {}
        for settings in self._better(pictures):
            changes = self._costs(pictures, moved | settings) - self._costs(pictures, moved)
            if changes.sum() < 0 and (not surely or interval(changes, error)[1] < 0):
                moved |= settings
        return moved

    def as_good(self, pictures: Sequence[str]) -> list[Settings]:
        """Returns the tried values of single constants that cost no more than that in the table."""
        usual = self._costs(pictures, {}).sum()
        tried = [settings for name in self.values for settings in self._tried(name)]
        return [one for one in tried if self._costs(pictures, one).sum() <= usual]

    def dearest(self, pictures: Sequence[str], among: Sequence[Settings]) -> Settings:
        """Returns those of some settings that cost most."""
        return max(among, key=lambda one: self._costs(pictures, one).sum(), default={})

    def _better(self, pictures: Sequence[str]) -> list[Settings]:
        """Returns the best value of each constant that has a better one, the best first."""
        usual = self._costs(pictures, {}).sum()
        best = [
            min((self._costs(pictures, tried).sum(), at, tried) for at, tried in self._numbered(k))
            for k in self.values
        ]
        return [tried for cost, _, tried in sorted(best, key=lambda one: one[0]) if cost < usual]

    def _costs(self, pictures: Sequence[str], settings: Settings) -> NDArray[np.float64]:
        """(boards,) cost of each board, that of a picture in all its ways.

        Ways of one picture are no independent pictures, so a bootstrap draws them together.
        """
        boards: dict[str, float] = {}
        for name in pictures:
            wrong, left_open = self.counts(name, self._acting(name, settings))
            board = board_of(name)
            boards[board] = boards.get(board, 0.0) + WRONG * wrong + left_open
        return np.array(list(boards.values()))

    def _acting(self, picture: str, settings: Settings) -> Settings:
        """Returns those settings that change a picture when each is tried alone."""
        if len(settings) < 2:
            return settings
        whole = self.counts(picture, {})
        return {k: v for k, v in settings.items() if self.counts(picture, {k: v}) != whole}

    def _numbered(self, name: str) -> list[tuple[int, Settings]]:
        return list(enumerate(self._tried(name)))

    def _tried(self, name: str) -> list[Settings]:
        """Returns the values that are tried for a constant, to three digits."""
        return [{name: float(f"{self.values[name] * factor:.3g}")} for factor in FACTORS]

    def _row(self, settings: Settings) -> str:
        """Returns the name under which results are stored, which depends on the whole table."""
        changes = "; ".join(f"{name}={value}" for name, value in sorted(settings.items()))
        return f"table {self._table}, {changes or 'as it is'}"
