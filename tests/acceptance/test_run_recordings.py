"""`cornerlight run` on a recorded game: at its pace, streamed by a phone, and saved again."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.commands.main import main
from firmware.settings import Settings
from tests.support.http_camera import HttpCameraServer, stream
from tests.support.recorded_moves import PLIES, record_moves
from vision.io.image_file import encode_jpeg, load_picture
from vision.io.recording_notes import TIMES


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, table_folder = (tmp_path_factory.mktemp(name) for name in ("recorded", "table"))
    return record_moves(folder, table_folder, Settings())


@pytest.fixture(scope="module")
def unlit_recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of a table without lights: a phone does not know which squares glow."""
    dark = replace(Settings().lights, brightness=0.0, night_brightness=0.0)
    folder, table_folder = (tmp_path_factory.mktemp(name) for name in ("unlit", "table"))
    return record_moves(folder, table_folder, replace(Settings(), lights=dark))


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
    assert decisions(events) == decisions(watched)
    assert (events[-1]["event"], events[-1]["moves"]) == ("summary", PLIES)
    pictures = sum(1 for _ in (recording / TIMES).read_text().splitlines())
    assert events[-1]["frames"] == pictures, "none is dropped, however slow the machine is"


def test_a_phone_that_streams_the_table_is_refereed(
    unlit_recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watched = lines(capsys, "watch", unlit_recording, "--game", "duo", "--json")
    jpegs = [encode_jpeg(load_picture(path), 90) for path in sorted(unlit_recording.glob("*.png"))]
    with HttpCameraServer(stream(jpegs, 0.25)) as phone:
        url = phone.url("/video", "ann:secret")
        saved = tmp_path / "saved"
        words = ["run", "--camera", url, "--no-page", "--folder", str(tmp_path), "--json"]
        words += ["--save", str(saved)]
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
    assert all(path.read_bytes() in jpegs for path in saved.glob("*.jpg"))
    assert lines(capsys, "watch", saved, "--json")[: len(events)] == events
    assert not any(b"secret" in path.read_bytes() for path in saved.iterdir())


def test_a_recording_that_is_saved_again_has_the_same_decisions(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, folder = tmp_path / "saved", tmp_path / "state"
    words = ("--camera", recording, "--no-page", "--folder", folder, "--save", saved)
    events = lines(capsys, "run", *words, "--speed", "4", "--json")
    again = lines(capsys, "watch", saved, "--game", "duo", "--json")
    assert decisions(again) == decisions(events)
