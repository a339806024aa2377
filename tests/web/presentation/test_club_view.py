"""The view of what a table shows besides its game."""

from dataclasses import replace
from pathlib import Path

import pytest
from flask import render_template

from tests.support import example_pages
from tests.web.contract.test_club import HALL, MATCH, RESULT
from web.app import create_app
from web.contract import (
    ArbiterCall,
    ClubTable,
    CommandName,
    MatchOffer,
    OfferState,
    Seat,
    SeatHolder,
    fingerprint,
)
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.wording import Wording
from web.presentation.club_view import ClubView, club_of, hall_of
from web.table_client import TableClient

SEATS = (Seat((0,), SeatHolder.PERSON, fingerprint("a")), Seat((1,)))
PAGE = example_pages.empty()


def view(club: ClubTable, wording: Wording | None = None) -> ClubView:
    shown = club_of(club, PAGE, wording or Wording())
    assert shown is not None
    return shown


def markup(name: str, wording: Wording | None = None, **shown: object) -> str:
    """Returns the fragment of what is shown."""
    with TableClient(Path("/nowhere")) as link, create_app(link).app_context():
        return render_template(
            f"fragments/{name}.html",
            **{"arbiter": False, "wording": wording or Wording(), **shown},
        )


def test_a_seat_has_the_name_of_its_person_or_of_its_colour() -> None:
    assert [seat.title for seat in view(ClubTable(SEATS)).seats] == ["Anna", "Ben"]
    nameless = replace(PAGE, colours=tuple(replace(one, player="") for one in PAGE.colours))
    shown = club_of(ClubTable(SEATS), nameless, Wording())
    assert shown is not None
    assert [seat.title for seat in shown.seats] == ["Purple", "Orange"]


@pytest.mark.parametrize(
    ("call", "sentence", "callers"),
    [
        (ArbiterCall(1), "Ben calls the arbiter.", (1,)),
        (ArbiterCall(), "The arbiter is called to this table.", (0, 1)),
        (ArbiterCall(3), "The arbiter is called to this table.", (3,)),
    ],
)
def test_a_call_names_who_calls(call: ArbiterCall, sentence: str, callers: tuple[int, ...]) -> None:
    shown = view(ClubTable(SEATS, call))
    assert (shown.call, shown.callers) == (sentence, callers)


def test_an_offer_names_round_players_and_table() -> None:
    offer = MatchOffer(MATCH, OfferState.PEOPLE, (1,), (fingerprint("b"),))
    table = ClubTable(SEATS, hall=HALL, offer=offer)
    assert view(table).offer == "Round 2: Anna K. against Ben, table 7"
    text = markup("club", club=view(table))
    assert "I am Anna K.: ready</button>" in text
    assert '<span class="ready">Ben is ready</span>' in text
    waits = view(ClubTable(SEATS, offer=replace(offer, state=OfferState.GAME)))
    assert waits.offer == "Round 2: Anna K. against Ben"
    assert "<button" not in markup("club", club=waits)


def test_a_paired_phone_alone_is_asked_to_join_another_hall() -> None:
    table = ClubTable(SEATS, invited="Spring <b>open</b>", invitation="0123456789abcdef")
    text = markup("club", club=view(table), arbiter=True)
    assert "Join the hall Spring &lt;b&gt;open&lt;/b&gt;?" in text
    assert 'value="agree:0123456789abcdef"' in text
    assert "Spring" not in markup("club", club=view(table))


def test_a_result_has_the_answer_of_each_side() -> None:
    text = markup("club", club=view(ClubTable(SEATS, match=RESULT.match, result=RESULT)))
    for shown in ("Confirmed.", "Disputed: I had 89.", "<strong>−3<", "<strong>−10<"):
        assert shown in text


def test_the_clock_of_the_round_counts_from_the_page() -> None:
    shown = hall_of(ClubTable(hall=HALL), 4000)
    assert shown is not None
    assert shown.left_ms == 904_000
    text = markup("hall", hall=shown)
    for part in ("Town hall, table 7", "Round 2", 'data-left="904000"', "15:04"):
        assert part in text
    assert hall_of(ClubTable(), 0) is None
    assert hall_of(None, 0) is None


@pytest.mark.parametrize("arbiter", [False, True])
def test_the_pieces_of_the_person_to_move_are_asked_about_if_hints_were_agreed_on(
    arbiter: bool,  # noqa: FBT001
) -> None:
    club = ClubTable(SEATS)
    agreed = replace(PAGE, possible=(CommandName.HINT,), turn=0)
    text = markup("seats", club=club_of(club, agreed, Wording()), arbiter=arbiter)
    assert 'value="places:0:Z5"' in text
    assert ('where" data-own="0"' in text) is not arbiter
    for page in (replace(agreed, possible=()), replace(agreed, turn=None)):
        assert "places:" not in markup("seats", club=club_of(club, page, Wording()))
    shown = club_of(club, agreed, Wording())
    assert "places:" not in markup("seats", club=shown, simulated=True)


def test_seats_of_another_game_than_the_page_shows_are_left_out_for_the_moment() -> None:
    four = tuple(Seat((colour,)) for colour in range(4))
    assert len(view(ClubTable(four)).seats) == 2


@pytest.mark.parametrize(
    ("club", "arbiter", "offered"),
    [
        (ClubTable(SEATS), True, False),
        (ClubTable(SEATS), False, True),
        (ClubTable(SEATS, hall=HALL), True, True),
        (ClubTable((SEATS[0], Seat((1,), SeatHolder.PERSON, fingerprint("b")))), True, True),
    ],
)
def test_an_arbiter_without_company_calls_no_other(
    club: ClubTable, *, arbiter: bool, offered: bool
) -> None:
    text = markup("seats", club=view(club), arbiter=arbiter)
    assert ('value="call"' in text) is offered


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_has_its_parts_in_every_language(language: str) -> None:
    wording = wording_of(language)
    hall = hall_of(ClubTable(hall=replace(HALL, connected=False)), 0)
    text = markup("hall", wording, hall=hall)
    for state in OfferState:
        club = ClubTable(
            SEATS, ArbiterCall(0), HALL, MatchOffer(MATCH, state), RESULT.match, RESULT
        )
        shown = view(club, wording)
        text += markup("club", wording, club=shown) + markup("seats", wording, club=shown)
    assert "{" not in text
    assert "Anna K." in text
