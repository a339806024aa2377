"""The installation at a first start: what it waits for, and what it shows meanwhile."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import first_boot
import installer
import pytest
from first_boot import NETWORK, STEPS, Progress

from tests.support.free_port import free_port
from tests.support.waiting import eventually


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(first_boot, "PORT", free_port())
    monkeypatch.setattr(first_boot, "SCREEN", tmp_path / "issue.d" / "cornerlight.issue")
    monkeypatch.setattr(first_boot, "_PAGE_ENABLED", tmp_path / "page-enabled")
    return first_boot.PORT


def page(port: int) -> tuple[str, str]:
    """Returns the step in the headers, and the page."""
    with urlopen(f"http://127.0.0.1:{port}/any/path", timeout=10) as reply:
        return reply.headers["Cornerlight-Step"], reply.read().decode()


def screen() -> str:
    return first_boot.SCREEN.read_text()


def test_each_step_is_shown_and_the_port_is_given_back(port: int) -> None:
    progress = Progress()
    for number, step in enumerate(STEPS[:-1], 1):
        progress.begin(step)
        told, text = page(port)
        assert told == str(number)
        assert f"<li class=now>{step} ..." in text
        assert text.count("&#10003;") == number - 1
        assert f"step {number} of 7, {step}." in screen()
    progress.begin(STEPS[-1])
    with pytest.raises(URLError):
        page(port)
    progress.fail("the table <did> not start")
    assert "the table &lt;did&gt; not start" in page(port)[1]
    assert "the table <did> not start" in screen()
    progress.begin(STEPS[2])
    assert "did" not in page(port)[1] + screen()
    progress.close()


def test_the_score_page_of_an_earlier_release_gets_its_port(port: int) -> None:
    first_boot._PAGE_ENABLED.symlink_to("/")
    progress = Progress()
    progress.begin(NETWORK)
    progress.fail("trouble")
    with socket.create_server(("", port)):
        assert "trouble" in screen()


def test_a_port_that_is_taken_stops_nothing(port: int) -> None:
    with socket.create_server(("", port)):
        progress = Progress()
        progress.begin(NETWORK)
        progress.fail("trouble")
        progress.close()
    assert "trouble" in screen()


def test_a_flood_of_connections_takes_nothing_from_the_installation(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress()
    progress.begin(NETWORK)
    most = threading.active_count() + 3
    monkeypatch.setattr(first_boot, "MOST_REQUESTS", most)
    with ExitStack() as stack:
        address = ("127.0.0.1", port)
        silent = [stack.enter_context(socket.create_connection(address, 5)) for _ in range(8)]
        assert silent[-1].recv(1) == b"", "it was closed"
        assert threading.active_count() == most + 1
    eventually(lambda: threading.active_count() < most)
    assert page(port)[0] == "1"
    progress.close()


def test_the_steps_of_the_installer_are_those_that_are_shown(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "_checked",
        "_install_packages",
        "_place_files",
        "_made",
        "_configure",
        "_examine",
        "_boot_configured",
        "current",
        "_activate",
        "_drop_old",
        "_becomes_active",
        "_run",
    ):
        monkeypatch.setattr(installer, name, lambda *_, **__: Path("0001-x"))
    monkeypatch.setattr(installer, "_UNCOMPILED", first_boot.SCREEN.with_name("uncompiled"))
    first_boot.SCREEN.parent.mkdir()
    steps: list[str] = []
    installer.install(steps.append)
    assert tuple(steps) == STEPS[2:]


def test_a_missing_network_is_said_until_it_is_there(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, False, True])
    monkeypatch.setattr(first_boot, "LATE_S", -1.0)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(first_boot, "_has_way", lambda: next(answers))
    progress = Progress()
    first_boot.await_network(progress)
    assert "Plug in a network cable" in screen()
    progress.close()


def test_a_web_server_tells_the_time_where_ntp_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response_only(200)
            self.send_header("Date", formatdate(4_000_000_000, usegmt=True))
            self.end_headers()

    set_to: list[float] = []
    monkeypatch.setattr(first_boot, "_SYNCHRONIZED", tmp_path / "synchronized")
    monkeypatch.setattr(first_boot, "TIME_S", -1.0)
    monkeypatch.setattr(time, "clock_settime", lambda _, told: set_to.append(told))
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        monkeypatch.setattr(
            first_boot, "_TIME_SERVER", f"http://127.0.0.1:{server.server_address[1]}/"
        )
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        first_boot.await_time()
        thread.join()
    assert set_to == [4_000_000_000]
    first_boot.await_time()
    assert len(set_to) == 1, "nobody answers, and it goes on"


def test_settings_on_the_card_are_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, config = tmp_path / "table.toml", tmp_path / "etc" / "table.toml"
    monkeypatch.setattr(first_boot, "CARD", tmp_path)
    monkeypatch.setattr(first_boot, "DONE", tmp_path / "done")
    monkeypatch.setattr(installer, "CONFIG", config)
    first_boot.take_settings()
    assert not config.exists()
    for text in ("[lights", "[lights]\n"):
        card.write_text(text)
        first_boot.take_settings()
        assert config.read_text() == text, "also after a mistake in them was mended"
    first_boot.DONE.touch()
    card.write_text("old")
    first_boot.take_settings()
    assert config.read_text() == "[lights]\n", "what was set later stays"


def test_a_failed_installation_is_said_and_tried_again(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = [installer.InstallError("make room"), OSError(5, "Input error")]
    seen: list[str] = []
    waits: list[float] = []
    steps = iter(STEPS[3:])

    def install(say: Callable[[str], None]) -> bool:
        seen.append(screen())
        say(next(steps))
        if errors:
            raise errors.pop(0)
        return False

    card, unpacked = tmp_path / "card", tmp_path / "unpacked"
    for folder in (card, unpacked):
        folder.mkdir()
    (card / "SHA256SUMS").write_text("sums")
    monkeypatch.setattr(installer, "install", install)
    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(installer, "FROM", unpacked)
    monkeypatch.setattr(first_boot, "CARD", card)
    monkeypatch.setattr(first_boot, "DONE", tmp_path / "done")
    monkeypatch.setattr(first_boot, "_has_way", lambda: True)
    monkeypatch.setattr(first_boot, "_SYNCHRONIZED", card)
    assert first_boot.main() == 0
    assert "make room. It tries again every 30 s" in seen[1]
    assert "Input error. It tries again every 600 s" in seen[2]
    assert waits == [30, 600], "what takes a network is tried soon, what fills the card is not"
    assert (tmp_path / "done").read_text() == "sums"
    assert screen() == "", "the table shows itself now"
    assert not unpacked.exists()
