"""The console of the table's computer: its address, and a number while no phone is paired.

Where agetty is installed it is the real one, at a terminal of its own.
"""

import os
import pty
import re
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.game.config import GameConfig
from firmware.rules.variants import GAMES
from firmware.session.console_screen import NEW_NUMBER_S, ConsoleScreen
from firmware.session.pairing import NUMBER_LIVES_S, Pairing
from tests.support.fake_table import FakeTable, house
from web.contract import PairRequest

AGETTY = shutil.which("agetty", path="/usr/sbin:/sbin")
RELOAD = Path("/run/agetty.reload")
PATIENCE_S = 20.0
NUMBER = re.compile(r"\d{4} \d{4} \d{4}")

needs_agetty = pytest.mark.skipif(
    AGETTY is None or os.geteuid() != 0, reason="agetty is for root; apt-get install util-linux"
)


class Bench:
    """A table with a console, at which no phone is paired."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, reload: Path) -> None:
        self.file = folder / "run" / "console.issue"
        self.file.parent.mkdir()
        self.pairing = Pairing(folder / "paired.json")
        self.sysfs = folder / "sys"
        screen = ConsoleScreen(self.file, self.pairing, 8000, self.sysfs, reload)
        monkeypatch.setattr(FakeTable, "services", [screen])
        self.table: FakeTable

    @contextmanager
    def begun(self, folder: Path) -> Iterator["Bench"]:
        with house(folder, GameConfig(GAMES["duo"])) as self.table:
            self.table.pairing.forget()
            self.table.look(3)
            yield self

    def screen(self, state: str) -> None:
        """Plugs a screen in or out, as the kernel shows it."""
        place = self.sysfs / "class" / "drm" / "card1-HDMI-A-1" / "status"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{state}\n")
        self.table.look(3)

    @property
    def number(self) -> str:
        found = NUMBER.search(self.file.read_text())
        return found[0].replace(" ", "") if found else ""

    def pairs(self, number: str) -> bool:
        return self.table.asks(PairRequest(f"id-{number}-{time.monotonic_ns()}", number)) == [None]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    reload = tmp_path / "agetty.reload"
    reload.touch()
    os.utime(reload, (0, 0))
    with Bench(tmp_path, monkeypatch, reload).begun(tmp_path) as made:
        assert reload.stat().st_mtime > 0
        yield made


def test_it_shows_a_number_that_pairs_a_phone_and_then_the_address_alone(bench: Bench) -> None:
    text = bench.file.read_text()
    assert text.startswith("\x1b[H\x1b[2J"), "a number that was shown before goes away"
    assert r"http://\n.local:8000/arbiter    or    http://\4:8000/arbiter" in text
    assert bench.file.stat().st_mode & 0o777 == 0o600
    assert bench.pairs(bench.number)
    bench.table.look(3)
    assert not bench.number
    assert r"http://\n.local:8000    or    http://\4:8000" in bench.file.read_text()
    bench.table.pairing.forget()
    bench.table.look(3)
    assert bench.number, "a table whose phones are forgotten shows one again"


def test_a_number_is_good_as_long_as_the_next_one_is_shown(bench: Bench) -> None:
    first = bench.number
    bench.table.look(int(NEW_NUMBER_S))
    second = bench.number
    assert second != first
    assert bench.pairs(first)
    bench.table.pairing.forget()
    bench.table.look(3)
    third = bench.number
    bench.pairing.forget()
    bench.table.look(3)
    assert bench.number not in ("", third), "forgotten with all others, also while none is paired"
    third = bench.number
    bench.table.look(int(NUMBER_LIVES_S) + 2)
    assert bench.number not in ("", third)
    assert not bench.pairs(third)


def test_a_number_by_command_and_in_the_lights_stay_valid_beside_it(bench: Bench) -> None:
    now = float(next(bench.table.wall_s))
    drawn = [bench.pairing.issue_code(now), bench.pairing.issue_short_code(now)]
    bench.table.look(int(NEW_NUMBER_S) + 2)
    shown = bench.number
    assert all(bench.pairs(number) for number in (*drawn, shown))


def test_without_a_screen_no_number_is_drawn(bench: Bench) -> None:
    bench.screen("disconnected")
    assert not bench.number
    assert r"http://\4:8000" in bench.file.read_text()
    bench.screen("connected")
    assert bench.number


def test_the_number_is_in_no_log_and_on_no_page(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    bench.table.look(int(NEW_NUMBER_S) + 2)
    shown = bench.number
    bench.file.unlink()
    bench.file.parent.rmdir()
    bench.table.look(int(NEW_NUMBER_S) + 2)
    assert "the console shows no address" in caplog.text
    said = caplog.text + "".join(page.to_json() for page in bench.table.feed.pages)
    assert not NUMBER.search(said)
    assert shown not in said + bench.table.folder.joinpath("paired.json").read_text()


def test_a_table_that_ends_leaves_the_console(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reload = tmp_path / "agetty.reload"
    reload.touch()
    with Bench(tmp_path, monkeypatch, reload).begun(tmp_path) as bench:
        assert bench.file.exists()
        os.utime(reload, (0, 0))
    assert not bench.file.exists()
    assert reload.stat().st_mtime > 0


def shown_by(words: list[str], until: Callable[[str], bool]) -> Generator[str]:
    """Runs agetty at a terminal; yields what it has shown each time that `until` is true."""
    ours, its = pty.openpty()
    process = subprocess.Popen(words, stdin=its, stdout=its, stderr=its, start_new_session=True)
    os.close(its)
    shown, begun = "", time.monotonic()
    try:
        while time.monotonic() - begun < PATIENCE_S:
            if select.select([ours], [], [], 0.1)[0]:
                shown += os.read(ours, 4096).decode(errors="replace")
                if until(shown):
                    yield shown
                    shown = ""
    finally:
        process.kill()
        process.wait()
        os.close(ours)


@needs_agetty
def test_agetty_shows_it_with_the_name_and_draws_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert AGETTY
    with Bench(tmp_path, monkeypatch, RELOAD).begun(tmp_path) as bench:
        words = [AGETTY, "--noclear", "--issue-file", str(bench.file), "-", "linux"]
        screens = shown_by(words, lambda shown: shown.rstrip().endswith("login:"))
        first = next(screens)
        assert f"http://{socket.gethostname().partition('.')[0]}.local:8000/arbiter" in first
        found = NUMBER.search(first)
        assert found
        assert bench.pairs(found[0].replace(" ", ""))
        bench.table.look(3)
        again = next(screens)
        assert "\x1b[2J" in again
        assert ".local:8000 " in again
        assert not NUMBER.search(again)
        screens.close()
