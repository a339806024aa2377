"""Answers people at the table, and the program that connects it to a hall.

A hall says what it is, offers a match, and ends a call of the arbiter. It begins no game and sends
no command of an arbiter: people at the table begin the match. See `web.contract.club`.
"""

from collections import deque
from dataclasses import replace
from typing import Final

from firmware.game import events
from firmware.game.events import TableEvent
from firmware.game.state import GameState
from firmware.hall.link.invitation_watch import InvitationWatch
from firmware.hall.link.matches import MatchDesk, build_result, command_of, played_match
from firmware.hall.link.share_token import ShareToken
from firmware.rules.variants import VARIANTS
from firmware.session.feed_server import FeedServer
from firmware.session.pairing import Pairing
from firmware.session.seats import SeatDesk, Seats, new_token
from firmware.session.service import TableService
from web.contract import (
    AgreeToBegin,
    AnswerKind,
    ArbiterCall,
    ArbiterCame,
    CallArbiter,
    ClubRequest,
    ClubTable,
    ConfirmResult,
    DisputeResult,
    HallState,
    MatchResult,
    OfferMatch,
    OfferState,
    RefusalReason,
    Reply,
    Request,
    fingerprint,
)

CALL_AGAIN_S: Final = 15.0
"""Seconds after the end of a call until the next, so that nobody can call without a pause."""

SILENT_S: Final = 30.0
"""Seconds without a message of the hall's program after which the hall counts as not reached."""

MOST_RESULTS: Final = 8
"""Number of earlier results that are published."""


class _RefusedError(Exception):
    """Refusal of a request."""

    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason)
        self.reason: Final = reason


def _require(holds: bool, reason: RefusalReason) -> None:  # noqa: FBT001 - reads as an assertion
    if not holds:
        raise _RefusedError(reason)


