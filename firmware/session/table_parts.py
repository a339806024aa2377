"""The parts that every table has, as they are composed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.session.devices import TableFactory
from firmware.session.feed_server import FeedServer
from firmware.session.pairing import Pairing
from firmware.session.seats import SeatDesk
from firmware.storage.archive import ArchiveFolder
from firmware.storage.journal import Journal


@dataclass(frozen=True, slots=True)
class TableParts:
    """The parts that every table has; a room of the program makes its services from them.

    Attributes:
        folder: folder of the table's state.
        table_factory: opens the devices of a game.
        journal: storage of events.
        archive: storage of finished games.
        feed: server of pages and pictures, and source of commands.
        pairing: the paired phones, which may send commands.
        seats: the seats.
        stand_in: chooses the computer's moves while the player cannot; None if nobody does.
        is_simulated: True if people play by gestures on a screen. Its pictures are small, and may
            show hints and the number that pairs a phone. At a real table phones far away can see
            the pictures, but only people at the table may see the number.
        is_repeated: True if a recorded session is repeated: what people and the player did then
            are its inputs.
        everybody_sees_camera: True if everybody may see the pictures of the camera. They show
            people and their room, so at a real table they are for paired phones.
    """

    folder: Path
    table_factory: TableFactory
    journal: Journal
    archive: ArchiveFolder
    feed: FeedServer
    pairing: Pairing
    seats: SeatDesk
    stand_in: Callable[[Position], Move] | None = None
    is_simulated: bool = False
    is_repeated: bool = False
    everybody_sees_camera: bool = False
