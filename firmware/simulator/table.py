"""The true state of a virtual table: pieces, trays, hand, light, camera and board.

It has no clock and no rules. Threads may change it and read it at the same time: a state is an
immutable `TableScene`.

Lengths are millimetres in the board's frame, origin in its middle, x to the right, y towards the
top row; angles are degrees, anticlockwise from above. The orientation of the board is that in
which Duo's starting points are e10 and j5.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from math import cos, floor, radians, sin
from threading import Lock
from typing import Final

from firmware.rules.board import Move
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.variants import Colour, Variant
from vision.plastics import Rgb
from vision.synthetic.scene import LampLook

CELL_MM: Final = 16.0
"""Millimetres from square to square of a real board."""

_DARK: Final = (0, 0, 0)
"""RGB of an LED that is off."""


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A piece on the board, or in a hand.

    Attributes:
        colour: colour of the piece.
        move: the intended placement.
        dx_mm, dy_mm: deviation of its middle.
        angle_deg: deviation of its angle.
    """

    colour: Colour
    move: Move
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    angle_deg: float = 0.0

    @property
    def middle_mm(self) -> tuple[float, float]:
        """The middle of its squares, x and y; the angle has no effect on it."""
        places = self._meant_mm()
        count = len(places)
        return (
            sum(x for x, _ in places) / count + self.dx_mm,
            sum(y for _, y in places) / count + self.dy_mm,
        )

    def offsets(self) -> tuple[tuple[float, float], ...]:
        """The middles of its squares relative to its own middle, in squares, at angle 0."""
        places = self._meant_mm()
        x_mm = sum(x for x, _ in places) / len(places)
        y_mm = sum(y for _, y in places) / len(places)
        return tuple(((x - x_mm) / CELL_MM, (y - y_mm) / CELL_MM) for x, y in places)

    def squares(self) -> tuple[int | None, ...]:
        """The squares below the middles of its squares with all deviations; None off the board."""
        x_mm, y_mm = self.middle_mm
        turn = radians(self.angle_deg)
        found = []
        for across, up in self.offsets():
            x = x_mm + CELL_MM * (across * cos(turn) - up * sin(turn))
            y = y_mm + CELL_MM * (across * sin(turn) + up * cos(turn))
            found.append(square_at(self.move.board.size, x, y))
        return tuple(found)

    def _meant_mm(self) -> list[tuple[float, float]]:
        return [square_mm(self.move.board.size, square) for square in self.move.squares]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table.

    Attributes:
        x_mm, y_mm: the point between finger and thumb.
        seat: side of the table at which its owner sits: 0 bottom, 1 right, 2 top, 3 left.
        holding: the piece it carries, or None.
    """

    x_mm: float
    y_mm: float
    seat: int
    holding: TablePiece | None = None


@dataclass(frozen=True, slots=True)
class Lighting(LampLook):
    """The lamp. `glare`: it is mirrored on the board."""

    glare: bool = False


@dataclass(frozen=True, slots=True)
class CameraStand:
    """Deviation of the camera from its original place.

    Attributes:
        dx_mm, dy_mm: on the table, with the point that it looks at.
        roll_deg: rotation about its axis.
        tilt_deg: further angle of its view from the vertical.
        side_deg: direction in which it stands for that, anticlockwise from the x axis.
    """

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    roll_deg: float = 0.0
    tilt_deg: float = 0.0
    side_deg: float = 270.0


@dataclass(frozen=True, slots=True)
class BoardStand:
    """Deviation of the board from its original place on the table."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0


class FrameKind(StrEnum):
    """Frames around the squares of a board."""

    RAISED = "raised"
    PRINTED = "printed"
    """As high as the squares."""

    SQUARES = "squares"
    """Printed with a row of squares beside those of the board, in its tones."""

    COLOURED = "coloured"
    """The same in the colours of the pieces."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The board and what stays around it.

    Attributes:
        markers: True if printed markers lie around the board.
        frame: frame around the squares.
        checked: True for a cloth in large squares, False for a woven one.
        floor: name of the colour of the board: slate, sand or teal; empty for the usual one of
            the edition.
    """

    markers: bool = True
    frame: FrameKind = FrameKind.RAISED
    checked: bool = False
    floor: str = ""


