"""The loop of a table: takes one frame and does everything that follows from it.

Owns all mutable state. The order for one move is: frame, reading, decision, journal, then lights
and page. An event is shown only after it was recorded, unless the disk refuses; then it is shown
with a warning that it is not saved. Requests of people are handled between two frames, in the same
order.
"""

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from firmware.drivers.interfaces import ButtonPress, DeviceError
from firmware.errors import CornerlightError
from firmware.game.clock import GameClock
from firmware.game.config import GameConfig
from firmware.game.events import ArbiterCalled, Event
from firmware.game.hints import is_settled
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.rules.errors import RulesError
from firmware.rules.position import Position
from firmware.session.background_job import BackgroundJob
from firmware.session.command_gate import CommandGate, allowed_commands, config_from, hint_refusal
from firmware.session.feed_server import KEEP_ALIVE_S
from firmware.session.frame_reading import (
    PATIENCE_S,
    FrameClock,
    FrameReading,
    PendingFrame,
)
from firmware.session.game_session import GameSession
from firmware.session.game_storage import GameStorage
from firmware.session.games_by_board import GamesByBoard
from firmware.session.outputs import TableOutputs, can_show_digits, lit_in
from firmware.session.recording import begun_game
from firmware.session.service import ServiceStatus, TableService
from firmware.session.table_parts import TableParts
from firmware.storage.camera_memory import Corners
from firmware.storage.session_inputs import (
    BegunGame,
    ChosenMove,
    FoundHint,
    LookAgain,
    SessionInput,
)
from firmware.storage.stored_game import StoredGame
from vision.camera import Frame, NoCamera
from web.contract import (
    BeginAnew,
    Calibrate,
    CancelHint,
    Command,
    CommandName,
    CommandRequest,
    EndTurn,
    Forget,
    Hint,
    NewGame,
    PairedPhones,
    PairRequest,
    RefusalReason,
    Rematch,
    Reply,
    Request,
    Resume,
    SwitchOff,
    Unpair,
)

if TYPE_CHECKING:
    from firmware.session.devices import TableDevices

_PHONES_S: Final = 1.0
"""Seconds between two checks for numbers drawn, or phones forgotten, by another process."""

_SEEDS: Final = 1 << 31
"""Number of seeds of the computer's choices."""

_log = logging.getLogger(__name__)


