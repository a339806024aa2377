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
from web.app import create_app
from web.presentation.overlay import PARTS
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
        left = sum(len(one.squares) for at in side.colours for one in page.colours[at].left)
        shown = side.score if page.finished else left
        assert str(shown).replace("-", "−") in reader.text
    assert 'style="' not in answer.text


def test_before_the_table_serves_it_is_empty_and_no_error(client: FlaskClient) -> None:
    answer = client.get("/overlay")
    assert answer.status_code == 200
    assert tuple(parts_of(answer.text)) == PARTS
    assert "data-used" not in answer.text
    texts = answer.text, client.get("/overlay").text
    first, later = (re.findall(r'data-silent="(\d+)"', text)[0] for text in texts)
    assert 0 < int(first) <= int(later), "a table that was never there stays away"


def test_after_the_loss_of_the_table_the_last_state_stays(
    link: TableClient, client: FlaskClient
) -> None:
    link.hear(example_pages.duo_refused())
    assert 'data-silent=""' in client.get("/overlay").text
    link.hear(ConnectionLost("it hung up"))
    time.sleep(0.05)
    answer = client.get("/overlay")
    assert "<b>54</b>" in answer.text
    silent = re.search(r'<body[^>]* data-silent="(\d+)"', answer.text)
    assert silent is not None
    assert 50 <= int(silent[1]) < 5000


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("hints=1", "An overlay has no parameter “hints”. It has lang."),
        ("delay=30", "An overlay has no parameter “delay”. It has lang."),
        ("lang=de&table=7", "Ein Overlay hat keinen Parameter „table“. Es gibt lang."),
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


def test_the_stream_sends_the_state_and_each_change(link: TableClient, client: FlaskClient) -> None:
    link.hear(example_pages.empty())
    stream = client.get("/overlay/events").iter_encoded()
    assert next(stream) == b"retry: 2000\n\n"
    first = json.loads(next(stream).removeprefix(b"data: "))
    assert first["silent"] is None
    assert tuple(first["fragments"]) == PARTS
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
