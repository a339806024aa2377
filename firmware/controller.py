"""The loop of a table: one frame in, everything that follows from it out.

Owns all that changes. The order is the life of one move: frame, reading, decision, journal,
then lights and page. What was not recorded yet is not shown, unless the disk refuses; then it
is shown together with the word that it is not saved. What people ask for comes in between two
frames, and goes the same way.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import cv2

from firmware.arbiter import Desk, agreed, possible
from firmware.archive import Archive
from firmware.clock import Clock
from firmware.dating import Dating
from firmware.devices import Buttons, DeviceError
from firmware.errors import CornerlightError
from firmware.events import Event
from firmware.feed import Feed
from firmware.follower import Follower
from firmware.game import GameState
from firmware.journal import Journal, Kept
from firmware.lights.lights import Lights
from firmware.page import Shown, page
from firmware.pairing import Pairing
from firmware.play import PASSING, Play
from firmware.referee.phases import Phase
from firmware.rules.errors import RulesError
from firmware.scene import Aside, Pieces, room_for_digits, scene
from firmware.seats import person_of
from firmware.terms import Terms
from firmware.volume import Volume
from firmware.wallclock import time_of_day
from vision.camera import Camera, Frame
from vision.reading import Lost
from web.contract import (
    Answer,
    Calibrate,
    Check,
    Code,
    Command,
    EndTurn,
    NewGame,
    Page,
    Pair,
    Refusal,
    Wish,
    Word,
)

_DARK: Final = (Phase.SETTLING, Phase.BOARD_LOST)
"""While what was laid is judged, or the board is looked for, no light may fool the camera."""

_LONG_HAND_S: Final = 3.0
"""A hand that stays longer is looked at in the dark: it might be the light of the board itself."""

_PICTURE_S: Final = 0.2
_LINGERS_S: Final = 2.0
"""So long after a number went out a frame may still come that shows it."""

_JPEG_QUALITY: Final = 80

_log = logging.getLogger(__name__)

Corners = tuple[tuple[float, float], ...]
"""Where the board is in a picture, from 0 to 1 of its width and height; none to look for it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game is played with.

    Attributes:
        camera: where frames come from.
        follower: eyes and referee.
        lights: under the board, if there are any.
        buttons: of the players, if there are any.
        pieces: whether light comes through them.
    """

    camera: Camera
    follower: Follower
    lights: Lights | None = None
    buttons: Buttons | None = None
    pieces: Pieces = Pieces.OPAQUE


class Stage(Protocol):
    """Who sets a table for a game: real devices, or a simulated table."""

    def begin(self, terms: Terms) -> Setting:
        """Sets the table for a game that begins.

        Raises:
            CornerlightError: this table cannot be set for such a game.
        """
        ...

    def go_on(self, terms: Terms, state: GameState, corners: Corners | None = None) -> Setting:
        """Sets the table for a game that goes on.

        Args:
            terms: what was agreed.
            state: the game as it stands.
            corners: where the board is; None for where it was found so far.
        """
        ...


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
    """

    stage: Stage
    journal: Journal
    feed: Feed
    archive: Archive | None = None
    pairing: Pairing | None = None
    shows_numbers: bool = False


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
        self._hand_since = float("inf")
        self._pictured_at = self._number_at = float("-inf")
        self._page: Page | None = None
        self._state: GameState | None = None
        self._clock: tuple[Clock, int] | None = None
        self._revision = self._stands_since = revision
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
        for asked in self._table.feed.asked():
            self._table.feed.answer(asked.who, self._answer(asked.message, now))
        frame = self._setting.camera.read()
        if frame is None:
            return False
        of_game = self._dating.dated(frame)
        events = self._play.see(of_game, *self._lit_in(frame)) + self._pressed()
        self._record(events)
        self._volume.witness(of_game, self._setting.follower, events)
        self._light(now)
        self._show()
        self._picture(frame, now)
        self._tell(events)
        return True

    def close(self) -> None:
        """Lets go of what the game is played with; the game itself can be taken up."""
        _put_away(self._setting)

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
            for number in self._table.archive.filed():
                self._table.journal.filed(number)

    # People

    def _answer(self, message: Command | Pair, now: float) -> Answer:
        if isinstance(message, Pair):
            return self._desk.pair(message, now, can_show=self._can_show_digits)
        play, seen = self._play, range(self._stands_since, self._revision + 1)
        refused = self._desk.admit(message, play.state, play.terms, seen)
        if refused is None:
            refused = self._do(message.wish)
        return Answer(message.id, refused, self._revision)

    def _do(self, wish: Wish) -> Refusal | None:
        """Does what is asked, records it and shows it; why not, if it cannot be done."""
        try:
            match wish:
                case Check():
                    return None
                case NewGame():
                    self._replace(agreed(wish))
                    events: list[Event] = []
                case Calibrate():
                    self._look_again(wish)
                    events = []
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
            _put_away(before)

    def _look_again(self, wish: Calibrate) -> None:
        play = self._play
        self._setting = self._table.stage.go_on(play.terms, play.state, wish.corners)
        latest = self._dating.latest
        self._play = Play(play.terms, self._setting.follower, play.clock, latest)

    def _pressed(self) -> list[Event]:
        """What follows from the buttons: only the one of whoever has to move means anything."""
        buttons, state = self._setting.buttons, self._play.state
        if buttons is None:
            return []
        to_move = state.position.to_move
        pressed = buttons.pressed()
        if to_move is None or Word.END_TURN not in possible(state, self._play.terms):
            return []
        return self._play.do(EndTurn()) if person_of(state.position, to_move) in pressed else []

    # What is shown

    def _tell(self, events: Sequence[Event]) -> None:
        if self._told:
            for event in events:
                self._told(event)

    def _lit_in(self, frame: Frame) -> tuple[frozenset[int], frozenset[int]]:
        """The squares that may glow in a frame: for now, and for as long as the strip fails."""
        lights = self._setting.lights
        if lights is None:
            return frozenset(), frozenset()
        return lights.seen_in(frame.number, frame.exposure) - lights.stuck, lights.stuck

    def _light(self, now: float) -> None:
        setting, play = self._setting, self._play
        if setting.lights is not None:
            number = self._desk.shown(now)
            if number and not self._table.shows_numbers:
                self._number_at = now
            terms = play.terms
            aside = Aside(setting.pieces, terms.scoring, digits=number, seats=terms.seats)
            glows = scene(play.state, setting.follower.edition, aside)
            dark = self._needs_dark(setting.follower.phase, now)
            setting.lights.show(glows, turned=setting.follower.turned, dark=dark)

    @property
    def _can_show_digits(self) -> bool:
        lights = self._setting.lights
        works = lights is not None and not lights.trouble
        return works and room_for_digits(self._play.state.position) is not None

    def _needs_dark(self, phase: Phase, now: float) -> bool:
        if phase is not Phase.HAND:
            self._hand_since = now
        return phase in _DARK or now - self._hand_since > _LONG_HAND_S

    def _show(self) -> None:
        """Says the page anew if anything on it has changed, or somebody came while time runs."""
        play, setting = self._play, self._setting
        state, code, follower = play.state, play.code, setting.follower
        lost = code is Code.BOARD_LOST and isinstance(follower.reading, Lost)
        shown = Shown(
            revision=self._revision,
            code=code,
            edition=follower.edition,
            scoring=play.terms.scoring,
            names=play.terms.names,
            detail=follower.reading.reason if lost else "",  # type: ignore[union-attr]
            saved=self._table.journal.saved,
            lights=setting.lights is None or not setting.lights.trouble,
            pictures=True,
            name=self._volume.name,
            possible=possible(state, play.terms),
        )
        clock = (play.clock, self._table.feed.joined if play.clock.running else 0)
        newest = replace(page(state, shown), revision=0)
        if (newest, state, clock) == (self._page, self._state, self._clock):
            return
        self._revision += 1
        if state != self._state:
            self._stands_since = self._revision
        self._page, self._state, self._clock = newest, state, clock
        self._table.feed.publish(replace(newest, revision=self._revision, clocks=play.clocks))

    def _picture(self, frame: Frame, now: float) -> None:
        if now - self._pictured_at < _PICTURE_S or now - self._number_at < _LINGERS_S:
            return
        self._pictured_at = now
        options = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
        self._table.feed.publish_picture(cv2.imencode(".jpg", frame.image, options)[1].tobytes())


def _put_away(setting: Setting) -> None:
    setting.camera.close()
    if setting.lights is not None:
        setting.lights.close()
