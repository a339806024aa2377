"""Quality of pictures of a board: blur, exposure, noise, colours, flicker, and bands of a lamp.

Bands run through the pictures of a scene where a lamp on mains flickers while rows are read out.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image

Mask = NDArray[np.bool_]
"""(height, width) bool, a part of a picture."""

Brightness = NDArray[np.float64]
"""(48, columns) logarithm of the brightness of stripes along the rows of a frame."""

_REBLURS_PX: Final = (1.2, 2.4, 4.8)
"""Standard deviations in pixels by which a picture is blurred again."""

_NEAR_PX: Final = 20
"""Pixels around a part of a picture that blur into it."""

_PLAINLY: Final = 1.25
"""Ratio of the measured blur to the added one from which a stronger one is tried."""

_STRONGEST: Final = 90.0
"""Percentile of edges that counts as clear: shadows and gloss have soft edges at best focus."""

_FAINTEST: Final = 4.0
"""Weakest clear edge, in grey levels per pixel."""

_SLOPE: Final = 8.0
"""Factor of a 3x3 Sobel filter on the slope."""

OVEREXPOSED: Final = 250
"""Value of the darkest channel, 0 to 255, from which a pixel is overexposed."""

_CLIPPED: Final = 255
"""Value of the brightest channel from which it is clipped."""

WHITE: Final = 99.0
"""Percentile of brightness that counts as white."""

_BLIND: Final = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Filter that is blind to even slopes."""

_QUARTILE: Final = 0.6745
"""Standard deviations within which half of normally distributed values are."""

_STRIPES: Final = 48
"""Stripes along the rows in which flicker is measured; a picture has one to three bands."""

_COLUMNS: Final = 32
"""Columns of each stripe."""

_DARK: Final = 6.0
"""Added to brightness before its logarithm, so that noise in the dark counts little."""

_FEWEST_SQUARES: Final = 3
"""Squares of a kind from which its noise is measured."""

_FLOOR: Final = np.array([0.012, 0.012, 1.0])
"""Least noise of tint (two numbers) and lightness that is assumed."""


def blur_px(image: Image, where: Mask) -> float | None:
    """Measures the standard deviation of the blur of edges in pixels.

    The picture is blurred once more, by a known amount: the sharper an edge was, the more of
    its slope it loses. Unlike the strength of edges this depends neither on light nor on the
    content. Source: Zhuo and Sim, "Defocus map estimation from a single image", Pattern
    Recognition 44 (2011).

    Args:
        image: (height, width, 3) uint8.
        where: (height, width) bool, part of it to measure.

    Returns:
        About 0.6 to 1.1 for a good lens in focus; about four fifths of blurs of several pixels,
        because lines are close together. None if there is no clear edge.
    """
    left, top, width, height = cv2.boundingRect(where.view(np.uint8))
    # Slopes take five times the memory of a picture, so what is far outside is left out.
    near = (
        slice(max(0, top - _NEAR_PX), top + height + _NEAR_PX),
        slice(max(0, left - _NEAR_PX), left + width + _NEAR_PX),
    )
    image, where = image[near], where[near]
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    found = None
    for known_px in _REBLURS_PX:
        found = _lost_to(known_px, grey, where)
        # A weak added blur hardly changes a much stronger one, so that noise would decide.
        if found is None or found < _PLAINLY * known_px:
            break
    return found


def _lost_to(known_px: float, grey: NDArray[np.float32], where: Mask) -> float | None:
    """Measures the blur in pixels by adding one of a known strength."""
    soft = np.asarray(cv2.GaussianBlur(grey, (0, 0), known_px), np.float32)
    slope, less = _slope(grey), _slope(soft)
    around = np.ones((2 * round(2 * known_px) + 1,) * 2, np.uint8)
    crest = (slope >= np.asarray(cv2.dilate(slope, around))) & where
    if not crest.any():
        return None
    crest &= slope >= max(_FAINTEST, float(np.percentile(slope[crest], _STRONGEST)))
    if not crest.any():
        return None
    lost = np.maximum(slope[crest] / np.maximum(less[crest], 1e-3), 1.001)
    return float(np.median(known_px / np.sqrt(lost**2 - 1)))


