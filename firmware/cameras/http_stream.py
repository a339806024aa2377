"""Camera in a network that sends a video as a stream of JPEGs (MJPEG)."""

import time
from typing import Final

from firmware.cameras.http_client import HttpClient
from firmware.cameras.http_connection import READABLE, SocketWait, Steps
from firmware.cameras.interfaces import CameraError, Picture
from firmware.cameras.multipart import MultipartPictures
from firmware.cameras.network_faults import ended, single_pictures

_PAUSE_S: Final = 0.5
"""Seconds without reading after which the camera may have had to wait. The picture that it was
sending is as old as the pause, and the next one is new."""

_FRESH_S: Final = 0.3
"""Seconds to wait for that next picture; most cameras send ten or more a second."""

_MOST_AT_ONCE: Final = 400
"""Pieces that are received without a look at the time: 26 MB, more than systems store."""


class HttpStreamCamera:
    """A stream of JPEGs at an address like http://192.168.1.20:8080/video.

    Each picture is the newest: older ones that have arrived meanwhile are dropped.

    Args:
        url: address, with user:password@ if the camera wants them.
        client: a client that has opened the address; None to open it here.

    Raises:
        CameraError: there is no camera, or it sends no video.
    """

    def __init__(self, url: str, *, client: HttpClient | None = None) -> None:
        self._client: Final = client or HttpClient(url)
        del url  # a traceback may print it
        answer = self._client.answer or self._client.open()
        self._answer: Final = answer
        self._parts: Final = MultipartPictures(answer.header("Content-Type"), self.name)
        self._newest: Picture | None = None
        self._ended = False
        self._left_s = time.monotonic()
        try:
            self._begin()
        except CameraError:
            self._client.close()
            raise

    @property
    def name(self) -> str:
        """The address without user and password."""
        return self._client.name

    def read(self, timeout_s: float) -> Picture | None:
        """Waits for the next picture; None if none came in time.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: the stream has ended, or the camera is closed.
        """
        begun_s = time.monotonic()
        until = begun_s + timeout_s
        try:
            paused = begun_s - self._left_s > _PAUSE_S
            self._client.run(self._receive(until, paused=paused), until)
        finally:
            self._left_s = time.monotonic()
        picture, self._newest = self._newest, None
        return picture

    def close(self) -> None:
        """Closes the connection; a `read` of another thread ends. Further calls do nothing."""
        self._client.close()

    def _begin(self) -> None:
        """Takes what came together with the head of the answer.

        Raises:
            CameraError: it is no stream.
        """
        if not self._answer.kind.startswith("multipart/"):
            raise single_pictures(self.name)
        self._feed(b"")

    def _receive(self, until: float, *, paused: bool) -> Steps[None]:
        """Receives all that has arrived, and waits for a picture if there is none.

        Raises:
            CameraError: the stream has ended without another picture.
        """
        late = self._drain() and paused
        wanted = self._parts.count + 2 if late else 0
        while not self._newest or self._parts.count < wanted:
            if self._newest:
                until = min(until, time.monotonic() + _FRESH_S)
            if self._ended:
                if self._newest:
                    return
                raise ended(self.name)
            yield SocketWait(self._client.connection.line, READABLE, until)
            self._drain()
            if time.monotonic() >= until:
                return

    def _drain(self) -> bool:
        """Receives what has arrived, and keeps the newest picture in it; True if there is any."""
        for count in range(_MOST_AT_ONCE):
            data = None if self._ended else self._client.connection.receive_now()
            if data is None:
                return count > 0
            self._ended = not data
            self._feed(data)
        return True

    def _feed(self, data: bytes) -> None:
        picture = self._parts.feed(self._answer.decoded(data))
        self._ended = self._ended or self._answer.complete
        if picture is not None:
            self._newest = Picture(time.monotonic(), encoded=picture)
