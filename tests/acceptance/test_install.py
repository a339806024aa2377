"""A release on a whole Debian with systemd: installed, refereeing, hung, updated, removed.

The table, the page and the player run under the rights of their units; a camera in the network,
which is this test, shows a rendered table.
"""

import json
import platform
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.container import Container, ContainerError, booted, missing
from tests.support.http_camera import CameraRequest, HttpCameraServer, answer
from tests.support.rendered_table import RenderedTable, whole_game
from tests.support.waiting import eventually

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "containers can be started")

SUITES = {"trixie": "3.13", "bookworm": "3.11"}
"""The Debian under each Raspberry Pi OS, and its Python."""

STARTED_S = 60.0
MOST_EXPOSED = {"table": 1.6, "page": 1.2, "player@": 1.2, "warm": 1.2}
"""Highest scores by `systemd-analyze security`; the table's is with a camera in the network."""

BROKEN = {
    "cornerlight-page": "systemctl stop cornerlight-page",
    "folder": "chmod 000 /var/lib/cornerlight",
    "groups": "groupdel spi",
    "way to the camera": "rm -r /etc/systemd/system/cornerlight-table.service.d && "
    "systemctl daemon-reload && systemctl restart cornerlight-table",
}
"""Commands that break something, by the check that finds it."""

MOVES = whole_game(GAMES["duo"], 3)


