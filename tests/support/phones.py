"""Phones that follow a game on the score page over HTTP."""

import http.client
import re
import threading
from contextlib import suppress
from typing import Final
from urllib.parse import urlencode

_PICTURE_S: Final = 1.0
"""Seconds between two pictures of the camera that a phone loads, as the page's script does."""

_OPENS: Final = ("/", "/static/style.css", "/static/device.js", "/static/live.js")
"""Paths that a browser loads when it opens the page."""


class PagePhone:
    """A phone with an address and a cookie of its own.

    Args:
        port: port of the page on this machine.
        number: number of the phone, from 1 to 200, for its address.
    """

    def __init__(self, port: int, number: int) -> None:
        self._port: Final = port
        self._source: Final = (f"127.0.0.{number + 1}", 0)
        self._cookie = ""

    def get(self, path: str) -> tuple[int, str]:
        """Loads a path; returns status and text."""
        return self._asked("GET", path)

    def pair(self, number: str) -> None:
        """Makes it the arbiter's by a number."""
        status, text = self._form("/arbiter", "/pair", {"number": number})
        assert status == http.HTTPStatus.SEE_OTHER, text
        assert self._cookie

    def command(self, word: str, page: str = "/arbiter/setup/check") -> None:
        """Asks the table for something, as the form on a page does."""
        status, text = self._form(page, "/arbiter/say", {"word": word})
        assert status == http.HTTPStatus.SEE_OTHER, text

    def _form(self, page: str, to: str, fields: dict[str, str]) -> tuple[int, str]:
        shown = self.get(page)[1]
        hidden = dict(re.findall(r'name="(token|id|revision)" value="([^"]*)"', shown))
        return self._asked("POST", to, {**hidden, **fields})

    def _asked(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, str]:
        connection = self.connection()
        headers = {"Cookie": self._cookie, "Accept-Encoding": "identity"}
        if fields is not None:
            headers["Origin"] = f"http://127.0.0.1:{self._port}"
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, urlencode(fields or {}) or None, headers)
            answer = connection.getresponse()
            self._cookie = (answer.headers["Set-Cookie"] or self._cookie).partition(";")[0]
            return answer.status, answer.read().decode(errors="replace")
        finally:
            connection.close()

    def connection(self) -> http.client.HTTPConnection:
        """Returns a connection to the page, not yet open."""
        return http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=30, source_address=self._source
        )


class WatchingPhone:
    """A phone that has opened the page: it holds the stream of changes and loads pictures.

    Attributes:
        pictures: number of pictures of the camera that it has loaded.
        bytes_streamed: length of the stream so far.
        failed: number of requests that failed.
    """

    def __init__(self, phone: PagePhone) -> None:
        self._phone: Final = phone
        self._ending: Final = threading.Event()
        self.pictures = self.bytes_streamed = self.failed = 0
        for path in _OPENS:
            status, text = phone.get(path)
            assert status == http.HTTPStatus.OK, (path, text)
        self._looking: Final = threading.Thread(target=self._look)
        self._looking.start()
        threading.Thread(target=self._follow, daemon=True).start()

    def close(self) -> None:
        """Closes the page on the phone; its stream ends with the next word of the table."""
        self._ending.set()
        self._looking.join()

    def _follow(self) -> None:
        """Reads the stream of changes, which says something every 10 s at least."""
        connection = self._phone.connection()
        with suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/events", headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            while not self._ending.is_set() and (data := answer.read1(1 << 16)):
                self.bytes_streamed += len(data)
        self.failed += not self._ending.is_set()
        connection.close()

    def _look(self) -> None:
        """Loads the newest picture of the camera once a second."""
        while not self._ending.wait(_PICTURE_S):
            try:
                status, _ = self._phone.get("/live.jpg")
            except (OSError, http.client.HTTPException):
                status = 0
            self.pictures += status == http.HTTPStatus.OK
            self.failed += status not in (http.HTTPStatus.OK, http.HTTPStatus.NO_CONTENT)
