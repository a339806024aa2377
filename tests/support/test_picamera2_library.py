"""The simulated library refuses, starves and hangs as picamera2 0.3.38 does.

`tests/acceptance/test_picamera2.py` runs this file with the real library.
"""

from collections.abc import Iterator

import pytest

from tests.support import virtual_picamera2
from tests.support.picamera2_answers import (
    ANSWERS,
    SIZE,
    Answer,
    Ask,
    Picamera2Bench,
    answer_of,
)
from tests.support.picamera2_library import Picamera2Library, SimulatedPicamera2

MAIN = {"size": (320, 240), "format": "RGB888"}


@pytest.fixture
def library() -> Picamera2Library:
    return Picamera2Library(fps=100)


@pytest.fixture
def camera(library: Picamera2Library) -> Iterator[SimulatedPicamera2]:
    made = library.Picamera2()
    made.configure(made.create_video_configuration(main=MAIN, buffer_count=3, queue=False))
    made.start()
    yield made
    made.cancel_all_and_flush()
    made.close()


@pytest.fixture
def bench() -> Iterator[Picamera2Bench]:
    """The simulated library; the real one where that has a camera."""
    made = virtual_picamera2.bench() if virtual_picamera2.IS_HERE else simulated()
    yield made
    made.close()


def simulated() -> Picamera2Bench:
    library = Picamera2Library(sizes=(SIZE, (1536, 864)), fps=50)
    library.dumb = frozenset({"ExposureTime"})

    def forbid() -> None:
        library.forbidden = True

    return Picamera2Bench(library, library.unplug, library.plug_in, forbid, lambda: None)


@pytest.mark.parametrize(("ask", "answer"), ANSWERS, ids=[ask.__name__ for ask, _ in ANSWERS])
def test_the_library_answers(bench: Picamera2Bench, ask: Ask, answer: Answer) -> None:
    assert answer_of(ask, bench) == answer


def test_a_value_out_of_range_becomes_the_nearest(camera: SimulatedPicamera2) -> None:
    camera.set_controls({"AnalogueGain": 99.0})
    assert last_of(camera)["AnalogueGain"] == 16.0


def last_of(camera: SimulatedPicamera2, pictures: int = 6) -> dict[str, float]:
    """Metadata of the picture after some others."""
    metadata: dict[str, float] = {}
    for _ in range(pictures):
        request = camera.capture_request(wait=1.0)
        metadata = request.get_metadata()
        request.release()
    return metadata


def test_a_constant_exposure_ends_by_zero_and_not_by_a_switch(camera: SimulatedPicamera2) -> None:
    camera.set_controls({"ExposureTime": 9000, "AnalogueGain": 4.0})
    assert last_of(camera)["ExposureTime"] == 9000
    camera.set_controls({"AeEnable": True})
    assert last_of(camera)["ExposureTime"] == 9000
    camera.set_controls({"ExposureTime": 0, "AnalogueGain": 0.0})
    assert last_of(camera)["ExposureTime"] < 9000
    assert last_of(camera)["AnalogueGain"] < 4


def test_the_place_of_the_lens_is_taken_only_with_a_manual_focus(
    camera: SimulatedPicamera2,
) -> None:
    camera.set_controls({"AfMode": 2, "LensPosition": 9.0})
    assert last_of(camera)["LensPosition"] < 4
    camera.set_controls({"AfMode": 0, "LensPosition": 9.0})
    assert last_of(camera)["LensPosition"] == 9.0


def test_microseconds_are_whole_numbers(camera: SimulatedPicamera2) -> None:
    request = camera.capture_request(wait=1.0)
    camera.set_controls({"ExposureTime": 9000.0})
    with pytest.raises(RuntimeError, match="cast"):
        request.release()
