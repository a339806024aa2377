"""Pages of a PDF as pictures, to measure what a printer would print."""

from typing import Final

import numpy as np
import pypdfium2
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

DPI: Final = 300
PX_A_MM: Final = DPI / 25.4


def printed(content: bytes) -> list[Pixels]:
    """Returns the pages of a PDF, each (height, width, 3) uint8 at 300 dots per inch."""
    document = pypdfium2.PdfDocument(content)
    try:
        return [np.array(page.render(scale=DPI / 72).to_numpy()[..., :3]) for page in document]
    finally:
        document.close()


def texts(content: bytes) -> list[str]:
    """Returns the text of each page."""
    document = pypdfium2.PdfDocument(content)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def ruler_mm(page: Pixels) -> float:
    """Length of the ruler: of the longest dark line in the lowest part of a page."""
    low = (page[-int(20 * PX_A_MM) :].max(axis=2) < 100).astype(np.uint8)
    longest = max((_longest_run(row) for row in low), default=0)
    return longest / PX_A_MM


def _longest_run(row: Pixels) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row, [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
