"""A board without pictures: its readings are made from the pieces that lie on it.

A rendered frame and its reading take 0.1 s of a PC's core. Where many tables play at once, this
view takes their place; all that follows from a reading is as at any table.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Move
from firmware.rules.variants import Edition
from vision.camera import Frame
from vision.reading import Reading

_SIZE: Final = (320, 240)
"""Width and height of the frames in pixels; nobody reads them."""

_SURE: Final = 0.999
"""Probability of what lies on a square."""

_BRIGHTNESS: Final = 120.0
"""Brightness of every frame."""


class PlainBoard:
    """The pieces on a board.

    Args:
        size: squares along a side.
        edition: names of the colours, in the order of play.

    Attributes:
        has_hand: True while a hand is over the board.
    """

    def __init__(self, size: int, edition: Edition) -> None:
        self._size: Final = size
        self._edition: Final = edition
        self._content: Final = np.zeros(size * size, np.int64)
        self.has_hand = False

    @property
    def is_empty(self) -> bool:
        """True if no piece lies on the board."""
        return not self._content.any()

    def lay(self, colour: int, move: Move) -> None:
        """Lays a piece; `colour` is its index in the order of play."""
        self._content[list(move.squares)] = 1 + colour

    def lift(self, move: Move) -> None:
        """Takes a piece off the board."""
        self._content[list(move.squares)] = 0

    def clear(self) -> None:
        """Takes all pieces off the board."""
        self._content[:] = 0

    def reading(self) -> Reading:
        """Returns the reading of a frame."""
        squares, kinds = len(self._content), 1 + len(self._edition)
        rest = (1 - _SURE) / (kinds - 1)
        probabilities = np.full((squares, kinds), rest, np.float32)
        probabilities[np.arange(squares), self._content] = _SURE
        return Reading(
            self._size,
            _corners(),
            np.zeros((self._size + 1, self._size + 1, 2)),
            self._edition,
            probabilities,
            np.zeros(squares, np.bool_),
            hand=self.has_hand,
            brightness=_BRIGHTNESS,
            lightness=np.full(squares, 50.0, np.float32),
        )


class PlainReader:
    """Reads a plain board instead of a frame, see `vision.reader.Reader`.

    Args:
        board: the board.
    """

    def __init__(self, board: PlainBoard) -> None:
        self._board: Final = board

    def read(
        self,
        frame: Frame,  # noqa: ARG002 - there is nothing in it
        lit: NDArray[np.bool_] | None = None,  # noqa: ARG002 - there are no LEDs
    ) -> Reading:
        """Returns the reading of the present board."""
        return self._board.reading()

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Does nothing: the colours are known."""


class PlainCamera:
    """Grey frames with the times of a clock.

    Args:
        clock: returns seconds.
        after: number of the frame before the first.

    Attributes:
        number: number of the last frame.
    """

    def __init__(self, clock: Callable[[], float], after: int = 0) -> None:
        self._clock: Final = clock
        self._image: Final = np.full((_SIZE[1], _SIZE[0], 3), 90, np.uint8)
        self.number = after

    def read(self) -> Frame:
        """Returns the next frame."""
        self.number += 1
        return Frame(self._image, self._clock(), self.number)

    def close(self) -> None:
        """Does nothing."""


def _corners() -> NDArray[np.float64]:
    width, height = _SIZE
    left, top = (width - height) / 2 + 20, 20.0
    side = height - 40.0
    return np.array(
        [[left, top], [left + side, top], [left + side, top + side], [left, top + side]]
    )
