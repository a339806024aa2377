"""The services of a table, as they are composed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.player.engine_queue import PositionEngine
from firmware.publishing.feed_server import FeedServer
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.session.devices import TableFactory
from firmware.session.health_watch import HealthWatch
from firmware.session.invitation_watch import InvitationWatch
from firmware.session.pairing import Pairing
from firmware.session.play_desk import PlayDesk
from firmware.session.seat_desk import SeatDesk
from firmware.session.solvability import PuzzleSolver
from firmware.storage.archive import ArchiveFolder
from firmware.storage.camera_memory import CameraMemory
from firmware.storage.journal import Journal
from firmware.storage.measured_level import MeasuredLevel
from firmware.storage.session_inputs import SessionInputs
from firmware.storage.session_recorder import SessionRecorder
from firmware.storage.share_token import ShareToken


@dataclass(frozen=True, slots=True)
class TableServices:
    """The services of a table.

    Attributes:
        table_factory: opens the devices of a game.
        journal: storage of events.
        feed: server of pages and pictures, and source of commands.
        archive: storage of finished games, if they are stored as files.
        pairing: the paired phones, if any may send commands.
        shows_numbers: True if pictures may show the number that pairs a phone. At a real table
            phones far away can see the pictures, but only people at the table may see the number.
        everybody_sees_camera: True if everybody may see the pictures of the camera. They show
            people and their room, so at a real table they are for paired phones.
        picture_width: greatest width of published pictures in pixels; None for that of the frames.
        player: starts the player, if there may be one.
        stand_in: chooses the computer's moves while the player cannot, if anybody does.
        solver: starts the solver for hints of puzzles, if there may be one.
        cameras: the values that are kept for each camera.
        measured_level: the highest level of the player that was measured on this machine.
        play: gestures of players, if the table is simulated.
        seats: the seats of the table; None to make them.
        share: the token of the program that connects the table to a hall; None to join none.
        invitations: looks for the invitation of a hall under the camera, if the table may join.
        recorder: records frames, inputs and events, if they are recorded.
        inputs: inputs of a recorded session, which are repeated at their frames; then hints are
            those of the recording, and `player` and `solver` are None.
        health: looks at the computer that the table runs on, if anything does.
    """

    table_factory: TableFactory
    journal: Journal
    feed: FeedServer
    archive: ArchiveFolder | None = None
    pairing: Pairing | None = None
    shows_numbers: bool = False
    everybody_sees_camera: bool = False
    picture_width: int | None = None
    player: Callable[[], PositionEngine] | None = None
    stand_in: Callable[[Position], Move | None] | None = None
    solver: Callable[[], PuzzleSolver] | None = None
    cameras: CameraMemory = field(default_factory=lambda: CameraMemory(None))
    measured_level: MeasuredLevel = field(default_factory=MeasuredLevel)
    play: PlayDesk | None = None
    seats: SeatDesk | None = None
    share: ShareToken | None = None
    invitations: InvitationWatch | None = None
    recorder: SessionRecorder | None = None
    inputs: SessionInputs | None = None
    health: HealthWatch | None = None
