"""Outputs of a table: lights, page and pictures."""

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from firmware.codes import HintAmount, HintStep, LightPlace
from firmware.game.hints import reason_squares, remaining, revealed_squares
from firmware.game.seating import person_of
from firmware.lights.scene import SceneContext, room_for_digits, scene
from firmware.rules.board import squares_of
from firmware.session.command_gate import allowed_commands
from firmware.session.devices import TableDevices, in_shares
from firmware.session.game_session import GameSession
from firmware.session.service import ServiceStatus, TableView
from firmware.session.table_parts import TableParts
from firmware.storage.page_builder import (
    PageContext,
    PuzzleProgress,
    build_page,
    page_squares,
    reason_entries,
)
from vision.camera import Frame, Image
from vision.io.image_file import encode_jpeg
from vision.reading import Reading
from web.contract import (
    ArbiterPage,
    CommandName,
    HintAllowance,
    LivePicture,
    PictureAudience,
    RefereeState,
    RefereeStatus,
)

_PICTURE_S: Final = 0.2
"""Least seconds between two pictures."""

_UNSEEN: Final = (RefereeState.BOARD_LOST, RefereeState.SEARCHING)
"""States in which no board is seen."""

_LINGERS_S: Final = 2.0
"""Seconds after which no frame shows a number any more that went out."""

_PLAYED_PX: Final = 800
"""Width in pixels of the pictures by which people play at a simulated table."""

_JPEG_QUALITY: Final = 80
"""Quality of the pictures as JPEG, 0 to 100."""

_SMALL_QUALITY: Final = 62
"""Quality of reduced pictures as JPEG: 38 kB for one of 800 by 600 pixels of a rendered table, so
that five a second need less than 200 kB/s."""


_WITHOUT_COLOUR: Final = (HintStep.SOLVABLE, HintStep.AREA)
"""Steps of a hint that do not tell the colour of the move."""

_WITH_PIECE: Final = (
    HintStep.PIECE,
    HintStep.SQUARE,
    HintStep.WHOLE,
    HintStep.REASON,
)
"""Steps of a hint that tell the piece."""


class TableOutputs:
    """Lights, page and pictures of a table.

    Args:
        parts: the parts of the table.
        revision: revision before the first page.
    """

    def __init__(self, parts: TableParts, revision: int) -> None:
        self._feed: Final = parts.feed
        self._journal: Final = parts.journal
        self._audience: Final = (
            PictureAudience.EVERYBODY if parts.everybody_sees_camera else PictureAudience.PAIRED
        )
        self._is_simulated: Final = parts.is_simulated
        self._pictured_at = self._number_at = float("-inf")
        self._published: tuple[object, ...] = ()
        self._revision = self._oldest_valid_revision = revision

    @property
    def revision(self) -> int:
        """Revision of the newest page."""
        return self._revision

    @property
    def current_revisions(self) -> range:
        """Revisions of the pages that show the present state."""
        return range(self._oldest_valid_revision, self._revision + 1)

    def show_lights(self, table: TableView, number: str) -> None:
        """Shows the state of the game on the lights, or the number to type."""
        devices, session = table.devices, table.session
        if devices.lights is None:
            return
        if number and not self._is_simulated:
            self._number_at = table.now
        config = session.config
        away = session.code is RefereeState.CAMERA_AWAY
        context = SceneContext(
            devices.pieces,
            config.scoring,
            digits=number,
            seats=config.seats,
            camera_away=away,
            machine_trouble=table.status.machine.has_trouble,
            place=devices.place,
            corners=table.status.places[2],
        )
        glows = scene(session.state, devices.tracker.referee.edition, context)
        devices.lights.show(glows, turned=devices.tracker.turned, dark=session.wants_dark)

    def publish_page(self, table: TableView) -> None:
        """Publishes a page if it has changed, or if a client has joined while time counts."""
        devices, session, status, name = table.devices, table.session, table.status, table.game_name
        state, context = session.state, _context(devices, session, status)
        health = self._health(devices, status)
        counts = session.clock.running or context.puzzle.running
        content = (
            *(state, context, status, health, session.config, session.clock, name),
            *(devices.clears_board, self._feed.joined if counts else 0),
        )
        if content == self._published:
            return
        self._revision += 1
        if self._published[:1] != (state,):
            self._oldest_valid_revision = self._revision
        self._published = content
        possible = allowed_commands(
            state,
            session.config,
            clears_board=devices.clears_board,
            can_switch_off=status.can_switch_off,
        )
        page = build_page(state, context)
        if status.is_switching_off:
            page = replace(page, state=RefereeStatus(RefereeState.SWITCHING_OFF))
        piece, *masks = status.places
        covers, corners = (page_squares(state.position, squares_of(mask)) for mask in masks)
        page = replace(
            page,
            revision=self._revision,
            machine=status.machine,
            pictures=self._audience,
            name=name,
            clocks=session.clocks,
            possible=tuple(one for one in CommandName if one in possible),
            private=ArbiterPage(_hints(session, status), status.setup, piece, covers, corners),
            **health,
        )
        self._feed.publish(page)

    def _health(self, devices: TableDevices, status: ServiceStatus) -> dict[str, Any]:
        """Returns what works at the table, by the fields of a page."""
        lights, buttons = devices.lights, devices.buttons
        return {
            "saved": self._journal.saved,
            "whole": self._journal.whole,
            "lights": lights is None or not lights.trouble,
            "buttons": buttons is None or not buttons.trouble,
            "recording": status.recording,
        }

    def publish_picture(self, table: TableView, frame: Frame) -> None:
        """Publishes a camera picture, at most every `_PICTURE_S`, but none that shows a hint."""
        now = table.now
        if now - self._pictured_at < _PICTURE_S or now - self._number_at < _LINGERS_S:
            return
        if not self._is_simulated and _shows_hint(table, frame):
            return
        self._pictured_at = now
        reading, size = table.devices.tracker.reading, frame.image.shape[1::-1]
        corners = in_shares(reading.corners if isinstance(reading, Reading) else None, size)
        self._feed.publish(LivePicture(self._encoded(frame.image), corners))

    def _encoded(self, image: Image) -> bytes:
        """Returns a picture as JPEG; of a simulated table small, for phones that play by it."""
        height, width = image.shape[:2]
        if not self._is_simulated or width <= _PLAYED_PX:
            return encode_jpeg(image, _JPEG_QUALITY)
        size = _PLAYED_PX, round(_PLAYED_PX * height / width)
        small = cv2.resize(image, size)
        return encode_jpeg(np.asarray(small, np.uint8), _SMALL_QUALITY)


