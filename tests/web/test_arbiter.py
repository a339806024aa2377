"""The arbiter's side of the page: it hands on what was asked, and believes the table alone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from firmware.rules.games import GAMES
from tests.conftest import ROOT
from tests.web import examples
from tests.web.reading import Reader
from vision.setup_check import check_setup
from web.app import create_app
from web.contract import (
    Answer,
    Calibrate,
    Check,
    Command,
    ContractError,
    End,
    GameKey,
    Hints,
    How,
    Laid,
    Level,
    Mark,
    NewGame,
    Pair,
    Point,
    Private,
    Refusal,
    Setup,
    Stand,
    Timing,
    Undo,
    Word,
)
from web.laying import laid_of
from web.link import Link, Lost
from web.phrases import FAULTS, POINTS
from web.rates import Delays
from web.wishes import PEOPLE, wish_of
from web.wording import Wording

PHONE = "token-of-the-table"
"""What the table gave the phone that it knows."""
NUMBER = "123456"


class Table(Link):
    """A table that pairs whoever types its number, and does what paired phones ask."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[Command | Pair] = []
        self.paired = {PHONE}
        self.refuses: Refusal | None = None
        self.silent = False
        self.shows = Answer("a-good-id")

    def ask(self, question: Command | Pair, patience_s: float = 0.0) -> Answer | None:
        self.asked.append(question)
        if self.silent:
            return None
        if isinstance(question, Pair):
            if not question.number:
                return self.shows
            if question.number == NUMBER:
                return Answer(question.id, token=PHONE)
            return Answer(question.id, Refusal.WRONG_NUMBER)
        if question.token not in self.paired:
            return Answer(question.id, Refusal.NOT_PAIRED)
        return Answer(question.id, self.refuses)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(Path("/nowhere"))
    table.hear(examples.duo_unsure())
    yield table
    table.close()


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table, streams=1).test_client()


def fields_of(client: FlaskClient, path: str = "/arbiter") -> dict[str, str]:
    tags = Reader(client.get(path).text).tags
    return {
        a["name"] or "": a.get("value") or ""
        for tag, a in tags
        if tag == "input" and a.get("type") == "hidden" and a.get("name") != "back"
    }


def post(client: FlaskClient, path: str, headers: object = None, **form: str) -> TestResponse:
    sent = {"Origin": "http://localhost", **(headers if isinstance(headers, dict) else {})}
    return client.post(path, data={**fields_of(client), **form}, headers=sent)


def pair(client: FlaskClient) -> None:
    assert post(client, "/pair", number=NUMBER).location == "/arbiter"


def test_a_right_number_pairs_the_phone(client: FlaskClient, table: Table) -> None:
    assert 'name="number"' in client.get("/arbiter").text
    answer = post(client, "/pair", number="123 456")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"pairing={PHONE};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert 'id="controls"' in client.get("/arbiter").text
    asked = table.asked[-1]
    assert isinstance(asked, Pair)
    assert asked.number == NUMBER


def test_without_a_number_the_table_is_asked_to_show_one(client: FlaskClient, table: Table) -> None:
    assert "Show a number at the table" in client.get("/arbiter").text
    told = post(client, "/pair", number="").location
    asked = table.asked[-1]
    assert isinstance(asked, Pair)
    assert asked.number == ""
    for language, says in (
        ("en", "Look at the board"),
        ("de", "Aufs Brett sehen"),
        ("ja", "盤を見て"),
    ):
        page = client.get(told, headers={"Accept-Language": language})
        assert says in page.text
        assert 'name="number"' in page.text


def test_a_table_that_showed_a_number_just_now_says_when_it_shows_another(
    client: FlaskClient, table: Table
) -> None:
    table.shows = Answer("a-good-id", Refusal.WAIT, wait_s=77)
    late = post(client, "/pair", number="")
    assert (late.status_code, late.headers["Retry-After"]) == (429, "78")
    assert "the next in 77 seconds" in late.text
    assert "wrong numbers" not in late.text
    pair(client)


def test_a_table_without_lights_says_where_else_a_number_comes_from(
    client: FlaskClient, table: Table
) -> None:
    table.shows = Answer("a-good-id", Refusal.NOT_POSSIBLE)
    told = client.get(post(client, "/pair", number="").location or "").text
    assert "no lights that could show a number" in told
    assert "cornerlight pair" in told


@pytest.mark.parametrize("number", ["12", "1234567", "abcdef", "１２３４５６", "12345a"])
def test_what_is_no_number_does_not_reach_the_table(
    client: FlaskClient, table: Table, number: str
) -> None:
    assert post(client, "/pair", number=number).location == "/arbiter?said=wrong-number"
    assert table.asked == []


