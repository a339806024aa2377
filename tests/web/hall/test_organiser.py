"""The organiser's pages: who may see and send what, and what a stranger may not."""

import time
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from firmware.hall.tournament.codes import HallRefusal, PublicForm
from tests.support.fake_hall import (
    NAMES,
    NUMBER,
    ORGANISER,
    FakeHall,
    example_page,
    with_players,
    with_rounds,
)
from tests.support.hall_commands import confirm_report, publish_round, swap_players, type_result
from tests.support.wall_clock import WALL_CLOCK
from web.contract import PairedPhones
from web.hall.app import LONGEST_LIST, create_hall_app
from web.hall.commands import (
    MOST_PLAYERS,
    EnterPlayers,
    HallReply,
    NewPlayer,
)
from web.hall.page import HallPage
from web.i18n.texts import texts_of

PAGES = (
    "/organiser",
    "/organiser/tables/2",
    "/organiser/round/1",
    "/organiser/round/2",
    "/organiser/round/2/swap",
    "/organiser/match/2-03",
    "/organiser/players",
    "/organiser/players/P08",
    "/organiser/standings",
    "/organiser/settings",
)
JSON, HTML = "application/json", "text/html"
HOME = {"Origin": "http://localhost"}


@pytest.fixture
def hall() -> FakeHall:
    return FakeHall()


def phone(hall: FakeHall, token: str = ORGANISER, language: str = "en") -> FlaskClient:
    client = create_hall_app(hall).test_client()
    if token:
        client.set_cookie("pairing", token)
    client.set_cookie("language", language)
    return client


def form_token(client: FlaskClient) -> str:
    text = client.get("/organiser").text
    return text.partition('name="token" value="')[2].partition('"')[0]


def send(client: FlaskClient, word: str, accept: str = JSON, **fields: str) -> TestResponse:
    form = {"token": form_token(client), "id": "request-1", "word": word, **fields}
    return client.post("/organiser/say", data=form, headers={**HOME, "Accept": accept})


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_shown_in_every_language(path: str, language: str) -> None:
    answer = phone(FakeHall(), language=language).get(path)
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert f'<html lang="{language}"' in answer.text
    assert "data-connection" in answer.text


@pytest.mark.parametrize("path", PAGES)
def test_every_page_stands_before_anything_is_set_up(path: str) -> None:
    empty = FakeHall(HallPage(hall="Club"))
    answer = phone(empty).get(path)
    is_there = path == "/organiser/round/1" or not any(sign.isdigit() for sign in path)
    assert answer.status_code == (200 if is_there else 404)


def test_the_first_round_can_be_opened_before_it_is_drawn() -> None:
    empty = FakeHall(with_rounds(example_page()))
    client = phone(empty)
    assert client.get("/organiser/round", follow_redirects=True).status_code == 200
    assert client.get("/organiser/round/2").status_code == 404
    assert client.get("/organiser/round/999999").status_code == 404


@pytest.mark.parametrize("path", [*PAGES, "/fragments.json?for=tables", "/events?for=round-2"])
def test_a_stranger_sees_nothing_of_it(hall: FakeHall, path: str) -> None:
    for token in ("", "x" * 43, "<script>"):
        answer = phone(hall, token).get(path)
        assert "Kowalski" not in answer.text
        assert answer.status_code in (200, 403)
        assert answer.status_code == 403 or "one-time-code" in answer.text


def test_a_strangers_post_is_refused(hall: FakeHall) -> None:
    stranger = phone(hall, "")
    assert send(stranger, "draw", round="3", revision="0").status_code == 409
    assert not hall.asked


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({}, None),
        ({"Origin": "http://elsewhere.example"}, None),
        ({"Origin": "null"}, None),
        ({**HOME, "Sec-Fetch-Site": "cross-site"}, None),
        (HOME, "forged"),
        (HOME, ""),
    ],
)
def test_a_forged_post_is_refused(
    hall: FakeHall, headers: dict[str, str], token: str | None
) -> None:
    client = phone(hall)
    form = {"token": form_token(client) if token is None else token, "word": "publish"}
    form |= {"id": "request-1", "round": "2", "revision": "4"}
    assert client.post("/organiser/say", data=form, headers=headers).status_code == 403
    assert not hall.asked


def test_a_post_in_another_form_or_too_large_is_refused(hall: FakeHall) -> None:
    client = phone(hall)
    answer = client.post("/organiser/say", json={"word": "publish"}, headers=HOME)
    assert answer.status_code == 415
    large = send(client, "enter", names="x" * LONGEST_LIST)
    assert large.status_code == 413
    assert not hall.asked


def test_a_flood_of_posts_is_slowed_down(hall: FakeHall) -> None:
    client = phone(hall)
    codes = {send(client, "publish", round="2", revision="4").status_code for _ in range(40)}
    assert 429 in codes


