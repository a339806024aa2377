"""Judges one picture by itself: the content of its squares, and the squares under something.

Colours are learned only from squares that are surely free, because skin would otherwise be
learned as a pale orange; covered squares are found by lines first, then by lines and the learned
colours, in several iterations.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_classifier import (
    PaletteChoice,
    SquarePosteriors,
    choose,
    doubted,
    judge,
)
from vision.classification.colour_fit import explained, fit
from vision.classification.colour_model import ColourModel, is_grey, is_lit
from vision.classification.occlusion import covered_odds, near_large
from vision.features.square_features import (
    SquareFeatures,
    empty_lead,
    hiding,
    leads,
    plain,
    surely_tiles,
    tile_lead,
)
from vision.fitted.constants import fitted
from vision.shape.network import BARE, LIT, UNDER, tiles

_SURELY_FREE: Final = -4.0
"""Log odds of being covered below which a square is surely free."""

_FEWEST_FREE: Final = 0.15
"""Share of the squares that have to be surely free for colours to be learned from them alone."""

_LIKE_SKIN: Final = fitted("classification.single_frame.like_skin")
"""Log odds added because skin may look like plastic, so that a familiar colour proves little."""

_MOST_FAMILIAR: Final = -6.0
"""Lower bound of the log odds, by colour alone, of a square being covered."""

_MOST_STRANGE: Final = 3.0
"""Upper bound of the log odds, by colour alone, of a square being covered."""

_LONE: Final = 2.0
"""Log odds against an object so small that it covers a square or two."""

_ROUNDS: Final = 3
"""Iterations of finding covered squares and learning colours."""

_SEEN: Final = 0.7
"""Probability from which the content of a square counts as known."""

_SEEN_GREY: Final = 0.9
"""The same for greys, which lightness alone hardly tells from shadows and mirrored lamps."""

_BETTER: Final = fitted("classification.single_frame.better")
"""Log density by which colours have to fit the result with shapes better than their own."""

_MOST_CONTRARY: Final = 2.0
"""Log likelihood by which shapes may contradict the content of a square without causing doubt."""

_SURE_MARGIN: Final = 0.45
"""Distance of the probability of being empty from a half, from which colours are sure."""

_AS_MANY: Final = 0.2
"""Tiles that shapes have to find, as a share of those that colours find, to decide the edition: on
printed or drawn boards they find almost none. On 14 path-traced boards for which colours gave
another edition, shapes found 0.4 to 1.6 times as many tiles."""

_AGREEING: Final = 0.75
"""Share of the sure plastic with the shape of a tile from which colours decide the edition where
shapes are not sure: on those boards it was 0.2 to 0.6; where crops of other pictures mislead
shapes, 0.96."""

_HARDLY: Final = 2
"""Tiles of a colour that may be mistakes."""

_LARGEST: Final = 5
"""Most tiles of a single piece."""

_APART: Final = 3.0
"""Difference in L from which tiles may have two colours. Of 140 path-traced boards of black and
white seven were read as of one colour: six of them had both, 4.7 to 28 apart."""

_WHITEST: Final = 100.0
"""L that stands for that of overexposed squares, the largest that there is."""

_BRIGHT_BARE: Final = 0.95
"""Quantile of the L of bare squares that counts as their largest."""

_LIT_UP: Final = 2.0
"""L above the largest of bare squares from which a tile mirrors a lamp: 18 red and yellow tiles
that were taken for bare board were 3 to 16 above it."""

_FEW: Final = 3
"""Number of the sure squares that shapes may contradict on any board."""

_SURELY_EMPTY: Final = fitted("classification.single_frame.surely_empty")
"""Log likelihood by which the shape of an empty square leads if no black tile is there: for 24
that could not be seen on a dark board, it led by 5.5 at most."""

_MOST_AGAINST: Final = 0.03
"""Share of the sure squares that shapes may contradict, where it is more than `_FEW`."""


@dataclass(frozen=True, slots=True, eq=False)
class SingleFrameResult:
    """Result for one picture.

    Attributes:
        colours: appearance of the colours in it.
        is_sure: True if the palette is sure.
        posteriors: content of the squares, as far as they are visible.
        covered: (n * n,) bool, squares that cannot be seen.
        tiles: (n * n,) bool, squares that are surely tiles by their shape.
        is_likely: True if the palette is sure once other evidence agrees.
    """

    colours: ColourModel
    is_sure: bool
    posteriors: SquarePosteriors
    covered: NDArray[np.bool_]
    tiles: NDArray[np.bool_]
    is_likely: bool = False


def judge_alone(
    observed: SquareFeatures,
    lines: NDArray[np.intp],
    size: int,
    palette: tuple[str, ...] | None,
    before: ColourModel | None = None,
    confirmed: tuple[str, ...] | None = None,
) -> SingleFrameResult:
    """Judges one picture by the features of its squares.

    Args:
        observed: features of each square.
        lines: (n * n,) number of the four lines around each square that are seen.
        size: squares along a side.
        palette: names of the colours; None to detect them.
        before: appearance of the colours in earlier pictures of the same table.
        confirmed: palette of which other evidence is sure.
    """
    shapes = _shapes_over(observed)
    lit = is_lit(observed)
    seen = None if observed.relief.any() else lines
    odds = covered_odds(seen, shapes, size)
    free = hiding(_free(observed, odds), lit)
    choice, posteriors = _judged(observed, free, size, palette, before)
    for _ in range(_ROUNDS - 1):
        learned_from = free.hidden
        odds = covered_odds(seen, _strangeness(posteriors) + shapes, size)
        free = hiding(_free(observed, odds), lit)
        if (free.hidden == learned_from).all():
            break
        choice, posteriors = _judged(observed, free, size, palette, before)
    colours = choice.colours
    is_sure = choice.is_sure or (choice.is_likely and colours.palette == confirmed)
    odds = covered_odds(seen, _strangeness(posteriors) + shapes, size)
    unlikely = ~near_large(odds > 0, size)
    odds = np.where(unlikely, np.minimum(odds, posteriors.strange - _LONE), odds)
    posteriors = _mixed_with_cover(posteriors, odds)
    grey = is_grey(colours.palette)
    if not is_sure or (grey and _is_one_for_both(observed, posteriors)):
        posteriors = doubted(posteriors)
    if grey and observed.relief.any() and _is_one_missing(posteriors, odds > 0):
        posteriors = _hardly_empty(posteriors, observed)
    unseen = odds > 0 if observed.relief.any() else observed.hidden | (odds > 0)
    covered = unseen & ~lit
    sure = surely_tiles(observed)
    return SingleFrameResult(colours, is_sure, posteriors, covered, sure, choice.is_likely)


def judge_by_both(
    observed: SquareFeatures,
    shaped: SquareFeatures,
    lines: NDArray[np.intp],
    size: int,
    palette: tuple[str, ...] | None,
) -> tuple[SingleFrameResult, SquareFeatures]:
    """Judges one picture by colours and by shapes; also returns the features it was judged by.

    Both may be wrong. In bad light colours can be explained in more than one way, and the best
    explanation may be wrong and yet seem sure; on a board that is printed, drawn, or of an unusual
    make, shapes may mean nothing. So if they often contradict each other, the result is used that
    fits the colours themselves better, or, if they give two editions, that with shapes, provided
    that these find tiles at all; and single squares on which they disagree are left in doubt.
    Greys fit many explanations, mirrored lamps and shadows among them, so for greys shapes decide
    wherever they find tiles at all.

    Args:
        observed: features of each square, without shapes.
        shaped: the same with the likelihoods of shapes.
        lines: (n * n,) number of the four lines around each square that are seen.
        size: squares along a side.
        palette: names of the colours; None to detect them.
    """
    alone = judge_alone(observed, lines, size, palette)
    surely = alone.colours.palette if alone.is_sure else None
    both = judge_alone(shaped, lines, size, palette, confirmed=surely)
    # An LED may have the colour of a piece, and only shapes distinguish it from one.
    settled = is_lit(shaped)
    if is_grey(both.colours.palette):
        settled |= plain(shaped)
    if not contradicted(alone.posteriors, alone.covered, shaped):
        return _less_sure(both, alone, settled), shaped
    if both.colours.palette != alone.colours.palette:
        likelier = both.is_likely or _share_of_tiles(alone, shaped) < _AGREEING
        return (both, shaped) if likelier and _sees_tiles(shaped, alone) else (alone, observed)
    if is_grey(both.colours.palette) and _share_of_tiles(alone, shaped) > 0.5:
        return both, shaped
    if explained(observed, both.colours) - explained(observed, alone.colours) > _BETTER:
        return _less_sure(both, alone, settled), shaped
    plastic = alone.posteriors.evidence.argmax(axis=1) > 0
    agreeing = plastic == (tile_lead(shaped) > 0)
    believed = agreeing | _washed_out(shaped, plastic)
    relief = np.where(believed[:, None], shaped.relief, np.float32(0))
    return _less_sure(alone, both, settled), replace(observed, relief=relief)


def _washed_out(observed: SquareFeatures, plastic: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n * n,) sure tiles that colours take for bare board, because they mirror a lamp.

    Args:
        observed: features with shapes.
        plastic: (n * n,) squares that are plastic by colours.
    """
    tile = surely_tiles(observed)
    bare = observed.lightness[~plastic & ~tile]
    if not len(bare):
        return np.zeros_like(plastic)
    light = np.quantile(bare, _BRIGHT_BARE) + _LIT_UP
    return np.asarray(tile & ~plastic & (observed.lightness > light))


