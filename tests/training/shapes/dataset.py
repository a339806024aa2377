"""What the network of shapes learns from: views of worsened boards, and what is true of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.shapes.boards import ANY_SHADE, ShapeSample
from tests.training.shapes.worsening import worsened
from vision.camera import Image
from vision.shape.network import DARK, KINDS, LIGHT

BATCH: Final = 8

_KEPT: Final = 3000
"""Lessons kept in memory; one is made anew for each step."""

_FIRST: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What is to be learned from one view.

    Attributes:
        view: (side, side, 3) uint8.
        shapes: (n + 2, n + 2) what lies on its squares; see `ShapeSample.shapes`.
        away: (n + 2, n + 2, 2) how many squares to the right and down of where it has them they
            lie.
    """

    view: Image
    shapes: NDArray[np.intp]
    away: NDArray[np.float32]


def drawn(
    boards: Sequence[ShapeSample], steps: int, chance: np.random.Generator
) -> Iterator[list[Lesson]]:
    """A few lessons for each step: turned, mirrored, their channels exchanged.

    Args:
        boards: to make them from.
        steps: how many.
        chance: what is made of the boards.
    """

    def made() -> Lesson:
        return Lesson(*worsened(boards[int(chance.integers(len(boards)))], chance))

    kept = [made() for _ in range(_FIRST)]
    for _ in range(steps):
        new = made()
        if len(kept) < _KEPT:
            kept.append(new)
        else:
            kept[int(chance.integers(_KEPT))] = new
        yield [_anew(kept[k], chance) for k in chance.integers(len(kept), size=BATCH)]


def _anew(lesson: Lesson, chance: np.random.Generator) -> Lesson:
    other = turned(lesson, int(chance.integers(4)), int(chance.choice([1, -1])))
    return replace(other, view=np.ascontiguousarray(other.view[..., chance.permutation(3)]))


def turned(lesson: Lesson, quarters: int, mirror: int) -> Lesson:
    """The same turned to the left by some quarters, and mirrored then if `mirror` is -1."""
    view = np.rot90(lesson.view, quarters)[:, ::mirror]
    shapes = np.rot90(lesson.shapes, quarters)[:, ::mirror]
    away = lesson.away
    for _ in range(quarters):
        # What was to the right is now up.
        away = np.stack([np.rot90(away[..., 1]), -np.rot90(away[..., 0])], axis=2)
    away = away[:, ::mirror] * np.array([mirror, 1], np.float32)
    return Lesson(np.ascontiguousarray(view), np.ascontiguousarray(shapes), away)


def _ruled_out() -> NDArray[np.float32]:
    """What a label speaks against: large negative numbers; the last row is of `NOT_KNOWN`."""
    allowed = np.zeros((ANY_SHADE + 2, KINDS), bool)
    allowed[range(KINDS), range(KINDS)] = True
    allowed[ANY_SHADE, [DARK, LIGHT]] = True
    allowed[-1] = True
    return np.where(allowed, 0, -1e9).astype(np.float32)


RULED_OUT: Final = _ruled_out()
"""(8, 6) what each label, as a row, speaks against."""
