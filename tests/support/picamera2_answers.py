"""Questions to the library picamera2 and its answers: the real library and the simulated one."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

import pytest

SIZE: Final = (320, 240)
"""Width and height in pixels that the camera has."""

BUFFERS: Final = 4

_SOON_S: Final = 0.3
"""Seconds in which nothing comes where nothing is to come; a picture comes every 20 ms."""

_WAIT_S: Final = 3.0
"""Longest wait in seconds for what has to come."""

Answer = str | type[BaseException]
"""The error that the library raises, or its behaviour in a few words."""


@dataclass(frozen=True)
class Picamera2Bench:
    """A library with one camera, which gives 50 pictures a second.

    Attributes:
        library: the module `picamera2`.
        unplug: pulls the ribbon cable out.
        plug_in: puts it in again.
        forbid: takes the right to the kernel's memory for cameras away.
        close: closes whatever is open, and gives the right back.
    """

    library: Any
    unplug: Callable[[], None]
    plug_in: Callable[[], None]
    forbid: Callable[[], None]
    close: Callable[[], None]


Ask = Callable[[Picamera2Bench], Answer]


def answer_of(ask: Ask, bench: Picamera2Bench) -> Answer:
    """Returns what the library answers to a question."""
    try:
        return ask(bench)
    except Exception as error:  # noqa: BLE001, any error is an answer
        return type(error)


def row_of(ask: Ask, answer: Answer) -> str:
    """Returns the beginning of a row in the table of systemd/README.md."""
    name = answer if isinstance(answer, str) else f"`{answer.__name__}`"
    return f"| {ask.__name__.replace('_', ' ')} | {name} |"


def _configured(bench: Picamera2Bench, **settings: Any) -> Any:
    """Opens a camera, and configures it."""
    camera = bench.library.Picamera2()
    main = {"size": SIZE, "format": "RGB888"} | settings.pop("main", {})
    words = {"buffer_count": BUFFERS, "queue": False} | settings
    camera.configure(camera.create_video_configuration(main=main, **words))
    return camera


@contextmanager
def _running(bench: Picamera2Bench, **settings: Any) -> Iterator[Any]:
    camera = _configured(bench, **settings)
    camera.start()
    yield camera
    camera.cancel_all_and_flush()
    camera.close()


def _unplug(bench: Picamera2Bench, camera: Any) -> None:
    """Pulls the cable out, and waits until the pictures that are under way have come."""
    bench.unplug()
    with suppress(TimeoutError):
        while True:
            camera.capture_request(wait=_SOON_S).release()
    camera.cancel_all_and_flush()


def _given(camera: Any) -> dict[str, Any]:
    main: dict[str, Any] = camera.camera_configuration()["main"]
    return main


# Opening and configuring


def no_such_camera(bench: Picamera2Bench) -> Answer:
    bench.library.Picamera2(1)
    return "opened"


def the_same_camera_twice(bench: Picamera2Bench) -> Answer:
    with _running(bench):
        bench.library.Picamera2()
    return "opened"


def no_right_to_the_memory(bench: Picamera2Bench) -> Answer:
    bench.forbid()
    bench.library.Picamera2()
    return "opened"


def opening_again_after_that(bench: Picamera2Bench) -> Answer:
    bench.forbid()
    with suppress(PermissionError):
        bench.library.Picamera2()
    bench.library.Picamera2()
    return "opened"


def the_memory_alone_without_the_right(bench: Picamera2Bench) -> Answer:
    bench.library.dma_heap.DmaHeap().close()
    bench.forbid()
    bench.library.dma_heap.DmaHeap()
    return "opened"


def a_size_that_it_lacks(bench: Picamera2Bench) -> Answer:
    with _running(bench, main={"size": (300, 200)}) as camera:
        return "the same" if _given(camera)["size"] == (300, 200) else "another size"


def an_odd_size(bench: Picamera2Bench) -> Answer:
    with _running(bench, main={"size": (321, 241)}) as camera:
        return f"{_given(camera)['size']}"


def a_format_that_it_lacks(bench: Picamera2Bench) -> Answer:
    with _running(bench, main={"format": "YUV420"}) as camera:
        return "the same" if _given(camera)["format"] == "YUV420" else "another format"


def configuring_while_it_runs(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.configure(camera.create_video_configuration())
    return "configured"


def starting_without_a_configuration(bench: Picamera2Bench) -> Answer:
    camera = bench.library.Picamera2()
    camera.start()
    return "a configuration of its own" if _given(camera) else "none"


# Controls


def an_unknown_control(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.set_controls({"Zoom": 2})
    return "taken"


def an_unknown_control_in_the_configuration(bench: Picamera2Bench) -> Answer:
    with _running(bench, controls={"Zoom": 2}):
        return "taken"


def a_value_out_of_range(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.set_controls({"FrameDurationLimits": (1, 1)})
        for _ in range(2 * BUFFERS):
            camera.capture_request(wait=_WAIT_S).release()
    return "silence"


def a_value_of_another_type(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        request = camera.capture_request(wait=_WAIT_S)
        camera.set_controls({"FrameDurationLimits": ("fast", "faster")})
        try:
            request.release()
        except Exception as error:  # noqa: BLE001, any error is an answer
            return f"{type(error).__name__} when a picture is given back"
    return "silence"


# Pictures


def waiting_without_a_picture(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        _unplug(bench, camera)
        camera.capture_request(wait=_SOON_S)
    return "a picture"


def jobs_that_timed_out(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        _unplug(bench, camera)
        for _ in range(BUFFERS):
            with pytest.raises(TimeoutError):
                camera.capture_request(wait=0.1)
        bench.plug_in()
        camera.capture_request(wait=_SOON_S)
    return "gone"


def pictures_that_are_not_given_back(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        held = [camera.capture_request(wait=_WAIT_S) for _ in range(BUFFERS)]
        job = camera.capture_request(wait=False)
        with pytest.raises(TimeoutError):
            camera.wait(job, _SOON_S)
        held.pop().release()
        camera.wait(job, _WAIT_S)
    return "none comes until one is given back"


def giving_back_twice(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        request = camera.capture_request(wait=_WAIT_S)
        request.release()
        request.release()
    return "taken"


def a_stream_that_is_not_there(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        request = camera.capture_request(wait=_WAIT_S)
        request.make_array("lores")
    return "a picture"


def a_begin_of_the_exposure_that_is_not_reported(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.capture_request(wait=_WAIT_S, flush=1)
    return "a picture"


# Stopping


def _stopped(camera: Any) -> Answer:
    """Stops a camera; where that hangs, all jobs are cancelled."""
    ended: list[str] = []

    def stop() -> None:
        try:
            camera.stop()
            ended.append("stopped")
        except BaseException as error:  # noqa: BLE001, any error is an answer
            ended.append(f"hangs, and ends with {type(error).__name__} when jobs are cancelled")

    stopping = threading.Thread(target=stop, daemon=True)
    stopping.start()
    stopping.join(_SOON_S)
    if stopping.is_alive():
        camera.cancel_all_and_flush()
        stopping.join(_WAIT_S)
    return ended[0]


def stopping_with_a_job_left(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        _unplug(bench, camera)
        camera.capture_request(wait=False)
        return _stopped(camera)


def stopping_after_a_value_of_another_type(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.set_controls({"FrameDurationLimits": ("fast", "faster")})
        time.sleep(_SOON_S)
        return _stopped(camera)


def stopping_after_jobs_are_cancelled(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        _unplug(bench, camera)
        camera.capture_request(wait=False)
        camera.cancel_all_and_flush()
        camera.stop()
    return "stopped"


def closing_with_a_job_left(bench: Picamera2Bench) -> Answer:
    camera = _configured(bench)
    camera.start()
    _unplug(bench, camera)
    job = camera.capture_request(wait=False)
    closing = threading.Thread(target=camera.close, daemon=True)
    closing.start()
    closing.join(_WAIT_S)
    if closing.is_alive():
        return "hangs"
    with pytest.raises(TimeoutError):
        camera.wait(job, 0.1)
    return "closed, and the job waits on"


def closing_after_a_value_of_another_type(bench: Picamera2Bench) -> Answer:
    camera = _configured(bench)
    camera.start()
    camera.set_controls({"FrameDurationLimits": ("fast", "faster")})
    time.sleep(_SOON_S)
    camera.close()
    with _running(bench) as again:
        again.capture_request(wait=_WAIT_S).release()
    return "closed"


def waiting_for_a_job_that_is_cancelled(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        _unplug(bench, camera)
        job = camera.capture_request(wait=False)
        camera.cancel_all_and_flush()
        camera.wait(job, _WAIT_S)
    return "a picture"


def giving_back_after_a_stop(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        request = camera.capture_request(wait=_WAIT_S)
        camera.stop()
        request.release()
    return "taken"


def a_picture_of_a_camera_that_stopped(bench: Picamera2Bench) -> Answer:
    with _running(bench) as camera:
        camera.stop()
        camera.capture_request(wait=_SOON_S)
    return "a picture"


def closing_twice_and_opening_again(bench: Picamera2Bench) -> Answer:
    camera = _configured(bench)
    camera.start()
    camera.close()
    camera.close()
    with _running(bench) as again:
        again.capture_request(wait=_WAIT_S).release()
    return "pictures come"


ANSWERS: Final[tuple[tuple[Ask, Answer], ...]] = (
    (no_such_camera, RuntimeError),
    (the_same_camera_twice, RuntimeError),
    (no_right_to_the_memory, PermissionError),
    (opening_again_after_that, RuntimeError),
    (the_memory_alone_without_the_right, PermissionError),
    (a_size_that_it_lacks, "another size"),
    (an_odd_size, "(320, 240)"),
    (a_format_that_it_lacks, "another format"),
    (configuring_while_it_runs, RuntimeError),
    (starting_without_a_configuration, "a configuration of its own"),
    (an_unknown_control, RuntimeError),
    (an_unknown_control_in_the_configuration, RuntimeError),
    (a_value_out_of_range, "silence"),
    (a_value_of_another_type, "RuntimeError when a picture is given back"),
    (waiting_without_a_picture, TimeoutError),
    (jobs_that_timed_out, TimeoutError),
    (pictures_that_are_not_given_back, "none comes until one is given back"),
    (giving_back_twice, RuntimeError),
    (a_stream_that_is_not_there, RuntimeError),
    (a_begin_of_the_exposure_that_is_not_reported, KeyError),
    (stopping_with_a_job_left, "hangs, and ends with CancelledError when jobs are cancelled"),
    (
        stopping_after_a_value_of_another_type,
        "hangs, and ends with CancelledError when jobs are cancelled",
    ),
    (stopping_after_jobs_are_cancelled, "stopped"),
    (waiting_for_a_job_that_is_cancelled, CancelledError),
    (closing_with_a_job_left, "closed, and the job waits on"),
    (closing_after_a_value_of_another_type, "closed"),
    (giving_back_after_a_stop, "taken"),
    (a_picture_of_a_camera_that_stopped, TimeoutError),
    (closing_twice_and_opening_again, "pictures come"),
)
"""What is asked, and the answer of version 0.3.38."""
