"""Answers players of a simulated table: gestures, and who plays which seat."""

import logging
from collections.abc import Collection
from dataclasses import replace
from typing import Final, Protocol

from firmware.errors import CornerlightError
from firmware.game.config import HUMAN
from firmware.game.events import SeatsAssigned
from firmware.game.seating import colours_of
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.session.feed_server import FeedServer
from firmware.session.pairing import Pairing
from firmware.session.seats import SeatDesk
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
    Request,
    ShiftPiece,
    SimulatedTable,
    UseOwnBoard,
    UseProp,
)

USUAL_LEVEL: Final = 3
"""Level of the computer unless somebody chooses another: it plays sensibly, and children win."""

_log = logging.getLogger(__name__)


class GestureTable(Protocol):
    """A table on which gestures are carried out."""

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

    def leave(self) -> None:
        """Ends the table for a real one.

        Raises:
            CornerlightError: there can be no real one now.
        """
        ...

    def stand_in(self, position: Position) -> Move:
        """Chooses a move of the computer while the player cannot."""
        ...

    def entry(self) -> SimulatedTable:
        """Returns the state of the table, without its seats."""
        ...


class PlayDesk(SeatDesk):
    """The gestures of those who sit at a simulated table, and the seats of the computer.

    Args:
        gestures: the table on which gestures are carried out.
        pairing: the paired phones.
        feed: server of the page.
    """

    # Everybody sees these lights, in the pictures.
    shows_places = False

    def __init__(
        self,
        gestures: GestureTable,
        pairing: Pairing,
        feed: FeedServer,
    ) -> None:
        super().__init__(pairing, feed, lambda: gestures.computer)
        self._gestures: Final = gestures
        self._published: SimulatedTable | None = None
        self._by_hand = False

    @property
    def plays_all(self) -> bool:
        """True if scripted people play all seats."""
        return len(self.seats.computer) == self.table.session.config.game.people

    def poll(self) -> None:
        """Marks and publishes the seats, and the state of the table."""
        super().poll()
        self.publish()

    def publish(self) -> None:
        """Publishes the state of the table if it has changed."""
        persons = self.seats.computer
        self._gestures.seat_computer(persons, by_hand=self._by_hand)
        opponent = OpponentState.NONE
        if persons:
            opponent = OpponentState.SIMPLE if self.plays_all else self.table.status.opponent
        entry = replace(self._gestures.entry(), opponent=opponent, by_hand=self._by_hand)
        if entry != self._published:
            self._published = entry
            self._feed.publish(entry)

    def answer(self, request: Request) -> Reply:
        """Carries out a gesture or a change of seats, or refuses it."""
        assert isinstance(request, PlayRequest), "it is for a simulated table"
        action = request.action
        if isinstance(action, PutPiece | ShiftPiece | LiftPiece | UseProp):
            return Reply(request.id, self._gesture(action, request.token))
        if isinstance(action, Own):
            return Reply(request.id, token=self._pairing.pair())
        if isinstance(action, ArrangeSeats):
            return self._deal(request, action)
        if isinstance(action, UseOwnBoard):
            if not self._pairing.knows(request.pairing):
                return Reply(request.id, RefusalReason.NOT_PAIRED)
            return Reply(request.id, self._leave())
        return super().answer(request)

    def _leave(self) -> RefusalReason | None:
        try:
            self._gestures.leave()
        except CornerlightError as error:
            _log.warning("no real table can begin: %s", error)
            return RefusalReason.NOT_POSSIBLE
        return None

    def _deal(self, request: PlayRequest, action: ArrangeSeats) -> Reply:
        if not self._pairing.knows(request.pairing):
            return Reply(request.id, RefusalReason.NOT_PAIRED)
        game = self.table.session.config.game
        if action.computer and game.puzzle is not None:
            return Reply(request.id, RefusalReason.NOT_FITTING)
        usual = (USUAL_LEVEL,) * len(action.computer)
        chosen = dict(zip(action.computer, action.levels or usual, strict=True))
        levels = tuple(chosen.get(person, HUMAN) for person in range(game.people))
        try:
            now = self.table.now
            token = self.seats.arrange(action.mine, action.computer, request.token, now)
        except ValueError:
            return Reply(request.id, RefusalReason.NOT_FITTING)
        levels = (HUMAN,) * len(levels) if all(levels) else levels
        self._by_hand = action.by_hand
        if levels != self.table.session.state.computer:
            self.table.enter(SeatsAssigned(0, 0.0, levels))
        return Reply(request.id, token=token)

    def _gesture(self, gesture: Gesture, token: str) -> RefusalReason | None:
        seats, game = self.seats, self.table.session.config.game
        persons = seats.of(token)
        if not persons:
            return RefusalReason.NO_SEAT
        if not seats.allow_gesture(token, self.table.now):
            return RefusalReason.BUSY
        if not isinstance(gesture, UseProp):
            colour = gesture.colour if isinstance(gesture, LiftPiece) else gesture.place.colour
            laid = persons | seats.computer if self._by_hand else persons
            own = {one for person in laid for one in colours_of(game, person)}
            if colour not in own and colour != game.shared:
                return RefusalReason.NOT_YOURS
        return self._gestures.perform(gesture)
