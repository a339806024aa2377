import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.conftest import ROOT
from tests.support import example_pages
from tests.support.plain_reader import PageParser
from web.app import create_app
from web.contract import (
    LivePicture,
    Page,
    PictureAudience,
    RefereeState,
    RefereeStatus,
)
from web.presentation.fragments import SHOWS
from web.request_guard import host_is_ours
from web.table_client import ConnectionLost, TableClient
from web.views import streams as streams_module

NASTY = '<script>alert("x")</script><b onload=1>&amp;\'"'
JPEG = b"\xff\xd8\xff\xe0 picture"


@pytest.fixture
def link(tmp_path: Path) -> Iterator[TableClient]:
    link = TableClient(tmp_path / "table.sock")
    yield link
    link.close()


@pytest.fixture
def app(link: TableClient) -> Flask:
    return create_app(link, streams=2)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def read(client: FlaskClient, path: str = "/") -> PageParser:
    answer = client.get(path)
    assert answer.status_code == 200
    return PageParser(answer.text)


@pytest.mark.parametrize("path", ["/", "/tv"])
@pytest.mark.parametrize("name", example_pages.ALL)
def test_the_first_paint_needs_no_script(
    link: TableClient, client: FlaskClient, name: str, path: str
) -> None:
    page = example_pages.ALL[name]()
    link.hear(page)
    reader = read(client, path)
    scores = [a for tag, a in reader.tags if tag == "strong" and "data-score" in a]
    assert len(scores) == len(page.sides)
    for colour in page.colours:
        if colour.score is not None:
            assert str(colour.score).replace("-", "−") in reader.text
        assert colour.player in reader.text
    pieces = [a for tag, a in reader.tags if tag == "g" and "data-mark" in a]
    assert len(pieces) == len(page.pieces + page.to_lift)
    body = next(a for tag, a in reader.tags if tag == "body")
    assert body["data-state"] == page.state.code
    assert body["data-ply"] == str(page.ply)


def test_the_sentence_is_on_the_page(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.duo_refused())
    assert "Ben, orange pieces may touch each other only at corners:" in read(client).text
    link.hear(example_pages.duo_over())
    assert "Game over: Ben wins by 6; points: −18 against −24." in read(client).text


def test_before_the_table_begins_the_page_says_so(client: FlaskClient) -> None:
    assert "Waiting for the table to begin." in read(client).text
    assert client.get("/page.json").status_code == 503


