"""Parts in their places, in a drawing: what is new in a step, what was there before."""

from collections.abc import Collection, Iterable
from typing import Final

from hardware.drawings.drawing import DARK, NEW, PLAIN, Drawing
from hardware.drawings.solids import Solid
from hardware.drawings.things import METAL, WOOD
from hardware.parts.placement import Placed

_BOUGHT: Final = {"table": WOOD, "upright": METAL, "arm": METAL, "camera": DARK}
"""Colours of what is bought."""


def add_placed(
    drawing: Drawing,
    placed: Iterable[Placed],
    new: Collection[str] = (),
    hidden: Collection[str] = (),
) -> None:
    """Adds things in their places.

    Args:
        drawing: where to add them.
        placed: the things.
        new: names of those that the step adds.
        hidden: names of those to leave out.
    """
    for one in placed:
        if one.name not in hidden:
            colour = NEW if one.name in new else _BOUGHT.get(one.name, PLAIN)
            drawing.add(Solid(one.placed), colour)


def lying(placed: Placed) -> Solid:
    """Returns the shape of a thing around its own origin, standing on z = 0."""
    shape = Solid(placed.triangles)
    return shape.moved(z=-float(shape.triangles[..., 2].min()))
