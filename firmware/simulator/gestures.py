"""Gestures of people who play in a browser, as motions of a hand over the virtual table.

Nothing but the rendered pictures tells the referee of them: a piece may be laid anywhere and out of
turn. Only one hand at a time is over the table, the others wait.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import dist
from typing import Final

import numpy as np

from firmware.game.seating import seat_of
from firmware.rules.board import Board
from firmware.rules.extent import pieces_of
from firmware.rules.pieces import PIECE_NAMED, Piece, Shape, normalised
from firmware.rules.variants import Colour
from firmware.simulator.appearance import camera_pose
from firmware.simulator.hand_motion import Beat, BeatPlayer, HandMotion, home_of
from firmware.simulator.props import Props
from firmware.simulator.table import CELL_MM, TablePiece, VirtualTable
from web.contract import (
    Gesture,
    LiftPiece,
    PiecePlace,
    PutPiece,
    RefusalReason,
    ShiftPiece,
    SimulatedTable,
    TrayPiece,
    UseProp,
)

_REACH_S: Final = 0.2
"""Seconds of a hand from the edge to its square: short, as the player's own hand has moved
already."""

_MOST_WAITING: Final = 8
"""Gestures that may wait for the hand."""

_SLIDE_MM: Final = 1.5 * CELL_MM
"""Millimetres up to which a piece is slid; it is carried to a place farther away."""

_SPREAD_MM: Final = 0.35
"""Standard deviation of a piece from the place at which it was let go."""

_SPREAD_DEG: Final = 0.5
"""Standard deviation of its angle in degrees."""


@dataclass(frozen=True, slots=True)
class _WaitingGesture:
    """A gesture that waits for the hand.

    Attributes:
        colour, piece: the piece.
        placed: its new place; None to lift it.
        is_put: True if the piece comes from its tray.
    """

    colour: Colour
    piece: Piece
    placed: TablePiece | None
    is_put: bool


class GestureHand:
    """The hand that carries out the gestures of players.

    Args:
        table: the table.
        seed: seed of the small deviations of laid pieces.
    """

    def __init__(self, table: VirtualTable, seed: int = 1) -> None:
        self._table: Final = table
        self._dice: Final = np.random.default_rng(seed)
        self._motion: Final = HandMotion(table, self._dice, _REACH_S)
        self._player: Final = BeatPlayer()
        self._waiting: Final[deque[_WaitingGesture]] = deque()
        self._moving: tuple[Colour, Piece] | None = None
        self._props: Final = Props(table)

    def perform(self, gesture: Gesture) -> RefusalReason | None:
        """Begins a gesture, or lets it wait for the hand; returns a reason if it is impossible."""
        if isinstance(gesture, UseProp):
            self._props.use(gesture.prop, on=gesture.on)
            return None
        if len(self._waiting) >= _MOST_WAITING:
            return RefusalReason.BUSY
        colour, piece = _piece_of(gesture)
        game = self._table.scene.game
        if piece is None or piece not in pieces_of(game) or colour not in game.colours:
            return RefusalReason.NOT_FITTING
        is_elsewhere = (self._table.scene.find(colour, piece) is None) != isinstance(
            gesture, PutPiece
        )
        if is_elsewhere or (colour, piece) in self._busy():
            return RefusalReason.NOT_POSSIBLE
        placed = None
        if not isinstance(gesture, LiftPiece):
            placed = self._placed(gesture.place)
            if placed is None:
                return RefusalReason.NOT_FITTING
        is_put = isinstance(gesture, PutPiece)
        self._waiting.append(_WaitingGesture(colour, piece, placed, is_put=is_put))
        return None

    def step(self, now_s: float) -> None:
        """Moves the hand.

        Args:
            now_s: monotonic seconds, on any clock.
        """
        self._player.step(now_s)
        if not self._player.is_idle:
            return
        self._moving = None
        if not self._waiting:
            self._props.leave_hand()
            return
        self._props.take_hand()
        if self._table.scene.hand is None:
            self._begin(self._waiting.popleft(), now_s)

    def _begin(self, gesture: _WaitingGesture, now_s: float) -> None:
        """Begins a gesture; drops it if somebody else has moved the piece meanwhile."""
        lying = self._table.scene.find(gesture.colour, gesture.piece)
        if (lying is None) == gesture.is_put:
            self._moving = gesture.colour, gesture.piece
            self._player.begin(self._script(gesture, lying), now_s)
            self._player.step(now_s)

    def entry(self) -> SimulatedTable:
        """Returns the state of the table for the page, without its seats."""
        scene = self._table.scene
        size = scene.game.size
        pose = camera_pose(scene)
        to_mm = np.array(
            [[CELL_MM, 0, -CELL_MM * size / 2], [0, -CELL_MM, CELL_MM * size / 2], [0, 0, 1.0]]
        )
        to_shares = np.diag([1 / pose.width, 1 / pose.height, 1.0])
        view = to_shares @ pose.plane() @ to_mm
        return SimulatedTable(
            size,
            tuple(round(value, 9) for value in (view / view[2, 2]).ravel().tolist()),
            tuple(map(_place_of, scene.pieces)),
            tuple((colour, piece.name) for colour, piece in self._busy()),
            tuple(TrayPiece(one.name, one.orientations[0]) for one in pieces_of(scene.game)),
            props=self._props.active,
        )

    def _busy(self) -> list[tuple[Colour, Piece]]:
        """The pieces that the hand moves, or is about to."""
        waiting = [(one.colour, one.piece) for one in self._waiting]
        return [self._moving, *waiting] if self._moving else waiting

    def _script(self, gesture: _WaitingGesture, lying: TablePiece | None) -> Iterator[Beat]:
        """Returns the motion of a gesture; `lying` is its piece on the board."""
        seat = seat_of(self._table.scene.game, gesture.colour)
        if lying is None:
            assert gesture.placed is not None, "a piece from its tray has a place"
            return self._laid(seat, gesture.placed)
        if gesture.placed is None:
            return self._motion.take_back(seat, lying)
        return self._shifted(seat, lying, gesture.placed)

    def _laid(self, seat: int, placed: TablePiece) -> Iterator[Beat]:
        spot, home = placed.middle_mm, home_of(seat, placed)
        yield self._motion.glide(seat, home, spot, placed)
        yield self._motion.lay(placed)
        yield self._motion.glide(seat, spot, home)
        yield self._motion.leave()

    def _shifted(self, seat: int, lying: TablePiece, placed: TablePiece) -> Iterator[Beat]:
        motion, spot = self._motion, placed.middle_mm
        near = dist(lying.middle_mm, spot) < _SLIDE_MM
        if near and _shape_of(lying) == _shape_of(placed):
            yield from motion.slide(seat, placed)
            return
        yield motion.glide(seat, home_of(seat, lying), lying.middle_mm)
        yield Beat(0.0, lambda _: motion.lift(seat, lying))
        yield motion.glide(seat, lying.middle_mm, spot, placed)
        yield motion.lay(placed)
        yield motion.glide(seat, spot, home_of(seat, placed))
        yield motion.leave()

    def _placed(self, place: PiecePlace) -> TablePiece | None:
        """Returns a piece where a player has let it go; None if it is off the board or no piece."""
        board = Board.of(self._table.scene.game.size)
        if not (0 <= place.across <= board.size and 0 <= place.down <= board.size):
            return None
        shape = normalised(place.shape)
        if shape not in PIECE_NAMED[place.piece].orientations:
            return None
        index = board.find(_nearest(board, shape, place))
        assert index is not None, "a shape of a piece fits on every board"
        meant = TablePiece(place.colour, board.move(index))
        x_mm, y_mm = meant.middle_mm
        dx_mm, dy_mm, turn_deg = self._dice.normal(
            0, (_SPREAD_MM, _SPREAD_MM, _SPREAD_DEG)
        ).tolist()
        return replace(
            meant,
            dx_mm=(place.across - board.size / 2) * CELL_MM - x_mm + dx_mm,
            dy_mm=(board.size / 2 - place.down) * CELL_MM - y_mm + dy_mm,
            angle_deg=turn_deg - place.angle_deg,
        )


def _piece_of(gesture: PutPiece | ShiftPiece | LiftPiece) -> tuple[Colour, Piece | None]:
    one = gesture if isinstance(gesture, LiftPiece) else gesture.place
    return one.colour, PIECE_NAMED.get(one.piece)


def _nearest(board: Board, shape: Shape, place: PiecePlace) -> list[int]:
    """Squares of the placement on the board that is nearest to a place."""
    count = len(shape)
    high, wide = max(row for row, _ in shape), max(column for _, column in shape)
    top = round(place.down - 0.5 - sum(row for row, _ in shape) / count)
    left = round(place.across - 0.5 - sum(column for _, column in shape) / count)
    top = min(max(top, 0), board.size - 1 - high)
    left = min(max(left, 0), board.size - 1 - wide)
    return [(top + row) * board.size + left + column for row, column in shape]


def _shape_of(placed: TablePiece) -> Shape:
    size = placed.move.board.size
    return normalised(tuple(divmod(square, size) for square in placed.move.squares))


def _place_of(placed: TablePiece) -> PiecePlace:
    """Returns a piece on the board as the page shows it: turned by at most 45 degrees."""
    size = placed.move.board.size
    x_mm, y_mm = placed.middle_mm
    shape = _shape_of(placed)
    quarters = round(-placed.angle_deg / 90)
    for _ in range(quarters % 4):
        shape = normalised(tuple((column, -row) for row, column in shape))
    return PiecePlace(
        placed.colour,
        placed.move.piece.name,
        shape,
        round(x_mm / CELL_MM + size / 2, 3),
        round(size / 2 - y_mm / CELL_MM, 3),
        round(-placed.angle_deg - 90 * quarters, 2),
    )
