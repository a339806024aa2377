"""Answers players of a simulated table: gestures, and who plays which seat."""

from collections.abc import Collection
from typing import Final, Protocol

from firmware.game.seating import colours_of
from firmware.publishing.feed_server import FeedServer
from firmware.rules.variants import Variant
from firmware.session.pairing import Pairing
from firmware.session.seat_desk import SeatDesk
from firmware.session.seats import Seats
from web.contract import (
    ArrangeSeats,
    Gesture,
    LiftPiece,
    Own,
    PlayRequest,
    PutPiece,
    RefusalReason,
    Reply,
    ShiftPiece,
    SimulatedTable,
    UseProp,
)


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

    def seat_computer(self, persons: Collection[int]) -> None:
        """Lets the computer play some persons, and nobody else."""
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

    def publish(self) -> None:
        """Publishes the state of the table if it has changed."""
        self._table.seat_computer(self._seats.computer)
        entry = self._table.entry()
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
        try:
            token = self._seats.arrange(action.mine, action.computer, request.token, now)
        except ValueError:
            return Reply(request.id, RefusalReason.NOT_FITTING)
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
            own = {one for person in persons for one in colours_of(game, person)}
            if colour not in own and colour != game.shared:
                return RefusalReason.NOT_YOURS
        return self._table.perform(gesture)
