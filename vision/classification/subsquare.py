"""A closer look at the parts of squares: what merely reaches in, covers half, or mirrors the room.

The median of a whole square cannot tell these. They are looked into only where the square or its
neighbours give cause, and again only where something has changed since: what was found out is
carried along from frame to frame, so that a still table costs next to nothing.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.bevel import dark_rims, doubting_rims
from vision.classification.colour_model import ColourModel, Values, is_grey
from vision.classification.overhang import emptied, reached_into, sides_alike
from vision.classification.partial_cover import doubting_parts, half_bare
from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.features.square_features import SquareFeatures, SquarePatches, tile_lead

_EVEN: Final = 0.5

_SAME_LOOK: Final = (0.03, 0.03, 2.0)
"""Changes in tint and lightness up to which colours look the same."""

_LIKELY: Final = 1.0
"""Log likelihood by which a square has rather the shape of a tile than a bare one's."""

_SIDE_BITS: Final = np.array([1, 2, 4, 8])


@dataclass(frozen=True, slots=True, eq=False)
class SubsquareAnalysis:
    """What a closer look at each square found, and what it was that was looked at.

    Attributes:
        question: (n * n,) what each square was taken for, and beside which sides it was asked
            whether a neighbour's piece reaches in.
        blocks: (n * n, 48) its brightness in blocks.
        colours: how colours looked.
        empty: (n * n,) the probability of being empty that it has at least.
        seen: (n * n,) whether it is seen to be empty although something reaches in.
        asked: (n * n,) whether it was asked how bare it is.
        bare: (n * n,) whether it is barer than a piece leaves its own.
        dark: (n * n,) whether its sides are those of shiny black.
    """

    question: NDArray[np.intp]
    blocks: NDArray[np.float32]
    colours: ColourModel
    empty: Values
    seen: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    dark: NDArray[np.bool_]

    def without(
        self,
        fresh: NDArray[np.bool_],
        question: NDArray[np.intp],
        blocks: NDArray[np.float32],
    ) -> "SubsquareAnalysis":
        """A copy of what still holds where some squares, (n * n,), are to be looked at anew."""
        return SubsquareAnalysis(
            question,
            np.where(fresh[:, None], blocks, self.blocks),
            self.colours,
            np.where(fresh, 0.0, self.empty),
            *(part & ~fresh for part in (self.seen, self.asked, self.bare, self.dark)),
        )


def scrutinised(
    evidence: Values,
    squares: SquarePatches,
    scene: CoarseView,
    colours: ColourModel,
    before: SubsquareAnalysis | None,
    whole: NDArray[np.bool_] | None = None,
) -> tuple[Values, SubsquareAnalysis]:
    """The evidence as a closer look leaves it, and what that found.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        squares: what they show.
        scene: the same in blocks.
        colours: how they look there.
        before: what an earlier look at the same table found.
        whole: (n * n,) squares that are filled by a tile for sure, if that is known.
    """
    size = math.isqrt(len(evidence))
    sides, called = sides_alike(evidence, size), evidence.argmax(axis=1)
    question, blocks = called * 16 + sides @ _SIDE_BITS, blocks_of(scene)
    if before is None or not _alike(colours, before.colours):
        fresh = np.ones(size**2, np.bool_)
        told = _nothing(question, blocks, colours)
    else:
        fresh = (question != before.question) | unlike(blocks, before.blocks)
        told = before.without(fresh, question, blocks)
    some = np.flatnonzero(fresh)
    here = replace(colours, light=colours.light[some])
    reached = reached_into(squares.lab[some], sides[some], called[some], here)
    told.empty[some], told.seen[some] = reached
    parted = np.ones(size**2, np.bool_) if whole is None else ~whole
    evidence = emptied(evidence, np.where(parted, told.empty, 0.0))
    # A shadow, or the mirror image of a lamp, is as dark or bright as a part of a square.
    if not is_grey(colours.palette):
        asked = (evidence.argmax(axis=1) > 0) & (evidence[:, 0] < _EVEN)
        some = np.flatnonzero(asked & ~told.asked)
        here = replace(colours, light=colours.light[some])
        told.bare[some] = half_bare(squares.lab[some], here)
        told.asked[some] = True
        evidence = doubting_parts(evidence, told.bare & asked & parted)
    if "black" in colours.palette:
        told.dark[fresh] = dark_rims(squares.lab[fresh])
        evidence = doubting_rims(evidence, told.dark & parted, colours.palette)
    return evidence, told


def less_sure_of_tiles(evidence: Values, before: Values, look: SquareFeatures) -> Values:
    """The evidence, in doubt where a closer look found tiles to be bare that have a tile's shape.

    In noise and blur parts of a square tell less than the whole.

    Args:
        evidence: (n * n, 1 + k) what a closer look left.
        before: (n * n, 1 + k) what whole squares told.
        look: what was measured on each square, with shapes if they were asked.
    """
    tile = tile_lead(look) > _LIKELY
    torn = tile & (before.argmax(axis=1) > 0) & (evidence.argmax(axis=1) == 0)
    return np.where(torn[:, None], (evidence + before) / 2, evidence)


def _alike(colours: ColourModel, before: ColourModel) -> bool:
    """Whether colours look as before, so that what was told by them still holds."""
    same = colours.palette == before.palette and np.array_equal(colours.light, before.light)
    return same and bool((np.abs(colours.means - before.means) < _SAME_LOOK).all())


def _nothing(
    question: NDArray[np.intp], blocks: NDArray[np.float32], colours: ColourModel
) -> SubsquareAnalysis:
    """What is known before anything was looked at."""
    no = [np.zeros(len(question), np.bool_) for _ in range(4)]
    return SubsquareAnalysis(question, blocks, colours, np.zeros(len(question)), *no)