def test_a_table_that_is_gone_is_reported_and_its_last_word_stays(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(example_pages.duo_refused())
    link.hear(ConnectionLost("it hung up"))
    reader = read(client)
    assert "The table does not answer." in reader.text
    assert "−54" in reader.text


def test_no_script_and_no_style_is_inline_and_nothing_comes_from_elsewhere(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(replace(example_pages.classic_middle(), pictures=PictureAudience.EVERYBODY))
    for path in ("/", "/tv"):
        answer = client.get(path)
        assert "style=" not in answer.text
        assert "<style" not in answer.text
        assert not re.search(r"\son\w+=", answer.text)
        for tag, attributes in PageParser(answer.text).tags:
            for name in ("src", "href"):
                if name in attributes:
                    assert (attributes[name] or "").startswith("/"), tag
            assert tag != "script" or "src" in attributes


def test_text_from_people_never_becomes_markup(link: TableClient, client: FlaskClient) -> None:
    page = example_pages.duo_refused()
    colours = tuple(replace(colour, player=NASTY, name=NASTY) for colour in page.colours)
    lost = RefereeStatus(RefereeState.BOARD_LOST)
    clean = read_of(link, client, replace(page, title="x", state=RefereeStatus(RefereeState.HAND)))
    nasty = read_of(link, client, replace(page, title=NASTY, colours=colours, state=lost))
    assert nasty.text.count(NASTY) >= 4
    assert {tag for tag, _ in nasty.tags} == {tag for tag, _ in clean.tags}
    scripts = [a.get("src") for tag, a in nasty.tags if tag == "script"]
    assert scripts == ["/static/device.js", "/static/live.js", "/static/club.js"]
    assert not any(a.get("onload") for _, a in nasty.tags)


def read_of(link: TableClient, client: FlaskClient, page: Page) -> PageParser:
    link.hear(page)
    return read(client)


@pytest.mark.parametrize("path", ["/", "/tv", "/events", "/page.json", "/fragments.json", "/none"])
def test_every_answer_is_locked_up(link: TableClient, client: FlaskClient, path: str) -> None:
    link.hear(example_pages.empty())
    headers = client.get(path, buffered=False).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Set-Cookie" not in headers


CHANGING = {
    "/language",
    "/pair",
    "/unpair",
    "/arbiter/say",
    "/play/begin",
    "/play/act",
    "/club",
    "/camera/take",
    "/camera/show",
    "/camera/picture",
    "/camera/judge",
}
"""The only paths that accept a POST."""


def test_a_get_changes_nothing_and_little_can_be_posted(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        methods = {"POST", "OPTIONS"} if rule.rule in CHANGING else {"GET", "HEAD", "OPTIONS"}
        assert rule.methods == methods, rule
    assert {rule.rule for rule in app.url_map.iter_rules()} >= CHANGING


@pytest.mark.parametrize("path", sorted(CHANGING))
def test_the_address_of_a_form_leads_to_its_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.location) == (303, path.rpartition("/")[0] or "/")
    assert client.get(answer.location).status_code == 200


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.7", True),
        ("[::1]:8000", True),
        ("[fe80::1]", True),
        ("cornerlight.local", True),
        ("CornerLight.local.:80", True),
        ("cornerlight", True),
        ("cornerlight.example.org", True),
        ("evil.example", False),
        ("local.evil.example:8000", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        (":8000", False),
        ("[evil.example]", False),
    ],
)
def test_only_names_that_mean_this_machine_are_served(host: str, *, ours: bool) -> None:
    assert host_is_ours(host, {"cornerlight.example.org"}) is ours


def test_a_page_under_a_stranger_s_name_is_refused(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.empty())
    for path in ("/", "/page.json", "/events", "/live.jpg", "/static/style.css"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 421
        assert "purple" not in answer.text


def test_page_json_is_the_page(link: TableClient, client: FlaskClient) -> None:
    page = example_pages.classic_middle()
    link.hear(page)
    answer = client.get("/page.json")
    assert answer.mimetype == "application/json"
    assert Page.from_json(answer.data) == page


def events(client: FlaskClient, path: str = "/events") -> Iterator[str]:
    answer = client.get(path, buffered=False)
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    text = ""
    for chunk in answer.response:
        text += chunk if isinstance(chunk, str) else chunk.decode()
        while "\n\n" in text:
            event, _, text = text.partition("\n\n")
            yield event


def test_one_address_holds_half_of_its_connections_with_streams(link: TableClient) -> None:
    link.hear(example_pages.empty())
    link.hear(example_pages.PHONES)
    app = create_app(link, streams=20)

    def watches(address: str, *, known: bool = False) -> TestResponse:
        client = app.test_client()
        if known:
            client.set_cookie("pairing", example_pages.TOKEN)
        return client.get("/events", buffered=False, environ_base={"REMOTE_ADDR": address})

    with ExitStack() as held:
        crowd = [held.enter_context(watches("10.0.0.1")) for _ in range(9)]
        assert [one.status_code for one in crowd] == [200] * 8 + [503]
        assert held.enter_context(watches("10.0.0.1", known=True)).status_code == 200
        assert held.enter_context(watches("10.0.0.2")).status_code == 200
        for one in crowd[:2]:
            one.close()
        assert held.enter_context(watches("10.0.0.1")).status_code == 200


def test_this_machine_holds_as_many_streams_as_there_are(link: TableClient) -> None:
    link.hear(example_pages.empty())
    app = create_app(link, streams=20)
    with ExitStack() as held:
        for _ in range(20):
            stream = app.test_client().get("/events", buffered=False)
            assert held.enter_context(stream).status_code == 200


def news_of(event: str) -> dict[str, object]:
    news = json.loads(event.partition("data: ")[2])
    assert isinstance(news, dict)
    return news


def test_a_stream_begins_with_the_whole_state(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.empty())
    link.hear(example_pages.duo_refused())
    stream = events(client)
    assert next(stream) == "retry: 2000"
    news = news_of(next(stream))
    assert news["state"] == "refused"
    assert news["ply"] == 15
    assert news["connected"] is True
    fragments = news["fragments"]
    assert isinstance(fragments, dict)
    assert set(fragments) == {*SHOWS, "hall", "club", "seats"}
    assert "take the piece back" in fragments["state"]


def test_a_stream_then_says_only_what_changed(link: TableClient, client: FlaskClient) -> None:
    page = example_pages.empty()
    link.hear(page)
    stream = events(client)
    next(stream), next(stream)
    link.hear(replace(page, revision=1, state=RefereeStatus(RefereeState.HAND)))
    news = news_of(next(stream))
    assert news["fragments"] == {"state": client_fragment(client, "state")}
    assert news["state"] == "hand"


def client_fragment(client: FlaskClient, key: str) -> str:
    text = client.get("/fragments.json").get_json()["fragments"][key]
    assert isinstance(text, str)
    return text


def test_who_has_the_page_is_not_sent_it_again(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.empty())
    body = next(a for tag, a in read(client).tags if tag == "body")
    stream = events(client, f"/events?shown={body['data-shown']}")
    next(stream)
    assert news_of(next(stream))["fragments"] == {}
    link.hear(example_pages.duo_refused())
    stream = events(client, f"/events?shown={body['data-shown']}")
    next(stream)
    assert news_of(next(stream))["fragments"] != {}


@pytest.mark.parametrize("name", example_pages.ALL)
def test_a_stream_can_say_whatever_a_page_can(
    link: TableClient, client: FlaskClient, name: str
) -> None:
    """The page is rendered first in the stream, outside the context of the request."""
    stream = events(client)
    next(stream), next(stream)
    link.hear(replace(example_pages.ALL[name](), pictures=PictureAudience.EVERYBODY))
    fragments = news_of(next(stream))["fragments"]
    assert isinstance(fragments, dict)
    assert "/live.jpg" in fragments["camera"]


def test_a_slow_stream_skips_to_the_newest(link: TableClient, client: FlaskClient) -> None:
    page = example_pages.empty()
    link.hear(page)
    stream = events(client)
    next(stream), next(stream)
    for revision in range(1, 100):
        link.hear(replace(page, revision=revision, state=RefereeStatus(RefereeState.HAND)))
    assert news_of(next(stream))["revision"] == 99


def test_a_stream_that_has_nothing_to_say_says_that_it_lives(
    link: TableClient, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams_module, "KEEP_ALIVE_S", 0.02)
    monkeypatch.setattr(streams_module, "GLANCE_S", 0.01)
    stream = events(client)
    next(stream), next(stream)
    assert next(stream) == ": alive\nevent: alive\ndata:"


def test_a_stream_ends_with_its_link(link: TableClient, client: FlaskClient) -> None:
    stream = events(client)
    next(stream), next(stream)
    link.close()
    assert list(stream) == []


def test_above_the_limit_watchers_are_asked_to_poll(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.duo_refused())
    watching = [client.get("/events", buffered=False) for _ in range(2)]
    refused = client.get("/events")
    assert refused.status_code == 503
    assert "Retry-After" in refused.headers
    assert "poll" in refused.text
    assert client.get("/fragments.json").get_json()["state"] == "refused"
    watching.pop().close()
    assert client.get("/events", buffered=False).status_code == 200


def test_polling_costs_nothing_while_nothing_changes(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(example_pages.empty())
    etag = client.get("/fragments.json").headers["ETag"]
    again = client.get("/fragments.json", headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    link.hear(example_pages.duo_refused())
    assert client.get("/fragments.json", headers={"If-None-Match": etag}).status_code == 200


def test_pictures_are_shown_only_where_the_table_offers_them(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(LivePicture(JPEG))
    link.hear(example_pages.empty())
    assert (client.get("/live.jpg").status_code, client.get("/live.jpg").data) == (204, b"")
    assert "live.jpg" not in client.get("/").text
    link.hear(replace(example_pages.empty(), pictures=PictureAudience.EVERYBODY))
    answer = client.get("/live.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", JPEG)
    assert "/live.jpg" in client.get("/").text
    again = client.get("/live.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    link.hear(LivePicture(JPEG + b"2"))
    newer = client.get("/live.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert newer.data == JPEG + b"2"


@pytest.mark.parametrize("name", example_pages.ALL)
def test_the_page_is_light(link: TableClient, client: FlaskClient, name: str) -> None:
    link.hear(example_pages.ALL[name]())
    scripts = ("live.js", "device.js", "club.js")
    files = ("style.css", "icon.svg", *scripts)
    paths = ("/", *(f"/static/{file}" for file in files))
    weight = 0
    for path in paths:
        with client.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
            weight += len(answer.data)
    assert weight < 29_000


def test_the_menu_has_the_address_of_the_overlay_to_copy(client: FlaskClient) -> None:
    text = client.get("/arbiter", base_url="http://cornerlight.local:8000").text
    assert 'readonly value="http://cornerlight.local:8000/overlay"' in text
    assert client.get("/overlay").status_code == 200


def test_a_shared_colour_and_pairs_have_their_cards(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.page_of(example_pages.played("classic-3", 9)))
    text = client_fragment(client, "scores")
    assert text.count('<li class="card"') == 4
    assert "shared" in text
    link.hear(example_pages.page_of(example_pages.played("classic-2", 9)))
    text = client_fragment(client, "scores")
    assert text.count('<li class="card"') == 2
    assert 'data-score="blue red"' in text


def test_only_a_game_with_moves_has_a_moving_picture(
    link: TableClient, client: FlaskClient
) -> None:
    over = replace(example_pages.duo_over(), name="000001-duo")
    shown = []
    for page in (over, replace(over, moves=(), pieces=())):
        link.hear(page)
        text = client_fragment(client, "result")
        shown.append(('href="/picture.png"' in text, "/games/000001-duo/picture.webp" in text))
    assert shown == [(True, True), (True, False)]


@pytest.mark.parametrize("name", SHOWS)
def test_a_fragment_shows_no_more_of_the_view_than_it_is_made_again_for(name: str) -> None:
    template = ROOT / "web" / "templates" / "fragments" / f"{name}.html"
    shown = set(re.findall(r"\bview\.((?:page\.)?\w+)", template.read_text()))
    assert shown <= set(SHOWS[name])