def _slope(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    x = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3), np.float32)
    y = np.asarray(cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3), np.float32)
    slope = np.asarray(cv2.magnitude(x, y, x), np.float32)
    slope /= _SLOPE
    return slope


@dataclass(frozen=True, slots=True)
class ExposureQuality:
    """Exposure and noise of a picture.

    Attributes:
        white: brightness of its lightest hundredth, 0 to 255.
        clipped: share of its pixels with a channel at the maximum, so that hues are lost.
        noise: standard deviation of the noise in grey levels, of which JPEG hides a part.
    """

    white: float
    clipped: float
    noise: float


def light_of(image: Image, where: Mask) -> ExposureQuality:
    """Measures the clipping of a part of a picture, and white and noise of all of it.

    Noise is the median response of a filter that is blind to even slopes, so that edges do not
    count. Source: Immerkær, "Fast noise variance estimation", Computer Vision and Image
    Understanding 64 (1996).
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    residual = np.asarray(cv2.filter2D(image[..., 1], cv2.CV_16S, _BLIND))
    np.abs(residual, out=residual)
    brightest = image.max(axis=2)[where]
    return ExposureQuality(
        white=float(np.percentile(grey, WHITE)),
        clipped=float((brightest >= _CLIPPED).mean()) if len(brightest) else 0.0,
        noise=float(np.median(residual)) / (_QUARTILE * float(np.linalg.norm(_BLIND))),
    )


def burnt_shares(view: Image, size: int, margin: int) -> NDArray[np.float64]:
    """(n * n,) share of each square that is so bright that its colour is lost.

    Args:
        view: view of the board from above, from `vision.geometry.grid.Warp`.
        size: squares along a side.
        margin: squares of surroundings on each side of the view.
    """
    scale = view.shape[0] // (size + 2 * margin)
    inner = slice(margin * scale, (margin + size) * scale)
    burnt = view[inner, inner].min(axis=2) >= OVEREXPOSED
    return np.asarray(burnt.reshape(size, scale, size, scale).mean(axis=(1, 3)).ravel(), float)


def separation(
    features: NDArray[np.float64], labels: NDArray[np.intp], kinds: int
) -> NDArray[np.float64]:
    """Measures the distance between kinds of squares, in standard deviations of their own noise.

    Args:
        features: (k, 3) tint and lightness of squares, as in
            `vision.squares.square_features.SquareFeatures`.
        labels: (k,) kind of each, from 0.
        kinds: number of kinds.

    Returns:
        (kinds, kinds) Mahalanobis distances, symmetric; NaN for kinds with too few squares.
    """
    members = [features[labels == kind] for kind in range(kinds)]
    known = [len(one) >= _FEWEST_SQUARES for one in members]
    means = [np.median(one, axis=0) if len(one) else np.zeros(3) for one in members]
    strays = [_stray(one) if enough else None for one, enough in zip(members, known, strict=True)]
    apart = np.full((kinds, kinds), np.nan)
    for a in range(kinds):
        for b in range(a):
            one, other = strays[a], strays[b]
            if one is not None and other is not None:
                away = means[a] - means[b]
                inverse = np.linalg.inv((one + other) / 2)
                apart[a, b] = apart[b, a] = float(np.sqrt(away @ inverse @ away))
    return apart


def _stray(members: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariance of the nearest three quarters, so that a misread square does not count."""
    middle = np.median(members, axis=0)
    scale = np.maximum(1.4826 * np.median(np.abs(members - middle), axis=0), _FLOOR)
    far = (((members - middle) / scale) ** 2).sum(axis=1)
    near = members[far <= np.quantile(far, 0.75)]
    # The inner three quarters of a normal distribution have 0.73 times its standard deviation.
    return np.asarray(np.cov(near.T) / 0.73**2 + np.diag(_FLOOR**2), np.float64)


