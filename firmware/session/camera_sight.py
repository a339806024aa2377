"""The newest reading of the board, as players see it over the camera's picture."""

import numpy as np

from firmware.session.devices import in_shares
from firmware.session.tracker import GameTracker
from vision.reading import Reading
from web.contract import CameraSight


def sight_of(tracker: GameTracker, size: tuple[int, int]) -> CameraSight | None:
    """Returns the newest reading; None while no board is found.

    Args:
        tracker: reader and referee; the board is not turned in the picture.
        size: width and height of the picture in pixels.
    """
    reading = tracker.reading
    if not isinstance(reading, Reading):
        return None
    edition = tracker.edition
    names = ["."]
    names += [str(edition.index(one)) if one in edition else "?" for one in reading.palette]
    best = reading.probabilities.argmax(axis=1)
    certainty = np.minimum(9, 10 * reading.probabilities.max(axis=1)).astype(int)
    squares = (
        "?" if covered else names[at]
        for at, covered in zip(best.tolist(), reading.covered.ravel().tolist(), strict=True)
    )
    corners = in_shares(reading.corners, size)
    return CameraSight(
        tuple(round(value, 4) for corner in corners for value in corner),
        "".join(squares),
        "".join(map(str, certainty.tolist())),
    )
