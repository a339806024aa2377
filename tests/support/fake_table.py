"""A whole table with a simulated reader; all other parts are real."""

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import numpy as np

from firmware.assembly.services import services_of_rooms
from firmware.codes import LightPlace
from firmware.drivers.interfaces import DeviceError
from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.lights.led_display import LedDisplay
from firmware.lights.led_layout import LedLayout
from firmware.referee.referee import RefereeSettings
from firmware.rules.variants import default_edition
from firmware.session.controller import Controller
from firmware.session.devices import FaultTolerantButtons, TableDevices
from firmware.session.feed_server import FeedServer, IncomingRequest, Published
from firmware.session.machine_services import HealthWatch
from firmware.session.pairing import Pairing
from firmware.session.seats import SeatDesk
from firmware.session.service import TableService
from firmware.session.table_parts import TableParts
from firmware.session.table_setup import TableSetup
from firmware.session.tracker import GameTracker
from firmware.simulator.buttons import SimulatedButtons
from firmware.storage.archive import ArchiveFolder
from firmware.storage.camera_memory import CameraMemory, Corners
from firmware.storage.journal import Journal
from tests.support.noisy_board import NoisyBoard as Board
from vision.camera import Frame
from vision.errors import BoardFailure
from vision.reader import Reader
from vision.reading import Reading
from web.contract import (
    ClubTable,
    Command,
    CommandRequest,
    Heartbeat,
    LivePicture,
    Page,
    PairedPhones,
    RefusalReason,
    Reply,
    Request,
    SimulatedTable,
)

if TYPE_CHECKING:
    from firmware.player.client import EngineClient
    from firmware.player.solver_client import SolverClient
    from firmware.storage.stored_game import StoredGame

STEP_S = 0.5
SQUARES = 14 * 14
LIMITS = {"game_bytes": 1_500_000, "all_bytes": 100_000_000}


class FakeReader(Reader):
    """A reader that returns the truth; `hand` and `lost` simulate a hand and a lost board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hand = False
        self.lost: BoardFailure | None = None
        self.may_read = threading.Event()
        self.may_read.set()
        self.error: Exception | None = None

    def read(self, frame: Frame, lit: np.ndarray | None = None) -> Reading | BoardFailure:
        self.may_read.wait()
        if self.error:
            raise self.error
        self.board.covered = set() if lit is None else set(np.flatnonzero(lit).tolist())
        return self.lost or self.board.reading(hand=self.hand)


class FakeCamera:
    """A camera with grey frames, one each half second."""

    def __init__(self) -> None:
        self.image = np.full((960, 1280, 3), 90, np.uint8)
        self.now = 0.0
        self.number = 0

    def read(self) -> Frame:
        self.number += 1
        self.now += STEP_S
        return Frame(self.image, self.now, self.number)

    def close(self) -> None:
        pass


class FakeLedStrip:
    """A strip that records every frame; it raises `broken` instead, if that is set."""

    length = SQUARES

    def __init__(self, place: LightPlace = LightPlace.UNDER) -> None:
        self.place = place
        self.broken = ""
        self.frames: list[bytes] = []

    @property
    def on(self) -> frozenset[int]:
        """Returns the lit LEDs."""
        return lit_in(self.frames[-1])

    def write(self, pixels: bytes) -> None:
        if self.broken:
            raise DeviceError(self.broken)
        self.frames.append(pixels)

    def close(self) -> None:
        pass


def lit_in(pixels: bytes) -> frozenset[int]:
    """Returns the LEDs that a frame lights."""
    return frozenset(led for led in range(SQUARES) if any(pixels[3 * led : 3 * led + 3]))


class FakeTableFactory:
    """Factory of the devices of a fake table.

    Args:
        bulbs: LEDs under the squares, row by row; None for a table without.

    Attributes:
        clears_board: True if a game begins on an empty board, as at the simulated table.
        is_live: True if frames are dropped while one is read.
    """

    def __init__(self, bulbs: FakeLedStrip | None = None) -> None:
        self.bulbs = bulbs
        self.clears_board = False
        self.is_live = False
        self.lights: LedDisplay | None = None
        self.camera = FakeCamera()
        self.board = Board()
        self.eyes = FakeReader(self.board)
        self.buttons: SimulatedButtons | None = None
        self.corners: list[Corners | None] = []

    def open(self, terms: GameConfig, state: GameState) -> TableDevices:
        if self.bulbs is not None:
            wiring, place = LedLayout(14, 14, serpentine=False), self.bulbs.place
            self.lights = LedDisplay(self.bulbs, wiring, 14, lambda: self.camera.now, place=place)
        self.board = Board(terms.game.size, terms.edition or default_edition(terms.game))
        self.eyes = FakeReader(self.board)
        for colour, move in state.lying:
            self.board.lay((state.edition or self.board.palette)[colour], move)
        return self._set(terms, state)

    def look_again(
        self, terms: GameConfig, state: GameState, corners: Corners | None = None
    ) -> TableDevices:
        self.corners.append(corners)
        return self._set(terms, state)

    def _set(self, terms: GameConfig, state: GameState) -> TableDevices:
        edition = self.board.palette
        rules = RefereeSettings(takeback=terms.takeback, turn_end=terms.turn_end)
        first = terms.first or terms.begins or edition[0]
        state = replace(state, computer=state.computer or terms.computer)
        follower = GameTracker(self.eyes, state, edition, first=first, turned=0, settings=rules)
        self.buttons = SimulatedButtons(terms.game.people)
        return TableDevices(
            self.camera,
            follower,
            self.lights,
            FaultTolerantButtons(self.buttons),
            place=LightPlace.UNDER if self.bulbs is None else self.bulbs.place,
            clears_board=self.clears_board,
            is_live=lambda: self.is_live,
        )


class RecordingFeed(FeedServer):
    """The table's side of the feed, which records all messages."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.pages: list[Page] = []
        self.pictures: list[LivePicture] = []
        self.phones: list[PairedPhones] = []
        self.tables: list[SimulatedTable] = []
        self.clubs: list[ClubTable] = []
        self.waiting: list[IncomingRequest] = []
        self.answers: list[Reply] = []

    def publish(self, message: Published) -> None:
        match message:
            case Page():
                message.check()
                self.pages.append(message)
            case LivePicture():
                self.pictures.append(message)
            case PairedPhones():
                self.phones.append(message)
            case SimulatedTable():
                self.tables.append(message)
            case ClubTable():
                self.clubs.append(message)
            case Heartbeat():
                super().publish(message)

    def take_requests(self) -> list[IncomingRequest]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def answer(self, who: int, answer: Reply) -> None:
        self.answers.append(answer)


