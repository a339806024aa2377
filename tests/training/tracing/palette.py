"""The colours of many faces as one small texture. Pure."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.mesh import Values

_WIDTH: Final = 64
"""Colours in a row of the texture."""

_LEVELS: Final = 2000
_CODES: Final = _LEVELS + 1
"""Levels between black and white that are distinguished, and the number of values."""


def palette_of(colours: Values) -> tuple[NDArray[np.float32], Values]:
    """Returns colours as a texture, and the place of each of them in it.

    Args:
        colours: (m, 3) from 0 to 1.

    Returns:
        (rows, columns, 3), and (m, 2) shares of its width and height, of the middles of pixels.
    """
    # Integers are sorted much faster than rows; square roots give dark colours finer levels.
    levels = (np.sqrt(colours) * _LEVELS).round().astype(np.int64)
    codes, number = np.unique(levels @ [_CODES**2, _CODES, 1], return_inverse=True)
    kinds = np.stack([codes // _CODES**2, codes // _CODES % _CODES, codes % _CODES], axis=1)
    rows = -(-len(kinds) // _WIDTH)
    picture = np.zeros((rows * _WIDTH, 3), np.float32)
    picture[: len(kinds)] = (kinds / _LEVELS) ** 2
    row, column = np.divmod(number.ravel(), _WIDTH)
    places = np.stack([(column + 0.5) / _WIDTH, (row + 0.5) / rows], axis=1)
    return picture.reshape(rows, _WIDTH, 3), places
