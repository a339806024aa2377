"""`demo`: a whole game through rendered pictures, and processes that end together."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from firmware.commands.main import main
from firmware.game.config import GameConfig
from firmware.game.events import PositionSet
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.session.pairing import Pairing
from firmware.storage.journal import Journal
from firmware.storage.wall_clock import time_of_day
from tests.conftest import ROOT
from tests.support.disk import MountError, fill, remount, small_disk
from tests.support.random_games import played
from tests.support.waiting import eventually as waited_for

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what a user's programs keep."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@contextmanager
def started(port: int, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a demo in a process of its own, and ends it with the test."""
    words = [sys.executable, "-m", "firmware", "demo", "--port", str(port), *more]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as demo:
        try:
            yield demo
        finally:
            demo.terminate()
            with suppress(subprocess.TimeoutExpired):
                demo.wait(20)
            demo.kill()


def port_of(demo: subprocess.Popen[str]) -> int:
    assert demo.stdout is not None
    for line in demo.stdout:
        if match := re.search(r"http://localhost:(\d+)/", line):
            return int(match[1])
    pytest.fail("the demo printed no address")


def answers(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_page_ends_with_the_demo_however_that_ends(how: signal.Signals) -> None:
    with started(0) as demo:
        port = port_of(demo)
        assert answers(port)
        demo.send_signal(how)
        status = demo.wait(20)
        assert status == (-signal.SIGKILL if how is signal.SIGKILL else 0)
        end = time.monotonic() + 20
        while answers(port) and time.monotonic() < end:
            time.sleep(0.1)
        assert not answers(port)


def test_the_demo_says_a_number_that_pairs_a_phone_and_how_to_get_another() -> None:
    with started(0) as demo:
        assert demo.stdout is not None
        line = next(line for line in demo.stdout if "/arbiter" in line)
        match = re.search(
            r"type (\d{4} \d{4} \d{4}) at \S+/arbiter .* cornerlight (pair --folder \S+)$", line
        )
        assert match, line
        folder = Path(match[2].split()[-1])
        now = time.monotonic()
        assert Pairing(folder / "paired.json").verify_code(match[1].replace(" ", ""), now)
        assert main([*match[2].split(), "--json"]) == 0
        demo.terminate()


@pytest.mark.parametrize("how", ["full", "ro"])
def test_a_disk_that_refuses_stops_no_start_and_is_reported_on_the_page(
    tmp_path: Path, how: str
) -> None:
    try:
        with small_disk(tmp_path / "disk", "2m") as disk:
            with started(0, "--folder", str(disk)) as demo:
                port_of(demo)
                demo.kill()
            if how == "full":
                fill(disk)
            else:
                remount(disk, "ro")
            with started(0, "--folder", str(disk), "--autoplay") as demo:
                assert demo.stdout is not None
                text = ""
                while "for another number" not in text:
                    text += demo.stdout.readline()
                assert "for another number: end the demo" in text
                address = re.findall(r"http://localhost:\d+/", text)[0]
                assert "Not saved:" in eventually(address, "Not saved:")
                demo.terminate()
                _, output = demo.communicate(timeout=30)
            assert demo.returncode == 0
            assert "the game goes on" in output
            assert "Traceback" not in output
    except MountError as error:
        pytest.skip(str(error))


def eventually(address: str, words: str) -> str:
    """Returns a page, as soon as it contains these words."""
    until, text = time.monotonic() + 20, ""
    while words not in text and time.monotonic() < until:
        with urllib.request.urlopen(address) as answer:  # noqa: S310
            text = answer.read().decode()
        time.sleep(0.2)
    return text


def test_kills_leave_no_more_than_one_folder_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for _ in range(2):
        with started(0, "--fresh") as demo:
            port_of(demo)
            demo.kill()
    assert len(list(tmp_path.iterdir())) == 1
    with started(0, "--fresh") as demo:
        port_of(demo)
        demo.terminate()
    assert list(tmp_path.iterdir()) == []  # nor is a game kept


def page_of(port: int, path: str = "") -> str:
    with urllib.request.urlopen(f"http://localhost:{port}/{path}") as answer:
        text: str = answer.read().decode()
    return text


def test_games_are_kept_beside_those_of_a_real_table_and_taken_up_again(state: Path) -> None:
    kept = state / "cornerlight" / "simulated"
    config = GameConfig(GAMES["duo-4"], names=("Zoe", "Yan"))
    with closing(Journal(kept / "journal.jsonl")) as journal:
        journal.adopt(config, [PositionSet(1, 1.0, played("duo-4", 1, 9))], time_of_day())
    with started(0) as demo:
        port = port_of(demo)
        assert "Zoe" in eventually(f"http://localhost:{port}/", "Zoe")
        assert f"Games are kept in {kept}/games." in page_of(port, "games")
        with started(0) as another:
            assert another.stdout is not None
            assert "no game is kept: another table runs here" in another.stdout.readline()
            assert "These games are not kept" in page_of(port_of(another), "games")
    assert [one.name for one in (state / "cornerlight").iterdir()] == ["simulated"]


def test_a_game_goes_on_only_with_the_computer_that_is_asked_for(state: Path) -> None:
    config = GameConfig(GAMES["duo"], names=("Zoe", "Yan"), computer=(0, 3))
    with closing(Journal(state / "cornerlight" / "simulated" / "journal.jsonl")) as journal:
        journal.adopt(config, [PositionSet(1, 1.0, played("duo", 1, 9))], time_of_day())
    for level, name in (("3", "Zoe"), ("1", "Ada")):
        with started(0, f"--computer=-,{level}") as demo:
            assert name in eventually(f"http://localhost:{port_of(demo)}/", name)


def test_scripted_people_go_on_with_no_game_of_a_family(state: Path) -> None:
    config = GameConfig(GAMES["duo"], names=("Zoe", "Yan"))
    kept = state / "cornerlight" / "simulated" / "journal.jsonl"
    with closing(Journal(kept)) as journal:
        journal.adopt(config, [PositionSet(1, 1.0, played("duo", 1, 9))], time_of_day())
    before = kept.read_bytes()
    with started(0, "--autoplay") as demo:
        assert "Ada" in eventually(f"http://localhost:{port_of(demo)}/", "Ada")
    assert kept.read_bytes() == before


def form_token(page: str) -> str:
    found = re.search(r'name="token" value="([0-9a-f]+)"', page)
    assert found is not None
    return found[1]


def test_a_simulated_table_makes_room_for_one_s_own_board_with_a_phone_as_the_camera(
    state: Path,
) -> None:
    with started(0, "--no-browser") as demo:
        port = port_of(demo)
        jar = urllib.request.HTTPCookieProcessor()
        browser = urllib.request.build_opener(jar)
        address = f"http://127.0.0.1:{port}"
        browser.addheaders = [("Origin", address)]
        with browser.open(f"{address}/play") as page:
            token = form_token(page.read().decode())
        form = urllib.parse.urlencode({"token": token, "show": "board"}).encode()
        with browser.open(f"{address}/play/begin", form) as page:
            assert page.url == f"{address}/play/board"

        def takes() -> bool:
            with suppress(OSError), browser.open(f"{address}/camera/state") as answer:
                return bool(json.load(answer)["takes"])
            return False

        waited_for(takes, 30.0)
        # Who is at this machine is no arbiter of a real table for that.
        file = state / "cornerlight" / "paired.json"
        waited_for(file.exists, 30.0)
        paired = json.loads(file.read_text())
        assert paired.get("phones", []) == []
        assert demo.poll() is None


def test_a_simulated_table_stays_where_a_real_one_cannot_begin(state: Path) -> None:
    with started(0, "--no-browser") as demo:
        address = f"http://127.0.0.1:{port_of(demo)}"
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.addheaders = [("Origin", address)]
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as other:
            other.bind(str(state / "cornerlight" / "feed.sock"))
            other.listen()
            with browser.open(f"{address}/play") as page:
                token = form_token(page.read().decode())
            form = urllib.parse.urlencode({"token": token, "show": "board"}).encode()
            with browser.open(f"{address}/play/begin", form) as page:
                assert page.url == f"{address}/play?reply=not-possible"
        assert demo.poll() is None


def test_a_port_that_is_taken_is_reported_and_nothing_stays_behind() -> None:
    with socket.create_server(("", 0)) as taken:
        with started(taken.getsockname()[1]) as demo:
            printed, output = demo.communicate(timeout=30)
        assert demo.returncode == 2
    assert printed == ""
    assert "choose another with --port" in output
    assert "Traceback" not in output


def test_a_folder_that_takes_no_files_is_reported_before_anything_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("/dev/null", "/proc/kept"):
        assert main(["demo", "--port", "0", "--folder", folder]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.endswith("with --folder\n")
        assert printed.err.count("\n") == 1


def before_the_last_move(seed: int) -> Position:
    """Returns a position of a random game of Duo in which the next move is the last one."""
    before = position = played("duo", seed, 0)
    while position.to_move is not None:
        before, position = position, position.play(next(iter(position.legal_moves)))
    return before


def test_the_end_of_a_game_is_said_with_what_to_try_next(tmp_path: Path) -> None:
    config = GameConfig(GAMES["duo"], names=("Ada", "Ben"))
    standing = PositionSet(1, 1.0, before_the_last_move(1), turned=0)
    with closing(Journal(tmp_path / "journal.jsonl")) as journal:
        journal.adopt(config, [standing], time_of_day())
    with started(0, "--autoplay", "--folder", str(tmp_path), "--speed", "4") as demo:
        assert demo.stdout is not None
        output = ""
        while "pair a phone as arbiter: " not in output:
            output += demo.stdout.readline()
    *before, over = re.findall(r"^ +\d:\d\d  (.*)$", output, re.MULTILINE)
    assert any(re.match(r"\w+ \(\w+\) lays \w+ at ", line) for line in before)
    assert any(re.match(r"\w+ \(\w+\) lays a piece .*: refused; ", line) for line in before)
    assert re.fullmatch(r"the game is over: Ada \(purple\) -\d+, Ben \(orange\) -\d+", over)
    assert "what to try next:\n  - see the page: http://localhost:" in output
    assert "  - play another game: cornerlight demo --game classic\n" in output


def test_a_journal_that_was_damaged_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text("no journal, and long enough to be told from one" * 9)
    with started(0, "--folder", str(tmp_path)) as demo:
        port_of(demo)
        demo.terminate()
        _, output = demo.communicate(timeout=30)
    assert "the journal was damaged" in output
    assert (tmp_path / "journal.damaged-1.jsonl").exists()
    assert (tmp_path / "journal.jsonl").exists()


@pytest.mark.parametrize(
    "words", [["--speed", "0"], ["--speed", "nan"], ["--seed", "-1"], ["--port", "x"]]
)
def test_wrong_options_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["demo", *words])
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