@dataclass(frozen=True, slots=True)
class TableScene:
    """The state of a table; immutable.

    Attributes:
        game: the game that is played.
        pieces: the pieces on the board, in the order laid.
        trays: for each colour the pieces beside the board.
        hand: the hand above the table, or None.
        lamp: the light.
        camera: place of the camera.
        lights: for each square the colour of its LED.
        board: place of the board; its pieces move with it, the markers and the camera do not.
        cup: middle of a cup on the board or beside it, x and y in millimetres, or None.
        surroundings: the board and what stays around it.
    """

    game: Variant
    pieces: tuple[TablePiece, ...]
    trays: tuple[tuple[Piece, ...], ...]
    hand: Hand | None
    lamp: Lighting
    camera: CameraStand
    lights: tuple[Rgb, ...]
    board: BoardStand = BoardStand()
    cup: tuple[float, float] | None = None
    surroundings: Surroundings = Surroundings()

    def truth(self) -> tuple[Colour | None, ...]:
        """For each square the colour of the piece on it, or None: the correct reading."""
        squares: list[Colour | None] = [None] * self.game.size**2
        for placed in self.pieces:
            for square in placed.squares():
                if square is not None:
                    squares[square] = placed.colour
        return tuple(squares)

    def find(self, colour: Colour, piece: Piece) -> TablePiece | None:
        """Returns a piece on the board, wherever it lies; None if it is not there."""
        found = (one for one in self.pieces if (one.colour, one.move.piece) == (colour, piece))
        return next(found, None)


