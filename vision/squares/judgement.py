"""Judges the squares of one picture: what the network sees, with the colours named.

Black plastic on a board of its shade is hardly seen, and the network does not know how often it is
wrong there; so the contrast between tiles and bare squares counts as well.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import GeometryError
from vision.plastics import PLASTICS, is_neutral
from vision.squares.fitted_constants import fitted
from vision.squares.network import BARE, DARK, LIGHT, LIT, OUTSIDE, PARTIAL, UNDER, Shapes, tiles
from vision.squares.square_features import BLACK_OFFSET, SquareFeatures, beside
from vision.squares.tile_colours import NamedTiles, named
from vision.squares.tile_groups import TileGroups, Values, grouped


def contrast(groups: TileGroups, shapes: Shapes, observed: SquareFeatures) -> Values:
    """Returns (n * n,) how unlike each square is to what else it may be: a distance in CIE Lab.

    A tile has the colour of its group, and may be bare; a bare square has the colour of the board,
    and may be a tile of the group most like it. Infinite if there are no tiles or no bare squares.

    Args:
        groups: the groups of tiles.
        shapes: output of the network.
        observed: features of each square; hidden ones show no colour.
    """
    lab, seen = observed.lab, ~observed.hidden
    bare = seen & (shapes.classes.argmax(axis=1) == BARE)
    if not (bare.any() and groups.members.any()):
        return np.full(len(seen), np.inf)
    nearest, board = groups.shares.argmax(axis=1), np.median(lab[bare], axis=0)
    apart = np.full(groups.shares.shape[1], np.inf)
    for group in range(len(apart)):
        own = seen & groups.members & (nearest == group)
        if own.any():
            apart[group] = np.linalg.norm(np.median(lab[own], axis=0) - board)
    is_tile = tiles(shapes) > shapes.classes[:, BARE]
    return np.asarray(np.where(is_tile, apart[nearest], apart.min()))


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

_COVERED: Final = fitted("squares.judgement.covered")
"""Probability from which a square counts as covered."""

_SURE: Final = fitted("squares.judgement.sure")
"""Log likelihood by which a palette leads the next if it is sure."""

_SURE_OF_FEW: Final = 11.0
"""The same while few tiles lie, as one mirrored lamp may lie on all, and of black and white: under
such a lamp black plastic is white. With `_SURE` one of 3,451 traced boards has 10 wrong squares."""

_FEW: Final = 20
"""Number of tiles below which they are few. Of 4,725 traced boards, one of 10 tiles was read in a
wrong edition with a lead of 10.6; with 15 tiles or more 4.9 was the most."""

_SURE_ALONE: Final = 15.0
"""The same if all tiles are of one colour, black or white: grey is what a pale colour looks like in
light of its opposite. Of 981 traced boards, 12.2 was the most of 3 wrong editions by one colour."""

_DOUBT: Final = fitted("squares.judgement.doubt")
"""Weight of the doubt between bare squares and dark tiles: where there is much, as with black on a
dark board, the network is also wrong on some squares of which it is sure."""

_PLAINLY_APART: Final = 12.0
"""Distance in CIE Lab from which tiles are plainly unlike the bare board. On 2,266 traced boards 18
squares were confused with bare ones by log odds of 4 or more, all with less than 9."""

_ALIKE: Final = fitted("squares.judgement.alike")
"""Share of the evidence that is believed where grey tiles are like the bare board: the network does
not know how often it is wrong there."""

_BESIDE_CLASS: Final = fitted("squares.judgement.beside_class")
"""Weight of the group of a square beside its class: the network may be wrong about both at once."""

_TINT: Final = fitted("squares.judgement.tint")
"""Weight of the tint of a square beside its class and its group: a lamp may wash it out."""

_COLOURLESS: Final = 3.0
"""Chroma in CIE Lab below which a square has no colour. Rounding in the camera's own format leaves
up to 2.5 of none; of a set of black and white before a camera of colours the median was 15."""

_DOUBTED: Final = fitted("squares.judgement.doubted")
"""Weight of the colours of tiles while the palette is not sure: so little that the rules of the
game confirm none of them."""

_OPEN: Final = [PARTIAL, OUTSIDE]
"""Classes of squares that are seen, and of which no content is known."""

_NEVER: Final = -30.0
"""Log probability of what cannot be."""

_BURNT: Final = 0.5
"""Share of the evidence that is believed where a lamp blinds the camera. Of 15 wrong squares of 300
rendered boards, 11 were so bright that nothing was seen of them, and four lay beside these."""

_PLAIN: Final = 0.95
"""Probability from which a square is not doubtful."""

_AMONG_ITS_KIND: Final = 0.87
"""Likelihood of having the colour of bare squares, or of a group, from which an overexposed square
is plain to see. Of 83 boards at up to 1.8 times their light 14,983 bare squares were overexposed,
and 87 % had more; of 2,021 tiles under a mirrored lamp four had."""

_OUTSIDE: Final = 0.02
"""Share of squares outside the board from which its grid is wrong. Of 621 boards in the right place
none had more than 0.017; a field four rows off its board had 0.024."""

_AWAY: Final = 0.2
"""Median offset of the squares from which their grid is wrong, in squares; of 188 boards in the
right place none had more than 0.03."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Contents of the squares in one picture.

    Attributes:
        palette: names of the colours.
        is_sure: True if the palette is sure.
        evidence: (n * n, 1 + k) probabilities of empty and each colour; rows sum to 1.
        covered: (n * n,) squares that cannot be seen.
        is_elsewhere: True if the board seems to lie at another place than its grid; then no square
            is known.
        ends: (n * n, 2) log odds that a piece ends at the right and at the lower edge.
        beyond: (4, n) log odds that a tile goes on beyond the border; see `Shapes.beyond`.
        has_colours: False if no square has any, as in a picture of a camera's night mode. Then a
            palette is sure only if it is given, and of black and white.
        groups: the groups of tiles.
    """

    palette: tuple[str, ...]
    is_sure: bool
    evidence: Values
    covered: NDArray[np.bool_]
    is_elsewhere: bool
    ends: NDArray[np.float32]
    beyond: NDArray[np.float32]
    has_colours: bool
    groups: TileGroups

    @property
    def contents(self) -> NDArray[np.intp]:
        """(n * n,) likeliest content of each square, 0 for empty."""
        return np.asarray(self.evidence.argmax(axis=1), np.intp)

    @property
    def known(self) -> tuple[tuple[str, ...], NDArray[np.intp]] | None:
        """Palette and (n * n,) contents, 0 for what is not known; None if the palette is not sure.

        They are evidence for the next frame; a guess must not confirm itself.
        """
        if not self.is_sure:
            return None
        return self.palette, np.where(self.evidence.max(axis=1) < _PLAIN, 0, self.contents)

    @property
    def is_vivid(self) -> bool:
        """True if any colour has a hue."""
        return not is_neutral(self.palette)

    def unknown(self, squares: NDArray[np.bool_]) -> "Judgement":
        """Returns the judgement with uniform evidence on some squares, (n * n,)."""
        return self.with_evidence(np.full_like(self.evidence, 1 / self.evidence.shape[1]), squares)

    def with_evidence(self, evidence: Values, squares: NDArray[np.bool_]) -> "Judgement":
        """Returns the judgement with other evidence on some squares, (n * n,)."""
        return replace(self, evidence=np.where(squares[:, None], evidence, self.evidence))


def judge(
    shapes: Shapes,
    observed: SquareFeatures,
    size: int,
    palette: tuple[str, ...] | None,
    before: "Judgement | None" = None,
    *,
    may_glow: bool = True,
) -> Judgement:
    """Judges one picture.

    Args:
        shapes: output of the network.
        observed: features of each square; hidden ones are not judged.
        size: squares along a side.
        palette: names of the colours; None to detect them.
        before: judgement of the last clear frame of the same table.
        may_glow: False if all lit squares are known, which are hidden: then a single bright tile on
            a bare board, which looks like a lit square, is a tile.

    Raises:
        GeometryError: there is no such colour of plastic.
    """
    if unknown := [name for name in palette or () if name not in PLASTICS]:
        raise GeometryError(f"a palette holds some of {', '.join(PLASTICS)}; not {unknown[0]!r}")
    palettes = PALETTES[size] if palette is None else (palette,)
    shapes = shapes if may_glow else replace(shapes, classes=_without(LIT, shapes.classes))
    held = None if before is None else before.known
    groups = grouped(shapes, len(palettes[0]))
    colours = named(groups, shapes, observed, palettes, held)
    has_colours = _has_colours(groups, observed, colours.palette)
    may_be_sure = has_colours or all(map(is_neutral, palettes))
    is_sure = may_be_sure and colours.lead >= _least_lead(groups, colours.palette)
    plain = _plainly_seen(shapes, observed, groups, colours.palette)
    blinded = observed.burnt & ~plain
    visible = 1 - np.exp(shapes.classes[:, UNDER].astype(np.float64))
    # What hides a part of a square makes its evidence weaker, and does not make it another one.
    seen = visible * np.where(blinded, _BURNT, 1.0)
    trust = visible * np.where(beside(blinded, size) & ~plain, _BURNT, 1.0)
    if is_neutral(colours.palette):
        trust *= np.clip(contrast(groups, shapes, observed) / _PLAINLY_APART, _ALIKE, 1)
    classes = _tempered(_without(UNDER, shapes.classes), visible, trust)
    known = seen if is_sure else _DOUBTED * seen
    even = 1 / len(colours.palette)
    chances = even + known[:, None] * (colours.chances - even)
    evidence = _evidence(classes, *_empty_and_tile(classes, groups, colours, trust), chances)
    covered = visible < 1 - _COVERED
    is_elsewhere = _is_elsewhere(shapes, covered)
    judged = Judgement(
        colours.palette,
        is_sure,
        evidence,
        covered,
        is_elsewhere,
        shapes.ends,
        shapes.beyond,
        has_colours,
        groups,
    )
    return judged.unknown(covered | is_elsewhere)


def _evidence(classes: Values, empty: Values, tile: Values, chances: Values) -> Values:
    """(n * n, 1 + k) probability of an empty square and of each colour of the palette.

    Args:
        classes: (n * n, 7) probabilities of the classes.
        empty: (n * n,) weight of an empty square.
        tile: (n * n,) weight of one with a tile.
        chances: (n * n, k) probability of each colour of a tile.
    """
    evidence = np.column_stack([empty, tile[:, None] * chances])
    evidence /= evidence.sum(axis=1, keepdims=True)
    open_share = classes[:, _OPEN].sum(axis=1, keepdims=True)
    return np.asarray(evidence + open_share * (1 / evidence.shape[1] - evidence))


def _has_colours(groups: TileGroups, observed: SquareFeatures, palette: tuple[str, ...]) -> bool:
    """False if squares are in view, and none of them has a colour.

    Vivid tiles have another tint than the squares around them; of a grey picture to which a camera
    gives a tint, all squares have the same.
    """
    seen = observed.tint[~observed.hidden]
    if not len(seen):
        return True
    may_be_tinted = groups.members.any() and not is_neutral(palette)
    common = np.median(seen, axis=0) if may_be_tinted else 0
    light = observed.lightness[~observed.hidden] + BLACK_OFFSET
    return bool((np.hypot(*(seen - common).T) * light).max() >= _COLOURLESS)


def _least_lead(groups: TileGroups, palette: tuple[str, ...]) -> float:
    """Returns the log likelihood by which a palette has to lead to be sure."""
    if is_neutral(palette):
        return _SURE_ALONE if groups.shares.shape[1] == 1 else _SURE_OF_FEW
    return _SURE_OF_FEW if groups.members.sum() < _FEW else _SURE


def _plainly_seen(
    shapes: Shapes, observed: SquareFeatures, groups: TileGroups, palette: tuple[str, ...]
) -> NDArray[np.bool_]:
    """Returns (n * n,) squares that are bare or tiles beyond doubt, even if they are overexposed.

    Of a light board all bare squares may be overexposed, and no lamp is on them. White tiles are
    plain too, but not where bare squares are as bright.
    """
    bare = (shapes.classes[:, BARE] > np.log(_PLAIN)) & (groups.bare > _AMONG_ITS_KIND)
    tile = (tiles(shapes) > np.log(_PLAIN)) & (groups.nearest > _AMONG_ITS_KIND)
    light = observed.burnt & (shapes.classes.argmax(axis=1) == BARE)
    return np.asarray((bare | tile) & (not is_neutral(palette) or not light.any()))


def _empty_and_tile(
    classes: Values, groups: TileGroups, colours: NamedTiles, trust: Values
) -> tuple[Values, Values]:
    """Returns (n * n,) the weights of an empty square, bare or lit, and of one with a tile.

    Args:
        classes: (n * n, 7) probabilities of the classes.
        groups: the groups of tiles.
        colours: their colours.
        trust: (n * n,) share of the evidence that is believed.
    """
    either = np.maximum(groups.bare, groups.nearest)
    weight = trust * _BESIDE_CLASS * colours.clear
    # A tile of a bright colour is like a lit square, but has the colour of its group.
    lit = classes[:, LIT] * (groups.bare / either) ** _BESIDE_CLASS
    empty = classes[:, BARE] * (groups.bare / either) ** weight + lit
    tile = (classes[:, DARK] + classes[:, LIGHT]) * (groups.nearest / either) ** weight
    empty = empty * np.exp(trust * _TINT * np.minimum(colours.bare, 0))
    tile = tile * np.exp(-trust * _TINT * np.maximum(colours.bare, 0))
    return empty, tile


def _without(kind: int, classes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns (n * n, 7) log probabilities of the classes if a square is not of one kind."""
    others = classes.copy()
    others[:, kind] = -np.inf
    others -= np.logaddexp.reduce(others, axis=1, keepdims=True)
    others[:, kind] = _NEVER
    return others


def _tempered(classes: NDArray[np.float32], visible: Values, trust: Values) -> Values:
    """Returns (n * n, 7) probabilities of the classes, nearer to each other the more are unclear.

    What is covered is no evidence that a picture is clear.

    Args:
        classes: (n * n, 7) their log probabilities.
        visible: (n * n,) probability that a square is not under something.
        trust: (n * n,) share of the evidence that is believed.
    """
    unclear = visible @ np.exp(classes[:, [BARE, DARK]]).min(axis=1) / max(1.0, visible.sum())
    odds = np.exp(trust[:, None] / (1 + _DOUBT * unclear) * classes.astype(np.float64))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _is_elsewhere(shapes: Shapes, covered: NDArray[np.bool_]) -> bool:
    """True if what is seen of the squares lies outside the board, or between its squares."""
    if covered.all():
        return False
    outside = np.exp(shapes.classes[~covered, OUTSIDE]).mean()
    away = np.hypot(*np.median(shapes.away[~covered], axis=0))
    return bool(outside > _OUTSIDE or away > _AWAY)
