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
from typing import Final

from firmware.drivers.interfaces import ButtonPress, DeviceError
from firmware.errors import CornerlightError, PlayerError
from firmware.game.clock import GameClock
from firmware.game.config import HUMAN, GameConfig
from firmware.game.events import (
    ArbiterCalled,
    ComputerPreparing,
    ComputerReady,
    Event,
    MatchBegun,
    SeatsAssigned,
    TableEvent,
)
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.player.engine_queue import EngineQueue
from firmware.publishing.arbiter_page import build_hints
from firmware.publishing.feed_server import KEEP_ALIVE_S
from firmware.referee.phase import Phase
from firmware.rules.errors import RulesError
from firmware.session.call_gesture import CallGesture
from firmware.session.club_desk import ClubDesk, TableGame
from firmware.session.command_gate import CommandGate, allowed_commands, config_from, hint_refusal
from firmware.session.computer_service import ComputerService, Turn
from firmware.session.devices import TableDevices
from firmware.session.frame_clock import FrameClock
from firmware.session.frame_reading import PATIENCE_S, FrameWorker, PendingFrame
from firmware.session.game_session import GameSession
from firmware.session.game_storage import GameStorage
from firmware.session.games_by_board import GamesByBoard, UsualGame
from firmware.session.hint_service import HintService
from firmware.session.match_offer import command_of
from firmware.session.outputs import StorageStatus, TableOutputs, can_show_digits, lit_in
from firmware.session.puzzle_service import PuzzleService
from firmware.session.review_service import ReviewService
from firmware.session.seat_desk import SeatDesk
from firmware.session.session_notes import SessionNotes, begun_game
from firmware.session.table_services import TableServices
from firmware.session.table_setup import TableSetup
from firmware.storage.camera_memory import Corners
from firmware.storage.journal import StoredGame
from firmware.storage.puzzle_results import best_seconds
from firmware.storage.session_inputs import BegunGame, ChosenMove, FoundHint, LookAgain
from vision.camera import Frame, NoCamera, NoFrame
from vision.reading import BoardNotFound, Reading
from web.contract import (
    ArbiterPage,
    BeginAnew,
    Calibrate,
    CancelHint,
    CheckLights,
    ClubRequest,
    Command,
    CommandName,
    EndTurn,
    Hint,
    Inspect,
    MachineStatus,
    MeasureLens,
    NewGame,
    PairedPhones,
    PairRequest,
    PlayRequest,
    ProbeLights,
    RefusalReason,
    Rematch,
    Reply,
    Request,
    Resume,
    Unpair,
)

_PHONES_S: Final = 1.0
"""Seconds between two checks for numbers drawn, or phones forgotten, by another process."""

_SEEDS: Final = 1 << 31
"""Number of seeds of the computer's choices."""

_log = logging.getLogger(__name__)


