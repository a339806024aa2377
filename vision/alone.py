"""One picture judged by itself: what the squares hold, and which of them are under something.

Colours are learned only from squares that are surely free, because skin would otherwise be
learned as a pale orange; what is covered is told by lines first, then by lines and the colours
learned, a few times over.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classify import Verdicts, choose, contested, doubted, judge
from vision.colours import learn
from vision.density import Colours, lit_density
from vision.look import Look, hiding
from vision.occlusion import covered_odds, near_large
from vision.relief import BARE, LIT, PLASTIC, UNDER

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

_SEEN: Final = 0.3
_SURELY_TOLD: Final = 0.45
_FEW, _MOST_AGAINST = 3, 0.03
"""From where a square is surely empty or not, and how many such, or which share of them, shapes
may contradict."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What one picture tells.

    Attributes:
        colours: as they look in it.
        is_sure: whether it is sure whose colours these are.
        verdicts: what the squares hold, as far as they can be seen.
        covered: (n * n,) bool, squares that cannot be seen.
    """

    colours: Colours
    is_sure: bool
    verdicts: Verdicts
    covered: NDArray[np.bool_]


def judge_alone(
    look: Look,
    lines: NDArray[np.intp],
    size: int,
    palette: tuple[str, ...] | None,
    before: Colours | None = None,
) -> Judgement:
    """What one picture tells.

    Args:
        look: what was measured on each square.
        lines: (n * n,) how many of the four lines around each square are seen.
        size: squares along a side.
        palette: names of the colours; None to tell by looking.
        before: how they looked in earlier pictures of the same table.
    """
    shapes = _shapes_over(look)
    lit = np.isfinite(lit_density(look))
    odds = covered_odds(lines, shapes, size)
    judged = _judged(look, lit, odds, size, palette, before)
    for _ in range(_ROUNDS - 1):
        odds = covered_odds(lines, _strangeness(judged[2]) + shapes, size)
        judged = _judged(look, lit, odds, size, palette, before)
    colours, is_sure, verdicts = judged
    odds = covered_odds(lines, _strangeness(verdicts) + shapes, size)
    unlikely = ~near_large(odds > 0, size)
    odds = np.where(unlikely, np.minimum(odds, verdicts.strange - _LONE), odds)
    verdicts = _shaken(verdicts, odds)
    if not is_sure:
        verdicts = doubted(verdicts)
    covered = (look.hidden | (odds > 0)) & ~lit
    return Judgement(colours, is_sure, verdicts, covered)


def gainsaid(judged: Judgement, look: Look) -> bool:
    """Whether shapes contradict what colours are sure of so often that they are not to be believed.

    On a board that is printed or drawn, or of a make of its own, they may mean nothing.

    Args:
        judged: what colours tell.
        look: with what shapes tell.
    """
    empty = judged.verdicts.evidence[:, 0]
    sure = (np.abs(empty - 0.5) > _SURELY_TOLD) & ~judged.covered
    lead = look.relief[:, PLASTIC] - look.relief[:, BARE]
    shaped = sure & np.isin(look.relief.argmax(axis=1), (BARE, PLASTIC)) & (np.abs(lead) > 1)
    against = shaped & ((lead > 0) == (empty > 0.5))
    return bool(against.sum() > max(_FEW, _MOST_AGAINST * int(shaped.sum())))


def less_sure(judged: Judgement, before: Judgement) -> Judgement:
    """What is told with shapes, in doubt where colours alone saw plastic and now none is seen.

    Args:
        judged: what colours and shapes tell.
        before: what colours told alone.
    """
    if judged.colours.palette != before.colours.palette:
        return judged
    said, held = judged.verdicts.evidence, before.verdicts.evidence
    torn = (held[:, 0] < _SEEN) & (said[:, 0] > 1 - _SEEN) & ~before.covered
    evidence = np.where(torn[:, None], (said + held) / 2, said)
    return replace(judged, verdicts=replace(judged.verdicts, evidence=evidence))


def _shapes_over(look: Look) -> NDArray[np.float64]:
    """(n * n,) what shapes say of each square being under something, as log odds."""
    seen = np.logaddexp.reduce(look.relief[:, [BARE, PLASTIC, LIT]], axis=1) - np.log(3)
    return np.asarray(look.relief[:, UNDER] - seen, np.float64)


def _judged(
    look: Look,
    lit: NDArray[np.bool_],
    odds: NDArray[np.float64],
    size: int,
    palette: tuple[str, ...] | None,
    before: Colours | None,
) -> tuple[Colours, bool, Verdicts]:
    """Colours learned where squares are free, whether they are sure, and what they make of all."""
    free = hiding(_free(look, odds), lit)
    if palette is not None:
        colours = learn(free, palette, before)
        return colours, True, judge(look, colours)
    choice = choose(free, size)
    verdicts = judge(look, choice.colours)
    if choice.rival is not None:
        verdicts = contested(verdicts, judge(look, choice.rival))
    return choice.colours, choice.is_sure, verdicts


def _strangeness(verdicts: Verdicts) -> NDArray[np.float64]:
    """What colour alone says of each square being covered, as log odds."""
    return np.clip(verdicts.strange + _LIKE_SKIN, _MOST_FAMILIAR, _MOST_STRANGE)


def _free(look: Look, odds: NDArray[np.float64]) -> Look:
    """The look with all hidden that may be covered, as far as enough is left."""
    surely = hiding(look, odds > _SURELY_FREE)
    return surely if (~surely.hidden).mean() > _FEWEST_FREE else hiding(look, odds > 0)


def _shaken(verdicts: Verdicts, odds: NDArray[np.float64]) -> Verdicts:
    """Verdicts that allow for each square being covered after all."""
    covered = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))[:, None]
    evidence = (1 - covered) * verdicts.evidence + covered / verdicts.evidence.shape[1]
    return Verdicts(evidence, verdicts.strange, verdicts.fit)
