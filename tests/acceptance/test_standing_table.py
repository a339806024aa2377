"""A table whose loop stands, as by a driver that hangs: every screen says so within 5 s."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK

WITHIN_S = 5.0
AWAY = "The table does not answer"

TABLE = """
import sys, time
from pathlib import Path
from firmware.commands.main import main
from firmware.simulator.camera import SimulatedCamera

read, hangs = SimulatedCamera.read, Path(sys.argv[1], "hangs")

def hanging(camera):
    while hangs.exists():
        time.sleep(0.01)
    return read(camera)

SimulatedCamera.read = hanging
sys.exit(main(["demo", "--no-browser", "--port", "0", "--folder", sys.argv[1]]))
"""
"""A simulated table whose camera hangs while a file exists."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    words = [sys.executable, "-c", TABLE, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as table:
        assert table.stdout is not None
        try:
            found = (re.search(r"http://localhost:\d+", line) for line in table.stdout)
            yield next(filter(None, found))[0]
            table.send_signal(signal.SIGTERM)
            assert table.wait(5) == 0
        finally:
            table.kill()


def get(url: str) -> str:
    with urllib.request.urlopen(url) as answer:  # noqa: S310, an address of this test
        text: str = answer.read().decode()
    return text


@WALL_CLOCK
def test_every_screen_says_within_5_s_that_the_table_stands(address: str, tmp_path: Path) -> None:
    screens = [f"{address}/{path}" for path in ("", "tv", "play", "fragments.json")]
    eventually(lambda: not any(AWAY in get(screen) for screen in screens), 60.0)
    stream = urllib.request.urlopen(f"{address}/events?for=watcher")  # noqa: S310
    (tmp_path / "hangs").touch()
    began = time.monotonic()
    news = (json.loads(line[6:]) for line in stream if line.startswith(b"data: "))
    assert not next(one for one in news if not one["connected"])["connected"]
    assert time.monotonic() - began < WITHIN_S
    assert all(AWAY in get(screen) for screen in screens)
    overlay = json.loads(get(f"{address}/overlay/fragments.json"))
    assert overlay["silent"] is not None, "its mark comes 1.5 s after that"
    assert time.monotonic() - began < WITHIN_S - 1.5
    time.sleep(4.0)  # the page connects again meanwhile
    assert all(AWAY in get(screen) for screen in screens)
    (tmp_path / "hangs").unlink()
    assert next(one for one in news if one["connected"])
    eventually(lambda: not any(AWAY in get(screen) for screen in screens), 60.0)
