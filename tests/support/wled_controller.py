"""An ESP32 with WLED and its LEDs, on a port for frames and one for its page.

It drops what the versions drop, and says nothing about it: before 0.15 all but the packet with the
push flag, from 16 on those that are too short or for another destination. After 2.5 s without a
packet it shows its own effect.
"""

import json
import random
import socket
import struct
import time
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, Final

from vision.plastics import Rgb

_HEAD: Final = struct.Struct(">BBBBIH")
"""Head of a packet: flags, sequence, kind of data, destination, offset and length."""

_TIMECODE: Final = 4
"""Bytes more that the head has with a time code."""

_PUSH: Final = 0x01
"""Flag of a packet after which the picture is shown."""

_STATUS: Final = 0x02 | 0x04 | 0x08
"""Flags of packets without a picture: query, reply and storage."""

_TIMED: Final = 0x10
"""Flag of a packet with a time code."""

_OTHERS: Final = (246, 250, 251)
"""Destinations that are no display."""

_TIMEOUT_S: Final = 2.5
"""Seconds after the last packet until it shows its own effect."""

_EFFECT: Final[Rgb] = (255, 160, 0)
"""Colour of all LEDs in its own effect."""


@dataclass
class WledFaults:
    """Faults of WLED, its network and its owner.

    Attributes:
        loss: share of packets that are lost.
        delay_s: longest delay of a packet, which may change the order.
        override: realtime override, 0 for none.
        other: address of another program that drives it; empty for none.
        mute: True if its page answers nothing.
        no_wled: True if another device answers there.
    """

    loss: float = 0.0
    delay_s: float = 0.0
    override: int = 0
    other: str = ""
    mute: bool = False
    no_wled: bool = False


class WledController:
    """WLED on this computer.

    Args:
        count: number of LEDs; 30 as a new one has.
        version: 14 for 0.14, 15, or 16.
        is_matrix: True if it knows the LEDs as a matrix.
        brightness: 0 to 255.
        host: address of this computer on which it listens.
        ddp_port: its port for frames; 0 for any.

    Attributes:
        faults: what is wrong with it.
        packets: number of packets that came.
    """

    def __init__(
        self,
        count: int = 30,
        version: int = 16,
        *,
        is_matrix: bool = False,
        brightness: int = 255,
        host: str = "127.0.0.1",
        ddp_port: int = 0,
    ) -> None:
        self.faults = WledFaults()
        self.packets = 0
        self._version: Final = version
        self._is_matrix: Final = is_matrix
        self._brightness: Final = brightness
        self._chance: Final = random.Random(1)  # noqa: S311
        self._lock: Final = Lock()
        self._closing: Final = Event()
        self._pixels: list[Rgb] = [(0, 0, 0)] * count
        self._shown = list(self._pixels)
        self._has_pushed = False
        self._heard_s = float("-inf")
        self._sender = ""
        self._frames: Final = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._frames.bind((host, ddp_port))
        self._frames.settimeout(0.1)
        self._page: Final = ThreadingHTTPServer((host, 0), self._handler())
        self._page.daemon_threads = True
        self._threads: Final = [
            Thread(target=self._listen),
            Thread(target=self._page.serve_forever),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def address(self) -> str:
        """Address and port of its page."""
        host, port = self._page.server_address[:2]
        return f"{host!s}:{port}"

    @property
    def ddp_port(self) -> int:
        """Its port for frames."""
        port: int = self._frames.getsockname()[1]
        return port

    @property
    def shown(self) -> list[Rgb]:
        """Colours of the LEDs now."""
        with self._lock:
            is_live = time.monotonic() - self._heard_s < _TIMEOUT_S and not self.faults.override
            pixels = self._shown if is_live else [_EFFECT] * len(self._shown)
        share = self._brightness / 255
        return [(round(r * share), round(g * share), round(b * share)) for r, g, b in pixels]

    def close(self) -> None:
        """Switches it off."""
        self._closing.set()
        self._page.shutdown()
        self._page.server_close()
        for thread in self._threads:
            thread.join()
        self._frames.close()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                packet, (sender, _) = self._frames.recvfrom(2048)
            except TimeoutError:
                continue
            if self._chance.random() < self.faults.loss:
                continue
            late_s = self._chance.uniform(0, self.faults.delay_s)
            if late_s:
                Thread(target=self._take_later, args=(packet, sender, late_s), daemon=True).start()
            else:
                self._take(packet, sender)

    def _take_later(self, packet: bytes, sender: str, late_s: float) -> None:
        if not self._closing.wait(late_s):
            self._take(packet, sender)

    def _take(self, packet: bytes, sender: str) -> None:
        with self._lock:
            self.packets += 1
            if len(packet) < _HEAD.size:
                return
            flags, _, _, destination, offset, length = _HEAD.unpack_from(packet)
            start = _HEAD.size + (_TIMECODE if flags & _TIMED else 0)
            pixels = packet[start : start + length]
            if flags & _STATUS or destination in _OTHERS:
                # Before 16 these packets make the LEDs dark.
                if self._version < 16:
                    self._shown = [(0, 0, 0)] * len(self._shown)
                return
            if self._version >= 16 and len(pixels) < length:
                return
            self._heard_s, self._sender = time.monotonic(), sender
            for led, at in enumerate(range(0, len(pixels) - 2, 3), offset // 3):
                if led < len(self._pixels):
                    self._pixels[led] = (pixels[at], pixels[at + 1], pixels[at + 2])
            is_push = bool(flags & _PUSH)
            self._has_pushed |= is_push
            # From 0.15 on each packet is shown until the first push flag.
            if is_push or (self._version >= 15 and not self._has_pushed):
                self._shown = list(self._pixels)

    def _answer(self) -> dict[str, Any]:
        is_live = time.monotonic() - self._heard_s < _TIMEOUT_S
        leds: dict[str, Any] = {"count": len(self._pixels), "maxpwr": 850}
        if self._is_matrix:
            side = round(len(self._pixels) ** 0.5)
            leds["matrix"] = {"w": side, "h": side}
        info = {
            "ver": f"0.{self._version}.0" if self._version < 16 else "16.0.1",
            "leds": leds,
            "live": is_live or bool(self.faults.other),
            "lm": "DDP" if is_live else "",
            "lip": self.faults.other or (self._sender if is_live else ""),
        }
        return {"info": info, "state": {"bri": self._brightness, "lor": self.faults.override}}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wled = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if wled.faults.mute:
                    self.close_connection = True
                    return
                text = "<html>" if wled.faults.no_wled else json.dumps(wled._answer())
                self.send_response(HTTPStatus.OK)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *args: object) -> None:
                """Says nothing."""

        return Handler
