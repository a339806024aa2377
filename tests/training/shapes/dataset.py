"""Training data of the network of shapes: views of augmented boards, and their truth."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, ShapeSample
from tests.training.shapes.worsening import Lesson, worsened
from vision.shape.network import DARK, KINDS, LIGHT

_TIMES: Final = 5
"""Times that a lesson is used, about."""

_STORED: Final = 3000
"""Lessons held in memory; new ones replace some of them."""

_FIRST: Final = 64
"""Lessons made before the first step."""


def drawn(
    boards: Sequence[ShapeSample], size: int, chance: np.random.Generator
) -> Iterator[list[Lesson]]:
    """Yields the lessons of each step, without end: turned, mirrored, with permuted channels.

    Args:
        boards: boards to augment.
        size: lessons of a step.
        chance: random choices of the augmentation.
    """

    def made() -> Lesson:
        return worsened(boards[int(chance.integers(len(boards)))], chance)

    stored = [made() for _ in range(_FIRST)]
    while True:
        for _ in range(max(1, size // _TIMES)):
            if len(stored) < _STORED:
                stored.append(made())
            else:
                stored[int(chance.integers(_STORED))] = made()
        yield [_anew(stored[k], chance) for k in chance.integers(len(stored), size=size)]


def _anew(lesson: Lesson, chance: np.random.Generator) -> Lesson:
    other = turned(lesson, int(chance.integers(4)), int(chance.choice([1, -1])))
    return replace(other, view=np.ascontiguousarray(other.view[..., chance.permutation(3)]))


def turned(lesson: Lesson, quarters: int, mirror: int) -> Lesson:
    """Returns the lesson turned left by `quarters`, then mirrored if `mirror` is -1."""
    view = np.ascontiguousarray(np.rot90(lesson.view, quarters)[:, ::mirror])
    shapes, colours, pieces = (
        np.ascontiguousarray(np.rot90(one, quarters)[:, ::mirror])
        for one in (lesson.shapes, lesson.colours, lesson.pieces)
    )
    away = lesson.away
    for _ in range(quarters):
        # An offset to the right becomes one upwards.
        away = np.stack([np.rot90(away[..., 1]), -np.rot90(away[..., 0])], axis=2)
    away = away[:, ::mirror] * np.array([mirror, 1], np.float32)
    return Lesson(view, shapes, colours, pieces, away)


def _ruled_out() -> NDArray[np.float32]:
    """Returns large negative numbers for shapes that a label excludes; last row: `NOT_KNOWN`."""
    allowed = np.zeros((ANY_SHADE + 2, KINDS), bool)
    allowed[range(KINDS), range(KINDS)] = True
    allowed[ANY_SHADE, [DARK, LIGHT]] = True
    allowed[-1] = True
    return np.where(allowed, 0, -1e9).astype(np.float32)


RULED_OUT: Final = _ruled_out()
"""(9, 7) large negative numbers for the shapes that each label, a row, excludes."""
