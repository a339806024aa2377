"""Camera in a network that sends one picture for each request."""

import time
from typing import Final

from firmware.cameras.http_answer import HttpAnswer
from firmware.cameras.http_client import HttpClient
from firmware.cameras.http_connection import SocketWait, Steps
from firmware.cameras.interfaces import Picture
from firmware.cameras.jpeg_marks import BEGIN, END, FILLING
from firmware.cameras.network_faults import MOST_BYTES, too_large, video

_PAUSE_S: Final = 0.5
"""Seconds without reading after which a picture that was asked for before is old."""


class HttpSnapshotCamera:
    """Single pictures at an address like http://192.168.1.20:8080/shot.jpg.

    Args:
        url: address, with user:password@ if the camera wants them.
        fps: most requests a second.
        client: a client that has opened the address; None to open it here.

    Raises:
        CameraError: there is no camera, or it sends no single pictures.
    """

    def __init__(self, url: str, fps: float = 10.0, *, client: HttpClient | None = None) -> None:
        self._client: Final = client or HttpClient(url)
        del url  # a traceback may print it
        self._period_s: Final = 1 / fps
        answer = self._client.answer or self._client.open()
        if not answer.kind.startswith("image/"):
            self._client.close()
            raise video(self.name)
        self._asked_s = self._left_s = time.monotonic()
        self._steps: Steps[Picture] | None = self._pictured(answer)
        self._old = False

    @property
    def name(self) -> str:
        """The address without user and password."""
        return self._client.name

    def read(self, timeout_s: float) -> Picture | None:
        """Waits for the next picture; None if none came in time.

        A request that is not answered in time goes on in the next call.

        Args:
            timeout_s: longest wait in seconds.

        Raises:
            CameraError: the camera gives no pictures any more, or is closed.
        """
        begun_s = time.monotonic()
        self._old = self._steps is not None and begun_s - self._left_s > _PAUSE_S
        steps, self._steps = self._steps or self._pictured(None), None
        try:
            picture = self._client.run(steps, begun_s + timeout_s)
        finally:
            self._left_s = time.monotonic()
        if picture is None:
            self._steps = steps
        return picture

    def close(self) -> None:
        """Closes the connection; a `read` of another thread ends. Further calls do nothing."""
        self._client.close()

    def _pictured(self, answer: HttpAnswer | None) -> Steps[Picture]:
        """Asks until there is a whole new picture, beginning with an answer that has come."""
        while True:
            picture = yield from self._body(answer or (yield from self._asked()))
            answer = None
            if picture is not None and not self._old:
                return picture

    def _asked(self) -> Steps[HttpAnswer]:
        """Asks for a picture when it is time to."""
        while time.monotonic() < self._asked_s + self._period_s:
            yield SocketWait(until=self._asked_s + self._period_s)
        self._asked_s = time.monotonic()
        self._old = False
        return (yield from self._client.ask())

    def _body(self, answer: HttpAnswer) -> Steps[Picture | None]:
        """Receives a picture; None if it is cut.

        Raises:
            CameraError: it has more than 20 MB, or it is a video now.
        """
        if not answer.kind.startswith("image/"):
            raise video(self.name)
        body = bytearray(answer.decoded())
        while not answer.complete:
            data = yield from self._client.connection.receive()
            if not data:
                break
            body += answer.decoded(data)
            if len(body) > MOST_BYTES:
                raise too_large(self.name)
        if _is_cut(body, whole=answer.complete or not answer.has_length):
            return None
        return Picture(time.monotonic(), encoded=bytes(body))


def _is_cut(body: bytearray, *, whole: bool) -> bool:
    """True if a picture is not whole; JPEGs have an end mark."""
    jpeg = body.startswith(BEGIN)
    return not body or not whole or (jpeg and not body.rstrip(FILLING).endswith(END))
