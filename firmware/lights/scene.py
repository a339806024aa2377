"""What the lights should say now: a pure function from the game to a few glowing squares.

Meaning is never colour alone: each has a shape and a rhythm of its own, see
    `firmware.lights.blink_pattern`.
Opaque pieces hide the squares they lie on whatever lights one has, so around them the free
squares speak; through translucent ones the squares themselves do.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.game.hints import revealed_squares
from firmware.game.restoration import next_restore_step
from firmware.game.result import game_result
from firmware.game.seating import person_of, seat_of
from firmware.game.state import GameState
from firmware.lights.blink_pattern import BLINK, COUNTER, SLOW, STEADY, WINK, BlinkPattern
from firmware.lights.digit_font import HEIGHT, WIDTH, symbols
from firmware.rules.board import mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.scoring import Scoring
from firmware.rules.variants import Colour, Edition

Rgb = tuple[int, int, int]
"""Red, green and blue as they should look, 0 to 255."""

LED_INKS: Final[dict[str, Rgb]] = {
    "purple": (150, 40, 255),
    "orange": (255, 110, 0),
    "black": (90, 90, 110),
    "white": (255, 255, 255),
    "blue": (20, 70, 255),
    "yellow": (255, 210, 0),
    "red": (255, 20, 20),
    "green": (0, 200, 90),
}
"""What an LED shows for each colour of plastic."""

REFUSED: Final[Rgb] = (255, 32, 24)
AGAINST: Final[Rgb] = (255, 190, 40)
LAST_MOVE: Final[Rgb] = (110, 110, 110)
HINT: Final[Rgb] = (0, 190, 255)
UNSURE: Final[Rgb] = (235, 235, 255)
NUMBER: Final[Rgb] = (90, 200, 255)

SEAT_SQUARES: Final = 4
WINNER_SQUARES: Final = 10
OTHER_SQUARES: Final = 2


class Translucency(StrEnum):
    """Whether light comes through the plastic."""

    OPAQUE = "opaque"
    TRANSLUCENT = "translucent"


@dataclass(frozen=True, slots=True)
class SceneContext:
    """What lights take into account beside the game.

    Attributes:
        pieces: whether light comes through them.
        scoring: which scoring names the winner.
        digits: a number of up to twelve digits to be shown instead of the game, for pairing.
        seats: the edge where each person sits, 0 bottom, 1 right, 2 top, 3 left; none for the
            usual ones.
    """

    pieces: Translucency = Translucency.OPAQUE
    scoring: Scoring = Scoring.ADVANCED
    digits: str = ""
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LitSquares:
    """Squares that say one thing.

    Attributes:
        squares: which, in the game's frame.
        ink: in which colour.
        rhythm: how.
    """

    squares: tuple[int, ...]
    ink: Rgb
    rhythm: BlinkPattern = STEADY


Scene = tuple[LitSquares, ...]
"""Later glows lie over earlier ones."""


def scene(state: GameState, edition: Edition, aside: SceneContext | None = None) -> Scene:
    """The glows for a game as it stands.

    Args:
        state: the game.
        edition: names of the colours, in the order of play.
        aside: what else to take into account.

    Raises:
        ValueError: the digits are none.
    """
    aside = aside or SceneContext()
    board = _View(state, edition, aside.pieces is Translucency.OPAQUE, aside.seats)
    if aside.digits:
        glows = board.number(aside.digits)
    elif state.ended is not None:
        # What still lies wrong is nobody's business after the arbiter's word.
        glows = board.over(aside.scoring)
    elif state.paused:
        glows = [*board.turn(), *board.last_move()]
    elif state.disturbed:
        glows = [*board.turn(), *board.disturbed()]
    elif state.refused:
        glows = [*board.turn(), *board.refused()]
    elif state.in_doubt:
        glows = [*board.turn(), *board.unsure()]
    elif state.over:
        glows = board.over(aside.scoring)
    else:
        glows = [*board.turn(), *board.last_move(), *board.hinted()]
    return tuple(glow for glow in glows if glow.squares)


def at(scene: Scene, now: float) -> dict[int, Rgb]:
    """The squares that are lit at a moment, and in which ink."""
    return {square: glow.ink for glow in scene if glow.rhythm.is_on(now) for square in glow.squares}


def ever(scene: Scene) -> dict[int, Rgb]:
    """All squares that are lit at some moment, for a picture that does not move."""
    return {square: glow.ink for glow in scene for square in glow.squares}


def seat(
    position: Position,
    colour: Colour,
    length: int = SEAT_SQUARES,
    seats: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """The squares in the middle of the edge where the owner of a colour sits.

    Args:
        position: the game.
        colour: whose.
        length: how many squares.
        seats: the edge of each person, where others than the usual ones were agreed.
    """
    size = position.game.size
    first = (size - length) // 2
    usual = seat_of(position.game, colour, position)
    edge = seats[person_of(position, colour)] if seats else usual
    places = [
        ((size - 1, along), (along, size - 1), (0, along), (along, 0))[edge]
        for along in range(first, first + length)
    ]
    return tuple(row * size + column for row, column in places)


def room_for_digits(position: Position) -> tuple[int, int] | None:
    """Top row and left column of free squares for a digit, nearest the middle; None if none.

    The same place does for all digits of a number, so that nobody has to look for the next.
    """
    size = position.game.size
    middle = (size - HEIGHT) / 2, (size - WIDTH) / 2
    places = sorted(
        ((top - middle[0]) ** 2 + (left - middle[1]) ** 2, top, left)
        for top in range(size - HEIGHT + 1)
        for left in range(size - WIDTH + 1)
        if not position.occupied & _block(size, top, left)
    )
    return places[0][1:] if places else None


def _block(size: int, top: int, left: int) -> int:
    line = ((1 << WIDTH) - 1) << left
    return sum(line << (top + row) * size for row in range(HEIGHT))


@dataclass(frozen=True, slots=True)
class _View:
    """A game as its lights see it."""

    state: GameState
    edition: Edition
    opaque: bool
    seats: tuple[int, ...]

    def turn(self) -> list[LitSquares]:
        """The edge of whoever is to move."""
        to_move = self.state.turn
        if self.state.over or to_move is None:
            return []
        ink = LED_INKS[self.edition[to_move]]
        edge = seat(self.state.position, to_move, seats=self.seats)
        return [LitSquares(self._free(mask_of(edge)), ink)]

    def last_move(self) -> list[LitSquares]:
        """The newest piece, or the corners of a frame around it."""
        if not self.state.history:
            return []
        squares = self.state.history[-1].move.squares
        shown = self._free(self._frame(squares)) if self.opaque else squares
        return [LitSquares(shown, LAST_MOVE)]

    def hinted(self) -> list[LitSquares]:
        """As much of a move as was asked for."""
        return [LitSquares(revealed_squares(self.state), HINT, WINK)]

    def refused(self) -> list[LitSquares]:
        """What was refused blinks, and in turn with it what it touches or misses."""
        glows = []
        for one in self.state.refused:
            piece = mask_of(one.squares)
            shown = self._ring(piece) if self.opaque else one.squares
            against = mask_of(square for breach in one.breaches for square in breach.against)
            glows.append(LitSquares(shown, REFUSED, BLINK))
            glows.append(LitSquares(self._touched(against & ~piece, piece), AGAINST, COUNTER))
        return glows

    def unsure(self) -> list[LitSquares]:
        """Each candidate in turn, or the ring around all of them; and squares that are unclear."""
        candidates = [one.move.mask for one in self.state.candidates]
        unclear = _union(mask_of(patch.squares) for patch in self.state.unclear)
        if self.opaque:
            return [LitSquares(self._ring(_union(candidates) | unclear), UNSURE, SLOW)]
        if not candidates:
            return [LitSquares(tuple(squares_of(unclear)), UNSURE, SLOW)]
        first, others = candidates[0], _union(candidates[1:])
        both = tuple(squares_of(first & others))
        return [
            LitSquares(tuple(squares_of(first & ~others)), UNSURE, BLINK),
            LitSquares(tuple(squares_of(others & ~first)), UNSURE, COUNTER),
            LitSquares(both, UNSURE),
            LitSquares(tuple(squares_of(unclear)), UNSURE, SLOW),
        ]

    def disturbed(self) -> list[LitSquares]:
        """Where the first piece that is not in its place belongs, and in turn where it lies."""
        step = next_restore_step(self.state)
        if step is None:
            return []
        ink = LED_INKS[self.edition[step.colour]]
        lies = mask_of(step.lies)
        home = tuple(squares_of(mask_of(step.belongs) & ~lies))
        shown = self._ring(lies) if self.opaque else step.lies
        return [LitSquares(home, ink, BLINK), LitSquares(shown, ink, COUNTER)]

    def over(self, scoring: Scoring) -> list[LitSquares]:
        """Long edges for those who won or are equal, short ones for the others."""
        position = self.state.position
        found = game_result(self.state, scoring)
        assert found is not None, "a game that is over has an outcome"
        won = {*found.winner, *found.tied}
        glows = []
        for colour in sorted(set(position.game.colours) - {position.game.shared}):
            length, rhythm = (WINNER_SQUARES, SLOW) if colour in won else (OTHER_SQUARES, STEADY)
            squares = self._free(mask_of(seat(position, colour, length, self.seats)))
            glows.append(LitSquares(squares, LED_INKS[self.edition[colour]], rhythm))
        return glows

    def number(self, digits: str) -> list[LitSquares]:
        """One symbol after another, a pause, and again; nothing where pieces leave no room."""
        room = room_for_digits(self.state.position)
        if room is None:
            return []
        size = self.state.position.game.size
        top, left = room
        glows = []
        shown = symbols(digits)
        for before, symbol in enumerate(shown):
            lit = ((top + row) * size + left + column for row, column in symbol)
            row = "...." * before + "###." + "...." * (len(shown) - before)
            glows.append(LitSquares(tuple(lit), NUMBER, BlinkPattern.of(row)))
        return glows

    def _covered(self) -> int:
        """Squares whose light something on the board hides."""
        refused = (mask_of(one.squares) for one in self.state.refused)
        pending = (move.mask for _, move in self.state.pending)
        lying = self.state.position.occupied | _union(refused) | _union(pending)
        return lying if self.opaque else 0

    def _free(self, mask: int) -> tuple[int, ...]:
        return tuple(squares_of(mask & ~self._covered()))

    def _ring(self, mask: int) -> tuple[int, ...]:
        """The squares beside some others that can be seen."""
        return self._free(self.state.position.board.edge_neighbours(mask))

    def _touched(self, against: int, piece: int) -> tuple[int, ...]:
        """What is touched or missed; where pieces hide it, the free squares beside it."""
        hidden = against & self._covered()
        beside = self.state.position.board.edge_neighbours(hidden) & ~piece
        return tuple(squares_of(against & ~hidden | mask_of(self._free(beside))))

    def _frame(self, squares: tuple[int, ...]) -> int:
        """The corners of a frame around some squares."""
        size = self.state.position.game.size
        rows = [square // size for square in squares]
        columns = [square % size for square in squares]
        corners = [
            (row, column)
            for row in (min(rows) - 1, max(rows) + 1)
            for column in (min(columns) - 1, max(columns) + 1)
        ]
        inside = [at for at in corners if min(at) >= 0 and max(at) < size]
        return mask_of(row * size + column for row, column in inside)


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
