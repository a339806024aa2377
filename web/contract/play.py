"""A simulated table that people play at in a browser: its pieces and gestures; seats of any table.

Places are in squares of the board: `across` from its left edge, `down` from its top edge, as
decimal numbers. A shape is a set of squares whose smallest row and column are 0, turned and flipped
as the piece lies.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import ClassVar, Final, get_args

from firmware.game.levels import MOST_LEVEL
from web.contract.codes import Square
from web.contract.commands import LARGEST_PIECE
from web.contract.page import MOST_PEOPLE, TrayPiece
from web.contract.requests import ActionRequest, is_fingerprint
from web.contract.schema import JsonMessage, require

_LONGEST_NAME: Final = 4
"""Characters of the name of a piece."""

_FARTHEST: Final = 100.0
"""Squares from an edge of the board to a piece."""

_TURNED_DEG: Final = 45.0
"""Degrees by which a piece may lie askew; beyond that it is another shape."""


@dataclass(frozen=True, slots=True)
class PiecePlace:
    """A piece on the board, as it lies.

    Attributes:
        colour: its colour, by place in the order of play.
        piece: its name.
        shape: its shape.
        across, down: place of the middle of its squares, in squares.
        angle_deg: angle by which it lies askew, clockwise in the picture, -45 to 45.
    """

    colour: int
    piece: str
    shape: tuple[Square, ...]
    across: float
    down: float
    angle_deg: float = 0.0

    def __post_init__(self) -> None:
        _check_piece(self.colour, self.piece)
        require(1 <= len(self.shape) <= LARGEST_PIECE, "a piece has 1 to 5 squares")
        numbers = (self.across, self.down, self.angle_deg)
        require(all(map(isfinite, numbers)), "a place is of finite numbers")
        require(max(abs(self.across), abs(self.down)) <= _FARTHEST, "a place is near the board")
        require(abs(self.angle_deg) <= _TURNED_DEG, "an angle is from -45 to 45 degrees")
        for row, column in self.shape:
            inside = 0 <= row < LARGEST_PIECE and 0 <= column < LARGEST_PIECE
            require(inside, "a shape begins at row 0 and column 0")


def _check_piece(colour: int, piece: str) -> None:
    require(0 <= colour < MOST_PEOPLE, "a color is from 0 to 3")
    require(0 < len(piece) <= _LONGEST_NAME, f"a piece has a name of 1 to {_LONGEST_NAME} letters")


class Prop(StrEnum):
    """Things and accidents with which players try the referee."""

    CUP = "cup"
    """A cup stands on the board."""

    DIM = "dim"
    """The lamp is dimmed."""

    LAMP = "lamp"
    """The lamp stands at another place."""

    GLARE = "glare"
    """A lamp is mirrored in the board."""

    HAND = "hand"
    """A hand is left over the board."""

    CAMERA = "camera"
    """The camera is bumped."""

    BOARD = "board"
    """The board is bumped."""

    NUDGE = "nudge"
    """A piece is pushed aside."""


class SeatHolder(StrEnum):
    """Those who may play a seat."""

    FREE = "free"
    PERSON = "person"
    COMPUTER = "computer"


class OpponentState(StrEnum):
    """Players that move the pieces of the computer's seats."""

    NONE = "none"
    """The computer has no seat."""

    SIMPLE = "simple"
    """The simple player; the strong one is not installed, or cannot run on this machine."""

    PREPARING = "preparing"
    """The simple player, while the strong one is prepared."""

    STRONG = "strong"
    """The strong player."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at the table.

    Attributes:
        colours: colours that only this person plays.
        holder: who plays it.
        phone: fingerprint of the token of the phone that plays it; else empty.
    """

    colours: tuple[int, ...]
    holder: SeatHolder = SeatHolder.FREE
    phone: str = ""

    def __post_init__(self) -> None:
        held = self.holder is SeatHolder.PERSON
        require(is_fingerprint(self.phone) if held else not self.phone, "a person has a phone")


@dataclass(frozen=True, slots=True)
class CameraSight:
    """The newest reading of the board.

    Attributes:
        corners: x and y of the four corners of the squares, clockwise from the top left, as shares
            of the camera's picture.
        squares: for each square, row by row, the digit of its colour in the order of play, `.` if
            it is empty, or `?` if it is covered.
        certainty: for each square the first decimal digit of its probability.
    """

    corners: tuple[float, ...]
    squares: str
    certainty: str

    def __post_init__(self) -> None:
        require(len(self.corners) == 8, "four corners have 8 numbers")
        require(len(self.squares) == len(self.certainty), "each square has a certainty")
        right = set(self.squares) <= set(".?0123") and self.certainty.isdigit()
        require(right, "squares are digits, '.' or '?'")


