"""The newest picture of a camera that may be slow, fail, stand still and return."""

import threading
import time
from collections import deque
from collections.abc import Iterator

import numpy as np
import pytest

from firmware.cameras.interfaces import CameraError, EndOfPictures, Picture
from firmware.cameras.live_camera import LiveCamera
from firmware.codes import CameraFault
from tests.support.waiting import eventually
from vision.camera import CameraOrientation, Frame, NoCamera, NoFrame
from vision.io.image_file import encode_jpeg


def jpeg(shade: int) -> bytes:
    return encode_jpeg(np.full((60, 80, 3), shade, np.uint8), 80)


def recorded(number: int, time_s: float) -> Frame:
    """A frame of a recording."""
    return Frame(np.full((60, 80, 3), 20 * number, np.uint8), time_s, number)


class ScriptedDriver:
    """A driver whose pictures and faults a test puts into a queue."""

    name = "scripted"

    def __init__(self) -> None:
        self.items: deque[Picture | Frame | Exception] = deque()
        self.came = threading.Semaphore(0)
        self.closed = 0
        self.refuses_to_close = False

    def put(self, *items: Picture | Frame | Exception) -> None:
        for item in items:
            self.items.append(item)
            self.came.release()

    def read(self, timeout_s: float) -> Picture | Frame | None:
        if not self.came.acquire(timeout=min(timeout_s, 0.02)):
            return None
        item = self.items.popleft()
        if isinstance(item, Exception):
            raise item
        return item

    def close(self) -> None:
        self.closed += 1
        if self.refuses_to_close:
            raise OSError("the device is busy")


class CameraTable:
    """A live camera with a clock that the test sets."""

    def __init__(self, *, may_open: bool = True) -> None:
        self.now_s = 100.0
        self.driver = ScriptedDriver()
        self.refusals: list[CameraError] = []
        self.opened = 0
        self.may_open = threading.Event()
        if may_open:
            self.may_open.set()
        self.camera = LiveCamera(self._open, lambda: self.now_s)
        assert isinstance(self.camera.read(), NoFrame)

    def _open(self) -> ScriptedDriver:
        if self.refusals:
            raise self.refusals.pop(0)
        self.may_open.wait(10)
        self.opened += 1
        return self.driver

    def put(self, *items: Picture | Frame | Exception) -> None:
        eventually(lambda: self.camera._driver is not None)
        self.driver.put(*items)

    def pass_until(self, time_s: float) -> None:
        """Lets the time pass; the loop reads on meanwhile."""
        while self.now_s < time_s - 1.0:
            self.now_s += 1.0
            self.camera.read()
        self.now_s = time_s

    def frame(self) -> Frame:
        found: list[Frame] = []

        def came() -> bool:
            answer = self.camera.read()
            if isinstance(answer, Frame):
                found.append(answer)
            return bool(found)

        eventually(came)
        return found[0]


@pytest.fixture
def table() -> Iterator[CameraTable]:
    one = CameraTable()
    yield one
    one.camera.close()


