"""The part of the page for arbiters alone: hints, places of a piece, the quality of the set-up."""

from dataclasses import dataclass
from typing import Final

from firmware.codes import HintAmount, HintStep, MoveReasonCode, PlayerFailure
from vision.setup.rating import Rating
from web.contract.codes import (
    MeasurementCode,
    Square,
)
from web.contract.schema import require

MOST_VIEWS: Final = 32
"""Views of the board for the measurement of a lens."""

Corners = tuple[tuple[float, float], ...]
"""(x, y) of the corners of a board, from 0 to 1 of a picture's width and height."""


@dataclass(frozen=True, slots=True)
class MoveReasonEntry:
    """A reason for a move.

    Attributes:
        code: kind of the reason.
        number: its number.
        squares: its squares.
    """

    code: MoveReasonCode
    number: int
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class HintAllowance:
    """The hints that were agreed on for a game.

    Attributes:
        left: hints that each person has left, in the order of play.
        person: index in `left` of the person to move; None if nobody is.
        thinking: True while the player searches for a hint.
        failure: reason that the last request gave no hint; else None.
        step: the newest step of the hint; None if there is no hint.
        colour: colour of the hinted move; None if there is no hint, or it is not told yet.
        squares: squares of that move revealed so far; at step `area` some about them.
        piece: name of its piece, once that is revealed; else empty.
        amount: part of a hint that the person to move may be shown.
        reasons: the reasons for the move, once they are revealed.
        proved: exact margin in points of the side to move, once the reasons are revealed; None if
            it is not proved.
    """

    left: tuple[int, ...]
    person: int | None = None
    thinking: bool = False
    failure: PlayerFailure | None = None
    step: HintStep | None = None
    colour: int | None = None
    squares: tuple[Square, ...] = ()
    piece: str = ""
    amount: HintAmount = HintAmount.EVERYTHING
    reasons: tuple[MoveReasonEntry, ...] = ()
    proved: int | None = None

    def __post_init__(self) -> None:
        require(all(one >= 0 for one in self.left), "nobody has less than no hint left")
        known = self.person is None or 0 <= self.person < len(self.left)
        require(known, "who has to move is one of the people")
        has_colour = self.step not in (None, HintStep.SOLVABLE, HintStep.AREA)
        has_squares = has_colour or self.step is HintStep.AREA
        require(has_squares == bool(self.squares), "a hint has the squares of its step")
        require(self.step is HintStep.REASON or not self.reasons, "reasons are the last step")
        require(has_colour == (self.colour is not None), "a hint has the color of its step")


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """The result of one check of the set-up.

    Attributes:
        code: name of the check: board, markers, framing, resolution, focus, exposure, glare,
            colours, flicker or view.
        level: rating.
        fault: code of the fault; empty if there is none.
        remedy: sentence on what to do, in English, for a fault without a translation.
        squares: squares concerned, in the frame of the page.
    """

    code: str
    level: Rating
    fault: str = ""
    remedy: str = ""
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class LensEntry:
    """The measurement of the lens.

    Attributes:
        state: state of the measurement; done also if the lens was measured in an earlier run.
        views: number of views of the board that were taken.
        wanted: number of views that are needed.
        places: (x, y) of the board's corners in each view, from 0 to 1 of the picture.
    """

    state: MeasurementCode = MeasurementCode.NONE
    views: int = 0
    wanted: int = 0
    places: tuple[Corners, ...] = ()


@dataclass(frozen=True, slots=True)
class ProbeEntry:
    """The search for the layout of the LEDs; for a panel beside the board, for its light there.

    Attributes:
        state: state of the search.
        lit: number of LEDs that were lit so far.
        unseen: number of LEDs under the board that the camera did not see.
        settings: settings of the layout that was found, as lines of TOML, if those of the table
            are others; else empty.
        delay_s: seconds by which pictures lag behind the lights, as measured; 0 if each picture
            tells its exposure, or it was not measured.
        beside: True if the LEDs are on a panel beside the board.
        lights_board: True if light of that panel was seen on the board.
    """

    state: MeasurementCode = MeasurementCode.NONE
    lit: int = 0
    unseen: int = 0
    settings: str = ""
    delay_s: float = 0.0
    beside: bool = False
    lights_board: bool = False


@dataclass(frozen=True, slots=True)
class LightTestEntry:
    """The test of the lights by a person.

    Attributes:
        state: running; done if all pictures looked right, failed if one did not.
        name: name of the step that is shown; empty at the end.
        number: number of that step, from 1; the last one at the end.
        count: number of steps.
        rows: LEDs of its first picture, seen from above, top row first: a letter of "RGBW" each,
            "." if it is dark.
        remedy: key of the sentence on what to change; empty unless the test failed.
        value: value of the setting that this sentence names; empty if it names none.
    """

    state: MeasurementCode
    name: str = ""
    number: int = 0
    count: int = 0
    rows: tuple[str, ...] = ()
    remedy: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class SetupEntry:
    """The set-up of a table for a game.

    Attributes:
        points: result of each check; empty before the first.
        looking: True while the table checks.
        corners: (x, y) of the board's corners, from 0 to 1 of the picture's width and height, in
            the order of the camera's frame; empty if the board was not found.
        turned: clockwise turn in degrees from the camera's frame to that of the page's squares, in
            doubt of the candidates' squares: 0, 90, 180 or 270.
        camera: True while the camera gives pictures.
        board: True while the board is found.
        by_hand: True if a person has set the corners.
        dropped: True if such corners were dropped, since the board lies elsewhere now.
        checked: True if the last check, perhaps in an earlier run, found nothing to mend.
        stored: False if the table cannot store the set-up.
        lens: the measurement of the lens.
        lights: the search for the layout of the LEDs; None where there are none.
        light_test: the test of the LEDs by a person; None before the first.
    """

    points: tuple[FindingEntry, ...] = ()
    looking: bool = False
    corners: Corners = ()
    turned: int = 0
    camera: bool = False
    board: bool = False
    by_hand: bool = False
    dropped: bool = False
    checked: bool = False
    stored: bool = True
    lens: LensEntry = LensEntry()
    lights: ProbeEntry | None = None
    light_test: LightTestEntry | None = None


@dataclass(frozen=True, slots=True)
class ArbiterPage:
    """The part of a page for arbiters alone.

    Attributes:
        hints: hints that were agreed on; None if none were.
        setup: results of the last check of the set-up.
        piece: name of the piece of the colour to move whose places are shown; empty without one.
        covers: squares that its legal placements cover.
        corners: those of them at which it can start.
    """

    hints: HintAllowance | None = None
    setup: SetupEntry = SetupEntry()
    piece: str = ""
    covers: tuple[Square, ...] = ()
    corners: tuple[Square, ...] = ()
