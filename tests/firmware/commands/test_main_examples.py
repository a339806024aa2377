"""The example in the help of each verb, as it is printed there, and verbs that are interrupted."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.commands.main import VERBS, module_of
from firmware.settings import Settings
from tests.conftest import ROOT
from tests.support.http_camera import HttpCameraServer, stream
from vision.io.image_file import encode_jpeg, load_picture

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0

SERVED = {
    "demo": " lays ",
    "run": "the board is found",
    "page": "the score page is at",
    "hall": "to organise, type ",
}
"""Output that shows that a verb works which runs until it is stopped."""

FIRST_PICTURES = 8

ELSEWHERE = {"join", "share", "unshare", "shutdown"}
"""Verbs that need a hall and a table that run, or an installed one: other tests call them."""

LONG_BEGUN_S = 2.0
"""Seconds after which a verb has started, and those that run for long are at work."""


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Lets the verbs get Control-C, also where the shell that runs the tests has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples name, and the state of a table."""
    folder = tmp_path_factory.mktemp("examples")
    recorded = folder / "recorded-game"
    options = SimulationOptions(2, autoplay=True, save=recorded)
    with closing(simulated(Settings(), tmp_path_factory.mktemp("table"), options)) as table:
        for _ in range(FIRST_PICTURES):
            table.step(0.5, table.clock.now_s)
    last = load_picture(max(recorded.glob("*.png")))
    for name in ("board.jpg", "table.jpg"):
        (folder / name).write_bytes(encode_jpeg(last, 95))
    example = (ROOT / "firmware" / "table.example.toml").read_text()
    settings = folder / "table.toml"
    settings.write_text(f"{example}\n")
    shutil.copy(ROOT / "tests" / "records" / "club-evening.blksgf", folder)
    (folder / "unfinished.blksgf").write_text("(;GM[Blokus Duo];B[e8,d9,e9,f9,e10])")
    (folder / "state" / "cornerlight").mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def camera(folder: Path) -> Iterator[HttpCameraServer]:
    """A phone that streams the recorded table."""
    paths = sorted((folder / "recorded-game").glob("*.png"))
    jpegs = [encode_jpeg(load_picture(path), 90) for path in paths]
    with HttpCameraServer(stream(jpegs, 0.25)) as phone:
        yield phone


def environment(folder: Path) -> dict[str, str]:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
    bare = {name: value for name, value in os.environ.items() if name not in names}
    return bare | {"XDG_STATE_HOME": str(folder / "state"), "PYTHONPATH": str(ROOT)}


def begun(words: list[str], folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "firmware", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(folder),
        start_new_session=True,
    )


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Presses Control-C, which reaches every process of the terminal."""
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ELSEWHERE])
def test_the_example_in_the_help_of_a_verb_works(
    verb: str, folder: Path, camera: HttpCameraServer
) -> None:
    program, *words = shlex.split(module_of(verb).EXAMPLE)
    assert program == "cornerlight"
    assert words[0] == verb
    words = [word.replace("http://phone.local:8080/video", camera.url("/video")) for word in words]
    if verb in {"demo", "run", "hall"}:
        words += ["--port", "0"]
    with begun(words, folder) as process:
        try:
            if verb in SERVED:
                assert process.stdout is not None
                assert any(SERVED[verb] in line for line in process.stdout)
                interrupt(process)
            typed = "genmove b\nquit\n" if verb == "gtp" else None
            output, errors = process.communicate(typed, timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == 0, output + errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "words",
    [
        ["gtp", "--level", "1"],
        ["perft", "4"],
        ["demo", "--autoplay", "--port", "0"],
        ["hint", "unfinished.blksgf", "--seconds", "60"],
    ],
    ids=" ".join,
)
def test_control_c_ends_a_verb_without_a_word(words: list[str], folder: Path) -> None:
    with begun(words, folder) as process:
        try:
            time.sleep(LONG_BEGUN_S)
            interrupt(process)
            _, errors = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode in {0, 130, -signal.SIGINT}
    assert errors == ""


INTERRUPTED = """
import os, runpy, signal, sys
def interrupt(event, values):
    if event == "import" and values[0] == "{imported}":
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
runpy.run_module("{program}", run_name="__main__", alter_sys=True)
"""
"""Program that is interrupted as soon as it imports a module."""


@pytest.mark.parametrize(
    ("program", "imported", "words"),
    [
        ("firmware", "argparse", ["perft", "1"]),
        ("firmware", "numpy", ["demo"]),
        ("firmware", "datetime", ["bench", "lights"]),
        ("firmware", "cv2", ["run"]),
        ("firmware.player.search", "numba", ["gtp", "--level", "1"]),
    ],
)
def test_control_c_during_an_import_ends_the_process_without_a_word(
    program: str, imported: str, words: list[str], folder: Path
) -> None:
    code = INTERRUPTED.format(program=program, imported=imported)
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        cwd=folder,
        env=environment(folder),
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_gtp_engine_whose_output_is_closed_ends_without_a_word(folder: Path) -> None:
    with begun(["gtp", "--level", "1"], folder) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("name\n")
        process.stdin.flush()
        assert process.stdout.readline() == "= Cornerlight\n"
        process.stdout.close()
        process.stdin.write("name\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == -signal.SIGPIPE
        assert process.stderr.read() == ""
