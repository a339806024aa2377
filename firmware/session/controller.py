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
from firmware.game.clock import Clock
from firmware.game.config import Terms
from firmware.game.events import Event
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.publishing.feed_server import Feed
from firmware.publishing.page_builder import Advised
from firmware.referee.phase import Phase
from firmware.rules.errors import RulesError
from firmware.session.command_gate import Desk, agreed, possible, why_no_hint
from firmware.session.devices import Setting, Stage
from firmware.session.frame_clock import Dating
from firmware.session.game_archiver import Volume
from firmware.session.game_session import PASSING, Play
from firmware.session.hint_service import Advice, Player
from firmware.session.outputs import Beside, Display, can_show_digits, lit_in
from firmware.session.pairing import Pairing
from firmware.session.setup_inspector import Checkup
from firmware.storage.archive import Archive
from firmware.storage.journal import Journal, Kept
from firmware.storage.wall_clock import time_of_day
from web.contract import (
    Answer,
    Calibrate,
    Command,
    EndTurn,
    Hint,
    Inspect,
    NewGame,
    Pair,
    Phones,
    Refusal,
    Unpair,
    Wish,
    Word,
)

_PHONES_S: Final = 1.0
"""So often the table looks whether somebody drew a number by command, or forgot the phones."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of a table.

    Attributes:
        stage: sets it for a game.
        journal: where events are recorded.
        feed: where pages and pictures go, and commands come from.
        archive: where finished games go, if they are kept as files.
        pairing: which phones may ask, if any may.
        shows_numbers: whether pictures may show the number by which a phone is paired. At a
            real table they go to whoever listens, and the number is for who sits there.
        player: starts the one that is asked for hints, where there may be one.
    """

    stage: Stage
    journal: Journal
    feed: Feed
    archive: Archive | None = None
    pairing: Pairing | None = None
    shows_numbers: bool = False
    player: Callable[[], Player] | None = None


