import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support import example_pages
from tests.support.plain_reader import PageParser
from web.app import ProgramFacts, create_app
from web.contract import (
    ClubTable,
    GameKey,
    HallState,
    MatchOffer,
    MatchPlayer,
    NextMatch,
    OfferedMatch,
)
from web.presentation.overlay_options import PARTS
from web.table_client import ConnectionLost, TableClient


@pytest.fixture
def link(tmp_path: Path) -> Iterator[TableClient]:
    link = TableClient(tmp_path / "table.sock")
    yield link
    link.close()


@pytest.fixture
def client(link: TableClient) -> FlaskClient:
    return create_app(link, streams=2).test_client()


def parts_of(text: str) -> list[str]:
    return re.findall(r'<section id="overlay-(\w+)">', text)


@pytest.mark.parametrize("name", example_pages.ALL)
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_whole_state_is_there_on_load(
    link: TableClient, client: FlaskClient, name: str, language: str
) -> None:
    page = example_pages.ALL[name]()
    link.hear(page)
    answer = client.get(f"/overlay?lang={language}")
    assert answer.status_code == 200
    assert tuple(parts_of(answer.text)) == PARTS
    reader = PageParser(answer.text)
    pieces = [a for tag, a in reader.tags if tag == "g" and "data-mark" in a]
    assert len(pieces) == len(page.pieces + page.to_lift)
    for side in page.sides:
        assert str(side.score).replace("-", "−") in reader.text
    assert 'style="' not in answer.text


def test_only_the_chosen_parts_are_there(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.duo_over())
    answer = client.get("/overlay?parts=clock,names&side=left&safe=7")
    assert parts_of(answer.text) == ["names", "clock"]
    assert 'data-side="left"' in answer.text
    assert 'data-safe="7"' in answer.text


def test_before_the_table_serves_it_is_empty_and_no_error(client: FlaskClient) -> None:
    answer = client.get("/overlay")
    assert answer.status_code == 200
    assert tuple(parts_of(answer.text)) == PARTS
    assert "data-used" not in answer.text


def test_after_the_loss_of_the_table_the_last_state_stays(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(example_pages.duo_refused())
    assert 'data-silent=""' in client.get("/overlay").text
    link.hear(ConnectionLost("it hung up"))
    time.sleep(0.05)
    answer = client.get("/overlay")
    assert "−54" in answer.text
    silent = re.search(r'<body[^>]* data-silent="(\d+)"', answer.text)
    assert silent is not None
    assert 50 <= int(silent[1]) < 5000


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("hints=1", "An overlay has no parameter “hints”. It has parts, lang, side, safe, delay."),
        ("table=7", "An overlay has no parameter “table”. It has parts, lang, side, safe, delay."),
        ("delay=4000", "“4000” is no value for delay. Right is: 0-3600."),
        ("lang=de&side=up", "„up“ ist kein Wert für side. Richtig ist: right, left."),
        ("lang=fr", "“fr” is no value for lang. Right is: en, de, ja."),
    ],
)
@pytest.mark.parametrize("path", ["/overlay", "/overlay/events", "/overlay/fragments.json"])
def test_a_wrong_parameter_is_one_sentence(
    client: FlaskClient, path: str, query: str, sentence: str
) -> None:
    answer = client.get(f"{path}?{query}")
    assert answer.status_code == 400
    assert PageParser(answer.text).text.split("Cornerlight", 1)[1].strip() == sentence


def test_what_a_stranger_writes_into_the_address_is_escaped(client: FlaskClient) -> None:
    answer = client.get("/overlay?<script>alert(1)</script>=1")
    assert "<script>alert" not in answer.text


def test_names_are_escaped(link: TableClient, client: FlaskClient) -> None:
    page = example_pages.duo_over()
    named = replace(page, colours=tuple(replace(c, player="<b>x</b>") for c in page.colours))
    link.hear(named)
    for path in ("/overlay", "/overlay/fragments.json"):
        assert "<b>x</b>" not in client.get(path).text


@pytest.mark.parametrize("query", ["", "?delay=0", "?delay=1"])
def test_nobody_shortens_the_delay_of_the_operator(link: TableClient, query: str) -> None:
    app = create_app(link, facts=ProgramFacts(overlay_delay_s=2))
    try:
        client = app.test_client()
        time.sleep(0.1)
        link.hear(example_pages.duo_over())
        for path in ("/overlay", "/overlay/fragments.json"):
            answer = client.get(path + query)
            assert answer.status_code == 200
            assert "Anna" not in answer.text
        wait = json.loads(client.get("/overlay/fragments.json" + query).text)["wait"]
        assert 1000 < wait <= 2000
        time.sleep(2.7)
        assert "Anna" in client.get("/overlay" + query).text
    finally:
        app.extensions["streams"].close()


def test_a_viewer_can_lengthen_the_delay(link: TableClient) -> None:
    app = create_app(link, facts=ProgramFacts(overlay_delay_s=1))
    try:
        link.hear(example_pages.duo_over())
        time.sleep(2)
        client = app.test_client()
        assert "Anna" in client.get("/overlay").text
        assert "Anna" not in client.get("/overlay?delay=3600").text
    finally:
        app.extensions["streams"].close()


def test_the_stream_sends_the_state_and_each_change(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.empty())
    stream = client.get("/overlay/events?parts=score,last").iter_encoded()
    assert next(stream) == b"retry: 2000\n\n"
    first = json.loads(next(stream).removeprefix(b"data: "))
    assert first["silent"] is None
    assert set(first["fragments"]) == {"score", "last"}
    assert first["fragments"]["last"] == ""
    link.hear(example_pages.duo_over())
    second = json.loads(next(stream).removeprefix(b"data: "))
    assert "Ben wins" in second["fragments"]["last"]
    assert next(stream) == b"event: alive\ndata:\n\n"


def test_a_stream_without_a_free_place_is_refused(client: FlaskClient, link: TableClient) -> None:
    link.hear(example_pages.empty())
    held = [client.get("/overlay/events") for _ in range(2)]
    assert [answer.status_code for answer in held] == [200, 200]
    assert client.get("/overlay/events").status_code == 503
    assert client.get("/overlay/fragments.json").status_code == 200


def test_who_meets_next_comes_from_the_hall(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.duo_over())
    hall = HallState("Open", "7", next=NextMatch(2, ("Chie D.", "Ed F.")))
    link.hear(ClubTable(hall=hall))
    assert "Next: Chie D. – Ed F." in client.get("/overlay?parts=next").text
    match = OfferedMatch(
        "2-07", 2, GameKey.DUO, (MatchPlayer("P1", "Gil"), MatchPlayer("P2", "Ha"))
    )
    link.hear(ClubTable(hall=hall, offer=MatchOffer(match)))
    assert "Next: Gil – Ha" in client.get("/overlay?parts=next").text
