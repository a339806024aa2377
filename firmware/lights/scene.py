"""The picture of the lights: a pure function from the state of a game to a few lit squares.

Colour is never the only carrier of a meaning: each has its own shape and rhythm, see
`firmware.lights.blink_pattern`. Opaque pieces hide the lights below them, so the free squares
around them are lit; below translucent pieces, and on a panel beside the board, the squares
themselves are lit. A panel also shows all pieces, dimly, so that a shape stands where it is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware.codes import LightPlace, Rule, Scoring, Translucency
from firmware.game.events import MoveRefused, Squares
from firmware.game.hints import reason_squares, revealed_squares
from firmware.game.restoration import next_restore_step
from firmware.game.result import game_result
from firmware.game.seating import person_of, seat_of
from firmware.game.state import GameState
from firmware.lights.blink_pattern import (
    BLINK,
    CHOSEN,
    COUNTER,
    SLOW,
    SLOW_COUNTER,
    STEADY,
    TWICE,
    WINK,
    BlinkPattern,
    growing,
    is_on,
)
from firmware.lights.digit_font import HEIGHT, WIDTH, symbols
from firmware.rules.board import mask_of, squares_of
from firmware.rules.extent import field_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Edition
from vision.plastics import PLASTICS, Rgb

REFUSED: Final[Rgb] = (255, 32, 24)
"""Ink of refused pieces."""

AGAINST: Final[Rgb] = (255, 190, 40)
"""Ink of the squares that a refused piece touches or misses."""

TURN_ENDS: Final[Rgb] = (255, 255, 255)
"""Ink of both ends of the light at the edge of the player to move. Red and orange players have the
hue of `REFUSED`; no refusal has white in it, so a still picture tells the two apart."""

LAST_MOVE: Final[Rgb] = (110, 110, 110)
"""Ink of the last move."""

LAID: Final = 0.3
"""Brightness of the pieces on a panel, as perceived."""

LAID_LAST: Final = 0.65
"""The same of the last one."""

HINT: Final[Rgb] = (0, 190, 255)
"""Ink of a hint."""

REASON: Final[Rgb] = (90, 150, 255)
"""Ink of the squares of a reason for a hinted move, which glow in turn with it."""

MOST_HINTED: Final = 20
"""Squares of a hint that are lit at once; a page shows all of them."""

UNSURE: Final[Rgb] = (235, 235, 255)
"""Ink of open questions."""

NUMBER: Final[Rgb] = (90, 200, 255)
"""Ink of digits."""

CAMERA_AWAY: Final[Rgb] = (255, 255, 255)
"""Ink of the corners that say that the camera gives no pictures."""

MACHINE_TROUBLE: Final[Rgb] = (255, 120, 180)
"""Ink of the dots that say that the computer needs help. It is unlike all other inks, also for
people who are blind to a colour."""

CALL: Final[Rgb] = (170, 255, 170)
"""Ink of the frame that calls the arbiter, of which every other square is lit in turn. It is unlike
all other inks, also for people who are blind to a colour."""

FIELD: Final[Rgb] = (90, 66, 30)
"""Ink of the squares along the border of a puzzle's field: dim, as it is there all the time."""

FRAME: Final[Rgb] = (60, 52, 44)
"""Ink of the LEDs of a panel next to the board: a dim frame."""

DOT_EVERY: Final = 3
"""Squares from one dot of `MACHINE_TROUBLE` to the next, counted from a corner."""

CORNER_SQUARES: Final = 3
"""Squares lit along each edge from a corner, as in the view of a camera."""

SEAT_SQUARES: Final = 4
"""Squares lit at the edge of the player to move."""

WINNER_SQUARES: Final = 10
"""Squares lit at the edge of a winner after the end."""

OTHER_SQUARES: Final = 2
"""Squares lit at the edges of the others after the end."""


