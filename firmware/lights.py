"""From glowing squares to the bytes of an LED strip: order, brightness, power.

The strip runs through the board in some order, a layout. What should look half as bright needs
far less than half the current, so levels go through a gamma of 2.2. Last comes the power limit:
an LED draws up to 20 mA a colour channel (WS2812B data sheet, page 4) and about 1 mA dark, and a
frame that would draw more than the supply gives is dimmed as a whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from firmware.devices import Strip
from firmware.scene import Ink, Scene, at

Layout = tuple[int, ...]
"""The square above each LED, in the order of the strip."""

GAMMA: Final = 2.2
_GAMMA_TABLE: Final = tuple(round(255 * (level / 255) ** GAMMA) for level in range(256))

MILLIAMPS_A_CHANNEL: Final = 20.0
MILLIAMPS_DARK: Final = 1.0


def serpentine(size: int) -> Layout:
    """A strip that runs to and fro along the rows, from the top left."""
    rows = [range(row * size, (row + 1) * size) for row in range(size)]
    return tuple(s for n, row in enumerate(rows) for s in (reversed(row) if n % 2 else row))


@dataclass(frozen=True, slots=True)
class Lights:
    """A strip under a board.

    Attributes:
        strip: where the bytes go.
        layout: the square above each LED.
        limit_ma: current that the supply gives the strip, in milliamperes.
        brightness: of everything, 0 to 1.
    """

    strip: Strip
    layout: Layout
    limit_ma: float = 2500.0
    brightness: float = 0.6

    def show(self, scene: Scene, now: float) -> frozenset[int]:
        """Shows a scene as it looks at a moment.

        Returns:
            The squares that are lit now.
        """
        inks = at(scene, now)
        dark: Ink = (0, 0, 0)
        levels = [inks.get(square, dark) for square in self.layout]
        shown = limited(corrected(levels, self.brightness), self.limit_ma)
        self.strip.write(shown)
        return frozenset(
            square for led, square in enumerate(self.layout) if any(shown[3 * led : 3 * led + 3])
        )


def corrected(inks: Sequence[Ink], brightness: float) -> bytes:
    """Levels as an LED needs them to look like the inks, three bytes an LED."""
    return bytes(_GAMMA_TABLE[round(level * brightness)] for ink in inks for level in ink)


def milliamps(levels: bytes) -> float:
    """The current of a strip that shows these levels."""
    return sum(levels) / 255 * MILLIAMPS_A_CHANNEL + len(levels) / 3 * MILLIAMPS_DARK


def limited(levels: bytes, limit_ma: float) -> bytes:
    """The levels, dimmed together as far as the supply demands."""
    dark = len(levels) / 3 * MILLIAMPS_DARK
    lit = milliamps(levels) - dark
    if lit + dark <= limit_ma:
        return levels
    share = max(0.0, limit_ma - dark) / lit
    return bytes(int(level * share) for level in levels)
