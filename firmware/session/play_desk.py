"""Answers players of a simulated table: seats and gestures."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final, Protocol

from firmware.game.seating import colours_of
from firmware.publishing.feed_server import FeedServer
from firmware.rules.variants import Variant
from firmware.session.pairing import Pairing
from firmware.session.seats import Seats
from web.contract import (
    ArrangeSeats,
    EmptySeat,
    Gesture,
    LiftPiece,
    Own,
    PlayRequest,
    PutPiece,
    RefusalReason,
    Reply,
    ShiftPiece,
    SimulatedTable,
    Sit,
    Stand,
    Stay,
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
    """The seats of a table, and the gestures of those who sit there.

    Args:
        table: the table.
        pairing: the paired phones.
        feed: server of the page.
    """

    def __init__(self, table: GestureTable, pairing: Pairing, feed: FeedServer) -> None:
        self._table: Final = table
        self._pairing: Final = pairing
        self._feed: Final = feed
        self._seats: Seats | None = None
        self._published: SimulatedTable | None = None

    def publish(self, now: float) -> None:
        """Publishes the state of the table if it has changed.

        Args:
            now: monotonic seconds.
        """
        game, seats = self._table.game, self._adapted()
        seats.free_silent(now)
        self._table.seat_computer(seats.computer)
        colours = [colours_of(game, person) for person in range(game.people)]
        entry = replace(self._table.entry(), seats=seats.entries(colours))
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
        if isinstance(action, Sit | Stand | Stay):
            return self._own_seat(request.id, action, request.token, now)
        if not self._pairing.knows(request.pairing):
            return Reply(request.id, RefusalReason.NOT_PAIRED)
        return self._deal(request.id, action, request.token, now)

    def _own_seat(self, id_: str, action: Sit | Stand | Stay, token: str, now: float) -> Reply:
        seats = self._adapted()
        if isinstance(action, Sit):
            token = seats.sit(action.person, token, now)
            return Reply(id_, token=token) if token else Reply(id_, RefusalReason.SEAT_TAKEN)
        if isinstance(action, Stand):
            seats.stand(token)
            return Reply(id_)
        stays = seats.stay(token, now)
        return Reply(id_) if stays else Reply(id_, RefusalReason.NO_SEAT)

    def _deal(self, id_: str, action: EmptySeat | ArrangeSeats, token: str, now: float) -> Reply:
        seats = self._adapted()
        if isinstance(action, EmptySeat):
            emptied = seats.empty(action.person)
            return Reply(id_) if emptied else Reply(id_, RefusalReason.NOT_POSSIBLE)
        if action.computer and self._table.game.puzzle is not None:
            return Reply(id_, RefusalReason.NOT_FITTING)
        try:
            return Reply(id_, token=seats.arrange(action.mine, action.computer, token, now))
        except ValueError:
            return Reply(id_, RefusalReason.NOT_FITTING)

    def _gesture(self, gesture: Gesture, token: str, now: float) -> RefusalReason | None:
        seats, game = self._adapted(), self._table.game
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

    def _adapted(self) -> Seats:
        """Returns the seats, after a change to a game of more or fewer people."""
        people = self._table.game.people
        if self._seats is None:
            self._seats = Seats(people, self._table.computer)
        if self._seats.resize(people) and self._table.game.puzzle is not None:
            # The computer of a game does not sit down to a puzzle after it.
            self._seats.free_computer()
        return self._seats
