"""Reads frames: finds the board once, then tracks it.

The grid does not change while the board is still, so that nothing flickers. Each frame is
compared with the last clear one: if the rim of the board no longer matches, either a hand is
there or something has moved, and then the grid is searched again.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera import Frame, Image
from vision.detection.board_detector import locate
from vision.detection.board_extent import is_cut
from vision.detection.board_pose import BoardPose
from vision.detection.change_detection import (
    MOST_PATTERNS,
    RESTS_S,
    Change,
    LitChange,
    Stillness,
    change_beyond,
    compare,
    has_moved,
    reaches_edge,
)
from vision.detection.frame_features import MARGIN, CoarseView, FrameFeatures, frame_features_of
from vision.detection.shape_cache import ShapeCache
from vision.detection.tracking import SeenFrame, follow
from vision.errors import BoardFailure
from vision.geometry.grid import Grid, Warp
from vision.geometry.lens import Lens
from vision.reading import GOES_ON, Reading, border_of, on_border
from vision.squares.foreign import foreign_squares
from vision.squares.judgement import Judgement, judge
from vision.squares.network import shapes_of
from vision.squares.square_features import (
    SquareFeatures,
    beside,
    hiding,
    measure_squares,
    without_pattern,
)

_FINE_SCALE: Final = 24
"""Pixels per square in the view of a single picture."""

_ELSEWHERE: Final = 0.3
"""Squares from which a board that is found anew lies at another place."""

SEARCH_S: Final = 5.0
"""Seconds between two searches for a board without markers; frames must not wait for a search."""

_REMEMBERED_S: Final = 60.0
"""Seconds for which a frame without an object that came to rest is remembered: a hand that rests
beside the pieces is taken away again."""

_AGAIN_S: Final = 2.0
"""Seconds after which squares that are covered or not sure are looked at again."""

_SURE: Final = 0.95
"""Probability from which a square is not looked at again."""

_RECOLOURED_S: Final = 10.0
"""Seconds for which squares that change at once are not trusted: the light may change back."""

_ALL_BUT_FEW: Final = 0.95
"""Share of the squares by which a board is the one of before: people may lay pieces as well."""

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
) -> Reading | BoardFailure:
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
    place = locate(image, size, corners, lens, alone=True)
    if isinstance(place, BoardFailure):
        return place
    shapes = shapes_of(image, place.grid)
    # Only here: at a table an arm may rest along a side.
    if corners is None and is_cut(shapes, place.grid.size):
        return BoardFailure.PARTIAL
    warp = Warp.of(place.grid, _FINE_SCALE, MARGIN)
    features = frame_features_of(image, warp)
    observed = features.observed
    if empty is not None:
        bare = measure_squares(warp(empty), place.grid.size, MARGIN)
        observed = without_pattern(observed, bare)
    glowing = _mask(lit, place.grid.size)
    observed = hiding(observed, glowing)
    judged = judge(shapes, observed, place.grid.size, palette)
    hand = reaches_edge(judged.covered & ~glowing, place.grid.size)
    covered = judged.covered | glowing
    foreign = foreign_squares(judged.groups, shapes, observed, place.grid.size)
    return replace(_reading(warp, features, judged, covered), hand=hand, foreign=foreign & ~covered)


@dataclass(frozen=True, slots=True, eq=False)
class _StillFrame:
    """The last clear frame that is like the clear frame before it.

    Attributes:
        scene: its view in coarse blocks.
        grid: place of the board in it.
        image: (height, width, 3) uint8.
        contents: (n * n,) content of each square, see `Judgement`.
    """

    scene: CoarseView
    grid: Grid
    image: Image
    contents: NDArray[np.intp]


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
        self._is_confirmed = palette is not None
        self._corners = corners
        self._lens = lens
        self._place: BoardPose | None = None
        self._clear: FrameFeatures | None = None
        self._steady: FrameFeatures | None = None
        self._steady_until_s = float("-inf")
        self._still: _StillFrame | None = None
        self._judgement: Judgement | None = None
        self._seen: OrderedDict[bytes, ShapeCache] = OrderedDict()
        self._stillness = Stillness()
        self._least_beyond = np.full((4, size), -np.inf, np.float32)
        self._most_beyond = np.full((4, size), np.inf, np.float32)
        self._resting = np.zeros(size**2, np.bool_)
        self._open = np.zeros(size**2, np.bool_)
        self._again_s = float("-inf")
        self._recoloured_s: float | None = None
        self._lit_change: Final = LitChange()
        self._was_away = False
        self._searched_s = float("-inf")
        self._unfound = BoardFailure.NO_BOARD

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardFailure:
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
            found = locate(frame.image, self._size, self._corners, search=search, lens=self._lens)
            if isinstance(found, BoardFailure):
                if search and found is not BoardFailure.MIRRORED:
                    self._searched_s, self._unfound = frame.time_s, found
                # Between two searches the reason is that of the last one.
                return self._unfound if found is BoardFailure.NO_BOARD else found
            self._place = found.corrected(frame.image)
        dark = np.zeros(self._size**2, bool) if lit is None else lit
        if self._clear is None:
            return self._first(frame, self._place, dark)
        return self._next(frame, self._place, self._clear, dark)

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Sets the colours that the plastic on the table certainly has.

        Args:
            palette: their names, in any order; None to detect them.
        """
        if palette is None:
            self._palette = None if self._is_confirmed else self._palette
        else:
            here = None if self._judgement is None else self._judgement.palette
            same = here is not None and set(here) == set(palette)
            self._palette = here if same else palette
        if self._judgement is not None and self._palette != self._judgement.palette:
            # Colours that were named by another palette confirm nothing.
            self._judgement = replace(self._judgement, is_sure=False)
        self._is_confirmed = palette is not None

    def _first(
        self, frame: Frame, place: BoardPose, lit: NDArray[np.bool_]
    ) -> Reading | BoardFailure:
        """Reads a frame by itself, as there is no clear frame to compare it with.

        An object at the edge is a hand until it has been still for 3 s.
        """
        warp = place.warp
        features = frame_features_of(frame.image, warp)
        shapes = ShapeCache.of(frame.image, warp.grid, features.scene, is_hasty=True)
        judged = self._judged(shapes, features.observed, lit)
        hand = reaches_edge(judged.covered & ~lit, self._size) or self._is_lost(judged)
        if hand and self._stillness.lasts_s(frame.time_s, features.scene, lit) >= RESTS_S:
            if judged.is_elsewhere:
                return self._sought(frame, place)
            hand, self._resting = False, judged.covered
        if not hand and not lit.any():
            self._seen[lit.tobytes()] = shapes
            self._keep(judged, features)
        return replace(_reading(warp, features, judged, judged.covered | lit), hand=hand)

    def _next(
        self, frame: Frame, place: BoardPose, clear: FrameFeatures, lit: NDArray[np.bool_]
    ) -> Reading | BoardFailure:
        features = frame_features_of(frame.image, place.warp)
        change = compare(features.scene, clear.scene)
        seen = SeenFrame(frame.image, features, clear, change, lit)
        found = follow(place, seen, self._lens)
        if found is None:
            self._was_away = True
            if self._stillness.lasts_s(frame.time_s, features.scene, lit) < RESTS_S:
                return BoardFailure.MOVED_AWAY
            return self._sought(frame, place)
        shift_px = found.away_px(place)
        if not found.is_exact and not (change.hand or change.blurred or lit.any()):
            found = found.corrected(frame.image)
        if found is not place:
            self._lies_at(found)
            features = frame_features_of(frame.image, found.warp)
            change = compare(features.scene, clear.scene)
        if change.hand and self._steady is not None:
            # The last clear frame may have had a hand at its edge.
            since = compare(features.scene, self._steady.scene)
            if not since.hand:
                clear = self._clear = self._steady
                change, self._steady_until_s = since, float("-inf")
        reading = self._read_at(frame, found.warp, features, clear, change, lit)
        if reading is None:
            return self._sought(frame, found)
        reading = replace(reading, blurred=change.blurred, shift_px=shift_px)
        changed = self._changed_while_lit(frame.time_s, features.scene, reading, lit)
        return replace(reading, changed=changed)

    def _is_lost(self, judged: Judgement) -> bool:
        """True if the board does not lie where it was found; corners of a person are believed."""
        return judged.is_elsewhere and self._corners is None

    def _lies_at(self, place: BoardPose) -> None:
        """Changes the place of the board; what was seen at the last one is forgotten."""
        self._place = place
        self._lit_change.forget()
        self._seen.clear()

    def _sought(self, frame: Frame, before: BoardPose) -> BoardFailure:
        """Searches a still picture for a board that does not lie where it lay.

        The next frame is read at the place where it is found, if that is another one.
        """
        lost = BoardFailure.MOVED_AWAY
        if self._corners is not None or frame.time_s - self._searched_s < SEARCH_S:
            return lost
        self._searched_s = frame.time_s
        found = locate(frame.image, self._size, None, lens=self._lens)
        if isinstance(found, BoardFailure):
            return lost
        place = found.turned_like(before).corrected(frame.image)
        if place.away_px(before) > _ELSEWHERE * before.grid.square_px:
            self._lies_at(place)
            self._clear = self._steady = self._still = None
            self._stillness = Stillness()
        return lost

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

    def _read_at(
        self,
        frame: Frame,
        warp: Warp,
        features: FrameFeatures,
        clear: FrameFeatures,
        change: Change,
        lit: NDArray[np.bool_],
    ) -> Reading | None:
        """Reads a frame of a board that is followed.

        Squares that changed together with the rim are not judged while something moves. Once two
        frames are equal, the network tells what is covered: nothing, if a lamp was moved or a
        thing lies beside the field. What it sees covered is a hand until it has been still for
        3 s. If the board seems to lie elsewhere then, it was carried away: nothing is read.
        """
        near = beside(lit, self._size)
        over = change.covered & ~near
        blurred = np.full_like(over, change.blurred)
        hand = bool(over.any())
        still_s = self._stillness.lasts_s(frame.time_s, features.scene, near) if hand else 0.0
        skipped = blurred if still_s > 0 else over | blurred
        judged, unseen = self._seen_now(frame, warp, features, lit, skipped)
        foreign = judged.covered & ~near & ~self._resting
        if not hand and (reaches_edge(foreign, self._size) or self._is_lost(judged)):
            hand, still_s = True, self._stillness.lasts_s(frame.time_s, features.scene, near)
        if judged.is_elsewhere and still_s >= RESTS_S:
            return None
        is_plain = not (judged.is_elsewhere or foreign.any())
        rests = still_s > 0 and (is_plain or still_s >= RESTS_S)
        if rests:
            hand, over, self._resting = False, np.zeros_like(over), judged.covered
        covered = judged.covered | over | unseen | self._disturbed(judged, near)
        self._resting &= judged.covered
        self._open = self._looked_at_again(judged, frame.time_s)
        if hand:
            self._was_away = True
            return replace(_reading(warp, features, judged.unknown(over), covered), hand=True)
        if not rests:
            self._stillness = Stillness()
        judged = replace(judged, beyond=self._beyond(judged, features, lit, covered))
        recoloured = self._recoloured(judged, covered, frame.time_s)
        if recoloured.any():
            judged = judged.unknown(recoloured)
        elif not (change.blurred or lit.any() or self._resting.any()):
            if rests:
                self._steady_until_s = frame.time_s + _REMEMBERED_S
            kept = self._keep(judged, features)
            if not has_moved(features.scene, clear.scene):
                self._note_still(frame, warp, features, kept)
        return replace(_reading(warp, features, judged, covered), hand=False)

    def _note_still(
        self, frame: Frame, warp: Warp, features: FrameFeatures, kept: Judgement
    ) -> None:
        """Keeps a clear frame in which nothing has moved."""
        self._still = _StillFrame(features.scene, warp.grid, frame.image, kept.contents)
        if frame.time_s >= self._steady_until_s:
            self._steady = features

    def _beyond(
        self,
        judged: Judgement,
        features: FrameFeatures,
        lit: NDArray[np.bool_],
        covered: NDArray[np.bool_],
    ) -> NDArray[np.float32]:
        """(4, n) log odds that tiles go on beyond the border, less what lay there before them.

        Where something like a tile came together with it, it is at least in doubt. It is compared
        with the last still frame, as the hand that laid it may be beside it in a later one.
        That frame is looked at again only if what stayed there looks like the tile. Of a square
        that is lit or covered the last comparison holds.
        """
        least, most = self._least_beyond, self._most_beyond
        seen = border_of(~covered)
        tiles = seen & border_of(judged.contents > 0)
        least[seen & ~tiles], most[seen & ~tiles] = -np.inf, np.inf
        if self._still is not None:
            came = tiles & border_of(judged.contents != self._still.contents)
            if came.any():
                change = change_beyond(features.scene, self._still.scene)
                nearer = change.is_nearer & (judged.beyond > -2 * GOES_ON)
                over = ~change.kept & (change.is_alike | nearer)
                least[came] = np.where(over, 0, -np.inf)[came]
                kept, plain = came & change.kept, change.was_unlike
                alike = kept & ~plain & (judged.beyond > -GOES_ON)
                if alike.any():
                    before = shapes_of(self._still.image, self._still.grid, on_border(alike))
                    plain = plain | self._seen[lit.tobytes()].shapes.stood(before)
                # Plastic that is hardly seen on a frame of its colour stays in doubt, and so does
                # what looked like the tile before it came.
                most[kept] = np.where(plain, -np.inf, 0)[kept]
                most[came & ~change.kept & ~change.was_unlike] = 0
        beyond = np.where(
            np.isneginf(judged.beyond), judged.beyond, np.maximum(judged.beyond, least)
        )
        return np.minimum(beyond, most)

    def _looked_at_again(self, judged: Judgement, now_s: float) -> NDArray[np.bool_]:
        """(n * n,) squares that are not sure, or covered, if it is time to look at them again."""
        if now_s < self._again_s:
            return np.zeros_like(judged.covered)
        self._again_s = now_s + _AGAIN_S
        return np.asarray(judged.covered | (judged.evidence.max(axis=1) < _SURE), np.bool_)

    def _shapes(
        self,
        image: Image,
        grid: Grid,
        scene: CoarseView,
        lit: NDArray[np.bool_],
        skipped: NDArray[np.bool_],
    ) -> ShapeCache:
        """Returns the outputs of the network, computed where the frame has changed.

        The light of LEDs changes the squares beside them, so outputs are kept for some patterns of
        lit squares. Squares under something that moves, or in a blurred frame (`skipped`), are not
        computed, and those computed meanwhile, or in the first frame, are computed again once
        nothing is skipped: they may be blurred by motion. Neighbours of a changed square are
        computed too, as what is seen of a square depends on them.
        """
        key, is_hasty = lit.tobytes(), bool(skipped.any())
        known = self._seen.get(key) or next(reversed(self._seen.values()), None)
        if known is None:
            known = ShapeCache.of(image, grid, scene, is_hasty=True)
        else:
            own = known.changed(scene)
            if not is_hasty:
                own |= known.changed_beyond(scene)
            changed = beside(own, self._size)
            stale = changed | self._open | (known.hasty & (not is_hasty))
            known = known.renewed(image, scene, stale & ~(skipped | lit), is_hasty=is_hasty)
        self._seen[key] = known
        self._seen.move_to_end(key)
        if len(self._seen) > MOST_PATTERNS:
            self._seen.popitem(last=False)
        return known

    def _seen_now(
        self,
        frame: Frame,
        warp: Warp,
        features: FrameFeatures,
        lit: NDArray[np.bool_],
        skipped: NDArray[np.bool_],
    ) -> tuple[Judgement, NDArray[np.bool_]]:
        """Judges a frame, and returns (n * n,) squares that were not looked at; see `_shapes`."""
        shapes = self._shapes(frame.image, warp.grid, features.scene, lit, skipped)
        unseen = lit | (skipped & shapes.changed(features.scene))
        return self._judged(shapes, features.observed, unseen), unseen

    def _judged(
        self, shapes: ShapeCache, observed: SquareFeatures, unseen: NDArray[np.bool_]
    ) -> Judgement:
        observed = hiding(observed, unseen)
        before = self._judgement
        return judge(shapes.shapes, observed, self._size, self._palette, before, may_glow=False)

    def _disturbed(self, judged: Judgement, near: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n * n,) squares beside lit ones that look as if they had another content than before."""
        if self._judgement is None:
            return near
        return np.asarray(near & (judged.contents != self._judgement.contents), np.bool_)

    def _recoloured(
        self, judged: Judgement, covered: NDArray[np.bool_], now_s: float
    ) -> NDArray[np.bool_]:
        """(n * n,) squares that seem to have taken on a colour, if more than players can fill.

        Then the light has changed, and for some seconds none of them is trusted. If people may have
        rearranged the pieces, only squares count that had another colour before.
        """
        none = np.zeros_like(covered)
        if self._judgement is None or judged.palette != self._judgement.palette:
            return none
        before = self._judgement.contents
        recoloured = (judged.contents != before) & (judged.contents > 0) & ~covered
        some = recoloured & (before > 0) if self._was_away else recoloured
        if some.sum() <= _MOST_AT_ONCE or _is_turned(judged.contents, before, ~covered):
            self._recoloured_s = None
            return none
        if self._recoloured_s is None:
            self._recoloured_s = now_s
        return none if now_s - self._recoloured_s >= _RECOLOURED_S else recoloured

    def _keep(self, judged: Judgement, features: FrameFeatures) -> Judgement:
        """Keeps the judgement of a clear frame, and of covered squares what was known before.

        A vivid palette that is sure stays. Returns what is kept.
        """
        before = self._judgement
        if before is not None and before.palette == judged.palette:
            judged = judged.with_evidence(before.evidence, judged.covered)
        self._clear, self._judgement, self._was_away = features, judged, False
        self._recoloured_s = None
        if judged.is_sure and judged.is_vivid and not judged.covered.any():
            self._palette = judged.palette
        return judged


def _mask(squares: frozenset[int], size: int) -> NDArray[np.bool_]:
    """(size * size,) True for the given squares; those of a larger board are ignored."""
    mask = np.zeros(size**2, np.bool_)
    mask[[square for square in squares if square < len(mask)]] = True
    return mask


def _is_turned(
    contents: NDArray[np.intp], before: NDArray[np.intp], seen: NDArray[np.bool_]
) -> bool:
    """True if squares that are seen show what a board shows that was turned by quarters."""
    side = int(np.sqrt(len(before)))
    turns = (np.rot90(before.reshape(side, side), quarters).ravel() for quarters in (1, 2, 3))
    return any((contents == turned)[seen].mean() > _ALL_BUT_FEW for turned in turns)


def _reading(
    warp: Warp, features: FrameFeatures, judged: Judgement, covered: NDArray[np.bool_]
) -> Reading:
    """Returns a reading without the fields that need a comparison of frames."""
    nothing = 1.0 / judged.evidence.shape[1]
    return Reading(
        size=warp.grid.size,
        corners=warp.grid.corners,
        crossings=warp.crossings,
        palette=judged.palette,
        probabilities=np.where(covered[:, None], nothing, judged.evidence).astype(np.float32),
        covered=covered,
        brightness=features.scene.brightness,
        lightness=features.observed.lightness,
        ends=judged.ends,
        beyond=judged.beyond,
        has_colours=judged.has_colours,
    )
