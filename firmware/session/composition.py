"""All that a room of the program gets to make its services of a table."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.session.seat_desk import SeatDesk
from firmware.session.table_parts import TableParts


@dataclass(frozen=True, slots=True)
class Composition:
    """A table that is being composed.

    Attributes:
        parts: the parts that every table has.
        seats: its seats.
        folder: folder of the table's state.
        stand_in: chooses the computer's moves while the player cannot; None if nobody does.
        is_simulated: True if people play by gestures on a screen.
        is_repeated: True if a recorded session is repeated: what people and the player did then
            are its inputs.
    """

    parts: TableParts
    seats: SeatDesk
    folder: Path
    stand_in: Callable[[Position], Move] | None = None
    is_simulated: bool = False
    is_repeated: bool = False