def test_wrong_numbers_cost_ever_more_time(client: FlaskClient, table: Table) -> None:
    for _ in range(Delays.FREE + 1):
        assert post(client, "/pair", number="000000").status_code == 303
    reached = len(table.asked)
    late = post(client, "/pair", number=NUMBER)
    assert late.status_code == 429
    assert int(late.headers["Retry-After"]) >= 1
    assert "seconds" in late.text
    assert len(table.asked) == reached


def test_a_wish_is_handed_on_with_the_pairing_and_what_was_seen(
    client: FlaskClient, table: Table
) -> None:
    pair(client)
    fields = fields_of(client)
    assert post(client, "/arbiter/say", word="undo").location == "/arbiter?said=done"
    asked = table.asked[-1]
    assert isinstance(asked, Command)
    assert (asked.wish, asked.token, str(asked.revision)) == (Undo(), PHONE, fields["revision"])
    assert "Done." in client.get("/arbiter?said=done").text


def test_where_the_board_does_not_tell_whose_turn_it_is_the_arbiter_does(
    client: FlaskClient, table: Table
) -> None:
    pair(client)
    table.hear(examples.duo_asked())
    page = client.get("/arbiter").text
    assert "Whose turn is it?" in page.partition('<div class="bar">')[0]
    post(client, "/arbiter/say", word="stand:1")
    asked = table.asked[-1]
    assert isinstance(asked, Command)
    assert asked.wish == Stand(1)


@pytest.mark.parametrize("refusal", Refusal)
def test_a_refusal_is_said_in_words(client: FlaskClient, table: Table, refusal: Refusal) -> None:
    pair(client)
    table.refuses = refusal
    answer = post(client, "/arbiter/say", {"Accept": "application/json"}, word="undo")
    assert answer.status_code == 409
    told = answer.get_json()
    assert told["code"] == refusal
    assert len(told["said"]) > 10
    assert len(told["id"]) > 10


def test_a_silent_table_is_said_and_nothing_is_promised(client: FlaskClient, table: Table) -> None:
    pair(client)
    table.silent = True
    answer = post(client, "/arbiter/say", {"Accept": "application/json"}, word="undo")
    assert (answer.status_code, answer.get_json()["code"]) == (504, "silent")
    assert "The table does not answer." in answer.get_json()["said"]


@pytest.mark.parametrize("form", [{"word": ""}, {"word": "dance"}, {"word": "undo", "id": "!"}])
def test_what_is_no_wish_does_not_reach_the_table(
    client: FlaskClient, table: Table, form: dict[str, str]
) -> None:
    pair(client)
    reached = len(table.asked)
    assert post(client, "/arbiter/say", **form).location == "/arbiter?said=unfit"
    assert len(table.asked) == reached


def test_a_phone_that_the_table_has_forgotten_is_asked_to_pair(
    client: FlaskClient, table: Table
) -> None:
    pair(client)
    table.paired.clear()
    assert post(client, "/arbiter/say", word="undo").location == "/arbiter?said=not-paired"
    assert 'name="number"' in client.get("/arbiter").text


def test_a_page_that_began_anew_asks_the_table_whom_it_knows(table: Table) -> None:
    client = create_app(table).test_client()
    client.set_cookie("pairing", PHONE)
    assert 'id="controls"' in client.get("/arbiter").text
    asked = table.asked[-1]
    assert isinstance(asked, Command)
    assert asked.wish == Check()
    client.get("/arbiter")
    assert len(table.asked) == 1, "once is enough"


def test_made_up_pairings_keep_the_table_from_nothing(client: FlaskClient, table: Table) -> None:
    for n in range(100):
        client.set_cookie("pairing", f"made-up-{n}")
        assert 'id="controls"' not in client.get("/arbiter").text
    assert len(table.asked) <= 6
    client.set_cookie("pairing", "<script>")
    assert 'id="controls"' not in client.get("/arbiter").text


def test_who_is_paired_has_a_place_when_all_are_taken(client: FlaskClient) -> None:
    watcher = client.get("/events", buffered=False)
    assert client.get("/events").status_code == 503
    pair(client)
    assert client.get("/events?for=arbiter", buffered=False).status_code == 200
    watcher.close()


def test_a_phone_can_be_forgotten(client: FlaskClient) -> None:
    pair(client)
    post(client, "/unpair")
    assert 'name="number"' in client.get("/arbiter").text


@pytest.mark.parametrize(
    ("form", "wish"),
    [
        ({"word": "stand:1"}, Stand(1)),
        ({"word": "end:abandoned"}, End(How.ABANDONED)),
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
            ),
        ),
        ({"word": "new-game", "first": "orange", "shared": "1"}, NewGame(first="orange")),
        (
            {"word": "stand:by-hand", "turn": "1", "pieces": "P e10, f10 f9\n\n o j5\n"},
            Stand(1, (Laid(0, ((4, 4), (4, 5), (5, 5))), Laid(1, ((9, 9),)))),
        ),
        ({"word": "stand:by-hand", "turn": "0", "pieces": ""}, Stand(0, ())),
    ],
)
def test_a_form_becomes_the_wish_that_it_names(form: dict[str, str], wish: object) -> None:
    assert wish_of(form, examples.duo_unsure()) == wish


