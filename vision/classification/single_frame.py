"""One picture judged by itself: what the squares hold, and which of them are under something.

Colours are learned only from squares that are surely free, because skin would otherwise be
learned as a pale orange; what is covered is told by lines first, then by lines and the colours
learned, a few times over.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_classifier import (
    PaletteChoice,
    SquarePosteriors,
    choose,
    contested,
    doubted,
    judge,
)
from vision.classification.colour_fit import explained, fit
from vision.classification.colour_model import ColourModel, is_grey, is_lit
from vision.classification.occlusion import covered_odds, near_large
from vision.features.square_features import SquareFeatures, hiding, leads, plain, tile_lead
from vision.shape.network import BARE, LIT, UNDER, tiles

_SURELY_FREE: Final = -4.0
_FEWEST_FREE: Final = 0.15
"""Share of the squares that have to be surely free for colours to be learned from them alone."""

_LIKE_SKIN: Final = 3.0
"""By how much skin may pass for plastic, as log odds: that colours look known says little."""

_MOST_FAMILIAR, _MOST_STRANGE = -6.0, 3.0
"""Bounds of what colour alone says of a square being covered, as log odds."""

_LONE: Final = 2.0
"""Log odds against a thing so small that it covers a square or two."""

_ROUNDS: Final = 3

_SEEN, _SEEN_GREY = 0.7, 0.9
"""Probability from which a square counts as told, be it ever so little, and the same of greys:
light alone hardly tells them from shadows and mirrored lamps."""

_BETTER: Final = 5.0
"""Log density by which colours have to fit what shapes tell better than what they tell alone."""

_MOST_CONTRARY: Final = 2.0
"""Log likelihood by which shapes may contradict what is told, and it is still believed."""

_SURELY_TOLD: Final = 0.45

_AS_MANY: Final = 0.2
"""Tiles that shapes have to see, as a share of those that colours see, to be believed about the
edition: of boards that are printed or drawn they see next to none. Of 14 path-traced boards of
which colours told another edition, shapes saw 0.4 to 1.6 times as many tiles."""

_AGREEING: Final = 0.75
"""Share of the plastic that colours are sure of that has the shape of a tile, from which colours
are believed about the edition where shapes are not: of those boards 0.2 to 0.6 had it, where
shapes are misled by crops of other pictures 0.96."""

_HARDLY, _LARGEST, _APART, _WHITEST = 2, 5, 3.0, 100.0
"""Tiles of a colour that may be mistakes; those of a single piece at most; L by which tiles lie
apart that may be of two colours, and L of what has burnt out. Of 140 path-traced boards of black
and white seven were told as of one colour: six of them had both, 4.7 to 28 apart."""

_FEW, _MOST_AGAINST = 3, 0.03
"""From where a square is surely empty or not, and how many such, or which share of them, shapes
may contradict."""


@dataclass(frozen=True, slots=True, eq=False)
class SingleFrameResult:
    """What one picture tells.

    Attributes:
        colours: as they look in it.
        is_sure: whether it is sure whose colours these are.
        verdicts: what the squares hold, as far as they can be seen.
        covered: (n * n,) bool, squares that cannot be seen.
        is_likely: whether it would be sure of the colours if something else told the same.
    """

    colours: ColourModel
    is_sure: bool
    verdicts: SquarePosteriors
    covered: NDArray[np.bool_]
    is_likely: bool = False


def judge_alone(
    look: SquareFeatures,
    lines: NDArray[np.intp],
    size: int,
    palette: tuple[str, ...] | None,
    before: ColourModel | None = None,
    told: tuple[str, ...] | None = None,
) -> SingleFrameResult:
    """What one picture tells.

    Args:
        look: what was measured on each square.
        lines: (n * n,) how many of the four lines around each square are seen.
        size: squares along a side.
        palette: names of the colours; None to tell by looking.
        before: how they looked in earlier pictures of the same table.
        told: the palette that something else than this look is sure of.
    """
    shapes = _shapes_over(look)
    lit = is_lit(look)
    seen = None if look.relief.any() else lines
    odds = covered_odds(seen, shapes, size)
    choice, verdicts = _judged(look, lit, odds, size, palette, before)
    for _ in range(_ROUNDS - 1):
        odds = covered_odds(seen, _strangeness(verdicts) + shapes, size)
        choice, verdicts = _judged(look, lit, odds, size, palette, before)
    colours = choice.colours
    is_sure = choice.is_sure or (choice.is_likely and colours.palette == told)
    odds = covered_odds(seen, _strangeness(verdicts) + shapes, size)
    unlikely = ~near_large(odds > 0, size)
    odds = np.where(unlikely, np.minimum(odds, verdicts.strange - _LONE), odds)
    verdicts = _shaken(verdicts, odds)
    if not is_sure or (is_grey(colours.palette) and _is_one_for_both(look, verdicts)):
        verdicts = doubted(verdicts)
    unseen = odds > 0 if look.relief.any() else look.hidden | (odds > 0)
    covered = unseen & ~lit
    return SingleFrameResult(colours, is_sure, verdicts, covered, choice.is_likely)


def judge_by_both(
    look: SquareFeatures,
    shaped: SquareFeatures,
    lines: NDArray[np.intp],
    size: int,
    palette: tuple[str, ...] | None,
) -> tuple[SingleFrameResult, SquareFeatures]:
    """What one picture tells by its colours and by shapes, and the look that it was told by.

    They are two witnesses. In bad light colours can be explained in more than one way, and the
    best explanation may be a wrong one, with which squares seem sure that are not; on a board
    that is printed, drawn, or of a make of its own, shapes may mean nothing. So where they
    contradict each other often, that explanation is taken which colours themselves fit better, or,
    where they tell two editions, that of the shapes, if these see tiles at all; and single squares
    that they are at odds about are left in doubt. Greys fit many explanations, mirrored lamps and
    shadows among them, so there shapes decide wherever they see tiles at all.

    Args:
        look: what was measured on each square, without shapes.
        shaped: the same with what shapes tell.
        lines: (n * n,) how many of the four lines around each square are seen.
        size: squares along a side.
        palette: names of the colours; None to tell by looking.
    """
    alone = judge_alone(look, lines, size, palette)
    surely = alone.colours.palette if alone.is_sure else None
    both = judge_alone(shaped, lines, size, palette, told=surely)
    # An LED may have the colour of a piece, and only shapes tell it from one.
    settled = is_lit(shaped)
    if is_grey(both.colours.palette):
        settled |= plain(shaped)
    if not contradicted(alone, shaped):
        return _less_sure(both, alone, settled), shaped
    if both.colours.palette != alone.colours.palette:
        likelier = both.is_likely or _share_of_tiles(alone, shaped) < _AGREEING
        return (both, shaped) if likelier and _sees_tiles(shaped, alone) else (alone, look)
    if is_grey(both.colours.palette) and _share_of_tiles(alone, shaped) > 0.5:
        return both, shaped
    if explained(look, both.colours) - explained(look, alone.colours) > _BETTER:
        return _less_sure(both, alone, settled), shaped
    plastic = alone.verdicts.evidence.argmax(axis=1) > 0
    agreeing = plastic == (tile_lead(shaped) > 0)
    relief = np.where(agreeing[:, None], shaped.relief, np.float32(0))
    return _less_sure(alone, both, settled), replace(look, relief=relief)


def _sees_tiles(look: SquareFeatures, judged: SingleFrameResult) -> bool:
    """Tell if shapes see about as many tiles as colours, on these squares or on others.

    Args:
        look: with what shapes tell.
        judged: what colours tell.
    """
    plastic = int(((judged.verdicts.evidence[:, 0] < 0.5) & ~judged.covered).sum())
    return int((leads(look)[1] > 1).sum()) > _AS_MANY * plastic


def _share_of_tiles(judged: SingleFrameResult, look: SquareFeatures) -> float:
    """The share of what colours are sure is plastic that has the shape of a tile.

    Args:
        judged: what colours tell.
        look: with what shapes tell.
    """
    plastic = (judged.verdicts.evidence[:, 0] < 0.5 - _SURELY_TOLD) & ~judged.covered
    return float((plastic & (tile_lead(look) > 0)).sum() / max(1, plastic.sum()))


def contradicted(judged: SingleFrameResult, look: SquareFeatures) -> bool:
    """Whether shapes contradict what colours are sure of so often that one of them is wrong.

    Args:
        judged: what colours tell.
        look: with what shapes tell.
    """
    empty = judged.verdicts.evidence[:, 0]
    sure = (np.abs(empty - 0.5) > _SURELY_TOLD) & ~judged.covered
    lead = tile_lead(look)
    other = np.isin(look.relief.argmax(axis=1), (UNDER, LIT))
    shaped = sure & ~other & (np.abs(lead) > 1)
    against = shaped & ((lead > 0) == (empty > 0.5))
    return bool(against.sum() > max(_FEW, _MOST_AGAINST * int(shaped.sum())))


def _less_sure(
    judged: SingleFrameResult, other: SingleFrameResult, settled: NDArray[np.bool_]
) -> SingleFrameResult:
    """What is told, in doubt where the other explanation is as sure of something else."""
    if judged.colours.palette != other.colours.palette:
        return judged
    said, held = judged.verdicts.evidence, other.verdicts.evidence
    told = _SEEN_GREY if is_grey(judged.colours.palette) else _SEEN
    surely = np.minimum(said.max(axis=1), held.max(axis=1)) > told
    torn = surely & (said.argmax(axis=1) != held.argmax(axis=1))
    torn |= (said[:, 0] > told) & (held[:, 0] < 1 - told)
    torn &= ~(other.covered | settled)
    evidence = np.where(torn[:, None], (said + held) / 2, said)
    return replace(judged, verdicts=replace(judged.verdicts, evidence=evidence))


def agreed(verdicts: SquarePosteriors, look: SquareFeatures, *, smeared: bool) -> SquarePosteriors:
    """What is told, in doubt where shapes tell the contrary.

    Where colours run into one another, a square takes on those of its neighbours; under a
    mirrored lamp a piece loses its colour. In a blurred picture only what shapes tell too is
    believed.

    Args:
        verdicts: what the squares hold.
        look: what was measured on them, with shapes.
        smeared: whether the picture is blurred.
    """
    most = 0.0 if smeared else _MOST_CONTRARY
    lead = tile_lead(look)
    empty = verdicts.evidence.argmax(axis=1) == 0
    torn = np.where(empty, lead > most, lead < -most)[:, None]
    even = 1.0 / verdicts.evidence.shape[1]
    evidence = np.where(torn, (verdicts.evidence + even) / 2, verdicts.evidence)
    return replace(verdicts, evidence=evidence)


def _is_one_for_both(look: SquareFeatures, verdicts: SquarePosteriors) -> bool:
    """Tell if tiles read as one grey may be of both: some are much lighter than the rest.

    Under a lamp that it mirrors black is lighter than a dark board, as white is.
    """
    tiles = leads(look)[1] > 1
    told = verdicts.evidence[tiles].argmax(axis=1)
    if np.bincount(told, minlength=3)[1:].min() > _HARDLY or (told > 0).sum() <= _LARGEST:
        return False
    light = np.sort(np.where(look.hidden, _WHITEST, look.depth)[tiles][told > 0])
    apart = np.diff(light)[_HARDLY:-_HARDLY]
    return bool(apart.size and apart.max() > _APART)


def _shapes_over(look: SquareFeatures) -> NDArray[np.float64]:
    """(n * n,) what shapes say of each square being under something, as log odds."""
    bare, lit = look.relief[:, BARE], look.relief[:, LIT]
    seen = np.logaddexp.reduce([bare, tiles(look.relief), lit]) - np.log(3)
    return np.asarray(look.relief[:, UNDER] - seen, np.float64)


def _judged(
    look: SquareFeatures,
    lit: NDArray[np.bool_],
    odds: NDArray[np.float64],
    size: int,
    palette: tuple[str, ...] | None,
    before: ColourModel | None,
) -> tuple[PaletteChoice, SquarePosteriors]:
    """Colours learned where squares are free, and what they make of all."""
    free = hiding(_free(look, odds), lit)
    if palette is not None:
        choice = PaletteChoice(fit(free, palette, before), is_sure=True)
        return choice, judge(look, choice.colours)
    choice = choose(free, size)
    verdicts = judge(look, choice.colours)
    if choice.rival is not None:
        verdicts = contested(verdicts, judge(look, choice.rival))
    return choice, verdicts


def _strangeness(verdicts: SquarePosteriors) -> NDArray[np.float64]:
    """What colour alone says of each square being covered, as log odds."""
    return np.clip(verdicts.strange + _LIKE_SKIN, _MOST_FAMILIAR, _MOST_STRANGE)


def _free(look: SquareFeatures, odds: NDArray[np.float64]) -> SquareFeatures:
    """The look with all hidden that may be covered, as far as enough is left."""
    surely = hiding(look, odds > _SURELY_FREE)
    return surely if (~surely.hidden).mean() > _FEWEST_FREE else hiding(look, odds > 0)


def _shaken(verdicts: SquarePosteriors, odds: NDArray[np.float64]) -> SquarePosteriors:
    """Verdicts that allow for each square being covered after all."""
    covered = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))[:, None]
    evidence = (1 - covered) * verdicts.evidence + covered / verdicts.evidence.shape[1]
    return SquarePosteriors(evidence, verdicts.strange, verdicts.fit)
