"""A camera in a network over http: a stream of JPEGs (MJPEG), or one picture for each request.

A thread reads without a pause. What the camera sends decides, not what it calls it: after a body
with one picture the thread asks for the next one, and the end of a body with several, or of one
that is called a stream, is the end of the stream.
"""

import http.client
import time
from collections.abc import Iterator
from threading import Event
from typing import Final

from firmware.cameras import http_client
from firmware.cameras import network_faults as faults
from firmware.cameras.http_client import HttpClient
from firmware.cameras.interfaces import CameraError, Picture
from firmware.cameras.jpeg_stream import jpegs_in
from firmware.cameras.network_address import parse_address
from firmware.cameras.network_faults import NetworkFault
from firmware.cameras.threaded_camera import ThreadedCamera

OPENING_S: Final = 4.5
"""Seconds until the first answer, those of the connection included: a program that ends meanwhile
waits for them."""

_PIECE: Final = 1 << 16
"""Bytes that are received at once."""

_BURST: Final = 64
"""Pictures that take `_BURST_S` at least: a flood of tiny ones leaves time for others."""

_BURST_S: Final = 0.1
"""Seconds of that; a camera has 30 pictures a second."""

_JPEG: Final = ("image/jpeg", "image/jpg", "image/pjpeg")
"""Types of JPEGs; another picture is passed on as it comes."""


class HttpCamera(ThreadedCamera):
    """Pictures at an address like http://192.168.1.20:8080/video or .../shot.jpg.

    Args:
        url: address of http or https, with user:password@ if the camera wants them.
        fps: most requests a second.

    Raises:
        CameraError: there is no camera, or it sends no pictures.
    """

    def __init__(self, url: str, fps: float = 10.0) -> None:
        address = parse_address(url)
        del url  # a traceback may print it
        if isinstance(address, CameraError):
            raise address
        super().__init__(address.name, closing_s=0.0)
        self._period_s: Final = 1 / fps
        self._client: Final = HttpClient(address)
        self._answered: Final = Event()
        self._is_open = False
        self._unused = 0
        self._thread.start()
        self._await_answer()

    def close(self) -> None:
        """Closes the connection; a `read` of another thread ends. Further calls do nothing."""
        super().close()
        self._client.close()

    def _await_answer(self) -> None:
        """Waits until the camera has answered.

        Raises:
            CameraError: it has not in time, or not with pictures.
        """
        begun_s = time.monotonic()
        if not self._client.connected.wait(http_client.CONNECT_S):
            self._fail(faults.unreachable(self.name, TimeoutError()))
        elif not self._answered.wait(begun_s + OPENING_S - time.monotonic()):
            self._fail(NetworkFault.SILENT.of(self.name))
        error = None if self._is_open else self._fault
        if error is not None:
            self.close()
            raise error

    # In the thread

    def _run(self) -> None:
        error = NetworkFault.ENDED.of(self.name)
        try:
            while not self._closed.is_set():
                asked_s = time.monotonic()
                self._receive(self._client.ask())
                self._closed.wait(asked_s + self._period_s - time.monotonic())
        except CameraError as failure:
            error = CameraError(failure.code, str(failure))  # without what led to it
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the connection is lost, or chunks are none
        finally:
            self._fail(error)
            self._client.connected.set()
            self._answered.set()
            self._client.disconnect()

    def _receive(self, answer: http.client.HTTPResponse) -> None:
        """Receives the pictures of an answer.

        Raises:
            CameraError: the stream has ended, or there is no picture.
        """
        kind = answer.headers.get_content_type()
        is_stream, is_picture = kind.startswith("multipart/"), kind.startswith("image/")
        if kind in faults.PAGES:
            raise self._client.without_pictures(answer)
        if is_stream or is_picture:
            self._open()
        count, begun_s = 0, time.monotonic()
        for encoded in self._pictures(answer, kind):
            self._put(Picture(time.monotonic(), encoded=encoded))
            count, self._unused = count + 1, 0
            self._open()
            if count % _BURST == 0:
                self._closed.wait(begun_s + _BURST_S - time.monotonic())
                begun_s = time.monotonic()
        if not self._is_open:
            raise self._client.without_pictures(answer)
        if is_stream or count > 1:
            raise NetworkFault.ENDED.of(self.name)

    def _open(self) -> None:
        self._is_open = True
        self._answered.set()

    def _pictures(self, answer: http.client.HTTPResponse, kind: str) -> Iterator[bytes]:
        """Yields the pictures in the body of an answer as they become whole."""
        pieces = self._pieces(answer)
        if kind.startswith("image/") and kind not in _JPEG:
            body = b"".join(pieces)
            if body and not answer.length:
                yield body
        else:
            yield from jpegs_in(pieces, adjoining=not kind.startswith(("image/", "multipart/")))

    def _pieces(self, answer: http.client.HTTPResponse) -> Iterator[bytes]:
        """Yields the bytes of a body as they arrive.

        Raises:
            CameraError: more than `MOST_BYTES` of them are no picture.
        """
        self._unused = 0
        while piece := answer.read1(_PIECE):
            self._unused += len(piece)
            if self._unused > faults.MOST_BYTES + _PIECE:
                raise NetworkFault.TOO_LARGE.of(self.name)
            yield piece
        answer.close()  # the connection takes another request
