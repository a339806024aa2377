"""What the hall wants, told to the table: once, again after a refusal, and to a new process."""

from collections.abc import Callable

import pytest

from firmware.hall.link.messages import HallStatus
from firmware.hall.link.seat import HallSeat
from web.contract import (
    ClubAction,
    ClubRequest,
    GameKey,
    HallState,
    MatchPlayer,
    OfferedMatch,
    OfferMatch,
    RefusalReason,
    Reply,
    RoundClock,
)

ANNA, BEN, CHIE = (MatchPlayer(f"p{n}", name) for n, name in enumerate(("Anna", "Ben", "Chie")))
SEAT = OfferedMatch("2-07", 2, GameKey.DUO, (ANNA, BEN), 600)


class Table:
    """A table that notes the actions it is asked for."""

    def __init__(self) -> None:
        self.actions: list[ClubAction] = []
        self.refused: RefusalReason | None = None
        self.is_away = False

    def ask(self, request: ClubRequest, patience_s: float) -> Reply | None:
        assert request.token == "token"  # noqa: S105
        assert patience_s <= 1.0
        self.actions.append(request.action)
        return None if self.is_away else Reply(request.id, self.refused)


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def seat(table: Table) -> HallSeat:
    made = HallSeat(table.ask, lambda: "token", "7", "Spring")
    made.connect(connected=True)
    return made


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    now = [0.0]
    monkeypatch.setattr("firmware.hall.link.seat.time.monotonic", lambda: now[0])

    def pass_time(seconds: float) -> None:
        now[0] += seconds

    return pass_time


def test_state_and_offer_are_told_once(table: Table, seat: HallSeat) -> None:
    seat.hear_seat(SEAT)
    for _ in range(3):
        seat.tell()
    assert table.actions == [HallState("Spring", "7"), OfferMatch(SEAT)]


def test_nothing_is_offered_or_withdrawn_before_the_hall_was_heard(
    table: Table, seat: HallSeat
) -> None:
    seat.tell()
    assert table.actions == [HallState("Spring", "7")]


def test_a_table_that_is_away_is_told_again_later(
    table: Table, seat: HallSeat, later: Callable[[float], None]
) -> None:
    seat.hear_seat(SEAT)
    table.is_away = True
    seat.tell()
    seat.tell()
    assert len(table.actions) == 1
    table.is_away = False
    later(6.0)
    seat.tell()
    assert table.actions[1:] == [HallState("Spring", "7"), OfferMatch(SEAT)]


def test_a_new_process_of_the_table_is_told_all(table: Table, seat: HallSeat) -> None:
    seat.hear_seat(SEAT)
    seat.tell()
    seat.begin_anew()
    seat.tell()
    assert table.actions[2:] == table.actions[:2]


def test_the_clock_of_the_round_has_advanced_when_it_is_told(
    table: Table, seat: HallSeat, later: Callable[[float], None]
) -> None:
    seat.hear_clock(RoundClock(2, 60_000, running=True))
    later(4.0)
    seat.tell()
    assert table.actions == [HallState("Spring", "7", True, RoundClock(2, 56_000, running=True))]  # noqa: FBT003
    later(4.0)
    seat.tell()
    assert len(table.actions) == 1, "the table counts down itself"


def test_a_hall_without_a_name_keeps_that_of_the_invitation(seat: HallSeat) -> None:
    seat.hear_status(HallStatus(online=False))
    assert seat.state().hall == "Spring"
    seat.hear_status(HallStatus(online=True, name="Spring open"))
    assert seat.state().hall == "Spring open"


def test_leaving_withdraws_the_offer_and_the_hall(table: Table, seat: HallSeat) -> None:
    seat.leave(hall_stays=False)
    assert table.actions == [OfferMatch(None), HallState("")]


def test_a_hall_that_is_lost_stays(table: Table, seat: HallSeat) -> None:
    seat.leave(hall_stays=True)
    assert table.actions == [HallState("Spring", "7", connected=False)]
