"""Calibration of a camera, valid until it is moved: its lens, and the corners of the board.

It is stored in a small JSON file. `vision.setup.lens_calibration` measures a lens.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.errors import GeometryError, SourceError, read_bounded
from vision.geometry.grid import Points, corners_of, rescaled
from vision.geometry.lens import SAME_SHAPE, Lens

_VERSION: Final = 1
"""Version of the file format."""

_LARGEST: Final = 100_000
"""Bytes of the largest file that is read; written files have 700."""

_COEFFICIENTS: Final = 5
"""Distortion coefficients of a lens."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Lens of a camera and place of the board.

    Attributes:
        lens: lens of the camera; None if it was not measured.
        focal_known: True if its focal length was measured, not assumed. A single picture of a
            flat board from above cannot distinguish it from the distance; the straightness of
            lines does not depend on it.
        residual_px: root mean square distance in pixels between grid points as seen and as
            projected through the lens; 0 without a lens.
        pictures: number of pictures the lens was measured on.
        board: squares along a side; None if it is not fixed.
        corners: (4, 2) outer corners of the field in pixels of the pictures, for a board without
            markers; None if the board is to be searched.
        size: width and height in pixels of the pictures of the corners.
    """

    lens: Lens | None = None
    focal_known: bool = False
    residual_px: float = 0.0
    pictures: int = 0
    board: int | None = None
    corners: Points | None = None
    size: tuple[int, int] | None = None

    def corners_in(self, width: int, height: int) -> Points | None:
        """Returns the corners, (4, 2), in pictures of another resolution; None if there are none.

        Raises:
            GeometryError: such pictures have another aspect ratio, so they show another section.
        """
        if self.corners is None or self.size is None:
            return None
        zoom = np.array([width / self.size[0], height / self.size[1]])
        if abs(zoom[0] / zoom[1] - 1) > SAME_SHAPE:
            raise GeometryError(
                f"the corners were kept in pictures of {self.size[0]}x{self.size[1]}, and "
                f"{width}x{height} has another shape; calibrate with pictures of that shape"
            )
        return rescaled(self.corners, zoom)

    def to_json(self) -> dict[str, Any]:
        """Returns the calibration as JSON, as it is stored and printed."""
        lens = None
        if self.lens is not None:
            lens = {
                "K": [[round(float(value), 4) for value in row] for row in self.lens.K],
                "dist": [round(float(value), 7) for value in self.lens.dist],
                "size": list(self.lens.size),
                "focal_known": self.focal_known,
                "residual_px": round(self.residual_px, 3),
                "pictures": self.pictures,
            }
        corners = None if self.corners is None else np.round(self.corners, 2).tolist()
        size = None if self.size is None else list(self.size)
        return {
            "version": _VERSION,
            "lens": lens,
            "board": self.board,
            "corners": corners,
            "size": size,
        }


def load(path: Path) -> Calibration:
    """Loads a calibration from a file with the text of `Calibration.to_json`.

    Raises:
        SourceError: there is no such file, or it is no calibration.
    """
    text = read_bounded(path, _LARGEST, "calibration")
    try:
        values = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path} is no calibration; make one with calibrate --save") from error
    try:
        return from_json(values)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise SourceError(
            f"{path} is no calibration that can be used ({error}); "
            "make it anew with calibrate --save"
        ) from error


def from_json(values: dict[str, Any]) -> Calibration:
    """Returns the calibration that `Calibration.to_json` has written.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, ArithmeticError: it is none.
    """
    if values["version"] != _VERSION:
        raise ValueError(f"version {values['version']}")
    corners, board, lens = values["corners"], values["board"], values["lens"]
    if board not in {None, 14, 20}:
        raise ValueError(f"a board of {board} squares")
    known = Calibration(
        board=None if board is None else int(board),
        corners=None if corners is None else corners_of(corners),
        size=_pair(values["size"]),
    )
    if lens is None:
        return known
    return Calibration(
        lens_from_json(lens),
        bool(lens["focal_known"]),
        float(lens["residual_px"]),
        int(lens["pictures"]),
        known.board,
        known.corners,
        known.size,
    )


def lens_from_json(table: Mapping[str, Any]) -> Lens:
    """Returns the lens of a table with "K", "dist" and "size".

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    matrix = np.asarray(table["K"], np.float64).reshape(3, 3)
    dist = np.asarray(table["dist"], np.float64).reshape(_COEFFICIENTS)
    size = _pair(table["size"])
    if size is None or not np.isfinite([*matrix.ravel(), *dist]).all() or matrix[0, 0] <= 0:
        raise ValueError("a lens without a focal length")
    return Lens(matrix, dist, size)


def _pair(values: list[int] | None) -> tuple[int, int] | None:
    if values is None:
        return None
    width, height = (int(value) for value in values)
    if min(width, height) < 1:
        raise ValueError("pictures without a size")
    return width, height
