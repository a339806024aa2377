"""Writes pictures of the lights, one PNG for each change."""

from itertools import chain
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from firmware.codes import LightPlace
from firmware.errors import UnreadableError, report_unwritable
from firmware.game.state import GameState
from firmware.lights.scene import SceneContext, ever, scene
from firmware.rules.board import squares_of
from firmware.rules.variants import Edition
from firmware.session.tracker import GameTracker
from vision.plastics import PLASTICS, Rgb

_SQUARE_PX: Final = 28
"""Side of a square in pixels."""

_BOARD: Final = (58, 56, 54)
"""Colour of the board: blue, green, red."""

_LINE: Final = (84, 82, 80)
"""Colour of the lines: blue, green, red."""


class LightFrames:
    """Writes pictures of the lights into a folder.

    Args:
        folder: the folder; created if it is missing.
        place: place of the LEDs. A panel is drawn without the board.

    Raises:
        UnreadableError: the folder cannot be created.
    """

    def __init__(self, folder: Path, place: LightPlace) -> None:
        self._folder: Final = folder
        self._context: Final = SceneContext(place=place)
        self._newest: bytes = b""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnreadableError(f"cannot make the folder {folder}: {error.strerror}") from error

    def take(self, number: int, tracker: GameTracker) -> None:
        """Writes `NUMBER.png` if the lights have changed since the last one."""
        state, edition, place = tracker.state, tracker.edition, self._context.place
        lit = ever(scene(state, edition, self._context))
        png = cv2.imencode(".png", draw(state, edition, lit, place))[1]
        if png.tobytes() != self._newest:
            self._newest = png.tobytes()
            path = self._folder / f"{number:05}.png"
            with report_unwritable(path):
                path.write_bytes(self._newest)


def draw(
    state: GameState,
    edition: Edition,
    lit: dict[int, Rgb],
    place: LightPlace = LightPlace.UNDER,
) -> np.ndarray:
    """Draws the board from above, with refused pieces, pieces to lift, and lit squares; or a panel.

    Returns:
        (h, w, 3) uint8, blue green red.
    """
    position = state.position
    size = position.game.size
    image = np.full((size * _SQUARE_PX, size * _SQUARE_PX, 3), _BOARD, np.uint8)
    for colour, name in enumerate(edition if place is LightPlace.UNDER else ()):
        ink = PLASTICS[name].screen[::-1]
        refused = (one.squares for one in state.refused if one.colour == colour)
        to_lift = (one.squares for one in state.to_lift if one.colour == colour)
        for square in chain(squares_of(position.squares(colour)), *refused, *to_lift):
            _fill(image, square, size, ink, 1)
    for square, (red, green, blue) in lit.items():
        _fill(image, square, size, (blue, green, red), 6)
    for line in range(0, size * _SQUARE_PX, _SQUARE_PX):
        image[line, :] = image[:, line] = _LINE
    return image


def _fill(image: np.ndarray, square: int, size: int, ink: tuple[int, ...], inset: int) -> None:
    row, column = divmod(square, size)
    top, left = row * _SQUARE_PX + inset, column * _SQUARE_PX + inset
    side = _SQUARE_PX - 2 * inset
    image[top : top + side, left : left + side] = ink