def _sees_tiles(observed: SquareFeatures, judged: SingleFrameResult) -> bool:
    """True if shapes find about as many tiles as colours, on these squares or on others.

    Args:
        observed: features with shapes.
        judged: result by colours.
    """
    plastic = int(((judged.posteriors.evidence[:, 0] < 0.5) & ~judged.covered).sum())
    return int((leads(observed)[1] > 1).sum()) > _AS_MANY * plastic


def _share_of_tiles(judged: SingleFrameResult, observed: SquareFeatures) -> float:
    """Share of the squares that are surely plastic by colour that have the shape of a tile.

    Args:
        judged: result by colours.
        observed: features with shapes.
    """
    plastic = (judged.posteriors.evidence[:, 0] < 0.5 - _SURE_MARGIN) & ~judged.covered
    return float((plastic & (tile_lead(observed) > 0)).sum() / max(1, plastic.sum()))


def contradicted(
    posteriors: SquarePosteriors, covered: NDArray[np.bool_], observed: SquareFeatures
) -> bool:
    """True if shapes contradict sure colours so often that one of them is wrong.

    Args:
        posteriors: content of the squares by colours.
        covered: (n * n,) squares that cannot be seen.
        observed: features with shapes.
    """
    empty = posteriors.evidence[:, 0]
    sure = (np.abs(empty - 0.5) > _SURE_MARGIN) & ~covered
    lead = tile_lead(observed)
    other = np.isin(observed.relief.argmax(axis=1), (UNDER, LIT))
    shaped = sure & ~other & (np.abs(lead) > 1)
    against = shaped & ((lead > 0) == (empty > 0.5))
    return bool(against.sum() > max(_FEW, _MOST_AGAINST * int(shaped.sum())))


