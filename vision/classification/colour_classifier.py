"""What lies on each square, by its colour.

Glare sits on the flat middle of a piece and takes its colour away; on the bevels the colour
survives. So a square is judged by the median of its most colourful pixels. And lamps differ, so
how empty squares and each colour of plastic look is learned from the picture itself, from a
rough idea of every colour; see `vision.features.square_features` for what is measured.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.classification.colour_fit import FAINT, TYPICAL, fit, in_order, stray
from vision.classification.colour_model import (
    NEUTRAL,
    OFFSET,
    ColourModel,
    Values,
    features_of,
    foreign_density,
    is_grey,
    lit_density,
    log_density,
    prior_of,
)
from vision.classification.edition import edition_evidence
from vision.classification.shadow_edges import faded, near
from vision.features.square_features import SquareFeatures

PALETTES: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    14: (
        ("purple", "orange"),
        ("blue", "green"),
        ("red", "yellow"),
        ("black", "white"),
    ),
    20: (("blue", "yellow", "red", "green"),),
}
"""The colours of plastic sold for a board of each size; the first is what an empty one gets."""

_ANY_DEPTH: Final = 0.35
"""Stray along a tint, for telling editions: plastic is pale or deep, but its hue is its own."""

_VIVID: Final = 0.52
_FEWEST_EXPLAINED: Final = 1.5
"""Squares of the usual hue that a vivid palette has to have to be sure of it."""

_MANY_EXPLAINED: Final = 25.0
_USUAL_HUE: Final = 4.0
"""Log density that a square of the usual hue counts for, up to so many squares."""

_FEWEST_GREY: Final = 3
_PLAIN: Final = 0.9
"""Black and white squares that have to be there beyond doubt to be sure of that edition."""

_GREY_DEMAND: Final = 20.0
"""The same that two greys have to bring, because shadows and glare can be told as greys too."""

_LEAD: Final = 20.0
"""Log density by which a palette has to lead the next."""

_SHAPES_LEAD, _SHAPES_LEAN = 12.0, 5.0
"""Log likelihood by which it has to lead where shapes tell the tiles, by itself, and where colours
alone are sure of it too."""

_GREY_MET: Final = 0.9
"""Share of the tiles that have to be grey to be sure of greys: no light gives them a hue. Of 137
path-traced boards of black and white 0.95 were at the least; of three boards of purple and orange
that looked grey, 0.83 at the most."""

_NEVER_SURER: Final = 0.001
_SOME_GLARE, _MUCH_GLARE = 0.3, 0.6
"""Shares of a square that glare covers, from where greys are doubted and most of all."""

_FADED: Final = 0.4
"""How far greys are believed that may be shadows, or mirror something bright."""

_BESIDE_SHAPES: Final = 0.7
"""How far the light of greys is believed where shapes have a say: a lamp may be mirrored."""

_APART: Final = 1.35
"""Strays to either side by which two greys have to lie apart to be told for sure."""


@dataclass(frozen=True, slots=True, eq=False)
class SquarePosteriors:
    """What the squares hold.

    Attributes:
        evidence: (n * n, 1 + k) probabilities of empty and each colour; rows sum to 1.
        strange: (n * n,) log odds by which a square shows neither board nor piece.
        fit: log density of all squares that can be seen, to compare palettes by.
    """

    evidence: Values
    strange: Values
    fit: float


def judge(look: SquareFeatures, colours: ColourModel) -> SquarePosteriors:
    """What each square holds, colours looking as learned."""
    features = features_of(look, colours.palette)
    density = log_density(features, colours)[0]
    shapes, lit = prior_of(look, colours.palette), lit_density(look, density)
    known = np.logaddexp.reduce(np.column_stack([density + shapes[:, :-1], lit]), axis=1)
    foreign = foreign_density(features, colours) + shapes[:, -1]
    fit = np.logaddexp(known, foreign)[~look.hidden].sum()
    strange = foreign - known
    evidence = _shared(density)
    if is_grey(colours.palette):
        evidence = _told_by_light(evidence, look, strange, colours)
    evidence = _humbled(evidence, look, colours)
    if look.relief.any():
        # What has burnt out may still have a shape.
        density[look.hidden], evidence[look.hidden] = 0.0, 1.0 / evidence.shape[1]
    whole = np.logaddexp.reduce(density, axis=1)[:, None] + np.log(evidence) + shapes[:, :-1]
    # What shines through a square lies under it.
    whole[:, 0] = np.logaddexp(whole[:, 0], lit)
    return SquarePosteriors(_shared(whole), strange, float(fit))


def _shared(density: Values) -> Values:
    """Log densities as probabilities, row by row."""
    odds = np.exp(density - density.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _humbled(evidence: Values, look: SquareFeatures, colours: ColourModel) -> Values:
    """Evidence that allows for what looks alike: nothing is surer than was ever measured.

    In the mirror image of a lamp everything is grey, whatever lies there.
    """
    grey = np.array([True] + [name in NEUTRAL for name in colours.palette])
    dazzled = np.clip((look.glare - _SOME_GLARE) / (_MUCH_GLARE - _SOME_GLARE), 0, 1)
    doubt = np.where(grey[evidence.argmax(axis=1)], 0.5 * dazzled, 0.0)
    even = 1.0 / evidence.shape[1]
    evidence = (1 - doubt[:, None]) * evidence + doubt[:, None] * even
    return np.asarray((1 - _NEVER_SURER) * evidence + _NEVER_SURER * even)


def _told_by_light(
    evidence: Values, look: SquareFeatures, strange: Values, colours: ColourModel
) -> Values:
    """Evidence for greys, as far as it can be believed."""
    if look.relief.any():
        trust = np.full((len(evidence), 1), _BESIDE_SHAPES)
    else:
        trust = np.full((len(evidence), 1), _trust_in_greys(colours) ** 2)
    contents = np.where(look.hidden | (strange > 0), -1, evidence.argmax(axis=1))
    usual = np.log(np.maximum(colours.means[:, 2], 0.0) + OFFSET)
    fades = faded(contents, np.log(look.depth.astype(np.float64) + OFFSET), usual)
    trust[fades | near(look.glare > _SOME_GLARE)] *= _FADED
    return np.asarray(trust * evidence + (1 - trust) / evidence.shape[1])


def _trust_in_greys(colours: ColourModel) -> float:
    """How far black, white and board can be told apart by their looks alone, 0 to 1.

    Where black comes out lighter than the board, or white darker, one was taken for another.
    """
    if not in_order(colours):
        return 0.0
    empty, spread = colours.means[0], colours.spreads[0]
    trust = 1.0
    for k, members in enumerate(colours.members[1:], 1):
        if members >= 1:
            away = colours.means[k] - empty
            middle = np.linalg.inv((colours.spreads[k] + spread) / 2)
            trust = min(trust, float(np.sqrt(away @ middle @ away)) / 2 / _APART)
    return trust


@dataclass(frozen=True, slots=True, eq=False)
class PaletteChoice:
    """Whose colours the pieces on a board have.

    Attributes:
        colours: as they look there.
        is_sure: whether there is plastic enough on the board to be sure of them.
        is_likely: whether they are sure if something else tells the same.
        rival: greys that explain the board better, but not beyond doubt; what they take for
            pieces may be some.
    """

    colours: ColourModel
    is_sure: bool
    is_likely: bool = False
    rival: ColourModel | None = None


def choose(look: SquareFeatures, size: int) -> PaletteChoice:
    """The palette that explains a board best, as its colours look there."""
    palettes = PALETTES.get(size, PALETTES[14])
    if len(palettes) == 1:
        return PaletteChoice(fit(look, palettes[0]), is_sure=True)
    told = edition_evidence(look, palettes)
    if told is not None:
        best = palettes[told.best]
        fits = told.met > _GREY_MET if is_grey(best) else told.fits
        likely = fits and told.lead >= _SHAPES_LEAN
        sure = told.lead >= _SHAPES_LEAD and (likely or not is_grey(best))
        return PaletteChoice(fit(look, best), is_sure=sure, is_likely=likely)
    learned = [fit(look, palette) for palette in palettes]
    scores = [_score(look, colours) for colours in learned]
    first, second = np.argsort(scores)[::-1][:2]
    if scores[first] - scores[second] >= _LEAD and _is_met(look, palettes[first]):
        return PaletteChoice(learned[first], is_sure=True)
    if is_grey(palettes[first]):
        return PaletteChoice(learned[0], is_sure=False, rival=learned[first])
    vivid = scores[first] - scores[0] >= _LEAD
    return PaletteChoice(learned[first if vivid else 0], is_sure=False)


def _is_met(look: SquareFeatures, palette: tuple[str, ...]) -> bool:
    """Whether some squares have the usual hues of a palette, or are plainly black or white."""
    if is_grey(palette):
        return _plain_pieces(look, palette) >= _FEWEST_GREY
    return _explained(look, palette) >= _FEWEST_EXPLAINED


def _plain_pieces(look: SquareFeatures, palette: tuple[str, ...]) -> int:
    """How many squares hold a colour of a palette beyond doubt."""
    plain = judge(look, fit(look, palette)).evidence[~look.hidden, 1:].max(axis=1)
    return int((plain > _PLAIN).sum())


def _score(look: SquareFeatures, colours: ColourModel) -> float:
    """Log density of the board as that palette explains it, and how well its hues are met."""
    palette = colours.palette
    usual = min(_explained(look, palette), _MANY_EXPLAINED)
    demand = _GREY_DEMAND if is_grey(palette) else 0.0
    return judge(look, colours).fit + _USUAL_HUE * usual - demand


def _explained(look: SquareFeatures, palette: tuple[str, ...]) -> float:
    """How many vivid squares have about the tint that a colour of the palette usually has."""
    tint = look.tint[~look.hidden].astype(np.float64)
    length = np.hypot(tint[:, 0], tint[:, 1])
    faint = tint[length < FAINT]
    cast = 0.5 * np.median(faint, axis=0) if len(faint) else np.zeros(2)
    vivid = tint[length > _VIVID]
    best = np.zeros(len(vivid))
    for name in set(palette) - set(NEUTRAL):
        usual = np.array(TYPICAL[name]) + cast
        away = vivid - usual
        inverse = np.linalg.inv(stray(name, usual, _ANY_DEPTH)[:2, :2])
        near = np.exp(-np.einsum("sd,de,se->s", away, inverse, away) / 4)
        best = np.maximum(best, near)
    return float(best.sum())


def contested(verdicts: SquarePosteriors, rival: SquarePosteriors) -> SquarePosteriors:
    """The same where a rival palette may be right: what it takes for a piece may be one."""
    plastic = 0.5 * rival.evidence[:, 1:].sum(axis=1, keepdims=True)
    evidence = (1 - plastic) * verdicts.evidence
    evidence[:, 1:] += plastic / (evidence.shape[1] - 1)
    return SquarePosteriors(evidence, verdicts.strange, verdicts.fit)


def doubted(verdicts: SquarePosteriors) -> SquarePosteriors:
    """The same where it is not sure whose colours these are: a piece, but any could be it."""
    evidence = verdicts.evidence.copy()
    plastic = evidence[:, 1:].sum(axis=1, keepdims=True) / (evidence.shape[1] - 1)
    evidence[:, 1:] = (evidence[:, 1:] + plastic) / 2
    return SquarePosteriors(evidence, verdicts.strange, verdicts.fit)