def pages_into(pages: list[Page]) -> Callable[[Published], None]:
    """Returns a function that keeps the pages among published messages."""

    def publish(message: Published) -> None:
        if isinstance(message, Page):
            pages.append(message)

    return publish


class FakeTable:
    """A table in a folder, with its people; `sys` in the folder stands in for `/sys`, if it is.

    Attributes:
        services: services besides the usual ones; a subclass has its own.
    """

    services: Sequence[TableService] = ()

    def __init__(
        self,
        folder: Path,
        game: GameConfig | None = None,
        wire: Callable[[Path], RecordingFeed] = RecordingFeed,
        bulbs: FakeLedStrip | None = None,
        player: Callable[[], "EngineClient"] | None = None,
        *,
        goes_on: bool = False,
        solver: Callable[[], "SolverClient"] | None = None,
    ) -> None:
        self.folder: Final = folder
        self.table_factory = FakeTableFactory(bulbs)
        self.feed = wire(folder / "feed.sock")
        self.archive = ArchiveFolder(folder / "games", **LIMITS)
        self.journal = Journal(folder / "journal.jsonl", numbers_from=self.archive.newest)
        self.pairing = Pairing(folder / "paired.json")
        self.cameras = CameraMemory(None)
        self.events: list[Event] = []
        takes_up = game is None or goes_on
        stored: StoredGame | None = self.journal.resume() if takes_up else None
        seats = SeatDesk(self.pairing, self.feed)
        parts = TableParts(
            folder,
            self.table_factory,
            self.journal,
            self.archive,
            self.feed,
            self.pairing,
            seats,
        )
        composed: list[TableService] = [
            HealthWatch(folder / "sys"),
            seats,
            TableSetup(self.cameras),
            *services_of_rooms(parts, player={"player": player, "solver": solver}),
            *self.services,
        ]
        start = stored or game
        assert start is not None, "there is no game to take up"
        self.controller = Controller(parts, composed, start, self.events.append, 100)
        self.token = self.pairing.verify_code(self.pairing.issue_code(0.0), 0.0)
        assert self.token
        self.wall_s = itertools.count()
        self.look()

    @property
    def state(self) -> GameState:
        return self.controller.session.state

    @property
    def page(self) -> Page:
        return self.feed.pages[-1]

    def look(self, frames: int = 3) -> list[Event]:
        """Reads some frames; returns their events."""
        before = len(self.events)
        for _ in range(frames):
            self.controller.step(float(next(self.wall_s)))
        return self.events[before:]

    def reach(self, frames: int = 1) -> None:
        """Reads frames with a hand over the board."""
        self.table_factory.eyes.hand = True
        self.look(frames)
        self.table_factory.eyes.hand = False

    def lay(self, colour: str, squares: str) -> list[Event]:
        """Lays a piece by a hand, and reads frames."""
        self.reach()
        self.table_factory.board.lay(colour, squares)
        return self.look()

    def lift(self, squares: str) -> list[Event]:
        self.reach()
        self.table_factory.board.lift(squares)
        return self.look()

    @property
    def club(self) -> ClubTable:
        return self.feed.clubs[-1]

    def asks(self, *requests: Command | Request) -> list[RefusalReason | None]:
        """Sends requests at the same time; returns the reason of each refusal, or None."""
        messages = [one if isinstance(one, Request) else self.command(one) for one in requests]
        self.feed.answers.clear()
        self.feed.waiting = [IncomingRequest(1, message) for message in messages]
        self.look(1)
        assert [answer.id for answer in self.feed.answers] == [one.id for one in messages]
        return [answer.refused for answer in self.feed.answers]

    def command(self, command: Command, **other: object) -> CommandRequest:
        """Returns the request of a paired phone with the newest revision."""
        made = CommandRequest(uuid4().hex, self.page.revision, self.token, command)
        return replace(made, **other)  # type: ignore[arg-type]

    def close(self) -> None:
        self.controller.close()
        self.archive.close()
        self.journal.close()
        FeedServer.close(self.feed)


@contextmanager
def house(
    folder: Path,
    game: GameConfig | None = None,
    bulbs: FakeLedStrip | None = None,
    player: Callable[[], "EngineClient"] | None = None,
    solver: Callable[[], "SolverClient"] | None = None,
) -> Iterator[FakeTable]:
    """Yields a table that is closed at the end."""
    made = FakeTable(folder, game, bulbs=bulbs, player=player, solver=solver)
    try:
        yield made
    finally:
        made.close()
