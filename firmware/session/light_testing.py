"""Shows the pictures of a test of the LEDs, which a person judges on the page.

One picture follows the other with the turns of the table's loop: no thread writes to the LEDs.
"""

import time
from collections.abc import Callable
from typing import Final

from firmware.drivers.interfaces import DeviceError
from firmware.session.devices import LedChain
from web.contract import LightTestEntry, MeasurementCode

DOT_S: Final = 0.05
"""Shortest time of each place of the dot, in seconds."""

AGAIN_S: Final = 1.0
"""Seconds after which a picture is sent again, as a frame may be lost."""

_ALONE_S: Final = 300.0
"""Seconds without an answer after which the test ends: the LEDs are the game's again."""


class LightTesting:
    """A test that is going on.

    Args:
        chain: the LEDs; nothing else may write to them during the test.
        clock: returns monotonic seconds.

    Attributes:
        is_running: True while pictures are shown.
    """

    def __init__(self, chain: LedChain, clock: Callable[[], float] = time.monotonic) -> None:
        self._strip: Final = chain.strip
        self._clock: Final = clock
        self._test = chain.test
        self._frame = 0
        self._asked_s = clock()
        self._sent_s = float("-inf")
        self.is_running = True

    @property
    def entry(self) -> LightTestEntry:
        """The test in terms of the page."""
        test, count = self._test, len(self._test.steps)
        if test.remedy is not None:
            code, value = test.remedy.code, test.remedy.value
            return LightTestEntry(
                MeasurementCode.FAILED, "", len(test.seen), count, (), code, value
            )
        if test.step is None:
            return LightTestEntry(MeasurementCode.DONE, "", count, count)
        if not self.is_running:
            return LightTestEntry(MeasurementCode.NONE)
        rows, number = tuple(test.step.drawing(test.wiring)), len(test.seen) + 1
        return LightTestEntry(MeasurementCode.RUNNING, test.step.name, number, count, rows)

    def answer(self, *, right: bool) -> None:
        """Notes if the present picture looks right, and goes on to the next."""
        self._test = self._test.answered(right=right)
        self._frame, self._asked_s, self._sent_s = 0, self._clock(), float("-inf")
        self.is_running = self._test.step is not None

    def show(self) -> None:
        """Sends the present picture if it is due; the test ends where the LEDs are away."""
        step, now = self._test.step, self._clock()
        if step is None or now - self._asked_s > _ALONE_S:
            self.is_running = False
            return
        if now - self._sent_s < (DOT_S if len(step.frames) > 1 else AGAIN_S):
            return
        try:
            self._strip.write(self._test.levels(step.frames[self._frame]).tobytes())
        except DeviceError:
            self.is_running = False  # the game's lights try again, and say why
        self._frame, self._sent_s = (self._frame + 1) % len(step.frames), now
