"""The four printed markers at a board's corners: ArUco 4x4_50, ids 0 to 3, clockwise.

Markers are stuck on by hand, beside the board or on the table, at an unknown distance. So they
give the orientation, the plane of the board, and its approximate middle; the exact place of the
squares is found on the board itself, by `vision.detection.grid_fit`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.geometry.grid import Points, apply_homography, homography_between, rescaled
from vision.geometry.image_scale import shrunk

IDS: Final = (0, 1, 2, 3)
"""Top left, top right, bottom right, bottom left of the board's frame."""

_LONG_SIDE_PX: Final = 1920
"""Longer side in pixels of the picture that is searched."""

_LEAST_OUTLINE: Final = 0.02
"""Shortest outline of a marker, in long sides of the picture."""

_MOST_SHAPES: Final = 1500
"""Most shapes that are examined. The time grows with their square: it is 1 s for so many, and 30 s
for a checkered cloth of 5,000. The fullest board of Classic had 770."""

_BANDS: Final = 6
"""Parts of a picture in which shapes are counted."""

_WINDOW_PX: Final = 13
"""Side of a window in pixels: the middle one of the three of OpenCV's detector."""

_DARKER: Final = 7
"""Grey levels by which a marker is darker than the mean of a window, as in OpenCV's detector."""

_ROUNDED: Final = 0.03
"""Largest distance of an outline from straight lines, as a share of its length, as in OpenCV's
detector."""

_TURN_LIMIT_DEG: Final = 40.0
"""Largest angle in degrees between two markers; a wide camera at a tilt of 35 degrees saw 35."""

_SIZE_RATIO: Final = 2.6
"""Largest ratio of the sides of two markers; that camera saw 2.4."""

_UNIT: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
"""Corners of a marker about its middle, in sides."""

_ROUNDS: Final = 25
"""Iterations of the fit of a plane."""


@dataclass(frozen=True, slots=True, eq=False)
class Marker:
    """One detected marker.

    Attributes:
        id: number of the marker, 0 to 3.
        corners: (4, 2) in pixels, clockwise from its own top left.
    """

    id: int
    corners: Points


@dataclass(frozen=True, slots=True, eq=False)
class MarkerPlane:
    """Plane of the markers, measured in sides of a marker, with axes along the board's.

    Attributes:
        homography: (3, 3) homography from the plane to pixels.
        centres: middle of each detected marker on the plane, by id.
    """

    homography: NDArray[np.float64]
    centres: dict[int, NDArray[np.float64]]


def find_markers(image: Image) -> tuple[list[Marker], bool]:
    """Finds the board's markers in a picture; those that contradict the others are left out.

    Args:
        image: (height, width, 3) uint8.

    Returns:
        At most one marker for each id, ascending, and True if there is none but in the mirror
        image, where two agree.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    small, zoom = shrunk(grey, _LONG_SIDE_PX)
    found = _seen_in(small)
    if len({marker.id for marker in found}) < len(IDS):
        found += _seen_in(_levelled(small))
    markers = _agreeing([Marker(m.id, rescaled(m.corners, 1 / zoom)) for m in found if m.id in IDS])
    # In the mirror image left and right change places.
    flipped = [
        Marker(m.id - len(IDS), m.corners[[1, 0, 3, 2]] * [-1, 1]) for m in found if m.id not in IDS
    ]
    return markers, not markers and len(_agreeing(flipped)) > 1


def _seen_in(grey: NDArray[np.uint8]) -> list[Marker]:
    """Finds the markers in a picture, shrunk until it has at most `_MOST_SHAPES`."""
    small, zoom = grey, 1.0
    while _quadrilaterals(small) > _MOST_SHAPES:
        small, zoom = shrunk(grey, max(small.shape) // 2)
    return [Marker(m.id, rescaled(m.corners, 1 / zoom)) for m in _detect(small)]


def _quadrilaterals(grey: NDArray[np.uint8]) -> int:
    """Approximate number of shapes with four corners that a detector of markers has to examine."""
    mean, inverse = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV
    dark = cv2.adaptiveThreshold(grey, 255, mean, inverse, _WINDOW_PX, _DARKER)
    fewest = _LEAST_OUTLINE * max(grey.shape)
    # The outlines of noise take much memory, so only those of one band are held at a time.
    bands = np.array_split(dark, _BANDS)
    return sum(_with_four_corners(np.asarray(band, np.uint8), fewest) for band in bands)


def _with_four_corners(dark: NDArray[np.uint8], fewest: float) -> int:
    """Number of outlines with at least a given length that have four corners."""
    outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    long = (outline for outline in outlines if len(outline) >= fewest)
    corners = (cv2.approxPolyDP(one, _ROUNDED * len(one), closed=True) for one in long)
    return sum(1 for places in corners if len(places) == 4)


def _detect(grey: NDArray[np.uint8]) -> list[Marker]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = _LEAST_OUTLINE
    # A marker on a white card is a square within a square, and both have to be tried.
    parameters.minMarkerDistanceRate = 0.04
    # Twice the default resolution for reading bits: finds markers in glare and at a slant.
    parameters.perspectiveRemovePixelPerCell = 8
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.2
    detector = cv2.aruco.ArucoDetector(_codes(), parameters)
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return []
    names = [int(name) for name in np.asarray(ids).reshape(-1)]
    return [
        Marker(name, np.asarray(places, np.float64).reshape(4, 2))
        for name, places in zip(names, corners, strict=True)
    ]


@cache
def _codes() -> cv2.aruco.Dictionary:
    """Returns the codes of the four markers, and of their mirror images with ids from 4."""
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    kind = cv2.aruco.Dictionary
    bits = [kind.getBitsFromByteList(known.bytesList[name : name + 1], 4) for name in IDS]
    bits += [np.ascontiguousarray(np.fliplr(one)) for one in bits]
    return kind(np.concatenate([kind.getByteListFromBits(one) for one in bits]), 4)


def _levelled(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Evens out shadows and glare."""
    return np.asarray(cv2.createCLAHE(3.0, (8, 8)).apply(grey), np.uint8)


