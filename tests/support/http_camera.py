"""A camera in a network: a small server on loopback, and the ways in which cameras answer."""

import base64
import hashlib
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from vision.io.image_file import encode_jpeg

REALM = "a camera, upstairs"


def numbered_jpeg(number: int, side: int = 32) -> bytes:
    """Returns a noisy JPEG; each number and side has its own."""
    noise = np.random.default_rng(number).integers(0, 256, (side, side, 3), np.uint8)
    return encode_jpeg(noise, 90)


@dataclass(frozen=True)
class CameraRequest:
    """A request that a camera received: its path with the query, and its headers."""

    path: str
    headers: dict[str, str]


Respond = Callable[[CameraRequest, socket.socket], object]
"""Sends the answer to a request on a connection, which then takes another request.

It returns False to have the connection closed."""


class HttpCameraServer:
    """A server on a free port of loopback, with a thread for each connection.

    Args:
        respond: answers each request.
        certificate: a file with a certificate and its key, for https.
    """

    def __init__(self, respond: Respond, certificate: Path | None = None) -> None:
        self.requests: list[CameraRequest] = []
        self.connections = 0
        self._respond = respond
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lines: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.port = self._listener.getsockname()[1]
        self._start(self._accept)

    def url(self, path: str = "/video", login: str = "") -> str:
        """Returns an address of the camera; the login is "user:password" or empty."""
        scheme = "https" if self._context else "http"
        return f"{scheme}://{login}{'@' if login else ''}127.0.0.1:{self.port}{path}"

    def hang_up(self) -> None:
        """Closes all connections."""
        for line in self._lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes everything, and waits for the threads."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        for thread in self._threads:
            thread.join(5.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line = self._listener.accept()[0]
                self.connections += 1
                self._lines.append(line)
                self._start(lambda line=line: self._serve(line))  # type: ignore[misc]

    def _serve(self, line: socket.socket) -> None:
        with suppress(OSError), line:
            if self._context:
                line = self._context.wrap_socket(line, server_side=True)
                self._lines.append(line)
            with line:
                while (request := received(line)) is not None:
                    self.requests.append(request)
                    if self._respond(request, line) is False:
                        return


def received(line: socket.socket) -> CameraRequest | None:
    """Receives the head of a request; None if the connection ends before."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        data = line.recv(1)
        if not data:
            return None
        head += data
    first, *rest = head.decode().strip().split("\r\n")
    pairs = (text.partition(": ") for text in rest)
    return CameraRequest(first.split(" ")[1], {name: value for name, _, value in pairs})


def answer(status: str, *headers: str, body: bytes = b"") -> bytes:
    """Returns an answer with a body of known length."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def fixed(reply: bytes) -> Respond:
    """A camera with the same answer to all."""
    return lambda _, line: line.sendall(reply)


def picture(jpeg: bytes) -> Respond:
    """A camera with one picture."""
    return fixed(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))


def pictures(jpegs: Iterable[bytes]) -> Respond:
    """A camera with another picture for each request; it hangs up after the last."""
    queue = iter(jpegs)

    def respond(_: CameraRequest, line: socket.socket) -> object:
        jpeg = next(queue, None)
        if jpeg is not None:
            line.sendall(answer("200 OK", "Content-Type: image/jpeg", body=jpeg))
        return jpeg is not None

    return respond


def stream_head(boundary: str = "frame", *headers: str) -> bytes:
    """Returns the head of a stream; the boundary is as in the header, perhaps with quotes."""
    kind = f"Content-Type: multipart/x-mixed-replace; boundary={boundary}"
    return "\r\n".join(["HTTP/1.1 200 OK", kind, *headers, "", ""]).encode()


def part(jpeg: bytes, mark: str = "--frame", length: int | None = -1) -> bytes:
    """Returns a part of a stream; the length is announced as given, -1 the right one."""
    lines = [mark, "Content-Type: image/jpeg"]
    if length is not None:
        lines.append(f"Content-Length: {len(jpeg) if length < 0 else length}")
    return "\r\n".join([*lines, "", ""]).encode() + jpeg + b"\r\n"


