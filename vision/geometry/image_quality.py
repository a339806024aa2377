"""How good a picture of a board is, in units that a person can do something about. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image

Mask = NDArray[np.bool_]

_REBLURS_PX: Final = (1.2, 2.4, 4.8)
_PLAINLY: Final = 1.25
_STRONGEST: Final = 90.0
"""Percentile of edges that counts as plain: shadows and gloss have soft edges at best focus."""

_FAINTEST: Final = 4.0
_SLOPE: Final = 8.0
"""What a 3x3 Sobel filter multiplies the slope by."""

_BURNT: Final = 250
_CLIPPED: Final = 255
_WHITE: Final = 99.0
_BLIND: Final = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
_QUARTILE: Final = 0.6745
"""Half of normal values lie within so many standard deviations."""

_SMEARED: Final = 0.085
"""Squares from which blur counts; pictures of 7 pixels a square have 0.07."""

_STRIPES: Final = 48
_COLUMNS: Final = 32
_DARK: Final = 6.0

_FEWEST_SQUARES: Final = 3
_FLOOR: Final = np.array([0.012, 0.012, 1.0])
"""Noise of tint and lightness that even the best picture is taken to have."""


def blur_px(image: Image, where: Mask) -> float | None:
    """How far edges are smeared: the standard deviation of the blur in pixels.

    The picture is blurred once more, by a known amount: the sharper an edge was, the more of
    its slope it loses. Unlike the strength of edges this depends neither on light nor on what
    lies there. Source: Zhuo and Sim, "Defocus map estimation from a single image", Pattern
    Recognition 44 (2011).

    Args:
        image: (height, width, 3) uint8.
        where: (height, width) bool, the part of it to look at.

    Returns:
        About 0.6 to 1.1 for a good lens in focus; of blurs of several pixels about four
        fifths, for lines lie close together. None where there is no plain edge.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.float32)
    found = None
    for known_px in _REBLURS_PX:
        found = _lost_to(known_px, grey, where)
        # A little more blur hardly shows on what is much more blurred, and then noise does.
        if found is None or found < _PLAINLY * known_px:
            break
    return found


def is_smeared(view: Image, scale: int) -> bool:
    """Whether edges are smeared over so much of a square that it takes on its neighbours' colours.

    Args:
        view: a picture straight down on the board, `scale` pixels a square.
        scale: those.
    """
    blur = blur_px(view, np.ones(view.shape[:2], np.bool_))
    return blur is not None and blur > _SMEARED * scale


def _lost_to(known_px: float, grey: NDArray[np.float32], where: Mask) -> float | None:
    """The blur as it is told by one more of a known strength."""
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
    return np.asarray(cv2.magnitude(x, y) / _SLOPE, np.float32)


@dataclass(frozen=True, slots=True)
class ExposureQuality:
    """How a picture is exposed.

    Attributes:
        white: brightness of its lightest hundredth, 0 to 255.
        clipped: share of it in which a channel is at its end, so that hues are lost.
        noise: standard deviation of the noise in grey levels, of which JPEG hides a part.
    """

    white: float
    clipped: float
    noise: float


def light_of(image: Image, where: Mask) -> ExposureQuality:
    """How a part of a picture is exposed; white and noise are looked for in all of it.

    Noise is what a filter leaves that is blind to even slopes, its median so that edges do not
    count. Source: Immerkær, "Fast noise variance estimation", Computer Vision and Image
    Understanding 64 (1996).
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    residual = np.abs(np.asarray(cv2.filter2D(image[..., 1], cv2.CV_32F, _BLIND)))
    brightest = image[where].max(axis=1)
    return ExposureQuality(
        white=float(np.percentile(grey, _WHITE)),
        clipped=float((brightest >= _CLIPPED).mean()) if len(brightest) else 0.0,
        noise=float(np.median(residual)) / (_QUARTILE * float(np.linalg.norm(_BLIND))),
    )


def burnt_shares(view: Image, size: int, margin: int) -> NDArray[np.float64]:
    """(n * n,) which share of each square is so bright that its colour is lost.

    Args:
        view: straight down on the board, from `vision.geometry.grid.Warp`.
        size: squares along a side.
        margin: squares of surroundings on each side of the view.
    """
    scale = view.shape[0] // (size + 2 * margin)
    inner = slice(margin * scale, (margin + size) * scale)
    burnt = view[inner, inner].min(axis=2) >= _BURNT
    return np.asarray(burnt.reshape(size, scale, size, scale).mean(axis=(1, 3)).ravel(), float)


def separation(
    features: NDArray[np.float64], labels: NDArray[np.intp], kinds: int
) -> NDArray[np.float64]:
    """How far kinds of squares lie apart, in standard deviations of their own noise.

    Args:
        features: (k, 3) tint and lightness of squares, see
            `vision.features.square_features.SquareFeatures`.
        labels: (k,) which kind each is of, from 0.
        kinds: how many there are.

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
    """Covariance of the nearer three quarters, so that a square read wrong does not count."""
    middle = np.median(members, axis=0)
    scale = np.maximum(1.4826 * np.median(np.abs(members - middle), axis=0), _FLOOR)
    far = (((members - middle) / scale) ** 2).sum(axis=1)
    near = members[far <= np.quantile(far, 0.75)]
    # Three quarters of a normal distribution spread 0.73 times as far as all of it.
    return np.asarray(np.cov(near.T) / 0.73**2 + np.diag(_FLOOR**2), np.float64)


@dataclass(frozen=True, slots=True)
class Flicker:
    """How the light varies over frames of a scene that stands still.

    Attributes:
        whole: standard deviation of the brightness of whole frames, as a share.
        bands: standard deviation of stripes along the rows beyond that, as a share: lamps on
            mains current make such bands with a rolling shutter.
    """

    whole: float
    bands: float


def flicker_of(images: Sequence[Image]) -> Flicker:
    """How the light varies over two frames or more, all of one size.

    Something that moves through the scene counts little: for each stripe the median of its
    columns is taken.
    """
    shape = (_COLUMNS, _STRIPES)
    logs = []
    for image in images:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        small = np.asarray(cv2.resize(grey, shape, interpolation=cv2.INTER_AREA), np.float64)
        logs.append(np.log(small + _DARK))
    stack = np.stack(logs)
    stripes = np.median(stack - np.median(stack, axis=0), axis=2)
    whole = np.median(stripes, axis=1)
    return Flicker(whole=float(whole.std()), bands=float((stripes - whole[:, None]).std()))
