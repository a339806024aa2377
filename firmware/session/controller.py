"""The loop of a table: one frame in, everything that follows from it out.

Owns all that changes. The order is the life of one move: frame, reading, decision, journal,
then lights and page. What was not recorded yet is not shown, unless the disk refuses; then it
is shown together with the word that it is not saved. What people ask for comes in between two
frames, and goes the same way.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.drivers.interfaces import DeviceError
from firmware.errors import CornerlightError
from firmware.game.clock import GameClock
from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.publishing.arbiter_page import build_hints, build_setup
from firmware.publishing.feed_server import FeedServer
from firmware.referee.phase import Phase
from firmware.rules.errors import RulesError
from firmware.session.command_gate import CommandGate, allowed_commands, config_from, hint_refusal
from firmware.session.devices import TableDevices, TableFactory
from firmware.session.frame_clock import FrameClock
from firmware.session.game_archiver import GameArchiver
from firmware.session.game_session import PASSING, GameSession
from firmware.session.hint_service import HintEngine, HintService
from firmware.session.outputs import TableOutputs, can_show_digits, lit_in
from firmware.session.pairing import Pairing
from firmware.session.setup_inspector import SetupInspector
from firmware.storage.archive import ArchiveFolder
from firmware.storage.journal import Journal, StoredGame
from firmware.storage.wall_clock import time_of_day
from web.contract import (
    ArbiterPage,
    Calibrate,
    Command,
    CommandName,
    CommandRequest,
    EndTurn,
    Hint,
    Inspect,
    NewGame,
    PairedPhones,
    PairRequest,
    RefusalReason,
    Reply,
    Unpair,
)

_PHONES_S: Final = 1.0
"""So often the table looks whether somebody drew a number by command, or forgot the phones."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableServices:
    """The parts of a table.

    Attributes:
        table_factory: sets it for a game.
        journal: where events are recorded.
        feed: where pages and pictures go, and commands come from.
        archive: where finished games go, if they are kept as files.
        pairing: which phones may ask, if any may.
        shows_numbers: whether pictures may show the number by which a phone is paired. At a
            real table they go to whoever listens, and the number is for who sits there.
        player: starts the one that is asked for hints, where there may be one.
    """

    table_factory: TableFactory
    journal: Journal
    feed: FeedServer
    archive: ArchiveFolder | None = None
    pairing: Pairing | None = None
    shows_numbers: bool = False
    player: Callable[[], HintEngine] | None = None


