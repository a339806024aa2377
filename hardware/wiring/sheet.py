"""A drawing on which every connection of a table is drawn once."""

from collections.abc import Sequence
from typing import Final

from hardware.wiring.canvas import SMALL, Align, Canvas, Group, Point
from hardware.wiring.harness import Harness
from hardware.wiring.table_text import words_of

WIDTH: Final = 1000
"""Width of a drawing in pixels."""

HEIGHT: Final = 720
"""Height of a drawing in pixels."""

BARS: Final = {"X1 +": 640.0, "X1 −": 688.0}
"""Heights of the two clamps, in pixels from the top."""


class Sheet:
    """A drawing of a table.

    Args:
        harness: what to draw.
        title: title of the whole.

    Attributes:
        harness: what to draw.
        canvas: where to draw the parts.
    """

    def __init__(self, harness: Harness, title: str) -> None:
        self.harness: Final = harness
        self.canvas: Final = Canvas(WIDTH, HEIGHT, title)
        self._missing: Final = {(wire.start, wire.end): wire for wire in harness.connections}

    def wire(
        self,
        start: str,
        end: str,
        points: Sequence[Point],
        label: Point,
        align: Align = "left",
        signal: str = "",
    ) -> Group:
        """Draws one wire and its name, and returns its group.

        Args:
            start: where it begins, as in the table.
            end: where it ends.
            points: its way.
            label: place of its name.
            align: side of the name that is there.
            signal: a word after its name.
        """
        wire = self._missing.pop((start, end))
        group = self.canvas.group(wire.name, words_of(wire))
        group.wires([points], wire.colour)
        group.text(f"{wire.name} {signal}".strip(), label, SMALL, align)
        return group

    def thin_wires(
        self, start: str, end: str, lines: Sequence[Sequence[Point]], label: Point
    ) -> None:
        """Draws equal thin wires and their name, with their signal."""
        wire = self._missing.pop((start, end))
        group = self.canvas.group(wire.name, words_of(wire))
        group.wires(lines, wire.colour, 1.0)
        group.text(f"{wire.name} {wire.signal}", label)

    def text(self) -> str:
        """Returns the SVG.

        Raises:
            AssertionError: a connection of the table is not drawn.
        """
        assert not self._missing, f"not drawn: {list(self._missing)}"
        return self.canvas.text()
