"""Seats of a simulated table: taken, left, freed by silence, taken back, dealt anew."""

import pytest

from firmware.game.seating import colours_of
from firmware.rules.variants import GAMES
from firmware.session.seats import MOST_A_SECOND, SILENT_S, Seats
from web.contract import fingerprint


def holders(seats: Seats, key: str = "duo") -> list[str]:
    """Returns who plays each seat."""
    game = GAMES[key]
    colours = [colours_of(game, person) for person in range(game.people)]
    return [seat.holder.value for seat in seats.entries(colours)]


@pytest.fixture
def seats() -> Seats:
    return Seats(2)


@pytest.fixture
def four() -> Seats:
    return Seats(4)


def test_a_free_seat_is_given_once(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    assert len(token) >= 43
    assert seats.of(token) == {0}
    assert seats.sit(0, "", 0.0) == ""
    assert seats.sit(0, token, 0.0) == "", "nor to the phone that has it"
    assert holders(seats) == ["person", "free"]


def test_a_phone_may_have_all_seats_by_one_token(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    assert seats.sit(1, token, 1.0) == token
    assert seats.of(token) == {0, 1}


def test_a_token_is_drawn_by_the_table_alone(seats: Seats) -> None:
    chosen = "chosen-by-a-stranger"
    assert seats.sit(0, chosen, 0.0) != chosen
    assert seats.of(chosen) == frozenset()


@pytest.mark.parametrize("person", [-1, 2, 10**6])
def test_a_seat_that_is_not_there_is_not_given(seats: Seats, person: int) -> None:
    assert seats.sit(person, "", 0.0) == ""
    assert not seats.empty(person)
    assert holders(seats) == ["free", "free"]


def test_the_page_gets_fingerprints_and_no_tokens(seats: Seats) -> None:
    token = seats.sit(1, "", 0.0)
    free, taken = seats.entries([(0,), (1,)])
    assert (free.phone, taken.phone) == ("", fingerprint(token))


def test_no_token_has_no_seat(seats: Seats) -> None:
    assert seats.of("") == frozenset()
    assert not seats.stay("", 0.0)
    seats.stand("")
    assert holders(seats) == ["free", "free"]


def test_a_seat_is_free_after_a_minute_of_silence_and_not_before(seats: Seats) -> None:
    token = seats.sit(0, "", 100.0)
    seats.free_silent(100.0 + SILENT_S)
    assert seats.of(token) == {0}
    seats.free_silent(100.1 + SILENT_S)
    assert holders(seats) == ["free", "free"]


@pytest.mark.parametrize("sign", [Seats.stay, Seats.allow_gesture])
def test_a_sign_of_life_keeps_the_seat(seats: Seats, sign: object) -> None:
    token = seats.sit(0, "", 0.0)
    sign(seats, token, 50.0)  # type: ignore[operator]
    seats.free_silent(50.0 + SILENT_S)
    assert seats.of(token) == {0}


def test_a_phone_that_comes_back_takes_all_its_seats_that_are_free(four: Seats) -> None:
    token = four.sit(0, "", 0.0)
    for person in (1, 3):
        four.sit(person, token, 0.0)
    four.free_silent(SILENT_S + 1)
    other = four.sit(1, "", SILENT_S + 2)
    assert four.stay(token, SILENT_S + 3)
    assert four.of(token) == {0, 3}
    assert four.of(other) == {1}


def test_a_phone_does_not_come_back_to_a_seat_in_which_another_sat(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    seats.free_silent(SILENT_S + 1)
    other = seats.sit(0, "", SILENT_S + 2)
    assert not seats.stay(token, SILENT_S + 3)
    seats.stand(other)
    assert not seats.stay(token, SILENT_S + 4), "the seat was left by somebody else"
    assert holders(seats) == ["free", "free"]


def test_who_stands_up_is_not_seated_again_by_a_sign_of_life(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    seats.stand(token)
    assert not seats.stay(token, 1.0)
    assert holders(seats) == ["free", "free"]


def test_a_silent_phone_that_stood_up_meanwhile_does_not_come_back(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    seats.free_silent(SILENT_S + 1)
    seats.stand(token)
    assert not seats.stay(token, SILENT_S + 2)


def test_an_emptied_seat_is_lost_and_the_others_stay(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    seats.sit(1, token, 0.0)
    assert seats.empty(0)
    assert not seats.empty(0)
    assert seats.stay(token, 1.0)
    assert seats.of(token) == {1}
    assert seats.empty(1)
    assert not seats.stay(token, 2.0)


def test_a_seat_of_the_computer_is_not_emptied_and_not_given() -> None:
    seats = Seats(2, {1})
    assert not seats.empty(1)
    assert seats.sit(1, "", 0.0) == ""
    assert seats.computer == {1}


def test_seats_are_dealt_anew(four: Seats) -> None:
    guest = four.sit(0, "", 0.0)
    token = four.arrange((0, 2), (1,), "", 1.0)
    assert holders(four, "classic") == ["person", "computer", "person", "free"]
    assert four.of(token) == {0, 2}
    assert four.of(guest) == frozenset()
    assert not four.stay(guest, 2.0)
    assert four.arrange((3,), (), token, 3.0) == token, "the token stays"
    assert holders(four, "classic") == ["free", "free", "free", "person"]
    assert four.allow_gesture(token, 3.0)


def test_who_keeps_no_seat_gets_no_token(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    assert seats.arrange((), (0, 1), token, 1.0) == ""
    assert holders(seats) == ["computer", "computer"]
    assert not seats.stay(token, 2.0)


def test_seats_that_are_not_there_are_not_dealt(seats: Seats) -> None:
    token = seats.sit(0, "", 0.0)
    for mine, computer in (((2,), ()), ((), (3,))):
        with pytest.raises(ValueError, match="no such seat"):
            seats.arrange(mine, computer, token, 1.0)
    assert seats.of(token) == {0}, "and nothing has changed"


def test_a_phone_makes_ten_gestures_a_second(seats: Seats) -> None:
    token, other = seats.sit(0, "", 0.0), seats.sit(1, "", 0.0)
    allowed = [seats.allow_gesture(token, 5.0 + n / 100) for n in range(100)]
    assert allowed == [True] * MOST_A_SECOND + [False] * (100 - MOST_A_SECOND)
    assert seats.allow_gesture(other, 5.5), "another phone has its own"
    assert seats.allow_gesture(token, 6.0)
    times = [n / 32 for n in range(320)]
    made = [now for now in times if seats.allow_gesture(token, 10.0 + now)]
    for start in made:
        assert sum(start <= now < start + 1.0 for now in made) <= MOST_A_SECOND
    assert len(made) == 10 * MOST_A_SECOND, "refused gestures do not count"


def test_more_people_come_as_the_last_one(seats: Seats) -> None:
    token = seats.sit(1, "", 0.0)
    seats.resize(4)
    assert seats.of(token) == {1, 2, 3}
    seats.resize(2)
    assert seats.of(token) == {1}
    against = Seats(2, {1})
    against.resize(4)
    assert against.computer == {1, 2, 3}


def test_a_phone_whose_seat_is_gone_has_none(four: Seats) -> None:
    token = four.sit(3, "", 0.0)
    four.resize(2)
    assert four.of(token) == frozenset()
    assert not four.stay(token, 1.0)
    four.free_silent(SILENT_S + 1)
    four.resize(4)


def test_phones_that_have_gone_are_forgotten(seats: Seats) -> None:
    for n in range(200):
        now = n * 100.0
        token = seats.sit(0, "", now)
        if n % 2:
            seats.empty(0)
        seats.free_silent(now + SILENT_S + 1)
        assert seats.of(token) == frozenset()
    assert len(seats._phones) == 0
