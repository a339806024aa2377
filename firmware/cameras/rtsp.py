"""A camera in a network that speaks RTSP, by PyAV, which brings FFmpeg along.

A thread reads the stream without a pause, over TCP, so that no part of a picture is lost. What
arrives faster than this machine decodes it is dropped, up to the next picture that needs no other
one: no picture is old.

FFmpeg's errors contain the whole address. So none of them is the cause of ours, and FFmpeg's own
log stays off, as PyAV leaves it.
"""

import socket
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

import numpy as np

from firmware.cameras import network_faults as faults
from firmware.cameras.interfaces import SILENT_S, CameraError, Picture
from firmware.cameras.network_address import NetworkAddress, parse_address
from firmware.cameras.network_faults import NetworkFault
from firmware.cameras.threaded_camera import ThreadedCamera
from firmware.codes import CameraFault
from firmware.errors import install_command

CONNECT_S: Final = 3.0
"""Seconds for finding the device and connecting to it; in a home network it takes 0.1 s."""

_ANSWER_S: Final = 3.0
"""Seconds in which the camera has to answer each request."""

_ARRIVED_S: Final = 0.002
"""Seconds of waiting for a part of the stream from which it had not arrived before. One that had
takes 0.1 ms; a camera with 30 pictures a second sends one every 33 ms."""

_BEHIND_S: Final = 0.4
"""Seconds without a wait of `_ARRIVED_S`, after which pictures are dropped."""

_BOUNDED: Final = {"max_pixels": f"{faults.MOST_PIXELS}"}
"""Option of FFmpeg's decoders: a kilobyte can name a picture of gigabytes."""

_OPTIONS: Final = {
    **_BOUNDED,
    "rtsp_transport": "tcp",
    "timeout": f"{_ANSWER_S * 1e6:.0f}",
    "fflags": "nobuffer",
    "flags": "low_delay",
    "max_delay": "0",
    "analyzeduration": "1000000",
}
"""Options of FFmpeg, times in microseconds. It looks at a second of the stream before the first
picture."""

Library = Any
"""The module `av`."""

Container = Any
"""An open stream: `av.container.InputContainer`."""

Packet = Any
"""A part of a stream that has one picture, or a part of it: `av.Packet`."""


class RtspCamera(ThreadedCamera):
    """A stream at an address like rtsp://192.168.1.20:554/stream.

    Args:
        url: address, with user:password@ if the camera wants them.
        library: imports the module `av`; None for the installed one.

    Raises:
        CameraError: there is no camera, it sends no video, or the library is missing.
    """

    def __init__(self, url: str, *, library: Callable[[], Library] | None = None) -> None:
        address = parse_address(url, ("rtsp",))
        del url  # a traceback may print it
        if isinstance(address, CameraError):
            raise address
        super().__init__(address.name)
        self._av: Final = (library or _pyav)()
        container = _opened(self._av, address)
        if isinstance(container, CameraError):
            raise container
        self._container: Final = container
        self._thread.start()

    def _run(self) -> None:
        try:
            for picture in _pictures(self._av, self._container):
                if self._closed.is_set():
                    break
                if picture is not None:
                    self._put(picture)
        except self._av.FFmpegError:
            pass
        finally:
            self._fail(NetworkFault.ENDED.of(self.name))
            self._container.close()


def _pyav() -> Library:
    """The library.

    Raises:
        CameraError: it is not installed.
    """
    try:
        return import_module("av")
    except ImportError as error:
        raise CameraError(
            CameraFault.MISSING,
            f"cameras with rtsp:// need the library PyAV, which cannot be loaded ({error}); "
            f"install it with: {install_command('av')}",
        ) from error


def _opened(av: Library, address: NetworkAddress) -> Container | CameraError:
    """Opens a stream; returns the error, so that FFmpeg's is neither its cause nor its context."""
    begun_s = time.monotonic()
    try:
        # FFmpeg does not say why a device cannot be reached, and this has a limit of its own.
        socket.create_connection((address.host, address.port), CONNECT_S).close()
    except OSError as error:
        return faults.unreachable(address.name, error)
    try:
        # The second one ends the thread of a camera that is silent, and closed by its reader.
        timeouts = (2 * _ANSWER_S, 2 * SILENT_S)
        container = av.open(address.url, options=_OPTIONS, timeout=timeouts)
    except av.FFmpegError as error:
        return _fault(av, error, address, silent=time.monotonic() - begun_s > _ANSWER_S)
    if not container.streams.video:
        container.close()
        return NetworkFault.NO_VIDEO.of(address.name)
    decoder = container.streams.video[0].codec_context
    if decoder.width * decoder.height > faults.MOST_PIXELS:
        container.close()
        return NetworkFault.TOO_MANY_PIXELS.of(address.name)
    decoder.options = _BOUNDED
    return container


def _fault(av: Library, error: Any, address: NetworkAddress, *, silent: bool) -> CameraError:
    """The error of a stream that cannot be opened."""
    name, errors = address.name, av.error
    if isinstance(error, errors.HTTPUnauthorizedError | errors.HTTPForbiddenError):
        return faults.password(name, has_login=address.login is not None)
    if isinstance(error, errors.HTTPNotFoundError):
        return NetworkFault.NO_STREAM.of(name)
    if isinstance(error, errors.HTTPServerError):
        return NetworkFault.BUSY.of(name)
    if silent or isinstance(error, errors.ExitError):
        return NetworkFault.SILENT.of(name)
    return NetworkFault.NOT_RTSP.of(name)


def _pictures(av: Library, container: Container) -> Iterator[Picture | None]:
    """Yields each picture that is whole; None where there is none.

    Raises:
        av.FFmpegError: the stream has failed.
    """
    stream = container.streams.video[0]
    stream.thread_type = "SLICE"  # threads for whole pictures would delay each by some
    for packet, is_sound in _newest_packets(container.demux(stream)):
        yield None
        if not is_sound:
            stream.codec_context.flush_buffers()
            continue
        try:
            frames = packet.decode()
        except av.error.InvalidDataError:
            continue  # a damaged part
        for frame in frames:
            if not frame.is_corrupt:
                image = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
                yield Picture(time.monotonic(), image=image)


def _newest_packets(packets: Iterator[Packet]) -> Iterator[tuple[Packet, bool]]:
    """Yields packets, and False for those to be dropped."""
    asked_s = waited_s = time.monotonic()
    complete = False
    for packet in packets:
        now_s = time.monotonic()
        if now_s - asked_s >= _ARRIVED_S:
            waited_s = now_s
        behind = now_s - waited_s > _BEHIND_S
        # After a gap, only a picture that needs no other one can be decoded.
        complete = not behind and (complete or packet.is_keyframe)
        yield packet, complete
        asked_s = time.monotonic()
