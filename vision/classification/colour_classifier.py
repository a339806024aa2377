"""Classifies each square by its colour.

Glare on the flat middle of a piece hides its colour, but not on the bevels. So a square is judged
by the median of its most colourful pixels. As lamps differ, the appearance of empty squares and of
each colour of plastic is learned from the picture itself, starting from typical colours. The
measurements are those of `vision.features.square_features`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classification.colour_fit import FAINT, fit, in_order, stray
from vision.classification.colour_model import (
    APART,
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
from vision.fitted.constants import fitted
from vision.plastics import PLASTICS

PALETTES: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    14: (
        ("purple", "orange"),
        ("blue", "green"),
        ("red", "yellow"),
        ("black", "white"),
    ),
    20: (("blue", "yellow", "red", "green"),),
}
"""Colours of plastic sold for a board of each size; an empty board gets the first palette."""

_ANY_DEPTH: Final = 0.35
"""Spread along a tint when editions are compared: plastic may be pale or deep, but has its hue."""

_VIVID: Final = 0.52
"""Length of a tint from which a square counts as vivid."""

_FEWEST_EXPLAINED: Final = 1.5
"""Squares of a usual hue that a vivid palette needs to be sure."""

_MANY_EXPLAINED: Final = 25.0
"""Most squares of a usual hue that count."""

_USUAL_HUE: Final = 4.0
"""Log density that each square of a usual hue adds to the score of a palette."""

_FEWEST_GREY: Final = 3
"""Squares surely black or white that this edition needs to be sure."""

_PLAIN: Final = 0.9
"""Probability from which such a square is sure."""

_GREY_DEMAND: Final = 20.0
"""Log density subtracted from the score of greys, because shadows and glare may look like greys."""

_LEAD: Final = 20.0
"""Log density by which a palette has to lead the next."""

_SHAPES_LEAD: Final = 12.0
"""Log likelihood by which a palette has to lead to be sure by itself, if the tiles are known by
their shapes."""

_SHAPES_LEAN: Final = 5.0
"""Log likelihood by which a palette has to lead if the tiles are known by their shapes, and colours
alone are sure of it too."""

_GREY_MET: Final = 0.9
"""Share of the tiles that have to be grey to be sure of greys: no light gives them a hue. Of 137
path-traced boards of black and white the least was 0.95; of three boards of purple and orange that
looked grey, the most was 0.83."""

_NEVER_SURER: Final = 0.001
"""Share of uniform evidence mixed into each square."""

_SOME_GLARE: Final = fitted("classification.colour_classifier.some_glare")
"""Share of a square covered by glare, from which greys are doubted."""

_MUCH_GLARE: Final = fitted("classification.colour_classifier.much_glare")
"""Share of a square covered by glare, from which greys are doubted most."""

_FADED: Final = 0.4
"""Weight of greys that may be shadows, or mirror something bright."""

_BESIDE_SHAPES: Final = fitted("classification.colour_classifier.beside_shapes")
"""Weight of the lightness of greys if shapes are known: a lamp may be mirrored."""

_NEARER: Final = 2.0
"""Factor by which the tint of a square is nearer to a grey's than to the board's, from which it is
no shadow: that keeps the tint of the board. In JPEG the tint of an empty square between white
pieces strays by up to half of the distance."""

_EVEN_L: Final = 8.0
"""Difference between lightness and depth, in L, up to which a square is dark all over: black tiles
between white ones had up to 2, a square that a white piece covers by half has 64."""

_APART: Final = fitted("classification.colour_classifier.apart")
"""Standard deviations on either side by which two greys have to differ to be sure."""


@dataclass(frozen=True, slots=True, eq=False)
class SquarePosteriors:
    """Probabilities of the content of each square.

    Attributes:
        evidence: (n * n, 1 + k) probabilities of empty and each colour; rows sum to 1.
        strange: (n * n,) log odds by which a square shows neither board nor piece.
        fit: log density of all visible squares, by which palettes are compared.
    """

    evidence: Values
    strange: Values
    fit: float


def judge(observed: SquareFeatures, colours: ColourModel) -> SquarePosteriors:
    """Classifies each square under a colour model."""
    features = features_of(observed, colours.palette)
    density = log_density(features, colours)[0]
    shapes, lit = prior_of(observed, colours.palette), lit_density(observed, density)
    known = np.logaddexp.reduce(np.column_stack([density + shapes[:, :-1], lit]), axis=1)
    foreign = foreign_density(features, colours) + shapes[:, -1]
    fit = np.logaddexp(known, foreign)[~observed.hidden].sum()
    strange = foreign - known
    evidence = _shared(density)
    if is_grey(colours.palette):
        evidence = _weighed_by_light(evidence, observed, strange, colours)
    evidence = _limited(evidence, observed, colours)
    if observed.relief.any():
        # Overexposed squares may still have a shape.
        density[observed.hidden], evidence[observed.hidden] = 0.0, 1.0 / evidence.shape[1]
    whole = np.logaddexp.reduce(density, axis=1)[:, None] + np.log(evidence) + shapes[:, :-1]
    # A square through which an LED shines is empty.
    whole[:, 0] = np.logaddexp(whole[:, 0], lit)
    return SquarePosteriors(_shared(whole), strange, float(fit))


def _shared(density: Values) -> Values:
    """Converts log densities to probabilities, row by row."""
    odds = np.exp(density - density.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _limited(evidence: Values, observed: SquareFeatures, colours: ColourModel) -> Values:
    """Makes greys uncertain under glare, and limits the certainty of all evidence.

    In the mirror image of a lamp everything is grey.
    """
    grey = np.array([True] + [name in NEUTRAL for name in colours.palette])
    dazzled = np.clip((observed.glare - _SOME_GLARE) / (_MUCH_GLARE - _SOME_GLARE), 0, 1)
    doubt = np.where(grey[evidence.argmax(axis=1)], 0.5 * dazzled, 0.0)
    even = 1.0 / evidence.shape[1]
    evidence = (1 - doubt[:, None]) * evidence + doubt[:, None] * even
    return np.asarray((1 - _NEVER_SURER) * evidence + _NEVER_SURER * even)


def _weighed_by_light(
    evidence: Values, observed: SquareFeatures, strange: Values, colours: ColourModel
) -> Values:
    """Weighs evidence for greys, which is by lightness alone, by its reliability."""
    if observed.relief.any():
        trust = np.full((len(evidence), 1), _BESIDE_SHAPES)
    else:
        trust = np.full((len(evidence), 1), _trust_in_greys(colours) ** 2)
    contents = np.where(observed.hidden | (strange > 0), -1, evidence.argmax(axis=1))
    usual = np.log(np.maximum(colours.means[:, 2], 0.0) + OFFSET)
    fades = faded(contents, np.log(observed.depth.astype(np.float64) + OFFSET), usual)
    trust[fades | near(observed.glare > _SOME_GLARE)] *= _FADED
    trust[_differs_in_tint(observed, contents, colours)] = 1.0
    return np.asarray(trust * evidence + (1 - trust) / evidence.shape[1])


def _differs_in_tint(
    observed: SquareFeatures, contents: NDArray[np.intp], colours: ColourModel
) -> NDArray[np.bool_]:
    """(n * n,) evenly lit squares whose tint is that of black and not of the board.

    Black that mirrors a lamp is grey too, so white gains no trust by its tint.

    Args:
        observed: features of each square.
        contents: (n * n,) number of the likeliest grey; 0 for empty and -1 for neither.
        colours: colour model; a grey counts if it was learned from a square.
    """
    grey = np.maximum(contents, 0)
    tint = observed.tint - colours.light[:, :2]
    board, own = colours.means[0, :2], colours.means[grey, :2]
    from_board, from_grey = (np.hypot(*(tint - other).T) for other in (board, own))
    black = contents == 1 + colours.palette.index("black")
    known = black & (colours.members[grey] >= 1)
    apart = np.hypot(*(own - board).T) > APART
    even = observed.lightness - observed.depth < _EVEN_L
    return np.asarray(known & apart & even & (from_board > _NEARER * from_grey))


def _trust_in_greys(colours: ColourModel) -> float:
    """Rates how well black, white and board can be distinguished by colour alone, 0 to 1.

    It is 0 if black is lighter than the board, or white darker, because then one was mistaken for
    another.
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
    """Palette of the pieces on a board.

    Attributes:
        colours: appearance of its colours.
        is_sure: True if there are enough pieces on the board to be sure of it.
        is_likely: True if it is sure once other evidence agrees.
    """

    colours: ColourModel
    is_sure: bool
    is_likely: bool = False