def _less_sure(
    judged: SingleFrameResult, other: SingleFrameResult, settled: NDArray[np.bool_]
) -> SingleFrameResult:
    """Averages squares on which the other result is as sure of another content."""
    if judged.colours.palette != other.colours.palette:
        return judged
    own, rival = judged.posteriors.evidence, other.posteriors.evidence
    known = _SEEN_GREY if is_grey(judged.colours.palette) else _SEEN
    surely = np.minimum(own.max(axis=1), rival.max(axis=1)) > known
    disputed = surely & (own.argmax(axis=1) != rival.argmax(axis=1))
    disputed |= (own[:, 0] > known) & (rival[:, 0] < 1 - known)
    disputed &= ~(other.covered | settled)
    evidence = np.where(disputed[:, None], (own + rival) / 2, own)
    return replace(judged, posteriors=replace(judged.posteriors, evidence=evidence))


def agreed(
    posteriors: SquarePosteriors, observed: SquareFeatures, *, smeared: bool
) -> SquarePosteriors:
    """Makes squares uncertain if their shapes contradict their colours.

    In a blurred picture a square takes on the colours of its neighbours; under a mirrored lamp a
    piece loses its colour. In a blurred picture any contradiction causes doubt.

    Args:
        posteriors: content of the squares.
        observed: features of each square, with shapes.
        smeared: True if the picture is blurred.
    """
    most = 0.0 if smeared else _MOST_CONTRARY
    lead = tile_lead(observed)
    empty = posteriors.evidence.argmax(axis=1) == 0
    return _half_even(posteriors, np.where(empty, lead > most, lead < -most))


