"""The bytes of a frame and their order, common to all drivers of LED strips."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import Order
from firmware.drivers.interfaces import DeviceError

BYTES: Final = 3
"""Bytes of an LED: red, green and blue, in an order of the chip."""


def frame_of(pixels: bytes, length: int) -> NDArray[np.uint8]:
    """The pixels as (length, 3) uint8, red, green and blue.

    Raises:
        DeviceError: they are not a frame for `length` LEDs.
    """
    if len(pixels) != BYTES * length:
        raise DeviceError(
            f"{len(pixels)} bytes are no frame for {length} LEDs; "
            f"send {BYTES} for each, {BYTES * length}"
        )
    return np.frombuffer(pixels, np.uint8).reshape(length, BYTES)


def in_order(frame: NDArray[np.uint8], order: Order) -> NDArray[np.uint8]:
    """A frame with the bytes of each LED in their order on the wire."""
    return frame[:, ["RGB".index(letter) for letter in order]]


def for_sender(frame: NDArray[np.uint8], order: Order) -> NDArray[np.uint8]:
    """A frame for a sender that always writes green, red, blue to the wire."""
    wire = in_order(frame, order)
    return wire[:, [1, 0, 2]]
