"""The driver of the Raspberry Pi's camera with the real picamera2, over a virtual camera."""

import json
import socket
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from firmware.rules.variants import GAMES
from tests.support.rendered_table import RenderedTable, whole_game
from tests.support.virtual_camera import VirtualCameraError, VirtualCameraMachine
from tests.support.waiting import eventually
from vision.camera import UPRIGHT, CameraOrientation, Frame
from vision.io.image_file import encode_jpeg

SIZE = (1536, 864)
MOVES = whole_game(GAMES["duo"], 3)[:3]

LIBRARY = ("-m", "tests.support.virtual_picamera2")
"""The program with the real library."""

# The library warns of much.
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "default", "--disable-warnings")

READ_S = 90.0
"""Seconds in which the game is read: the film takes 36, after which it begins anew."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> VirtualCameraMachine:
    try:
        return VirtualCameraMachine(tmp_path_factory.mktemp("machine"))
    except VirtualCameraError as error:
        pytest.skip(str(error))


def faults(machine: VirtualCameraMachine, *words: str) -> str:
    """Runs tests in the machine; returns the output if one fails or is skipped, or none is."""
    status, output = machine.run(*PYTEST, *words)
    sys.stderr.write(output)  # whole: what an assertion shows of it is cut
    return output if status or " skipped" in output else ""


def test_the_real_library_answers_as_the_simulated_one(machine: VirtualCameraMachine) -> None:
    tests = "tests/support/test_picamera2_library.py"
    assert not faults(machine, tests, "-k", "answers")


def test_the_driver_behaves_as_every_driver_does(machine: VirtualCameraMachine) -> None:
    assert not faults(machine, "tests/firmware/cameras/test_interfaces.py", "-k", "picamera2")


def test_our_pictures_arrive_and_faults_have_sentences(machine: VirtualCameraMachine) -> None:
    table = RenderedTable(GAMES["duo"], size=SIZE)
    for colour, move in MOVES:
        table.lay(colour, move)
    frame = table.read()
    assert isinstance(frame, Frame)
    orientations = (UPRIGHT, CameraOrientation(mirror=True), CameraOrientation(turn=180))
    machine.show([encode_jpeg(one.upright(frame.image), 90) for one in orientations])
    assert not faults(machine, "tests/support/picamera2_driver.py")


def test_no_camera_is_one_sentence(machine: VirtualCameraMachine) -> None:
    machine.remove()
    status, output = machine.run(*LIBRARY, "doctor", "--camera", "picamera2")
    assert status == 1
    assert "no camera is found at the Raspberry Pi; switch it off, check both ends" in output
    assert "Traceback" not in output


def film() -> Iterator[bytes]:
    """The empty board, a few moves, and the position for long: the film begins anew at its end."""
    table = RenderedTable(GAMES["duo"], size=SIZE)
    yield from table.jpegs(40)
    yield from table.game(MOVES)
    still = list(table.jpegs(2))
    for number in range(40):
        yield still[number % 2]


def test_the_program_reads_a_game(machine: VirtualCameraMachine) -> None:
    machine.show(list(film()))
    machine.set_period(100)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["run", "--camera", "picamera2", "--port", str(port), "--json"]
    laid = [sorted(move.squares) for _, move in MOVES]

    def is_read() -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{port}/page.json", timeout=10) as reply:
                page = json.load(reply)
        except OSError:
            return False
        squares = [move["squares"] for move in page.get("moves", ())]
        return [sorted(14 * row + column for row, column in one) for one in squares] == laid

    with machine.start(*LIBRARY, *words) as process:
        try:
            eventually(is_read, READ_S)
        except AssertionError as error:
            process.terminate()
            raise AssertionError(process.communicate()[0]) from error
        process.terminate()
