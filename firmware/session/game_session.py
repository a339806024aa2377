"""One game at a table: frames for the referee, the arbiter's commands, and the clock.

All results are events, stamped with the remaining time of each player. Uses no files and no lights,
and reads no clock: time is the time of the frames.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from firmware.codes import EndReason, HintStep, Rule, Takeback
from firmware.game.clock import GameClock
from firmware.game.config import HUMAN, GameConfig
from firmware.game.events import (
    AnewAsked,
    BoardFound,
    BoardLost,
    CameraAway,
    CameraBack,
    ComputerMove,
    ComputerPreparing,
    EndedByArbiter,
    Event,
    GameBegun,
    HandEntered,
    HandLeft,
    Hinted,
    LightChanged,
    Moment,
    MoveAccepted,
    Overruled,
    Paused,
    PositionSet,
    Resigned,
    Resumed,
    SeatsAssigned,
    TableEvent,
    TimedOut,
    Undone,
)
from firmware.game.hints import next_step
from firmware.game.reasons import Reason
from firmware.game.seating import colours_of, person_of
from firmware.game.state import GameState
from firmware.referee.chosen_move import in_the_way
from firmware.referee.referee import Phase
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from firmware.session.cleared_board import EmptyBoardWatch, TidyingUp, certainly_empty
from firmware.session.command_gate import set_up
from firmware.session.tracker import GameTracker
from vision.camera import Frame, NoCamera
from vision.errors import BoardFailure
from vision.reading import Reading
from web import contract

_Handler = Callable[[Any], list[Event]]
"""Function that executes a command and returns its events."""

PASSING: Final = (HandEntered, HandLeft, LightChanged)
"""Events that are shown but not stored, because they are no part of a game."""

_BEGIN: Final = Moment(0, 0.0)
"""Moment before the first frame."""

_AWAY: Final = (Phase.HAND, Phase.BOARD_LOST)
"""Phases in which a frame cannot be judged."""

_IGNORED_AFTER_END: Final = (
    Phase.HAND,
    Phase.SETTLING,
    Phase.BOARD_LOST,
    Phase.TO_LIFT,
    Phase.DISTURBED,
)
"""Phases that do not hide the result of a game that is over: people put the pieces away."""

_TO_CHOOSE: Final = (Phase.WAITING, Phase.ACCEPTED, Phase.REFUSED, Phase.UNSURE)
"""Phases of a board on which the computer may choose its move."""

_STANDS_STILL: Final = (Phase.BOARD_LOST, Phase.REFUSED, Phase.UNSURE, Phase.DISTURBED)
"""Phases in which no player can move, so that no clock runs. A piece whose move was taken back is
lifted in the time of its owner, who has to move again."""


@dataclass(frozen=True, slots=True)
class ReadingTerms:
    """Terms on which a frame is read.

    Attributes:
        paused: True in a pause, in which no frame is read.
        settled: the colours that the plastic certainly has; None while they are detected.
    """

    paused: bool
    settled: Edition | None


class GameSession:
    """One game at a table.

    Args:
        config: settings of the game.
        tracker: reader and referee, in the present state of the game.
        clock: the clock of a game that continues.
        moment: time and number of the newest frame of a game that continues.

    Attributes:
        is_open: True while the board to be found decides which game is played.
        is_cleared: True if the board was cleared after the end of the game.
        clock: the clock; another object only after it was started, stopped or set.
        camera_fault: code of the reason that the camera is away; None while it gives pictures.
    """

    def __init__(
        self,
        config: GameConfig,
        tracker: GameTracker,
        clock: GameClock | None = None,
        moment: Moment = _BEGIN,
    ) -> None:
        self.config = config
        self._tracker: Final = tracker
        self._referee: Final = tracker.referee
        self.clock = clock or GameClock.of(config.pace, config.game.people)
        self._moment = moment
        self._clear_s: float | None = None
        self.camera_fault: str | None = None
        self._empty: Final = EmptyBoardWatch()
        self._tidying: Final = TidyingUp()
        self._asked = False
        self.is_open = self.is_cleared = False
        self._handlers: Final[dict[type[contract.Command], _Handler]] = {
            contract.Choose: self._choose,
            contract.Refuse: lambda _: self._referee.refuse(self._moment),
            contract.Undo: lambda _: self._referee.undo(self._moment),
            contract.SetPosition: self._set_position,
            contract.Overrule: lambda _: self._referee.overrule(self._moment),
            contract.Pause: lambda _: self._emit(Paused),
            contract.Resume: lambda _: self._emit(Resumed),
            contract.Resign: self._resign,
            contract.EndGame: lambda command: self._emit(EndedByArbiter, command.how),
            contract.AssignSeat: self._assign,
            contract.EndTurn: lambda _: self._referee.end_turn(self._moment.time),
            contract.SwitchOff: lambda _: [],  # of a recording that is repeated
        }

    @property
    def state(self) -> GameState:
        """The state of the game."""
        return self._referee.state

    @property
    def phase(self) -> Phase:
        """The phase of the table."""
        return self._referee.phase

    @property
    def code(self) -> contract.RefereeState:
        """The state of the table, in the terms of the page."""
        if self.state.paused:
            return contract.RefereeState.PAUSED
        if self.state.ended is not None:
            return contract.RefereeState.GAME_OVER
        if self.camera_fault is not None:
            return contract.RefereeState.CAMERA_AWAY
        return self._code(self.phase)

    def _code(self, phase: Phase) -> contract.RefereeState:
        """The state of a table whose camera gives pictures."""
        if self.state.over and phase in _IGNORED_AFTER_END:
            return contract.RefereeState.GAME_OVER
        asked = self._asked and phase is not Phase.HAND
        if self.state.anew_size is not None and (asked or phase is Phase.BOARD_LOST):
            return contract.RefereeState.ANEW_ASKED
        if self.is_open and phase is Phase.BOARD_LOST:
            return contract.RefereeState.SEARCHING
        if phase is Phase.WAITING and self.config.begins is not None and not self.state.piece_count:
            return contract.RefereeState.NEW_GAME
        return contract.RefereeState(phase.value)

    @property
    def wants_dark(self) -> bool:
        """True if the lights have to be out, so that frames can decide."""
        if self.camera_fault is not None:
            return False
        return self._referee.wants_dark or self._empty.wants_dark

    @property
    def time_s(self) -> float:
        """Time of the newest frame in seconds since the game began."""
        return self._moment.time

    @property
    def clocks(self) -> tuple[contract.PlayerClock, ...]:
        """The time of each player at the newest frame; empty for a game without clock."""
        if not self.config.pace.is_timed:
            return ()
        now, clock = self._moment.time, self.clock
        running = clock.turn if clock.running else None
        return tuple(
            contract.PlayerClock(
                colours_of(self.config.game, person),
                round(1000 * left_s),
                running=person == running,
                free_ms=round(1000 * clock.free_s(now)) if person == running else 0,
                timed_out=not self.state.timed_out.isdisjoint(colours_of(self.config.game, person)),
            )
            for person, left_s in enumerate(clock.left_s(now))
        )

    @property
    def left_s(self) -> float | None:
        """Seconds left to the person to move; None without a clock, or if nobody has to move."""
        to_move = self.state.position.to_move
        if not self.config.pace.is_timed or to_move is None:
            return None
        return self.clock.left_s(self._moment.time)[person_of(self.state.position, to_move)]

    @property
    def awaits_computer(self) -> bool:
        """True if the computer has to choose a move, and nothing is unsettled.

        Squares that nothing explains do not change the position, so the game goes on beside them.
        """
        state = self.state
        unsettled = state.paused or state.candidates or state.disturbed or state.possible_turns
        asked = state.pending or state.anew_size is not None or self.camera_fault is not None
        # A piece that was laid too early lies there until it is judged by the choice.
        wrong = any(
            violation.rule is not Rule.STILL_THINKING
            for one in state.refused
            for violation in one.violations
        )
        is_due = bool(state.level) and state.chosen is None
        return is_due and self.phase in _TO_CHOOSE and not (unsettled or asked or wrong)

    @property
    def reading_terms(self) -> ReadingTerms:
        """Terms on which the next frame is read."""
        return ReadingTerms(self.state.paused, self._tracker.settled)

    def reading_of(self, frame: Frame) -> Callable[[], Reading | BoardFailure] | None:
        """Returns the work of reading the next frame, see `GameTracker`; None in a pause."""
        if self.state.paused:
            return None
        return self._tracker.reading_of(frame, frame.lit | frame.stuck)

    def judge(self, reading: Reading | BoardFailure | None, frame: Frame) -> list[Event]:
        """Takes the next frame.

        Args:
            reading: its reading; None if it was not read, as in a pause.
            frame: the frame, with the squares that glow in it; frames come in the order of their
                exposure.

        Returns:
            The events in order.
        """
        self._moment = Moment(frame.number, frame.time_s)
        if reading is None:
            return []
        reading = self._tracker.accept(reading)
        before = self.state.position
        events = self._judged(reading, frame)
        return self._stamped(before, events + self._watched(reading, frame.lit))

    def _judged(self, reading: Reading | BoardFailure, frame: Frame) -> list[Event]:
        """Has the referee judge a reading, unless it says nothing about the game."""
        if self.state.paused or self.state.ended is not None:
            return []
        if self.state.over and self._is_tidied(reading):
            return []
        phase = self.phase
        events = self._tracker.judge(reading, self._moment, frame.lit, frame.stuck)
        for event in events:
            if isinstance(event, BoardFound):
                self._referee.record(event)
        if self.config.pace.is_timed:
            self._note_clear(phase, self._moment.time)
        return events

    def _is_tidied(self, reading: Reading | BoardFailure) -> bool:
        """True if a frame shows a board that people tidy up after the end."""
        if isinstance(reading, BoardFailure) or reading.hand or reading.blurred:
            return False
        # A puzzle that is done stays so: whatever is lifted is put away.
        history, may_lift = self.state.history, self.config.takeback is Takeback.UNTIL_NEXT_MOVE
        may_lift = may_lift and self.config.game.puzzle is None
        last = history[-1].move if history and may_lift else None
        lifted = self._tracker.lifted(certainly_empty(reading))
        return self._tidying.is_going_on(lifted, last, self._moment.time)

    def _watched(self, reading: Reading | BoardFailure, lit: frozenset[int]) -> list[Event]:
        """Notices a cleared board: after the end, or under a game of which people are asked."""
        state, empty = self.state, self._empty
        if not state.piece_count:
            empty.forget()
            return []
        is_empty = empty.see(reading, self._moment.time, lit)
        is_empty = is_empty and len(self._tracker.lifted(empty.seen)) == state.piece_count
        self.is_cleared = is_empty and state.over
        self._asked = self._asked and not empty.sees_pieces
        if not is_empty or state.over or self._asked:
            return []
        self._asked = True
        return self.ask_anew(self.config.game.size)

    def ask_anew(self, size: int) -> list[Event]:
        """Asks people to go on with the game or to begin anew, unless they are asked already.

        Args:
            size: squares along a side of the board in view.
        """
        return [] if self.state.anew_size == size else self._emit(AnewAsked, size)

    def begun(self) -> list[Event]:
        """Notes that the game began at a table that was at play before."""
        return self._emit(GameBegun, self.config.begins or "")

    def camera_away(self, camera: NoCamera) -> list[Event]:
        """Notes that the camera gives no pictures; stops the clock at the last frame."""
        if self.camera_fault == camera.code:
            return []
        self.camera_fault = camera.code
        self._empty.forget()
        return self._stamped(
            self.state.position, self._emit(CameraAway, camera.reason, camera.code)
        )

    def camera_back(self) -> list[Event]:
        """Notes that the camera gives pictures again; the clock goes on with the next one."""
        self.camera_fault = None
        return self._timed(self.state.position, self._emit(CameraBack))

    def do(self, command: contract.Command) -> list[Event]:
        """Executes a command of an arbiter.

        Raises:
            ValueError: it cannot be executed; the message is a full sentence.
        """
        before = self.state.position
        return self._stamped(before, self._handlers[type(command)](command))

    def note(self, event: TableEvent) -> list[Event]:
        """Records something that happened at the table, at the newest frame.

        In a repeated recording that went another way nobody may wait for the computer.
        """
        if isinstance(event, ComputerPreparing) and not self.state.level:
            return []
        frame, time = self._moment
        events = self._recorded([replace(event, frame=frame, time=time)])
        return self._stamped(self.state.position, events)

    def catch_up(self) -> list[Event]:
        """Adds events implied by a resumed game that are missing because the program ended."""
        before = self.state.position
        events = self._referee.catch_up(self._moment)
        if (
            not self.state.over
            and self.state.resigned
            and len(_remaining(self.config.game.sides, self.state.resigned)) <= 1
        ):
            events += self._emit(EndedByArbiter, EndReason.RESIGNED)
        return self._stamped(before, events)

    def hint(
        self,
        move: Move,
        colour: Colour | None = None,
        reasons: tuple[Reason, ...] | None = None,
        proved: int | None = None,
        step: HintStep | None = None,
    ) -> list[Event]:
        """Gives the player to move the next step of a hint, or a better move at the same step.

        Args:
            move: the move to hint at.
            colour: its colour; None for the colour to move.
            reasons: the reasons for it; None if nobody looked for any.
            proved: exact margin in points of the side to move, if it is proved.
            step: the part of it that is revealed; None for the next one.

        Raises:
            ValueError: nobody has to move, or all steps were given.
        """
        position, step = self.state.position, step or next_step(self.state, self.config)
        if position.to_move is None or step is None:
            raise ValueError("there is nothing more to hint at")
        colour = position.to_move if colour is None else colour
        person = person_of(position, colour)
        return self._stamped(
            position, self._emit(Hinted, person, colour, move, step, reasons, proved)
        )

    def choose_for_computer(self, move: Move) -> list[Event]:
        """Says which move the computer has chosen; somebody has to lay it.

        Raises:
            ValueError: the move is not legal, or no computer has to move.
        """
        position = self.state.position
        if not self.state.level or move not in position.legal_moves:
            raise ValueError(f"the computer cannot lay {move} now")
        events = self._emit(ComputerMove, position.to_move, move)
        events += self._recorded([*in_the_way(self.state, move, self._moment)])
        return self._stamped(position, events)

    # Commands

    def _assign(self, command: contract.AssignSeat) -> list[Event]:
        people = self.config.game.people
        if command.person >= people or self.config.game.puzzle is not None:
            raise ValueError("there is no such seat in this game")
        levels = list(self.state.computer or (HUMAN,) * people)
        levels[command.person] = command.level
        if all(levels):
            raise ValueError("the computer cannot play everybody; leave a seat to a person")
        return self._emit(SeatsAssigned, tuple(levels))

    def _choose(self, command: contract.Choose) -> list[Event]:
        candidates = self.state.candidates
        if not 0 <= command.candidate < len(candidates):
            raise ValueError("there is no such move to choose")
        return self._referee.resolve(candidates[command.candidate], self._moment)

    def _set_position(self, command: contract.SetPosition) -> list[Event]:
        if command.pieces is None:
            position = self._tracker.seen(command.turn)
        else:
            position = set_up(command.pieces, command.turn, self.state.position)
        return self._referee.set_position(position, self._moment)

    def _resign(self, command: contract.Resign) -> list[Event]:
        sides = self.config.game.sides
        events: list[Event] = [Resigned(*self._moment, sides[command.side])]
        resigned = self.state.resigned.union(sides[command.side])
        if len(_remaining(sides, resigned)) <= 1:
            events.append(EndedByArbiter(*self._moment, EndReason.RESIGNED))
        return self._recorded(events)

    def _emit(self, kind: type[Event], *values: Any) -> list[Event]:
        return self._recorded([kind(*self._moment, *values)])

    def _recorded(self, events: list[Event]) -> list[Event]:
        for event in events:
            self._referee.record(event)
        return events

    # Time

    def _note_clear(self, before: Phase, now: float) -> None:
        """Stores the time of the first frame since which the board is free and unchanged.

        It stands until the frame is decided on, or the clock stops.
        """
        phase = self.phase
        if phase in _AWAY:
            self._clear_s = None
        elif before in _AWAY or (phase is Phase.SETTLING and before is not Phase.SETTLING):
            self._clear_s = now

    def _seen_s(self) -> float:
        """Time of what the newest frame or command has changed.

        A decision on a frame counts from the first clear frame that shows the same; whatever comes
        after that decision, a command or a fault of the camera, counts from now on.
        """
        return self._moment.time if self._clear_s is None else self._clear_s

    def _stamped(self, before: Position, events: list[Event]) -> list[Event]:
        """Returns the events with the players' times, and those that follow from them."""
        if not self.config.pace.is_timed:
            return events + self._end_if_resigned()
        stamped = self._timed(before, events) + self._end_if_resigned()
        self._run()
        return stamped + self._time_out()

    def _timed(self, position: Position, events: list[Event]) -> list[Event]:
        """Presses the clock for each move; returns the events, stamped unless they are passing."""
        if not self.config.pace.is_timed:
            return events
        now, at = self._moment.time, self._seen_s()
        timed = []
        for event in events:
            if isinstance(event, MoveAccepted | Overruled):
                self.clock = self.clock.press(person_of(position, event.colour), at)
                position = position.put(event.move, event.colour)
            elif isinstance(event, Undone):
                position = position.lift(event.move, event.colour)
                self.clock = self.clock.take_back(person_of(position, event.colour), now)
            elif isinstance(event, PositionSet):
                position = event.position
            stamped = not isinstance(event, (*PASSING, BoardLost))
            timed.append(replace(event, left_s=self.clock.left_s(at)) if stamped else event)
        return timed

    def _end_if_resigned(self) -> list[Event]:
        """Ends the game if the colour to move has resigned."""
        state = self.state
        if state.over or not state.resigned or state.position.to_move not in state.resigned:
            return []
        return self._emit(EndedByArbiter, EndReason.SCORE)

    def _run(self) -> None:
        """Runs the clock of the player to move, or stops it."""
        state, phase, at = self.state, self.phase, self._seen_s()
        to_move = state.position.to_move
        away = self.camera_fault is not None
        still = state.over or state.paused or away or phase in _STANDS_STILL
        # A person lays the piece of the computer, which does not pay for that time.
        waits = state.chosen is not None or state.preparing
        if still or waits or to_move is None:
            self.clock = self.clock.stop(at)
        else:
            self.clock = self.clock.run(person_of(state.position, to_move), at)
        if still or phase is not Phase.SETTLING:
            self._clear_s = None

    def _time_out(self) -> list[Event]:
        """Reports once that a player's time is up, unless a move may lie on the board."""
        clock = self.clock
        if not clock.running or clock.turn is None:
            return []
        now = self._seen_s()
        colours = colours_of(self.config.game, clock.turn)
        if clock.left_s(now)[clock.turn] > 0 or not self.state.timed_out.isdisjoint(colours):
            return []
        return [replace(one, left_s=clock.left_s(now)) for one in self._emit(TimedOut, colours)]


def _remaining(
    sides: tuple[tuple[int, ...], ...], resigned: frozenset[int]
) -> list[tuple[int, ...]]:
    return [side for side in sides if not resigned.issuperset(side)]