class Controller:
    """Runs a table.

    Args:
        table: its parts.
        game: what is played: agreed terms for a game that begins, or one that is taken up.
        on_event: called with each event after it was recorded and shown.
        revision: of the page before the first. Drawn at random it tells this run's pages from
            those of the run before.
    """

    def __init__(
        self,
        table: TableServices,
        game: GameConfig | StoredGame,
        on_event: Callable[[Event], None] | None = None,
        revision: int = 0,
    ) -> None:
        self._table: Final = table
        self._on_event: Final = on_event
        self._gate: Final = CommandGate(table.pairing)
        self._outputs: Final = TableOutputs(table.feed, revision, shows_numbers=table.shows_numbers)
        self._hints: Final = HintService(table.player) if table.player else None
        self._inspector: Final = SetupInspector()
        self._phones: PairedPhones | None = None
        self._phones_at = float("-inf")
        if isinstance(game, StoredGame):
            self._take_up(game)
        else:
            self._begin(game)
        self._file_older()
        self._show()

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self._devices.tracker.phase

    @property
    def devices(self) -> TableDevices:
        """What the game is played with now."""
        return self._devices

    @property
    def session(self) -> GameSession:
        """The game on the table."""
        return self._session

    def step(self, now: float) -> bool:
        """Takes one frame and does all that follows from it.

        Args:
            now: seconds, for what people see: the camera's own clock may run faster than life.

        Returns:
            False when the camera has no more frames.
        """
        if now - self._phones_at >= _PHONES_S:
            self._say_phones(now)
        for asked in self._table.feed.take_requests():
            answer = self._answer(asked.message, now)
            self._say_phones(now)  # first, so that the page knows the phone that it answers
            self._table.feed.answer(asked.who, answer)
        frame = self._devices.camera.read()
        if frame is None:
            return False
        of_game = self._frame_clock.dated(frame)
        events = self._session.see(of_game, *lit_in(self._devices, frame))
        events += self._pressed(now) + self._advised()
        self._record(events)
        self._archiver.capture_decision(of_game, self._devices.tracker, events)
        self._inspector.see(frame, self._session.config.game.size, self._session.state.edition)
        self._outputs.show_lights(self._devices, self._session, self._gate.shown_code(now), now)
        self._show()
        self._outputs.publish_picture(self._devices, self._session, frame, now)
        self._tell(events)
        return True

    def close(self) -> None:
        """Lets go of what the game is played with; the game itself can be taken up."""
        self._devices.close()
        self._inspector.close()
        if self._hints is not None:
            self._hints.close()

    # Games

    def _begin(self, config: GameConfig) -> None:
        """Begins a game; this table has to be able to play it.

        Raises:
            CornerlightError: it is not.
        """
        devices = self._table.table_factory.begin(config)
        begun = time_of_day()
        self._table.journal.begin(config, begun)
        self._devices = devices
        self._session = GameSession(config, devices.tracker)
        self._frame_clock = FrameClock()
        kept = StoredGame(self._table.journal.number, config, begun, self._session.state, ())
        self._archiver = GameArchiver(self._table.archive, kept)

    def _take_up(self, kept: StoredGame) -> None:
        self._devices = self._table.table_factory.resume(kept.config, kept.state)
        clock = GameClock.of(kept.config.pace, kept.config.game.people)
        told = [event.left_s for event in kept.events if event.left_s is not None]
        clock = clock.restored(told[-1]) if told else clock
        last = kept.events[-1] if kept.events else None
        self._frame_clock = FrameClock(last.time, last.frame) if last else FrameClock()
        self._session = GameSession(
            kept.config, self._devices.tracker, clock, self._frame_clock.latest
        )
        self._archiver = GameArchiver(self._table.archive, kept)
        events = self._session.catch_up()
        self._record(events)
        self._tell(events)
        if kept.state.over:
            self._archiver.close(kept.state)

    def _file_older(self) -> None:
        """Games that had no time to become files become some now."""
        for kept in self._table.journal.unfiled():
            self._leave(GameArchiver(self._table.archive, kept), kept.state, kept.number)

    def _leave(self, archiver: GameArchiver, state: GameState, number: int) -> None:
        """A game is left behind: it becomes files, or is forgotten where nothing was laid."""
        if state.plies:
            archiver.close(state)
        else:
            self._table.journal.filed(number)

    def _record(self, events: Sequence[Event]) -> None:
        kept = [event for event in events if not isinstance(event, PASSING)]
        if kept:
            self._table.journal.record(kept)
            self._archiver.add(kept, self._session.state)
        if self._table.archive is not None:
            for number, told in self._table.archive.filed():
                self._table.journal.filed(number, told)

    # People

    def _answer(self, message: CommandRequest | PairRequest, now: float) -> Reply:
        if isinstance(message, PairRequest):
            can_show = can_show_digits(self._devices, self._session)
            return self._gate.answer_pairing(message, now, can_show=can_show)
        session = self._session
        refused = self._gate.authorise(
            message, session.state, session.config, self._outputs.current_revisions
        )
        if refused is None and isinstance(message.command, Unpair):
            refused = self._gate.unpair(message.token)
        elif refused is None:
            refused = self._do(message.command)
        return Reply(message.id, refused, self._outputs.revision)

    def _do(self, command: Command) -> RefusalReason | None:
        """Does what is asked, records it and shows it; why not, if it cannot be done."""
        events: list[Event] = []
        try:
            match command:
                case Inspect():
                    self._inspector.ask()
                case NewGame():
                    self._replace(config_from(command))
                case Calibrate():
                    self._look_again(command)
                case Hint():
                    events, refused = self._hint()
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
        self._archiver.capture_ruling(self._devices.tracker, events)
        self._show()
        self._tell(events)
        return None

    def _replace(self, config: GameConfig) -> None:
        """A new game in place of the one on the table."""
        before, archiver = self._devices, self._archiver
        state, number = self._session.state, self._table.journal.number
        self._begin(config)
        self._leave(archiver, state, number)
        if self._devices.camera is not before.camera:
            before.close()

    def _look_again(self, command: Calibrate) -> None:
        session = self._session
        self._devices = self._table.table_factory.resume(
            session.config, session.state, command.corners
        )
        latest = self._frame_clock.latest
        self._session = GameSession(session.config, self._devices.tracker, session.clock, latest)

    def _pressed(self, now: float) -> list[Event]:
        """What follows from the buttons.

        Whoever has to move ends the turn, or asks for a hint. Anybody else who holds a button
        has the lights show a number, by which a phone is paired.
        """
        buttons = self._devices.buttons
        if buttons is None:
            return []
        events: list[Event] = []
        for press in buttons.pressed(now):
            state, config = self._session.state, self._session.config
            to_move = state.position.to_move
            if to_move is None or person_of(state.position, to_move) != press.person:
                if press.held and can_show_digits(self._devices, self._session):
                    self._gate.show_code(now)
                continue
            if press.held and hint_refusal(state, config) is None:
                events += self._hint()[0]
            elif not press.held and CommandName.END_TURN in allowed_commands(state, config):
                events += self._session.do(EndTurn())
        return events

    def _hint(self) -> tuple[list[Event], RefusalReason | None]:
        """Asks the player for a hint, or tells more of the one it gave.

        Returns:
            What follows at once, and why there will be no hint, if there will be none.
        """
        session = self._session
        if session.state.hint is not None:
            return session.hint(session.state.hint.move), None
        if self._hints is None or not self._hints.ask(session.state.position):
            return [], RefusalReason.NO_PLAYER
        return [], None

    def _advised(self) -> list[Event]:
        """The hint that somebody asked for, once the player has found one."""
        session = self._session
        if self._hints is None or self.phase is Phase.SETTLING:
            return []  # what was laid may be the move already
        move = self._hints.take_hint(session.state.position)
        return (
            []
            if move is None or hint_refusal(session.state, session.config)
            else session.hint(move)
        )

    # What is shown

    def _say_phones(self, now: float) -> None:
        """Tells the page which phones may ask, if that has changed."""
        self._phones_at = now
        phones = self._gate.phones(now)
        if phones != self._phones:
            self._phones = phones
            self._table.feed.publish_phones(phones)

    def _tell(self, events: Sequence[Event]) -> None:
        if self._on_event:
            for event in events:
                self._on_event(event)

    def _show(self) -> None:
        """Publishes the page if it has changed."""
        state, hints, inspector = self._session.state, self._hints, self._inspector
        private = ArbiterPage(
            build_hints(
                state,
                self._session.config,
                thinking=hints is not None and hints.thinking,
                failure=None if hints is None else hints.failure,
            ),
            build_setup(
                state,
                inspector.report,
                inspector.corners,
                self._devices.tracker.turned,
                looking=inspector.looking,
            ),
        )
        self._outputs.publish_page(
            self._devices, self._session, self._table.journal, self._archiver.name, private
        )
