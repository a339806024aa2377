"""Answers players of a simulated table: gestures, and who plays which seat."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final, Protocol

from firmware.game.config import HUMAN
from firmware.game.seating import colours_of
from firmware.publishing.feed_server import FeedServer
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Variant
from firmware.session.computer_service import Readiness
from firmware.session.pairing import Pairing
from firmware.session.seat_desk import SeatDesk
from firmware.session.seats import Seats
from web.contract import (
    ArrangeSeats,
    Gesture,
    LiftPiece,
    OpponentState,
    Own,
    PlayRequest,
    PutPiece,
    RefusalReason,
    Reply,
    ShiftPiece,
    SimulatedTable,
    UseProp,
)

USUAL_LEVEL: Final = 3
"""Level of the computer unless somebody chooses another: it plays sensibly, and children win."""

_OPPONENTS: Final = {
    Readiness.MISSING: OpponentState.SIMPLE,
    Readiness.PREPARING: OpponentState.PREPARING,
    Readiness.READY: OpponentState.STRONG,
}
"""Code of the page for each state of the computer player."""


class GestureTable(Protocol):
    """A table on which gestures are carried out."""

    @property
    def game(self) -> Variant:
        """The game on the table."""
        ...

    @property
    def computer(self) -> frozenset[int]:
        """The persons that the computer plays."""
        ...

    def perform(self, gesture: Gesture) -> RefusalReason | None:
        """Begins a gesture; returns a reason if it is impossible."""
        ...

    def seat_computer(self, persons: Collection[int], *, by_hand: bool) -> None:
        """Lets the computer play some persons, and nobody else.

        Args:
            persons: those persons; of all persons, scripted people play.
            by_hand: True if people lay the computer's pieces, and no simulated hand.
        """
        ...

    def stand_in(self, position: Position) -> Move:
        """Chooses a move of the computer while the player cannot."""
        ...

    def entry(self) -> SimulatedTable:
        """Returns the state of the table, without its seats."""
        ...


class PlayDesk:
    """The gestures of those who sit at a simulated table, and the seats of the computer.

    Args:
        table: the table.
        pairing: the paired phones.
        feed: server of the page.
        seats: the seats of the table.
    """

    def __init__(
        self, table: GestureTable, pairing: Pairing, feed: FeedServer, seats: SeatDesk
    ) -> None:
        self._table: Final = table
        self._pairing: Final = pairing
        self._feed: Final = feed
        self._desk: Final = seats
        seats.seat_computer(lambda: table.computer)
        self._published: SimulatedTable | None = None
        self._levels: tuple[int, ...] | None = None
        self._by_hand = False

    @property
    def plays_all(self) -> bool:
        """True if scripted people play all seats."""
        return len(self._seats.computer) == self._table.game.people

    def take_levels(self) -> tuple[int, ...] | None:
        """Returns the levels of the computer for which people asked since the last call."""
        levels, self._levels = self._levels, None
        return levels

    def publish(self, readiness: Readiness | None) -> None:
        """Publishes the state of the table if it has changed.

        Args:
            readiness: state of the computer player; None if there is none.
        """
        persons = self._seats.computer
        self._table.seat_computer(persons, by_hand=self._by_hand)
        opponent = OpponentState.NONE
        if persons:
            strong = None if self.plays_all else readiness
            opponent = OpponentState.SIMPLE if strong is None else _OPPONENTS[strong]
        entry = replace(self._table.entry(), opponent=opponent, by_hand=self._by_hand)
        if entry != self._published:
            self._published = entry
            self._feed.publish_table(entry)

    def answer(self, request: PlayRequest, now: float) -> Reply:
        """Carries out a request, or refuses it.

        Args:
            request: a gesture, or a change of seats.
            now: monotonic seconds.
        """
        action = request.action
        if isinstance(action, PutPiece | ShiftPiece | LiftPiece | UseProp):
            return Reply(request.id, self._gesture(action, request.token, now))
        if isinstance(action, Own):
            return Reply(request.id, token=self._pairing.pair())
        if isinstance(action, ArrangeSeats):
            return self._deal(request, action, now)
        return self._desk.answer(request, self._table.game, now)

    @property
    def _seats(self) -> Seats:
        return self._desk.seats_of(self._table.game)

    def _deal(self, request: PlayRequest, action: ArrangeSeats, now: float) -> Reply:
        if not self._pairing.knows(request.pairing):
            return Reply(request.id, RefusalReason.NOT_PAIRED)
        if action.computer and self._table.game.puzzle is not None:
            return Reply(request.id, RefusalReason.NOT_FITTING)
        usual = (USUAL_LEVEL,) * len(action.computer)
        chosen = dict(zip(action.computer, action.levels or usual, strict=True))
        levels = tuple(chosen.get(person, HUMAN) for person in range(self._table.game.people))
        try:
            token = self._seats.arrange(action.mine, action.computer, request.token, now)
        except ValueError:
            return Reply(request.id, RefusalReason.NOT_FITTING)
        self._levels = (HUMAN,) * len(levels) if all(levels) else levels
        self._by_hand = action.by_hand
        return Reply(request.id, token=token)

    def _gesture(self, gesture: Gesture, token: str, now: float) -> RefusalReason | None:
        seats, game = self._seats, self._table.game
        persons = seats.of(token)
        if not persons:
            return RefusalReason.NO_SEAT
        if not seats.allow_gesture(token, now):
            return RefusalReason.BUSY
        if not isinstance(gesture, UseProp):
            colour = gesture.colour if isinstance(gesture, LiftPiece) else gesture.place.colour
            laid = persons | seats.computer if self._by_hand else persons
            own = {one for person in laid for one in colours_of(game, person)}
            if colour not in own and colour != game.shared:
                return RefusalReason.NOT_YOURS
        return self._table.perform(gesture)
