"""What a fresh machine asks of its network: packages, and the time."""

import hashlib
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from email.utils import formatdate
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import DatagramRequestHandler, UDPServer
from typing import Final

from tests.support.serving import serving

NTP_PORT: Final = 123

_SINCE_1900_S: Final = 2_208_988_800
"""Seconds from the epoch of NTP to that of Unix."""

_CONTROL: Final = """Package: python3-picamera2
Version: 0.3.31-1
Architecture: all
Maintainer: Nobody <nobody@example.org>
Description: stands in for the library of Raspberry Pi OS
"""

_LIBRARY: Final = """class Picamera2:
    @staticmethod
    def global_camera_info():
        return []
"""
"""The library where no camera is connected."""


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


def make_packages(folder: Path) -> None:
    """Makes a repository for apt with one package that stands in for picamera2."""
    built = folder / "built"
    place = built / "usr/lib/python3/dist-packages/picamera2"
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(_LIBRARY)
    (built / "DEBIAN").mkdir()
    (built / "DEBIAN/control").write_text(_CONTROL)
    package = folder / "python3-picamera2.deb"
    words = ["dpkg-deb", "--root-owner-group", "--build", str(built), str(package)]
    subprocess.run(words, check=True, capture_output=True)
    content = package.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    listed = f"{_CONTROL}Filename: {package.name}\nSize: {len(content)}\nSHA256: {digest}\n"
    (folder / "Packages").write_text(listed)
    digest = hashlib.sha256(listed.encode()).hexdigest()
    date = formatdate(usegmt=True)
    (folder / "Release").write_text(f"Date: {date}\nSHA256:\n {digest} {len(listed)} Packages\n")


@contextmanager
def packages_served(folder: Path, host: str) -> Iterator[str]:
    """Serves a repository; yields its line for sources.list without the address's host."""
    make_packages(folder)
    handler = partial(_QuietHandler, directory=str(folder))
    with serving(ThreadingHTTPServer((host, 0), handler)) as server:
        yield f"deb [trusted=yes] http://{{}}:{server.server_address[1]}/ ./\n"


class _TimeHandler(DatagramRequestHandler):
    """Tells the time by NTP, RFC 4330."""

    def handle(self) -> None:
        """Answers a request."""
        stamp = struct.pack(">Q", int((time.time() + _SINCE_1900_S) * 2**32))
        # No leap second, version 4, a server of stratum 1 that is precise to 1 us.
        head = struct.pack(">BBbbII4s", 0x24, 1, 6, -20, 0, 1 << 10, b"TEST")
        self.wfile.write(head + stamp + self.packet[40:48] + stamp + stamp)


def time_served(host: str) -> AbstractContextManager[UDPServer]:
    """Tells the time by NTP."""
    return serving(UDPServer((host, NTP_PORT), _TimeHandler))
