"""Reads the frames of a recorded session with the corners and the lens that were used then."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.session.devices import in_pixels
from firmware.storage.session_inputs import BoardGeometry, SessionInputs
from vision.camera import Frame
from vision.errors import BoardFailure
from vision.geometry.grid import Points
from vision.geometry.lens import Lens
from vision.reader import Reader
from vision.reading import Reading


class RecordedReader:
    """Reads the frames of a recorded session, see `vision.reader.Reader`.

    Args:
        inputs: the session, which says with which corners and lens its next frame was read.
        make_reader: makes a reader from corners in pixels, if they are known, and a lens.
    """

    def __init__(
        self, inputs: SessionInputs, make_reader: Callable[[Points | None, Lens | None], Reader]
    ) -> None:
        self._inputs: Final = inputs
        self._make_reader: Final = make_reader
        self._geometry: BoardGeometry | None = None
        self._inner: Reader | None = None
        self._confirmed: tuple[str, ...] | None = None

    def confirm(self, palette: tuple[str, ...] | None) -> None:
        """Sets the colours that the plastic certainly has; None to detect them."""
        self._confirmed = palette
        if self._inner is not None:
            self._inner.confirm(palette)

    def read(self, frame: Frame, lit: NDArray[np.bool_] | None = None) -> Reading | BoardFailure:
        """Reads the next frame; no board is found where none was looked for then."""
        geometry = self._inputs.geometry
        if self._inner is None or geometry is not self._geometry:
            self._geometry = geometry
            self._inner = self._begun(geometry or BoardGeometry(), frame)
        if geometry is not None and not geometry.is_read:
            return BoardFailure.NO_BOARD
        return self._inner.read(frame, lit)

    def _begun(self, geometry: BoardGeometry, frame: Frame) -> Reader:
        size = frame.image.shape[1], frame.image.shape[0]
        reader = self._make_reader(in_pixels(geometry.corners, size), geometry.lens)
        if self._confirmed is not None:
            # Otherwise the reader would forget the colours that the settings name.
            reader.confirm(self._confirmed)
        return reader
