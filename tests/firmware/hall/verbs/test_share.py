"""`share`, `join` and `unshare` as processes, against a real broker and a real feed socket."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
import segno

from firmware.commands.main import main
from firmware.hall.link import mqtt
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.messages import Status, Summary, decode
from firmware.hall.link.topics import TableTopic
from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.free_port import free_port
from tests.support.hall_bench import HallBench
from tests.support.turning_feed import TurningFeed
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[HallBench]:
    with HallBench(tmp_path / "hall") as bench:
        yield bench


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of a table that runs."""
    made = tmp_path / "table"
    made.mkdir()
    with TurningFeed(made / "feed.sock") as feed:
        feed.publish(example_pages.classic_middle())
        yield made


@contextmanager
def sharing(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "firmware", "share", "--json", "--folder", str(folder), *words]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    too_late = threading.Timer(60.0, process.kill)
    too_late.start()
    try:
        yield process
    finally:
        too_late.cancel()
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> dict[str, object]:
    assert process.stdout is not None
    text = process.stdout.readline()
    assert text, process.communicate()[1]
    printed: dict[str, object] = json.loads(text)
    return printed


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Runs a verb that ends with 2; returns its one line."""
    assert main(words) == 2
    message = capsys.readouterr().err
    assert message.startswith("cornerlight: ")
    assert message.count("\n") == 1
    return message


def test_a_table_joins_shares_and_leaves(
    hall: HallBench, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser = hall.join("hall", hall.topics.all_of_tables)
    words = "--folder", str(folder), "--json"
    assert main(["join", hall.invitation().uri, *words]) == 0
    joined = json.loads(capsys.readouterr().out)
    assert joined == {"event": "joined", "hall": "testhall", "table": "07", "name": "Test hall"}
    with sharing(folder) as process:
        assert line(process)["event"] == "connected"
        summary = hall.topics.table("07", TableTopic.SUMMARY)
        assert decode(Summary, organiser.wait_for(summary)[0]).game == "classic"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20.0) == 0
        assert process.communicate()[1] == ""
    status = hall.topics.table("07", TableTopic.STATUS)
    eventually(lambda: not decode(Status, organiser.messages[status][-1]).online)
    assert main(["unshare", *words]) == 0
    assert json.loads(capsys.readouterr().out)["event"] == "left"
    eventually(lambda: organiser.messages[summary][-1] == b"")
    late = hall.join("hall", hall.topics.all_of_tables)
    time.sleep(0.5)
    assert late.messages == {}
    assert LinkFile(folder).read() is None


def test_unshare_ends_a_share_that_runs_and_it_waits_for_the_next_invitation(
    hall: HallBench, folder: Path
) -> None:
    LinkFile(folder).write(hall.invitation())
    with sharing(folder, "--wait") as process:
        assert line(process)["event"] == "connected"
        assert main(["unshare", "--folder", str(folder)]) == 0
        time.sleep(1.5)
        assert process.poll() is None
        late = hall.join("hall", hall.topics.all_of_tables)
        time.sleep(0.5)
        assert late.messages == {}
        LinkFile(folder).write(hall.invitation())
        event = line(process)["event"]
        if event == "lost":  # to unshare's connection, unless share had seen first that it leaves
            event = line(process)["event"]
        assert event == "connected"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20.0) == 0


def test_a_second_share_of_a_table_is_refused(
    hall: HallBench, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    LinkFile(folder).write(hall.invitation())
    with sharing(folder) as process:
        line(process)
        assert "another share" in refused(capsys, "share", "--folder", str(folder))


def test_share_without_table_hall_or_right_secret_is_one_sentence(
    hall: HallBench,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = "share", "--folder", str(folder)
    assert "belongs to no hall" in refused(capsys, *words)
    LinkFile(folder).write(hall.invitation("07", "wrong-secret"))
    assert "does not accept this table" in refused(capsys, *words)
    LinkFile(folder).write(hall.invitation("07", fingerprint="0" * 64))
    assert "another hall answers" in refused(capsys, *words)
    uri = hall.invitation().uri.replace(str(hall.broker.port), str(free_port()))
    (folder / "hall.json").write_text(json.dumps({"invitation": uri}))
    monkeypatch.setattr("firmware.hall.verbs.share._ANSWERS_S", 1.0)
    assert "does not answer" in refused(capsys, *words)
    (folder / "hall.json").write_text("{")
    assert "damaged" in refused(capsys, *words)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no table runs" in refused(capsys, "share", "--folder", str(empty))
    assert "no table keeps" in refused(capsys, "share", "--folder", str(tmp_path / "none"))


def test_join_of_what_is_no_invitation_is_one_sentence_and_changes_nothing(
    hall: HallBench, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "--folder", str(folder)
    assert "no invitation" in refused(capsys, "join", "cornerlight://nobody", *words)
    assert "neither an address" in refused(capsys, "join", "http://hall.local/07", *words)
    plain = tmp_path / "plain.png"
    cv2.imwrite(str(plain), np.full((400, 400, 3), 200, np.uint8))
    assert "no QR code" in refused(capsys, "join", str(plain), *words)
    text = tmp_path / "text.png"
    text.write_text("no picture")
    refused(capsys, "join", str(text), *words)
    wrong = hall.invitation("07", "wrong-secret").uri
    assert "does not accept" in refused(capsys, "join", wrong, *words)
    assert LinkFile(folder).read() is None


def test_join_takes_a_photo(
    hall: HallBench, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "invitation.png"
    segno.make(hall.invitation().uri).save(str(photo), scale=6, border=4)
    assert main(["join", str(photo), "--folder", str(folder)]) == 0
    assert "this is table 7 of Test hall" in capsys.readouterr().out
    assert LinkFile(folder).read() == hall.invitation()


def test_unshare_without_a_hall_is_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "belongs to no hall" in refused(capsys, "unshare", "--folder", str(folder))


def test_unshare_without_the_broker_keeps_the_hall(
    hall: HallBench,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    briefly = partial(mqtt.connect_once, within_s=1.0)
    monkeypatch.setattr(mqtt, "connect_once", briefly)
    LinkFile(folder).write(hall.invitation())
    hall.broker.close()
    assert "does not answer" in refused(capsys, "unshare", "--folder", str(folder))
    assert LinkFile(folder).read() == hall.invitation()


@pytest.mark.parametrize("verb", ["share", "unshare"])
def test_without_the_extra_a_sentence_says_how_to_install_it(
    verb: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.hall.verbs.club_link._LIBRARIES", ("nothing_of_that_name",))
    said = refused(capsys, verb, "--folder", str(folder))
    assert "-m pip install paho-mqtt rustworkx" in said


def test_the_verbs_load_without_the_extra(tmp_path: Path) -> None:
    blocker = tmp_path / "paho"
    blocker.mkdir()
    (blocker / "__init__.py").write_text("raise ImportError")
    (tmp_path / "cryptography.py").write_text("raise ImportError")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    for verb in ("share", "join", "unshare", "run", "page", "demo"):
        done = subprocess.run(
            [sys.executable, "-m", "firmware", verb, "--help"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
