"""What only arbiters are shown: hints, and whether the set-up is good enough."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from web.contract.codes import Square
from web.contract.schema import require

_LONGEST_TEXT: Final = 300
_MOST_POINTS: Final = 32


class RatingCode(StrEnum):
    """How well one thing of the set-up is."""

    FINE = "fine"
    FAIR = "fair"
    MEND = "mend"
    UNMEASURED = "unmeasured"


@dataclass(frozen=True, slots=True)
class HintAllowance:
    """The hints that a game agreed on.

    Attributes:
        left: how many each person has left, in the order of play.
        person: who has to move, by their place among these; None when nobody has.
        thinking: whether the player is looking for one now.
        trouble: why there was none when somebody asked last, one sentence; else empty.
        colour: whose move is hinted at now; None where none is.
        squares: as much of that move as was asked for.
        piece: its piece, once all of it was asked for; else empty.
    """

    left: tuple[int, ...]
    person: int | None = None
    thinking: bool = False
    trouble: str = ""
    colour: int | None = None
    squares: tuple[Square, ...] = ()
    piece: str = ""

    def __post_init__(self) -> None:
        require(all(one >= 0 for one in self.left), "nobody has less than no hint left")
        known = self.person is None or 0 <= self.person < len(self.left)
        require(known, "who has to move is one of the people")
        require(len(self.trouble) <= _LONGEST_TEXT, "a hint's trouble is one sentence")
        told = bool(self.squares)
        require(told == (self.colour is not None), "a hint has a color and squares, or neither")


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """One thing of the set-up that was looked at.

    Attributes:
        code: its name: board, markers, framing, resolution, focus, exposure, glare, colours or
            flicker.
        level: how well it is.
        fault: a code of what is wrong; empty if nothing is.
        remedy: a sentence of what to do, in English, for a fault that nobody translated.
        squares: those that it is about, in the frame of the page.
    """

    code: str
    level: RatingCode
    fault: str = ""
    remedy: str = ""
    squares: tuple[Square, ...] = ()

    def __post_init__(self) -> None:
        for text in (self.code, self.fault, self.remedy):
            require(len(text) <= _LONGEST_TEXT, f"texts have at most {_LONGEST_TEXT} characters")


@dataclass(frozen=True, slots=True)
class SetupEntry:
    """Whether the set-up is good enough for a game.

    Attributes:
        points: what was looked at; none before the first look.
        looking: whether the table is looking now.
        corners: (x, y) where the board was found, from 0 to 1 of the picture's width and height,
            in the order of the camera's frame; none where it was not.
    """

    points: tuple[FindingEntry, ...] = ()
    looking: bool = False
    corners: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        require(len(self.corners) in (0, 4), "a board has four corners")
        require(len(self.points) <= _MOST_POINTS, f"points are at most {_MOST_POINTS}")


@dataclass(frozen=True, slots=True)
class ArbiterPage:
    """What a page says to arbiters beside what it says to everybody.

    Attributes:
        hints: those that were agreed on; None where none were.
        setup: what was found of the set-up, since somebody asked for it.
    """

    hints: HintAllowance | None = None
    setup: SetupEntry = SetupEntry()
