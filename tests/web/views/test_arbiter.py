"""The arbiter's routes: they forward commands, and trust only the table."""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from firmware.codes import EndReason, HintAmount, HintStep, PlayerFailure, Takeback, Timing
from firmware.records.record import Record
from firmware.rules.variants import VARIANTS
from firmware.session.command_gate import config_from
from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.plain_reader import PageParser
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK
from tests.web.views.test_games import NAME, write
from vision.setup.rating import Rating
from vision.setup.setup_check import check_setup
from web.app import ProgramFacts, create_app
from web.contract import (
    MOST_HINTS,
    ArbiterPage,
    Calibrate,
    CommandName,
    CommandRequest,
    ContractError,
    EndGame,
    FindingEntry,
    GameKey,
    HintAllowance,
    MachineStatus,
    Mark,
    NewGame,
    PairedPhones,
    PairRequest,
    PlacedPiece,
    PlayerStart,
    RefereeState,
    RefereeStatus,
    RefusalReason,
    Reply,
    Request,
    SetPosition,
    SetupEntry,
    SwitchOff,
    Undo,
    Unpair,
    fingerprint,
)
from web.i18n.texts import section_of
from web.i18n.wording import Wording
from web.presentation.position_text import parse_pieces
from web.rate_limit import GuessLimiter
from web.table_client import ConnectionLost, TableClient
from web.views.command_forms import PEOPLE, command_from_form

NUMBER, PHONE = example_pages.NUMBER, example_pages.TOKEN


