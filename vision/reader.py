"""Reads frames: finds the board once, then tracks it.

The grid does not change while the board is still, so that nothing flickers. Each frame is
compared with the last clear one: if the rim of the board no longer matches, either a hand is
there or something has moved, and then the grid is searched again.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Frame, Image
from vision.classification.colour_classifier import SquarePosteriors, choose, doubted, judge
from vision.classification.colour_fit import cast_between, fit, in_light, relit
from vision.classification.colour_model import ColourModel, is_grey
from vision.classification.single_frame import (
    SingleFrameResult,
    agreed,
    contradicted,
    judge_alone,
    judge_by_both,
)
from vision.classification.specular import doubting_mirrored, is_lamp_mirrored
from vision.classification.subsquare import SubsquareAnalysis, examined_parts, less_sure_of_tiles
from vision.detection.board_detector import locate, locate_once
from vision.detection.grid_fit import lines_seen
from vision.features.blocks import CoarseView, blocks_of
from vision.features.exposure_correction import exposed
from vision.features.frame_features import (
    MARGIN,
    FrameFeatures,
    beside,
    frame_features_of,
    gain_between,
    light_reference,
)
from vision.features.square_features import (
    SquareFeatures,
    burnt_tiles,
    hiding,
    measure_squares,
    surely_tiles,
    without_pattern,
)
from vision.geometry.grid import Grid, Warp
from vision.geometry.image_quality import is_smeared
from vision.geometry.lens import Lens
from vision.reading import BoardFailure, BoardNotFound, Reading
from vision.shape.network import reliefs
from vision.tracking.board_pose import BoardPose
from vision.tracking.change_detection import Change, compare, has_moved, reaches_edge
from vision.tracking.known_tiles import KnownTiles
from vision.tracking.lit_change import LitChange
from vision.tracking.shape_cache import ShapeCache
from vision.tracking.stillness import Stillness
from vision.tracking.tracking import followed

_FINE_SCALE: Final = 24
"""Pixels per square in the view of a single picture."""

_SMEARED_SHAPES: Final = 0.3
"""Weight of shapes in a blurred picture, in which their bevels cannot be seen."""

SEARCH_S: Final = 5.0
"""Seconds between two searches for a board without markers; frames must not wait for a search."""

_NEW_LIGHT: Final = 0.03
"""Relative change of light from which colours are learned again."""

_MOST_AT_ONCE: Final = 12
"""Most squares that players fill between two clear frames: two pieces, and some squares misread."""


def read_picture(
    image: Image,
    size: int | None = None,
    palette: tuple[str, ...] | None = None,
    corners: ArrayLike | None = None,
    empty: Image | None = None,
    lens: Lens | None = None,
    lit: frozenset[int] = frozenset(),
) -> Reading | BoardNotFound:
    """Reads the board in one picture.

    Args:
        image: (height, width, 3) uint8, blue green red.
        size: squares along a side, 14 or 20; None to detect it.
        palette: names of the colours of plastic; None to detect them.
        corners: (4, 2) outer corners of the field in pixels: top left, top right, bottom right,
            bottom left.
        empty: picture of the same board without pieces, from the same place.
        lens: lens of the camera, if it was measured; otherwise its distortion is estimated.
        lit: squares, numbered row by row, whose LEDs may glow in it; they count as covered.

    Raises:
        GeometryError: the corners form no convex shape, the palette has an unknown colour, or the
            lens was measured on pictures of another shape.
    """
    known = corners is not None
    fit = locate(image, size, corners, lens=lens) if known else locate_once(image, size, lens)
    if isinstance(fit, BoardNotFound):
        return fit
    warp = Warp.of(fit.grid, _FINE_SCALE, MARGIN)
    features = frame_features_of(image, warp)
    observed = features.observed
    if empty is not None:
        observed = without_pattern(
            observed, measure_squares(exposed(warp(empty)), fit.grid.size, MARGIN)
        )
    glowing = _mask(lit, fit.grid.size)
    observed = hiding(observed, glowing)
    lines = lines_seen(image, fit.grid)
    smeared = is_smeared(features.view, _FINE_SCALE)
    shapes = reliefs(image, fit.grid) * np.float32(_SMEARED_SHAPES if smeared else 1)
    shaped = replace(observed, relief=shapes)
    judged, observed = judge_by_both(observed, shaped, lines, fit.grid.size, palette)
    posteriors, covered = judged.posteriors, judged.covered | glowing
    posteriors = agreed(posteriors, observed, smeared=smeared)
    return _reading(
        warp, replace(features, observed=observed), judged.colours, posteriors, covered
    )[0]


class Reader:
    """Reads a sequence of frames of one table.

    Args:
        size: squares along a side, 14 or 20.
        palette: names of the colours of plastic; None to learn them from the first pieces.
        corners: (4, 2) outer corners of the field in pixels; None to find them by markers.
        lens: lens of the camera, if it was measured; otherwise its distortion is estimated.
    """

    def __init__(
        self,
        size: int,
        palette: tuple[str, ...] | None = None,
        corners: NDArray[np.float64] | None = None,
        lens: Lens | None = None,
    ) -> None:
        self._size = size
        self._palette = palette
        self._is_sure = self._is_confirmed = palette is not None
        self._corners = corners
        self._lens = lens
        self._place: BoardPose | None = None
        self._colours: ColourModel | None = None
        self._clear: FrameFeatures | None = None
        self._steady: FrameFeatures | None = None
        self._contents = np.zeros(size**2, np.intp)
        # Squares that look foreign in themselves, under a mirrored lamp for one, and are no hand.
        self._strange = np.zeros(size**2, np.bool_)
        self._known: KnownTiles | None = None
        self._parts: SubsquareAnalysis | None = None
        self._shapes: ShapeCache | None = None
        self._by_colours = False
        self._stillness = Stillness()
        self._lit_change: Final = LitChange()
        self._was_away = False
        self._searched_s = float("-inf")
        self._is_mirrored = False

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardNotFound:
        """Reads one frame; frames are passed in the order in which they were taken.

        Args:
            frame: newest picture.
            lit: (n * n,) squares whose LEDs glow in it, if any; they count as covered, and
                nothing is learned from such a frame.

        Raises:
            GeometryError: the reader was made with impossible corners or an unknown palette.
        """
        if self._place is None:
            search = frame.time_s - self._searched_s >= SEARCH_S
            fit = locate(frame.image, self._size, self._corners, search=search, lens=self._lens)
            if isinstance(fit, BoardNotFound):
                return self._lost(fit, frame.time_s if search else None)
            self._place = BoardPose.of(fit).corrected(frame.image, self._lens)
        dark = np.zeros(self._size**2, bool) if lit is None else lit
        if self._clear is None:
            return self._first(frame.image, self._place.warp, dark)
        return self._next(frame, self._place, self._clear, dark)

    def _lost(self, lost: BoardNotFound, searched_s: float | None) -> BoardNotFound:
        """Returns the reason that no board is found.

        Args:
            lost: the reason in this frame.
            searched_s: time of the frame if it was searched, in seconds; None if it was not.
        """
        if searched_s is not None:
            self._searched_s = searched_s
            self._is_mirrored = lost.code is BoardFailure.MIRRORED
        elif self._is_mirrored and lost.code is BoardFailure.NO_BOARD:
            return BoardNotFound(BoardFailure.MIRRORED)
        return lost

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Sets the colours that the plastic on the table certainly has.

        Args:
            palette: their names, in any order; None to detect them.
        """
        if palette is None:
            self._palette = None if self._is_confirmed else self._palette
        else:
            here = None if self._colours is None else self._colours.palette
            same = here is not None and set(here) == set(palette)
            self._palette, self._is_sure = here if same else palette, True
        self._is_confirmed = palette is not None

    def _first(self, image: Image, warp: Warp, lit: NDArray[np.bool_]) -> Reading:
        """Reads a frame by itself, as there is no clear frame to compare it with."""
        features = frame_features_of(image, warp)
        observed = hiding(features.observed, lit)
        judged, observed = self._by_shapes(
            image, warp.grid, observed, features.scene, reliefs(image, warp.grid)
        )
        features = replace(features, observed=observed)
        self._settle(judged.colours, is_sure=judged.is_sure)
        reading = self._refined(warp, features, judged.colours, judged.posteriors, judged.covered)
        hand = reaches_edge(reading.covered & ~observed.hidden, self._size)
        if not hand and not lit.any():
            self._colours, self._clear = judged.colours, features
            self._contents = judged.posteriors.evidence.argmax(axis=1)
        return replace(reading, hand=hand)

    def _next(
        self, frame: Frame, place: BoardPose, clear: FrameFeatures, lit: NDArray[np.bool_]
    ) -> Reading | BoardNotFound:
        features = frame_features_of(frame.image, place.warp)
        change = compare(features.scene, clear.scene)
        found = followed(frame.image, place, features, change, clear, lit, self._lens)
        if found is None:
            self._was_away = True
            return BoardNotFound(BoardFailure.MOVED_AWAY)
        shift_px = found.away_px(place)
        if not found.is_exact and not (change.hand or change.blurred or lit.any()):
            found = found.corrected(frame.image, self._lens)
        if found is not place:
            self._place = found
            self._lit_change.forget()
            features = frame_features_of(frame.image, found.warp)
            change = compare(features.scene, clear.scene)
        if change.hand and self._steady is not None:
            # The last clear frame may have had a hand at its edge.
            since = compare(features.scene, self._steady.scene)
            if not since.hand:
                self._clear, change = self._steady, since
        warp = found.warp
        assert self._colours is not None
        observed, known = hiding(features.observed, lit), self._shapes
        clearly = not (change.hand or change.blurred or lit.any())
        if clearly:
            self._by_colours = self._colours_suffice(features.observed, self._colours)
        if not self._by_colours:
            observed = self._shaped(frame.image, warp.grid, observed, features.scene, ask=clearly)
        features = replace(features, observed=observed)
        reshaped = self._shapes is not known
        reading = self._judged(frame, warp, features, change, lit, reshaped=reshaped)
        reading = replace(reading, blurred=change.blurred, shift_px=shift_px)
        changed = self._changed_while_lit(frame.time_s, features.scene, reading, lit)
        return replace(reading, changed=changed)

    def _changed_while_lit(
        self, now_s: float, scene: CoarseView, reading: Reading, lit: NDArray[np.bool_]
    ) -> bool:
        """True if something has changed while the same LEDs glow."""
        if reading.hand or reading.blurred:
            return False
        if not lit.any():
            self._lit_change.dark(scene)
            return False
        return bool(self._lit_change.add(scene, lit, now_s).any())

    def _judged(
        self,
        frame: Frame,
        warp: Warp,
        features: FrameFeatures,
        change: Change,
        lit: NDArray[np.bool_],
        *,
        reshaped: bool,
    ) -> Reading:
        """Reads a frame; `reshaped` is True if the network of shapes has run on it."""
        assert self._clear is not None
        assert self._colours is not None
        seen = light_reference(change.covered | lit)
        gain = gain_between(features.observed, self._clear.observed, seen)
        cast = cast_between(features.observed, self._clear.observed, seen)
        colours = in_light(self._colours, gain, cast)
        posteriors, known = self._judged_with_known(features, colours, lit)
        strange = (_covered(features.observed, posteriors, colours.palette) | lit) & ~known
        near = beside(lit, self._size)
        disturbed = near & (posteriors.evidence.argmax(axis=1) != self._contents)
        covered = change.covered | strange | disturbed
        over = change.covered & ~near
        foreign = strange & ~near & ~features.observed.hidden & ~self._strange
        hand = bool(over.any()) or reaches_edge(foreign, self._size)
        if hand and self._stillness.is_over(frame.time_s, features.scene, near):
            return self._at_rest(frame.image, warp, features, lit, strange & ~lit)
        if hand:
            self._was_away = True
        else:
            self._stillness = Stillness()
            self._strange &= strange
            recoloured = self._recoloured(
                colours, posteriors, covered | lit, rearranged=self._was_away
            )
            if recoloured.any():
                posteriors = _unknown(posteriors, recoloured)
            elif not change.blurred and not lit.any():
                other = self._palette is not None and self._palette != colours.palette
                if other or reshaped or _differs(posteriors, (gain, *cast), self._contents):
                    colours = self._learned(features.observed)
                    posteriors, _ = self._judged_with_known(features, colours, lit)
                self._contents = posteriors.evidence.argmax(axis=1)
                if not has_moved(features.scene, self._clear.scene):
                    self._steady = features
                self._colours, self._clear, self._was_away = colours, features, False
        reading = self._refined(warp, features, colours, posteriors, covered)
        return replace(reading, hand=hand)

    def _at_rest(
        self,
        image: Image,
        warp: Warp,
        features: FrameFeatures,
        lit: NDArray[np.bool_],
        strange: NDArray[np.bool_],
    ) -> Reading:
        """Reads a frame in which the object over the board has been still for 3 s.

        It may be a resting hand, a cup or another lamp: the frame is judged by itself. Only squares
        under something are unknown; if there are none, the frame becomes the last clear one, and
        squares that look foreign in it (`strange`) make no hand from then on.
        """
        assert self._colours is not None
        before = relit(self._colours, features.observed, self._contents)
        judged = self._stillness.judged(features.scene, beside(lit, self._size))
        if judged is None:
            judged = self._judged_alone(image, warp.grid, features, before, lit)
            if not lit.any():
                self._stillness.keep(judged, features.scene)
        unseen = judged.covered | lit
        recoloured = self._recoloured(judged.colours, judged.posteriors, unseen, rearranged=False)
        if recoloured.any():
            posteriors = _unknown(judged.posteriors, recoloured)
            judged = replace(judged, colours=before, posteriors=posteriors)
        elif not unseen.any():
            self._settle(judged.colours, is_sure=judged.is_sure)
            self._contents = judged.posteriors.evidence.argmax(axis=1)
            self._colours, self._clear, self._stillness = judged.colours, features, Stillness()
            self._strange = strange
            self._known = KnownTiles(
                strange & judged.tiles,
                judged.colours.palette,
                judged.posteriors.evidence,
                features.scene,
            )
        reading = self._refined(warp, features, judged.colours, judged.posteriors, unseen)
        return replace(reading, hand=False)

    def _judged_alone(
        self,
        image: Image,
        grid: Grid,
        features: FrameFeatures,
        before: ColourModel,
        lit: NDArray[np.bool_],
    ) -> SingleFrameResult:
        """Judges a still frame by itself, with shapes if by colour alone something is covered.

        Pieces that mirror a lamp look foreign; shapes are believed only if they are sure that
        each square in question shows a tile. Otherwise a hand in the colour of a piece might
        become one.
        """
        lines = lines_seen(image, grid)
        alone = judge_alone(features.observed, lines, self._size, self._palette, before)
        if lit.any() or not alone.covered.any() or not self._by_colours:
            return alone
        shaped = self._shaped(image, grid, features.observed, features.scene, ask=True)
        judged = judge_alone(shaped, lines, self._size, self._palette, before)
        is_plain = judged.tiles[alone.covered].all() and not judged.covered.any()
        return judged if is_plain else alone

    def _recoloured(
        self,
        colours: ColourModel,
        posteriors: SquarePosteriors,
        covered: NDArray[np.bool_],
        *,
        rearranged: bool,
    ) -> NDArray[np.bool_]:
        """(n * n,) squares that seem to have taken on a colour, if more than players can fill.

        Then the light has changed, and none of them is trusted. If people may have rearranged the
        pieces (`rearranged`), only squares count that had another colour before.
        """
        assert self._colours is not None
        contents = posteriors.evidence.argmax(axis=1)
        recoloured = (contents != self._contents) & (contents > 0) & ~covered
        some = recoloured & (self._contents > 0) if rearranged else recoloured
        light = colours.palette == self._colours.palette and some.sum() > _MOST_AT_ONCE
        return recoloured if light else np.zeros_like(recoloured)

    def _refined(
        self,
        warp: Warp,
        features: FrameFeatures,
        colours: ColourModel,
        posteriors: SquarePosteriors,
        covered: NDArray[np.bool_],
    ) -> Reading:
        """Returns a reading; parts of squares are analysed only where something has changed."""
        reading, self._parts = _reading(warp, features, colours, posteriors, covered, self._parts)
        return reading

    def _colours_suffice(self, observed: SquareFeatures, colours: ColourModel) -> bool:
        """True if no shapes are needed: the palette is vivid and no mirrored lamp hides colours."""
        vivid = self._palette is not None and not is_grey(self._palette)
        return vivid and not is_lamp_mirrored(observed, colours)

    def _shaped(
        self, image: Image, grid: Grid, observed: SquareFeatures, scene: CoarseView, *, ask: bool
    ) -> SquareFeatures:
        """Adds the likelihoods of shapes, recomputed if any square has changed.

        Args:
            image: newest picture.
            grid: place of the board in it.
            observed: features of each square.
            scene: view in coarse blocks.
            ask: True to allow a run of the network, which is too slow for each frame of a moving
                hand.
        """
        squares = np.zeros(self._size**2, bool)
        if self._shapes is not None:
            squares = self._shapes.valid(grid, scene)
        if ask and not squares.all():
            return self._with_shapes(image, grid, observed, scene, squares)
        return observed if self._shapes is None else self._shapes.applied_to(observed, squares)

    def _with_shapes(
        self,
        image: Image,
        grid: Grid,
        observed: SquareFeatures,
        scene: CoarseView,
        unchanged: NDArray[np.bool_],
    ) -> SquareFeatures:
        """Adds the likelihoods of shapes, computed anew on changed squares, as far as trusted.

        They are trusted unless they contradict the colours as these are known on this table; only
        then the frame is judged by itself, which takes several times as long.
        """
        assert self._colours is not None
        colours, known = self._colours, self._shapes
        if known is None or not unchanged.any():
            known = ShapeCache(grid, blocks_of(scene), reliefs(image, grid))
        else:
            # The edge of a square belongs to the shape of its neighbour: in a recording under
            # mirrored lamps 134 squares were left open instead of 29 without this. And squares
            # whose shape was not trusted are asked again.
            unchanged = ~beside(~unchanged, self._size) & known.reliefs.any(axis=1)
            known = known.renewed(unchanged, scene, reliefs(image, grid, ~unchanged))
        shaped = replace(observed, relief=known.reliefs)
        posteriors = judge(observed, colours)
        covered = _covered(observed, posteriors, colours.palette)
        if contradicted(posteriors, covered, shaped):
            whole = known.reliefs if not unchanged.any() else reliefs(image, grid)
            return self._by_shapes(image, grid, observed, scene, whole)[1]
        self._shapes = known
        return shaped

    def _by_shapes(
        self,
        image: Image,
        grid: Grid,
        observed: SquareFeatures,
        scene: CoarseView,
        shapes: NDArray[np.float32],
    ) -> tuple[SingleFrameResult, SquareFeatures]:
        """Judges a frame by itself; also returns the features with the trusted part of shapes."""
        lines = lines_seen(image, grid)
        shaped = replace(observed, relief=shapes)
        judged, observed = judge_by_both(observed, shaped, lines, self._size, self._palette)
        self._shapes = ShapeCache(grid, blocks_of(scene), observed.relief)
        return judged, observed

    def _judged_with_known(
        self, features: FrameFeatures, colours: ColourModel, lit: NDArray[np.bool_]
    ) -> tuple[SquarePosteriors, NDArray[np.bool_]]:
        """Classifies the squares of a frame; also returns which are known tiles, see `_known`."""
        posteriors = self._judge(features.observed, colours)
        if self._known is None or self._known.palette != colours.palette:
            return posteriors, np.zeros(self._size**2, np.bool_)
        known = self._known.unchanged(features.scene) & ~lit
        return self._known.applied_to(posteriors, known), known

    def _judge(self, observed: SquareFeatures, colours: ColourModel) -> SquarePosteriors:
        posteriors = agreed(judge(observed, colours), observed, smeared=False)
        return posteriors if self._is_sure else doubted(posteriors)

    def _learned(self, observed: SquareFeatures) -> ColourModel:
        if self._palette is not None:
            return fit(observed, self._palette, self._colours)
        choice = choose(observed, self._size)
        self._settle(choice.colours, is_sure=choice.is_sure)
        return choice.colours

    def _settle(self, colours: ColourModel, *, is_sure: bool) -> None:
        """Adopts the palette as that of this table, if it is sure."""
        self._is_sure = is_sure
        if is_sure and not is_grey(colours.palette):
            # Greys may turn out to be shadows; a vivid colour is certain.
            self._palette = colours.palette


