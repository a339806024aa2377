"""From a frame to a reading: finds the board once, then follows it.

The grid is kept as it is while the board lies still, so that nothing flickers. Each frame is
compared with the last clear one: where the rim of the board no longer matches, either a hand is
there or something has moved, and then the grid is looked for again.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Frame, Image
from vision.classification.colour_classifier import SquarePosteriors, choose, doubted, judge
from vision.classification.colour_fit import cast_between, fit, in_light, relit
from vision.classification.colour_model import ColourModel, is_grey
from vision.classification.single_frame import SingleFrameResult, agreed, judge_alone, judge_by_both
from vision.classification.specular import doubting_veiled, is_lamp_mirrored
from vision.classification.subsquare import SubsquareAnalysis, less_sure_of_tiles, scrutinised
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
    to_tell_light_by,
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
from vision.reading import BoardNotFound, Reading
from vision.shape.network import reliefs
from vision.tracking.board_pose import BoardPose
from vision.tracking.change_detection import Change, compare, has_moved, lying_over
from vision.tracking.lit_change import LitChange
from vision.tracking.shape_cache import ShapeCache
from vision.tracking.stillness import Stillness
from vision.tracking.tracking import followed

_FINE_SCALE: Final = 24
_SMEARED_SHAPES: Final = 0.3
"""How far shapes are believed in a blurred picture: the bevels are gone that they go by."""

SEARCH_S: Final = 5.0
"""From one search for a board without markers to the next; frames must not wait for it."""

_NEW_LIGHT: Final = 0.03

_MOST_AT_ONCE: Final = 12
"""Squares that players lay between two clear frames at most: two pieces, and a slip of the eye."""

_MOVED_AWAY: Final = (
    "the board or the camera has moved and the grid was not found again; "
    "clear the board's edges, or calibrate anew"
)


def read_picture(
    image: Image,
    size: int | None = None,
    palette: tuple[str, ...] | None = None,
    corners: ArrayLike | None = None,
    empty: Image | None = None,
    lens: Lens | None = None,
) -> Reading | BoardNotFound:
    """What stands on the board in one picture.

    Args:
        image: (height, width, 3) uint8, blue green red.
        size: squares along a side, 14 or 20; None to tell by looking.
        palette: names of the colours of plastic; None to tell by looking.
        corners: (4, 2) outer corners of the field in pixels: top left, top right, bottom right,
            bottom left.
        empty: a picture of the same board without pieces, from the same place.
        lens: of the camera, if it was measured; its bend is estimated otherwise.

    Raises:
        GeometryError: the corners go around nothing, the palette has an unknown colour, or the
            lens was measured on pictures of another shape.
    """
    known = corners is not None
    fit = locate(image, size, corners, lens=lens) if known else locate_once(image, size, lens)
    if isinstance(fit, BoardNotFound):
        return fit
    warp = Warp.of(fit.grid, _FINE_SCALE, MARGIN)
    sight = frame_features_of(image, warp)
    look = sight.look
    if empty is not None:
        look = without_pattern(look, measure_squares(exposed(warp(empty)), fit.grid.size, MARGIN))
    lines = lines_seen(image, fit.grid)
    smeared = is_smeared(sight.view, _FINE_SCALE)
    shapes = reliefs(image, fit.grid) * np.float32(_SMEARED_SHAPES if smeared else 1)
    shaped = replace(look, relief=shapes)
    judged, look = judge_by_both(look, shaped, lines, fit.grid.size, palette)
    verdicts, covered = judged.verdicts, judged.covered
    verdicts = agreed(verdicts, look, smeared=smeared)
    return _reading(warp, replace(sight, look=look), judged.colours, verdicts, covered)[0]


class Reader:
    """Reads frame after frame of one table.

    Args:
        size: squares along a side, 14 or 20.
        palette: names of the colours of plastic; None to learn them from the first pieces.
        corners: (4, 2) outer corners of the field in pixels; None to find them by markers.
        lens: of the camera, if it was measured; its bend is estimated otherwise.
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
        self._is_sure = self._is_told = palette is not None
        self._corners = corners
        self._lens = lens
        self._place: BoardPose | None = None
        self._colours: ColourModel | None = None
        self._clear: FrameFeatures | None = None
        self._steady: FrameFeatures | None = None
        self._held = np.zeros(size**2, np.intp)
        self._scrutiny: SubsquareAnalysis | None = None
        self._shapes: ShapeCache | None = None
        self._by_colours = False
        self._pause = Stillness()
        self._lit_change: Final = LitChange()
        self._was_away = False
        self._searched_s = float("-inf")

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardNotFound:
        """What one frame shows; frames are given in the order they were taken.

        Args:
            frame: the newest picture.
            lit: (n * n,) squares whose LEDs glow in it, if any; they are taken for covered, and
                nothing is learned from such a frame.

        Raises:
            GeometryError: the reader was made with corners or a palette that cannot be.
        """
        if self._place is None:
            search = frame.time_s - self._searched_s >= SEARCH_S
            fit = locate(frame.image, self._size, self._corners, search=search, lens=self._lens)
            if isinstance(fit, BoardNotFound):
                self._searched_s = frame.time_s if search else self._searched_s
                return fit
            self._place = BoardPose.of(fit).put_right(frame.image, self._lens)
        dark = np.zeros(self._size**2, bool) if lit is None else lit
        if self._clear is None:
            return self._first(frame.image, self._place.warp, dark)
        return self._next(frame, self._place, self._clear, dark)

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Says what colours the plastic on the table certainly has, if that is known by now.

        Args:
            palette: their names, in any order; None to go on telling by looking.
        """
        if palette is None:
            self._palette = None if self._is_told else self._palette
        else:
            here = None if self._colours is None else self._colours.palette
            same = here is not None and set(here) == set(palette)
            self._palette, self._is_sure = here if same else palette, True
        self._is_told = palette is not None

    def _first(self, image: Image, warp: Warp, lit: NDArray[np.bool_]) -> Reading:
        """Before anything clear has been seen, a frame is judged by itself."""
        sight = frame_features_of(image, warp)
        look = hiding(sight.look, lit)
        judged, look = self._by_shapes(image, warp.grid, look, sight.scene)
        sight = replace(sight, look=look)
        self._settle(judged.colours, is_sure=judged.is_sure)
        reading = self._relief(warp, sight, judged.colours, judged.verdicts, judged.covered)
        hand = lying_over(reading.covered & ~look.hidden, self._size)
        if not hand and not lit.any():
            self._colours, self._clear = judged.colours, sight
            self._held = judged.verdicts.evidence.argmax(axis=1)
        return replace(reading, hand=hand)

    def _next(
        self, frame: Frame, place: BoardPose, clear: FrameFeatures, lit: NDArray[np.bool_]
    ) -> Reading | BoardNotFound:
        sight = frame_features_of(frame.image, place.warp)
        change = compare(sight.scene, clear.scene)
        found = followed(frame.image, place, sight, change, clear, lit, self._lens)
        if found is None:
            self._was_away = True
            return BoardNotFound(_MOVED_AWAY)
        shift_px = found.away_px(place)
        if not found.is_exact and not (change.hand or change.blurred or lit.any()):
            found = found.put_right(frame.image, self._lens)
        if found is not place:
            self._place = found
            self._lit_change.forget()
            sight = frame_features_of(frame.image, found.warp)
            change = compare(sight.scene, clear.scene)
        if change.hand and self._steady is not None:
            # What was taken for clear last may have had a hand at its edge.
            since = compare(sight.scene, self._steady.scene)
            if not since.hand:
                self._clear, change = self._steady, since
        warp = found.warp
        assert self._colours is not None
        look, known = hiding(sight.look, lit), self._shapes
        clearly = not (change.hand or change.blurred or lit.any())
        if clearly:
            self._by_colours = self._colours_tell(sight.look, self._colours)
        if not self._by_colours:
            look = self._shaped(frame.image, warp.grid, look, sight.scene, ask=clearly)
        sight = replace(sight, look=look)
        told = self._shapes is not known
        reading = self._judged(frame, warp, sight, change, lit, told=told)
        reading = replace(reading, blurred=change.blurred, shift_px=shift_px)
        changed = self._changed_beside(frame.time_s, sight.scene, reading, lit)
        return replace(reading, changed=changed)

    def _changed_beside(
        self, now_s: float, scene: CoarseView, reading: Reading, lit: NDArray[np.bool_]
    ) -> bool:
        """Whether something has changed while the same LEDs glow."""
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
        sight: FrameFeatures,
        change: Change,
        lit: NDArray[np.bool_],
        *,
        told: bool,
    ) -> Reading:
        """What a frame holds; `told` says that shapes have been asked anew for it."""
        assert self._clear is not None
        assert self._colours is not None
        seen = to_tell_light_by(change.covered | lit)
        gain = gain_between(sight.look, self._clear.look, seen)
        cast = cast_between(sight.look, self._clear.look, seen)
        colours = in_light(self._colours, gain, cast)
        verdicts = self._judge(sight.look, colours)
        strange = _covered(sight.look, verdicts, colours.palette) | lit
        near = beside(lit, self._size)
        spilt = near & (verdicts.evidence.argmax(axis=1) != self._held)
        covered = change.covered | strange | spilt
        over = change.covered & ~near
        hand = bool(over.any()) or lying_over(strange & ~near & ~sight.look.hidden, self._size)
        if hand and self._pause.is_over(frame.time_s, sight.scene, near):
            return self._at_rest(frame.image, warp, sight, lit)
        if hand:
            self._was_away = True
        else:
            self._pause = Stillness()
            turned = self._turned(colours, verdicts, covered | lit, relaid=self._was_away)
            if turned.any():
                verdicts = _unknown(verdicts, turned)
            elif not change.blurred and not lit.any():
                other = self._palette is not None and self._palette != colours.palette
                if other or told or _is_news(verdicts, (gain, *cast), self._held):
                    colours = self._learned(sight.look)
                    verdicts = self._judge(sight.look, colours)
                self._held = verdicts.evidence.argmax(axis=1)
                if not has_moved(sight.scene, self._clear.scene):
                    self._steady = sight
                self._colours, self._clear, self._was_away = colours, sight, False
        reading = self._relief(warp, sight, colours, verdicts, covered)
        return replace(reading, hand=hand)

    def _at_rest(
        self, image: Image, warp: Warp, sight: FrameFeatures, lit: NDArray[np.bool_]
    ) -> Reading:
        """What is seen when whatever came over the board has not stirred for long.

        A hand that rests, a cup or another lamp: the frame is judged by itself. Only squares
        that are under something are unknown; where there is none, the table looks so from now on.
        """
        assert self._colours is not None
        before = relit(self._colours, sight.look, self._held)
        judged = self._pause.judged(sight.scene, beside(lit, self._size))
        if judged is None:
            lines = lines_seen(image, warp.grid)
            judged = judge_alone(sight.look, lines, self._size, self._palette, before)
            if not lit.any():
                self._pause.keep(judged, sight.scene)
        unseen = judged.covered | lit
        turned = self._turned(judged.colours, judged.verdicts, unseen, relaid=False)
        if turned.any():
            verdicts = _unknown(judged.verdicts, turned)
            judged = replace(judged, colours=before, verdicts=verdicts)
        elif not unseen.any():
            self._settle(judged.colours, is_sure=judged.is_sure)
            self._held = judged.verdicts.evidence.argmax(axis=1)
            self._colours, self._clear, self._pause = judged.colours, sight, Stillness()
        reading = self._relief(warp, sight, judged.colours, judged.verdicts, unseen)
        return replace(reading, hand=False)

    def _turned(
        self,
        colours: ColourModel,
        verdicts: SquarePosteriors,
        covered: NDArray[np.bool_],
        *,
        relaid: bool,
    ) -> NDArray[np.bool_]:
        """(n * n,) squares that seem to have turned into a colour, if more than can be laid.

        It is the light then that has turned, and none of them is to be believed. Where people
        may have laid the pieces anew, only those count that had another colour before.
        """
        assert self._colours is not None
        contents = verdicts.evidence.argmax(axis=1)
        turned = (contents != self._held) & (contents > 0) & ~covered
        some = turned & (self._held > 0) if relaid else turned
        light = colours.palette == self._colours.palette and some.sum() > _MOST_AT_ONCE
        return turned if light else np.zeros_like(turned)

    def _relief(
        self,
        warp: Warp,
        sight: FrameFeatures,
        colours: ColourModel,
        verdicts: SquarePosteriors,
        covered: NDArray[np.bool_],
    ) -> Reading:
        """A reading after a closer look, which is taken only where something has changed."""
        reading, self._scrutiny = _reading(warp, sight, colours, verdicts, covered, self._scrutiny)
        return reading

    def _colours_tell(self, look: SquareFeatures, colours: ColourModel) -> bool:
        """Whether colours tell by themselves: greys may be shadows, mirrored lamps hide colours."""
        vivid = self._palette is not None and not is_grey(self._palette)
        return vivid and not is_lamp_mirrored(look, colours)

    def _shaped(
        self, image: Image, grid: Grid, look: SquareFeatures, scene: CoarseView, *, ask: bool
    ) -> SquareFeatures:
        """A look with what shapes tell of the squares, asked anew where any has changed.

        Args:
            image: the newest picture.
            grid: where the board lies in it.
            look: what was measured on the squares.
            scene: what is seen in coarse blocks.
            ask: whether shapes may be asked: they are not in every frame of a hand that moves.
        """
        squares = np.zeros(self._size**2, bool)
        if self._shapes is not None:
            squares = self._shapes.hold(grid, scene)
        if ask and not squares.all():
            return self._by_shapes(image, grid, look, scene)[1]
        return look if self._shapes is None else self._shapes.on(look, squares)

    def _by_shapes(
        self, image: Image, grid: Grid, look: SquareFeatures, scene: CoarseView
    ) -> tuple[SingleFrameResult, SquareFeatures]:
        """What a frame tells by itself, and the look with what is believed of its shapes."""
        lines = lines_seen(image, grid)
        shaped = replace(look, relief=reliefs(image, grid))
        judged, look = judge_by_both(look, shaped, lines, self._size, self._palette)
        self._shapes = ShapeCache(grid, blocks_of(scene), look.relief)
        return judged, look

    def _judge(self, look: SquareFeatures, colours: ColourModel) -> SquarePosteriors:
        verdicts = agreed(judge(look, colours), look, smeared=False)
        return verdicts if self._is_sure else doubted(verdicts)

    def _learned(self, look: SquareFeatures) -> ColourModel:
        if self._palette is not None:
            return fit(look, self._palette, self._colours)
        choice = choose(look, self._size)
        self._settle(choice.colours, is_sure=choice.is_sure)
        return choice.colours

    def _settle(self, colours: ColourModel, *, is_sure: bool) -> None:
        """Takes colours for those of this table, if that is sure."""
        self._is_sure = is_sure
        if is_sure and not is_grey(colours.palette):
            # Two greys may yet turn out to have been shadows; a vivid colour is what it is.
            self._palette = colours.palette


def _unknown(verdicts: SquarePosteriors, squares: NDArray[np.bool_]) -> SquarePosteriors:
    """Verdicts that tell nothing of some squares."""
    even = 1.0 / verdicts.evidence.shape[1]
    return replace(verdicts, evidence=np.where(squares[:, None], even, verdicts.evidence))


def _is_news(
    verdicts: SquarePosteriors, light: tuple[float, float, float], held: NDArray[np.intp]
) -> bool:
    """Whether there is something to learn from a clear frame."""
    changed = bool((verdicts.evidence.argmax(axis=1) != held).any())
    return changed or max(abs(factor - 1) for factor in light) > _NEW_LIGHT


def _covered(
    look: SquareFeatures, verdicts: SquarePosteriors, palette: tuple[str, ...]
) -> NDArray[np.bool_]:
    white = burnt_tiles(look) & ("white" in palette)
    return (look.hidden & ~white) | (verdicts.strange > 0)


def _reading(
    warp: Warp,
    sight: FrameFeatures,
    colours: ColourModel,
    verdicts: SquarePosteriors,
    covered: NDArray[np.bool_],
    before: SubsquareAnalysis | None = None,
) -> tuple[Reading, SubsquareAnalysis]:
    """What is seen, without what only a comparison of frames can tell."""
    nothing = 1.0 / verdicts.evidence.shape[1]
    whole = surely_tiles(sight.look)
    evidence, told = scrutinised(
        verdicts.evidence, sight.squares, sight.scene, colours, before, whole
    )
    evidence = less_sure_of_tiles(evidence, verdicts.evidence, sight.look)
    evidence = doubting_veiled(evidence, sight.look, colours, covered)
    # Half a piece's edge and half board is a strange sight, but nothing covers it.
    covered = covered & ~told.seen
    reading = Reading(
        size=warp.grid.size,
        corners=warp.grid.corners,
        crossings=warp.crossings,
        palette=colours.palette,
        probabilities=np.where(covered[:, None], nothing, evidence).astype(np.float32),
        covered=covered,
        # White that has burnt out cannot be seen either, but is no hand.
        hand=lying_over(covered & ~sight.look.hidden, warp.grid.size),
        brightness=sight.scene.brightness,
        lightness=sight.look.lightness,
    )
    return reading, told
