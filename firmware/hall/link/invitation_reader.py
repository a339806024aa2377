"""Reads the QR code of an invitation in a picture."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import cv2

from firmware.hall.link.invitation import LONGEST_URI, SCHEME
from vision.camera import Image

_LARGEST: Final = 1600
"""Pixels of the longer side of a picture; a larger one is reduced first."""

_SCALE: Final = 2.0
"""Enlargement of pictures with small codes."""

_NOISE_PX: Final = 3
"""Width in pixels of the filter against noise."""


def read_invitation(image: Image, *, thoroughly: bool = False) -> str | None:
    """Returns the address of the invitation in a picture; None if none can be read.

    Args:
        image: (height, width, 3) uint8, blue green red.
        thoroughly: True to try harder, for a single picture; it takes six times as long, 1.2 s for
            1280x960 pixels on a busy core of a PC.
    """
    # Of 20 rendered pictures with codes of 240 pixels and more, 1280x960, this detector read all in
    # 0.2 s each, and the library's other one 17.
    detector = cv2.QRCodeDetectorAruco()
    for form in _forms(image) if thoroughly else islice(_forms(image), 1):
        try:
            text, _, _ = detector.detectAndDecode(form)
        except cv2.error:
            continue  # the library fails on some shapes that it takes for codes
        if text.lower().startswith(f"{SCHEME}:") and len(text) <= LONGEST_URI:
            return text
    return None


def _forms(image: Image) -> Iterator[cv2.typing.MatLike]:
    """Yields a picture in the forms in which a code may be read, the likeliest first."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    longest = max(grey.shape)
    if longest > _LARGEST:
        scale = _LARGEST / longest
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(grey, (_NOISE_PX, _NOISE_PX), 0)
    yield smooth
    yield grey
    yield cv2.resize(smooth, None, fx=_SCALE, fy=_SCALE, interpolation=cv2.INTER_CUBIC)
