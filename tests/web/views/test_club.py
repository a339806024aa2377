"""Forms of people at a table besides the game, of a browser with a script and without."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import example_pages
from tests.support.plain_reader import PageParser
from tests.web.contract.test_club import HALL, MATCH, RESULT
from tests.web.presentation.test_club_view import SEATS
from tests.web.views.test_arbiter import PHONE
from web.app import create_app
from web.contract import (
    AgreeToBegin,
    ArbiterCall,
    ArbiterCame,
    CallArbiter,
    ClubAction,
    ClubRequest,
    ClubTable,
    ConfirmResult,
    DisputeResult,
    EmptySeat,
    MatchOffer,
    PlayRequest,
    RefusalReason,
    Reply,
    Request,
    SeatAction,
    ShowPlaces,
    Sit,
    Stand,
    Stay,
    fingerprint,
)
from web.known_phones import PAIRING_COOKIE, SEAT_COOKIE
from web.table_client import TableClient

SEAT = "a"
"""Token of the phone that has the first of `SEATS`."""


class SeatedTable(TableClient):
    """A table that answers each request with `reply`, or not at all."""

    def __init__(self) -> None:
        super().__init__(Path("/nowhere"))
        self.asked: list[Request] = []
        self.reply: Reply | None = Reply("a-good-id")
        self.hear(example_pages.duo_unsure())
        self.hear(example_pages.PHONES)
        offer = MatchOffer(MATCH)
        self.hear(ClubTable(SEATS, ArbiterCall(0), HALL, offer, RESULT.match, RESULT))

    def ask(self, question: Request, patience_s: float = 0.0) -> Reply | None:
        self.asked.append(question)
        return self.reply


@pytest.fixture
def table() -> Iterator[SeatedTable]:
    table = SeatedTable()
    yield table
    table.close()


@pytest.fixture
def client(table: SeatedTable) -> FlaskClient:
    return create_app(table).test_client()


def post(
    client: FlaskClient, act: str, fields: dict[str, str] | None = None, *, script: bool = True
) -> TestResponse:
    tags = PageParser(client.get("/").text).tags
    token = next(a["value"] for tag, a in tags if tag == "input" and a.get("name") == "token")
    accept = {"Accept": "application/json"} if script else {}
    data = {"token": token or "", "act": act, "back": "/", **(fields or {})}
    return client.post("/club", data=data, headers={"Origin": "http://localhost", **accept})


@pytest.mark.parametrize(
    ("act", "action"),
    [
        ("sit:1", Sit(1)),
        ("stand", Stand()),
        ("stay", Stay()),
        ("empty:0", EmptySeat(0)),
        ("places:1:Z5", ShowPlaces(1, "Z5")),
        ("call", CallArbiter()),
        ("came", ArbiterCame()),
        (f"agree:{MATCH.tag}", AgreeToBegin(MATCH.tag)),
        (f"agree:{MATCH.tag}:1", AgreeToBegin(MATCH.tag, 1)),
        (f"confirm:{RESULT.tag}:0", ConfirmResult(RESULT.tag, 0)),
    ],
)
def test_a_form_becomes_its_action_with_the_tokens_of_the_phone(
    client: FlaskClient, table: SeatedTable, act: str, action: ClubAction | SeatAction
) -> None:
    client.set_cookie(SEAT_COOKIE, SEAT)
    client.set_cookie(PAIRING_COOKIE, PHONE)
    assert post(client, act).status_code == 200
    [asked] = table.asked
    assert isinstance(asked, PlayRequest | ClubRequest)
    assert (asked.action, asked.token, asked.pairing) == (action, SEAT, PHONE)


def test_the_places_of_a_piece_are_one_sentence_with_every_square(
    client: FlaskClient, table: SeatedTable
) -> None:
    flat, upright = ((0, 0), (0, 1)), ((0, 0), (1, 0))
    places = ((flat, ((4, 4), (4, 5)), ((4, 4),)), (upright, ((4, 4), (5, 4)), ((4, 4),)))
    table.reply = Reply("a-good-id", places=places)
    answer = post(client, "places:0:2")
    assert answer.json is not None
    assert answer.json["said"] == "Where 2 may go: from e10, over e10, f10, e9."
    assert answer.json["dots"] == ["M90.0 90.0h0M110.0 90.0h0M90.0 110.0h0", "M90.0 90.0h0"]
    table.reply = Reply("a-good-id")
    answer = post(client, "places:0:2")
    assert answer.json is not None
    assert (answer.json["said"], answer.json["dots"]) == ("Done.", [])
    table.reply = Reply("a-good-id", RefusalReason.NOWHERE)
    answer = post(client, "places:0:2")
    assert answer.json is not None
    assert answer.json["said"] == "This piece fits nowhere now."


def test_a_dispute_takes_the_reason_of_its_own_side(
    client: FlaskClient, table: SeatedTable
) -> None:
    fields = {"sentence-0": "of another", "sentence-1": "  I had\n 89. "}
    assert post(client, f"dispute:{RESULT.tag}:1", fields).status_code == 200
    [asked] = table.asked
    assert isinstance(asked, ClubRequest)
    assert asked.action == DisputeResult(RESULT.tag, 1, "I had 89.")


@pytest.mark.parametrize("sentence", ["", " ", "x" * 201])
def test_a_dispute_without_a_reason_or_with_too_long_a_one_is_one_sentence(
    client: FlaskClient, table: SeatedTable, sentence: str
) -> None:
    answer = post(client, f"dispute:{RESULT.tag}:1", {"sentence-1": sentence})
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["said"].startswith("Write what is wrong with the result")
    assert table.asked == []


@pytest.mark.parametrize(
    "act", ["", "fly", "sit", "sit:x", "sit:1:2", "agree", "agree:x:0", "confirm::0", "stay:1", ":"]
)
def test_nonsense_never_reaches_the_table(
    client: FlaskClient, table: SeatedTable, act: str
) -> None:
    assert post(client, act).status_code == 400
    assert table.asked == []


def test_a_phone_that_takes_a_seat_gets_its_token_as_a_cookie_for_all_pages(
    client: FlaskClient, table: SeatedTable
) -> None:
    table.reply = Reply("a-good-id", token="new-token")  # noqa: S106
    answer = post(client, "sit:1")
    assert answer.json is not None
    assert answer.json["phone"] == fingerprint("new-token")
    cookie = client.get_cookie(SEAT_COOKIE)
    assert cookie is not None
    assert (cookie.value, cookie.path) == ("new-token", "/")
    assert "new-token" not in answer.text, "scripts never see the token"


@pytest.mark.parametrize("reason", RefusalReason)
def test_a_refusal_is_a_sentence(
    client: FlaskClient, table: SeatedTable, reason: RefusalReason
) -> None:
    table.reply = Reply("a-good-id", reason)
    answer = post(client, "call")
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["said"].endswith(".")


def test_a_table_that_is_silent_is_said(client: FlaskClient, table: SeatedTable) -> None:
    table.reply = None
    assert post(client, "call").status_code == 504


@pytest.mark.parametrize(
    ("back", "page"), [("/", "/"), ("/arbiter", "/arbiter"), ("//evil", "/"), ("", "/")]
)
def test_without_a_script_the_page_is_loaded_again(
    client: FlaskClient, back: str, page: str
) -> None:
    answer = post(client, "call", {"back": back}, script=False)
    assert answer.status_code == 303
    assert answer.location == f"{page}?reply=done"


def test_the_page_of_everybody_shows_no_button_of_arbiters(client: FlaskClient) -> None:
    watcher, screen = client.get("/").text, client.get("/tv").text
    for sentence in ("calls the arbiter", "Round 2: Anna K. against Ben, table 7", "Town hall"):
        assert sentence in watcher
        assert sentence in screen
    assert f'value="agree:{MATCH.tag}"' not in watcher
    assert "empty:0" not in watcher
    client.set_cookie(PAIRING_COOKIE, PHONE)
    arbiter = client.get("/arbiter").text
    assert f'value="agree:{MATCH.tag}"' in arbiter
    assert "empty:0" in arbiter


def test_names_and_reasons_are_text_and_no_markup(table: SeatedTable, client: FlaskClient) -> None:
    evil = DisputeResult(RESULT.tag, 0, "<script>alert(1)</script>")
    sides = (RESULT.sides[0], type(RESULT.sides[1])((1,), 0, won=False, sentence=evil.sentence))
    table.hear(
        ClubTable(
            SEATS,
            match=RESULT.match,
            result=type(RESULT)(RESULT.match, RESULT.game, RESULT.how, sides),
        )
    )
    assert "<script>alert" not in client.get("/").text
