"""The parts that every table has, as they are composed."""

from dataclasses import dataclass

from firmware.publishing.feed_server import FeedServer
from firmware.session.devices import TableFactory
from firmware.session.pairing import Pairing
from firmware.storage.archive import ArchiveFolder
from firmware.storage.journal import Journal


@dataclass(frozen=True, slots=True)
class TableParts:
    """The parts that every table has.

    Attributes:
        table_factory: opens the devices of a game.
        journal: storage of events.
        feed: server of pages and pictures, and source of commands.
        archive: storage of finished games, if they are stored as files.
        pairing: the paired phones, if any may send commands.
        shows_numbers: True if pictures may show hints and the number that pairs a phone. At a
            real table phones far away can see the pictures, but only people at the table may see
            the number.
        everybody_sees_camera: True if everybody may see the pictures of the camera. They show
            people and their room, so at a real table they are for paired phones.
        picture_width: greatest width of published pictures in pixels; None for that of the frames.
    """

    table_factory: TableFactory
    journal: Journal
    feed: FeedServer
    archive: ArchiveFolder | None = None
    pairing: Pairing | None = None
    shows_numbers: bool = False
    everybody_sees_camera: bool = False
    picture_width: int | None = None
