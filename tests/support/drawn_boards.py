"""Small boards drawn with OpenCV, to test the reader on cases without a photograph."""

import cv2
import numpy as np

from vision.camera import Image
from vision.geometry.grid import Points

BOARD = (62, 56, 54)
TABLE = (70, 95, 120)
PAINT = {
    "P": (140, 45, 96),
    "O": (18, 115, 245),
    "B": (170, 70, 25),
    "G": (60, 140, 30),
    "R": (35, 30, 200),
    "Y": (30, 205, 240),
    "K": (14, 14, 14),
    "W": (232, 236, 238),
}
SCALE = 40
MARGIN = 3
EMPTY_ROWS = ["." * 14] * 14
BROKEN_ROWS = [
    "..............",
    "...........PP.",
    "..............",
    "..............",
    *["....P........."] * 4,
    "..............",
    *[".........O...."] * 4,
    "..............",
]
"""A position in which the purple piece of two squares has no corner of its own colour."""

LENS_PLACES = [
    (-8.0, -5.0, 0.0, 0.0),
    (8.0, -5.0, 8.0, 20.0),
    (8.0, 5.0, -8.0, -20.0),
    (-8.0, 5.0, 0.0, 15.0),
    (0.0, -5.0, 12.0, 0.0),
    (0.0, 5.0, 0.0, -15.0),
    (-9.0, 0.0, -6.0, 20.0),
    (9.0, 0.0, 4.0, 0.0),
]
"""Shift in squares, turn and tilt in degrees of a board that is moved to measure a lens."""


def flat_board(rows: list[str], *, markers: bool = True) -> Image:
    """Draws a board from straight above, `SCALE` pixels a square and `MARGIN` squares around."""
    size = len(rows)
    side = (size + 2 * MARGIN) * SCALE
    sheet = np.full((side, side, 3), TABLE, np.uint8)
    start, end = MARGIN * SCALE, (MARGIN + size) * SCALE
    cv2.rectangle(sheet, (start - 24, start - 24), (end + 24, end + 24), (50, 46, 44), -1)
    cv2.rectangle(sheet, (start, start), (end, end), BOARD, -1)
    for k in range(size + 1):
        at = start + k * SCALE
        cv2.line(sheet, (at, start), (at, end), (96, 88, 86), 3)
        cv2.line(sheet, (start, at), (end, at), (96, 88, 86), 3)
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter in PAINT:
                _lay(sheet, row, column, PAINT[letter])
    if markers:
        for name, (x, y) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
            stick(sheet, name, x, y)
    return sheet


def _lay(sheet: Image, row: int, column: int, paint: tuple[int, int, int]) -> None:
    x, y = (MARGIN + column) * SCALE, (MARGIN + row) * SCALE
    cv2.rectangle(sheet, (x + 1, y + 1), (x + SCALE - 1, y + SCALE - 1), paint, -1)
    light = tuple(min(255, round(1.25 * value) + 12) for value in paint)
    dark = tuple(round(0.7 * value) for value in paint)
    cv2.line(sheet, (x + 2, y + 2), (x + SCALE - 3, y + 2), light, 3)
    cv2.line(sheet, (x + 2, y + SCALE - 3), (x + SCALE - 3, y + SCALE - 3), dark, 3)
    cv2.line(sheet, (x + SCALE - 3, y + 2), (x + SCALE - 3, y + SCALE - 3), dark, 3)


def stick(sheet: Image, name: int, right: int, down: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, name, 60)
    card = cv2.copyMakeBorder(marker, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(255,))
    side = len(card)
    x = len(sheet) - side - 8 if right else 8
    y = len(sheet) - side - 8 if down else 8
    sheet[y : y + side, x : x + side] = card[:, :, None]


CORNERS = np.array([[236.0, 88.0], [700.0, 108.0], [712.0, 574.0], [208.0, 552.0]])
"""Outer corners of the field in the pictures that `photograph` makes by default."""


def photograph(
    sheet: Image,
    size: int = 14,
    corners: Points = CORNERS,
    shape: tuple[int, int] = (720, 960),
    seed: int = 0,
) -> Image:
    """Returns a camera's picture of a flat board, with noise."""
    start, end = MARGIN * SCALE - 0.5, (MARGIN + size) * SCALE - 0.5
    flat = np.array([[start, start], [end, start], [end, end], [start, end]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    picture = cv2.warpPerspective(
        sheet,
        matrix,
        (shape[1], shape[0]),
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=TABLE,
    )
    noise = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)


def with_hand(picture: Image) -> Image:
    """Returns the picture with a forearm and a fist from the right over a part of the board."""
    skin = picture.copy()
    cv2.ellipse(skin, (610, 330), (90, 60), 10, 0, 360, (120, 155, 205), -1)
    cv2.line(skin, (640, 330), (959, 380), (120, 155, 205), 70)
    return skin