def test_a_number_pairs_a_phone_and_a_wrong_one_does_not(hall: FakeHall) -> None:
    client = phone(hall, "")
    token = form_token(client)
    wrong = client.post("/pair", data={"token": token, "number": "1"}, headers=HOME)
    assert wrong.headers["Location"].endswith("reply=wrong-number")
    typed = " ".join((NUMBER[:4], NUMBER[4:8], NUMBER[8:]))
    right = client.post("/pair", data={"token": token, "number": typed}, headers=HOME)
    cookie = right.headers["Set-Cookie"]
    assert ORGANISER in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_a_command_reaches_the_hall_as_it_was_sent(hall: FakeHall) -> None:
    client = phone(hall)
    assert send(client, "publish", round="2", revision="4").json["said"] == "Done."  # type: ignore[index]
    fields = {
        "player": ["P05", "P06"],
        "score-0": "-20",
        "score-1": "+3",
        "reason": " seen  by me ",
    }
    form = {"token": form_token(client), "id": "request-2", "word": "type:2-03"}
    client.post(
        "/organiser/say",
        data={**form, "round": "2", "revision": "4", **fields},
        headers={**HOME, "Accept": JSON},
    )
    assert hall.asked == [
        publish_round(2, 4),
        type_result(2, 4, "2-03", (-20, 3), "seen by me"),
    ]


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("", {}),
        ("destroy", {}),
        ("publish", {}),
        ("publish", {"round": "two", "revision": "1"}),
        ("publish", {"round": "２", "revision": "1"}),
        ("publish", {"round": "2", "revision": "99999999999999999999"}),
        ("confirm", {"round": "2", "revision": "x"}),
        ("clock:2:explode", {}),
        ("clock:2:add:999999", {}),
        ("set-up", {"game": "chess"}),
        ("set-up", {"game": "duo", "rounds": "0", "event": "x"}),
        ("set-up", {"game": "duo", "rounds": "3", "event": "x", "tie-break-0": "luck"}),
        ("enter", {"names": ""}),
        ("enter", {"names": "\n\n \n"}),
        ("delay", {"seconds": "-1"}),
        ("swap", {"round": "1", "revision": "1", "one": "P01", "other": "P01"}),
    ],
)
def test_what_is_no_command_is_refused_in_one_sentence(
    hall: FakeHall, word: str, fields: dict[str, str]
) -> None:
    answer = send(phone(hall), word, **fields)
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["said"].endswith(".")
    assert not hall.asked


def test_a_list_is_entered_without_numbers_and_empty_lines(hall: FakeHall) -> None:
    names = "1. Anna Kern\r\n2) Ben  Lind\n\n  Cleo\t\n👩‍👩‍👧‍👦\nمحمد عبد الله\n7 Samurai\n2.\n"
    assert send(phone(hall), "enter", names=names, form="id", minor="1").status_code == 200
    [command] = hall.asked
    assert isinstance(command, EnterPlayers)
    wanted = ("Anna Kern", "Ben Lind", "Cleo", "👩‍👩‍👧‍👦", "محمد عبد الله", "Samurai", "2.")
    assert command.players == tuple(
        NewPlayer(name, PublicForm.ID, is_minor=True) for name in wanted
    )


@pytest.mark.parametrize(
    ("name", "detail"),
    [("x" * 41, "x" * 41), ("\u3164", "U+3164"), ("\u0410nna", "Anna"), ("An\u200bna", "Anna")],
)
def test_a_name_that_cannot_be_is_named_in_the_answer(
    hall: FakeHall, name: str, detail: str
) -> None:
    answer = send(phone(hall), "enter", names=f"Anna\n{name}")
    assert answer.status_code == 400
    assert detail in (answer.json or {})["said"]
    assert not hall.asked


def test_a_name_is_entered_without_what_nobody_sees(hall: FakeHall) -> None:
    for place, name in enumerate(("B\u202eob", "C\x00leo", "\ufeffDan")):
        send(phone(hall), "enter", names=name, id=f"request-{place}")
    entered = [one.players[0].name for one in hall.asked if isinstance(one, EnterPlayers)]
    assert entered == ["Bob", "Cleo", "Dan"]


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_a_match_whose_table_has_an_earlier_game_says_so_on_both_pages(
    hall: FakeHall, language: str
) -> None:
    waits = texts_of(language)["match-states.waits"]
    tables = [replace(one, match="1-01", ply=9) for one in hall.page.tables[:1]]
    hall.show(replace(hall.page, tables=(*tables, *hall.page.tables[1:]), playing=frozenset()))
    for path in ("/organiser", "/organiser/round/2", "/organiser/match/2-01"):
        assert waits[1:] in phone(hall, language=language).get(path).text
    hall.show(replace(hall.page, tables=example_page().tables))
    assert waits[1:] not in phone(hall, language=language).get("/organiser/round/2").text


def test_ten_thousand_players_are_refused_at_once(hall: FakeHall) -> None:
    names = [f"P{at}" for at in range(10_000)]
    client = phone(hall)
    assert send(client, "enter", names="\n".join(names)).status_code == 413
    assert send(client, "enter", names="\n".join(names[: MOST_PLAYERS + 1])).status_code == 400
    assert not hall.asked


