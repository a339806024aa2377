"""A process in which a real driver runs over a pretended machine.

`python -m tests.support.driver_worker KIND LENGTH ORDER`: opens it, then takes frames as lines of
hexadecimal, `close` to close; answers each line with `ok` or with what the driver refused.
`$DRIVER_CHANGED` is a line of Python that makes the driver a worse one first.
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