@dataclass(frozen=True, slots=True)
class SceneContext:
    """Parameters of a scene besides the state of the game.

    Attributes:
        pieces: light transmission of the pieces.
        scoring: the scoring that decides the winner.
        digits: pairing number of up to twelve digits, shown instead of the game; may be empty.
        seats: the edge of each person, 0 bottom, 1 right, 2 top, 3 left; none for the default
            ones.
        camera_away: True if the camera gives no pictures, so that nothing is judged.
        machine_trouble: True if the computer is too hot, or gets too little voltage.
        place: place of the LEDs.
        corners: mask of the squares at which a piece can start that somebody has chosen; they are
            lit instead of a hint.
    """

    pieces: Translucency = Translucency.OPAQUE
    scoring: Scoring = Scoring.ADVANCED
    digits: str = ""
    seats: tuple[int, ...] = ()
    camera_away: bool = False
    machine_trouble: bool = False
    place: LightPlace = LightPlace.UNDER
    corners: int = 0


@dataclass(frozen=True, slots=True)
class LitSquares:
    """Squares lit alike.

    Attributes:
        squares: the squares, in the game's frame.
        ink: their colour.
        rhythm: their blink pattern.
    """

    squares: tuple[int, ...]
    ink: Rgb
    rhythm: BlinkPattern = STEADY


Scene = tuple[LitSquares, ...]
"""Layers of lights; later ones cover earlier ones."""


def scene(state: GameState, edition: Edition, context: SceneContext | None = None) -> Scene:
    """The scene for the state of a game.

    Args:
        state: the state.
        edition: names of the colours, in the order of play.
        context: further parameters.

    Raises:
        ValueError: `digits` is not a number that can be shown.
    """
    context = context or SceneContext()
    board = _View(state, edition, context)
    if context.digits:
        lights = board.number()
    elif context.camera_away:
        lights = board.corners()
    else:
        lights = board.game()
        if context.machine_trouble:
            lights += board.dots(lights)
    if state.call is not None:
        lights += board.call(lights)
    if not (context.digits or context.camera_away):
        lights = [*board.laid(), *lights]
    return tuple(light for light in lights if light.squares)


def at(scene: Scene, now: float) -> dict[int, Rgb]:
    """Ink of each square that is lit at the time `now`, in seconds."""
    return {
        square: light.ink for light in scene if is_on(light.rhythm, now) for square in light.squares
    }


def ever(scene: Scene) -> dict[int, Rgb]:
    """Ink of each square that is lit at any time, for a still picture."""
    return {square: light.ink for light in scene for square in light.squares}


def seat(
    position: Position,
    colour: Colour,
    length: int = SEAT_SQUARES,
    seats: tuple[int, ...] = (),
) -> tuple[int, ...]:
    """The squares in the middle of the edge where the owner of a colour sits.

    Args:
        position: the position.
        colour: the colour.
        length: number of squares.
        seats: the edge of each person; none for the default ones.
    """
    default = seat_of(position.game, colour, position)
    edge = seats[person_of(position, colour)] if seats else default
    return _edge(position.game.size, edge, length)


def _edge(size: int, edge: int, length: int) -> tuple[int, ...]:
    """The squares in the middle of an edge: 0 bottom, 1 right, 2 top, 3 left."""
    first = (size - length) // 2
    places = [
        ((size - 1, along), (along, size - 1), (0, along), (along, 0))[edge]
        for along in range(first, first + length)
    ]
    return tuple(row * size + column for row, column in places)


def room_for_digits(position: Position, *, beside: bool = False) -> tuple[int, int] | None:
    """Top row and left column of the free space for a digit nearest the middle, or None.

    All digits of a number are shown at the same place.

    Args:
        position: the position.
        beside: True if the lights are on a panel beside the board, where all space is free.
    """
    size, occupied = position.game.size, 0 if beside else position.occupied
    middle = (size - HEIGHT) / 2, (size - WIDTH) / 2
    places = sorted(
        ((top - middle[0]) ** 2 + (left - middle[1]) ** 2, top, left)
        for top in range(size - HEIGHT + 1)
        for left in range(size - WIDTH + 1)
        if not occupied & _block(size, top, left)
    )
    return places[0][1:] if places else None


def _block(size: int, top: int, left: int) -> int:
    line = ((1 << WIDTH) - 1) << left
    return sum(line << (top + row) * size for row in range(HEIGHT))