def test_without_scripts_a_reply_is_a_page(hall: FakeHall) -> None:
    client = phone(hall)
    fields = {"round": "2", "revision": "4", "back": "/organiser/round/2"}
    done = send(client, "publish", HTML, **fields)
    assert done.headers["Location"] == "/organiser/round/2?reply=done"
    hall.reply = HallReply(HallRefusal.RESULTS_MISSING, detail="2-03, <b>")
    refused = send(client, "lock", HTML, **fields, id="request-9")
    assert refused.status_code == 409
    assert "2-03, &lt;b&gt;" in refused.text
    number = send(client, "number", HTML, **fields, id="request-10")
    assert "1234 5678 9012" in number.text


@pytest.mark.parametrize(
    "back", ["//elsewhere.example", "https://elsewhere.example", "/organiser\\x", ""]
)
def test_nobody_is_sent_to_another_site(hall: FakeHall, back: str) -> None:
    fields = {"round": "2", "revision": "4", "back": back}
    answer = send(phone(hall), "publish", HTML, **fields)
    assert answer.headers["Location"] == "/organiser?reply=done"


def test_a_swap_is_of_two_players(hall: FakeHall) -> None:
    client = phone(hall)
    send(client, "swap", round="2", revision="4", one="P01", other="P03")
    assert hall.asked == [swap_players(2, 4, "P01", "P03")]


def test_the_same_request_sent_three_times_is_one(hall: FakeHall) -> None:
    client = phone(hall)
    for _ in range(3):
        send(client, "confirm:2-02:a1", round="2", revision="4")
    assert hall.asked == [confirm_report(2, 4, "2-02", "a1")]


def test_reports_stand_side_by_side_and_tables_worst_first(hall: FakeHall) -> None:
    text = phone(hall).get("/organiser/match/2-03").text
    assert text.count('class="report"') == 3
    assert text.count('value="confirm:2-03:') == 3
    first = phone(hall).get("/organiser").text
    states = [part.partition('"')[0] for part in first.split('<li data-state="')[1:]]
    assert states == [
        "fault", "call", "unsure", "refused", "offline", "playing", "finished", "waiting",
    ]  # fmt: skip


@pytest.mark.parametrize("token", [ORGANISER, ""])
def test_files_are_for_paired_phones(hall: FakeHall, token: str) -> None:
    client = phone(hall, token)
    answer = client.get("/organiser/files/standings.csv")
    assert answer.status_code == (200 if token else 303)
    assert client.get("/organiser/files/nothing.exe").status_code == (404 if token else 303)
    if token:
        assert "attachment" in answer.headers["Content-Disposition"]
        assert client.get("/organiser/files/standings.pdf").status_code == 404


@pytest.mark.parametrize(
    "name", ["nothing", "tables/../x", "match-9-99", "round-0", "player-P99", ""]
)
def test_screens_of_what_is_not_there_are_empty_or_missing(hall: FakeHall, name: str) -> None:
    answer = phone(hall).get("/fragments.json", query_string={"for": name})
    assert answer.status_code in (200, 404)


def test_only_what_changed_is_sent(hall: FakeHall) -> None:
    client = phone(hall)
    first = client.get("/fragments.json?for=tables")
    again = client.get(
        "/fragments.json?for=tables", headers={"If-None-Match": first.headers["ETag"]}
    )
    assert again.status_code == 304
    stream = client.get("/events?for=tables", buffered=False)
    parts = iter(stream.response)
    next(parts)
    assert b'"tables":' in _data(next(parts))
    hall.show(replace(hall.page, is_connected=False))
    data = _data(next(parts))
    assert b'"notices":' in data
    assert b'"tables":' not in data
    stream.close()


def _data(part: object) -> bytes:
    return part if isinstance(part, bytes) else str(part).encode()


def test_a_stream_ends_when_its_phone_is_unpaired(hall: FakeHall) -> None:
    stream = phone(hall).get("/events?for=tables", buffered=False)
    parts = iter(stream.response)
    next(parts), next(parts)
    hall.phones = PairedPhones()
    hall.show(replace(hall.page, is_connected=False))
    assert next(parts, None) is None


def test_names_of_any_script_do_not_mix_with_the_text_around_them(hall: FakeHall) -> None:
    text = phone(hall).get("/organiser/round/2").text
    assert "<bdi>محمد عبد الله</bdi>" in text


@WALL_CLOCK
@pytest.mark.slow
def test_a_thousand_players_are_listed_in_time(hall: FakeHall) -> None:
    many = [
        (f"P{at}", f"Name {at}", f"N{at}") for at in range(100, 1101 - len(NAMES))
    ]  # one has withdrawn
    hall.show(with_players(hall.page, *many))
    client = phone(hall)
    client.get("/organiser")
    began = time.monotonic()
    assert client.get("/organiser/players").text.count('<li><a class="row"') == 1000
    assert time.monotonic() - began < 1.0


@pytest.mark.parametrize(
    ("query", "paper"), [("", "a4"), ("?paper=letter", "letter"), ("?paper=parchment", "a4")]
)
def test_prints_are_for_the_paper_that_was_chosen(query: str, paper: str) -> None:
    hall = FakeHall()
    answer = phone(hall).get(f"/organiser/files/pairings.pdf{query}")
    assert answer.status_code == 200
    assert hall.paper == paper
