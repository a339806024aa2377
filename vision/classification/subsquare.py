"""Analysis of the parts of squares: overhanging pieces and partial cover.

The median of a whole square does not show these. Parts are analysed only if the square or its
neighbours give cause, and again only if something has changed since: results are reused from
frame to frame, so that a still table takes almost no time.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_model import ColourModel, Values, is_grey
from vision.classification.overhang import emptied, reached_into, sides_alike
from vision.classification.partial_cover import doubting_parts, half_bare
from vision.features.blocks import CoarseView, blocks_of, unlike
from vision.features.square_features import SquareFeatures, SquarePatches, tile_lead
from vision.fitted.constants import fitted

_EVEN: Final = 0.5
"""Probability of being empty below which the bare part of a square is examined."""

_SAME_LOOK: Final = (0.03, 0.03, 2.0)
"""Changes in tint (two numbers) and lightness up to which colours are the same."""

_LIKELY: Final = fitted("classification.subsquare.likely")
"""Log likelihood by which the shape of a square is that of a tile rather than a bare one's."""

_SIDE_BITS: Final = np.array([1, 2, 4, 8])
"""Weights by which the sides of a square are encoded in one number."""


@dataclass(frozen=True, slots=True, eq=False)
class SubsquareAnalysis:
    """Analysis of the parts of each square, and the input it was made from.

    Attributes:
        assumption: (n * n,) likeliest content of each square, and the sides at which a piece may
            overhang it, encoded in one number.
        blocks: (n * n, 48) its brightness in blocks.
        colours: appearance of the colours.
        empty: (n * n,) lower bound of its probability of being empty.
        visibly_empty: (n * n,) True if it is surely empty although a piece overhangs it.
        notch: (n * n,) True if a tinted board is seen between several sides of pieces.
        examined: (n * n,) True if its bare part was examined.
        bare: (n * n,) True if it is barer than under a piece.
    """

    assumption: NDArray[np.intp]
    blocks: NDArray[np.float32]
    colours: ColourModel
    empty: Values
    visibly_empty: NDArray[np.bool_]
    notch: NDArray[np.bool_]
    examined: NDArray[np.bool_]
    bare: NDArray[np.bool_]

    @property
    def _parts(self) -> tuple[NDArray[np.bool_], ...]:
        """The results that are True or False, in the order of the fields."""
        return self.visibly_empty, self.notch, self.examined, self.bare

    def without(
        self,
        fresh: NDArray[np.bool_],
        assumption: NDArray[np.intp],
        blocks: NDArray[np.float32],
    ) -> "SubsquareAnalysis":
        """Returns a copy in which the results of some squares, (n * n,), are cleared."""
        return SubsquareAnalysis(
            assumption,
            np.where(fresh[:, None], blocks, self.blocks),
            self.colours,
            np.where(fresh, 0.0, self.empty),
            *(part & ~fresh for part in self._parts),
        )


def examined_parts(
    evidence: Values,
    squares: SquarePatches,
    scene: CoarseView,
    colours: ColourModel,
    before: SubsquareAnalysis | None,
    whole: NDArray[np.bool_] | None = None,
) -> tuple[Values, SubsquareAnalysis]:
    """Corrects the evidence by the parts of squares, and returns their analysis.

    Args:
        evidence: (n * n, 1 + k) probabilities of empty and each colour.
        squares: pixels of the squares.
        scene: the view in blocks.
        colours: appearance of the colours.
        before: earlier analysis of the same table.
        whole: (n * n,) squares that are surely filled by a tile, if that is known.
    """
    size = math.isqrt(len(evidence))
    sides, called = sides_alike(evidence, size), evidence.argmax(axis=1)
    assumption, blocks = called * 16 + sides @ _SIDE_BITS, blocks_of(scene)
    if before is None or not _alike(colours, before.colours):
        fresh = np.ones(size**2, np.bool_)
        analysis = _nothing(assumption, blocks, colours)
    else:
        fresh = (assumption != before.assumption) | unlike(blocks, before.blocks)
        analysis = before.without(fresh, assumption, blocks)
    some = np.flatnonzero(fresh)
    here = replace(colours, light=colours.light[some])
    reached = reached_into(squares.lab[some], sides[some], called[some], here)
    analysis.empty[some], analysis.visibly_empty[some], analysis.notch[some] = reached
    parted = np.ones(size**2, np.bool_) if whole is None else ~whole
    # Between pieces a bare square may have the shape of a tile, but no glare has a tint.
    evidence = emptied(evidence, np.where(parted | analysis.notch, analysis.empty, 0.0))
    # A shadow, or the mirror image of a lamp, is as dark or bright as a part of a square.
    if not is_grey(colours.palette):
        plastic = (evidence.argmax(axis=1) > 0) & (evidence[:, 0] < _EVEN)
        some = np.flatnonzero(plastic & ~analysis.examined)
        here = replace(colours, light=colours.light[some])
        analysis.bare[some] = half_bare(squares.lab[some], here)
        analysis.examined[some] = True
        evidence = doubting_parts(evidence, analysis.bare & plastic & parted)
    return evidence, analysis


def less_sure_of_tiles(evidence: Values, before: Values, observed: SquareFeatures) -> Values:
    """Makes squares uncertain that are bare by their parts but have the shape of a tile.

    In noise and blur parts of a square are less reliable than the whole.

    Args:
        evidence: (n * n, 1 + k) evidence corrected by parts.
        before: (n * n, 1 + k) evidence of whole squares.
        observed: features of each square, with shapes if the network was run.
    """
    tile = tile_lead(observed) > _LIKELY
    disputed = tile & (before.argmax(axis=1) > 0) & (evidence.argmax(axis=1) == 0)
    return np.where(disputed[:, None], (evidence + before) / 2, evidence)


def _alike(colours: ColourModel, before: ColourModel) -> bool:
    """True if colours are as before, so that results based on them are valid."""
    same = colours.palette == before.palette and np.array_equal(colours.light, before.light)
    return same and bool((np.abs(colours.means - before.means) < _SAME_LOOK).all())


def _nothing(
    assumption: NDArray[np.intp], blocks: NDArray[np.float32], colours: ColourModel
) -> SubsquareAnalysis:
    """Returns an empty analysis."""
    no = [np.zeros(len(assumption), np.bool_) for _ in range(4)]
    return SubsquareAnalysis(assumption, blocks, colours, np.zeros(len(assumption)), *no)
