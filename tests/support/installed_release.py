"""A release on a machine of its own: what is done to it, and what has to come of it.

Table, page and player run there under the rights of their units, and referee a rendered table.
"""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from firmware.rules.variants import GAMES
from tests.conftest import ROOT
from tests.support.rendered_table import RenderedTable, whole_game
from tests.support.shared_shell import SHARED, SharedShell
from tests.support.waiting import eventually
from vision.camera import Frame, Image

_MOVES: Final = whole_game(GAMES["duo"], 3)

_MOST_EXPOSED: Final = {"table": 1.6, "page": 1.2, "player@": 1.2, "warm": 1.2}
"""Highest scores by `systemd-analyze security`; the table's is with a camera in the network."""

_BROKEN: Final = {
    "cornerlight-page": "systemctl stop cornerlight-page",
    "folder": "chmod 000 /var/lib/cornerlight",
    "groups": "groupdel spi",
    "way to the camera": "rm -r /etc/systemd/system/cornerlight-table.service.d && "
    "systemctl daemon-reload && systemctl restart cornerlight-table",
}
"""Commands that break something, by the check that finds it."""

_STARTED_S: Final = 60.0
"""Seconds in which a restarted service follows the game again, on a PC."""

_PLACED: Final = ("waiting", "accepted", "new-game")
"""States of a table that has read the board as it lies."""


def unpacked_release(folder: Path, machine: str) -> Path:
    """Builds the archive of this checkout for a processor; returns the folder in it."""
    return built_release(folder, machine)[0]


def built_release(folder: Path, machine: str, *pythons: str) -> tuple[Path, Path]:
    """Builds a release of this checkout for a processor, and for all Pythons if none is named.

    Returns:
        The unpacked archive, and the zip file for a freshly written card.
    """
    script = [sys.executable, str(ROOT / "systemd" / "release.py"), "--out", str(folder)]
    chosen = [word for python in pythons for word in ("--python", python)]
    subprocess.run([*script, "--machine", machine, *chosen], check=True, cwd=ROOT)
    (archive,), (card,) = folder.glob("*.tar.gz"), folder.glob("*.zip")
    unpacked = folder / "unpacked"
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    (release,) = unpacked.iterdir()
    return release, card