class VirtualTable:
    """A table that can be changed; `scene` is its present state.

    Args:
        game: the game that is played.
    """

    def __init__(self, game: Variant) -> None:
        self._lock = Lock()
        self._scene = TableScene(
            game,
            (),
            tuple(PIECES for _ in game.colours),
            None,
            Lighting(),
            CameraStand(),
            (_DARK,) * game.size**2,
        )

    @property
    def scene(self) -> TableScene:
        """The present state; an immutable value."""
        return self._scene

    def lay(self, placed: TablePiece) -> None:
        """Puts a piece on the board, from its tray or from the hand that holds it.

        Raises:
            ValueError: that piece is on the board already, or belongs to another game.
        """
        with self._lock:
            scene = self._scene
            if placed.colour not in scene.game.colours or placed.move.board.size != scene.game.size:
                raise ValueError(f"{placed.move} is no placement of {scene.game.title}")
            piece = placed.move.piece
            held = scene.hand.holding if scene.hand else None
            if any(_is(other, placed.colour, piece) for other in scene.pieces):
                raise ValueError(f"piece {piece.name} of colour {placed.colour} lies there already")
            hand = scene.hand
            if hand is not None and held is not None and _is(held, placed.colour, piece):
                hand = replace(hand, holding=None)
            self._settle(replace(scene, pieces=(*scene.pieces, placed), hand=hand))

    def shift(self, colour: Colour, piece: Piece, placed: TablePiece) -> None:
        """Moves a piece on the board to the place of `placed`.

        Raises:
            ValueError: it is not on the board, or `placed` is another piece.
        """
        with self._lock:
            if not _is(placed, colour, piece):
                raise ValueError("a piece that is moved stays the piece it is")
            self._find(colour, piece)
            pieces = tuple(
                placed if _is(other, colour, piece) else other for other in self._scene.pieces
            )
            self._settle(replace(self._scene, pieces=pieces))

    def lift(self, colour: Colour, piece: Piece) -> TablePiece:
        """Takes a piece off the board, back to its tray; returns it with its former place.

        Raises:
            ValueError: it is not on the board.
        """
        with self._lock:
            placed = self._find(colour, piece)
            pieces = tuple(other for other in self._scene.pieces if other is not placed)
            self._settle(replace(self._scene, pieces=pieces))
            return placed

    def move_hand(self, hand: Hand | None) -> None:
        """Moves the hand to a place, or removes it.

        Raises:
            ValueError: the piece that it holds is on the board.
        """
        with self._lock:
            held = hand.holding if hand else None
            if held and any(_is(p, held.colour, held.move.piece) for p in self._scene.pieces):
                raise ValueError(f"piece {held.move.piece.name} lies on the board; lift it first")
            self._settle(replace(self._scene, hand=hand))

    def switch_lamp(self, lamp: Lighting) -> None:
        """Changes the light."""
        with self._lock:
            self._scene = replace(self._scene, lamp=lamp)

    def bump_camera(self, dx_mm: float = 0.0, dy_mm: float = 0.0, roll_deg: float = 0.0) -> None:
        """Moves the camera from its present place."""
        with self._lock:
            stand = self._scene.camera
            moved = replace(
                stand,
                dx_mm=stand.dx_mm + dx_mm,
                dy_mm=stand.dy_mm + dy_mm,
                roll_deg=stand.roll_deg + roll_deg,
            )
            self._scene = replace(self._scene, camera=moved)

    def tilt_camera(self, tilt_deg: float, side_deg: float) -> None:
        """Sets the tilt of the camera, see `CameraStand`."""
        with self._lock:
            stand = replace(self._scene.camera, tilt_deg=tilt_deg, side_deg=side_deg)
            self._scene = replace(self._scene, camera=stand)

    def surround(self, surroundings: Surroundings) -> None:
        """Changes the board and what stays around it."""
        with self._lock:
            self._scene = replace(self._scene, surroundings=surroundings)

    def bump_board(self, dx_mm: float = 0.0, dy_mm: float = 0.0, turn_deg: float = 0.0) -> None:
        """Moves the board, with its pieces, from its present place."""
        with self._lock:
            stand = self._scene.board
            moved = BoardStand(stand.dx_mm + dx_mm, stand.dy_mm + dy_mm, stand.turn_deg + turn_deg)
            self._scene = replace(self._scene, board=moved)

    def put_cup(self, place_mm: tuple[float, float] | None) -> None:
        """Puts a cup to a place, or removes it."""
        with self._lock:
            self._scene = replace(self._scene, cup=place_mm)

    def light(self, lights: tuple[Rgb, ...]) -> None:
        """Sets the LED under each square.

        Raises:
            ValueError: there is not one colour for each square.
        """
        with self._lock:
            if len(lights) != self._scene.game.size**2:
                raise ValueError(f"{len(lights)} lights are not one for each square")
            self._scene = replace(self._scene, lights=lights)

    def _find(self, colour: Colour, piece: Piece) -> TablePiece:
        placed = self._scene.find(colour, piece)
        if placed is None:
            raise ValueError(f"piece {piece.name} of colour {colour} is not on the board")
        return placed

    def _settle(self, scene: TableScene) -> None:
        """Sets the scene, with all pieces that are neither laid nor held in its trays."""
        held = scene.hand.holding if scene.hand else None
        away = {(p.colour, p.move.piece.index) for p in (*scene.pieces, *([held] if held else ()))}
        trays = tuple(
            tuple(piece for piece in PIECES if (colour, piece.index) not in away)
            for colour in scene.game.colours
        )
        self._scene = replace(scene, trays=trays)


def square_mm(size: int, square: int) -> tuple[float, float]:
    """The middle of a square, x and y in millimetres."""
    row, column = divmod(square, size)
    return (column + 0.5 - size / 2) * CELL_MM, (size / 2 - row - 0.5) * CELL_MM


def square_at(size: int, x_mm: float, y_mm: float) -> int | None:
    """The square at a point, or None off the board."""
    column, row = floor(x_mm / CELL_MM + size / 2), floor(size / 2 - y_mm / CELL_MM)
    inside = 0 <= column < size and 0 <= row < size
    return row * size + column if inside else None


def _is(placed: TablePiece, colour: Colour, piece: Piece) -> bool:
    return placed.colour == colour and placed.move.piece is piece
