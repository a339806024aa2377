"""Conversion of the light at a camera to a picture. Pure."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.taste import Taste
from vision.camera import Image

_SPECK: Final = 3.0
"""Factor of brightness over its neighbours, above which a pixel is noise of the tracing."""

_GRAIN: Final = (0.5, 1.0, 2.0, 4.0)
"""Standard deviations of the noise of cameras, in grey levels of 255."""


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """Settings and quality of a camera.

    Attributes:
        gains: (3,) gains of red, green and blue.
        knee: share of the maximum above which highlights are compressed, 1 for none.
        contrast: 0 for the curve of sRGB, 1 for a steep one.
        blur: standard deviation of the blur in pixels, 0 for none.
        grain: standard deviation of the noise, in grey levels of 255.
    """

    gains: NDArray[np.float64]
    knee: float
    contrast: float
    blur: float
    grain: float

    @staticmethod
    def chosen(
        light: NDArray[np.float32],
        weight: NDArray[np.bool_],
        taste: Taste,
        chance: np.random.Generator,
    ) -> "Exposure":
        """Returns the exposure of a random camera for some light.

        Args:
            light: (height, width, 3) linear light in any unit; red first.
            weight: (height, width) mask of pixels that determine the exposure.
            taste: distribution of brightness and noise.
            chance: random choices.
        """
        clean = _without_specks(light)
        balance = clean[weight].mean(axis=0).mean() / (clean[weight].mean(axis=0) + 1e-9)
        tint = balance ** float(chance.uniform(0, 0.6)) * chance.normal(1, 0.05, 3)
        grey = (clean * tint).mean(axis=2)[weight]
        usual = float(np.exp(np.log(grey + 1e-6).mean()))
        bright = float(np.percentile(grey, 90)) + 1e-6
        aim = float(np.exp(chance.normal(np.log(taste.aim), 0.55)))
        gain = min(aim / usual, float(chance.uniform(0.5, 2.2)) / bright)
        return Exposure(
            tint * gain,
            knee=float(chance.uniform(0.5, 0.9)) if chance.random() < 0.6 else 1.0,
            contrast=float(chance.uniform(0, 0.35)) if chance.random() < 0.6 else 0.0,
            blur=float(chance.uniform(0.3, 0.9)) if chance.random() < 0.7 else 0.0,
            grain=float(chance.choice(_GRAIN, p=taste.grain)),
        )

    def picture(self, light: NDArray[np.float32], chance: np.random.Generator) -> Image:
        """Returns the camera's picture of some light, with random noise."""
        exposed = (_without_specks(light) * self.gains).astype(np.float32)
        curved = _curved(exposed, self.knee, self.contrast)
        if self.blur:
            curved = np.asarray(cv2.GaussianBlur(curved, (0, 0), self.blur), np.float32)
        noise = chance.standard_normal(curved.shape, np.float32) * self.grain
        whole = np.clip(curved * 255 + noise, 0, 255).astype(np.uint8)[..., ::-1]
        return np.ascontiguousarray(whole)


def _without_specks(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """Reduces single too bright pixels to the level of their neighbours."""
    calm = cv2.medianBlur(np.ascontiguousarray(light, np.float32), 3)
    ratio = light.mean(axis=2) / (_SPECK * calm.mean(axis=2) + 1e-3)
    return np.asarray(np.where(ratio[..., None] > 1, calm, light), np.float32)


def _curved(light: NDArray[np.float32], knee: float, contrast: float) -> NDArray[np.float32]:
    """Applies a camera's tone curve and that of sRGB (IEC 61966-2-1)."""
    if knee < 1:
        over = np.maximum(light - knee, 0)
        over = (1 - knee) * (1 - np.exp(-over / (1 - knee)))
        light = np.asarray(np.minimum(light, knee) + over, np.float32)
    flat = np.clip(light, 0, 1)
    coded = np.where(flat <= 0.0031308, 12.92 * flat, 1.055 * flat ** (1 / 2.4) - 0.055)
    smooth = coded * coded * (3 - 2 * coded)
    return np.asarray(coded + contrast * (smooth - coded), np.float32)
