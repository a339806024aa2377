"""Who gets the pictures of the camera: at a real table only phones that are paired now."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import example_pages
from tests.web.views.test_arbiter import PHONE, PairingTable, fields_of
from web.app import create_app
from web.contract import LivePicture, PictureAudience
from web.known_phones import PAIRING_COOKIE
from web.table_client import ConnectionLost
from web.views import sse

JPEG = b"\xff\xd8\xff\xe0 the room"
ROUTES = ("/live.jpg", "/live")
SETUP = "/arbiter/setup/board"
ENDS_S = 4.0
"""Seconds within which a stream ends that its phone may not see any more."""


@pytest.fixture
def table() -> Iterator[PairingTable]:
    table = PairingTable(Path("/nowhere"))
    table.hear(replace(example_pages.duo_unsure(), pictures=PictureAudience.PAIRED))
    table.hear(LivePicture(JPEG))
    table.know(PHONE)
    yield table
    table.close()


@pytest.fixture
def client(table: PairingTable) -> FlaskClient:
    return create_app(table, streams=4).test_client()


def first_bytes(answer: TestResponse) -> bytes:
    """Returns the first part of an answer, which may be a stream without an end."""
    return next(iter(answer.iter_encoded()), b"")


def shows_room(client: FlaskClient, path: str) -> bool:
    answer = client.get(path, buffered=False)
    shown = JPEG in first_bytes(answer)
    answer.close()
    assert shown == (answer.status_code == 200)
    return shown


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("token", ["", "a-token-of-another-table", PHONE + "x", "\x00"])
def test_a_phone_without_a_right_token_gets_no_picture(
    client: FlaskClient, path: str, token: str
) -> None:
    if token:
        client.set_cookie(PAIRING_COOKIE, token)
    answer = client.get(path)
    assert (answer.status_code, JPEG in answer.data) == (403, False)
    assert "paired phones" in answer.text
    assert "live.jpg" not in client.get("/").text
    assert client.get("/page.json").get_json()["pictures"] == "nobody"
    assert "corners" not in client.get(SETUP).text
    for role in ("watcher", "arbiter"):
        fragments = client.get(f"/fragments.json?for={role}").get_json()["fragments"]
        assert "live.jpg" not in fragments["camera"]
        assert "setup" not in fragments


def test_the_picture_of_a_doubt_is_for_paired_phones_and_stays(
    client: FlaskClient, table: PairingTable
) -> None:
    assert client.get("/doubt.jpg").status_code == 403
    assert "question" not in client.get("/fragments.json?for=arbiter").get_json()["fragments"]
    client.set_cookie(PAIRING_COOKIE, PHONE)
    table.hear(LivePicture(JPEG + b" later"))
    answer = client.get("/doubt.jpg")
    assert answer.data == JPEG
    assert answer.cache_control.private
    again = client.get("/doubt.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    table.hear(replace(example_pages.duo_unsure(), pictures=PictureAudience.NOBODY))
    assert client.get("/doubt.jpg").status_code == 204
    table.hear(replace(example_pages.empty(), pictures=PictureAudience.PAIRED))
    assert client.get("/doubt.jpg").status_code == 204
    table.hear(ConnectionLost("it hung up"))
    table.hear(replace(example_pages.duo_unsure(), pictures=PictureAudience.PAIRED))
    assert client.get("/doubt.jpg").status_code == 403, "nobody is known while the table is away"


@pytest.mark.parametrize("path", ROUTES)
def test_a_paired_phone_gets_pictures_until_it_is_unpaired(
    client: FlaskClient, table: PairingTable, path: str
) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    assert shows_room(client, path)
    assert "live.jpg" in client.get("/arbiter").text
    assert "live.jpg" in client.get(SETUP).text
    etag = client.get("/live.jpg").headers["ETag"]
    token = fields_of(client)["token"]
    client.post("/unpair", data={"token": token}, headers={"Origin": "http://localhost"})
    client.set_cookie(PAIRING_COOKIE, PHONE)  # a phone that keeps its cookie all the same
    assert not shows_room(client, path)
    assert client.get("/live.jpg", headers={"If-None-Match": etag}).status_code == 403
    assert "live.jpg" not in client.get("/arbiter").text
    assert "live.jpg" not in client.get(SETUP).text


@pytest.mark.parametrize("path", ROUTES)
def test_while_the_table_is_away_nobody_is_known(
    client: FlaskClient, table: PairingTable, path: str
) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    table.hear(ConnectionLost("it hung up"))
    assert not shows_room(client, path)
    table.know(PHONE)
    assert shows_room(client, path)


@pytest.mark.parametrize("way", ["unpaired", "table away", "no pictures any more"])
@pytest.mark.parametrize("goes_on", [True, False], ids=["with pictures", "without"])
def test_an_open_stream_ends_when_its_phone_may_not_see_it_any_more(
    client: FlaskClient, table: PairingTable, way: str, *, goes_on: bool
) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    stream = client.get("/live", buffered=False).iter_encoded()
    assert JPEG in next(stream)
    if way == "unpaired":
        table.know("another-phone")
    elif way == "table away":
        table.hear(ConnectionLost("it hung up"))
    else:
        table.hear(example_pages.duo_unsure())
    if goes_on:
        table.hear(LivePicture(JPEG + b" later"))
    begun = time.monotonic()
    assert list(stream) == []
    assert time.monotonic() - begun < ENDS_S


def test_a_change_of_the_page_sends_no_picture_again(
    client: FlaskClient, table: PairingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "GLANCE_S", 0.05)
    client.set_cookie(PAIRING_COOKIE, PHONE)
    stream = client.get("/live", buffered=False).iter_encoded()
    next(stream)
    table.know(PHONE, "another-phone")
    waiting = threading.Timer(0.3, lambda: table.hear(LivePicture(JPEG + b" later")))
    waiting.start()
    assert next(stream).endswith(JPEG + b" later\r\n")
    waiting.join()


def test_a_picture_for_everybody_is_shown_to_all_even_while_the_table_is_away(
    client: FlaskClient, table: PairingTable
) -> None:
    table.hear(replace(example_pages.duo_unsure(), pictures=PictureAudience.EVERYBODY))
    assert all(shows_room(client, path) for path in ROUTES)
    table.hear(ConnectionLost("it hung up"))
    assert all(shows_room(client, path) for path in ROUTES)
    assert "live.jpg" in client.get("/").text


def test_pictures_are_stored_by_no_shared_cache(client: FlaskClient) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    headers = client.get("/live.jpg").headers
    assert "private" in headers["Cache-Control"]
    assert "Cookie" in headers["Vary"]
