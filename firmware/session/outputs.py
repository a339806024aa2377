"""What people are shown of a table: its lights, its page, its pictures."""

from dataclasses import dataclass, replace
from typing import Final

import cv2

from firmware.game.hints import revealed_squares
from firmware.lights.scene import SceneContext, room_for_digits, scene
from firmware.publishing.feed_server import FeedServer
from firmware.publishing.page_builder import ArbiterInfo, PageContext, build_page
from firmware.session.command_gate import allowed_commands
from firmware.session.devices import TableDevices
from firmware.session.game_session import GameSession
from vision.camera import Frame
from web.contract import RefereeState

_PICTURE_S: Final = 0.2
_LINGERS_S: Final = 2.0
"""So long after a number went out a frame may still come that shows it."""

_JPEG_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class OutputContext:
    """What is shown beside the game.

    Attributes:
        saved: whether the journal has everything.
        whole: False if a damaged journal may have cost moves.
        name: of the folder that the game's files are kept in.
        advised: what only arbiters are shown.
    """

    saved: bool
    whole: bool
    name: str
    advised: ArbiterInfo


class TableOutputs:
    """Shows a table to people.

    Args:
        feed: where pages and pictures go.
        revision: of the page before the first.
        shows_numbers: whether pictures may show the number by which a phone is paired, and
            hints, as they may at a table that is nothing but its pictures.
    """

    def __init__(self, feed: FeedServer, revision: int, *, shows_numbers: bool) -> None:
        self._feed: Final = feed
        self._shows_numbers: Final = shows_numbers
        self._pictured_at = self._number_at = float("-inf")
        self._published: tuple[object, ...] = ()
        self._revision = self._stands_since = revision

    @property
    def revision(self) -> int:
        """Of the newest page."""
        return self._revision

    @property
    def current_revisions(self) -> range:
        """Revisions of the pages that showed the game as it stands."""
        return range(self._stands_since, self._revision + 1)

    def show_lights(
        self, setting: TableDevices, play: GameSession, number: str, now: float
    ) -> None:
        """Lights what is to be said now, or the number that somebody at the table has to type."""
        if setting.lights is None:
            return
        if number and not self._shows_numbers:
            self._number_at = now
        terms = play.config
        aside = SceneContext(setting.pieces, terms.scoring, digits=number, seats=terms.seats)
        glows = scene(play.state, setting.tracker.edition, aside)
        dark = setting.tracker.wants_dark
        setting.lights.show(glows, turned=setting.tracker.turned, dark=dark)

    def publish_page(self, setting: TableDevices, play: GameSession, beside: OutputContext) -> None:
        """Says the page anew if anything on it has changed, or somebody came while time runs."""
        state, code, follower = play.state, play.code, setting.tracker
        shown = PageContext(
            revision=self._revision,
            code=code,
            edition=follower.edition,
            scoring=play.config.scoring,
            names=play.config.names,
            detail=follower.why_lost if code is RefereeState.BOARD_LOST else "",
            saved=beside.saved,
            whole=beside.whole,
            lights=setting.lights is None or not setting.lights.trouble,
            buttons=setting.buttons is None or not setting.buttons.trouble,
            pictures=True,
            name=beside.name,
            possible=allowed_commands(state, play.config),
            covered=follower.covered,
            advised=beside.advised,
        )
        newest = replace(build_page(state, shown), revision=0)
        joined = self._feed.joined if play.clock.running else 0
        said = (state, newest, play.clock, joined)
        if said == self._published:
            return
        self._revision += 1
        if self._published[:1] != (state,):
            self._stands_since = self._revision
        self._published = said
        self._feed.publish(replace(newest, revision=self._revision, clocks=play.clocks))

    def publish_picture(
        self, setting: TableDevices, play: GameSession, frame: Frame, now: float
    ) -> None:
        """Shows what the camera sees, a few times a second; never a hint that glows in it."""
        if now - self._pictured_at < _PICTURE_S or now - self._number_at < _LINGERS_S:
            return
        if not self._shows_numbers and _shows_hint(setting, play, frame):
            return
        self._pictured_at = now
        options = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
        self._feed.publish_picture(cv2.imencode(".jpg", frame.image, options)[1].tobytes())


def _shows_hint(setting: TableDevices, play: GameSession, frame: Frame) -> bool:
    """Whether squares that are hinted at may glow in a frame, for watchers to see."""
    board, quarters = play.state.position.board, -setting.tracker.turned // 90
    glowing = {board.turn(square, quarters) for square in revealed_squares(play.state)}
    return not glowing.isdisjoint(frozenset().union(*lit_in(setting, frame)))


def can_show_digits(setting: TableDevices, play: GameSession) -> bool:
    """Whether the lights have room for a number, and work."""
    works = setting.lights is not None and not setting.lights.trouble
    return works and room_for_digits(play.state.position) is not None


def lit_in(setting: TableDevices, frame: Frame) -> tuple[frozenset[int], frozenset[int]]:
    """The squares that may glow in a frame: those shown then, and those of a strip that fails."""
    lights = setting.lights
    if lights is None:
        return frozenset(), frozenset()
    return lights.seen_in(frame.number, frame.exposure) - lights.stuck, lights.stuck
