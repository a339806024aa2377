"""`cornerlight run` on a recorded game, and on a camera that is not there."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.commands.main import main
from firmware.settings import Settings
from firmware.simulator.mistakes import Mistake
from firmware.simulator.people import Habits
from tests.support.http_camera import HttpCameraServer, stream
from vision.io.recorded import TIMES

pytestmark = pytest.mark.slow

PLIES = 3


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of JPEGs, two a second, of three moves and an illegal piece."""
    folder = tmp_path_factory.mktemp("recorded")
    habits = Habits(slips={2: Mistake.NO_OWN_CORNER})
    options = SimulationOptions(2, autoplay=True, habits=habits, save=folder)
    with simulated(Settings(), tmp_path_factory.mktemp("table"), options) as table:
        while table.tracker.state.plies < PLIES:
            table.step(0.5, table.clock.now_s)
        for _ in range(2):
            table.step(0.5, table.clock.now_s)
    return folder


def lines(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[dict[str, Any]]:
    assert main([*map(str, words)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def decisions(events: list[dict[str, Any]]) -> list[tuple[str, set[str]]]:
    return [(one["event"], set(one["cells"])) for one in events if "cells" in one]


def test_a_recording_is_refereed_at_its_pace_as_watch_does(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watched = lines(capsys, "watch", recording, "--game", "duo", "--json")
    words = ("--camera", recording, "--no-page", "--folder", tmp_path, "--speed", "2", "--json")
    events = lines(capsys, "run", *words)
    # Where the machine is busy, frames are dropped, and what lay there for a moment is not judged.
    assert all(decision in decisions(watched) for decision in decisions(events))
    assert (events[-1]["event"], events[-1]["moves"]) == ("summary", PLIES)
    pictures = sum(1 for _ in (recording / TIMES).read_text().splitlines())
    assert 0 < events[-1]["frames"] <= pictures


def test_a_phone_that_streams_the_table_is_refereed(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watched = lines(capsys, "watch", recording, "--game", "duo", "--json")
    jpegs = [path.read_bytes() for path in sorted(recording.glob("*.jpg"))]
    with HttpCameraServer(stream(jpegs, 0.25)) as phone:
        url = phone.url("/video", "ann:secret")
        words = ["run", "--camera", url, "--no-page", "--folder", str(tmp_path), "--json"]
        command = [sys.executable, "-m", "firmware", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            events: list[dict[str, Any]] = []
            while sum(one["event"] == "move" for one in events) < PLIES:
                events.append(json.loads(process.stdout.readline()))
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
    assert all(decision in decisions(watched) for decision in decisions(events))
    assert "secret" not in str(events)


def test_a_recording_that_is_saved_again_has_the_same_decisions(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, folder = tmp_path / "saved", tmp_path / "state"
    words = ("--camera", recording, "--no-page", "--folder", folder, "--save", saved)
    events = lines(capsys, "run", *words, "--speed", "4", "--json")
    again = lines(capsys, "watch", saved, "--game", "duo", "--json")
    assert decisions(again) == decisions(events)


def test_a_camera_that_is_not_there_is_reported_and_waited_for(tmp_path: Path) -> None:
    words = ["run", "--camera", "/dev/video99", "--no-page", "--folder", str(tmp_path), "--json"]
    command = [sys.executable, "-m", "firmware", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        event = json.loads(process.stdout.readline())
        assert (event["event"], event["fault"]) == ("camera-away", "missing")
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert "Traceback" not in process.stdout.read()


@pytest.mark.parametrize("source", ["no-such-folder", "ftp://camera/stream"])
def test_a_source_that_waiting_cannot_mend_is_refused(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--camera", source, "--no-page", "--folder", str(tmp_path)]) == 2
    assert source.partition(":")[0] in capsys.readouterr().err
