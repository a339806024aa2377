"""View model of the table besides its game: hall, call of the arbiter, seats, match."""

from collections.abc import Iterable
from dataclasses import dataclass

from web.contract import ClubTable, CommandName, HallState, MatchOffer, Page, Seat
from web.i18n.wording import Wording
from web.presentation.board_view import ColourChip, chips_of
from web.presentation.view_model import TrayView, player_names, tray_of


@dataclass(frozen=True, slots=True)
class HallView:
    """The hall of a table.

    Attributes:
        hall: the hall.
        left_ms: milliseconds that the clock of the round had left when the page was received; 0
            without a clock.
    """

    hall: HallState
    left_ms: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat.

    Attributes:
        seat: the seat.
        title: name of its person, else of the colours.
        chips: signs of its colours.
    """

    seat: Seat
    title: str
    chips: tuple[ColourChip, ...]


@dataclass(frozen=True, slots=True)
class ClubView:
    """All that people at the table see and do besides the game.

    Attributes:
        table: the table.
        call: sentence on the call of the arbiter; empty if nobody calls.
        callers: persons who may end it.
        seats: the seats.
        offer: round, players and table of the offered match; empty if there is none.
        sides: names of the people of each side of the result; none while there is no result.
        tray: pieces whose places may be asked for; None if no hints were agreed on.
        askers: persons who may ask for them, beside paired phones.
        turn: colour of those pieces.
    """

    table: ClubTable
    call: str
    callers: tuple[int, ...]
    seats: tuple[SeatView, ...]
    offer: str
    sides: tuple[str, ...]
    tray: TrayView | None
    askers: tuple[int, ...]
    turn: int | None


def hall_of(club: ClubTable | None, late_ms: int) -> HallView | None:
    """Returns the view of the hall; None without one.

    Args:
        club: the table; None before the first message.
        late_ms: milliseconds by which it was received after the page, from which scripts count.
    """
    hall = None if club is None else club.hall
    if hall is None:
        return None
    clock = hall.clock
    left_ms = 0 if clock is None else clock.left_ms + (late_ms if clock.running else 0)
    return HallView(hall, left_ms)


def club_of(club: ClubTable | None, page: Page, wording: Wording) -> ClubView | None:
    """Returns the view of what happens besides the game; None before the first message.

    Args:
        club: the table.
        page: the page of the game on it.
        wording: texts of the viewer's language.
    """
    if club is None:
        return None
    chips = chips_of(page, wording)
    # For a moment the seats may be those of a game of more or fewer colours.
    known = [seat for seat in club.seats if all(one < len(chips) for one in seat.colours)]
    seats = tuple(
        SeatView(
            seat,
            player_names([page.colours[one] for one in seat.colours], wording),
            tuple(chips[one] for one in seat.colours),
        )
        for seat in known
    )
    titles = [seat.title for seat in seats]
    call, callers = "", tuple[int, ...]()
    if club.call is not None:
        person = club.call.person
        call = wording.club("called")
        if person is not None and person < len(titles):
            call = wording.club("calls", name=titles[person])
        callers = tuple(range(len(seats))) if person is None else (person,)
    sides = tuple(
        wording.listed(titles[one] for one in side.people if one < len(titles))
        for side in (club.result.sides if club.result else ())
    )
    offer = "" if club.offer is None else _offer(club.offer, club.hall, wording)
    turn, tray = page.turn, None
    is_agreed = CommandName.HINT in page.possible or (page.private and page.private.hints)
    if turn is not None and is_agreed and page.puzzle is None:
        tray = tray_of(page, turn, chips, wording)
    own = tuple(at for at, seat in enumerate(known) if turn in seat.colours)
    askers = own or tuple(range(len(seats)))  # of a shared colour the table knows who may
    return ClubView(club, call, callers, seats, offer, sides, tray, askers, turn)


def _offer(offer: MatchOffer, hall: HallState | None, wording: Wording) -> str:
    match, label = offer.match, "" if hall is None else hall.table
    players = _all([player.name for player in match.players], wording)
    kind = "offer-at" if label else "offer"
    return wording.club(kind, round=match.round, players=players, table=label)


def _all(names: Iterable[str], wording: Wording) -> str:
    """Returns the players of a match: two against each other, more in a list."""
    listed = list(names)
    if len(listed) != 2:
        return wording.listed(listed)
    return wording.club("against", first=listed[0], second=listed[1])