@pytest.mark.parametrize(
    "form",
    [
        {"word": "choose"},
        {"word": "choose:-1"},
        {"word": "choose:99999999"},
        {"word": "choose:１"},
        {"word": "end:resigned"},
        {"word": "end:"},
        {"word": "calibrate", "corners": "0,0,1"},
        {"word": "calibrate", "corners": "nan,0,1,0,1,1,0,1"},
        {"word": "calibrate", "corners": "0,0,2,0,1,1,0,1"},
        {"word": "new-game", "game": "chess"},
        {"word": "new-game", "timing": "delay", "minutes": "0"},
        {"word": "new-game", "name-0": "x" * 41},
        {"word": "new-game", "name-0": "a\x00b"},
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
        wish_of(form, examples.duo_unsure())


def test_a_position_is_shown_as_the_text_that_sets_it_again(
    client: FlaskClient, table: Table
) -> None:
    page = examples.duo_refused()
    table.hear(page)
    pair(client)
    text = re.search(r"<textarea[^>]*>([^<]*)<", client.get("/arbiter/position").text)
    assert text
    accepted = [piece for piece in page.pieces if piece.mark is not Mark.REFUSED]
    assert len(accepted) < len(page.pieces)
    assert laid_of(text[1], page) == tuple(Laid(one.colour, one.squares) for one in accepted)
    answer = post(client, "/arbiter/say", word="stand:by-hand", turn="1", pieces=text[1])
    assert answer.location == "/arbiter?said=done"
    asked = table.asked[-1]
    assert isinstance(asked, Command)
    assert asked.wish == Stand(1, laid_of(text[1], page))


SECRET = Hints((2, 1), 1, colour=1, squares=((3, 3),))
BLURRED = Point("focus", Level.MEND, "blurred", "Edges are smeared.")
GLARING = Point("glare", Level.FAIR, "glare", "A lamp.", ((4, 4),))


def test_hints_and_the_set_up_are_for_a_paired_phone_alone(
    client: FlaskClient, table: Table
) -> None:
    private = Private(SECRET, Setup((BLURRED, GLARING)))
    page = replace(examples.empty(), private=private, possible=tuple(Word), revision=9)
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
    camera = client.get("/arbiter/camera").text
    assert "Edges are smeared: focus on the board" in camera
    assert "or expose less. See e10." in camera
    assert "smeared" in client.get("/fragments.json?for=arbiter").text


def test_a_phone_that_was_paired_is_an_arbiter_s_also_after_the_page_was_started_anew(
    table: Table,
) -> None:
    table.hear(replace(examples.empty(), private=Private(SECRET), revision=9))
    fresh = create_app(table, streams=1).test_client()
    fresh.set_cookie("pairing", PHONE)
    table.silent = True
    table.hear(Lost("it is away"))
    assert fresh.get("/events?for=arbiter").status_code == 503
    assert "hinted" not in fresh.get("/arbiter").text
    table.silent = False
    with fresh.get("/events?for=arbiter", buffered=False) as stream:
        first = next(part for part in stream.iter_encoded() if b"data: " in part)
        assert b"hinted" in first


@pytest.mark.parametrize(
    ("hints", "said"),
    [
        (Hints((1, 1), 0), ""),
        (Hints((1, 1), 0, thinking=True), "The player is looking for a hint for purple."),
        (
            Hints((0, 1), 0, colour=0, squares=((3, 3), (3, 4)), piece="2"),
            "A hint for purple: 2 at d11, e11.",
        ),
        (
            Hints((1, 1), 0, trouble="no hint: the player needs 350 MB and this machine has 9 MB"),
            "No hint: the player needs 350 MB and this machine has 9 MB.",
        ),
    ],
)
def test_what_there_is_to_say_of_hints(hints: Hints, said: str) -> None:
    assert Wording().hint(replace(examples.empty(), private=Private(hints))) == said


def test_every_fault_of_the_set_up_has_its_words() -> None:
    source = (ROOT / "vision" / "setup_check.py").read_text()
    told = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', source))
    assert FAULTS.keys() <= told
    for point in check_setup([np.full((240, 320, 3), 90, np.uint8)]).points:
        assert point.code in POINTS
        assert not point.fault or point.fault in FAULTS


def test_every_game_is_for_as_many_people_as_the_rules_say() -> None:
    assert {key.value: n for key, n in PEOPLE.items()} == {k: g.people for k, g in GAMES.items()}
