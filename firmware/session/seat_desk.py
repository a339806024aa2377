"""Answers phones that take and leave seats, at every table."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from firmware.game.seating import colours_of
from firmware.rules.variants import Variant
from firmware.session.pairing import Pairing
from firmware.session.seats import Seats
from firmware.session.service import TableService
from web.contract import (
    ClubTable,
    EmptySeat,
    PlayRequest,
    RefusalReason,
    Reply,
    Request,
    Seat,
    Sit,
    Stand,
    Stay,
)

if TYPE_CHECKING:
    from firmware.session.feed_server import FeedServer


class SeatDesk(TableService):
    """The seats of a table, for one game after another.

    Args:
        pairing: the paired phones, which may empty a seat.
        computer: returns the seats that the computer plays in the first game.

    Attributes:
        feed: server of the page, if nobody else publishes the seats; else None.
    """

    requests = (PlayRequest,)

    def __init__(self, pairing: Pairing, computer: Callable[[], Collection[int]] = tuple) -> None:
        self._pairing: Final = pairing
        self._seats: Seats | None = None
        self._computer: Final = computer
        self.feed: FeedServer | None = None
        self._published_seats: ClubTable | None = None

    def next_game(self) -> None:
        """Lets another person begin."""
        self.seats_of(self.table.session.config.game).rotate()

    @property
    def plays_all(self) -> bool:
        """True if scripted people play all seats."""
        return False

    def poll(self) -> None:
        """Marks the seats of the computer, frees those of silent phones, publishes the seats."""
        if not self.plays_all:
            self._hold_for_computer()
        if self.feed is not None:
            entry = ClubTable(self.entries(self.table.session.config.game, self.table.now))
            if entry != self._published_seats:
                self._published_seats = entry
                self.feed.publish_club(entry)

    def _hold_for_computer(self) -> None:
        levels = self.table.session.state.computer
        persons = [person for person, level in enumerate(levels) if level]
        self.seats_of(self.table.session.config.game).hold_for_computer(persons)

    def seats_of(self, game: Variant) -> Seats:
        """Returns the seats, after a change to a game of more or fewer people."""
        if self._seats is None:
            self._seats = Seats(game.people, self._computer())
        if self._seats.resize(game.people) and game.puzzle is not None:
            # The computer of a game does not sit down to a puzzle after it.
            self._seats.free_computer()
        return self._seats

    def entries(self, game: Variant, now: float) -> tuple[Seat, ...]:
        """Returns the seats for the page, after those of silent phones were freed.

        Args:
            game: the game on the table.
            now: monotonic seconds.
        """
        seats = self.seats_of(game)
        seats.free_silent(now)
        return seats.entries([colours_of(game, person) for person in range(game.people)])

    def answer(self, request: Request) -> Reply:
        """Carries out a change of seats, or refuses it; so it does what only a simulation can."""
        assert isinstance(request, PlayRequest), "it is for the seats"
        now, action = self.table.now, request.action
        seats = self.seats_of(self.table.session.config.game)
        if isinstance(action, Sit):
            token = seats.sit(action.person, request.token, now)
            refused = None if token else RefusalReason.SEAT_TAKEN
            return Reply(request.id, refused, token=token)
        if isinstance(action, Stand):
            seats.stand(request.token)
            return Reply(request.id)
        if isinstance(action, Stay):
            stays = seats.stay(request.token, now)
            return Reply(request.id, None if stays else RefusalReason.NO_SEAT)
        if not isinstance(action, EmptySeat):
            return Reply(request.id, RefusalReason.NO_SEAT)
        if not self._pairing.knows(request.pairing):
            return Reply(request.id, RefusalReason.NOT_PAIRED)
        emptied = seats.empty(action.person)
        return Reply(request.id, None if emptied else RefusalReason.NOT_POSSIBLE)
