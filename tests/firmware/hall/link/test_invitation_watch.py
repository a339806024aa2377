"""The invitation of a hall under the camera: read in a thread, stored, and never waited for."""

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware.game.config import GameConfig
from firmware.hall.link import invitation_watch
from firmware.hall.link.invitation import HallInvitation
from firmware.hall.link.invitation_watch import InvitationWatch
from firmware.hall.link.link_file import LinkFile
from firmware.rules.variants import GAMES
from tests.firmware.hall.link.test_invitation_reader import INVITATION, held
from tests.support.fake_table import STEP_S, FakeTable
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from vision.camera import Image
from web.contract import AgreeToBegin, ClubRequest, RefusalReason


def test_an_invitation_that_is_held_under_the_camera_is_stored(tmp_path: Path) -> None:
    watch, link = InvitationWatch(tmp_path), LinkFile(tmp_path)
    watch.look(held(300, tilt=0.05, angle_deg=10.0), 0.0)
    watch.close()
    assert link.read() == INVITATION
    before = link.stamp
    watch.look(held(320), 5.0)
    watch.close()
    assert link.stamp == before, "the same invitation is not stored again"


def test_a_picture_without_one_leaves_the_hall_as_it_is(tmp_path: Path) -> None:
    watch, link = InvitationWatch(tmp_path), LinkFile(tmp_path)
    link.write(INVITATION)
    watch.look(np.full((960, 1280, 3), 128, np.uint8), 0.0)
    watch.close()
    assert link.read() == INVITATION


FORGED = replace(INVITATION, host="10.0.0.66", name="Free prizes", fingerprint="66" * 32)


def shows(monkeypatch: pytest.MonkeyPatch, invitation: HallInvitation) -> None:
    monkeypatch.setattr(invitation_watch, "read_invitation", lambda _: invitation.uri)


@pytest.mark.parametrize(
    "other", [FORGED, replace(FORGED, fingerprint=INVITATION.fingerprint, name=INVITATION.name)]
)
def test_a_table_of_a_hall_joins_another_one_only_at_the_wish_of_a_paired_phone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: HallInvitation
) -> None:
    link = LinkFile(tmp_path)
    link.write(INVITATION)
    shows(monkeypatch, INVITATION)
    made = FakeTable(tmp_path, GameConfig(GAMES["duo"]))
    made.look(10)
    assert (made.club.invited, made.club.invitation) == ("", "")
    shows(monkeypatch, other)
    eventually(lambda: made.look(5) or made.club.invited)
    assert link.read() == INVITATION
    assert made.club.invited == other.name
    agree = AgreeToBegin(made.club.invitation)
    assert made.asks(ClubRequest("a" * 8, "", "", agree)) == [RefusalReason.NOT_PAIRED]
    assert link.read() == INVITATION
    assert made.asks(ClubRequest("b" * 8, "", made.token, agree)) == [None]
    assert link.read() == other
    eventually(lambda: made.look(1) or not made.club.invited)
    made.close()


def test_a_table_whose_hall_cannot_be_read_asks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hall.json").write_bytes(b"{")
    shows(monkeypatch, FORGED)
    made = FakeTable(tmp_path, GameConfig(GAMES["duo"]))
    eventually(lambda: made.look(5) or made.club.invited)
    assert (tmp_path / "hall.json").read_bytes() == b"{"
    agree = AgreeToBegin(made.club.invitation)
    assert made.asks(ClubRequest("b" * 8, "", made.token, agree)) == [None]
    assert LinkFile(tmp_path).read() == FORGED
    made.close()


def test_a_question_nobody_answers_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    LinkFile(tmp_path).write(INVITATION)
    shows(monkeypatch, FORGED)
    made = FakeTable(tmp_path, GameConfig(GAMES["duo"]))
    eventually(lambda: made.look(5) or made.club.invited)
    shows(monkeypatch, INVITATION)
    made.look(int(invitation_watch._ASKED_S / STEP_S) + 10)
    assert made.club.invited == ""
    made.close()


@pytest.mark.parametrize("text", ["cornerlight://x", "cornerlight://h:1/hall/07?ca=1&secret=2"])
def test_a_damaged_one_is_told_once(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(invitation_watch, "read_invitation", lambda _: text)
    watch = InvitationWatch(tmp_path)
    for now in (0.0, 5.0, 10.0):
        watch.look(np.zeros((4, 4, 3), np.uint8), now)
        watch.close()
    assert LinkFile(tmp_path).read() is None
    assert caplog.text.count("cannot be used") == 1


@WALL_CLOCK
def test_a_slow_look_delays_no_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, going = [], threading.Event()

    def look(_: object) -> None:
        looks.append(1)
        going.wait(10.0)

    monkeypatch.setattr(invitation_watch, "read_invitation", look)
    watch = InvitationWatch(tmp_path)
    begun = time.monotonic()
    for number in range(100):
        watch.look(np.zeros((4, 4, 3), np.uint8), float(number))
    assert time.monotonic() - begun < 1.0
    going.set()
    watch.close()
    assert looks == [1]


class NotingWatch(InvitationWatch):
    """Notes when it gets a frame."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.seen: list[float] = []

    def look(self, image: Image, now: float) -> None:
        self.seen.append(now)


def test_a_table_looks_only_while_no_game_is_under_way(tmp_path: Path) -> None:
    watch = NotingWatch(tmp_path)
    table = type("WatchedTable", (FakeTable,), {"services": [watch]})
    made = table(tmp_path, GameConfig(GAMES["duo"]))
    made.look(1)
    assert watch.seen
    made.lay("purple", "e10")
    assert made.state.piece_count == 1
    watch.seen.clear()
    made.look(5)
    assert watch.seen == []
    made.close()