def _half_even(posteriors: SquarePosteriors, squares: NDArray[np.bool_]) -> SquarePosteriors:
    """Averages some squares, (n * n,), with uniform evidence."""
    evidence = posteriors.evidence
    even = 1.0 / evidence.shape[1]
    return replace(posteriors, evidence=np.where(squares[:, None], (evidence + even) / 2, evidence))


def _is_one_for_both(observed: SquareFeatures, posteriors: SquarePosteriors) -> bool:
    """True if tiles read as one grey may be of both: some are much lighter than the rest.

    Under a mirrored lamp black is lighter than a dark board, like white.
    """
    tiles = leads(observed)[1] > 1
    contents = posteriors.evidence[tiles].argmax(axis=1)
    if np.bincount(contents, minlength=3)[1:].min() > _HARDLY or (contents > 0).sum() <= _LARGEST:
        return False
    light = np.sort(np.where(observed.hidden, _WHITEST, observed.depth)[tiles][contents > 0])
    apart = np.diff(light)[_HARDLY:-_HARDLY]
    return bool(apart.size and apart.max() > _APART)


def _is_one_missing(posteriors: SquarePosteriors, covered: NDArray[np.bool_]) -> bool:
    """True if several pieces of one grey are found and none of the other, which players alternate.

    Black may be as dark as the board, and its bevels too faint to be seen.
    """
    contents = posteriors.evidence[~covered].argmax(axis=1)
    few, many = np.sort(np.bincount(contents, minlength=3)[1:])
    return bool(few <= _HARDLY and many > 2 * _LARGEST)


def _hardly_empty(posteriors: SquarePosteriors, observed: SquareFeatures) -> SquarePosteriors:
    """Makes empty squares uncertain, except those that are beyond doubt by their shape."""
    empty = posteriors.evidence.argmax(axis=1) == 0
    return _half_even(posteriors, empty & (empty_lead(observed) < _SURELY_EMPTY))


def _shapes_over(observed: SquareFeatures) -> NDArray[np.float64]:
    """(n * n,) log odds of being under something, by shapes."""
    bare, lit = observed.relief[:, BARE], observed.relief[:, LIT]
    seen = np.logaddexp.reduce([bare, tiles(observed.relief), lit]) - np.log(3)
    return np.asarray(observed.relief[:, UNDER] - seen, np.float64)


def _judged(
    observed: SquareFeatures,
    free: SquareFeatures,
    size: int,
    palette: tuple[str, ...] | None,
    before: ColourModel | None,
) -> tuple[PaletteChoice, SquarePosteriors]:
    """Learns colours on the free squares and classifies all squares by them."""
    if palette is not None:
        choice = PaletteChoice(fit(free, palette, before), is_sure=True)
        return choice, judge(observed, choice.colours)
    choice = choose(free, size)
    return choice, judge(observed, choice.colours)


def _strangeness(posteriors: SquarePosteriors) -> NDArray[np.float64]:
    """(n * n,) log odds of being covered, by colour alone."""
    return np.clip(posteriors.strange + _LIKE_SKIN, _MOST_FAMILIAR, _MOST_STRANGE)


def _free(observed: SquareFeatures, odds: NDArray[np.float64]) -> SquareFeatures:
    """Hides all squares that may be covered, or only the likely ones if too few would remain."""
    surely = hiding(observed, odds > _SURELY_FREE)
    return surely if (~surely.hidden).mean() > _FEWEST_FREE else hiding(observed, odds > 0)


def _mixed_with_cover(posteriors: SquarePosteriors, odds: NDArray[np.float64]) -> SquarePosteriors:
    """Mixes in uniform evidence by the probability of each square being covered."""
    covered = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))[:, None]
    evidence = (1 - covered) * posteriors.evidence + covered / posteriors.evidence.shape[1]
    return SquarePosteriors(evidence, posteriors.strange, posteriors.fit)
