"""Hands, shadows, lamps and cameras, for views of the network that finds boards."""

from typing import Final

import cv2
import numpy as np

from tests.training.shapes.worsening import GAMMA, SKIN, Light, developed, sensed
from vision.camera import Image
from vision.detection.board_network import VIEW_PX
from vision.geometry.grid import Points

Chance = np.random.Generator

_SHADOW, _LAMP, _GREY = 0.35, 0.15, 0.15
"""Shares of views with shadows, with lamps, and without colour."""

_TWO: Final = 0.35
"""Share of covered boards with a second hand."""

_HAND: Final = 0.75
"""Share of covers that are hands; the others are sleeves or things in one colour."""


def covered(canvas: Image, place: Points, chance: Chance) -> Image:
    """Returns the view with one hand or two over a board.

    Args:
        canvas: (side, side, 3) uint8.
        place: (4, 2) corners of the board in pixels.
        chance: random choices.
    """
    for _ in range(2 if chance.random() < _TWO else 1):
        mask = _hand(place, chance)
        colour = chance.uniform(0, 1, 3)
        if chance.random() < _HAND:
            colour = SKIN * chance.uniform(0.08, 1.3) * chance.uniform(0.7, 1.3, 3)
        folds = cv2.resize(chance.normal(0, 1, (24, 24)), (VIEW_PX, VIEW_PX))[..., None]
        skin = colour * np.exp(chance.uniform(0.05, 0.35) * folds)
        # A hand throws a shadow beside itself.
        away = np.column_stack([np.eye(2), chance.normal(0, 6, 2)])
        shade = cv2.GaussianBlur(cv2.warpAffine(mask, away, (VIEW_PX, VIEW_PX)), (0, 0), 4)
        left = 1 - chance.uniform(0, 0.7) * shade[..., None]
        light = (canvas / np.float32(255)) ** GAMMA * left
        soft = cv2.GaussianBlur(mask, (0, 0), float(chance.uniform(0.5, 1.2)))[..., None]
        light = light * (1 - soft) + skin * soft
        canvas = developed(light)
    return canvas


def _hand(place: Points, chance: Chance) -> Light:
    """Returns a mask of an arm, a palm and some fingers; often they hide a corner."""
    side = float(np.ptp(place, axis=0).max())
    palm = place[int(chance.integers(4))] + chance.normal(0, 0.1 * side, 2)
    if chance.random() < 0.5:
        palm = place.mean(axis=0) + chance.normal(0, 0.35 * side, 2)
    toward = place.mean(axis=0) - palm + chance.normal(0, 0.3 * side, 2)
    toward = toward / (np.linalg.norm(toward) + 1e-6)
    mask = np.zeros((VIEW_PX, VIEW_PX), np.float32)
    wide = max(2, round(float(chance.uniform(0.08, 0.2)) * side))
    _stroke(mask, palm - 2 * side * toward, palm, wide)
    for _ in range(int(chance.integers(0, 6))):
        reach = chance.uniform(0.1, 0.35) * side
        tip = palm + reach * (toward + chance.normal(0, 0.4, 2))
        _stroke(mask, palm, tip, max(2, round(0.3 * wide)))
    return mask


def _stroke(mask: Light, start: Points, end: Points, wide: int) -> None:
    cv2.line(mask, start.astype(int).tolist(), end.astype(int).tolist(), 1.0, wide, cv2.LINE_AA)


def photographed(canvas: Image, chance: Chance) -> Image:
    """Returns the view in another light, taken by another camera."""
    light = (canvas.astype(np.float32) / 255) ** GAMMA
    y, x = np.mgrid[:VIEW_PX, :VIEW_PX].astype(np.float32) / VIEW_PX - 0.5
    angle = chance.uniform(0, 2 * np.pi)
    slope = np.exp(chance.normal(0, 0.6) * (x * np.cos(angle) + y * np.sin(angle)))
    light *= (slope * np.exp(chance.normal(0, 0.7)))[..., None]
    if chance.random() < _SHADOW:
        for _ in range(int(chance.integers(1, 4))):
            light *= 1 - chance.uniform(0.3, 0.95) * _blot(chance)[..., None]
    if chance.random() < _LAMP:
        light += chance.uniform(0.1, 1.5) * _blot(chance)[..., None]
    light *= np.exp(chance.normal(0, 0.12, 3)).astype(np.float32)
    if chance.random() < _GREY:
        light[:] = light.mean(axis=2, keepdims=True)
    light = light[..., chance.permutation(3)]
    coded = np.clip(light, 0, 1) ** np.float32(np.exp(chance.normal(0, 0.2)) / GAMMA)
    if chance.random() < 0.5:
        coded = np.asarray(cv2.GaussianBlur(coded, (0, 0), float(chance.uniform(0.3, 1.8))))
    return sensed(np.asarray(coded, np.float32), float(chance.choice([0.5, 2, 5, 10])), 0.3, chance)


def _blot(chance: Chance) -> Light:
    """Returns a mask of a shadow or the reflection of a lamp, with a hard or a soft edge."""
    mask = np.zeros((VIEW_PX, VIEW_PX), np.float32)
    shape = chance.uniform(-0.2, 1.2, (int(chance.integers(3, 6)), 2)) * VIEW_PX
    if chance.random() < 0.4:
        shape = shape.mean(axis=0) + 0.35 * (shape - shape.mean(axis=0))
    cv2.fillConvexPoly(mask, cv2.convexHull(shape.astype(np.int32)), 1.0)
    soft = float(np.exp(chance.uniform(0, 3)))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)