class TableInView:
    """A rendered table, the camera that shows it, and the service that referees it."""

    def __init__(self) -> None:
        self._table = RenderedTable(GAMES["duo"])
        self._lock = threading.Lock()
        self.laid = 0
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]

    def respond(self, _: CameraRequest, line: socket.socket) -> object:
        with self._lock:
            (jpeg,) = self._table.jpegs(1)
        line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))
        return True

    def lay(self) -> None:
        """Lays the next piece, and waits until it is accepted."""
        with self._lock:
            self._table.lay(*MOVES[self.laid])
        self.laid += 1
        eventually(lambda: self.page()["plies"] == self.laid, STARTED_S)

    def page(self) -> dict[str, Any]:
        with urlopen(f"http://127.0.0.1:{self.port}/page.json", timeout=10) as reply:
            page: dict[str, Any] = json.load(reply)
        page["plies"] = sum(bool(move["squares"]) for move in page.get("moves", ()))
        return page

    def follows(self) -> bool:
        """True if the service sees the table, and its game is as it was laid."""
        try:
            page = self.page()
        except OSError:
            return False
        code = page.get("state", {}).get("code")
        return code in ("waiting", "accepted", "new-game") and page["plies"] == self.laid


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked archive of a release."""
    out = tmp_path_factory.mktemp("release")
    script = [sys.executable, str(ROOT / "systemd" / "release.py"), "--out", str(out)]
    subprocess.run([*script, "--machine", platform.machine()], check=True, cwd=ROOT)
    (archive,) = out.glob("*.tar.gz")
    unpacked = out / "unpacked"
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    return folder


@contextmanager
def machine(suite: str, release: Path, folder: Path) -> Iterator[tuple[Container, TableInView]]:
    """A machine with a camera in its network, and the settings for it."""
    table = TableInView()
    with ExitStack() as stack:
        camera = stack.enter_context(HttpCameraServer(table.respond))
        try:
            container = stack.enter_context(booted(suite, folder))
        except ContainerError as error:
            pytest.skip(str(error))
        shutil.copytree(release, container.shared / "release")
        settings = f'[camera]\nsource = "{camera.url("/shot.jpg")}"\n[page]\nport = {table.port}\n'
        (container.shared / "table.toml").write_text(settings)
        dropin = "/etc/systemd/system/cornerlight-table.service.d"
        container.done(
            f"mkdir -p /etc/cornerlight {dropin}; cp /shared/table.toml /etc/cornerlight"
        )
        network = "s/^IPAddressAllow=.*/IPAddressAllow=127.0.0.1/"
        source = "/shared/release/systemd/network-camera.conf"
        container.done(f"sed '{network}' {source} > {dropin}/network-camera.conf")
        yield container, table


def installed(container: Container, release: str = "release") -> tuple[int, str]:
    return container.run(f"cd /shared/{release} && WAIT_S=40 python3 systemd/installer.py install")


def current(container: Container) -> str:
    return Path(container.done("readlink /opt/cornerlight/current")).name


@pytest.mark.parametrize("suite", SUITES)
def test_from_an_empty_machine_to_a_refereed_game(
    suite: str, release: Path, tmp_path: Path
) -> None:
    with machine(suite, release, tmp_path) as (container, table):
        status, output = installed(container)
        assert status == 0, output
        assert "goes on without the Raspberry Pi's own camera" in output
        eventually(table.follows, STARTED_S)
        table.lay()
        table.lay()
        doctor_finds_what_is_broken(container)
        a_report_has_no_number(container)
        systemd_finds_nothing_to_say(container)
        rights_are_narrow(container)
        a_phone_can_be_paired(container)
        a_hang_ends_no_game(container, table)
        an_update_ends_no_game(container, table)
        a_release_that_does_not_run_is_left(container, table, release)
        status, output = container.run(
            "cd /shared/release && python3 systemd/installer.py rollback"
        )
        assert status == 0, output
        assert current(container).startswith("0001-")
        eventually(table.follows, STARTED_S)
        table.lay()
        the_player_answers(container)
        nothing_but_games_stays(container)


def doctor_finds_what_is_broken(container: Container) -> None:
    """All is fine; each thing that is broken is named, with what mends it."""
    assert doctor(container) == {}
    for name, breaks in BROKEN.items():
        container.done(breaks)
        found = doctor(container)
        assert name in found
        assert found.keys() <= {name, "camera"}, "a camera without a way gives no pictures"
        container.done(found[name]["remedy"].replace("sudo ", ""))
        eventually(lambda: doctor(container) == {}, STARTED_S)


def a_report_has_no_number(container: Container) -> None:
    """The log of the table has the number that pairs a phone; the report hides it."""
    container.done("cd /tmp && cornerlight doctor --report report.txt")
    report, log = container.done("cat /tmp/report.txt"), container.done("journalctl")
    number = re.compile(r"type \d{4} \d{4} \d{4} at")
    assert number.search(log)
    assert "type ... at /arbiter of the score page" in report
    assert not number.search(report)


def doctor(container: Container) -> dict[str, dict[str, str]]:
    """What is wrong or not known without any option in any folder."""
    status, output = container.run("cd /tmp && cornerlight doctor --json")
    checks = json.loads(output)["checks"]
    assert status == any(one["fine"] is False for one in checks), output
    names = {one["name"] for one in checks}
    assert {"cornerlight-table", "folder", "clock", "address"} <= names
    return {one["name"]: one for one in checks if not one["fine"]}


def systemd_finds_nothing_to_say(container: Container) -> None:
    """Also the newer systemd accepts every line, and finds few rights."""
    units = "cornerlight-*.service cornerlight-*.socket"
    assert container.done(f"cd /etc/systemd/system && systemd-analyze verify {units}") == ""
    for unit, most in MOST_EXPOSED.items():
        placed = f"/etc/systemd/system/cornerlight-{unit}.service"
        said = container.done(f"systemd-analyze security --offline=yes {placed} | tail -n 1")
        found = re.search(r": ([\d.]+)", said)
        assert found
        assert float(found[1]) <= most, said


def rights_are_narrow(container: Container) -> None:
    """The page sees neither journal nor devices; the table writes only its own files."""
    pids = {
        unit: container.done(f"systemctl show -P MainPID cornerlight-{unit}")
        for unit in ("table", "page")
    }
    page, table = pids["page"], pids["table"]
    seen = f"/proc/{page}/root"
    assert container.run(f"ls {seen}/var/lib/cornerlight/journal.sqlite")[0] != 0
    assert container.run(f"ls {seen}/run/cornerlight-games")[0] == 0
    as_page = "su -s /bin/sh cornerlight-page -c"
    assert container.run(f"{as_page} 'cat /var/lib/cornerlight/journal.sqlite'")[0] != 0
    assert "0000000000000000" in container.done(f"grep CapEff /proc/{page}/status")
    assert "0000000000000000" in container.done(f"grep CapEff /proc/{table}/status")


def a_phone_can_be_paired(container: Container) -> None:
    number = json.loads(container.done("cd / && cornerlight pair --json"))["number"]
    assert re.fullmatch(r"\d{12}", number)
    owner = container.done("stat -c %U /var/lib/cornerlight/paired.json")
    assert owner == "cornerlight", "the table reads what root has written"


def a_hang_ends_no_game(container: Container, table: TableInView) -> None:
    before = container.done("systemctl show -P MainPID cornerlight-table")
    container.done(f"kill -STOP {before}")
    restarts = "systemctl show -P NRestarts cornerlight-table"
    eventually(lambda: container.done(restarts) != "0", 120)
    assert "watchdog" in container.done("journalctl -u cornerlight-table").lower()
    eventually(table.follows, STARTED_S)
    table.lay()


def an_update_ends_no_game(container: Container, table: TableInView) -> None:
    status, output = installed(container)
    assert status == 0, output
    assert current(container).startswith("0002-")
    eventually(table.follows, STARTED_S)
    table.lay()
    settings = container.done("cat /etc/cornerlight/table.toml")
    assert settings == (container.shared / "table.toml").read_text().strip()


def a_release_that_does_not_run_is_left(
    container: Container, table: TableInView, release: Path
) -> None:
    broken = container.shared / "broken"
    shutil.copytree(release, broken)
    unit = broken / "systemd" / "cornerlight-table.service"
    damaged = unit.read_text().replace("cornerlight run --no-page", "cornerlight run --no-table")
    unit.write_text(damaged)
    status, output = installed(container, "broken")
    assert status == 1
    assert "is damaged; unpack the archive again" in output
    container.done(
        "cd /shared/broken && find . -type f ! -name SHA256SUMS | sed 's,^./,,' | "
        "xargs -d '\\n' sha256sum > /tmp/sums && cp /tmp/sums SHA256SUMS"
    )
    status, output = installed(container, "broken")
    assert status == 1
    assert "was not active within 40 s" in output
    assert "0002-0.1.0 runs again" in output
    assert current(container).startswith("0002-")
    eventually(table.follows, STARTED_S)


def the_player_answers(container: Container) -> None:
    """Connects as the table does, and asks for a move of the first position."""
    (container.shared / "ask.py").write_text(
        "import json\n"
        "from firmware.player.client import EngineClient\n"
        "from firmware.rules.position import Position\n"
        "link = EngineClient()\n"
        "answer = link.wait(link.ask(str(Position.start('duo')), level=1), 280)\n"
        "print(len(answer.choices))\n"
        "link.close()\n"
    )
    python = "/opt/cornerlight/current/venv/bin/python"
    variable = "CORNERLIGHT_PLAYER_SOCKET=/run/cornerlight-player.sock"
    asked = f"cd / && su -s /bin/sh cornerlight -c '{variable} {python} /shared/ask.py'"
    assert int(container.done(asked, 300)) > 0


def nothing_but_games_stays(container: Container) -> None:
    container.done("cd /shared/release && python3 systemd/installer.py uninstall")
    assert container.run("ls /opt/cornerlight /usr/local/bin/cornerlight")[0] != 0
    assert container.run("systemctl cat cornerlight-table")[0] != 0
    assert container.run("systemctl is-active cornerlight-table")[0] != 0
    container.done("ls /var/lib/cornerlight/journal.sqlite /etc/cornerlight/table.toml")