class InstalledRelease:
    """A machine, the table in view of its camera, and the release that referees it.

    Args:
        shell: the machine.
        release: folder of the unpacked archive.
        port: port of this machine at which its page answers.
        slowness: how many times as long as a PC's everything may take.

    Attributes:
        laid: placements so far.
        end_turn: what a person, 0 or 1, does after a placement; nothing by default.
    """

    def __init__(self, shell: SharedShell, release: Path, port: int, slowness: float = 1.0) -> None:
        self.shell: Final = shell
        self._slowness: Final = slowness
        self._port: Final = port
        self._table: Final = RenderedTable(GAMES["duo"])
        self._lock: Final = threading.Lock()
        self.laid = 0
        self.end_turn: Callable[[int], None] = lambda person: None
        shutil.copytree(release, shell.shared / "release")

    # The table and its page

    def picture(self) -> Image:
        """Returns the next picture of the camera."""
        with self._lock:
            frame = self._table.read()
        assert isinstance(frame, Frame)
        return frame.image

    def lay(self) -> None:
        """Lays the next piece, ends the turn, and waits until the piece is accepted."""
        with self._lock:
            self._table.lay(*_MOVES[self.laid])
        person = self.laid % 2
        self.laid += 1
        self._eventually(lambda: self._is_accepted(person))

    def _is_accepted(self, person: int) -> bool:
        """Ends the turn, also again: the table may not have seen the piece at the first time."""
        if self.page()["plies"] < self.laid:
            self.end_turn(person)
        return bool(self.page()["plies"] == self.laid)

    def page(self) -> dict[str, Any]:
        with urlopen(f"http://127.0.0.1:{self._port}/page.json", timeout=60) as reply:
            page: dict[str, Any] = json.load(reply)
        page["plies"] = sum(bool(move["squares"]) for move in page.get("moves", ()))
        return page

    def goes_on(self) -> None:
        """Waits until the service sees the table, with the game as it was laid."""
        self._eventually(self._follows)

    def _follows(self) -> bool:
        try:
            page = self.page()
        except OSError:
            return False
        return page.get("state", {}).get("code") in _PLACED and page["plies"] == self.laid

    def _eventually(self, holds: Callable[[], object], within_s: float = _STARTED_S) -> None:
        eventually(holds, self._slowness * within_s, every_s=0.2 * self._slowness)

    # The installer

    def install(self, folder: str = "release") -> tuple[int, str]:
        """Runs the installer of a shared folder; returns its status and its words."""
        wait = f"WAIT_S={40 * self._slowness:.0f}"
        command = f"cd {SHARED}/{folder} && {wait} python3 systemd/installer.py install"
        return self.shell.run(command, 300 * self._slowness)

    @property
    def current(self) -> str:
        """Name of the release that runs."""
        return Path(self.shell.done("readlink /opt/cornerlight/current")).name

    # What has to hold

    def doctor(self) -> dict[str, dict[str, str]]:
        """Returns what is wrong or not known, found without any option in any folder."""
        status, output = self.shell.run("cd /tmp && cornerlight doctor --json")
        checks = json.loads(output)["checks"]
        assert status == any(one["fine"] is False for one in checks), output
        names = {one["name"] for one in checks}
        assert {"cornerlight-table", "folder", "clock", "address"} <= names
        return {one["name"]: one for one in checks if not one["fine"]}

    def doctor_finds_what_is_broken(self) -> None:
        """All is fine; each thing that is broken is named, with what mends it."""
        assert self.doctor() == {}
        for name, breaks in _BROKEN.items():
            self.shell.done(breaks)
            found = self.doctor()
            assert name in found
            assert found.keys() <= {name, "camera"}, "a camera without a way gives no pictures"
            self.shell.done(found[name]["remedy"].replace("sudo ", ""))
            self._eventually(lambda: self.doctor() == {})

    def a_report_has_no_number(self) -> None:
        """The log of the table has the number that pairs a phone; the report hides it."""
        self.shell.done("cd /tmp && cornerlight doctor --report report.txt")
        report, log = self.shell.done("cat /tmp/report.txt"), self.shell.done("journalctl")
        number = re.compile(r"type \d{4} \d{4} \d{4} at")
        assert number.search(log)
        assert "type ... at /arbiter of the score page" in report
        assert not number.search(report)

    def systemd_finds_nothing_to_say(self) -> None:
        """Also the newer systemd accepts every line, and finds few rights."""
        units = "cornerlight-*.service cornerlight-*.socket cornerlight-*.path"
        found = self.shell.done(f"cd /etc/systemd/system && systemd-analyze verify {units}")
        assert found == ""
        for unit, most in _MOST_EXPOSED.items():
            placed = f"/etc/systemd/system/cornerlight-{unit}.service"
            scored = f"systemd-analyze security --offline=yes {placed} | tail -n 1"
            score = re.search(r": ([\d.]+)", self.shell.done(scored))
            assert score
            assert float(score[1]) <= most, unit

    def rights_are_narrow(self) -> None:
        """The page sees neither journal nor devices; the table writes only its own files."""
        page, table = (
            self.shell.done(f"systemctl show -P MainPID cornerlight-{unit}")
            for unit in ("page", "table")
        )
        seen = f"/proc/{page}/root"
        journal = "/var/lib/cornerlight/journal.jsonl"
        assert self.shell.run(f"ls {seen}{journal}")[0] != 0
        assert self.shell.run(f"ls {seen}/run/cornerlight-games")[0] == 0
        assert self.shell.run(f"su -s /bin/sh cornerlight-page -c 'cat {journal}'")[0] != 0
        for process in (page, table):
            assert "0000000000000000" in self.shell.done(f"grep CapEff /proc/{process}/status")

    def the_page_alone_has_its_key(self) -> None:
        """Where a phone can be the camera, it keeps its certificate in a folder of its own."""
        settings, key = "/etc/cornerlight/table.toml", "/var/cache/cornerlight-page/tls.pem"
        self.shell.done(
            f"cp {settings} /tmp && sed -i 's/^source = .*/source = \"auto\"/' {settings}"
        )
        self.shell.done("systemctl restart cornerlight-page")
        self._eventually(lambda: self.shell.run(f"ls {key}")[0] == 0)
        assert self.shell.done(f"stat -c '%U %a' {key}") == "cornerlight-page 600"
        assert self.shell.run(f"su -s /bin/sh cornerlight -c 'cat {key}'")[0] != 0
        self.shell.done(f"cp /tmp/table.toml {settings} && systemctl restart cornerlight-page")
        self.goes_on()

    def a_phone_can_be_paired(self) -> None:
        number = json.loads(self.shell.done("cd / && cornerlight pair --json"))["number"]
        assert re.fullmatch(r"\d{12}", number)
        owner = self.shell.done("stat -c %U /var/lib/cornerlight/paired.json")
        assert owner == "cornerlight", "the table reads what root has written"

    def _console(self) -> str:
        """Returns what the console shows above its prompt, which only root can read."""
        return self.shell.done("script -qc 'agetty --show-issue' /dev/null")

    def the_console_pairs_a_phone(self) -> None:
        """It shows the address, a number that pairs, and that a table does not run."""
        number = re.compile(r"type there +(\d{4} \d{4} \d{4})")
        self._eventually(lambda: number.search(self._console()))
        file = "/run/cornerlight/console.issue"
        assert self.shell.done(f"stat -c '%U %a' {file}") == "cornerlight 600"
        shown = self._console()
        found, name = number.search(shown), self.shell.done("uname -n")
        assert found
        assert f"http://{name}.local:{self._port}/arbiter" in shown
        assert re.search(rf"or    http://[\d.]+:{self._port}/arbiter", shown)
        assert found[1] not in self.shell.done("journalctl")
        before = self.shell.done("stat -c %Y /run/agetty.reload")
        self.shell.done("sleep 1.1; systemctl stop cornerlight-table")
        shown = self._console()
        assert "the table does not run now" in shown
        assert "http" not in shown
        assert self.shell.done("stat -c %Y /run/agetty.reload") != before
        self.shell.done("systemctl start cornerlight-table")
        self.goes_on()
        typed = found[1].replace(" ", "")
        (self.shell.shared / "type.py").write_text(
            "import time\n"
            "from pathlib import Path\n"
            "from firmware.session.pairing import Pairing\n"
            "pairing = Pairing(Path('/var/lib/cornerlight/paired.json'))\n"
            f"assert pairing.verify_code('{typed}', time.monotonic())\n"
        )
        # As the table sees it: outside its unit a container shows another id of the boot.
        enter = "nsenter --mount --target $(systemctl show -P MainPID cornerlight-table)"
        python = "/opt/cornerlight/current/venv/bin/python"
        self.shell.done(f"cd / && {enter} {python} {SHARED}/type.py")
        self._eventually(lambda: not number.search(self._console()))
        assert f"{name}.local:{self._port} " in self._console()

    def a_hang_ends_no_game(self) -> None:
        before = self.shell.done("systemctl show -P MainPID cornerlight-table")
        self.shell.done(f"kill -STOP {before}")
        restarts = "systemctl show -P NRestarts cornerlight-table"
        self._eventually(lambda: self.shell.done(restarts) != "0", 120)
        assert "watchdog" in self.shell.done("journalctl -u cornerlight-table").lower()
        self.goes_on()
        self.lay()

    def an_update_ends_no_game(self) -> None:
        configured = self.shell.done("cat /etc/cornerlight/table.toml")
        status, output = self.install()
        assert status == 0, output
        assert self.current.startswith("0002-")
        self.goes_on()
        self.lay()
        assert self.shell.done("cat /etc/cornerlight/table.toml") == configured

    def a_release_that_does_not_run_is_left(self) -> None:
        broken = self.shell.shared / "broken"
        shutil.copytree(self.shell.shared / "release", broken)
        unit = broken / "systemd" / "cornerlight-table.service"
        text = unit.read_text()
        unit.write_text(text.replace("cornerlight run --no-page", "cornerlight run --no-table"))
        status, output = self.install("broken")
        assert status == 1
        assert "is damaged or not part of this release; unpack the archive again" in output
        self.shell.done(
            f"cd {SHARED}/broken && find . -type f ! -name SHA256SUMS ! -name '*.pyc' | "
            "sed 's,^./,,' | xargs -d '\\n' sha256sum > /tmp/sums && cp /tmp/sums SHA256SUMS"
        )
        status, output = self.install("broken")
        assert status == 1
        assert "was not active within" in output
        assert "runs again" in output
        assert self.current.startswith("0002-")
        self.goes_on()

    def a_file_of_the_table_switches_off(self) -> None:
        """systemd acts once on the file, which the verb writes too, and not when that goes away."""
        dropin = "/etc/systemd/system/cornerlight-power-off.service.d"
        self.shell.done(f"mkdir {dropin}")
        self.shell.done(
            f"printf '[Unit]\\nSuccessAction=none\\n[Service]\\nExecStart=touch /run/off\\n' "
            f"> {dropin}/test.conf && systemctl daemon-reload"
        )
        self.shell.done("systemctl restart cornerlight-table")
        self.goes_on()
        said = self.shell.done("cd / && su -s /bin/sh cornerlight -c 'cornerlight shutdown'")
        assert "the machine switches off" in said
        self._eventually(lambda: self.shell.run("ls /run/off")[0] == 0)
        self.shell.done("rm /run/off && systemctl restart cornerlight-power-off.path")
        self.shell.done("systemctl restart cornerlight-table")
        self.goes_on()
        self.shell.done("test ! -e /run/off && test ! -e /run/cornerlight/power-off")
        self.shell.done(f"rm -r {dropin} && systemctl daemon-reload")

    def a_rollback_ends_no_game(self) -> None:
        command = f"cd {SHARED}/release && python3 systemd/installer.py rollback"
        self.shell.done(f"WAIT_S={40 * self._slowness:.0f}; export WAIT_S; {command}")
        assert self.current.startswith("0001-")
        self.goes_on()
        self.lay()

    def the_player_answers(self) -> None:
        """Connects as the table does, and asks for a move of the first position."""
        (self.shell.shared / "ask.py").write_text(
            "import json\n"
            "from firmware.player.client import EngineClient, SearchRequest\n"
            "from firmware.rules.position import Position\n"
            "link = EngineClient()\n"
            "request = SearchRequest(str(Position.start('duo')), level=1)\n"
            "answer = link.wait(link.ask(request), 280)\n"
            "print(len(answer.choices))\n"
            "link.close()\n"
        )
        python = "/opt/cornerlight/current/venv/bin/python"
        variable = "CORNERLIGHT_PLAYER_SOCKET=/run/cornerlight-player.sock"
        asked = f"cd / && su -s /bin/sh cornerlight -c '{variable} {python} {SHARED}/ask.py'"
        assert int(self.shell.done(asked, 300)) > 0

    def nothing_but_games_stays(self) -> None:
        self.shell.done(f"cd {SHARED}/release && python3 systemd/installer.py uninstall")
        assert self.shell.run("ls /opt/cornerlight /usr/local/bin/cornerlight")[0] != 0
        assert self.shell.run("systemctl cat cornerlight-table")[0] != 0
        assert self.shell.run("systemctl is-active cornerlight-table")[0] != 0
        self.shell.done("ls /var/lib/cornerlight/journal.jsonl /etc/cornerlight/table.toml")