def _mask(squares: frozenset[int], size: int) -> NDArray[np.bool_]:
    """(size * size,) True for the given squares; those of a larger board are ignored."""
    mask = np.zeros(size**2, np.bool_)
    mask[[square for square in squares if square < len(mask)]] = True
    return mask


def _unknown(posteriors: SquarePosteriors, squares: NDArray[np.bool_]) -> SquarePosteriors:
    """Returns posteriors that are uniform on some squares."""
    even = 1.0 / posteriors.evidence.shape[1]
    return replace(posteriors, evidence=np.where(squares[:, None], even, posteriors.evidence))


def _differs(
    posteriors: SquarePosteriors, light: tuple[float, float, float], held: NDArray[np.intp]
) -> bool:
    """True if a clear frame differs enough in content or light to learn from it."""
    changed = bool((posteriors.evidence.argmax(axis=1) != held).any())
    return changed or max(abs(factor - 1) for factor in light) > _NEW_LIGHT


def _covered(
    observed: SquareFeatures, posteriors: SquarePosteriors, palette: tuple[str, ...]
) -> NDArray[np.bool_]:
    white = burnt_tiles(observed) & ("white" in palette)
    return (observed.hidden & ~white) | (posteriors.strange > 0)


def _reading(
    warp: Warp,
    features: FrameFeatures,
    colours: ColourModel,
    posteriors: SquarePosteriors,
    covered: NDArray[np.bool_],
    before: SubsquareAnalysis | None = None,
) -> tuple[Reading, SubsquareAnalysis]:
    """Returns a reading without the fields that need a comparison of frames."""
    nothing = 1.0 / posteriors.evidence.shape[1]
    whole = surely_tiles(features.observed)
    evidence, parts = examined_parts(
        posteriors.evidence, features.squares, features.scene, colours, before, whole
    )
    evidence = less_sure_of_tiles(evidence, posteriors.evidence, features.observed)
    evidence = doubting_mirrored(evidence, features.observed, colours, covered)
    # Half a piece's edge and half board looks foreign, but nothing covers it.
    covered = covered & ~parts.visibly_empty
    reading = Reading(
        size=warp.grid.size,
        corners=warp.grid.corners,
        crossings=warp.crossings,
        palette=colours.palette,
        probabilities=np.where(covered[:, None], nothing, evidence).astype(np.float32),
        covered=covered,
        # Overexposed white cannot be read either, but is no hand.
        hand=reaches_edge(covered & ~features.observed.hidden, warp.grid.size),
        brightness=features.scene.brightness,
        lightness=features.observed.lightness,
    )
    return reading, parts
