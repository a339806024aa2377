"""Things and accidents with which players try the referee of a simulated table."""

from dataclasses import replace
from itertools import cycle
from typing import Final

from firmware.simulator.table import CELL_MM, Hand, Lighting, VirtualTable
from web.contract import Prop

_STAYING: Final = (Prop.CUP, Prop.DIM, Prop.LAMP, Prop.GLARE, Prop.HAND)
"""Props that stay until they are removed; the others happen once."""

_DIMMED: Final = 0.4
"""Brightness of the dimmed lamp as a share of the usual one."""

_OTHER_LAMP: Final = (250.0, 42.0, 3000.0)
"""Azimuth and elevation in degrees and colour temperature in kelvin of the moved lamp."""

_CAMERA_BUMP: Final = (6.0, -4.0, 1.4)
"""Millimetres and degrees by which the camera is bumped."""

_BOARD_BUMP: Final = (7.0, 5.0, 2.0)
"""Millimetres and degrees by which the board is bumped."""

_NUDGE: Final = (0.9 * CELL_MM, 0.1 * CELL_MM, 5.0)
"""Millimetres and degrees by which a piece is pushed aside: so far that it plainly lies on other
squares, which the referee guided back in 4 of 4 games; half a square was a doubt in 2 of 4."""

_ONE_WAY_AND_BACK: Final = (1, -1)
"""Signs of bumps in turn, so that the board stays in view."""


class Props:
    """The props of a table.

    Args:
        table: the table.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table: Final = table
        self._usual: Final = table.scene.lamp
        self._used: set[Prop] = set()
        self._hand: Hand | None = None
        self._signs: Final = {prop: cycle(_ONE_WAY_AND_BACK) for prop in (Prop.CAMERA, Prop.BOARD)}

    @property
    def active(self) -> tuple[Prop, ...]:
        """The props that stay and are there."""
        return tuple(prop for prop in _STAYING if prop in self._used)

    def use(self, prop: Prop, *, on: bool = True) -> None:
        """Uses a prop, or removes one that stays."""
        if prop in _STAYING:
            (self._used.add if on else self._used.discard)(prop)
        elif not on:
            return
        match prop:
            case Prop.CUP:
                self._table.put_cup(self._middle() if on else None)
            case Prop.DIM | Prop.LAMP | Prop.GLARE:
                self._table.switch_lamp(self._lamp())
            case Prop.HAND:
                self.leave_hand()
            case Prop.CAMERA:
                self._table.bump_camera(*self._signed(prop, _CAMERA_BUMP))
            case Prop.BOARD:
                self._table.bump_board(*self._signed(prop, _BOARD_BUMP))
            case Prop.NUDGE:
                self._nudge()

    def leave_hand(self) -> None:
        """Leaves a hand over the board while that prop is used and no other hand is there."""
        scene, left = self._table.scene, Prop.HAND in self._used
        if left and scene.hand is None:
            self._hand = Hand(*self._middle(), seat=0)
            self._table.move_hand(self._hand)
        elif not left and self._hand is not None:
            if scene.hand is self._hand:
                self._table.move_hand(None)
            self._hand = None

    def take_hand(self) -> None:
        """Removes a hand that was left over the board, as its owner needs it."""
        if Prop.HAND in self._used:
            self.use(Prop.HAND, on=False)

    def _lamp(self) -> Lighting:
        lamp = self._usual
        if Prop.LAMP in self._used:
            azimuth_deg, elevation_deg, kelvin = _OTHER_LAMP
            lamp = replace(
                lamp, azimuth_deg=azimuth_deg, elevation_deg=elevation_deg, kelvin=kelvin
            )
        if Prop.DIM in self._used:
            lamp = replace(lamp, brightness=_DIMMED * lamp.brightness)
        return replace(lamp, glare=Prop.GLARE in self._used)

    def _middle(self) -> tuple[float, float]:
        """A place for things on the board, a little to the lower right of its middle."""
        away = 0.18 * self._table.scene.game.size * CELL_MM
        return away, -away

    def _signed(self, prop: Prop, bump: tuple[float, float, float]) -> tuple[float, ...]:
        sign = next(self._signs[prop])
        return tuple(sign * value for value in bump)

    def _nudge(self) -> None:
        """Pushes a piece towards the middle of the board, and back from there.

        It is the one before the newest, as the newest may be laid otherwise until the next move.
        """
        pieces = self._table.scene.pieces[-2:]
        if not pieces:
            return
        nudged = pieces[0]
        places = (*nudged.middle_mm, nudged.angle_deg)
        dx_mm, dy_mm, turn_deg = (
            -push if place > 0 else push for place, push in zip(places, _NUDGE, strict=True)
        )
        pushed = replace(
            nudged,
            dx_mm=nudged.dx_mm + dx_mm,
            dy_mm=nudged.dy_mm + dy_mm,
            angle_deg=nudged.angle_deg + turn_deg,
        )
        self._table.shift(nudged.colour, nudged.move.piece, pushed)