def choose(observed: SquareFeatures, size: int) -> PaletteChoice:
    """Fits all palettes for a size of board and returns the one that explains it best."""
    palettes = PALETTES.get(size, PALETTES[14])
    if len(palettes) == 1:
        return PaletteChoice(fit(observed, palettes[0]), is_sure=True)
    edition = edition_evidence(observed, palettes)
    if edition is not None:
        best = palettes[edition.best]
        fits = edition.met > _GREY_MET if is_grey(best) else edition.fits
        likely = fits and edition.lead >= _SHAPES_LEAN
        sure = edition.lead >= _SHAPES_LEAD and (likely or not is_grey(best))
        return PaletteChoice(fit(observed, best), is_sure=sure, is_likely=likely)
    learned = [fit(observed, palette) for palette in palettes]
    scores = [_score(observed, colours) for colours in learned]
    first, second = np.argsort(scores)[::-1][:2]
    if scores[first] - scores[second] >= _LEAD and _is_met(observed, palettes[first]):
        return PaletteChoice(learned[first], is_sure=True)
    vivid = not is_grey(palettes[first]) and scores[first] - scores[0] >= _LEAD
    return PaletteChoice(learned[first if vivid else 0], is_sure=False)


def _is_met(observed: SquareFeatures, palette: tuple[str, ...]) -> bool:
    """True if enough squares have usual hues of a palette, or are surely black or white."""
    if is_grey(palette):
        return _plain_pieces(observed, palette) >= _FEWEST_GREY
    return _explained(observed, palette) >= _FEWEST_EXPLAINED


