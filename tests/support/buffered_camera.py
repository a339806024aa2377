"""A camera whose driver buffers frames."""

from collections import deque
from typing import Final

from vision.camera import Camera, Frame


class BufferedCamera:
    """A camera that returns frames some frames late, without times of exposure.

    Webcams with a buffering driver behave like this.

    Args:
        camera: camera that takes the frames.
        late: number of frames in buffers.
    """

    def __init__(self, camera: Camera, late: int) -> None:
        self._camera: Final = camera
        self._waiting: Final[deque[Frame]] = deque()
        self._late: Final = late

    def read(self) -> Frame | None:
        """The oldest buffered frame, with time and number of the newest; None at the end."""
        while len(self._waiting) <= self._late:
            frame = self._camera.read()
            if frame is None:
                return None
            self._waiting.append(frame)
        newest = self._waiting[-1]
        return Frame(self._waiting.popleft().image, newest.time_s, newest.number)

    def close(self) -> None:
        """Closes the wrapped camera."""
        self._camera.close()
