"""A strip that is opened when something is shown, and anew after each fault."""

import pytest

from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.drivers.reopened_strip import ReopenedStrip


class PluggedStrip:
    """A strip that may be unplugged; a connection to it ends then for ever."""

    plugged = True
    shown = b""

    def __init__(self) -> None:
        self.opened = 0
        self.open = 0

    def __call__(self) -> LedStrip:
        if not self.plugged:
            raise DeviceError("there is no strip; plug it in")
        self.opened += 1
        self.open += 1
        return _Connection(self)


class _Connection:
    length = 2

    def __init__(self, strip: PluggedStrip) -> None:
        self._strip = strip
        self._works = True

    def write(self, pixels: bytes) -> None:
        self._works &= self._strip.plugged
        if not self._works:
            raise DeviceError("the strip was unplugged; plug it in")
        self._strip.shown = pixels

    def close(self) -> None:
        self._strip.open -= 1


def test_a_strip_that_is_away_is_opened_once_it_is_there() -> None:
    plugged = PluggedStrip()
    plugged.plugged = False
    strip = ReopenedStrip(plugged, 2)
    assert strip.length == 2
    for _ in range(2):
        with pytest.raises(DeviceError, match="no strip"):
            strip.write(b"abcdef")
    plugged.plugged = True
    strip.write(b"abcdef")
    strip.write(b"ghijkl")
    assert (plugged.shown, plugged.opened) == (b"ghijkl", 1)


def test_a_strip_that_failed_is_opened_anew_and_never_twice_at_a_time() -> None:
    plugged = PluggedStrip()
    strip = ReopenedStrip(plugged, 2)
    strip.write(b"abcdef")
    plugged.plugged = False
    with pytest.raises(DeviceError, match="unplugged"):
        strip.write(b"ghijkl")
    assert plugged.open == 0
    plugged.plugged = True
    strip.write(b"mnopqr")
    assert (plugged.shown, plugged.opened, plugged.open) == (b"mnopqr", 2, 1)
    strip.close()
    strip.close()
    assert plugged.open == 0
    with pytest.raises(DeviceError, match="closed"):
        strip.write(b"abcdef")
    assert plugged.opened == 2


def test_a_strip_that_was_never_shown_anything_is_never_opened() -> None:
    plugged = PluggedStrip()
    ReopenedStrip(plugged, 2).close()
    assert plugged.opened == 0
