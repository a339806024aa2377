"""LEDs on an ESP32 with WLED, over the network by its protocol DDP.

Nothing answers a frame, and any may be lost, so the newest one is sent again and again: otherwise
WLED goes back to its own effect after 2.5 s. Whether WLED is there, and shows our frames, is asked
over HTTP meanwhile. Source: the code of WLED, versions 0.14 to 16 (e131.cpp, udp.cpp, json.cpp).
"""

import http.client
import json
import logging
import socket
import struct
from contextlib import closing, suppress
from threading import Event, Lock, Thread
from typing import Any, Final

from firmware.drivers.interfaces import DeviceError
from firmware.drivers.pixel_order import frame_of

DDP_PORT: Final = 4048
"""Port of WLED for frames."""

LATE_S: Final = 1.0
"""Seconds after a write until its frame is shown, unless four in a row are lost."""

MOST_BYTES: Final = 1440
"""Bytes of pixels in one packet."""

_REPEAT_S: Final = 0.25
"""Seconds from a frame to its repetition."""

_LAST: Final = 3
"""Times that the last frame is sent again at the end."""

_ASK_S: Final = 5.0
"""Seconds from one question over HTTP to the next."""

_ANSWER_S: Final = 2.0
"""Seconds in which WLED has to answer."""

_UNANSWERED: Final = 3
"""Questions without an answer after which WLED is away: while it shows frames it may be slow."""

_LONGEST: Final = 1 << 16
"""Bytes of the longest answer that is read."""

_SEQUENCES: Final = 15
"""Numbers of packets, from 1; 0 is none."""

_VERSION: Final = 0x40
"""Flags of every packet: version 1."""

_PUSH: Final = 0x01
"""Flag of the packet after which a frame is shown."""

_RGB: Final = 0x0B
"""Kind of data: red, green and blue, a byte each."""

_DISPLAY: Final = 1
"""Destination of the frames."""

_log = logging.getLogger(__name__)


