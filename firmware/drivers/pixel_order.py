"""What all drivers of LED strips have in common: the bytes of a frame, and their order."""

from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from firmware.drivers.interfaces import DeviceError

Order = Literal["GRB", "RGB", "BRG", "BGR", "RBG", "GBR"]
"""In which order an LED takes its three bytes from the wire; nearly all WS2812 take GRB."""

BYTES: Final = 3


def frame_of(pixels: bytes, length: int) -> NDArray[np.uint8]:
    """The pixels as (length, 3) uint8, red, green and blue.

    Raises:
        DeviceError: they are not a frame for so many LEDs.
    """
    if len(pixels) != BYTES * length:
        raise DeviceError(
            f"{len(pixels)} bytes are no frame for {length} LEDs; "
            f"send {BYTES} for each, {BYTES * length}"
        )
    return np.frombuffer(pixels, np.uint8).reshape(length, BYTES)


def in_order(frame: NDArray[np.uint8], order: Order) -> NDArray[np.uint8]:
    """A frame with the bytes of each LED in the order in which the wire carries them."""
    return frame[:, ["RGB".index(letter) for letter in order]]


def for_sender(frame: NDArray[np.uint8], order: Order) -> NDArray[np.uint8]:
    """What to tell a sender that always puts green, red, blue on the wire."""
    wire = in_order(frame, order)
    return wire[:, [1, 0, 2]]
