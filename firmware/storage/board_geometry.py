"""Corners of the board and lens with which a frame is read, as they are recorded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from firmware.storage.camera_memory import Corners
from vision.geometry.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class BoardGeometry:
    """Corners and lens with which frames are read, from one frame on.

    Attributes:
        corners: corners of the board, from 0 to 1 of the picture; empty to detect them.
        lens: the measured lens; None if it was not measured.
        is_read: False while frames are not read, because corners that were kept from before are
            still compared with them.
    """

    corners: Corners = ()
    lens: Lens | None = None
    is_read: bool = True

    def to_json(self) -> dict[str, Any]:
        """Returns the values in types of JSON, with all their digits."""
        lens = None
        if self.lens is not None:
            size = list(self.lens.size)
            lens = {"K": self.lens.K.tolist(), "dist": self.lens.dist.tolist(), "size": size}
        return {"corners": [list(one) for one in self.corners], "lens": lens, "read": self.is_read}


def geometry_from_json(table: Mapping[str, Any]) -> BoardGeometry:
    """Reads the form that `BoardGeometry.to_json` returns.

    Raises:
        KeyError, TypeError, ValueError: it is of no such form.
    """
    corners = tuple((float(x), float(y)) for x, y in table["corners"])
    if len(corners) not in (0, 4) or not np.isfinite(corners).all():
        raise ValueError("a board has four corners")
    lens = table["lens"]
    return BoardGeometry(
        corners, None if lens is None else _lens(lens), is_read=bool(table["read"])
    )


def _lens(table: Mapping[str, Any]) -> Lens:
    width, height = (int(side) for side in table["size"])
    matrix = np.asarray(table["K"], np.float64).reshape(3, 3)
    distortion = np.asarray(table["dist"], np.float64).reshape(5)
    if not np.isfinite([*matrix.ravel(), *distortion]).all() or min(width, height) < 1:
        raise ValueError("a lens has a size, and numbers")
    return Lens(matrix, distortion, (width, height))
