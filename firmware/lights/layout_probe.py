"""Finds the layout of LEDs: lights a few of them in turn, and sees their squares by the camera.

Of all wirings of a chain under a board, each observed square excludes those with another square
above this LED. The next LED lit is the one that leaves the fewest wirings in the worst case, so
four or five LEDs identify a wiring; some more, spread over the chain, then check it for gaps.

Slow on purpose: never more than three changes a second, and each compared frame was exposed
wholly before or wholly after a change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import ChainCorner, ChainDirection
from firmware.drivers.interfaces import LedStrip
from firmware.lights.delay_probe import PROBE_LEVEL
from firmware.lights.flash_limiter import MOST, SECOND
from firmware.lights.led_exposure import LATCH_S, CameraDelay
from firmware.lights.led_layout import Layout, LedLayout
from vision.camera import Camera, Frame
from vision.detection.board_detector import locate
from vision.errors import BoardFailure, SourceError
from vision.setup.led_detection import lit_leds

LedProbe = Callable[[int], int | None]
"""Lights one LED and returns the lit square, in the markers' frame; None if none is visible."""

_CHECKED: Final = 12
"""LEDs lit to check a chain for gaps, spread evenly, the last one included."""

_MOST_LIT: Final = 30
"""LEDs lit to identify a wiring; after so many with too few visible the search gives up."""

_NONE: Final = -1
"""Square of an LED outside the board."""


@dataclass(frozen=True, slots=True)
class InferredLayout:
    """Result of the search.

    Attributes:
        wiring: the wiring; None if none fits the observations.
        seen: (LED, lit square or None) for each LED that was lit, in that order.
        dark: LEDs under the board that were not visible, in the order of the chain.
    """

    wiring: LedLayout | None
    seen: tuple[tuple[int, int | None], ...]
    dark: tuple[int, ...] = ()


def wirings(size: int, length: int) -> tuple[LedLayout, ...]:
    """All wirings of a chain under a board.

    Args:
        size: squares along a side of the board.
        length: number of LEDs.
    """
    panels = [
        (columns, length // columns)
        for columns in range(size, length // size + 1)
        if length % columns == 0
    ]
    return tuple(
        LedLayout(columns, rows, first, along, serpentine, left, top)
        for columns, rows in panels
        for first, along, serpentine in product(ChainCorner, ChainDirection, (True, False))
        for left in range(columns - size + 1)
        for top in range(rows - size + 1)
    )


def find(probe: LedProbe, size: int, length: int) -> InferredLayout:
    """Finds the wiring of a chain.

    Args:
        probe: lights an LED and returns the lit square.
        size: squares along a side of the board.
        length: number of LEDs of the chain.
    """
    candidates = wirings(size, length)
    layouts = np.array([_numbers(wiring.layout(size)) for wiring in candidates], np.int16)
    remaining = np.arange(len(candidates))
    observed: list[tuple[int, int | None]] = []
    while len(observed) < _MOST_LIT:
        led = _most_informative(layouts[remaining], [led for led, _ in observed])
        if led is None:
            break
        square = probe(led)
        observed.append((led, square))
        if square is not None:
            # An LED that is not visible may be broken and excludes no wiring.
            remaining = remaining[layouts[remaining, led] == square]
    if not len(remaining) or (layouts[remaining] != layouts[remaining[0]]).any():
        return InferredLayout(None, tuple(observed))
    # Wirings with the same layout are equivalent; the first one is the simplest.
    wiring, layout = candidates[remaining[0]], layouts[remaining[0]]
    checks = {round(n * (length - 1) / (_CHECKED - 1)) for n in range(_CHECKED)}
    observed += [(led, probe(led)) for led in sorted(checks - {led for led, _ in observed})]
    wrong = [led for led, square in observed if square is not None and layout[led] != square]
    dark = tuple(sorted(led for led, square in observed if square is None and layout[led] != _NONE))
    return InferredLayout(None if wrong else wiring, tuple(observed), dark)


def _numbers(layout: Layout) -> list[int]:
    return [_NONE if square is None else square for square in layout]


def _most_informative(layouts: NDArray[np.int16], known: Sequence[int]) -> int | None:
    """The LED that leaves the fewest layouts in the worst case; None if none excludes any."""
    if not len(layouts):
        return None
    remaining = np.array([np.bincount(column - _NONE).max() for column in layouts.T])
    # An LED that is not visible excludes none, so those that may be beside the board come last.
    remaining[(layouts == _NONE).any(axis=0)] += len(layouts)
    remaining[list(known)] = 2 * len(layouts)
    best = int(remaining.argmin())
    return best if remaining[best] < len(layouts) else None


_LONGEST_S: Final = 5.0
"""Seconds beyond the camera's delay in which a picture of the changed lights has to come."""


class LayoutProbe:
    """A chain of LEDs under a board in view of a camera.

    Args:
        strip: the chain; nothing else may write to it.
        camera: a camera above the board.
        size: squares along a side of the board.
        clock: returns seconds on the clock of the camera's exposures.
        pause: waits for a number of seconds.
        delay: delay of frames without exposure times.
        corners: (4, 2) corners of the board in pixels; None to find it by its markers.

    Raises:
        SourceError: the camera shows no board, or ends.
    """

    def __init__(
        self,
        strip: LedStrip,
        camera: Camera,
        size: int,
        clock: Callable[[], float],
        pause: Callable[[float], None],
        delay: CameraDelay | None = None,
        corners: NDArray[np.float64] | None = None,
    ) -> None:
        self._delay: Final = delay or CameraDelay()
        self._strip: Final = strip
        self._camera: Final = camera
        self._size: Final = size
        self._clock: Final = clock
        self._pause: Final = pause
        self._light(None)
        found = locate(self._frame().image, size, corners)
        if isinstance(found, BoardFailure):
            raise SourceError(found.reason)
        self._grid: Final = found.grid

    def find(self) -> InferredLayout:
        """Finds the wiring of the chain; its LEDs are dark afterwards."""
        return find(self._lit_square, self._size, self._strip.length)

    def _lit_square(self, led: int) -> int | None:
        dark = self._frame()
        self._light(led)
        lit = self._frame()
        self._light(None)
        return lit_leds(dark.image, lit.image, self._grid)

    def _light(self, led: int | None) -> None:
        """Lights one LED, or none, and waits to stay within the limit of changes."""
        pixels = bytearray(3 * self._strip.length)
        if led is not None:
            pixels[3 * led : 3 * led + 3] = bytes([PROBE_LEVEL] * 3)
        self._strip.write(bytes(pixels))
        self._changed_s = self._clock() + LATCH_S
        self._pause(SECOND / MOST)

    def _frame(self) -> Frame:
        """The first frame whose whole exposure is after the last change.

        Raises:
            SourceError: the camera gives none for some seconds, or ends.
        """
        late, dark_s = 0, self._changed_s + self._delay.seconds
        while self._clock() < dark_s + _LONGEST_S:
            frame = self._camera.read()
            if frame is None:
                raise SourceError("the camera has no more frames")
            if frame.exposure is not None:
                if frame.exposure[0] >= self._changed_s:
                    return frame
            elif late >= self._delay.frames and frame.time_s >= dark_s:
                return frame
            late += 1
        raise SourceError(
            "the camera gives no pictures that are newer than the change of the lights; "
            "see whether its picture stands still"
        )
