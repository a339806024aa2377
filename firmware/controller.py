"""The loop of a table: one frame in, everything that follows from it out.

Owns all that changes. The order is the life of one move: frame, reading, decision, journal,
then lights and page. What was not recorded yet is not shown, unless the disk refuses; then it
is shown together with the word that it is not saved.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import cv2

from firmware.events import (
    Clear,
    Event,
    Hand,
    LightChanged,
)
from firmware.feed import Feed
from firmware.follower import Follower
from firmware.journal import Journal
from firmware.lights.lights import Lights
from firmware.page import Shown, page
from firmware.referee.phases import Phase
from firmware.rules.score import Scoring
from firmware.scene import Aside, scene
from vision.camera import Camera, Frame
from vision.reading import Lost
from web.contract import Code, Page

_PASSING: Final = (Hand, Clear, LightChanged)
"""Events of the moment: told to whoever watches, but no part of a game."""

_DARK: Final = (Phase.SETTLING, Phase.BOARD_LOST)
"""While what was laid is judged, or the board is looked for, no light may fool the camera."""

_LONG_HAND_S: Final = 3.0
"""A hand that stays longer is looked at in the dark: it might be the light of the board itself."""

_PICTURE_S: Final = 0.2
_JPEG_QUALITY: Final = 80


@dataclass(frozen=True, slots=True)
class Table:
    """The parts of a table.

    Attributes:
        camera: where frames come from.
        follower: eyes and referee.
        journal: where events are recorded.
        feed: where pages and pictures go.
        lights: under the board, if there are any.
        aside: what they take into account beside the game.
        names: of the people, in the order of play.
        scoring: which scoring is shown.
    """

    camera: Camera
    follower: Follower
    journal: Journal
    feed: Feed
    lights: Lights | None = None
    aside: Aside = field(default_factory=Aside)
    names: tuple[str, ...] = ()
    scoring: Scoring = Scoring.ADVANCED


class Controller:
    """Runs a table.

    Args:
        table: its parts.
        told: called with each event after it was recorded and shown.
    """

    def __init__(self, table: Table, told: Callable[[Event], None] | None = None) -> None:
        self._table: Final = table
        self._told: Final = told
        self._page: Page | None = None
        self._pictured_at = float("-inf")
        self._hand_since = float("inf")

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self._table.follower.phase

    def step(self, now: float) -> bool:
        """Takes one frame and does all that follows from it.

        Args:
            now: seconds, for what people see: the camera's own clock may run faster than life.

        Returns:
            False when the camera has no more frames.
        """
        frame = self._table.camera.read()
        if frame is None:
            return False
        events = self._table.follower.see(frame, self._lit_in(frame))
        for event in events:
            if not isinstance(event, _PASSING):
                self._table.journal.record(event)
        self._table.journal.retry(now)
        self._light(frame.time_s)
        self._show()
        self._picture(frame, now)
        if self._told:
            for event in events:
                self._told(event)
        return True

    def _lit_in(self, frame: Frame) -> frozenset[int]:
        lights = self._table.lights
        return frozenset() if lights is None else lights.seen_in(frame.number, frame.exposure)

    def _light(self, now: float) -> None:
        lights, follower = self._table.lights, self._table.follower
        if lights is not None:
            glows = scene(follower.state, follower.edition, self._table.aside)
            lights.show(glows, turned=follower.turned, dark=self._needs_dark(now))

    def _needs_dark(self, now: float) -> bool:
        phase = self._table.follower.phase
        if phase is not Phase.HAND:
            self._hand_since = now
        return phase in _DARK or now - self._hand_since > _LONG_HAND_S

    def _show(self) -> None:
        follower = self._table.follower
        revision = self._page.revision if self._page else 0
        shown = Shown(
            revision=revision,
            code=Code(follower.phase.value),
            edition=follower.edition,
            scoring=self._table.scoring,
            names=self._table.names,
            detail=follower.reading.reason if isinstance(follower.reading, Lost) else "",
            saved=self._table.journal.saved,
            pictures=True,
        )
        newest = page(follower.state, shown)
        if newest != self._page:
            self._page = replace(newest, revision=revision + 1)
            self._table.feed.publish(self._page)

    def _picture(self, frame: Frame, now: float) -> None:
        if now - self._pictured_at < _PICTURE_S:
            return
        self._pictured_at = now
        options = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
        self._table.feed.publish_picture(cv2.imencode(".jpg", frame.image, options)[1].tobytes())
