"""The truth about a table that does not exist: what lies where, and nothing else.

It has no clock and decides nothing. Whoever changes it and whoever looks at it may be in
different threads: a look is a `TableScene`, which never changes.

Lengths are millimetres of the board's frame, origin in its middle, x to the right, y towards
the top row; angles are degrees, anticlockwise seen from above. The board lies so that Duo's
starting points are e10 and j5.
"""

from dataclasses import dataclass, replace
from math import cos, floor, radians, sin
from threading import Lock
from typing import Final

from firmware.rules.board import Move
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.variants import Colour, Variant

Rgb = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

CELL_MM: Final = 16.0
"""Distance from square to square of a real board."""

_DARK: Final = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A piece on the board, or in somebody's hand.

    Attributes:
        colour: whose it is.
        move: how it is meant to lie.
        dx_mm, dy_mm: how far its middle is from where it should be.
        angle_deg: how crooked it is.
    """

    colour: Colour
    move: Move
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    angle_deg: float = 0.0

    @property
    def middle_mm(self) -> tuple[float, float]:
        """Where the middle of its squares is, crooked or not."""
        places = self._meant_mm()
        count = len(places)
        return (
            sum(x for x, _ in places) / count + self.dx_mm,
            sum(y for _, y in places) / count + self.dy_mm,
        )

    def offsets(self) -> tuple[tuple[float, float], ...]:
        """The middles of its squares from its own middle, in squares, before it is turned."""
        places = self._meant_mm()
        x_mm = sum(x for x, _ in places) / len(places)
        y_mm = sum(y for _, y in places) / len(places)
        return tuple(((x - x_mm) / CELL_MM, (y - y_mm) / CELL_MM) for x, y in places)

    def squares(self) -> tuple[int | None, ...]:
        """The squares under the middles of its squares as it really lies; None off the board."""
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
        seat: at which side of the table its owner sits: 0 bottom, 1 right, 2 top, 3 left.
        holding: the piece it carries.
    """

    x_mm: float
    y_mm: float
    seat: int
    holding: TablePiece | None = None


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light: 1 is the brightness that the camera is set for."""

    brightness: float = 1.0
    kelvin: float = 4500.0
    azimuth_deg: float = 125.0
    elevation_deg: float = 56.0


@dataclass(frozen=True, slots=True)
class CameraStand:
    """Where the camera is, compared with where it was put up."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    roll_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardStand:
    """Where the board lies on the table, compared with where it was put up."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class TableScene:
    """The table at one moment.

    Attributes:
        game: what is played.
        pieces: what lies on the board, in the order laid.
        trays: for each colour the pieces beside the board.
        hand: the hand over the table, if there is one.
        lamp: the light.
        camera: where the camera stands.
        lights: the LED under each square.
        board: where the board lies; its pieces go with it, the markers and the camera do not.
        cup: the middle of a cup on the board or beside it, x and y in millimetres.
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

    def truth(self) -> tuple[Colour | None, ...]:
        """For each square the colour of the piece on it: what an honest reader must read."""
        squares: list[Colour | None] = [None] * self.game.size**2
        for lying in self.pieces:
            for square in lying.squares():
                if square is not None:
                    squares[square] = lying.colour
        return tuple(squares)


class VirtualTable:
    """A table that can be changed; `scene` is how it is now.

    Args:
        game: what is played.
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
        """The table at this moment; the value never changes."""
        return self._scene

    def lay(self, lying: TablePiece) -> None:
        """Puts a piece on the board, from its tray or from the hand that holds it.

        Raises:
            ValueError: that piece lies there already, or is of another game.
        """
        with self._lock:
            scene = self._scene
            if lying.colour not in scene.game.colours or lying.move.board.size != scene.game.size:
                raise ValueError(f"{lying.move} is no placement of {scene.game.title}")
            piece = lying.move.piece
            held = scene.hand.holding if scene.hand else None
            if any(_is(other, lying.colour, piece) for other in scene.pieces):
                raise ValueError(f"piece {piece.name} of colour {lying.colour} lies there already")
            hand = scene.hand
            if hand is not None and held is not None and _is(held, lying.colour, piece):
                hand = replace(hand, holding=None)
            self._settle(replace(scene, pieces=(*scene.pieces, lying), hand=hand))

    def shift(self, colour: Colour, piece: Piece, placed: TablePiece) -> None:
        """Moves a piece that lies on the board to where `placed` says.

        Raises:
            ValueError: it does not lie there, or would become another piece.
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
        """Takes a piece off the board, back to its tray; says how it lay.

        Raises:
            ValueError: it does not lie there.
        """
        with self._lock:
            lying = self._find(colour, piece)
            pieces = tuple(other for other in self._scene.pieces if other is not lying)
            self._settle(replace(self._scene, pieces=pieces))
            return lying

    def move_hand(self, hand: Hand | None) -> None:
        """Puts the hand somewhere, or away.

        Raises:
            ValueError: the piece it would carry lies on the board.
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
        """Pushes the camera from where it stands."""
        with self._lock:
            stand = self._scene.camera
            moved = CameraStand(stand.dx_mm + dx_mm, stand.dy_mm + dy_mm, stand.roll_deg + roll_deg)
            self._scene = replace(self._scene, camera=moved)

    def bump_board(self, dx_mm: float = 0.0, dy_mm: float = 0.0, turn_deg: float = 0.0) -> None:
        """Pushes the board, with all that lies on it, from where it lies."""
        with self._lock:
            lies = self._scene.board
            moved = BoardStand(lies.dx_mm + dx_mm, lies.dy_mm + dy_mm, lies.turn_deg + turn_deg)
            self._scene = replace(self._scene, board=moved)

    def put_cup(self, place_mm: tuple[float, float] | None) -> None:
        """Puts a cup somewhere, or takes it away."""
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
        for lying in self._scene.pieces:
            if _is(lying, colour, piece):
                return lying
        raise ValueError(f"piece {piece.name} of colour {colour} is not on the board")

    def _settle(self, scene: TableScene) -> None:
        """Keeps a scene, its trays made to hold whatever is neither laid nor held."""
        held = scene.hand.holding if scene.hand else None
        away = {(p.colour, p.move.piece.index) for p in (*scene.pieces, *([held] if held else ()))}
        trays = tuple(
            tuple(piece for piece in PIECES if (colour, piece.index) not in away)
            for colour in scene.game.colours
        )
        self._scene = replace(scene, trays=trays)


def square_mm(size: int, square: int) -> tuple[float, float]:
    """The middle of a square, x and y."""
    row, column = divmod(square, size)
    return (column + 0.5 - size / 2) * CELL_MM, (size / 2 - row - 0.5) * CELL_MM


def square_at(size: int, x_mm: float, y_mm: float) -> int | None:
    """The square at a place, or None off the board."""
    column, row = floor(x_mm / CELL_MM + size / 2), floor(size / 2 - y_mm / CELL_MM)
    inside = 0 <= column < size and 0 <= row < size
    return row * size + column if inside else None


def _is(lying: TablePiece, colour: Colour, piece: Piece) -> bool:
    return lying.colour == colour and lying.move.piece is piece