class Controller:
    """Runs a table.

    Args:
        table: its parts.
        game: what is played: agreed terms for a game that begins, or one that is taken up.
        told: called with each event after it was recorded and shown.
        revision: of the page before the first. Drawn at random it tells this run's pages from
            those of the run before.
    """

    def __init__(
        self,
        table: Table,
        game: Terms | Kept,
        told: Callable[[Event], None] | None = None,
        revision: int = 0,
    ) -> None:
        self._table: Final = table
        self._told: Final = told
        self._desk: Final = Desk(table.pairing)
        self._display: Final = Display(table.feed, revision, shows_numbers=table.shows_numbers)
        self._advice: Final = Advice(table.player) if table.player else None
        self._checkup: Final = Checkup()
        self._phones: Phones | None = None
        self._phones_at = float("-inf")
        if isinstance(game, Kept):
            self._take_up(game)
        else:
            self._begin(game)
        self._file_older()
        self._show()

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self._setting.follower.phase

    @property
    def setting(self) -> Setting:
        """What the game is played with now."""
        return self._setting

    @property
    def play(self) -> Play:
        """The game on the table."""
        return self._play

    def step(self, now: float) -> bool:
        """Takes one frame and does all that follows from it.

        Args:
            now: seconds, for what people see: the camera's own clock may run faster than life.

        Returns:
            False when the camera has no more frames.
        """
        if now - self._phones_at >= _PHONES_S:
            self._say_phones(now)
        for asked in self._table.feed.asked():
            answer = self._answer(asked.message, now)
            self._say_phones(now)  # first, so that the page knows the phone that it answers
            self._table.feed.answer(asked.who, answer)
        frame = self._setting.camera.read()
        if frame is None:
            return False
        of_game = self._dating.dated(frame)
        events = self._play.see(of_game, *lit_in(self._setting, frame))
        events += self._pressed(now) + self._advised()
        self._record(events)
        self._volume.witness(of_game, self._setting.follower, events)
        self._checkup.see(frame, self._play.terms.game.size, self._play.state.edition)
        self._display.light(self._setting, self._play, self._desk.shown(now), now)
        self._show()
        self._display.picture(self._setting, self._play, frame, now)
        self._tell(events)
        return True

    def close(self) -> None:
        """Lets go of what the game is played with; the game itself can be taken up."""
        self._setting.put_away()
        self._checkup.close()
        if self._advice is not None:
            self._advice.close()

    # Games

    def _begin(self, terms: Terms) -> None:
        """Begins a game; this table has to be able to play it.

        Raises:
            CornerlightError: it is not.
        """
        setting = self._table.stage.begin(terms)
        begun = time_of_day()
        self._table.journal.begin(terms, begun)
        self._setting = setting
        self._play = Play(terms, setting.follower)
        self._dating = Dating()
        kept = Kept(self._table.journal.number, terms, begun, self._play.state, ())
        self._volume = Volume(self._table.archive, kept)

    def _take_up(self, kept: Kept) -> None:
        self._setting = self._table.stage.go_on(kept.terms, kept.state)
        clock = Clock.of(kept.terms.pace, kept.terms.game.people)
        told = [event.left_s for event in kept.events if event.left_s is not None]
        clock = clock.restored(told[-1]) if told else clock
        last = kept.events[-1] if kept.events else None
        self._dating = Dating(last.time, last.frame) if last else Dating()
        self._play = Play(kept.terms, self._setting.follower, clock, self._dating.latest)
        self._volume = Volume(self._table.archive, kept)
        events = self._play.catch_up()
        self._record(events)
        self._tell(events)
        if kept.state.over:
            self._volume.close(kept.state)

    def _file_older(self) -> None:
        """Games that had no time to become files become some now."""
        for kept in self._table.journal.unfiled():
            self._leave(Volume(self._table.archive, kept), kept.state, kept.number)

    def _leave(self, volume: Volume, state: GameState, number: int) -> None:
        """A game is left behind: it becomes files, or is forgotten where nothing was laid."""
        if state.plies:
            volume.close(state)
        else:
            self._table.journal.filed(number)

    def _record(self, events: Sequence[Event]) -> None:
        kept = [event for event in events if not isinstance(event, PASSING)]
        if kept:
            self._table.journal.record(kept)
            self._volume.add(kept, self._play.state)
        if self._table.archive is not None:
            for number, told in self._table.archive.filed():
                self._table.journal.filed(number, told)

    # People

    def _answer(self, message: Command | Pair, now: float) -> Answer:
        if isinstance(message, Pair):
            can_show = can_show_digits(self._setting, self._play)
            return self._desk.pair(message, now, can_show=can_show)
        play = self._play
        refused = self._desk.admit(message, play.state, play.terms, self._display.seen)
        if refused is None and isinstance(message.wish, Unpair):
            refused = self._desk.unpair(message.token)
        elif refused is None:
            refused = self._do(message.wish)
        return Answer(message.id, refused, self._display.revision)

    def _do(self, wish: Wish) -> Refusal | None:
        """Does what is asked, records it and shows it; why not, if it cannot be done."""
        events: list[Event] = []
        try:
            match wish:
                case Inspect():
                    self._checkup.ask()
                case NewGame():
                    self._replace(agreed(wish))
                case Calibrate():
                    self._look_again(wish)
                case Hint():
                    events, refused = self._hint()
                    if refused is not None:
                        return refused
                case _:
                    events = self._play.do(wish)
        except DeviceError as error:
            _log.error("the arbiter's %s cannot be done: %s", wish.word, error)
            return Refusal.NOT_POSSIBLE
        except (RulesError, CornerlightError) as error:
            _log.warning("the arbiter's %s does not fit: %s", wish.word, error)
            return Refusal.NOT_FITTING
        except ValueError as error:
            _log.warning("the arbiter's %s is not possible: %s", wish.word, error)
            return Refusal.NOT_POSSIBLE
        self._record(events)
        self._volume.witness_word(self._setting.follower, events)
        self._show()
        self._tell(events)
        return None

    def _replace(self, terms: Terms) -> None:
        """A new game in place of the one on the table."""
        before, volume = self._setting, self._volume
        state, number = self._play.state, self._table.journal.number
        self._begin(terms)
        self._leave(volume, state, number)
        if self._setting.camera is not before.camera:
            before.put_away()

    def _look_again(self, wish: Calibrate) -> None:
        play = self._play
        self._setting = self._table.stage.go_on(play.terms, play.state, wish.corners)
        latest = self._dating.latest
        self._play = Play(play.terms, self._setting.follower, play.clock, latest)

    def _pressed(self, now: float) -> list[Event]:
        """What follows from the buttons.

        Whoever has to move ends the turn, or asks for a hint. Anybody else who holds a button
        has the lights show a number, by which a phone is paired.
        """
        buttons = self._setting.buttons
        if buttons is None:
            return []
        events: list[Event] = []
        for press in buttons.pressed(now):
            state, terms = self._play.state, self._play.terms
            to_move = state.position.to_move
            if to_move is None or person_of(state.position, to_move) != press.person:
                if press.held and can_show_digits(self._setting, self._play):
                    self._desk.show(now)
                continue
            if press.held and why_no_hint(state, terms) is None:
                events += self._hint()[0]
            elif not press.held and Word.END_TURN in possible(state, terms):
                events += self._play.do(EndTurn())
        return events

    def _hint(self) -> tuple[list[Event], Refusal | None]:
        """Asks the player for a hint, or tells more of the one it gave.

        Returns:
            What follows at once, and why there will be no hint, if there will be none.
        """
        play = self._play
        if play.state.hint is not None:
            return play.hint(play.state.hint.move), None
        if self._advice is None or not self._advice.ask(play.state.position):
            return [], Refusal.NO_PLAYER
        return [], None

    def _advised(self) -> list[Event]:
        """The hint that somebody asked for, once the player has found one."""
        play = self._play
        if self._advice is None or self.phase is Phase.SETTLING:
            return []  # what was laid may be the move already
        move = self._advice.heard(play.state.position)
        return [] if move is None or why_no_hint(play.state, play.terms) else play.hint(move)

    # What is shown

    def _say_phones(self, now: float) -> None:
        """Tells the page which phones may ask, if that has changed."""
        self._phones_at = now
        phones = self._desk.phones(now)
        if phones != self._phones:
            self._phones = phones
            self._table.feed.publish_phones(phones)

    def _tell(self, events: Sequence[Event]) -> None:
        if self._told:
            for event in events:
                self._told(event)

    def _show(self) -> None:
        """Says the page anew if anything on it has changed."""
        advice, checkup = self._advice, self._checkup
        advised = Advised(
            self._play.terms,
            advice is not None and advice.thinking,
            "" if advice is None else advice.trouble,
            checkup.report,
            checkup.looking,
            checkup.corners,
            self._setting.follower.turned,
        )
        journal = self._table.journal
        beside = Beside(journal.saved, journal.whole, self._volume.name, advised)
        self._display.say(self._setting, self._play, beside)