class Controller:
    """Runs a table.

    Args:
        parts: what every table has.
        services: what this one has besides; each is asked in this order, and closed with the table.
        game: the settings of a game that begins, or a stored game to resume.
        on_event: function that gets each event after it was recorded and shown.
        revision: revision before the first page. A random one distinguishes the pages of this
            run from those of the run before.
        by_board: games by the board in view, if it decides what is played; None if that is fixed.

    Attributes:
        is_repeated: True while a recorded session is repeated.
        devices: the devices of the present game.
        session: the game on the table.
        frames: number of frames since the table was started.
        now: time in seconds of the present `step`.
        past: events of the game before this run of the program.
        status: all that the services added to screens and lights when they were shown last.
    """

    def __init__(
        self,
        parts: TableParts,
        services: Sequence[TableService],
        game: GameConfig | StoredGame,
        on_event: Callable[[Event], None] | None = None,
        revision: int = 0,
        by_board: GamesByBoard | None = None,
    ) -> None:
        self._parts: Final = parts
        self._services: Final = tuple(services)
        hooks = (name for name in vars(TableService) if not name.startswith("_"))
        self._defining: Final = {hook: _defining(services, hook) for hook in hooks}
        self._answering: Final = {
            kind: service for service in reversed(self._services) for kind in service.requests
        }
        self.is_repeated: Final = parts.is_repeated
        self._by_board = by_board
        self._impossible: GameConfig | None = None
        self._on_event: Final = on_event or (lambda _: None)
        for service in self._services:
            service.table = self
        self._gate: Final = CommandGate(parts.pairing)
        self._outputs: Final = TableOutputs(parts, revision)
        self._phones: PairedPhones | None = None
        self._phones_at = float("-inf")
        self.frames = 0
        self._worker: Final = BackgroundJob[FrameReading]("reader", raises=True)
        self._on_reading: Callable[[FrameReading], None] | None = None
        self._startup_events: list[Event] = []
        self.now = 0.0
        self.past: Sequence[Event] = ()
        self.status = ServiceStatus()
        self.devices: TableDevices
        self.session: GameSession
        self._storage: Final = GameStorage(parts.journal, parts.archive)
        if isinstance(game, StoredGame):
            self._resume(game)
        else:
            self._begin(game)
        self.session.is_open = by_board is not None and not self.session.state.piece_count
        self._storage.file_older()
        self._present((), with_lights=False)

    @property
    def game_name(self) -> str:
        """Name of the folder of the game's files."""
        return self._storage.name

    @property
    def is_by_board(self) -> bool:
        """True if the board in view decides what is played."""
        return self._by_board is not None

    @property
    def is_busy(self) -> bool:
        """True while frames are for a measurement, and none is refereed."""
        return any(service.is_busy for service in self._defining["is_busy"])

    def step(self, now: float) -> bool:
        """Takes the newest frame, if there is one, and does everything that follows.

        Args:
            now: time in seconds, for outputs; a simulated camera's clock may run faster.

        Returns:
            False when the camera has no more frames.
        """
        self.now = now
        self._parts.feed.turned()
        for event in self._startup_events:
            self._on_event(event)
        self._startup_events = []
        self._hear()
        for service in self._defining["poll"]:
            service.poll()
        if self._on_reading is not None:
            self._finish_reading()
            return True
        frame = self.devices.camera.read()
        if frame is None or isinstance(frame, Frame):
            for service in self._defining["before"]:
                service.before(frame)
        if frame is None:
            return False
        if isinstance(frame, Frame):
            self._take(frame)
            self._finish_reading()
        elif isinstance(frame, NoCamera):
            self.enter(frame)
        else:
            self._present(())
        return True

    def _hear(self) -> None:
        """Takes what people ask for by phones and buttons."""
        if self.now - self._phones_at >= _PHONES_S:
            self._publish_phones()
        for request in self._parts.feed.take_requests():
            answer = self._answer(request.message)
            self._publish_phones()  # first, so that the page knows the phone that it answers
            self._parts.feed.answer(request.who, answer)
        buttons = self.devices.buttons
        for press in () if buttons is None else buttons.pressed(self.now):
            self.enter(press)

    # Frames

    def _finish_reading(self) -> None:
        """Goes on with the frame that is read, as far as its work is done."""
        while self._on_reading is not None:
            is_live = self.devices.is_live()
            if self._worker.wait(PATIENCE_S if is_live else KEEP_ALIVE_S):
                afterwards, self._on_reading = self._on_reading, None
                afterwards(self._worker.take())
            elif is_live:
                self._present(())
                return
            else:
                self._parts.feed.turned()

    def _take(self, frame: Frame) -> None:
        """Begins with a new frame: finds the board, if its size is not known."""
        self.frames += 1
        back = self._camera_back() if self.session.camera_fault is not None else []
        if self.is_busy:
            self._leave_out(frame, back)
        elif self._by_board is not None and self._by_board.looks(self.session, self.session.phase):
            self._worker.start(partial(self._by_board.look, frame))
            self._on_reading = lambda _: self._read(frame, back)
        else:
            self._read(frame, back)

    def _read(self, frame: Frame, back: list[Event]) -> None:
        """Begins the game of the board in view, unless one goes on; has the frame read for it."""
        by_board = self._by_board
        events = back if by_board is None else self._begin_game_for_board(by_board) + back
        session = self.session
        lit, stuck = lit_in(self.devices, frame)
        frame = replace(frame, lit=lit, stuck=stuck)
        of_game = self._frame_clock.dated(frame)
        pending = PendingFrame(frame, of_game, session, session.reading_terms, events)
        in_view = by_board is None or by_board.fits(session)
        work = session.reading_of(of_game) if in_view else None
        if work is None:
            self._judge(pending, None)
        else:
            self._worker.start(work)
            self._on_reading = partial(self._judge, pending)

    def _judge(self, pending: PendingFrame, reading: FrameReading) -> None:
        """Passes a frame to the referee, and shows what follows, also a next game."""
        session, of_game = pending.session, pending.of_game
        is_valid = session is self.session and session.reading_terms == pending.terms
        if not is_valid or self.is_busy:
            self._leave_out(pending.frame, pending.events)
            return
        self._frame_clock.advance(of_game)
        for service in self._defining["judged"]:
            service.judged(pending.frame)
        by_board = self._by_board
        if by_board is None or by_board.fits(session):
            events = session.judge(reading, of_game)
        else:
            events = by_board.judge_unread(session, of_game)
        self._record(events)
        self._storage.capture_decision(of_game, self.devices.tracker, events)
        if self.session.is_cleared and not self.is_repeated:
            edition = self.devices.tracker.referee.edition
            if not any(service.holds_next_game() for service in self._defining["holds_next_game"]):
                events += self._begin_unasked_game(self._terms.next_game(edition), is_next=True)
        self._finish(pending.frame, pending.events + events)

    def _leave_out(self, frame: Frame, events: list[Event]) -> None:
        """Leaves out a frame of a measurement, or of a game that is over or was changed."""
        self._frame_clock.pass_over()
        self._finish(frame, events)

    def _finish(self, frame: Frame, events: Sequence[Event]) -> None:
        """Shows a frame to the services, its events and its picture to everybody."""
        for service in self._defining["see"]:
            service.see(frame)
        self._present(events)
        self._outputs.publish_picture(self, frame)

    def _begin_game_for_board(self, by_board: GamesByBoard) -> list[Event]:
        """Begins the usual game on the board in view, unless a game goes on."""
        config = by_board.suited(self.session)
        return [] if config is None else self._begin_unasked_game(config)

    def _begin_unasked_game(self, config: GameConfig, *, is_next: bool = False) -> list[Event]:
        """Begins a game that nobody asked for; a game that is impossible is logged once."""
        if config == self._impossible:
            return []
        try:
            events = self._replace(config, is_next=is_next)
        except (CornerlightError, RulesError) as error:
            self._impossible = config
            _log.error("%s cannot be played at this table: %s", config.game.title, error)
            return []
        self._record(events)
        return events

    def _camera_back(self) -> list[Event]:
        """Looks for the board again, and compares it with the last accepted position."""
        events = self.session.camera_back()
        self._look_again()
        self._record(events)
        return events

    # Inputs

    def enter(self, one: SessionInput) -> RefusalReason | None:
        """Does what an input says, records and shows what follows.

        Returns:
            The reason if a command cannot be executed, else None.
        """
        events: list[Event] = []
        match one:
            case ButtonPress():
                self._note(one)
                events = self._press(one)
            case NoCamera():
                events = self.session.camera_away(one)
                if events:
                    self._note(one)
            case FoundHint() | ChosenMove():
                events = self._found(one)
            case BegunGame():
                events = self._replace(one.config, by_person=not one.by_board)
            case LookAgain():
                self._note(one)
                self._look_again()
            case Event():
                self._note(one)
                events = self.session.note(one)
            case _:
                return self._do(one)
        self._record(events)
        self._present(events)
        return None

    def _note(self, one: SessionInput) -> None:
        for service in self._defining["take"]:
            service.take(one)

    def _found(self, one: FoundHint | ChosenMove) -> list[Event]:
        """Returns the events of a move that the computer player has found.

        None follow if a repeated game went another way, as frames that are read differently do.
        """
        session = self.session
        shown = session.state.hint
        try:
            if isinstance(one, ChosenMove):
                events = session.choose_for_computer(one.move)
            elif self._refuses_hint(is_first=shown is None):
                return []
            else:
                step = None if shown is None else shown.step
                events = session.hint(one.move, one.colour, one.reasons, one.proved, step)
        except ValueError as error:
            _log.warning("a move that was found or recorded does not fit: %s", error)
            return []
        self._note(one)
        return events

    def _refuses_hint(self, *, is_first: bool) -> bool:
        """True if a hint may not be shown now; what follows the first step is no new hint."""
        state = self.session.state
        if is_first:
            return hint_refusal(state, self.session.config) is not None
        return state.over or state.paused or not is_settled(state)

    def _press(self, press: ButtonPress) -> list[Event]:
        """Returns the events that follow from a button.

        The player to move ends the turn, or asks for a hint; anybody ends a turn of the computer.
        Any other player who holds a button makes the lights show a number that pairs a phone.
        Anybody who goes on holding it switches the machine off.
        """
        if press.off:
            return self._executed(SwitchOff())[0] if self.status.can_switch_off else []
        state, config = self.session.state, self.session.config
        to_move = state.position.to_move
        is_mover = to_move is not None and person_of(state.position, to_move) == press.person
        if press.held and is_mover:
            return self._executed(Hint())[0] if hint_refusal(state, config) is None else []
        if press.held:
            if can_show_digits(self):
                self._gate.show_code(self.now)
            return []
        # Nobody sits at the computer's button.
        can_end = is_mover or bool(state.level)
        if can_end and CommandName.END_TURN in allowed_commands(state, config):
            return self.session.do(EndTurn())
        return []

    def _do(self, command: Command) -> RefusalReason | None:
        """Executes a command, records and shows the result; returns a reason if it cannot."""
        self._note(command)
        try:
            events, refused = self._executed(command)
        except DeviceError as error:
            _log.error("the arbiter's %s cannot be done: %s", command.name, error)
            return RefusalReason.NOT_POSSIBLE
        except (RulesError, CornerlightError) as error:
            _log.warning("the arbiter's %s does not fit: %s", command.name, error)
            return RefusalReason.NOT_FITTING
        except ValueError as error:
            _log.warning("the arbiter's %s is not possible: %s", command.name, error)
            return RefusalReason.NOT_POSSIBLE
        if refused is None:
            self._record(events)
            self._storage.capture_ruling(self.devices.tracker, events)
            self._present(events)
        return refused

    def _executed(self, command: Command) -> tuple[list[Event], RefusalReason | None]:
        """Returns the events of a command, or the reason to refuse it."""
        session = self.session
        match command:
            case NewGame() | BeginAnew() | Rematch():
                return self._begin_asked(command), None
            case Calibrate():
                self._look_again(command.corners)
                return [], None
            case Hint() if session.state.hint is not None:
                more = session.state.hint
                return session.hint(more.move, more.colour, more.reasons, more.proved), None
        for service in self._defining["executes"]:
            if service.executes(command):
                return [], service.execute(command)
        if isinstance(command, Hint):
            return [], RefusalReason.NO_PLAYER
        return [] if isinstance(command, CancelHint) else session.do(command), None

    def answer(self, *, anew: bool) -> None:
        """Takes an answer of a person at the table itself; ignored unless people are asked.

        Args:
            anew: True to begin anew, False to go on.
        """
        if self.session.state.anew_size is not None:
            self.enter(BeginAnew() if anew else Resume())

    def _answer(self, message: Request) -> Reply:
        service = self._answering.get(type(message))
        if service is not None:
            return service.answer(message)
        if isinstance(message, PairRequest):
            can_show, takes = can_show_digits(self), self._parts.feed.on_picture is not None
            return self._gate.answer_pairing(
                message, self.now, can_show=can_show, takes_camera=takes
            )
        if not isinstance(message, CommandRequest):
            return Reply(message.id, RefusalReason.NOT_POSSIBLE)
        session = self.session
        refused = self._gate.authorise(
            message,
            session.state,
            session.config,
            self._outputs.current_revisions,
            clears_board=self.devices.clears_board,
            can_switch_off=self.status.can_switch_off,
        )
        if refused is None and isinstance(message.command, Unpair):
            self._parts.pairing.unpair(message.token)
            refused = RefusalReason.NOT_POSSIBLE if self._parts.pairing.trouble else None
        elif refused is None and isinstance(message.command, Forget):
            # A recording of the session, unlike its other commands, must not have the name.
            session.config, is_stored = self._storage.forget(message.command.person)
            refused = None if is_stored else RefusalReason.NOT_POSSIBLE
            self._present([])
        elif refused is None:
            refused = self.enter(message.command)
        return Reply(message.id, refused, self._outputs.revision)

    # Games

    def _begin(self, config: GameConfig, replaced: GameState | None = None) -> None:
        """Begins a game; `replaced` is the state of the game on the table, if there is one.

        Raises:
            CornerlightError: it cannot be played at this table.
        """
        if any(config.computer) and not config.seed:
            config = replace(config, seed=1 + secrets.randbelow(_SEEDS))
        state = GameState(Position.start(config.game))
        devices = self._parts.table_factory.open(config, state)
        session = GameSession(config, devices.tracker)
        self._storage.begin(config, replaced)
        self.devices, self.session = devices, session
        self._frame_clock = FrameClock()
        self.past = ()
        for service in self._defining["begin"]:
            service.begin()

    def _resume(self, stored: StoredGame) -> None:
        self._storage.resume(stored)
        state = stored.state
        self.devices = self._parts.table_factory.open(stored.config, state)
        clock = GameClock.of(stored.config.pace, stored.config.game.people)
        times = [event.left_s for event in stored.events if event.left_s is not None]
        clock = clock.restored(times[-1]) if times else clock
        last = stored.events[-1] if stored.events else None
        self._frame_clock = FrameClock(last.time, last.frame) if last else FrameClock()
        self.session = GameSession(
            stored.config, self.devices.tracker, clock, self._frame_clock.latest
        )
        self.past = stored.events
        for service in self._defining["begin"]:
            service.begin()
        self._startup_events = self.session.catch_up()
        self._record(self._startup_events)
        if state.over:
            self._storage.close(state)

    def _begin_asked(self, command: NewGame | BeginAnew | Rematch) -> list[Event]:
        """Begins a game that a person asked for."""
        if isinstance(command, NewGame):
            return self._replace(config_from(command), by_person=True)
        edition = self.devices.tracker.referee.edition
        if isinstance(command, Rematch):
            return self._replace(self._terms.next_game(edition), is_next=True)
        config = None if self._by_board is None else self._by_board.anew(self.session)
        return self._replace(config or self._terms.again(edition))

    @property
    def _terms(self) -> GameConfig:
        """The settings of the game on the table, with the seats that the computer plays now.

        A seat that it gave up because the player failed is tried again in the next game, at the
        level that it had before.
        """
        state, config = self.session.state, self.session.config
        levels = state.computer_before_failure if state.failure else state.computer
        return replace(config, computer=levels or config.computer)

    def _replace(
        self, config: GameConfig, *, by_person: bool = False, is_next: bool = False
    ) -> list[Event]:
        """Replaces the game on the table by another one; returns the event that says so.

        Args:
            config: settings of the game.
            by_person: True if a person has decided what is played, and no longer the board.
            is_next: True for the next game of the same people, of whom another begins.
        """
        before, call = self.devices, self.session.state.call
        self._begin(config, self.session.state)
        if by_person:
            self._by_board = None
        self._note(begun_game(self))
        if self.devices.camera is not before.camera:
            before.close()
        if is_next:
            for service in self._defining["next_game"]:
                service.next_game()
        events = self.session.begun()
        if call is not None and not self.is_repeated:
            called = ArbiterCalled(0, 0.0)
            self._note(called)
            events += self.session.note(called)
        return events

    def _look_again(self, corners: Corners | None = None) -> None:
        """Continues with a new tracker, which looks for the board unless its corners are given."""
        session = self.session
        if self._by_board is not None and corners is not None:
            self._by_board.set_corners(corners)
        self.devices = self._parts.table_factory.look_again(session.config, session.state, corners)
        latest = self._frame_clock.latest
        self.session = GameSession(session.config, self.devices.tracker, session.clock, latest)

    # Outputs

    def _record(self, events: Sequence[Event]) -> None:
        if events:
            self._storage.record(events, self.session.state)
            for service in self._defining["happened"]:
                service.happened(events)

    def _present(self, events: Sequence[Event], *, with_lights: bool = True) -> None:
        """Shows the state of the game on lights and page, then tells who follows the events."""
        self.status = ServiceStatus()
        for service in self._defining["show"]:
            service.show(self.status)
        taking = self._defining["takes_lights"]
        if with_lights and not any(service.takes_lights() for service in taking):
            self._outputs.show_lights(self, self._gate.shown_code(self.now))
        self._outputs.publish_page(self)
        for event in events:
            self._on_event(event)

    def _publish_phones(self) -> None:
        """Publishes the paired phones, if they have changed."""
        self._phones_at = self.now
        phones = self._parts.pairing.phones(self.now)
        takes_camera = self._parts.feed.on_picture is not None
        # A phone may have been the camera before.
        phones = replace(
            phones, camera=phones.camera if takes_camera else "", takes_camera=takes_camera
        )
        if phones != self._phones:
            self._phones = phones
            self._parts.feed.publish(phones)

    def close(self) -> None:
        """Closes the devices and services; the game can be resumed."""
        self.devices.close()  # puts the lights out before anything is waited for
        self._worker.close()
        for service in self._services:
            service.close()


def _defining(services: Sequence[TableService], hook: str) -> tuple[TableService, ...]:
    """Returns the services that define a method of `TableService` themselves, in their order."""
    base = getattr(TableService, hook)
    return tuple(one for one in services if getattr(type(one), hook) is not base)
