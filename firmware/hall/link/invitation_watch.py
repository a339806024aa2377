"""Reads the invitation of a hall that somebody holds under the table's camera.

Looking takes longer than a frame, so it is done in a thread, now and then, and only while no game
is under way. `cornerlight share` picks up the hall from the table's folder. A table that belongs to
a hall asks whether to join another one, since anybody can hold a code under the camera.
"""

import logging
from pathlib import Path
from typing import Final

from firmware.errors import UnreadableError
from firmware.hall.link.invitation import HallInvitation, InvitationError
from firmware.hall.link.invitation_reader import read_invitation
from firmware.hall.link.link_file import LinkFile
from firmware.session.background_job import BackgroundJob
from firmware.session.service import TableService
from vision.camera import Frame, Image

_EVERY_S: Final = 2.0
"""Seconds from one look to the next; a person holds the invitation for longer."""

_ASKED_S: Final = 120.0
"""Seconds for which the table asks whether to join another hall."""

_log = logging.getLogger(__name__)


class InvitationWatch(TableService):
    """Looks for an invitation in frames, and stores it.

    Args:
        folder: folder of the table's state.
    """

    def __init__(self, folder: Path) -> None:
        self._link: Final = LinkFile(folder)
        self._job: Final = BackgroundJob[None]("invitation")
        self._looked_s = float("-inf")
        self._damaged = ""
        self._asked: tuple[HallInvitation, float] | None = None

    def see(self, frame: Frame) -> None:
        """Looks now and then, while no game is under way."""
        state = self.table.session.state
        if state.over or not state.piece_count:
            self.look(frame.image, self.table.now)

    def look(self, image: Image, now: float) -> None:
        """Looks for an invitation in a picture, which must not be changed afterwards.

        Args:
            image: (height, width, 3) uint8, blue green red.
            now: time in seconds, for the interval.
        """
        if now - self._looked_s >= _EVERY_S and self._job.start(lambda: self._look(image)):
            self._looked_s = now

    def asked(self) -> HallInvitation | None:
        """Returns the invitation of another hall that was seen a moment ago; None without one."""
        asked = self._asked
        return asked[0] if asked and self.table.now - asked[1] < _ASKED_S else None

    def join(self, invitation: HallInvitation) -> None:
        """Joins a hall, in place of the one before."""
        try:
            self._link.write(invitation)
        except UnreadableError as error:
            _log.error("%s; the table joins no other hall", error)
            return
        self._asked = None
        hall = invitation.name or invitation.hall
        _log.warning("this is table %d of %s now", int(invitation.table), hall)

    def close(self) -> None:
        """Waits for the last look."""
        self._job.close()

    def _look(self, image: Image) -> None:
        text = read_invitation(image)
        if text is None or text == self._damaged:
            return
        try:
            invitation = HallInvitation.parse(text)
        except InvitationError as error:
            self._damaged = text
            _log.error("the invitation under the camera cannot be used: %s", error)
            return
        if self._link.stamp is None:
            self.join(invitation)
        elif invitation != self._stored():
            self._asked = invitation, self._looked_s

    def _stored(self) -> HallInvitation | None:
        try:
            return self._link.read()
        except UnreadableError:
            return None  # a person decides what replaces it