class PairingTable(TableClient):
    """A table that pairs phones by its number, and carries out commands of paired phones."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[Request] = []
        self.paired = {PHONE}
        self.refuses: RefusalReason | None = None
        self.silent = False
        self.busy = False
        self.shows = Reply("a-good-id")

    def know(self, *tokens: str) -> None:
        """Sends the page the list of known phones."""
        self.paired = set(tokens)
        self.hear(replace(example_pages.PHONES, tokens=tuple(map(fingerprint, tokens))))

    def ask(self, question: Request, patience_s: float = 0.0) -> Reply | None:
        self.asked.append(question)
        if self.silent:
            return None
        if self.busy:
            return Reply(question.id, RefusalReason.BUSY)
        return self._paired(question) if isinstance(question, PairRequest) else self._done(question)

    def _paired(self, question: PairRequest) -> Reply:
        if not question.number:
            return self.shows
        if question.number == NUMBER:
            return Reply(question.id, token=PHONE)
        return Reply(question.id, RefusalReason.WRONG_NUMBER)

    def _done(self, question: Request) -> Reply:
        assert isinstance(question, CommandRequest)
        if question.token not in self.paired:
            return Reply(question.id, RefusalReason.NOT_PAIRED)
        if isinstance(question.command, Unpair) and self.refuses is None:
            self.know(*(self.paired - {question.token}))
        return Reply(question.id, self.refuses)


@pytest.fixture
def table() -> Iterator[PairingTable]:
    table = PairingTable(Path("/nowhere"))
    table.hear(example_pages.duo_unsure())
    table.know(PHONE)
    yield table
    table.close()


@pytest.fixture
def client(table: PairingTable) -> FlaskClient:
    return create_app(table, streams=1).test_client()


def fields_of(client: FlaskClient, path: str = "/arbiter") -> dict[str, str]:
    tags = PageParser(client.get(path).text).tags
    return {
        a["name"] or "": a.get("value") or ""
        for tag, a in tags
        if tag == "input" and a.get("type") == "hidden" and a.get("name") != "back"
    }


def post(client: FlaskClient, path: str, headers: object = None, **form: str) -> TestResponse:
    sent = {"Origin": "http://localhost", **(headers if isinstance(headers, dict) else {})}
    base = {"REMOTE_ADDR": form.pop("REMOTE_ADDR", "127.0.0.1")}
    data = {**fields_of(client), **form}
    return client.post(path, data=data, headers=sent, environ_base=base)


def pair(client: FlaskClient) -> None:
    assert post(client, "/pair", number=NUMBER).location == "/arbiter"


def test_a_right_number_pairs_the_phone(client: FlaskClient, table: PairingTable) -> None:
    assert 'name="number"' in client.get("/arbiter").text
    answer = post(client, "/pair", number="1234 5678-9012")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"pairing={PHONE};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert 'id="controls"' in client.get("/arbiter").text
    request = table.asked[-1]
    assert isinstance(request, PairRequest)
    assert request.number == NUMBER


def test_the_version_is_for_arbiters(table: PairingTable) -> None:
    client = create_app(table, facts=ProgramFacts("7.8.9")).test_client()
    assert "7.8.9" not in client.get("/arbiter").text
    pair(client)
    assert "Cornerlight 7.8.9" in client.get("/arbiter").text
    assert "7.8.9" not in client.get("/").text


def test_without_a_number_the_table_is_asked_to_show_one(
    client: FlaskClient, table: PairingTable
) -> None:
    assert "Show a number at the table" in client.get("/arbiter").text
    location = post(client, "/pair", number="").location
    request = table.asked[-1]
    assert isinstance(request, PairRequest)
    assert request.number == ""
    for language, text in (
        ("en", "Look at the board"),
        ("de", "Aufs Brett sehen"),
        ("ja", "盤を見て"),
    ):
        page = client.get(location, headers={"Accept-Language": language})
        assert text in page.text
        assert 'name="number"' in page.text


def test_a_table_that_showed_a_number_just_now_says_when_it_shows_another(
    client: FlaskClient, table: PairingTable
) -> None:
    table.shows = Reply("a-good-id", RefusalReason.WAIT, wait_s=77)
    late = post(client, "/pair", number="")
    assert (late.status_code, late.headers["Retry-After"]) == (429, "77")
    assert "the next in 77 seconds" in late.text
    assert "wrong numbers" not in late.text
    pair(client)


def test_a_table_without_lights_says_where_else_a_number_comes_from(
    client: FlaskClient, table: PairingTable
) -> None:
    table.shows = Reply("a-good-id", RefusalReason.NOT_POSSIBLE)
    page = client.get(post(client, "/pair", number="").location or "").text
    assert "no lights that could show a number" in page
    assert "cornerlight pair" in page


NO_NUMBERS = ["12", "123456", "1" * 13, "abcdefabcdef", "１２３４５６７８９０１２", "12345678901a"]


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_what_is_no_number_does_not_reach_the_table(
    client: FlaskClient, table: PairingTable, number: str
) -> None:
    assert post(client, "/pair", number=number).location == "/arbiter?reply=wrong-number"
    assert table.asked == []


def test_no_wrong_number_keeps_out_the_right_one(client: FlaskClient, table: PairingTable) -> None:
    """Wrong numbers from the same or other addresses delay the right one by a moment at most."""
    fields, origin = fields_of(client), {"Origin": "http://localhost"}
    for n in range(600):
        data = {**fields, "number": f"{n:012}"}
        client.post("/pair", data=data, headers=origin, environ_base={"REMOTE_ADDR": f"10.1.{n}"})
    for n in range(100):
        client.post("/pair", data={**fields, "number": f"{n:012}"}, headers=origin)
    right = {**fields, "number": NUMBER}
    eventually(lambda: client.post("/pair", data=right, headers=origin).location == "/arbiter")
    assert len(table.asked) < 30, "a flood of wrong numbers does not reach the table"


def test_a_number_of_which_the_page_was_not_informed_yet_is_the_table_s_to_judge(
    client: FlaskClient, table: PairingTable
) -> None:
    table.hear(PairedPhones())
    assert post(client, "/pair", number=NUMBER).location == "/arbiter"


def test_numbers_that_are_too_many_are_not_looked_at(
    table: PairingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GuessLimiter, "PER_S", 20)
    client = create_app(table).test_client()
    fields, origin = fields_of(client), {"Origin": "http://localhost"}

    def typed(number: str, address: str) -> str | None:
        data, base = {**fields, "number": number}, {"REMOTE_ADDR": address}
        return client.post("/pair", data=data, headers=origin, environ_base=base).location

    assert typed("0" * 12, "10.0.0.1") == "/arbiter?reply=wrong-number"
    assert "/arbiter?reply=busy" in [typed("0" * 12, "10.0.0.1") for _ in range(60)]
    assert "in a moment" in client.get("/arbiter?reply=busy").text
    assert typed(NUMBER, "192.168.1.7") == "/arbiter"


def test_one_phone_at_a_time_asks_the_table_to_show_a_number(
    client: FlaskClient, table: PairingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, answered = threading.Event(), threading.Event()

    def slow(question: Request, patience_s: float = 0.0) -> Reply:
        asking.set()
        answered.wait(10)
        return Reply(question.id)

    fields = {**fields_of(client), "number": ""}
    headers = {"Origin": "http://localhost"}
    monkeypatch.setattr(table, "ask", slow)
    first = threading.Thread(
        target=client.application.test_client().post,
        args=("/pair",),
        kwargs={"data": fields, "headers": headers},
    )
    first.start()
    assert asking.wait(10)
    location = client.post("/pair", data=fields, headers=headers).location
    answered.set()
    first.join()
    assert location == "/arbiter?reply=busy"


def test_a_wish_is_handed_on_with_the_pairing_and_what_was_seen(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    fields = fields_of(client)
    assert post(client, "/arbiter/say", word="undo").location == "/arbiter?reply=done"
    request = table.asked[-1]
    assert isinstance(request, CommandRequest)
    assert (request.command, request.token, str(request.revision)) == (
        Undo(),
        PHONE,
        fields["revision"],
    )
    assert "Done." in client.get("/arbiter?reply=done").text


@pytest.mark.parametrize(
    ("back", "location"),
    [
        ("/arbiter/setup/lights", "/arbiter/setup/lights?reply=done"),
        ("/play", "/play?reply=done"),
        ("//example.org/", "/arbiter?reply=done"),
        ("//example", "/arbiter?reply=done"),
        ("https://example.org", "/arbiter?reply=done"),
        ("/arbiter\r\nSet-Cookie: a=b", "/arbiter?reply=done"),
    ],
)
def test_a_form_leads_back_to_its_page(client: FlaskClient, back: str, location: str) -> None:
    pair(client)
    assert post(client, "/arbiter/say", word="undo", back=back).location == location


def test_where_the_board_does_not_tell_whose_turn_it_is_the_arbiter_does(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    table.hear(example_pages.duo_asked())
    page = client.get("/arbiter").text
    assert "Whose turn is it?" in page.partition('<div class="bar">')[0]
    post(client, "/arbiter/say", word="stand:1")
    request = table.asked[-1]
    assert isinstance(request, CommandRequest)
    assert request.command == SetPosition(1)


def test_a_table_is_switched_off_where_that_is_offered_and_every_screen_says_so(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    page = example_pages.empty()
    table.hear(replace(page, possible=(CommandName.UNPAIR,)))
    assert "Switch the table off" not in client.get("/arbiter").text
    table.hear(replace(page, possible=(CommandName.SWITCH_OFF,), revision=page.revision + 1))
    assert "Switch the table off" not in client.get("/").text
    _, _, confirmation = client.get("/arbiter").text.partition("Switch the table off</summary>")
    assert confirmation.startswith("<p>The game is kept and goes on at the next start. To start")
    post(client, "/arbiter/say", word="switch-off")
    request = table.asked[-1]
    assert isinstance(request, CommandRequest)
    assert request.command == SwitchOff()
    state = RefereeStatus(RefereeState.SWITCHING_OFF)
    table.hear(replace(page, state=state, revision=page.revision + 2))
    for path in ("/", "/tv", "/arbiter"):
        assert "green light has stayed dark for 10 seconds" in client.get(path).text
        assert "The game is kept" in client.get(path).text
    table.hear(ConnectionLost("ended"))
    assert "green light has stayed dark for 10 seconds" in client.get("/").text, "until the end"


def test_a_game_that_is_not_saved_is_not_said_to_be_kept(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    page = replace(example_pages.empty(), saved=False, possible=(CommandName.SWITCH_OFF,))
    table.hear(page)
    said = client.get("/arbiter").text
    assert "<p>What is not saved yet will be lost. To start" in said
    table.hear(replace(page, state=RefereeStatus(RefereeState.SWITCHING_OFF), revision=99))
    assert "What is not saved yet will be lost." in client.get("/").text
    assert "is kept" not in said + client.get("/").text


@pytest.mark.parametrize("refusal", RefusalReason)
def test_a_refusal_is_reported_in_words(
    client: FlaskClient, table: PairingTable, refusal: RefusalReason
) -> None:
    pair(client)
    table.refuses = refusal
    answer = post(client, "/arbiter/say", {"Accept": "application/json"}, word="undo")
    assert answer.status_code == 409
    reply = answer.get_json()
    assert reply["code"] == refusal
    assert len(reply["said"]) > 10
    assert len(reply["id"]) > 10


def test_a_silent_table_is_reported_and_nothing_is_promised(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    table.silent = True
    answer = post(client, "/arbiter/say", {"Accept": "application/json"}, word="undo")
    assert (answer.status_code, answer.get_json()["code"]) == (504, "silent")
    assert "The table does not answer." in answer.get_json()["said"]


@pytest.mark.parametrize("form", [{"word": ""}, {"word": "dance"}, {"word": "undo", "id": "!"}])
def test_what_is_no_wish_does_not_reach_the_table(
    client: FlaskClient, table: PairingTable, form: dict[str, str]
) -> None:
    pair(client)
    reached = len(table.asked)
    assert post(client, "/arbiter/say", **form).location == "/arbiter?reply=unfit"
    assert len(table.asked) == reached


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_two_who_look_alike_are_refused_with_the_name(
    client: FlaskClient, table: PairingTable, accept: str
) -> None:
    pair(client)
    reached = len(table.asked)
    form = {"word": "new-game", "name-0": "Anna", "name-1": "\u0410nna"}
    answer = post(client, "/arbiter/say", {"Accept": accept}, **form)
    assert "That looks like Anna, the name of somebody else" in answer.text
    assert len(table.asked) == reached


def test_a_record_has_names_without_what_nobody_sees(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    form = {"word": "new-game", "name-0": "An\u200bna", "name-1": " B\u202eob\x00 "}
    assert post(client, "/arbiter/say", **form).location == "/arbiter?reply=done"
    request = table.asked[-1]
    assert isinstance(request, CommandRequest)
    assert isinstance(request.command, NewGame)
    config = config_from(request.command)
    written = Record.new(config.game, names=config.names).write()
    assert b"PB[Anna]" in written
    assert b"PW[Bob]" in written


def test_a_phone_that_the_table_has_forgotten_is_asked_to_pair(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    fields = fields_of(client)
    table.know()
    location = post(client, "/arbiter/say", **fields, word="undo").location
    assert location == "/arbiter?reply=not-paired"
    assert 'name="number"' in client.get("/arbiter").text


def test_a_page_that_began_again_knows_whom_the_table_knows(table: PairingTable) -> None:
    client = create_app(table).test_client()
    client.set_cookie("pairing", PHONE)
    assert 'id="controls"' in client.get("/arbiter").text
    assert table.asked == []


def test_made_up_tokens_never_reach_the_table(client: FlaskClient, table: PairingTable) -> None:
    for n in range(8):
        client.set_cookie("pairing", f"made-up-{n}")
        assert 'id="controls"' not in client.get("/arbiter").text
        answer = post(client, "/arbiter/say", word="undo", id="a-good-id", revision="1")
        assert answer.location == "/arbiter?reply=not-paired"
        assert post(client, "/unpair").location == "/"
        if n == 10:
            table.silent = True
    assert table.asked == []
    client.set_cookie("pairing", "<script>")
    assert 'id="controls"' not in client.get("/arbiter").text


EVIDENCE = f"/games/{NAME}/1-after.jpg"


def app_of(table: PairingTable, folder: Path) -> Flask:
    """Returns the app of a table, with a picture of a move of a past game."""
    write(folder, NAME, [example_pages.page_of(example_pages.played("duo", n)) for n in (0, 1)])
    (folder / NAME / "evidence" / "0001-after.jpg").write_bytes(b"\xff\xd8\xff")
    return create_app(table, streams=1, games=folder)


def sees(client: FlaskClient, address: str) -> list[str]:
    """Returns the parts for arbiters that a phone gets."""
    base = {"REMOTE_ADDR": address}
    found = []
    if client.get(EVIDENCE, environ_base=base).status_code == 200:
        found.append("evidence")
    pages = ("/arbiter", "/arbiter/setup/check", "/arbiter/position", "/arbiter/new")
    asks = 'action="/arbiter/say"'
    found += [path for path in pages if asks in client.get(path, environ_base=base).text]
    with client.get("/events?for=arbiter", buffered=False, environ_base=base) as stream:
        if stream.status_code == 200 and "controls" in next(messages_of(stream)):
            found.append("stream")
    return found


@pytest.mark.parametrize("trouble", ["busy", "silent", "refuses", "away", "late"])
def test_nothing_but_the_table_s_own_word_makes_a_phone_known(
    tmp_path: Path, table: PairingTable, trouble: str
) -> None:
    table.busy, table.silent = trouble == "busy", trouble == "silent"
    table.refuses = RefusalReason.NOT_POSSIBLE if trouble == "refuses" else None
    if trouble == "away":
        table.hear(ConnectionLost("it is away"))
    app = app_of(table, tmp_path)
    for n in range(40):
        client, address = app.test_client(), f"10.0.0.{n % 5}"
        client.set_cookie("pairing", f"made-up-{n}")
        fields = {"id": f"made-up-{n:04}", "revision": "1"}
        answer = post(client, "/arbiter/say", REMOTE_ADDR=address, word="undo", **fields)
        assert answer.location in ("/arbiter?reply=not-paired", "/arbiter?reply=silent")
        if trouble == "late":
            table.hear(Reply(fields["id"]))
        assert sees(client, address) == []


def test_while_the_table_is_away_nobody_is_known(tmp_path: Path, table: PairingTable) -> None:
    client = app_of(table, tmp_path).test_client()
    client.set_cookie("pairing", PHONE)
    assert len(sees(client, "10.0.0.1")) == 6
    table.hear(ConnectionLost("it is away"))
    assert sees(client, "10.0.0.1") == []
    away = client.get("/arbiter")
    assert (away.status_code, away.headers["Retry-After"]) == (503, "15")
    assert "The table does not answer" in away.text
    assert 'name="number"' not in away.text
    answer = post(client, "/arbiter/say", word="undo", id="a-good-id", revision="1")
    assert answer.location == "/arbiter?reply=silent"
    table.know(PHONE)
    assert len(sees(client, "10.0.0.1")) == 6


def messages_of(stream: Response) -> Iterator[str]:
    return (part.decode() for part in stream.iter_encoded() if b"data: " in part)


def test_while_the_table_is_away_an_arbiter_s_stream_says_what_everybody_may_see(
    client: FlaskClient, table: PairingTable
) -> None:
    private = ArbiterPage(SECRET)
    table.hear(replace(example_pages.empty(), private=private, revision=9))
    client.set_cookie("pairing", PHONE)
    with client.get("/events?for=arbiter", buffered=False) as stream:
        messages = messages_of(stream)
        assert "hinted" in next(messages)
        table.hear(ConnectionLost("it is away"))
        assert "hinted" not in next(messages)
        table.hear(replace(example_pages.empty(), private=private, revision=10))
        assert "hinted" not in next(messages), "it is there, but has not said whom it knows"
        table.know(PHONE)
        assert "hinted" in next(messages)


@WALL_CLOCK
def test_the_stream_of_a_phone_that_is_forgotten_ends_at_once(
    client: FlaskClient, table: PairingTable
) -> None:
    pair(client)
    with client.get("/events?for=arbiter", buffered=False) as stream:
        messages = messages_of(stream)
        assert "controls" in next(messages)
        began = time.monotonic()
        threading.Timer(0.2, table.know).start()
        assert not list(messages)
        assert time.monotonic() - began < 1.5


def test_who_is_paired_has_a_place_when_all_are_taken(client: FlaskClient) -> None:
    watcher = client.get("/events", buffered=False)
    assert client.get("/events").status_code == 503
    pair(client)
    assert client.get("/events?for=arbiter", buffered=False).status_code == 200
    watcher.close()


def test_a_phone_can_be_forgotten(client: FlaskClient, table: PairingTable) -> None:
    pair(client)
    answer = post(client, "/unpair")
    assert (answer.location, "pairing=;" in answer.headers["Set-Cookie"]) == ("/", True)
    assert PHONE not in table.paired
    assert 'name="number"' in client.get("/arbiter").text
    client.set_cookie("pairing", PHONE)
    assert 'name="number"' in client.get("/arbiter").text, "the token is worth nothing any more"


@pytest.mark.parametrize("trouble", ["silent", "away", "refuses"])
def test_a_phone_stays_paired_until_the_table_has_forgotten_it(
    client: FlaskClient, table: PairingTable, trouble: str
) -> None:
    pair(client)
    if trouble == "away":
        table.hear(ConnectionLost("it is away"))
    table.silent = trouble == "silent"
    table.refuses = RefusalReason.NOT_POSSIBLE if trouble == "refuses" else None
    answer = post(client, "/unpair")
    code = "not-possible" if trouble == "refuses" else "silent"
    assert answer.location == f"/arbiter?reply={code}"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("form", "wish"),
    [
        ({"word": "stand:1"}, SetPosition(1)),
        ({"word": "end:abandoned"}, EndGame(EndReason.ABANDONED)),
        ({"word": "calibrate:alone", "corners": "0,0,1,0,1,1,0,1"}, Calibrate()),
        (
            {"word": "calibrate", "corners": "0,0,1,0,1,1,0,.5"},
            Calibrate(((0, 0), (1, 0), (1, 1), (0, 0.5))),
        ),
        ({"word": "new-game", "minutes": "7"}, NewGame()),
        (
            {
                "word": "new-game",
                "game": "classic-3",
                "timing": "delay",
                "minutes": "7",
                "step_s": "3",
                "name-0": " A ",
                "name-3": "not in this game",
                "seat-1": "3",
                "seat-3": "0",
                "shared": "1",
                "hints": "2",
                "amount-0": "everything",
                "amount-1": "none",
                "amount-3": "not in this game",
            },
            NewGame(
                GameKey.CLASSIC_3,
                names=("A", "", ""),
                seats=(1, 3, 2),
                shared=1,
                timing=Timing.DELAY,
                clock_s=420,
                step_s=3,
                hints=2,
                hint_amount=(
                    HintAmount.EVERYTHING,
                    HintAmount.NONE,
                    HintAmount.EVERYTHING,
                ),
            ),
        ),
        ({"word": "new-game", "first": "orange", "shared": "1"}, NewGame(first="orange")),
        (
            {
                "word": "new-game",
                "game": "puzzle-all",
                "timing": "delay",
                "takeback": "arbiter",
                "name-0": "Ada",
                "name-1": "not in a puzzle",
                "seat-0": "2",
            },
            NewGame(
                GameKey.PUZZLE_ALL,
                names=("Ada",),
                seats=(2,),
                takeback=Takeback.ARBITER,
                hints=MOST_HINTS,
            ),
        ),
        (
            {"word": "new-game", "game": "puzzle-tetrominoes"},
            NewGame(GameKey.PUZZLE_TETROMINOES, takeback=Takeback.ANY, hints=MOST_HINTS),
        ),
        (
            {"word": "stand:by-hand", "turn": "1", "pieces": "P e10, f10 f9\n\n o j5\n"},
            SetPosition(1, (PlacedPiece(0, ((4, 4), (4, 5), (5, 5))), PlacedPiece(1, ((9, 9),)))),
        ),
        ({"word": "stand:by-hand", "turn": "0", "pieces": ""}, SetPosition(0, ())),
    ],
)
def test_a_form_becomes_the_wish_that_it_names(form: dict[str, str], wish: object) -> None:
    assert command_from_form(form, example_pages.duo_unsure()) == wish


@pytest.mark.parametrize(
    "form",
    [
        {"word": "choose"},
        {"word": "choose:-1"},
        {"word": "choose:99999999"},
        {"word": "choose:１"},
        {"word": "end:resigned"},
        {"word": "end:solved"},
        {"word": "end:"},
        {"word": "calibrate", "corners": "0,0,1"},
        {"word": "calibrate", "corners": "nan,0,1,0,1,1,0,1"},
        {"word": "calibrate", "corners": "0,0,2,0,1,1,0,1"},
        {"word": "new-game", "game": "chess"},
        {"word": "new-game", "timing": "delay", "minutes": "0"},
        {"word": "new-game", "name-0": "x" * 41},
        {"word": "new-game", "name-0": "\u3164"},
        {"word": "new-game", "name-0": "Anna", "name-1": "\u0410nna"},
        {"word": "new-game", "seat-0": "1", "seat-1": "1"},
        {"word": "new-game", "seat-0": "4"},
        {"word": "stand:by-hand", "pieces": "P e10"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "X e10"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P e15"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P o1"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P ten"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P e10 e9 e8 e7 e6 e5"},
        {"word": "stand:by-hand", "turn": "0", "pieces": "P e10\n" * 1000},
    ],
)
def test_a_form_beyond_its_bounds_is_refused(form: dict[str, str]) -> None:
    with pytest.raises((ValueError, ContractError)):
        command_from_form(form, example_pages.duo_unsure())


def test_a_position_is_shown_as_the_text_that_sets_it_again(
    client: FlaskClient, table: PairingTable
) -> None:
    page = example_pages.duo_refused()
    table.hear(page)
    pair(client)
    text = re.search(r"<textarea[^>]*>([^<]*)<", client.get("/arbiter/position").text)
    assert text
    accepted = [piece for piece in page.pieces if piece.mark is not Mark.REFUSED]
    assert len(accepted) < len(page.pieces)
    assert parse_pieces(text[1], page) == tuple(
        PlacedPiece(one.colour, one.squares) for one in accepted
    )
    answer = post(client, "/arbiter/say", word="stand:by-hand", turn="1", pieces=text[1])
    assert answer.location == "/arbiter?reply=done"
    request = table.asked[-1]
    assert isinstance(request, CommandRequest)
    assert request.command == SetPosition(1, parse_pieces(text[1], page))


SECRET = HintAllowance((2, 1), 1, step=HintStep.WHERE, colour=1, squares=((3, 3),))
BLURRED = FindingEntry("focus", Rating.MEND, "blurred", "Edges are smeared.")
GLARING = FindingEntry("glare", Rating.FAIR, "glare", "A lamp.", ((4, 4),))


def test_hints_and_the_set_up_are_for_a_paired_phone_alone(
    client: FlaskClient, table: PairingTable
) -> None:
    private = ArbiterPage(SECRET, SetupEntry((BLURRED, GLARING)))
    page = replace(example_pages.empty(), private=private, possible=tuple(CommandName), revision=9)
    table.hear(page)
    for path in ("/", "/page.json", "/fragments.json?for=arbiter", "/arbiter", "/tv"):
        text = client.get(path).text
        assert "hinted" not in text
        assert "smeared" not in text
        assert '"thinking"' not in text
    with client.get("/events?for=arbiter", buffered=False) as stream:
        first = next(part for part in stream.iter_encoded() if b"data: " in part)
        assert b"hinted" not in first
    client.set_cookie("pairing", "made-up")
    assert "hinted" not in client.get("/fragments.json?for=arbiter").text
    client.delete_cookie("pairing")
    pair(client)
    desk = client.get("/arbiter").text
    assert "A hint for orange: d11." in desk
    assert "1 left" in desk
    assert 'class="hinted"' in desk
    camera = client.get("/arbiter/setup/check").text
    assert "Edges are smeared: focus on the board" in camera
    assert "or expose less. See e10." in camera
    assert "smeared" in client.get("/fragments.json?for=arbiter").text


@pytest.mark.parametrize(
    ("start", "bar", "sentence"),
    [
        (None, "", "The search goes on."),
        ((100, None), "", "The player starts."),
        (
            (31, 40),
            ' value="31" max="100"',
            "The player is compiled for this computer, once: 31 %; ready in about 40 s.",
        ),
    ],
)
def test_who_waits_for_a_hint_sees_what_for_and_how_far_it_is(
    client: FlaskClient,
    table: PairingTable,
    start: PlayerStart | None,
    bar: str,
    sentence: str,
) -> None:
    waits = ArbiterPage(HintAllowance((1, 1), 0, thinking=True))
    machine = MachineStatus(player_start=start)
    table.hear(replace(example_pages.empty(), private=waits, machine=machine, revision=9))
    pair(client)
    text = client.get("/arbiter").text
    assert f"<small>{sentence}</small>" in text
    assert f'<progress aria-label="The search goes on."{bar}></progress>' in text


def test_a_phone_that_was_paired_is_an_arbiter_s_also_after_the_page_was_started_again(
    table: PairingTable,
) -> None:
    table.hear(replace(example_pages.empty(), private=ArbiterPage(SECRET), revision=9))
    fresh = create_app(table, streams=1).test_client()
    fresh.set_cookie("pairing", PHONE)
    table.hear(ConnectionLost("it is away"))
    assert fresh.get("/events?for=arbiter").status_code == 503
    assert "hinted" not in fresh.get("/arbiter").text
    table.know(PHONE)
    with fresh.get("/events?for=arbiter", buffered=False) as stream:
        first = next(part for part in stream.iter_encoded() if b"data: " in part)
        assert b"hinted" in first


@pytest.mark.parametrize(
    ("hints", "sentence"),
    [
        (HintAllowance((1, 1), 0), ""),
        (HintAllowance((1, 1), 0, thinking=True), "The player is looking for a hint for purple."),
        (
            HintAllowance(
                (0, 1), 0, step=HintStep.WHOLE, colour=0, squares=((3, 3), (3, 4)), piece="2"
            ),
            "A hint for purple: 2 at d11, e11.",
        ),
        (
            HintAllowance((1, 1), 0, failure=PlayerFailure.NO_MEMORY),
            (
                "No hint: this machine has too little free memory for the player; "
                "close other programs."
            ),
        ),
    ],
)
def test_what_there_is_to_say_of_hints(hints: HintAllowance, sentence: str) -> None:
    assert Wording().hint(replace(example_pages.empty(), private=ArbiterPage(hints))) == sentence


def test_every_fault_of_the_set_up_has_its_words() -> None:
    sources = ("vision/setup/setup_check.py", "firmware/session/table_setup.py")
    text = "".join((ROOT / source).read_text() for source in sources)
    words = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', text))
    assert section_of("faults").keys() <= words
    for point in check_setup(np.full((240, 320, 3), 90, np.uint8)).points:
        assert point.code in section_of("points")
        assert not point.fault or point.fault in section_of("faults")


def test_every_game_is_for_as_many_people_as_the_rules_say() -> None:
    assert {key.value: n for key, n in PEOPLE.items()} == {k: g.people for k, g in VARIANTS.items()}
