"""A moving picture of a game to share: an animated WebP with a frame for each position.

The container of the frames is written here (RFC 9649): Pillow's own animation needs all frames in
memory at once, 140 MB of a long game.
"""

import threading
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

from web.bounded_map import BoundedMap
from web.contract import Mark, Page
from web.i18n.wording import Wording
from web.presentation.share_image import draw
from web.rate_limit import RateLimiter

if TYPE_CHECKING:
    from PIL import Image

SCALE: Final = 2
"""Divisor of the still picture's width and height."""

MOVE_MS: Final = 600
"""Milliseconds for which a position is shown."""

END_MS: Final = 4000
"""Milliseconds for which the last position is shown."""

MOST_FRAMES: Final = 200
"""Positions that are shown, the last ones: 85 at most unless moves were taken back."""

_METHOD: Final = 2
"""Method of the encoder: 3 and above make a file that is as long, with twice the memory."""

_EFFORT: Final = 50
"""Effort of the encoder, up to 100: a file is shorter by a fifth than with 20."""

_CACHE_SIZE: Final = 4
"""Pictures that are cached: each waits for its phone, which asks every second."""

_RATE: Final = (3, 0.1)
"""Pictures that are made for a sender: at once, and a second thereafter."""


class MovingImagePainter:
    """Makes pictures in a thread, one at a time, and caches the newest."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._rates: Final = RateLimiter(*_RATE)
        self._made: Final[BoundedMap[tuple[Page, str, str], bytes]] = BoundedMap(_CACHE_SIZE)
        self._is_busy = False

    def made(
        self, key: tuple[Page, str, str], sender: str, make: Callable[[], bytes]
    ) -> bytes | None:
        """Returns the picture of a key; None before it is made, so that nobody waits for it.

        Args:
            key: last page of the game, code of the language, and day of the game.
            sender: address or phone that asks; one that asks for many gets them more slowly.
            make: makes the picture, in a thread of its own.
        """
        with self._lock:
            found = self._made.get(key)
            if found or self._is_busy or not self._rates.allow(sender, time.monotonic()):
                return found
            self._is_busy = True
        threading.Thread(target=self._make, args=(key, make), name="picture", daemon=True).start()
        return None

    def _make(self, key: tuple[Page, str, str], make: Callable[[], bytes]) -> None:
        try:
            webp = make()
            with self._lock:
                self._made[key] = webp
        finally:
            self._is_busy = False


def animate(pages: Sequence[Page], wording: Wording, day: str) -> bytes:
    """Returns the moving picture of a game as the bytes of a WebP file, which is repeated.

    Args:
        pages: pages of the game, oldest first; at least one.
        wording: texts of the language.
        day: day of the game, in ISO 8601; empty if unknown.
    """
    from PIL import ImageChops  # noqa: PLC0415 - saves memory until the first picture

    shown = _positions(pages)[-MOST_FRAMES:]
    before = draw(shown[0], wording, day).reduce(SCALE)
    width, height = before.size
    frames = [_frame(before, (0, 0, width, height), MOVE_MS if shown[1:] else END_MS)]
    for page in shown[1:]:
        image = draw(page, wording, day).reduce(SCALE)
        changed = ImageChops.difference(image, before).getbbox() or (0, 0, 1, 1)
        frames.append(_frame(image, changed, END_MS if page is shown[-1] else MOVE_MS))
        before = image
    head = _chunk(b"VP8X", b"\x02\0\0\0" + _three(width - 1) + _three(height - 1))
    return _chunk(b"RIFF", b"WEBP" + head + _chunk(b"ANIM", bytes(6)) + b"".join(frames))


def _positions(pages: Sequence[Page]) -> list[Page]:
    """Returns the last page of each position; a refused piece and a pass make no other one."""
    newest: list[Page] = []
    laid: object = None
    for page in pages:
        now = {(one.colour, one.squares) for one in page.pieces if one.mark is not Mark.REFUSED}
        if now == laid:
            newest.pop()
        newest.append(page)
        laid = now
    return newest


def _frame(image: "Image.Image", box: tuple[int, int, int, int], shown_ms: int) -> bytes:
    """Returns the rectangle (left, top, right, bottom) of an image as a frame."""
    left, top, right, bottom = box[0] // 2 * 2, box[1] // 2 * 2, box[2], box[3]  # even by the RFC
    data = BytesIO()
    image.crop((left, top, right, bottom)).save(
        data, "WEBP", lossless=True, method=_METHOD, quality=_EFFORT
    )
    numbers = (left // 2, top // 2, right - left - 1, bottom - top - 1, shown_ms)
    unblended = b"\x02"
    return _chunk(b"ANMF", b"".join(map(_three, numbers)) + unblended + data.getvalue()[12:])


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + len(data).to_bytes(4, "little") + data + bytes(len(data) % 2)
