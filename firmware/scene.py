"""What the lights should say now: a pure function from the game to a few glowing squares.

Meaning is never colour alone: what must be seen blinks slowly, what is only said stays steady.
Squares under opaque pieces are dark whatever one lights, so a refused piece is shown by the
free ring around it as well.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.game import GameState
from firmware.rules.games import Colour, Edition
from firmware.rules.placements import mask_of, squares_of
from firmware.rules.position import Position
from firmware.seats import seat_of

Ink = tuple[int, int, int]
"""Red, green and blue as they should look, 0 to 255."""

LED_INKS: Final[dict[str, Ink]] = {
    "purple": (150, 40, 255),
    "orange": (255, 110, 0),
    "black": (70, 70, 90),
    "white": (255, 255, 255),
    "blue": (20, 70, 255),
    "yellow": (255, 190, 0),
    "red": (255, 20, 20),
    "green": (20, 220, 40),
}
"""What an LED shows for each colour of plastic."""

REFUSED: Final[Ink] = (255, 32, 24)
AGAINST: Final[Ink] = (255, 150, 0)
LAST_MOVE: Final[Ink] = (110, 110, 110)
OVER: Final[Ink] = (60, 200, 90)

BLINK_PERIOD_S: Final = 1.0
"""One change each half second: below three a second, which nobody's eyes mind."""

_SEAT_SQUARES: Final = 4


class Rhythm(StrEnum):
    """How a light behaves in time."""

    STEADY = "steady"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class Glow:
    """Squares that say one thing.

    Attributes:
        squares: which, in the game's frame.
        ink: in which colour.
        rhythm: how.
    """

    squares: tuple[int, ...]
    ink: Ink
    rhythm: Rhythm = Rhythm.STEADY


Scene = tuple[Glow, ...]
"""Later glows lie over earlier ones."""


def scene(state: GameState, edition: Edition) -> Scene:
    """The glows for a game as it stands.

    Args:
        state: the game.
        edition: names of the colours, in the order of play.
    """
    position = state.position
    glows: list[Glow] = []
    if state.over:
        glows += [Glow(seat(position, colour), OVER) for colour in position.game.colours]
    elif position.to_move is not None:
        glows.append(Glow(seat(position, position.to_move), LED_INKS[edition[position.to_move]]))
    if state.history:
        glows.append(Glow(state.history[-1].move.squares, LAST_MOVE))
    for one in state.refused:
        piece = mask_of(one.squares)
        ring = (position.board.beside(piece) | piece) & ~position.occupied
        glows.append(Glow(tuple(squares_of(ring)), REFUSED, Rhythm.BLINK))
        touched = tuple(square for breach in one.breaches for square in breach.against)
        glows.append(Glow(touched, AGAINST, Rhythm.BLINK))
    return tuple(glow for glow in glows if glow.squares)


def seat(position: Position, colour: Colour) -> tuple[int, ...]:
    """The free squares in the middle of the edge where the owner of a colour sits."""
    size = position.game.size
    first = (size - _SEAT_SQUARES) // 2
    edge = seat_of(position.game, colour, position)
    squares = []
    for along in range(first, first + _SEAT_SQUARES):
        row, column = ((size - 1, along), (along, size - 1), (0, along), (along, 0))[edge]
        squares.append(row * size + column)
    return tuple(square for square in squares if not position.occupied >> square & 1)


def at(scene: Scene, now: float) -> dict[int, Ink]:
    """The squares that are lit at a moment, and in which ink."""
    bright = now % BLINK_PERIOD_S < BLINK_PERIOD_S / 2
    return {
        square: glow.ink
        for glow in scene
        if glow.rhythm is Rhythm.STEADY or bright
        for square in glow.squares
    }