def chunk(data: bytes) -> bytes:
    """Returns data as one chunk of a chunked body."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def stream(
    jpegs: Iterable[bytes], period_s: float = 0.0, *, linger_s: float = 60.0, lengths: bool = True
) -> Respond:
    """A camera with a stream; after the last picture it hangs up when nobody listens.

    Args:
        jpegs: the pictures; a recorded game gives them one after the other.
        period_s: seconds between two pictures.
        linger_s: seconds from the last picture until it hangs up.
        lengths: True to announce the length of each picture.
    """

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(stream_head())
        for jpeg in jpegs:
            line.sendall(part(jpeg, length=-1 if lengths else None))
            time.sleep(period_s)
        linger(line, linger_s)
        return False

    return respond


def linger(line: socket.socket, seconds: float = 60.0) -> None:
    """Keeps a connection open without a word until the other side closes it."""
    line.settimeout(seconds)
    with suppress(TimeoutError):
        line.recv(1)


def sent(*pieces: bytes, pause_s: float = 0.0, linger_s: float = 60.0) -> Respond:
    """A camera that sends pieces as they are, with pauses between them, and then nothing."""

    def respond(_: CameraRequest, line: socket.socket) -> object:
        for piece in pieces:
            line.sendall(piece)
            time.sleep(pause_s)
        linger(line, linger_s)
        return False

    return respond


def with_basic(user: str, password: str, inside: Respond) -> Respond:
    """A camera that wants Basic."""
    wanted = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()

    def respond(request: CameraRequest, line: socket.socket) -> object:
        if request.headers.get("Authorization") == wanted:
            return inside(request, line)
        asked = f'WWW-Authenticate: Basic realm="{REALM}"'
        line.sendall(answer("401 Unauthorized", asked))
        return True

    return respond


class DigestGate:
    """A camera that wants Digest.

    Args:
        user: user.
        password: password.
        inside: answers those that are let in.
        algorithm: "MD5" or "SHA-256".
        qop: what the camera offers; empty for the Digest of RFC 2069.
        lasting: requests after which the number becomes stale.
        others: further challenges, before that of Digest.
    """

    def __init__(
        self,
        user: str,
        password: str,
        inside: Respond,
        *,
        algorithm: str = "MD5",
        qop: str = "auth",
        lasting: int = 1000,
        others: tuple[str, ...] = (),
    ) -> None:
        self._login = (user, password)
        self._inside = inside
        self._algorithm = algorithm
        self._qop = qop
        self._lasting = lasting
        self._others = others
        self._nonce = 0
        self._counts: list[int] = []
        self.refused = 0

    def __call__(self, request: CameraRequest, line: socket.socket) -> object:
        header = request.headers.get("Authorization", "")
        given = {
            name: quoted or plain
            for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', header)
        }
        right = header.startswith("Digest ") and given["response"] == self._response(given, request)
        if right and given["nonce"] == f"n{self._nonce}" and len(self._counts) < self._lasting:
            if self._qop:
                self._counts.append(int(given["nc"], 16))
                assert self._counts == list(range(1, len(self._counts) + 1))
            return self._inside(request, line)
        self.refused += 1
        self._nonce += 1
        self._counts = []
        challenge = f'Digest realm="{REALM}", nonce="n{self._nonce}", opaque="o"'
        challenge += f", algorithm={self._algorithm}, stale={str(right).lower()}"
        challenge += f', qop="{self._qop}"' * (self._qop != "")
        asked = [f"WWW-Authenticate: {one}" for one in (*self._others, challenge)]
        line.sendall(answer("401 Unauthorized", *asked))
        return True

    def _response(self, given: dict[str, str], request: CameraRequest) -> str:
        name = self._algorithm.lower().replace("-", "")

        def hashed(text: str) -> str:
            return hashlib.new(name, text.encode(), usedforsecurity=False).hexdigest()

        user, password = self._login
        secret = hashed(f"{user}:{REALM}:{password}")
        asked = hashed(f"GET:{request.path}")
        middle = [given["nonce"]]
        if self._qop:
            middle += [given["nc"], given["cnonce"], "auth"]
        return hashed(":".join([secret, *middle, asked]))


def redirect(to: str, status: str = "302 Found") -> bytes:
    """Returns an answer that leads elsewhere."""
    return answer(status, f"Location: {to}")


def self_signed(folder: Path) -> Path:
    """Writes a certificate of 127.0.0.1 with its key to a file."""
    key, certificate, both = folder / "key.pem", folder / "cert.pem", folder / "both.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    options = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key)]
    subprocess.run(
        [*command.split(), *options, "-out", str(certificate)], check=True, capture_output=True
    )
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both