class Controller:
    """Runs a table.

    Args:
        table: its services.
        game: the settings of a game that begins, or a stored game to resume.
        usual: returns the terms of a game on a board, by squares along a side, if the board in
            view decides what is played; None if that is fixed.
        on_event: function that gets each event after it was recorded and shown.
        revision: revision before the first page. A random one distinguishes the pages of this
            run from those of the run before.
    """

    def __init__(
        self,
        table: TableServices,
        game: GameConfig | StoredGame,
        on_event: Callable[[Event], None] | None = None,
        revision: int = 0,
        usual: UsualGame | None = None,
    ) -> None:
        self._table: Final = table
        inputs = table.inputs
        is_by_board = usual is not None if inputs is None else inputs.by_board
        self._by_board = GamesByBoard(usual) if is_by_board else None
        self._impossible: GameConfig | None = None
        self._on_event: Final = on_event
        self._gate: Final = CommandGate(table.pairing)
        self._seats: Final = table.seats or SeatDesk(table.pairing)
        self._club: Final = ClubDesk(table.feed, self._seats, table.pairing, table.share)
        self._calls: Final = CallGesture()
        self._outputs: Final = TableOutputs(
            table.feed,
            revision,
            shows_numbers=table.shows_numbers,
            everybody_sees_camera=table.everybody_sees_camera,
            picture_width=table.picture_width,
        )
        self._engine: Final = EngineQueue(table.player) if table.player else None
        self._hints: Final = HintService(self._engine) if self._engine else None
        self._reviews: Final = (
            None if table.archive is None else ReviewService(table.archive.folder, self._engine)
        )
        self._computer: Final = (
            ComputerService(self._engine, table.stand_in, table.measured_level)
            if self._engine
            else None
        )
        self._puzzle: PuzzleService | None = None
        self._setup: Final = TableSetup(table.cameras)
        self._machine = MachineStatus()
        self._phones: PairedPhones | None = None
        self._phones_at = float("-inf")
        self._frames = 0
        self._worker: Final = FrameWorker[Reading | BoardNotFound | None]()
        self._on_reading: Callable[[Reading | BoardNotFound | None, float], None] | None = None
        self._startup_events: list[Event] = []
        self._notes: Final = SessionNotes(table.recorder)
        resumed = game if isinstance(game, StoredGame) else None
        self._storage: Final = GameStorage(table.journal, table.archive, resumed)
        if isinstance(game, StoredGame):
            self._resume(game)
        else:
            self._begin(game)
        self._session.is_open = is_by_board and not self._session.state.plies
        before = () if resumed is None else resumed.events
        self._notes.begin(self._session, self._devices, before, by_board=is_by_board)
        self._storage.file_older()
        self._show()

    @property
    def phase(self) -> Phase:
        """The phase of the table."""
        return self._devices.tracker.phase

    @property
    def devices(self) -> TableDevices:
        """The devices of the present game."""
        return self._devices

    @property
    def session(self) -> GameSession:
        """The game on the table."""
        return self._session

    @property
    def frames(self) -> int:
        """Number of frames since the table was started."""
        return self._frames

    @property
    def taken_s(self) -> float | None:
        """Seconds that people took for a puzzle so far; None in a game."""
        if self._puzzle is None:
            return None
        return self._puzzle.taken_s(self._frame_clock.latest.time)

    def step(self, now: float) -> bool:
        """Takes the newest frame, if there is one, and does everything that follows.

        Args:
            now: time in seconds, for outputs; a simulated camera's clock may run faster.

        Returns:
            False when the camera has no more frames.
        """
        self._table.feed.turned()
        early, self._startup_events = self._startup_events, []
        self._notify(early)
        if now - self._phones_at >= _PHONES_S:
            self._publish_phones(now)
        if self._table.health is not None:
            self._machine = self._table.health.look(now)
        for request in self._table.feed.take_requests():
            answer = self._answer(request.message, now)
            self._publish_phones(now)  # first, so that the page knows the phone that it answers
            self._table.feed.answer(request.who, answer)
        self._begin_match(now)
        if self._reviews is not None:
            self._reviews.poll(now)
        self._seat_computer()
        self._club.publish(self._game, now)
        if self._on_reading is not None:
            self._finish_reading(now)
            return True
        frame = self._devices.camera.read()
        self._repeat(frame, now)
        if frame is None:
            return False
        if isinstance(frame, Frame):
            self._take(frame, now)
            self._finish_reading(now)
        else:
            away = self._fault(frame) if isinstance(frame, NoCamera) else []
            self._record_and_show(away + self._pressed(now) + self._advised(), now)
        return True

    def _finish_reading(self, now: float) -> None:
        """Goes on with the frame that is read, as far as its work is done."""
        while self._on_reading is not None:
            is_live = self._devices.is_live()
            done = self._worker.take(PATIENCE_S if is_live else KEEP_ALIVE_S)
            if done is None and not is_live:
                self._table.feed.turned()
                continue
            if done is None:
                self._record_and_show(self._pressed(now) + self._advised(), now)
                return
            afterwards, self._on_reading = self._on_reading, None
            afterwards(done[0], now)

    def _take(self, frame: Frame, now: float) -> None:
        """Begins with a new frame: finds the board, if its size is not known."""
        self._frames += 1
        back = self._camera_back() if self._session.camera_fault is not None else []
        self._record(back)
        if self._setup.is_busy:
            self._leave_out(frame, back, now)
        elif self._by_board is not None and self._by_board.looks(self._session, self.phase):
            self._worker.start(partial(self._by_board.look, frame))
            self._on_reading = lambda _, now: self._read(frame, back, now)
        else:
            self._read(frame, back, now)

    def _read(self, frame: Frame, back: list[Event], now: float) -> None:
        """Begins the game of the board in view, unless one goes on; has the frame read for it."""
        events = self._begin_game_for_board() + back
        session, by_board = self._session, self._by_board
        lit, stuck = lit_in(self._devices, frame)
        of_game = self._frame_clock.dated(frame)
        terms = session.reading_terms
        pending = PendingFrame(frame, of_game, session, terms, lit, stuck, events)
        in_view = by_board is None or by_board.fits(session)
        work = session.reading_of(of_game, lit | stuck) if in_view else None
        if work is None:
            self._judge(pending, None, now)
        else:
            self._worker.start(work)
            self._on_reading = partial(self._judge, pending)

    def _judge(
        self, pending: PendingFrame, reading: Reading | BoardNotFound | None, now: float
    ) -> None:
        """Passes a frame to the referee, and shows what follows, also a next game."""
        session, frame, of_game = pending.session, pending.frame, pending.of_game
        if session is not self._session or not pending.is_valid or self._setup.is_busy:
            self._leave_out(frame, pending.events, now)
            return
        self._frame_clock.advance(of_game)
        self._notes.add_frame(frame, pending.lit, pending.stuck)
        by_board = self._by_board
        if by_board is None or by_board.fits(session):
            events = session.judge(reading, of_game, pending.lit, pending.stuck)
        else:
            events = by_board.judge_unread(session, of_game)
        self._notes.add_geometry(self._devices)
        events += self._pressed(now) + self._advised()
        self._record(events)
        self._storage.capture_decision(of_game, self._devices.tracker, events)
        if self._session.is_cleared and self._table.inputs is None:
            edition = self._devices.tracker.edition
            if not self._club.is_waiting(self._game):
                events += self._begin_unasked_game(self._terms.next_game(edition), is_next=True)
        self._finish(frame, pending.events + events, now)

    def _leave_out(self, frame: Frame, events: list[Event], now: float) -> None:
        """Leaves out a frame of a measurement, or of a game that is over or was changed."""
        self._frame_clock.pass_over()
        others = self._pressed(now) + self._advised()
        self._record(others)
        self._finish(frame, events + others, now)

    def _look_for_hall(self, frame: Frame, now: float) -> None:
        """Has a frame searched for the invitation of a hall, unless a game is under way."""
        state, watch = self._session.state, self._table.invitations
        if watch is not None and (state.over or not state.plies):
            watch.see(frame.image, now)

    def _finish(self, frame: Frame, events: Sequence[Event], now: float) -> None:
        """Passes a frame to the set-up, and shows the events that followed from it."""
        if self._setup.see(frame, self._devices, self._session):
            self._notes.add(LookAgain())
            self._look_again()
        self._look_for_hall(frame, now)
        self._present(events, now)
        self._outputs.publish_picture(self._devices, self._session, frame, now)

    def _begin_game_for_board(self) -> list[Event]:
        """Begins the usual game on the board in view, unless a game goes on."""
        if self._by_board is None:
            return []
        config = self._by_board.suited(self._session)
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

    def _present(self, events: Sequence[Event], now: float) -> None:
        """Shows the state of the game on lights and page."""
        if self._setup.has_lights:
            self._setup.show_test()
        else:
            self._outputs.show_lights(
                self._devices, self._session, self._gate.shown_code(now), self._machine, now
            )
        self._show()
        self._notify(events)

    def _camera_back(self) -> list[Event]:
        """Looks for the board again, and compares it with the last accepted position."""
        events = self._session.camera_back()
        self._look_again()
        return events

    def _fault(self, camera: NoCamera) -> list[Event]:
        """Notes that the camera gives no pictures."""
        events = self._session.camera_away(camera)
        if events:
            self._notes.add(camera)
        return events

    def _repeat(self, frame: Frame | NoFrame | NoCamera | None, now: float) -> None:
        """Repeats the inputs of a recorded session before a frame, or after the last one."""
        inputs = self._table.inputs
        if inputs is None or isinstance(frame, NoFrame | NoCamera):
            return
        for one in inputs.before(None if frame is None else frame.number):
            match one:
                case ButtonPress():
                    self._record_and_show(self._press(one, now), now)
                case NoCamera():
                    self._record_and_show(self._fault(one), now)
                case FoundHint() | ChosenMove():
                    self._record_and_show(self._found(one), now)
                case BegunGame():
                    by_person = not one.by_board
                    self._record_and_show(self._replace(one.config, by_person=by_person), now)
                case LookAgain():
                    self._notes.add(one)
                    self._look_again()
                case (
                    NewGame()
                    | BeginAnew()
                    | Rematch()
                    | Inspect()
                    | MeasureLens()
                    | ProbeLights()
                    | CheckLights()
                ):
                    pass  # what followed for the game is an input as well
                case Event():
                    self._note_beside(one)
                case _:
                    self._do(one)

    def _found(self, one: FoundHint | ChosenMove) -> list[Event]:
        """Returns the events of a move that the computer player had found.

        None follow if the repeated game went another way, as frames that are read differently do.
        """
        if isinstance(one, FoundHint):
            return self._give_hint(one)
        try:
            return self._session.choose_for_computer(one.move)
        except ValueError as error:
            _log.warning("a recorded choice does not fit: %s", error)
            return []

    def _record_and_show(self, events: Sequence[Event], now: float) -> None:
        """Records and shows events that no frame caused."""
        self._record(events)
        self._present(events, now)

    def close(self) -> None:
        """Closes the devices and services; the game can be resumed."""
        self._devices.close()  # puts the lights out before anything is waited for
        self._worker.close()
        self._setup.close()
        if self._table.invitations is not None:
            self._table.invitations.close()
        if self._engine is not None:
            self._engine.close()
        if self._reviews is not None:
            self._reviews.close()
        if self._puzzle is not None:
            self._puzzle.close()

    # Games

    def _begin(self, config: GameConfig, replaced: GameState | None = None) -> None:
        """Begins a game; `replaced` is the state of the game on the table, if there is one.

        Raises:
            CornerlightError: it cannot be played at this table.
        """
        if any(config.computer) and not config.seed:
            config = replace(config, seed=1 + secrets.randbelow(_SEEDS))
        devices = self._table.table_factory.begin(config)
        session = GameSession(config, devices.tracker)
        self._storage.begin(config, session.state, replaced)
        self._devices, self._session = devices, session
        self._frame_clock = FrameClock()
        self._serve_puzzle(config)

    def _resume(self, stored: StoredGame) -> None:
        self._devices = self._table.table_factory.resume(stored.config, stored.state)
        clock = GameClock.of(stored.config.pace, stored.config.game.people)
        times = [event.left_s for event in stored.events if event.left_s is not None]
        clock = clock.restored(times[-1]) if times else clock
        last = stored.events[-1] if stored.events else None
        self._frame_clock = FrameClock(last.time, last.frame) if last else FrameClock()
        self._session = GameSession(
            stored.config, self._devices.tracker, clock, self._frame_clock.latest
        )
        self._serve_puzzle(stored.config, stored.events)
        self._startup_events = self._session.catch_up()
        self._record(self._startup_events)
        if stored.state.over:
            self._storage.close(stored.state)

    def _serve_puzzle(self, config: GameConfig, events: Sequence[Event] = ()) -> None:
        """Begins the services of a puzzle, and ends those of the game before it.

        Args:
            config: settings of the game on the table.
            events: its events so far.
        """
        before, self._puzzle = self._puzzle, None
        if before is not None:
            before.close()
        if config.game.puzzle is None:
            return
        if self._engine is not None:
            self._engine.close()  # its memory is for the solver
        archive = self._table.archive
        best = partial(best_seconds, archive.folder, config.game) if archive else lambda: None
        solver = self._table.solver if config.hints else None
        self._puzzle = PuzzleService(solver, best, events)

    def _record(self, events: Sequence[Event]) -> None:
        self._storage.record(events, self._session.state)
        if self._puzzle is not None:
            self._puzzle.record(events)

    # People

    def _answer(self, message: Request, now: float) -> Reply:
        if isinstance(message, PlayRequest):
            if self._table.play is not None:
                reply = self._table.play.answer(message, now)
                self._assign(self._table.play.take_levels())
                return reply
            return self._seats.answer(message, self._session.config.game, now)
        if isinstance(message, ClubRequest):
            return self._answer_club(message, now)
        if isinstance(message, PairRequest):
            can_show = can_show_digits(self._devices, self._session)
            return self._gate.answer_pairing(message, now, can_show=can_show)
        session = self._session
        refused = self._gate.authorise(
            message,
            session.state,
            session.config,
            self._outputs.current_revisions,
            clears_board=self._devices.clears_board,
        )
        if refused is None and isinstance(message.command, Unpair):
            refused = self._gate.unpair(message.token)
        elif refused is None:
            refused = self._do(message.command)
        return Reply(message.id, refused, self._outputs.revision)

    def _answer_club(self, message: ClubRequest, now: float) -> Reply:
        """Answers people at the table, or the hall; a match on which all agree begins at once."""
        reply, event = self._club.answer(message, self._game, now)
        if event is not None:
            self._note_beside(event)
        refused = self._begin_match(now) if reply.refused is None else None
        return reply if refused is None else Reply(message.id, refused, token=reply.token)

    def _begin_match(self, now: float) -> RefusalReason | None:
        """Begins the match on which the people at the table agreed, once the board allows it."""
        is_clear = self._devices.clears_board or self._session.is_cleared
        match = None if self._setup.is_busy else self._club.due(self._game, is_clear=is_clear)
        if match is None or self._table.inputs is not None:
            return None
        phones = self._club.players_of(match)
        refused = self._do(command_of(match))
        if refused is not None:
            self._club.forget_agreement()
            return refused
        self._seats.seats_of(self._session.config.game).deal(phones, now)
        players = tuple(one.id for one in match.players)
        self._note_beside(MatchBegun(0, 0.0, match.id, match.round, players))
        return None

    @property
    def _game(self) -> TableGame:
        """The game on the table, for what happens beside it."""
        return TableGame(self._session.state, self._session.config, self._storage.name)

    def _note_beside(self, event: TableEvent) -> None:
        """Records and shows something that people did beside the game."""
        self._notes.add(event)
        events = self._session.note(event)
        self._record(events)
        self._show()
        self._notify(events)

    def _do(self, command: Command) -> RefusalReason | None:
        """Executes a command, records and shows the result; returns a reason if it cannot."""
        self._notes.add(command)
        events: list[Event] = []
        try:
            match command:
                case Inspect():
                    self._setup.check()
                case MeasureLens() | ProbeLights() | CheckLights():
                    self._measure(command)
                case NewGame() | BeginAnew() | Rematch():
                    events = self._begin_asked(command)
                case Calibrate():
                    self._look_again(command.corners)
                case Hint() | CancelHint():
                    events, refused = self._hint(wanted=isinstance(command, Hint))
                    if refused is not None:
                        return refused
                case _:
                    events = self._session.do(command)
        except DeviceError as error:
            _log.error("the arbiter's %s cannot be done: %s", command.name, error)
            return RefusalReason.NOT_POSSIBLE
        except (RulesError, CornerlightError) as error:
            _log.warning("the arbiter's %s does not fit: %s", command.name, error)
            return RefusalReason.NOT_FITTING
        except ValueError as error:
            _log.warning("the arbiter's %s is not possible: %s", command.name, error)
            return RefusalReason.NOT_POSSIBLE
        self._record(events)
        self._storage.capture_ruling(self._devices.tracker, events)
        self._show()
        self._notify(events)
        return None

    def answer(self, *, anew: bool) -> None:
        """Takes an answer of a person at the table itself; ignored unless people are asked.

        Args:
            anew: True to begin anew, False to go on.
        """
        if self._session.state.anew_size is not None:
            self._do(BeginAnew() if anew else Resume())

    def _begin_asked(self, command: NewGame | BeginAnew | Rematch) -> list[Event]:
        """Begins a game that a person asked for."""
        if isinstance(command, NewGame):
            return self._replace(config_from(command), by_person=True)
        edition = self._devices.tracker.edition
        if isinstance(command, Rematch):
            return self._replace(self._terms.next_game(edition), is_next=True)
        config = None if self._by_board is None else self._by_board.anew(self._session)
        return self._replace(config or self._terms.again(edition))

    @property
    def _terms(self) -> GameConfig:
        """The settings of the game on the table, with the seats that the computer plays now.

        A seat that it gave up because the player failed is tried again in the next game, at the
        level that it had before.
        """
        state, config = self._session.state, self._session.config
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
        before, call = self._devices, self._session.state.call
        self._setup.end_test()
        self._begin(config, self._session.state)
        if by_person:
            self._by_board = None
        is_by_board = self._by_board is not None
        self._notes.add(begun_game(self._session, self._devices, by_board=is_by_board))
        if self._devices.camera is not before.camera:
            before.close()
        if is_next:
            self._seats.seats_of(config.game).rotate()
        events = self._session.begun()
        if call is not None and self._table.inputs is None:
            called = ArbiterCalled(0, 0.0)
            self._notes.add(called)
            events += self._session.note(called)
        return events

    def _look_again(self, corners: Corners | None = None) -> None:
        """Continues with a new tracker, which looks for the board unless its corners are given."""
        session = self._session
        if self._by_board is not None and corners is not None:
            self._by_board.set_corners(corners)
        self._devices = self._table.table_factory.resume(session.config, session.state, corners)
        latest = self._frame_clock.latest
        self._session = GameSession(session.config, self._devices.tracker, session.clock, latest)

    def _measure(self, command: MeasureLens | ProbeLights | CheckLights) -> None:
        """Begins or stops a measurement, for which the frames are no part of the game.

        Raises:
            ValueError: a game is going on, or the measurement is not possible.
        """
        state, size = self._session.state, self._session.config.game.size
        if state.plies and not state.over and not command.stop:
            raise ValueError("pieces lie on the board; measure before a game or after it")
        if isinstance(command, MeasureLens):
            looks_again = self._setup.measure_lens(size, stop=command.stop)
        elif isinstance(command, CheckLights):
            right, stop = command.right, command.stop
            looks_again = self._setup.test_lights(self._devices, right=right, stop=stop)
        else:
            looks_again = self._setup.probe_lights(self._devices, size, stop=command.stop)
        if looks_again:
            self._notes.add(LookAgain())
            self._look_again()

    def _pressed(self, now: float) -> list[Event]:
        """Returns the events that follow from the buttons.

        The player to move ends the turn, or asks for a hint; anybody ends a turn of the computer.
        Any other player who holds a button makes the lights show a number that pairs a phone.
        """
        buttons = self._devices.buttons
        presses = () if buttons is None else buttons.pressed(now)
        return [event for press in presses for event in self._press(press, now)]

    def _press(self, press: ButtonPress, now: float) -> list[Event]:
        self._notes.add(press)
        if self._table.inputs is None and not press.held and self._calls.pressed(press.person, now):
            event = self._club.called_by_button(press.person, self._game, now)
            if event is not None:
                self._note_beside(event)
                return []
        state, config = self._session.state, self._session.config
        to_move = state.position.to_move
        is_mover = to_move is not None and person_of(state.position, to_move) == press.person
        if press.held and is_mover:
            return self._hint()[0] if hint_refusal(state, config) is None else []
        if press.held:
            if can_show_digits(self._devices, self._session):
                self._gate.show_code(now)
            return []
        # Nobody sits at the computer's button.
        can_end = is_mover or bool(state.level)
        if can_end and CommandName.END_TURN in allowed_commands(state, config):
            return self._session.do(EndTurn())
        return []

    def _hint(self, *, wanted: bool = True) -> tuple[list[Event], RefusalReason | None]:
        """Asks the computer player for a hint, or reveals more of the last one.

        Args:
            wanted: False to forget that a hint was asked for.

        Returns:
            Events that follow at once, and the reason if there will be no hint.
        """
        session = self._session
        if not wanted:
            for service in (self._hints, self._puzzle):
                if service is not None:
                    service.cancel()
            return [], None
        if session.state.hint is not None:
            hint = session.state.hint
            return session.hint(hint.move, hint.colour, hint.reasons, hint.proved), None
        if self._puzzle is not None:
            can_answer = self._puzzle.ask(session.state)
            return [], None if can_answer else RefusalReason.NO_PLAYER
        scoring = session.config.scoring
        if self._hints is None or not self._hints.ask(session.state.position, scoring):
            return [], RefusalReason.NO_PLAYER
        return [], None

    def _advised(self) -> list[Event]:
        """Returns the events of the computer player: a hint, or a move of its own."""
        return self._hinted() + self._computer_chosen()

    def _computer_chosen(self) -> list[Event]:
        """Has the computer think about its move; returns the event of its choice."""
        computer, session = self._computer, self._session
        state, now_s = session.state, session.time_s
        if computer is None or not any(state.computer) or state.over:
            return []
        computer.prepare(state.position, now_s)
        if not state.level:
            computer.cancel()
        events = self._computer_prepared(computer)
        if not session.awaits_computer:
            return events
        seed, scoring = session.config.seed, session.config.scoring.value
        turn = Turn(state.position, state.level, seed, scoring, session.left_s)
        try:
            move = computer.choose(turn, now_s)
        except PlayerError as error:
            return events + self._give_seat_up(error)
        if move is None:
            return events
        self._notes.add(ChosenMove(move, session.config.game.size))
        return events + session.choose_for_computer(move)

    def _computer_prepared(self, computer: ComputerService) -> list[Event]:
        """Stops the computer's clock until its player is ready; returns the event that says so.

        The event is an input of a recording, because a repeated game has no player.
        """
        state = self._session.state
        is_preparing = computer.is_preparing and bool(state.level) and state.chosen is None
        if is_preparing == state.preparing:
            return []
        event = ComputerPreparing(0, 0.0) if is_preparing else ComputerReady(0, 0.0)
        self._notes.add(event)
        return self._session.note(event)

    @property
    def _status(self) -> MachineStatus:
        """The computer of the table, with the levels that it can play."""
        computer = self._computer
        if computer is None:
            return self._machine
        return replace(self._machine, highest_level=computer.highest_level)

    def _give_seat_up(self, error: PlayerError) -> list[Event]:
        """Lets a person play the seat of the computer that has to move."""
        state = self._session.state
        assert state.position.to_move is not None, "the computer has to move"
        levels = list(state.computer)
        levels[person_of(state.position, state.position.to_move)] = HUMAN
        event = SeatsAssigned(0, 0.0, tuple(levels), error.code.value)
        self._notes.add(event)
        return self._session.note(event)

    def _assign(self, levels: tuple[int, ...] | None) -> None:
        """Lets the computer play other seats, if people at a simulated table asked for it."""
        if levels is not None and levels != self._session.state.computer:
            self._note_beside(SeatsAssigned(0, 0.0, levels))

    def _seat_computer(self) -> None:
        """Marks the seats of the computer, and shows the table that people play at."""
        play, session = self._table.play, self._session
        if play is None or not play.plays_all:
            levels = session.state.computer
            persons = [person for person, level in enumerate(levels) if level]
            self._seats.seats_of(session.config.game).hold_for_computer(persons)
        if play is not None:
            play.publish(None if self._computer is None else self._computer.readiness)

    def _hinted(self) -> list[Event]:
        """Returns the event of a requested hint, once the computer player has found a move."""
        if self._puzzle is not None:
            return self._puzzle_advised(self._puzzle)
        if self._hints is None or self.phase is Phase.SETTLING:
            return []  # the move may have been made already
        position = self._session.state.position
        found = self._hints.take_hint(position)
        if found is None:
            return []
        return self._give_hint(
            FoundHint(found.move, position.game.size, None, found.reasons, found.proved)
        )

    def _puzzle_advised(self, puzzle: PuzzleService) -> list[Event]:
        """Has the solver follow the board; returns the event of a hint that it has found."""
        if self.phase is Phase.SETTLING:
            return []
        puzzle.follow(self._session.state)
        piece = puzzle.take_hint()
        size = self._session.config.game.size
        return [] if piece is None else self._give_hint(FoundHint(piece[1], size, piece[0]))

    def _give_hint(self, found: FoundHint) -> list[Event]:
        """Returns the event of a hint, unless none may be given now."""
        session = self._session
        if hint_refusal(session.state, session.config):
            return []
        self._notes.add(found)
        return session.hint(found.move, found.colour, found.reasons, found.proved)

    # Outputs

    def _publish_phones(self, now: float) -> None:
        """Publishes the paired phones, if they have changed."""
        self._phones_at = now
        phones = self._gate.phones(now)
        if phones != self._phones:
            self._phones = phones
            self._table.feed.publish_phones(phones)

    def _notify(self, events: Sequence[Event]) -> None:
        for event in events:
            self._notes.add_event(event, self._session, self._devices)
            if self._on_event:
                self._on_event(event)

    def _show(self) -> None:
        """Publishes the page if it has changed."""
        state, puzzle = self._session.state, self._puzzle
        hints = self._hints if puzzle is None else puzzle
        private = ArbiterPage(
            build_hints(
                state,
                self._session.config,
                thinking=hints is not None and hints.thinking,
                failure=None if hints is None else hints.failure,
            ),
            self._setup.entry(self._devices, self._session),
        )
        self._outputs.publish_page(
            self._devices,
            self._session,
            StorageStatus(
                self._table.journal.saved,
                self._table.journal.whole,
                self._storage.name,
                self._notes.works,
            ),
            private,
            self._status,
            None if puzzle is None else puzzle.progress(state, self._session.time_s),
        )