def test_a_picture_that_arrives_twice_is_one_frame(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    assert table.frame().number == 1
    table.put(Picture(100.1, jpeg(50)))
    assert isinstance(table.camera.read(), NoFrame)
    table.put(Picture(100.2, jpeg(51)))
    assert table.frame().number == 2


def test_the_same_picture_for_three_seconds_stands_still(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.pass_until(103.5)
    table.put(Picture(103.5, jpeg(50)))
    eventually(lambda: isinstance(table.camera.read(), NoCamera))
    answer = table.camera.read()
    assert isinstance(answer, NoCamera)
    assert answer.code == CameraFault.STANDS_STILL
    assert "stands still" in answer.reason
    table.put(Picture(103.6, jpeg(90)))
    assert table.frame().number == 2


def test_a_camera_that_sends_nothing_is_away_after_three_seconds(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.pass_until(102.9)
    assert isinstance(table.camera.read(), NoFrame)
    table.pass_until(103.1)
    answer = table.camera.read()
    assert isinstance(answer, NoCamera)
    assert answer.code == CameraFault.SILENT


def test_a_driver_that_fails_to_close_is_opened_again() -> None:
    table = CameraTable()
    table.driver.refuses_to_close = True
    table.put(CameraError(CameraFault.FAILED, "unplugged"))
    eventually(lambda: isinstance(table.camera.read(), NoCamera))
    eventually(lambda: table.opened == 2, 5.0)
    table.driver.refuses_to_close = False
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.camera.close()


def test_a_loop_that_was_held_up_for_long_is_no_silence_of_the_camera(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.now_s = 106.0
    assert isinstance(table.camera.read(), NoFrame)
    table.pass_until(108.9)
    table.now_s = 109.1
    assert isinstance(table.camera.read(), NoCamera)


def test_a_camera_that_opens_slowly_is_not_away() -> None:
    table = CameraTable(may_open=False)
    table.pass_until(104.9)
    assert isinstance(table.camera.read(), NoFrame)
    table.may_open.set()
    eventually(lambda: table.camera._driver is not None)
    table.pass_until(107.8)
    assert isinstance(table.camera.read(), NoFrame)
    table.now_s = 108.0
    assert isinstance(table.camera.read(), NoCamera)
    table.put(Picture(108.0, jpeg(50)))
    table.frame()
    table.camera.close()


def test_a_camera_that_never_opens_is_away() -> None:
    table = CameraTable(may_open=False)
    table.pass_until(105.1)
    answer = table.camera.read()
    assert isinstance(answer, NoCamera)
    assert answer.code == CameraFault.SILENT
    table.may_open.set()
    table.camera.close()


def test_a_camera_that_fails_is_opened_again(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.refusals.append(CameraError(CameraFault.MISSING, "it is not there; plug it in"))
    table.put(CameraError(CameraFault.FAILED, "it was unplugged; plug it in"))
    eventually(lambda: isinstance(table.camera.read(), NoCamera))
    eventually(lambda: table.opened == 2, 5)
    assert table.driver.closed == 1
    table.put(Picture(100.4, jpeg(70)))
    assert table.frame().number == 2
    assert isinstance(table.camera.read(), NoFrame)


def test_a_fault_lasts_until_the_first_picture(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)), CameraError(CameraFault.FAILED, "it was unplugged"))
    table.frame()
    for _ in range(3):
        answer = table.camera.read()
        assert isinstance(answer, NoCamera)
        assert answer.code == CameraFault.FAILED
        eventually(lambda: table.opened == 2, 5)
    table.put(Picture(100.9, jpeg(70)))
    frame = table.camera.read()
    assert isinstance(frame, Frame)
    assert frame.time_s == 100.9
    assert isinstance(table.camera.read(), NoFrame)


def test_a_damaged_picture_is_skipped(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)[:200]))
    assert isinstance(table.camera.read(), NoFrame)
    table.put(Picture(100.1, jpeg(60)))
    assert table.frame().number == 1


def test_no_picture_of_a_recording_is_dropped_however_late_the_loop_comes(
    table: CameraTable,
) -> None:
    for number in (1, 2, 4):
        table.driver.put(recorded(number, float(number)))
    assert [table.frame().number for _ in range(3)] == [1, 2, 4]


def test_a_pause_of_a_recording_is_no_fault(table: CameraTable) -> None:
    table.driver.put(recorded(1, 1.0))
    table.frame()
    table.now_s += 60
    assert isinstance(table.camera.read(), NoFrame)
    table.driver.put(recorded(2, 61.0))
    assert table.frame().number == 2


def test_a_recording_can_be_closed_while_a_picture_waits(table: CameraTable) -> None:
    table.driver.put(*(recorded(k, float(k)) for k in (1, 2)))
    table.frame()
    table.camera.close()
    assert table.driver.closed == 1


def test_a_frame_has_the_bytes_that_came(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    assert table.frame().encoded == jpeg(50)
    table.put(Picture(100.1, image=np.full((60, 80, 3), 9, np.uint8)))
    assert table.frame().encoded is None


def test_a_recording_ends_after_its_last_picture(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)), EndOfPictures())
    assert isinstance(table.camera.read(), Frame)
    for _ in range(2):
        assert table.camera.read() is None
    assert table.driver.closed == 1


def test_closing_releases_the_camera_once(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.camera.close()
    table.camera.close()
    assert table.driver.closed == 1


def test_a_frame_is_turned_and_has_the_size_that_people_see() -> None:
    driver = ScriptedDriver()
    camera = LiveCamera(lambda: driver, orientation=CameraOrientation(turn=90))
    camera.read()
    driver.put(Picture(100.0, jpeg(50)))
    eventually(lambda: isinstance(camera.read(), Frame))
    assert camera.size == (60, 80)
    camera.close()


def test_a_silent_camera_is_closed_and_opened_again(table: CameraTable) -> None:
    table.put(Picture(100.0, jpeg(50)))
    table.frame()
    table.pass_until(103.1)
    answer = table.camera.read()
    eventually(lambda: table.driver.closed == 1)
    assert isinstance(answer, NoCamera)
    assert answer.code == CameraFault.SILENT
    eventually(lambda: table.opened == 2)
    assert isinstance(table.camera.read(), NoCamera), "until the first picture"
    table.put(Picture(103.5, jpeg(70)))
    assert table.frame().number == 2


def test_a_camera_that_opens_and_gives_nothing_is_opened_again(table: CameraTable) -> None:
    for count, now_s in ((2, 103.1), (3, 106.3)):
        eventually(lambda: table.camera._driver is not None)
        table.pass_until(now_s)
        assert isinstance(table.camera.read(), NoCamera)
        while table.opened < count:
            time.sleep(0.01)
    assert table.driver.closed == 2
