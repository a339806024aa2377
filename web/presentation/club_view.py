"""View model of the table besides its game: hall, call of the arbiter, seats, match."""

from collections.abc import Iterable
from dataclasses import dataclass

from web.contract import (
    AnswerKind,
    ClubTable,
    MatchOffer,
    MatchResult,
    OfferState,
    Page,
    PlayerClock,
    Seat,
    SeatHolder,
)
from web.i18n.wording import Wording
from web.presentation.view_model import ColourChip, called, chips_of, time_of


@dataclass(frozen=True, slots=True)
class HallView:
    """The hall and the clock of its round.

    Attributes:
        title: name of the hall and label of the table.
        round: the round; empty without a clock.
        left_ms: milliseconds that the clock had left when the page was received.
        running: True if it counts down.
        time: that time as text.
        next: the match that follows; empty if none is known.
        away: sentence while the hall is not reached; else empty.
    """

    title: str
    round: str
    left_ms: int
    running: bool
    time: str
    next: str
    away: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat.

    Attributes:
        title: name of its person, else of the colours.
        chips: signs of its colours.
        free: True if a phone can take it.
        phone: fingerprint of its phone; empty if it has none.
        note: sentence on who plays it.
        take: text of the button that takes it.
    """

    title: str
    chips: tuple[ColourChip, ...]
    free: bool
    phone: str
    note: str
    take: str


@dataclass(frozen=True, slots=True)
class OfferView:
    """The offered match.

    Attributes:
        title: round, players and table.
        sentence: what it waits for.
        open: True if people can agree.
        tag: its tag.
        players: for each player the text of the button, or what says that they are ready; and True
            if they are.
    """

    title: str
    sentence: str
    open: bool
    tag: str
    players: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """The answer of a side to the result.

    Attributes:
        people: its persons, as numbers with spaces between them.
        title: their names.
        score: its score as text.
        won: True for the first place.
        answer: code of the answer.
        sentence: the answer as a sentence.
    """

    people: str
    title: str
    score: str
    won: bool
    answer: AnswerKind
    sentence: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of a match, and its answers.

    Attributes:
        title: question, or sentence that all have confirmed it.
        tag: its tag.
        sides: the sides.
    """

    title: str
    tag: str
    sides: tuple[AnswerView, ...]


@dataclass(frozen=True, slots=True)
class ClubView:
    """All that people at the table see and do besides the game.

    Attributes:
        call: sentence on the call of the arbiter; empty if nobody calls.
        callers: persons who may end it, as numbers with spaces between them.
        seats: the seats.
        offer: the offered match; None if there is none.
        result: the result of the match on the table; None while there is none.
    """

    call: str
    callers: str
    seats: tuple[SeatView, ...]
    offer: OfferView | None
    result: ResultView | None


def hall_of(club: ClubTable | None, late_ms: int, wording: Wording) -> HallView | None:
    """Returns the view of the hall; None without one.

    Args:
        club: the table; None before the first message.
        late_ms: milliseconds by which it was received after the page, from which scripts count.
        wording: texts of the viewer's language.
    """
    hall = None if club is None else club.hall
    if hall is None:
        return None
    say, clock = wording.club, hall.clock
    left_ms = 0 if clock is None else clock.left_ms + (late_ms if clock.running else 0)
    names = () if hall.next is None else hall.next.names
    return HallView(
        say("hall", hall=hall.hall, table=hall.table) if hall.table else hall.hall,
        "" if clock is None else say("round", round=clock.round),
        left_ms,
        clock is not None and clock.running,
        "" if clock is None else time_of(PlayerClock((), left_ms)).text,
        ""
        if hall.next is None
        else say("next", round=hall.next.round, players=_all(names, wording)),
        "" if hall.connected else say("hall-away"),
    )


def club_of(club: ClubTable | None, page: Page, wording: Wording) -> ClubView | None:
    """Returns the view of what happens besides the game; None before the first message.

    Args:
        club: the table.
        page: the page of the game on it.
        wording: texts of the viewer's language.
    """
    if club is None:
        return None
    chips = tuple(chips_of(page, wording))
    # For a moment the seats may be those of a game of more or fewer colours.
    seats = tuple(seat for seat in club.seats if all(one < len(chips) for one in seat.colours))
    titles = tuple(_title(seat, page, wording) for seat in seats)
    call, callers = "", ""
    if club.call is not None:
        person = club.call.person
        known = person is not None and person < len(titles)
        call = wording.club("calls", name=titles[person or 0]) if known else wording.club("called")
        callers = _numbers(range(len(seats)) if person is None else (person,))
    return ClubView(
        call,
        callers,
        tuple(
            _seat(seat, title, chips, wording) for seat, title in zip(seats, titles, strict=True)
        ),
        None if club.offer is None else _offer(club.offer, club, wording),
        None if club.result is None else _result(club.result, titles, wording),
    )


def _title(seat: Seat, page: Page, wording: Wording) -> str:
    return called([page.colours[index] for index in seat.colours], wording)


def _seat(seat: Seat, title: str, chips: tuple[ColourChip, ...], wording: Wording) -> SeatView:
    note = {
        SeatHolder.FREE: wording.play("free"),
        SeatHolder.PERSON: wording.play("taken"),
        SeatHolder.COMPUTER: wording.play("computer-name"),
    }
    return SeatView(
        title,
        tuple(chips[index] for index in seat.colours),
        seat.holder is SeatHolder.FREE,
        seat.phone,
        note[seat.holder],
        wording.club("i-am", name=title),
    )


def _offer(offer: MatchOffer, club: ClubTable, wording: Wording) -> OfferView:
    match, say = offer.match, wording.club
    names = [player.name for player in match.players]
    players = _all(names, wording)
    label = "" if club.hall is None else club.hall.table
    kind = "offer-at" if label else "offer"
    return OfferView(
        say(kind, round=match.round, players=players, table=label),
        say(f"offer-{offer.state}"),
        offer.state is OfferState.PEOPLE,
        match.tag,
        tuple(
            (
                say("is-ready" if person in offer.agreed else "ready", name=name),
                person in offer.agreed,
            )
            for person, name in enumerate(names)
        ),
    )


def _result(result: MatchResult, titles: tuple[str, ...], wording: Wording) -> ResultView:
    say, sides = wording.club, []
    for side in result.sides:
        title = wording.listed(titles[one] for one in side.people if one < len(titles))
        sentence = say(f"answer-{side.answer}", name=title, sentence=side.sentence)
        sides.append(
            AnswerView(
                _numbers(side.people),
                title,
                wording.score(side.score),
                side.won,
                side.answer,
                sentence,
            )
        )
    title = say("confirmed" if result.is_confirmed else "is-it-right")
    return ResultView(title, result.tag, tuple(sides))


def _all(names: Iterable[str], wording: Wording) -> str:
    """Returns the players of a match: two against each other, more in a list."""
    listed = list(names)
    if len(listed) != 2:
        return wording.listed(listed)
    return wording.club("against", first=listed[0], second=listed[1])


def _numbers(people: Iterable[int]) -> str:
    return " ".join(map(str, people))
