"""The simulated library refuses, starves and hangs as picamera2 0.3.38 does."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from firmware.simulator.picamera2_library import Picamera2Library, SimulatedPicamera2

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


def test_a_camera_that_is_in_use_or_runs_is_refused(
    library: Picamera2Library, camera: SimulatedPicamera2
) -> None:
    with pytest.raises(RuntimeError):
        library.Picamera2()
    with pytest.raises(RuntimeError, match="stopped"):
        camera.configure(camera.create_video_configuration(main=MAIN))
    with pytest.raises(RuntimeError, match="not advertised"):
        camera.set_controls({"Zoom": 2})


def test_another_size_and_a_value_out_of_range_are_silent(library: Picamera2Library) -> None:
    camera = library.Picamera2()
    main = {"size": (300, 200), "format": "RGB888"}
    camera.configure(camera.create_video_configuration(main=main, controls={"AnalogueGain": 99.0}))
    assert camera.camera_configuration()["main"]["size"] == (320, 240)
    camera.start()
    requests = [camera.capture_request(wait=1.0) for _ in range(5)]
    assert requests[-1].get_metadata()["AnalogueGain"] == 16.0
    camera.close()


def test_a_call_that_timed_out_takes_a_later_picture(camera: SimulatedPicamera2) -> None:
    for _ in range(3):
        with pytest.raises(TimeoutError):
            camera.capture_request(wait=0.0001)
    # The three calls hold all three buffers, which nobody gives back.
    with pytest.raises(TimeoutError):
        camera.capture_request(wait=0.3)


def test_pictures_that_are_not_given_back_starve_the_camera(camera: SimulatedPicamera2) -> None:
    held = [camera.capture_request(wait=1.0) for _ in range(3)]
    job = camera.capture_request(wait=False)
    with pytest.raises(TimeoutError):
        camera.wait(job, 0.2)
    held[0].release()
    with pytest.raises(RuntimeError, match="negative"):
        held[0].release()
    assert camera.wait(job, 1.0) is not None


def test_stopping_hangs_behind_a_call_until_that_is_cancelled(
    library: Picamera2Library, camera: SimulatedPicamera2
) -> None:
    library.unplug()
    with pytest.raises(TimeoutError):
        camera.capture_request(wait=0.05)
    cancelled: list[CancelledError] = []

    def stop() -> None:
        try:
            camera.stop()
        except CancelledError as error:
            cancelled.append(error)

    stopping = threading.Thread(target=stop, daemon=True)
    stopping.start()
    stopping.join(0.3)
    assert stopping.is_alive()
    camera.cancel_all_and_flush()
    stopping.join(1.0)
    assert len(cancelled) == 1


def test_a_flush_needs_the_exposure(library: Picamera2Library, camera: SimulatedPicamera2) -> None:
    library.dumb = frozenset({"ExposureTime"})
    with pytest.raises(KeyError):
        camera.capture_request(wait=1.0, flush=1)


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
    with pytest.raises(RuntimeError, match="cast"):
        camera.set_controls({"ExposureTime": 9000.0})