@dataclass(frozen=True, slots=True)
class SimulatedTable(JsonMessage):
    """The state of a simulated table.

    Attributes:
        size: squares along a side of the board.
        view: 3 x 3 matrix, row by row, from `across`, `down`, 1 to homogeneous shares of the
            camera's picture, from its left and top edge.
        pieces: pieces on the board, the lowest first.
        moving: pieces that a hand moves, or is about to, as colour and name.
        shapes: all pieces of a colour.
        props: props that stay until they are removed.
        opponent: player of the computer's seats.
        by_hand: True if people lay the computer's pieces, and no simulated hand.
        sight: the newest reading of the board; None while no board is found.

    Raises:
        ContractError: fields contradict each other.
    """

    size: int
    view: tuple[float, ...]
    pieces: tuple[PiecePlace, ...] = ()
    moving: tuple[tuple[int, str], ...] = ()
    shapes: tuple[TrayPiece, ...] = ()
    props: tuple[Prop, ...] = ()
    opponent: OpponentState = OpponentState.NONE
    by_hand: bool = False
    sight: CameraSight | None = None

    def __post_init__(self) -> None:
        require(len(self.view) == 9, "a view has 9 numbers")


@dataclass(frozen=True, slots=True)
class PutPiece:
    """Lays a piece from its tray on the board."""

    name: ClassVar[str] = "put"
    place: PiecePlace


@dataclass(frozen=True, slots=True)
class ShiftPiece:
    """Moves a piece on the board, or straightens it."""

    name: ClassVar[str] = "shift"
    place: PiecePlace


@dataclass(frozen=True, slots=True)
class NamedPiece:
    """A piece of a colour; base of the actions that name no place.

    Attributes:
        colour: its colour, by place in the order of play.
        piece: its name.
    """

    colour: int
    piece: str

    def __post_init__(self) -> None:
        _check_piece(self.colour, self.piece)


class LiftPiece(NamedPiece):
    """Takes a piece off the board, back to its tray."""

    name: ClassVar[str] = "lift"


class ShowPlaces(NamedPiece):
    """Asks for the places to which a piece may go; asked again, a real table shows none."""

    name: ClassVar[str] = "places"


@dataclass(frozen=True, slots=True)
class UseProp:
    """Uses a prop.

    Attributes:
        prop: the prop.
        on: False to remove it.
    """

    name: ClassVar[str] = "prop"
    prop: Prop
    on: bool = True


@dataclass(frozen=True, slots=True)
class Sit:
    """Takes a free seat."""

    name: ClassVar[str] = "sit"
    person: int


@dataclass(frozen=True, slots=True)
class Stand:
    """Leaves all seats of the sender."""

    name: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Stay:
    """Tells that the sender still sits there."""

    name: ClassVar[str] = "stay"


@dataclass(frozen=True, slots=True)
class EmptySeat:
    """Empties a seat; for paired phones."""

    name: ClassVar[str] = "empty"
    person: int


@dataclass(frozen=True, slots=True)
class ArrangeSeats:
    """Says who plays the seats; for paired phones. All others are free.

    Attributes:
        mine: seats of the sender.
        computer: seats of the computer.
        levels: level of the computer at each of them; none for the usual one.
        by_hand: True if people lay the computer's pieces, and no simulated hand.
    """

    name: ClassVar[str] = "arrange"
    mine: tuple[int, ...] = ()
    computer: tuple[int, ...] = ()
    levels: tuple[int, ...] = ()
    by_hand: bool = False

    def __post_init__(self) -> None:
        right = not self.levels or len(self.levels) == len(self.computer)
        require(right, "each seat of the computer has a level, or none has")
        require(all(1 <= one <= MOST_LEVEL for one in self.levels), "a level is from 1")
        named = (*self.mine, *self.computer)
        require(len(set(named)) == len(named), "a seat has one player")
        require(all(0 <= person < MOST_PEOPLE for person in named), "a seat is from 0 to 3")


@dataclass(frozen=True, slots=True)
class Own:
    """Pairs the browser of the machine that simulates the table, without a number."""

    name: ClassVar[str] = "own"


@dataclass(frozen=True, slots=True)
class UseOwnBoard:
    """Ends the simulated table for a real one, whose camera is a phone; for paired phones."""

    name: ClassVar[str] = "own-board"


Gesture = PutPiece | ShiftPiece | LiftPiece | UseProp
"""A gesture of a player."""

SeatAction = Sit | Stand | Stay | EmptySeat | ArrangeSeats | Own | UseOwnBoard | ShowPlaces
"""A change of seats or of the table, or a question of somebody who has one."""


@dataclass(frozen=True, slots=True)
class PlayRequest(ActionRequest):
    """A gesture, a change of seats or a question."""

    kinds: ClassVar = {kind.name: kind for kind in get_args(Gesture | SeatAction)}
    action: Gesture | SeatAction
