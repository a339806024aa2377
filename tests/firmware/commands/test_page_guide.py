"""The guide to the page: once the addresses and a number, once the causes that no phone came."""

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from firmware.commands import page_guide
from firmware.commands.page_guide import PageGuide, has_desktop, lonely_advice, open_browser
from firmware.commands.page_process import PageProcess
from firmware.session.pairing import Pairing
from firmware.settings import PageSettings
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK

URL = "http://192.168.1.5:8123/"


class FakePageProcess(PageProcess):
    """A page that listens on a port as soon as the test says so."""

    def __init__(self) -> None:
        self.settings = PageSettings()  # type: ignore[misc]
        self.port = None
        self.tls_port = None
        self.was_visited = False

    def check(self) -> None:
        """It runs for ever."""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Returns a list whose only item is added to the clock; there is one network."""
    added = [0.0]
    begun = time.monotonic()
    monkeypatch.setattr("firmware.commands.page_guide.time.monotonic", lambda: begun + added[0])
    monkeypatch.setattr(page_guide, "page_urls", lambda *_: (URL, "http://10.0.0.3:8123/"))
    return added


def guide_of(page: FakePageProcess | None, folder: Path, *, is_silent: bool = False) -> PageGuide:
    pairing = Pairing(folder / "paired.json")
    return PageGuide(page, pairing, "table", ["--folder", "a b"], is_silent=is_silent)


def test_addresses_and_number_are_said_once_the_page_answers(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    guide.turn()
    assert capsys.readouterr().out == ""
    page.port = 8123
    guide.turn()
    output = capsys.readouterr().out
    assert URL in output
    assert "http://10.0.0.3:8123/" in output
    assert "http://localhost:8123/" in output
    assert f"at {URL}arbiter within 5 minutes" in output
    assert "for another number: cornerlight pair --folder 'a b'" in output
    guide.turn()
    assert capsys.readouterr().out == ""


def test_after_a_game_the_page_the_commands_and_pairing_are_said(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    page.port = 8123
    guide.say_next({"play another game": "cornerlight demo --game classic"})
    assert capsys.readouterr().out.splitlines() == [
        "what to try next:",
        "  - see the page: http://localhost:8123/",
        "  - play another game: cornerlight demo --game classic",
        "  - pair a phone as arbiter: cornerlight pair --folder 'a b'",
    ]


def test_a_minute_without_a_phone_names_three_causes_once(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    page.port = 8123
    later[0] = 59.0
    guide.turn()
    assert "no phone" not in capsys.readouterr().out
    later[0] = 61.0
    guide.turn()
    output = capsys.readouterr().out
    assert URL in output
    assert all(cause in output for cause in ("another WiFi", "for guests", "firewall"))
    later[0] = 200.0
    guide.turn()
    assert capsys.readouterr().out == ""


def test_a_camera_that_does_not_come_within_a_minute_names_the_causes_and_its_port(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    guide.takes_camera = page.was_visited = True
    page.port, page.tls_port = 8123, 8124
    guide.turn()
    assert f"at {URL}camera within 5 minutes" in capsys.readouterr().out
    later[0] = 61.0
    guide.turn()
    output = capsys.readouterr().out
    assert output.startswith(f"no phone is the camera at {URL} yet")
    assert "the camera needs port 8124 in the same way" in output
    guide.turn()
    assert capsys.readouterr().out == ""


def test_another_address_is_announced_with_new_codes(
    tmp_path: Path,
    later: list[float],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    guide.takes_camera, page.port = True, 8123
    guide.turn()
    assert capsys.readouterr().out.count("/camera") == 1
    monkeypatch.setattr(page_guide, "page_urls", lambda *_: ("http://10.9.9.9:8123/",))
    later[0] = 5.0
    guide.turn()
    assert capsys.readouterr().out == ""
    later[0] = 11.0
    guide.turn()
    output = capsys.readouterr().out
    assert output.startswith("this machine has another address now")
    assert "at http://10.9.9.9:8123/camera within 5 minutes" in output
    later[0] = 30.0
    guide.turn()
    assert capsys.readouterr().out == ""


def test_where_no_camera_is_found_the_code_for_a_phone_is_said_once(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    page.port = 8123
    guide.turn()
    assert "/camera" not in capsys.readouterr().out
    guide.offer_camera()
    output = capsys.readouterr().out
    assert "no camera was found; name one with --camera, or take a phone" in output
    assert f"at {URL}camera within 5 minutes" in output
    guide.offer_camera()
    later[0], page.was_visited = 61.0, True
    guide.camera_came = lambda: True
    guide.turn()
    assert capsys.readouterr().out == ""


def test_after_a_phone_came_no_causes_are_named(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path)
    page.port = 8123
    page.was_visited = True
    guide.turn()
    capsys.readouterr()
    later[0] = 61.0
    guide.turn()
    assert capsys.readouterr().out == ""


def test_where_a_program_reads_nothing_is_said_and_no_number_drawn(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    page = FakePageProcess()
    guide = guide_of(page, tmp_path, is_silent=True)
    page.port = 8123
    later[0] = 61.0
    guide.turn()
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "paired.json").exists()


def test_without_a_page_of_its_own_only_the_number_is_said(
    tmp_path: Path, later: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    guide_of(None, tmp_path).turn()
    output = capsys.readouterr().out
    assert "/arbiter of the score page" in output
    assert "http://" not in output


def test_without_a_network_the_reason_takes_the_place_of_the_causes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_guide, "page_urls", lambda *_: ())
    assert "page.host is 127.0.0.1" in lonely_advice("127.0.0.1", 8123)


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"SSH_CONNECTION": "10.0.0.2 50 10.0.0.3 22"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "10.0.0.2 50 10.0.0.3 22"}, "darwin", False),
    ],
)
def test_a_desktop_is_where_a_browser_would_appear(
    environ: dict[str, str], platform: str, *, expected: bool
) -> None:
    assert has_desktop(environ, platform) is expected


@WALL_CLOCK
def test_the_browser_gets_the_address_and_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nsleep 1\necho "$1" > {shlex.quote(str(opened))}\n')
    script.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{script} %s")
    begun = time.monotonic()
    open_browser("http://localhost:8123/")
    assert time.monotonic() - begun < 0.5
    eventually(lambda: opened.exists() and opened.read_text() == "http://localhost:8123/\n")


def test_a_browser_that_cannot_be_started_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROWSER", "/nowhere/browser")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    open_browser("http://localhost:8123/")
    time.sleep(0.2)
    assert capfd.readouterr() == ("", "")
    assert os.environ["BROWSER"]
