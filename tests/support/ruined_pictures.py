"""Pictures of a board that are hard to read: tiny, dark, tilted, cropped."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Image
from vision.detection.markers import find_markers
from vision.geometry.grid import Points, apply_homography, sides_of

_SQUARE_PX = (6.5, 16.0)
"""Smallest and largest pixels per square."""

_SMALLEST_PX, _LARGEST_PX = 130, 1200
_GAMMA = 2.2


def ruined(
    image: Image, corners: Points, size: int, chance: np.random.Generator, *, cut: bool = False
) -> tuple[Image, Points]:
    """Returns a picture of the same board that is hard to read, and the corners in it.

    Args:
        image: (height, width, 3) uint8.
        corners: (4, 2) corners of the field in pixels.
        size: squares along a side.
        chance: random choices.
        cut: True if a part of the board is outside the picture.
    """
    side = float(sides_of(corners).mean())
    turn = _turn(chance)
    half = side * (chance.uniform(0.55, 1) if cut else np.exp(chance.uniform(-0.48, 0.47)))
    shift = chance.normal(0, 0.08 * side, 2)
    if cut:
        missing = chance.uniform(0.4, 6) * side / size
        shift = turn[:, chance.integers(2)] * chance.choice([-1, 1]) * (half - side / 2 + missing)
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    taken = corners.mean(axis=0) + shift + outline @ turn.T * half
    square_px = np.exp(chance.uniform(*np.log(_SQUARE_PX)))
    px = int(np.clip(2 * half / side * size * square_px, _SMALLEST_PX, _LARGEST_PX))
    frame = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32)
    view = np.asarray(cv2.getPerspectiveTransform(taken.astype(np.float32), frame), np.float64)
    if chance.random() < 0.6:
        view = tilted(px, chance) @ view
    finer = 2 * half / px
    soft = cv2.GaussianBlur(image, (0, 0), 0.4 * finer) if finer > 1 else image
    warped = cv2.warpPerspective(soft, view, (px, px), borderMode=cv2.BORDER_REPLICATE)
    return _darkened(np.asarray(warped, np.uint8), chance), apply_homography(view, corners)


def without_markers(image: Image, keep: tuple[int, ...] = ()) -> Image:
    """Returns the picture with every detected marker painted over, except those in `keep`."""
    hidden = image.copy()
    paint = np.median(image.reshape(-1, 3), axis=0).tolist()
    for marker in find_markers(image)[0]:
        if marker.id not in keep:
            middle = marker.corners.mean(axis=0)
            outline = middle + 1.5 * (marker.corners - middle)
            cv2.fillConvexPoly(hidden, outline.astype(np.int32), paint)
    return hidden


def tilted(px: int, chance: np.random.Generator) -> NDArray[np.float64]:
    """Returns the homography of a camera tilted by up to a quarter of a right angle.

    Args:
        px: side of its picture, whose middle stays in place.
        chance: random choices of angle and direction.
    """
    lens = np.array([[px, 0, px / 2], [0, px, px / 2], [0, 0, 1.0]])
    angle, lean = chance.uniform(0, 2 * np.pi), chance.uniform(0, np.pi / 8)
    axis = lean * np.array([np.cos(angle), np.sin(angle), 0.0])
    turned = lens @ cv2.Rodrigues(axis)[0] @ np.linalg.inv(lens)
    away = turned @ np.array([px / 2, px / 2, 1.0])
    home = np.eye(3)
    home[:2, 2] = px / 2 - away[:2] / away[2]
    return np.asarray(home @ turned, np.float64)


def _turn(chance: np.random.Generator) -> NDArray[np.float64]:
    """Returns (2, 2) a turn by any angle, or by about a multiple of 90 degrees."""
    quarters = 90 * float(chance.integers(4)) + float(chance.normal(0, 5))
    angle = np.radians(float(chance.uniform(0, 360)) if chance.random() < 0.5 else quarters)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _darkened(image: Image, chance: np.random.Generator) -> Image:
    """Darkens to as little as a twentieth, with any tint and a gradient; adds noise and JPEG."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    angle = chance.uniform(0, 2 * np.pi)
    slope = (x * np.cos(angle) + y * np.sin(angle)) / max(height, width)
    lit = np.exp(chance.normal(0, 0.4) * (slope - slope.mean()))[..., None]
    light = np.exp(chance.uniform(-3, 0.3)) * np.exp(chance.normal(0, 0.12, 3))
    linear = np.clip((image / 255.0) ** _GAMMA * lit * light, 0, 1)
    taken = np.asarray(linear ** (np.exp(chance.normal(0, 0.12)) / _GAMMA) * 255, np.float64)
    if chance.random() < 0.3:
        taken = np.asarray(cv2.GaussianBlur(taken, (0, 0), chance.uniform(0.3, 0.9)), np.float64)
    noisy = np.round(taken + chance.normal(0, chance.choice([1.0, 2.0, 4.0]), taken.shape))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(60, 96))]
    packed = cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8), quality)[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