@dataclass(frozen=True, slots=True)
class _View:
    """The lights for the parts of a game's state."""

    state: GameState
    edition: Edition
    context: SceneContext

    @property
    def beside(self) -> bool:
        """True if the lights are on a panel beside the board."""
        return self.context.place is LightPlace.BESIDE

    @property
    def opaque(self) -> bool:
        """True if pieces hide the lights below them."""
        return self.context.pieces is Translucency.OPAQUE and not self.beside

    @property
    def size(self) -> int:
        """Squares along a side of the board."""
        return self.state.position.game.size

    def game(self) -> list[LitSquares]:
        """The lights of the state of the game."""
        state = self.state
        if state.ended is not None:
            # After a decision of the arbiter misplaced pieces do not matter.
            lights = self.over()
        elif state.paused:
            lights = [*self.turn(), *self.last_move()]
        elif state.to_lift and not state.over:
            lights = [*self.turn(), *self.to_lift()]
        elif state.disturbed:
            lights = [*self.turn(), *self.disturbed()]
        elif state.refused:
            lights = [*self.turn(), *self.refused()]
        elif state.in_doubt:
            # Beside squares that nothing explains the game goes on.
            chosen = () if state.candidates else self.chosen()
            lights = [*self.turn(), *self.unsure(), *chosen]
        elif state.over:
            lights = self.over()
        else:
            moves = [*self.last_move(), *self.hinted(), *self.chosen()]
            lights = [*self.field(), *self.turn(), *moves]
        return lights

    def laid(self) -> list[LitSquares]:
        """The pieces, dimly, on a panel; under a board they lie over their lights."""
        if not self.beside:
            return []
        position = self.state.position
        return [
            LitSquares(tuple(squares_of(position.squares(colour))), _dimmed(name, LAID))
            for colour, name in enumerate(self.edition)
        ]

    def turn(self) -> list[LitSquares]:
        """The edge of the player to move: their colour between two white ends."""
        to_move = self.state.turn
        is_puzzle = self.state.position.game.puzzle is not None
        if self.state.over or to_move is None or is_puzzle:
            return []
        ink = PLASTICS[self.edition[to_move]].led
        edge = self._free(mask_of(seat(self.state.position, to_move, seats=self.context.seats)))
        ends = edge[:1] + edge[2:][-1:] if len(edge) > 1 else ()
        return [LitSquares(edge, ink), LitSquares(ends, TURN_ENDS)]

    def field(self) -> list[LitSquares]:
        """The squares around the field of a puzzle; none if it is the whole board."""
        board, field = self.state.position.board, field_of(self.state.position.game)
        around = (board.edge_neighbours(field) | board.corner_neighbours(field)) & ~field
        return [LitSquares(self._free(around), FIELD)]

    def last_move(self) -> list[LitSquares]:
        """The last accepted piece, or the corners of a frame around it."""
        if not self.state.history:
            return []
        last = self.state.history[-1]
        squares = last.move.squares
        if self.beside:
            return [LitSquares(squares, _dimmed(self.edition[last.colour], LAID_LAST))]
        visible = self._free(self._frame(squares)) if self.opaque else squares
        return [LitSquares(visible, LAST_MOVE)]

    def corners(self) -> list[LitSquares]:
        """The four corners of the board, like the frame in the view of a camera."""
        near = (*range(CORNER_SQUARES), *range(self.size - CORNER_SQUARES, self.size))
        return [LitSquares(self._free(self._edges(near)), CAMERA_AWAY, SLOW)]

    def dots(self, lights: Iterable[LitSquares]) -> list[LitSquares]:
        """Dots along the edges, where no other light, piece or place of a player is."""
        reach = range(0, (self.size - SEAT_SQUARES) // 2, DOT_EVERY)
        along = (*reach, *(self.size - 1 - step for step in reach))
        dots = self._edges(along) & self._unlit(lights)
        return [LitSquares(self._free(dots), MACHINE_TROUBLE, TWICE)]

    def call(self, lights: Iterable[LitSquares]) -> list[LitSquares]:
        """The edge of the board, where no other light and no piece is: two halves in turn."""
        edge = tuple(squares_of(self._edges(range(self.size)) & self._unlit(lights)))
        halves = [
            mask_of(square for square in edge if sum(divmod(square, self.size)) % 2 == half)
            for half in (0, 1)
        ]
        return [
            LitSquares(self._free(half), CALL, rhythm)
            for half, rhythm in zip(halves, (SLOW, SLOW_COUNTER), strict=True)
        ]

    def _edges(self, steps: Iterable[int]) -> int:
        """Mask of the squares at some steps along each edge of the board."""
        ends = [(end, step) for end in (0, self.size - 1) for step in steps]
        return mask_of(
            row * self.size + column for a, b in ends for row, column in ((a, b), (b, a))
        )

    def _unlit(self, lights: Iterable[LitSquares]) -> int:
        """Mask of the squares where no other light and no piece is."""
        taken = _union(mask_of(light.squares) for light in lights)
        return ~taken & (~0 if self.beside else ~self.state.position.occupied)

    def hinted(self) -> list[LitSquares]:
        """Starts of a chosen piece, else the squares of a hint, with its reason in turn."""
        if self.context.corners:
            return [LitSquares(self._free(self.context.corners), HINT, WINK)]
        move, reason = revealed_squares(self.state), reason_squares(self.state)
        if not reason:
            return [LitSquares(self._rim(move), HINT, WINK)]
        return [
            LitSquares(move, HINT, SLOW),
            LitSquares(self._nearest(mask_of(reason), move), REASON, SLOW_COUNTER),
        ]

    def _rim(self, squares: Squares) -> Squares:
        """Some squares; of many, as of an area, those at the edges of a rectangle around them."""
        if len(squares) <= MOST_HINTED:
            return squares
        rows, columns = zip(*(divmod(square, self.size) for square in squares), strict=True)
        edge_rows, edge_columns = (min(rows), max(rows)), (min(columns), max(columns))
        places = zip(squares, rows, columns, strict=True)
        return tuple(s for s, row, col in places if row in edge_rows or col in edge_columns)

    def _nearest(self, squares: int, move: Squares) -> Squares:
        """The free ones of some squares; of many, those nearest to a move."""
        places = [divmod(square, self.size) for square in move]

        def away(square: int) -> int:
            row, column = divmod(square, self.size)
            return min(abs(row - down) + abs(column - across) for down, across in places)

        return tuple(sorted(self._free(squares), key=away)[:MOST_HINTED])

    def chosen(self) -> list[LitSquares]:
        """The piece that the computer has chosen: on a panel its shape, else square by square."""
        chosen = self.state.chosen
        if chosen is None:
            return []
        ink, squares = PLASTICS[self.edition[chosen.colour]].led, chosen.move.squares
        if self.beside:
            return [LitSquares(squares, ink, CHOSEN)]
        rhythms = growing(len(squares))
        return [
            LitSquares((square,), ink, rhythm)
            for square, rhythm in zip(squares, rhythms, strict=True)
        ]

    def refused(self) -> list[LitSquares]:
        """Refused pieces, in turn with the squares that they touch or miss.

        If one only touches no corner of its own colour, such corners are lit, for longer.
        """
        lights = []
        for one in self.state.refused:
            piece = mask_of(one.squares)
            visible = self._ring(piece) if self.opaque else one.squares
            against = mask_of(
                square for violation in one.violations for square in violation.against
            )
            lights.append(LitSquares(visible, REFUSED, BLINK))
            lights.append(LitSquares(self._touched(against & ~piece, piece), AGAINST, COUNTER))
            if [violation.rule for violation in one.violations] == [Rule.NO_OWN_CORNER]:
                lights.append(LitSquares(self._corners(one), AGAINST, WINK))
        return lights

    def _corners(self, refused: MoveRefused) -> Squares:
        """The free squares at corners of a colour's own pieces, nearest to a refused one."""
        board, own = self.state.position.board, self.state.position.squares(refused.colour)
        taken = self.state.position.occupied | board.edge_neighbours(own)
        corners = board.corner_neighbours(own) & ~(taken | mask_of(refused.squares))
        return self._nearest(corners, refused.squares)

    def unsure(self) -> list[LitSquares]:
        """Each candidate in turn, or the ring around all of them; and unclear squares."""
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

    def to_lift(self) -> list[LitSquares]:
        """Pieces to lift, in turn with the ring around; hidden ones as ring, then wider corners."""
        lights = []
        for one in self.state.to_lift:
            ink, ring = PLASTICS[self.edition[one.colour]].led, self._ring(mask_of(one.squares))
            wider = self._free(self._frame(one.squares) & ~mask_of(ring))
            inner, outer = (ring, wider) if self.opaque else (one.squares, ring)
            lights += [LitSquares(inner, ink, BLINK), LitSquares(outer, ink, COUNTER)]
        return lights

    def disturbed(self) -> list[LitSquares]:
        """Target squares of the next piece to restore, in turn with its current squares."""
        step = next_restore_step(self.state)
        if step is None:
            return []
        ink = PLASTICS[self.edition[step.colour]].led
        current = mask_of(step.current_squares)
        target = tuple(squares_of(mask_of(step.target_squares) & ~current))
        visible = self._ring(current) if self.opaque else step.current_squares
        return [LitSquares(target, ink, BLINK), LitSquares(visible, ink, COUNTER)]

    def over(self) -> list[LitSquares]:
        """Long edges for the winner or equal sides, short ones for the others."""
        position = self.state.position
        if position.game.puzzle is not None:
            return self.puzzle_over()
        found = game_result(self.state, self.context.scoring)
        assert found is not None, "a game that is over has an outcome"
        first = {*found.winner, *found.tied}
        lights = []
        for colour in sorted(set(position.game.colours) - {position.game.shared}):
            length, rhythm = (WINNER_SQUARES, SLOW) if colour in first else (OTHER_SQUARES, STEADY)
            squares = self._free(mask_of(seat(position, colour, length, self.context.seats)))
            lights.append(LitSquares(squares, PLASTICS[self.edition[colour]].led, rhythm))
        return lights

    def puzzle_over(self) -> list[LitSquares]:
        """An edge for each colour of a puzzle: long ones if it is solved, else short ones."""
        solved = self.state.ended is None
        length, rhythm = (WINNER_SQUARES, SLOW) if solved else (OTHER_SQUARES, STEADY)
        return [
            LitSquares(
                self._free(mask_of(_edge(self.size, edge, length))), PLASTICS[name].led, rhythm
            )
            for edge, name in enumerate(self.edition)
        ]

    def number(self) -> list[LitSquares]:
        """One symbol after another, then a pause, repeated; nothing if pieces leave no room."""
        room = room_for_digits(self.state.position, beside=self.beside)
        if room is None:
            return []
        top, left = room
        lights = []
        sequence = symbols(self.context.digits)
        for before, symbol in enumerate(sequence):
            lit = ((top + row) * self.size + left + column for row, column in symbol)
            steps = "...." * before + "###." + "...." * (len(sequence) - before)
            lights.append(LitSquares(tuple(lit), NUMBER, steps))
        return lights

    def _covered(self) -> int:
        """Mask of the squares whose light is hidden by pieces."""
        refused = (mask_of(one.squares) for one in self.state.refused)
        to_lift = (mask_of(one.squares) for one in self.state.to_lift)
        pending = (move.mask for _, move in self.state.pending)
        covered = self.state.position.occupied | _union((*refused, *to_lift, *pending))
        return covered if self.opaque else 0

    def _free(self, mask: int) -> tuple[int, ...]:
        return tuple(squares_of(mask & ~self._covered()))

    def _ring(self, mask: int) -> tuple[int, ...]:
        """The visible squares that share a side with a square of the mask."""
        return self._free(self.state.position.board.edge_neighbours(mask))

    def _touched(self, against: int, piece: int) -> tuple[int, ...]:
        """The touched or missed squares; for hidden ones the free squares beside them."""
        hidden = against & self._covered()
        beside = self.state.position.board.edge_neighbours(hidden) & ~piece
        return tuple(squares_of(against & ~hidden | mask_of(self._free(beside))))

    def _frame(self, squares: tuple[int, ...]) -> int:
        """Mask of the corners of a frame around some squares."""
        rows, columns = zip(*(divmod(square, self.size) for square in squares), strict=True)
        return mask_of(
            row * self.size + column
            for row in (min(rows) - 1, max(rows) + 1)
            for column in (min(columns) - 1, max(columns) + 1)
            if 0 <= row < self.size and 0 <= column < self.size
        )


def _dimmed(plastic: str, brightness: float) -> Rgb:
    """The ink of a plastic, less bright by a factor."""
    red, green, blue = (round(brightness * level) for level in PLASTICS[plastic].led)
    return red, green, blue


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