def _plain_pieces(observed: SquareFeatures, palette: tuple[str, ...]) -> int:
    """Number of squares that have a colour of a palette beyond doubt."""
    plain = judge(observed, fit(observed, palette)).evidence[~observed.hidden, 1:].max(axis=1)
    return int((plain > _PLAIN).sum())


def _score(observed: SquareFeatures, colours: ColourModel) -> float:
    """Log density of the board under a palette, plus a bonus for squares of usual hues."""
    palette = colours.palette
    usual = min(_explained(observed, palette), _MANY_EXPLAINED)
    demand = _GREY_DEMAND if is_grey(palette) else 0.0
    return judge(observed, colours).fit + _USUAL_HUE * usual - demand


def _explained(observed: SquareFeatures, palette: tuple[str, ...]) -> float:
    """Soft count of vivid squares with about the usual tint of a colour of the palette."""
    tint = observed.tint[~observed.hidden].astype(np.float64)
    length = np.hypot(tint[:, 0], tint[:, 1])
    faint = tint[length < FAINT]
    cast = 0.5 * np.median(faint, axis=0) if len(faint) else np.zeros(2)
    vivid = tint[length > _VIVID]
    best = np.zeros(len(vivid))
    for name in set(palette) - set(NEUTRAL):
        usual = np.array(PLASTICS[name].tint) + cast
        away = vivid - usual
        inverse = np.linalg.inv(stray(name, usual, _ANY_DEPTH)[:2, :2])
        near = np.exp(-np.einsum("sd,de,se->s", away, inverse, away) / 4)
        best = np.maximum(best, near)
    return float(best.sum())


def doubted(posteriors: SquarePosteriors) -> SquarePosteriors:
    """Makes the colour of pieces uncertain, if the palette is not sure."""
    evidence = posteriors.evidence.copy()
    plastic = evidence[:, 1:].sum(axis=1, keepdims=True) / (evidence.shape[1] - 1)
    evidence[:, 1:] = (evidence[:, 1:] + plastic) / 2
    return SquarePosteriors(evidence, posteriors.strange, posteriors.fit)
