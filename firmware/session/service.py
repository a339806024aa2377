"""The interface by which everything optional takes part at a table.

The composition root registers the services, and the loop names none of them. A service learns what
goes on by the methods below, and what it brings about enters the table by one door,
`TableView.enter`, in the form in which a recording lists it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from firmware.codes import PlayerFailure
from firmware.game.events import Event
from firmware.session.devices import TableDevices
from firmware.session.game_session import GameSession
from firmware.storage.page_builder import PuzzleProgress
from firmware.storage.session_inputs import SessionInput
from vision.camera import Frame
from web.contract import (
    Command,
    MachineStatus,
    OpponentState,
    RefusalReason,
    Reply,
    Request,
    SetupEntry,
)


class TableView(Protocol):
    """A table, as its services see it."""

    @property
    def session(self) -> GameSession:
        """The game on the table."""
        ...

    @property
    def devices(self) -> TableDevices:
        """The devices of the game."""
        ...

    @property
    def game_name(self) -> str:
        """Name of the folder of the game's files."""
        ...

    @property
    def status(self) -> "ServiceStatus":
        """All that the services added to screens and lights when they were shown last."""
        ...

    @property
    def is_by_board(self) -> bool:
        """True if the board in view decides what is played."""
        ...

    @property
    def is_repeated(self) -> bool:
        """True while a recorded session is repeated: all that people did is an input of it."""
        ...

    @property
    def is_busy(self) -> bool:
        """True while frames are for a measurement, and none is refereed."""
        ...

    @property
    def now(self) -> float:
        """Seconds of a monotonic clock when the loop began its turn."""
        ...

    @property
    def past(self) -> Sequence[Event]:
        """Events of the game before this run of the program."""
        ...

    def enter(self, one: SessionInput) -> RefusalReason | None:
        """Does what an input says, records and shows what follows.

        Returns:
            The reason if a command cannot be executed, else None.
        """
        ...


@dataclass(slots=True)
class ServiceStatus:
    """All that services add to screens and lights.

    Attributes:
        machine: status of the computer.
        recording: False if the session should be recorded and is not.
        hint_thinking: True while a person waits for a hint.
        hint_failure: reason that the last request gave no hint; else None.
        places: piece of the colour to move that somebody has chosen, and masks of the squares that
            it can cover and of those at which it starts; an empty name without one.
        setup: the set-up of the table.
        puzzle: time and solvability of a puzzle; None in a game.
        opponent: the computer that plays seats of a simulated table, once somebody asks it to.
        can_switch_off: True if the machine can be switched off.
        is_switching_off: True once somebody has asked for that.
    """

    machine: MachineStatus = field(default_factory=MachineStatus)
    recording: bool = True
    hint_thinking: bool = False
    hint_failure: PlayerFailure | None = None
    places: tuple[str, int, int] = ("", 0, 0)
    setup: SetupEntry = field(default_factory=SetupEntry)
    puzzle: PuzzleProgress | None = None
    opponent: OpponentState = OpponentState.SIMPLE
    can_switch_off: bool = False
    is_switching_off: bool = False


class TableService:
    """A part of a table that may be missing; each method may be left as it is.

    Attributes:
        requests: classes of the requests that it answers.
        table: the table; it is set before the first call.
    """

    requests: ClassVar[tuple[type[Request], ...]] = ()
    table: TableView

    @property
    def is_busy(self) -> bool:
        """True while frames are for a measurement of this service, and none is refereed."""
        return False

    def begin(self) -> None:
        """A game begins, or one of the journal goes on."""

    def next_game(self) -> None:
        """The game that has begun is the next one of the same people: another of them begins."""

    def poll(self) -> None:
        """The loop turns; must return at once."""

    def answer(self, request: Request) -> Reply:
        """Answers one of the requests that `requests` names."""
        raise NotImplementedError

    def executes(self, command: Command) -> bool:  # noqa: ARG002 - for those that do
        """True if this service executes a command, which was admitted."""
        return False

    def execute(self, command: Command) -> RefusalReason | None:
        """Executes a command; returns the reason if it cannot.

        Raises:
            CornerlightError, RulesError: the command does not fit.
            ValueError: it is not possible now.
        """
        raise NotImplementedError

    def take(self, one: SessionInput) -> None:
        """The table takes an input, which is done after the newest frame and before the next."""

    def before(self, frame: Frame | None) -> None:
        """A frame is taken, of which nothing has followed yet; None after the last one."""

    def judged(self, frame: Frame) -> None:
        """A frame was read, and is judged next; it lists the squares that glow in it."""

    def see(self, frame: Frame) -> None:
        """A frame was judged, or left out; it must not be changed afterwards."""

    def happened(self, events: Sequence[Event]) -> None:
        """Events were recorded, and are shown next."""

    def show(self, status: ServiceStatus) -> None:
        """Adds to what screens and lights show."""

    def takes_lights(self) -> bool:
        """Lights the LEDs, if it needs them for itself; True if nothing else may light them."""
        return False

    def holds_next_game(self) -> bool:
        """True if no other game follows a finished one by itself."""
        return False

    def close(self) -> None:
        """Ends the service; the game can be resumed."""