class Wled:
    """LEDs that WLED drives.

    WLED itself knows their order of colours, and on a matrix also their wiring.

    Args:
        address: name or address, with the port of its page if that is not 80.
        length: number of LEDs.
        is_wired_in_rows: True if the LEDs of the settings go row by row from the top left, as a
            matrix of WLED takes them.
        wait_s: seconds to wait for its first answer; without one, it is away until then.
        ddp_port: its port for frames.

    Raises:
        DeviceError: it cannot work; only with `wait_s`.

    Attributes:
        length: number of LEDs.
    """

    def __init__(
        self,
        address: str,
        length: int,
        *,
        is_wired_in_rows: bool = True,
        wait_s: float = 0.0,
        ddp_port: int = DDP_PORT,
    ) -> None:
        self._address: Final = address
        self.length: Final = length
        self._is_wired_in_rows: Final = is_wired_in_rows
        self._ddp_port: Final = ddp_port
        self._socket = socket.socket(type=socket.SOCK_DGRAM)  # leads nowhere until it is found
        self._lock: Final = Lock()
        self._closing: Final = Event()
        self._answered: Final = Event()
        self._frame = b""
        self._sequence = self._unanswered = 0
        self._has_warned = False
        self._trouble = f"WLED at {address} has not answered yet"
        for work in (self._ask_again, self._repeat):
            Thread(target=work, name="wled", daemon=True).start()
        if wait_s and self._answered.wait(wait_s) and self._trouble:
            self.close()
            raise DeviceError(self._trouble)

    def write(self, pixels: bytes) -> None:
        """Shows one colour on each LED, at the latest after `LATE_S`.

        Raises:
            DeviceError: it is closed, the number of bytes is wrong, or WLED is away or shows
                something else.
        """
        frame = frame_of(pixels, self.length).tobytes()
        if self._closing.is_set():
            raise DeviceError(f"WLED at {self._address} is closed; open it again to write to it")
        if self._trouble:
            raise DeviceError(self._trouble)
        with self._lock:
            self._frame = frame
            self._send()

    def close(self) -> None:
        """Stops the frames; WLED goes back to its own effect some seconds later."""
        with self._lock:
            if self._frame and not self._closing.is_set():
                for _ in range(_LAST):
                    self._send()
            self._closing.set()
            self._socket.close()

    def _repeat(self) -> None:
        while not self._closing.wait(_REPEAT_S):
            with self._lock:
                if self._frame and not self._trouble and not self._closing.is_set():
                    self._send()

    def _send(self) -> None:
        """Sends the newest frame; one that cannot be sent is as good as lost."""
        self._sequence = self._sequence % _SEQUENCES + 1
        with suppress(OSError):
            for packet in packets(self._frame, self._sequence):
                self._socket.send(packet)

    def _connect(self, line: socket.socket) -> str:
        """Sends frames from now on to where a connection leads; returns the address from here."""
        ours, theirs = line.getsockname()[0], line.getpeername()[0]
        with self._lock:
            if not self._closing.is_set():
                self._socket.close()
                self._socket = socket.socket(line.family, socket.SOCK_DGRAM)
                self._socket.settimeout(0.0)
                self._socket.connect((theirs, self._ddp_port))
        return str(ours)

    def _ask_again(self) -> None:
        while True:
            trouble = self._asked()
            self._unanswered = 0 if trouble is not None else self._unanswered + 1
            if trouble is not None:
                self._trouble = trouble
            elif self._unanswered >= _UNANSWERED or not self._answered.is_set():
                self._trouble = (
                    f"WLED at {self._address} does not answer; look at its power and its WiFi, "
                    "and at lights.device"
                )
            self._answered.set()
            if self._closing.wait(_ASK_S):
                return

    def _asked(self) -> str | None:
        """Returns what is wrong with WLED in one sentence; None if it does not answer."""
        try:
            line = http.client.HTTPConnection(self._address, timeout=_ANSWER_S)
            with closing(line):
                line.connect()
                ours = self._connect(line.sock)
                line.request("GET", "/json/si")
                found = json.loads(line.getresponse().read(_LONGEST))
                return self._fault(found["info"], found["state"], ours)
        except (OSError, http.client.HTTPException):
            return None
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return f"what answers at {self._address} is no WLED; name its address in lights.device"

    def _fault(self, info: dict[str, Any], state: dict[str, Any], ours: str) -> str:
        """Returns why WLED does not show our frames; empty if it does.

        Args:
            info: what it says of itself.
            state: what it shows.
            ours: address of this computer, as WLED sees it.
        """
        leds, here = info["leds"], f"WLED at {self._address}"
        if leds["count"] < self.length:
            return (
                f"{here} has {leds['count']} LEDs instead of {self.length}; set their number in "
                "its LED preferences"
            )
        if "matrix" in leds and not self._is_wired_in_rows:
            return (
                f"{here} has a matrix and knows its wiring; set lights.first to 'top-left', "
                "lights.along to 'rows' and lights.serpentine to false"
            )
        if state.get("lor"):
            return f"{here} shows its own effect over ours; end the override in its app"
        if info.get("live") and info.get("lip") and info["lip"] != ours:
            return f"another program, at {info['lip']}, drives {here}; end that one"
        self._warn(here, leds, state)
        return ""

    def _warn(self, here: str, leds: dict[str, Any], state: dict[str, Any]) -> None:
        """Tells once what makes the lights dimmer than the settings say."""
        if self._has_warned:
            return
        self._has_warned = True
        if (brightness := state.get("bri", 255)) < 255:
            share = brightness / 2.55
            _log.warning("%s dims all to %.0f %% unless it forces full brightness", here, share)
        if most := leds.get("maxpwr"):
            _log.warning("%s dims pictures that would take more than %s mA", here, most)


def packets(frame: bytes, sequence: int) -> list[bytes]:
    """Returns a frame as DDP packets, the last of which shows it.

    Args:
        frame: red, green and blue of each LED.
        sequence: number of the frame, 1 to 15.
    """
    starts = range(0, len(frame), MOST_BYTES)
    return [
        struct.pack(
            ">BBBBIH",
            _VERSION | (_PUSH if start == starts[-1] else 0),
            sequence,
            _RGB,
            _DISPLAY,
            start,
            len(frame[start : start + MOST_BYTES]),
        )
        + frame[start : start + MOST_BYTES]
        for start in starts
    ]