def _agreeing(found: list[Marker]) -> list[Marker]:
    """Returns the largest set of markers that agree in pairs, one for each id."""
    best: list[Marker] = []
    for pivot in found:
        group: dict[int, Marker] = {pivot.id: pivot}
        for other in found:
            if other.id not in group and all(_agree(other, member) for member in group.values()):
                group[other.id] = other
        if len(group) > len(best):
            best = [group[name] for name in sorted(group)]
    return best


def _agree(one: Marker, other: Marker) -> bool:
    """True if two markers have similar sizes and angles, and relative places that fit their ids."""
    sizes = [np.sqrt(cv2.contourArea(np.asarray(m.corners, np.float32))) for m in (one, other)]
    if max(sizes) > _SIZE_RATIO * min(sizes):
        return False
    for first, second in ((one, other), (other, one)):
        frame = homography_between(first.corners, _UNIT)
        axis = first.corners[1] - first.corners[0]
        turned = second.corners[1] - second.corners[0]
        turn = np.degrees(np.angle(complex(*turned) / complex(*axis)))
        place = apply_homography(frame, second.corners.mean(axis=0))[0]
        if abs(turn) > _TURN_LIMIT_DEG or not _on_its_side(first.id, second.id, place):
            return False
    return True


def _on_its_side(origin: int, name: int, place: NDArray[np.float64]) -> bool:
    """True if marker `name` is on the side of marker `origin` where its id belongs."""
    columns, rows = (0, 1, 1, 0), (0, 0, 1, 1)
    wanted = np.array([columns[name] - columns[origin], rows[name] - rows[origin]])
    return bool((place[wanted != 0] * wanted[wanted != 0] > 1).all())


def plane_of(markers: list[Marker]) -> MarkerPlane | None:
    """Fits the plane in which all markers are squares of one size, aligned with the board.

    All corners are fitted at once, with unknown places of the markers on the plane. At least two
    markers are needed; otherwise None is returned.
    """
    if len(markers) < 2:
        return None
    pixels = np.stack([marker.corners for marker in markers])
    shift = pixels.reshape(-1, 2).mean(axis=0)
    spread = float(np.abs(pixels - shift).max())
    scaled = (pixels - shift) / spread
    start = _first_guess(scaled)
    values = _fitted(start, scaled)
    to_pixels = np.array([[spread, 0, shift[0]], [0, spread, shift[1]], [0, 0, 1.0]])
    homography = to_pixels @ np.append(values[:8], 1.0).reshape(3, 3)
    places = values[8:].reshape(-1, 2)
    return MarkerPlane(homography, {m.id: place for m, place in zip(markers, places, strict=True)})


def _first_guess(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Estimates an affine plane from the mean sides of all markers."""
    across = (pixels[:, 1] + pixels[:, 2] - pixels[:, 0] - pixels[:, 3]).mean(axis=0) / 2
    down = (pixels[:, 2] + pixels[:, 3] - pixels[:, 0] - pixels[:, 1]).mean(axis=0) / 2
    affine = np.stack([across, down], axis=1)
    places = pixels.mean(axis=1) @ np.linalg.inv(affine).T
    row = [affine[0, 0], affine[0, 1], 0, affine[1, 0], affine[1, 1], 0, 0, 0]
    return np.concatenate([row, places.ravel()])


def _fitted(values: NDArray[np.float64], pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Minimises by Levenberg's method; undetermined values do not change."""

    def miss(guess: NDArray[np.float64]) -> NDArray[np.float64]:
        squares = guess[8:].reshape(-1, 1, 2) + _UNIT
        seen = apply_homography(np.append(guess[:8], 1.0).reshape(3, 3), squares)
        return np.asarray((seen.reshape(pixels.shape) - pixels).ravel())

    damping, error = 1e-3, miss(values)
    for _ in range(_ROUNDS):
        step = 1e-6
        slope = np.stack([(miss(values + step * e) - error) / step for e in np.eye(len(values))])
        normal = slope @ slope.T
        normal += damping * np.diag(np.diag(normal) + 1e-9)
        trial = values - np.linalg.solve(normal, slope @ error)
        after = miss(trial)
        if (after**2).sum() < (error**2).sum():
            values, error, damping = trial, after, damping / 4
        else:
            damping *= 6
    return values
