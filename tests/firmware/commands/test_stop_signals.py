import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.commands.stop_signals import StopSignals
from tests.conftest import ROOT
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_interrupts_and_is_remembered(number: signal.Signals) -> None:
    stop = StopSignals()
    stop.check()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    with pytest.raises(KeyboardInterrupt):
        stop.check()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_in_the_callback_of_a_weak_reference_is_not_lost() -> None:
    class Referent:
        pass

    stopped: list[bool] = []
    stop = StopSignals()
    stop.on_stop = lambda: stopped.append(True)
    referent = Referent()
    reference = weakref.ref(referent, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del referent
    assert reference() is None
    assert stopped == [True]
    with pytest.raises(KeyboardInterrupt):
        stop.check()


TABLE = """
import hashlib, sys
from pathlib import Path
from unittest.mock import patch
import cv2, numpy as np
from firmware.cameras.interfaces import Picture
from firmware.commands import run
from firmware.commands.main import main

picture = cv2.imencode(".jpg", np.zeros((480, 640, 3), np.uint8))[1].tobytes()

def hang(*_):
    Path(sys.argv[1], "hangs").touch()
    {hangs}

class HangingCamera:
    name = "a camera"
    def read(self, timeout_s):
        {reads}
    def close(self):
        pass

opens = patch.object(run, "opener_of", lambda *_, **__: HangingCamera)
with opens, patch.object(cv2, "imdecode", hang):
    sys.exit(main(["run", "--no-page", "--folder", sys.argv[1]]))
"""
"""A table whose camera or decoder hangs, in a thread or in the loop itself."""


@WALL_CLOCK
@pytest.mark.slow
@pytest.mark.parametrize(
    ("reads", "hangs", "is_left"),
    [
        ("hang()", "while True: pass", False),
        (
            "return Picture(0.0, picture)",
            "hashlib.pbkdf2_hmac('sha1', b'', b'', 2_000_000_000)",
            True,
        ),
    ],
)
def test_a_table_ends_in_time_whatever_its_camera_does(
    reads: str, hangs: str, *, is_left: bool, tmp_path: Path
) -> None:
    program = TABLE.format(reads=reads, hangs=hangs)
    words = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            eventually((tmp_path / "hangs").exists, 60.0)
            time.sleep(0.5)  # what hangs begins a moment after its file is there
            began = time.monotonic()
            process.terminate()
            _, errors = process.communicate(timeout=30)
            assert time.monotonic() - began < 5.0
        finally:
            process.kill()
    assert process.returncode == 0
    assert ("did not end in time" in errors) == is_left
