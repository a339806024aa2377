"""Seats of a table: who plays which colours, by token, and answers to phones about them.

A token is 256 bits, known to one browser; only its fingerprint is stored. A seat whose phone is
silent for `SILENT_S` is free again. The phone that had it last takes it back while it is free.
"""

import secrets
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import ClassVar, Final

from firmware.game.hints import corners_of, places_of
from firmware.game.seating import colours_of, person_of
from firmware.rules.board import squares_of
from firmware.session.command_gate import places_refusal
from firmware.session.feed_server import FeedServer
from firmware.session.pairing import Pairing
from firmware.session.service import ServiceStatus, TableService
from firmware.storage.page_builder import Squares, page_squares
from web.contract import (
    ClubTable,
    EmptySeat,
    PlayRequest,
    RefusalReason,
    Reply,
    Request,
    Seat,
    SeatHolder,
    ShowPlaces,
    Sit,
    Stand,
    Stay,
    fingerprint,
)

SILENT_S: Final = 60.0
"""Seconds without a sign of life after which a phone loses its seats."""

MOST_A_SECOND: Final = 10
"""Gestures of a phone within a second."""

_TOKEN_BYTES: Final = 32
"""Random bytes of the token by which a phone keeps its seats."""


def new_token() -> str:
    """Returns a token for a phone that has none."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


@dataclass(slots=True)
class _Place:
    """A seat.

    Attributes:
        holder: who plays it.
        phone: fingerprint of the phone that plays it, or has left it last.
    """

    holder: SeatHolder = SeatHolder.FREE
    phone: str = ""


@dataclass(slots=True)
class _Phone:
    """A phone that has a seat.

    Attributes:
        heard_s: time of its last sign of life.
        gestures: times of its newest gestures.
    """

    heard_s: float
    gestures: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_A_SECOND))


class Seats:
    """The seats of a table.

    Args:
        people: number of people in the game.
        computer: seats of the computer.
    """

    def __init__(self, people: int, computer: Collection[int] = ()) -> None:
        self._places = [_Place() for _ in range(people)]
        self._phones: Final[dict[str, _Phone]] = {}
        for person in computer:
            self._places[person].holder = SeatHolder.COMPUTER

    @property
    def computer(self) -> frozenset[int]:
        """The seats of the computer."""
        return frozenset(
            person
            for person, place in enumerate(self._places)
            if place.holder is SeatHolder.COMPUTER
        )

    def resize(self, people: int) -> bool:
        """Adapts to another number of people: further ones are played as the last seat is.

        Returns:
            True if the number is another one.
        """
        if people == len(self._places):
            return False
        last = self._places[-1]
        more = [_Place(last.holder, last.phone) for _ in range(people - len(self._places))]
        self._places = [*self._places[:people], *more]
        return True

    def rotate(self) -> None:
        """Follows the people, who play in another order: the second becomes the first."""
        self._places = [*self._places[1:], *self._places[:1]]

    def deal(self, phones: Collection[str], now: float) -> None:
        """Gives the seats to phones by fingerprint, in order; an empty one leaves a seat free."""
        self._phones.clear()
        self._places = [_Place() for _ in phones]
        for place, phone in zip(self._places, phones, strict=True):
            if phone:
                place.holder, place.phone = SeatHolder.PERSON, phone
                self._phones[phone] = _Phone(now)

    def hold_for_computer(self, persons: Collection[int]) -> None:
        """Gives some seats to the computer, and frees its other ones."""
        for person, place in enumerate(self._places):
            if person in persons:
                place.holder, place.phone = SeatHolder.COMPUTER, ""
            elif place.holder is SeatHolder.COMPUTER:
                place.holder = SeatHolder.FREE

    def entries(self, colours: Collection[tuple[int, ...]]) -> tuple[Seat, ...]:
        """Returns the seats for the page; `colours` are those of each person."""
        return tuple(
            Seat(own, place.holder, place.phone if place.holder is SeatHolder.PERSON else "")
            for own, place in zip(colours, self._places, strict=True)
        )

    def of(self, token: str) -> frozenset[int]:
        """Returns the seats of a token."""
        phone = fingerprint(token)
        return frozenset(
            person
            for person, place in enumerate(self._places)
            if place.holder is SeatHolder.PERSON and place.phone == phone
        )

    def sit(self, person: int, token: str, now: float) -> str:
        """Gives a free seat to a phone.

        Args:
            person: the seat.
            token: token of the phone; empty if it has none.
            now: monotonic seconds.

        Returns:
            The token of the phone; empty if the seat is not free.
        """
        if not 0 <= person < len(self._places):
            return ""
        place = self._places[person]
        if place.holder is not SeatHolder.FREE:
            return ""
        token = token if self.of(token) else new_token()
        self._give(place, token, now)
        return token

    def arrange(
        self, mine: Collection[int], computer: Collection[int], token: str, now: float
    ) -> str:
        """Deals all seats anew; returns the token of the phone with the seats `mine`.

        Raises:
            ValueError: there is no such seat.
        """
        if any(person >= len(self._places) for person in (*mine, *computer)):
            raise ValueError("there is no such seat")
        token = token if self.of(token) else new_token()
        self._phones.clear()
        for person, place in enumerate(self._places):
            free = SeatHolder.COMPUTER if person in computer else SeatHolder.FREE
            place.holder, place.phone = free, ""
            if person in mine:
                self._give(place, token, now)
        return token if mine else ""

    def stand(self, token: str) -> None:
        """Frees all seats of a phone; it takes none back."""
        phone = fingerprint(token)
        self._free(phone)
        for place in self._places:
            if place.phone == phone:
                place.phone = ""

    def empty(self, person: int) -> bool:
        """Frees a seat of a phone; returns False if no phone has it."""
        known = 0 <= person < len(self._places)
        if not known or self._places[person].holder is not SeatHolder.PERSON:
            return False
        self._places[person].holder, self._places[person].phone = SeatHolder.FREE, ""
        return True

    def stay(self, token: str, now: float) -> bool:
        """Notes a sign of life; gives seats back that the phone has lost and nobody took."""
        phone = fingerprint(token)
        for place in self._places:
            if token and place.phone == phone and place.holder is SeatHolder.FREE:
                self._give(place, token, now)
        if not self.of(token):
            return False
        self._phones[phone].heard_s = now
        return True

    def allow_gesture(self, token: str, now: float) -> bool:
        """True if a phone with a seat may make one more of `MOST_A_SECOND`; counts it if so."""
        phone = self._phones[fingerprint(token)]
        phone.heard_s = now
        newest = phone.gestures
        if len(newest) == MOST_A_SECOND and now - newest[0] < 1.0:
            return False
        newest.append(now)
        return True

    def free_silent(self, now: float) -> None:
        """Frees the seats of phones that were silent for long."""
        for phone, one in list(self._phones.items()):
            if now - one.heard_s > SILENT_S:
                self._free(phone)

    def _give(self, place: _Place, token: str, now: float) -> None:
        phone = fingerprint(token)
        place.holder, place.phone = SeatHolder.PERSON, phone
        self._phones.setdefault(phone, _Phone(now)).heard_s = now

    def _free(self, phone: str) -> None:
        self._phones.pop(phone, None)
        for place in self._places:
            if place.phone == phone:
                place.holder = SeatHolder.FREE


class SeatDesk(TableService):
    """The seats of a table, for one game after another.

    Args:
        pairing: the paired phones, which may empty a seat.
        feed: server of the page.
        computer: returns the seats that the computer plays in the first game.

    Attributes:
        publishes: False if another service publishes the seats, with what it adds to them.
        shows_places: True if lights and pages show the places of a piece beside the reply.
    """

    requests = (PlayRequest,)
    shows_places: ClassVar[bool] = True

    def __init__(
        self,
        pairing: Pairing,
        feed: FeedServer,
        computer: Callable[[], Collection[int]] = tuple,
    ) -> None:
        self._pairing: Final = pairing
        self._feed: Final = feed
        self._seats: Seats | None = None
        self._computer: Final = computer
        self.publishes = True
        self._published_seats: ClubTable | None = None
        self._places: tuple[str, int, int] = ("", 0, 0)
        self._places_in: object = None

    def show(self, status: ServiceStatus) -> None:
        """Adds the places of the chosen piece, until the position changes."""
        if self.table.session.state.position is self._places_in:
            status.places = self._places

    def next_game(self) -> None:
        """Lets another person begin."""
        self.seats.rotate()

    @property
    def plays_all(self) -> bool:
        """True if scripted people play all seats."""
        return False

    def poll(self) -> None:
        """Marks the seats of the computer, frees those of silent phones, publishes the seats."""
        if not self.plays_all:
            levels = self.table.session.state.computer
            self.seats.hold_for_computer([who for who, level in enumerate(levels) if level])
        if self.publishes:
            entry = ClubTable(self.entries())
            if entry != self._published_seats:
                self._published_seats = entry
                self._feed.publish(entry)

    @property
    def seats(self) -> Seats:
        """The seats, after a change to a game of more or fewer people."""
        game = self.table.session.config.game
        if self._seats is None:
            self._seats = Seats(game.people, self._computer())
        if self._seats.resize(game.people) and game.puzzle is not None:
            # The computer of a game does not sit down to a puzzle after it.
            self._seats.hold_for_computer(())
        return self._seats

    def entries(self) -> tuple[Seat, ...]:
        """Returns the seats for the page, after those of silent phones were freed."""
        game, seats = self.table.session.config.game, self.seats
        seats.free_silent(self.table.now)
        return seats.entries([colours_of(game, person) for person in range(game.people)])

    def answer(self, request: Request) -> Reply:
        """Carries out a change of seats, or refuses it; so it does what only a simulation can."""
        assert isinstance(request, PlayRequest), "it is for the seats"
        now, action, seats = self.table.now, request.action, self.seats
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
        if isinstance(action, EmptySeat):
            return Reply(request.id, self._empty(request, action))
        if isinstance(action, ShowPlaces):
            return self._answer_places(request, action)
        return Reply(request.id, RefusalReason.NO_SEAT)

    def _empty(self, request: PlayRequest, action: EmptySeat) -> RefusalReason | None:
        if not self._pairing.knows(request.pairing):
            return RefusalReason.NOT_PAIRED
        return None if self.seats.empty(action.person) else RefusalReason.NOT_POSSIBLE

    def _answer_places(self, request: PlayRequest, action: ShowPlaces) -> Reply:
        """Tells a paired phone, or that of the person to move, where a piece may go."""
        session, colour = self.table.session, action.colour
        position = session.state.position
        refused = places_refusal(session.state, session.config, colour)
        if refused is None and not self._pairing.knows(request.pairing):
            is_own = person_of(position, colour) in self.seats.of(request.token)
            refused = None if is_own else RefusalReason.NOT_YOURS
        if refused is not None:
            return Reply(request.id, refused)
        found, corners = places_of(position, colour, action.piece), corners_of(position, colour)
        if not found:
            return Reply(request.id, RefusalReason.NOWHERE)
        if self.shows_places:
            covers = reduce(or_, found.values())
            chosen = action.piece, covers, covers & corners
            if position is self._places_in and chosen == self._places:
                self._places_in = None
                return Reply(request.id)
            self._places, self._places_in = chosen, position

        def squares(mask: int) -> Squares:
            return page_squares(position, squares_of(mask))

        ways = ((shape, squares(mask), squares(mask & corners)) for shape, mask in found.items())
        return Reply(request.id, places=tuple(ways))
