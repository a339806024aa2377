"""Who gets the pictures of the camera: at a real table only phones that are paired now."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support import example_pages
from tests.web.views.test_arbiter import PHONE, PairingTable, fields_of
from web.app import create_app
from web.contract import LivePicture, PictureAudience
from web.known_phones import PAIRING_COOKIE
from web.table_client import ConnectionLost

JPEG = b"\xff\xd8\xff\xe0 the room"
PICTURE = "/live.jpg"
SETUP = "/arbiter/setup/board"


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


def shows_room(client: FlaskClient) -> bool:
    answer = client.get(PICTURE)
    shown = JPEG in answer.data
    assert shown == (answer.status_code == 200)
    return shown


@pytest.mark.parametrize("token", ["", "a-token-of-another-table", PHONE + "x", "\x00"])
def test_a_phone_without_a_right_token_gets_no_picture(client: FlaskClient, token: str) -> None:
    if token:
        client.set_cookie(PAIRING_COOKIE, token)
    answer = client.get(PICTURE)
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


def test_a_paired_phone_gets_pictures_until_it_is_unpaired(
    client: FlaskClient, table: PairingTable
) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    assert shows_room(client)
    assert "live.jpg" in client.get("/arbiter").text
    assert "live.jpg" in client.get(SETUP).text
    etag = client.get("/live.jpg").headers["ETag"]
    token = fields_of(client)["token"]
    client.post("/unpair", data={"token": token}, headers={"Origin": "http://localhost"})
    client.set_cookie(PAIRING_COOKIE, PHONE)  # a phone that keeps its cookie all the same
    assert not shows_room(client)
    assert client.get("/live.jpg", headers={"If-None-Match": etag}).status_code == 403
    assert "live.jpg" not in client.get("/arbiter").text
    assert "live.jpg" not in client.get(SETUP).text


def test_while_the_table_is_away_nobody_is_known(client: FlaskClient, table: PairingTable) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    table.hear(ConnectionLost("it hung up"))
    assert not shows_room(client)
    table.know(PHONE)
    assert shows_room(client)


def test_a_picture_for_everybody_is_shown_to_all_even_while_the_table_is_away(
    client: FlaskClient, table: PairingTable
) -> None:
    table.hear(replace(example_pages.duo_unsure(), pictures=PictureAudience.EVERYBODY))
    assert shows_room(client)
    table.hear(ConnectionLost("it hung up"))
    assert shows_room(client)
    assert "live.jpg" in client.get("/").text


def test_pictures_are_stored_by_no_shared_cache(client: FlaskClient) -> None:
    client.set_cookie(PAIRING_COOKIE, PHONE)
    headers = client.get("/live.jpg").headers
    assert "private" in headers["Cache-Control"]
    assert "Cookie" in headers["Vary"]
