"""Parts in their places, in a drawing: what is new in a step, what was there before."""

from collections.abc import Collection, Iterable
from typing import Final

from hardware.drawings.drawing import DARK, NEW, PLAIN, Drawing
from hardware.drawings.solids import Solid
from hardware.drawings.things import BLACK, METAL, ORANGE, PURPLE, WHITE, WOOD
from hardware.parts.placement import Placed

_COLOURS: Final = {
    "table": WOOD,
    "base": WOOD,
    "upright": METAL,
    "arm": METAL,
    "camera": DARK,
    "computer": DARK,
    "opal": WHITE,
    "panel": BLACK,
    "panel-": PLAIN,
    "panel-opal": WHITE,
    "light-grid": METAL,
}
"""Colours of things by the beginning of their names; the longest that fits counts."""

_BUTTONS: Final = (PURPLE, ORANGE)
"""Colours of buttons, from left to right."""


def add_placed(
    drawing: Drawing,
    placed: Iterable[Placed],
    new: Collection[str] = (),
    left_out: Collection[str] = (),
) -> None:
    """Adds things in their places.

    Args:
        drawing: where to add them.
        placed: the things.
        new: beginnings of the names of those that the step adds.
        left_out: beginnings of the names of those to leave out.
    """
    buttons = iter(_BUTTONS)
    for one in placed:
        if _begins(one.name, left_out):
            continue
        colour = next(buttons, PLAIN) if one.name == "button" else colour_of(one.name)
        is_new = one.name != "button" and _begins(one.name, new)
        drawing.add(Solid(one.placed), NEW if is_new else colour)


def lying(placed: Placed) -> Solid:
    """Returns the shape of a thing around its own origin, standing on z = 0."""
    shape = Solid(placed.triangles)
    return shape.moved(z=-float(shape.triangles[..., 2].min()))


def colour_of(name: str) -> str:
    """Returns the colour of a thing that is not new."""
    fitting = [known for known in _COLOURS if name.startswith(known)]
    return _COLOURS[max(fitting, key=len)] if fitting else PLAIN


def _begins(name: str, beginnings: Collection[str]) -> bool:
    return any(name.startswith(beginning) for beginning in beginnings)