class HallService(TableService):
    """Handles seats, calls of the arbiter, and the matches of a hall at a table.

    Args:
        feed: server of the page.
        seats: the seats of the table.
        pairing: the paired phones; None if there are none.
        share: the token of the hall's program; None if the table joins no hall.
        watch: looks for invitations; None if the table has no camera for them.
    """

    requests = (ClubRequest,)

    def __init__(
        self,
        feed: FeedServer,
        seats: SeatDesk,
        pairing: Pairing | None = None,
        share: ShareToken | None = None,
        watch: InvitationWatch | None = None,
    ) -> None:
        self._feed: Final = feed
        self._desk: Final = seats
        self._desk.publishes = False
        self._pairing: Final = pairing
        self._share: Final = share
        self._watch: Final = watch
        self._matches: Final = MatchDesk()
        self._results: Final[deque[MatchResult]] = deque(maxlen=MOST_RESULTS)
        self._latest: MatchResult | None = None
        self._hall: HallState | None = None
        self._heard_s = self._came_s = float("-inf")
        self._published: tuple[object, ...] = ()

    def poll(self) -> None:
        """Begins the match that is due, and publishes what happens at the table."""
        self._begin_match()
        self._publish()

    def answer(self, request: Request) -> Reply:
        """Answers people or the hall; a match on which all agree begins at once."""
        assert isinstance(request, ClubRequest), "it is for the club"
        reply, event = self._answer(request)
        if event is not None:
            self.table.enter(event)
        refused = self._begin_match() if reply.refused is None else None
        return reply if refused is None else Reply(request.id, refused, token=reply.token)

    def holds_next_game(self) -> bool:
        """True while a match waits for answers, or to begin."""
        offer, result = self._matches.entry(self._state), self._result()
        agreed = offer is not None and offer.state is OfferState.BOARD
        return agreed or (result is not None and not result.is_confirmed)

    def _begin_match(self) -> RefusalReason | None:
        """Begins the match on which the people at the table agreed, once the board allows it."""
        offer, session = self._matches.entry(self._state), self.table.session
        is_clear = self.table.devices.clears_board or session.is_cleared
        if (
            offer is None
            or offer.state is not OfferState.BOARD
            or self.table.is_busy
            or self.table.is_repeated
            or (session.state.over and not is_clear)
        ):
            return None
        match = offer.match
        phones = self._matches.phones_of(match)
        refused = self.table.enter(command_of(match))
        if refused is not None:
            self._matches.forget_agreement()
            return refused
        self._seats.deal(phones, self.table.now)
        players = tuple(one.id for one in match.players)
        self.table.enter(events.MatchBegun(0, 0.0, match.id, match.round, players))
        return None

    def _answer(self, request: ClubRequest) -> tuple[Reply, TableEvent | None]:
        """Answers a request; returns also the event that follows from it."""
        self._seats.stay(request.token, self.table.now)
        try:
            match request.action:
                case HallState() | OfferMatch() as action:
                    self._hear(action, request.token)
                    return Reply(request.id), None
                case AgreeToBegin() as action:
                    return Reply(request.id, token=self._agree(action, request)), None
                case ConfirmResult() | DisputeResult() as action:
                    return Reply(request.id), self._answer_result(action, request)
                case CallArbiter():
                    return Reply(request.id), self._call(request)
                case ArbiterCame():
                    return Reply(request.id), self._end_call(request)
        except _RefusedError as refused:
            return Reply(request.id, refused.reason), None

    def _publish(self) -> None:
        """Publishes what happens at the table, if it has changed.

        A client that joins while the clock of the round runs gets its present value.
        """
        state, result = self._state, self._result()
        self._matches.follow(state)
        self._keep(result)
        hall = self._hall
        if hall is not None and self.table.now - self._heard_s > SILENT_S:
            hall = replace(hall, connected=False)
        entry = ClubTable(
            self._desk.entries(),
            None if state.call is None else ArbiterCall(state.call.caller),
            hall,
            None if hall is None else self._matches.entry(state),
            played_match(state),
            result,
            tuple(self._results),
            *self._invited(),
        )
        runs = hall is not None and hall.clock is not None and hall.clock.running
        content = entry, self._heard_s if runs else 0.0, self._feed.joined if runs else 0
        if content != self._published:
            self._published = content
            self._feed.publish(self._wound(entry))

    def _wound(self, entry: ClubTable) -> ClubTable:
        """Returns an entry with the clock of the round as it stands now."""
        hall = entry.hall
        if hall is None or hall.clock is None:
            return entry
        clock = hall.clock.aged(round(1000 * (self.table.now - self._heard_s)))
        return replace(entry, hall=replace(hall, clock=clock))

    def _invited(self) -> tuple[str, str]:
        asked = self._watch and self._watch.asked()
        return (asked.name or asked.hall, asked.tag) if asked else ("", "")

    def _result(self) -> MatchResult | None:
        return build_result(self._state, self.table.session.config, self.table.game_name)

    def _keep(self, result: MatchResult | None) -> None:
        """Keeps the result of a match when another game has begun."""
        before = self._latest
        if before is not None and (before.match, before.game) != (
            played_match(self._state),
            self.table.game_name,
        ):
            self._results.append(before)
        self._latest = result

    # People

    @property
    def _state(self) -> GameState:
        return self.table.session.state

    @property
    def _seats(self) -> Seats:
        return self._desk.seats

    def _is_paired(self, request: ClubRequest) -> bool:
        return self._pairing is not None and self._pairing.knows(request.pairing)

    def _is_hall(self, token: str) -> bool:
        return self._share is not None and self._share.is_right(token)

    def _hear(self, action: HallState | OfferMatch, token: str) -> None:
        """Takes what the hall says."""
        _require(self._is_hall(token), RefusalReason.NOT_PAIRED)
        if isinstance(action, HallState):
            self._heard_s, self._hall = self.table.now, action if action.hall else None
            if self._hall is None:
                self._matches.offer(None)
            return
        match = action.match
        fits = match is None or VARIANTS[match.game].people == len(match.players)
        _require(fits, RefusalReason.NOT_FITTING)
        self._matches.offer(match)

    def _agree(self, action: AgreeToBegin, request: ClubRequest) -> str:
        """Notes that a player agrees; returns the token of the phone, empty for a paired one."""
        asked = self._watch and self._watch.asked()
        if self._watch and asked and asked.tag == action.tag:
            _require(self._is_paired(request), RefusalReason.NOT_PAIRED)
            self._watch.join(asked)
            return ""
        offer = self._matches.entry(self._state)
        if offer is None or offer.state is OfferState.GAME:
            raise _RefusedError(RefusalReason.NOT_POSSIBLE)
        _require(offer.match.tag == action.tag, RefusalReason.STALE)
        if action.person is None:
            _require(self._is_paired(request), RefusalReason.NOT_PAIRED)
            self._matches.agree(None, "")
            return ""
        _require(action.person < len(offer.match.players), RefusalReason.NOT_FITTING)
        phone = fingerprint(request.token)
        if action.person in offer.agreed:
            is_own = offer.phones[offer.agreed.index(action.person)] == phone
            _require(is_own, RefusalReason.SEAT_TAKEN)
        is_known = self._seats.of(request.token) or phone in offer.phones
        token = request.token if is_known else new_token()
        self._matches.agree(action.person, fingerprint(token))
        return token

    def _answer_result(
        self,
        action: ConfirmResult | DisputeResult,
        request: ClubRequest,
    ) -> TableEvent | None:
        """Answers the result of a match for a side; the same answer again has no effect."""
        result, seats = self._result(), self._seats
        persons = seats.of(request.token)
        if result is None:
            raise _RefusedError(RefusalReason.NOT_POSSIBLE)
        _require(result.tag == action.tag, RefusalReason.STALE)
        _require(bool(persons), RefusalReason.NO_SEAT)
        _require(action.side < len(result.sides), RefusalReason.NOT_FITTING)
        side = result.sides[action.side]
        _require(not persons.isdisjoint(side.people), RefusalReason.OTHER_SEAT)
        _require(seats.allow_gesture(request.token, self.table.now), RefusalReason.BUSY)
        if isinstance(action, ConfirmResult):
            is_new = side.answer is not AnswerKind.CONFIRMED
            return events.ResultConfirmed(0, 0.0, action.side) if is_new else None
        sentence = action.sentence.strip()
        is_new = (side.answer, side.sentence) != (AnswerKind.DISPUTED, sentence)
        return events.ResultDisputed(0, 0.0, action.side, sentence) if is_new else None

    def _call(self, request: ClubRequest) -> TableEvent | None:
        persons = self._seats.of(request.token)
        _require(bool(persons) or self._is_paired(request), RefusalReason.NO_SEAT)
        if self._state.call is not None:
            return None
        _require(self.table.now - self._came_s >= CALL_AGAIN_S, RefusalReason.CALL_ENDED)
        return events.ArbiterCalled(0, 0.0, min(persons, default=None))

    def _end_call(self, request: ClubRequest) -> TableEvent | None:
        call, persons = self._state.call, self._seats.of(request.token)
        if not self._is_hall(request.token) and not self._is_paired(request):
            _require(bool(persons), RefusalReason.NO_SEAT)
            is_own = call is None or call.caller is None or call.caller in persons
            _require(is_own, RefusalReason.OTHER_SEAT)
        if call is None:
            return None
        self._came_s = self.table.now
        return events.CallEnded(0, 0.0)