def _shows_hint(table: TableView, frame: Frame) -> bool:
    """True if squares of a hint may glow in a frame; a panel may be in view beside the board."""
    devices, state, corners = table.devices, table.session.state, table.status.places[2]
    shown = (*revealed_squares(state), *reason_squares(state), *squares_of(corners))
    if devices.place is LightPlace.BESIDE:
        return devices.lights is not None and bool(shown)
    board, quarters = state.position.board, -devices.tracker.turned // 90
    glowing = {board.turn(square, quarters) for square in shown}
    return not glowing.isdisjoint(frozenset().union(*lit_in(devices, frame)))


def can_show_digits(table: TableView) -> bool:
    """True if the lights work and have room for a number."""
    devices, position = table.devices, table.session.state.position
    works = devices.lights is not None and not devices.lights.trouble
    beside = devices.place is LightPlace.BESIDE
    return works and room_for_digits(position, beside=beside) is not None


def lit_in(devices: TableDevices, frame: Frame) -> tuple[frozenset[int], frozenset[int]]:
    """Returns the squares that may glow in a frame: those lit, and those of a failed strip.

    A recording lists those that glowed then, and shows no light of now.
    """
    lights = devices.lights if devices.sees_lights() else None
    if lights is None:
        return frame.lit - frame.stuck, frame.stuck
    stuck = frame.stuck | lights.stuck
    return (frame.lit | lights.seen_in(frame)) - stuck, stuck


def _context(devices: TableDevices, session: GameSession, status: ServiceStatus) -> PageContext:
    """Returns all that the page of the game depends on besides its state."""
    config, code, tracker = session.config, session.code, devices.tracker
    return PageContext(
        code,
        tracker.referee.edition,
        config.scoring,
        config.names,
        failure=tracker.failure if code in _UNSEEN else None,
        fault=session.camera_fault,
        computer=config.computer,
        covered=tracker.referee.covered,
        puzzle=status.puzzle or PuzzleProgress(),
    )


def _hints(session: GameSession, status: ServiceStatus) -> HintAllowance | None:
    """Returns the hints of a game, for arbiters only; None in a game without any."""
    state, config = session.state, session.config
    if not config.hints:
        return None
    hint, position = state.hint, state.position
    step = None if hint is None else hint.step
    reasoned = hint if step is HintStep.REASON else None
    names_piece = step in _WITH_PIECE
    names_colour = step not in (None, *_WITHOUT_COLOUR)
    to_move = position.to_move
    person = None if state.over or to_move is None else person_of(position, to_move)
    amount = HintAmount.EVERYTHING if person is None else config.amount_of(person)
    return HintAllowance(
        remaining(state, config),
        person,
        status.hint_thinking,
        status.hint_failure,
        step,
        hint.colour if hint is not None and names_colour else None,
        page_squares(position, revealed_squares(state)),
        hint.move.piece.name if hint is not None and names_piece else "",
        amount,
        () if reasoned is None else reason_entries(position, reasoned.reasons or ()),
        None if reasoned is None else reasoned.proved,
    )
