"""A process of a real driver over a simulated machine.

`python -m tests.support.driver_worker KIND LENGTH ORDER` opens the driver, then reads frames as
lines of hexadecimal, or `close`; it answers each line with `ok` or with the driver's error.
`$DRIVER_CHANGED` is a line of Python that first introduces a fault into the driver.
"""

import os
import sys
from pathlib import Path

from firmware.drivers import ws281x
from firmware.drivers.interfaces import DeviceError, LedStrip
from firmware.drivers.spidev import Spidev
from firmware.drivers.ws2812_spi import Ws2812Spi


def opened(kind: str, length: int, order: str) -> LedStrip:
    if kind == "spi":
        return Ws2812Spi(Spidev(Path("/dev/spidev0.0")), length, order)  # type: ignore[arg-type]
    return ws281x.Ws281x(length, order, kind.removeprefix("ws281x-"))  # type: ignore[arg-type]


def answer(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main(kind: str, length: str, order: str) -> None:
    exec(os.environ.get("DRIVER_CHANGED", ""), {"ws281x": ws281x})  # noqa: S102
    try:
        strip = opened(kind, int(length), order)
    except DeviceError as error:
        answer(str(error))
        return
    answer("ok")
    for line in map(str.strip, sys.stdin):
        try:
            if line == "close":
                strip.close()
            else:
                strip.write(bytes.fromhex(line))
            answer("ok")
        except DeviceError as error:
            answer(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
