"""The picture of the camera that belongs to an open question of the table.

It is kept for as long as the question is open: a hand, or the next piece, may be in later ones.
"""

from dataclasses import dataclass
from typing import Final

from web.contract import LivePicture, Page, RefereeState, Square

Question = tuple[tuple[int, tuple[Square, ...]], ...]
"""Colour and squares of each candidate."""

_ASKING: Final = (RefereeState.UNSURE, RefereeState.TO_LIFT)
"""States of a table that asks with candidates."""


@dataclass(frozen=True, slots=True, eq=False)
class DoubtPicture:
    """A picture of the board that the table is unsure about.

    Attributes:
        question: the candidates that it belongs to.
        picture: the picture; None before the first.
        serial: number of the picture.
        corners: (x, y) of the board's corners, from 0 to 1 of the picture, in the order of the
            camera's frame; empty if unknown.
        turned: clockwise turn in degrees from the camera's frame to the game's.
        is_final: True if it was taken after the table had become unsure, with no hand in it.
    """

    question: Question
    picture: LivePicture | None
    serial: int
    corners: tuple[tuple[float, float], ...]
    turned: int
    is_final: bool


def doubt_picture(
    before: DoubtPicture | None,
    page: Page | None,
    picture: LivePicture | None,
    serial: int,
    *,
    is_new: bool,
) -> DoubtPicture | None:
    """Returns the picture that belongs to the question on a page; None without a question.

    The table sends a page before the picture of the same moment. Until that comes, the picture
    before it is shown: a table becomes unsure only while nothing moves.

    Args:
        before: the result for the message before.
        page: the newest page.
        picture: the newest picture.
        serial: its number.
        is_new: True if the picture has just arrived.
    """
    if page is None or not page.candidates:
        return None
    question = tuple((one.colour, one.squares) for one in page.candidates)
    is_same = before is not None and before.question == question
    is_final = is_same and is_new and page.state.code in _ASKING
    if before is not None and is_same and (before.is_final or not is_final):
        return before
    corners = page.private.setup.corners if page.private else ()
    turned = page.private.setup.turned if page.private else 0
    return DoubtPicture(question, picture, serial, corners, turned, is_final)