@dataclass(frozen=True, slots=True)
class Flicker:
    """Variation of light over frames of a still scene.

    Attributes:
        whole: standard deviation of the brightness of whole frames, as a share.
        bands: standard deviation of stripes along the rows, relative to whole frames, as a share:
            lamps on mains current cause such bands with a rolling shutter.
    """

    whole: float
    bands: float


def brightness_of(image: Image, columns: int = _COLUMNS) -> Brightness:
    """Measures the brightness of a frame, which is all that flicker is measured from."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (columns, _STRIPES), interpolation=cv2.INTER_AREA)
    return np.asarray(np.log(np.asarray(small, np.float64) + _DARK), np.float64)


def flicker_of(frames: Sequence[Brightness]) -> Flicker:
    """Measures the variation of light over two or more frames of a scene.

    An object that moves through the scene counts little, because the median of the columns of
    each stripe is used.
    """
    stack = np.stack(frames)
    stripes = np.median(stack - np.median(stack, axis=0), axis=2)
    whole = np.median(stripes, axis=1)
    return Flicker(whole=float(whole.std()), bands=float((stripes - whole[:, None]).std()))


_STEP: Final = 4
"""Rows and columns of which one is looked at."""

_BLOCKS: Final = 8
"""Blocks of columns. A band is the same in all of them, a hand is not."""

_LONGEST_S: Final = 4.0
"""Seconds for which pictures are compared."""

_LEAST: Final = 8
"""Fewest pictures that tell bands."""

_LEAST_S: Final = 1.5
"""Shortest time in seconds in which they tell them."""

_APART_S: Final = 0.1
"""Seconds between two pictures that are compared."""

_DEPTH: Final = 0.05
"""Standard deviation of the bands, as a share of brightness: 0.07, of +-10 %, a table still bears,
0.13 it does not."""

_WHOLE: Final = 0.5
"""Largest change of whole pictures, as a share of that of the bands, which even each other out."""

_EVERYWHERE: Final = 0.5
"""Least median of the bands' size, as a share of their standard deviation: 1 if they are waves. A
sleeve across the picture is a band too, but a lonely one."""

_ALIKE: Final = 0.9
"""Least correlation of a block with the bands."""

_IN_BANDS: Final = 6
"""Fewest blocks that are like them: a hand may be over the others."""

_ROLLING: Final = 0.8
"""Share of pictures in which the bands stand elsewhere than in the one before."""


class RollingBands:
    """Compares the pictures of the last seconds of a scene."""

    def __init__(self) -> None:
        self._seen: Final[deque[tuple[float, Brightness]]] = deque()

    def see(self, image: Image, time_s: float) -> None:
        """Takes the next picture.

        Args:
            image: (height, width, 3) uint8, blue green red, of the size of those before.
            time_s: its time in seconds.
        """
        if self._seen and time_s - self._seen[-1][0] < _APART_S:
            return
        while self._seen and time_s - self._seen[0][0] > _LONGEST_S:
            self._seen.popleft()
        few = np.ascontiguousarray(image[::_STEP, ::_STEP])
        self._seen.append((time_s, brightness_of(few, _BLOCKS)))

    @property
    def are_plain(self) -> bool:
        """True if bands run through the pictures."""
        if len(self._seen) < _LEAST or self._seen[-1][0] - self._seen[0][0] < _LEAST_S:
            return False
        stack = np.stack([small for _, small in self._seen])
        change = stack - np.median(stack, axis=0)
        bands = np.median(change, axis=2)
        depth = bands.std()
        if (
            depth < _DEPTH
            or bands.mean(axis=1).std() > _WHOLE * depth
            or np.median(np.abs(bands)) < _EVERYWHERE * depth
        ):
            return False
        steps = np.sqrt((np.diff(bands, axis=0) ** 2).mean(axis=1))
        products = np.einsum("tsb,ts->b", change, bands)
        lengths = np.sqrt((change**2).sum(axis=(0, 1)) * (bands**2).sum())
        alike = products > _ALIKE * lengths
        return bool((steps > depth / 2).mean() >= _ROLLING and alike.sum() >= _IN_BANDS)
