"""Scores of readings, with separate counts of wrong and unsure squares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading import Reading

LETTERS = {"purple": "P", "orange": "O", "black": "K", "white": "W"} | {
    "blue": "B",
    "yellow": "Y",
    "red": "R",
    "green": "G",
}
SURE = 0.9
NAMED = 0.98
"""Probability below which `cornerlight read` reports a square as unsure."""


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """Numbers of visible squares by the result of reading."""

    right: int
    wrong: int
    unsure: int


def rows(reading: Reading, sure: float = SURE) -> list[str]:
    """Returns the most probable board as text, with `?` for hidden or unsure squares."""
    marks = np.array(["."] + [LETTERS[name] for name in reading.palette])
    letters = marks[reading.probabilities.argmax(axis=1)]
    letters[reading.covered | (reading.probabilities.max(axis=1) < sure)] = "?"
    return ["".join(line) for line in letters.reshape(reading.size, reading.size)]


def score(
    reading: Reading,
    cells: list[str],
    ignored: NDArray[np.bool_] | None = None,
    sure: float = SURE,
) -> ReadingScore:
    """Compares a reading with the truth, in letters of `LETTERS`."""
    found = np.array([list(line) for line in rows(reading, sure)])
    true = np.array([list(line) for line in cells])
    counted = np.ones(true.shape, bool) if ignored is None else ~ignored
    right = int(((found == true) & counted).sum())
    unsure = int(((found == "?") & counted).sum())
    return ReadingScore(right, int(counted.sum()) - right - unsure, unsure)


def named(cells: list[str], first: str, second: str) -> list[str]:
    """Returns cells with A and B replaced by the letters of two colours."""
    letters = str.maketrans("AB", LETTERS[first] + LETTERS[second])
    return [line.translate(letters) for line in cells]


def hidden(size: int, squares: list[list[int]]) -> NDArray[np.bool_]:
    """Returns the mask of hidden squares, given as column and row from a1."""
    mask = np.zeros((size, size), bool)
    for column, row in squares:
        mask[size - 1 - row, column] = True
    return mask
