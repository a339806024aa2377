"""Cameras that people mount above a board, and what each of them sees.

A further camera is a further row of `MODELS`.
"""

import math
from dataclasses import dataclass
from typing import Final

Size = tuple[int, int]
"""Width and height in pixels."""

RASPBERRY_PI_PICTURES: Final[Size] = (1536, 864)
"""Pictures that `firmware.cameras.raspberry_pi` takes, of every camera at the ribbon connector."""

USB_PICTURES: Final[Size] = (1280, 720)
"""Pictures that `firmware.cameras.usb` takes."""

_OFFICIAL: Final = "Raspberry Pi documentation, camera hardware"
"""Source of the fields of view of the cameras of the Raspberry Pi."""

_WIDE_SCREEN: Final[Size] = (1920, 1080)
"""Size in pixels of pictures at 16:9."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A camera with its lens, as a pinhole.

    Attributes:
        key: name on the command line.
        title: name in sentences, in English.
        sensor: width and height in pixels of a mode that shows its whole field of view.
        down_deg: angle in degrees that the height of such a picture spans.
        pictures: width and height in pixels of the pictures that this program takes.
        source: where the angle comes from.
    """

    key: str
    title: str
    sensor: Size
    down_deg: float
    pictures: Size
    source: str

    def focal_px(self, pictures: Size | None = None) -> float:
        """Returns the focal length in pixels.

        Args:
            pictures: width and height of the pictures; those of this program by default. Pictures
                of another shape than the sensor's lack what lies beyond two of its sides.
        """
        width, height = pictures or self.pictures
        whole = self.sensor[1] / 2 / math.tan(math.radians(self.down_deg / 2))
        return whole * max(width / self.sensor[0], height / self.sensor[1])


def _of_lens(focal_mm: float, sensor_mm: float) -> float:
    """Returns the angle in degrees that a sensor of some height sees through a lens."""
    return 2 * math.degrees(math.atan(sensor_mm / 2 / focal_mm))


def _of_diagonal(diagonal_deg: float, size: Size) -> float:
    """Returns the angle in degrees across the height from that across the diagonal."""
    share = size[1] / math.hypot(*size)
    return 2 * math.degrees(math.atan(share * math.tan(math.radians(diagonal_deg / 2))))


MODELS: Final = {
    model.key: model
    for model in (
        CameraModel(
            "module-2",
            "Camera Module 2",
            (1640, 1232),
            48.8,
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: 62.2 x 48.8 degrees",
        ),
        CameraModel(
            "module-3",
            "Camera Module 3",
            (2304, 1296),
            41.0,
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: 66 x 41 degrees",
        ),
        CameraModel(
            "module-3-wide",
            "Camera Module 3 Wide",
            (2304, 1296),
            67.0,
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: 102 x 67 degrees",
        ),
        CameraModel(
            "ai",
            "AI Camera",
            (2028, 1520),
            52.3,
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: 66 x 52.3 degrees",
        ),
        CameraModel(
            "hq-6mm",
            "HQ Camera, 6 mm lens",
            (2028, 1520),
            _of_lens(6.0, 4.712),
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: sensor IMX477, 6.287 x 4.712 mm; lens of 6 mm",
        ),
        CameraModel(
            "gs-6mm",
            "Global Shutter Camera, 6 mm lens",
            (1456, 1088),
            _of_lens(6.0, 1088 * 0.00345),
            RASPBERRY_PI_PICTURES,
            f"{_OFFICIAL}: sensor IMX296, pixels of 3.45 um; lens of 6 mm",
        ),
        CameraModel(
            "usb",
            "USB webcam, 1080p, 70 degrees across the diagonal",
            _WIDE_SCREEN,
            _of_diagonal(70.0, _WIDE_SCREEN),
            USB_PICTURES,
            "assumed; usual webcams state 65 to 78 degrees across the diagonal",
        ),
        CameraModel(
            "phone",
            "phone, 79 degrees across the diagonal",
            _WIDE_SCREEN,
            _of_diagonal(79.0, _WIDE_SCREEN),
            _WIDE_SCREEN,
            "assumed; main cameras of phones correspond to lenses of 24 to 28 mm, 75 to 84 degrees",
        ),
    )
}
"""The cameras by key. The field of view of the Module 1 is known too, but its focus is fixed at a
metre and more."""
