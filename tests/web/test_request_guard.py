"""Changes must come from pages of this site, contain a token, be small and not too frequent."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import example_pages
from tests.support.plain_reader import PageParser
from web import request_guard
from web.app import create_app
from web.known_phones import KnownPhones
from web.request_guard import came_from_us
from web.table_client import TableClient

pytestmark = pytest.mark.slow

HOST = "localhost"


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    with closing(TableClient(Path("/nowhere"))) as link:
        yield create_app(link).test_client()


def token_of(client: FlaskClient) -> str:
    tags = PageParser(client.get("/").text).tags
    found = [a["value"] for tag, a in tags if tag == "input" and a.get("name") == "token"]
    assert found[0]
    return found[0]


def post(client: FlaskClient, headers: dict[str, str] | None = None, **form: str) -> TestResponse:
    sent = {"Origin": f"http://{HOST}", **(headers or {})}
    return client.post("/language", data=form, headers={k: v for k, v in sent.items() if v})


def test_a_language_is_chosen_and_kept(client: FlaskClient) -> None:
    answer = post(client, token=token_of(client), language="ja", back="/games")
    assert (answer.status_code, answer.location) == (303, "/games")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    assert 'lang="ja"' in client.get("/").text
    assert "過去のゲーム" in client.get("/games").text


def test_the_browser_s_language_is_spoken_without_a_choice(client: FlaskClient) -> None:
    assert 'lang="de"' in client.get("/", headers={"Accept-Language": "de-CH,en;q=0.5"}).text
    assert "Set-Cookie" not in client.get("/").headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": f"http://{HOST}.evil.example"}, 403),
        ({"Origin": f"http://{HOST}:81"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 421),
        ({"Content-Type": "application/json"}, 415),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Origin": f"https://{HOST}"}, 303),
    ],
)
def test_a_change_comes_from_a_page_of_ours(
    client: FlaskClient, headers: dict[str, str], status: int
) -> None:
    answer = post(client, headers, token=token_of(client), language="ja")
    assert answer.status_code == status
    assert ("Set-Cookie" in answer.headers) is (status == 303)


@pytest.mark.parametrize("token", ["", "0" * 64, "é", "x" * 2000])
def test_a_change_carries_the_token(client: FlaskClient, token: str) -> None:
    assert post(client, token=token, language="ja").status_code == 403
    assert post(client, language="ja").status_code == 403


def test_a_token_is_for_one_pairing_only(client: FlaskClient) -> None:
    token = token_of(client)
    client.set_cookie("pairing", "abcdefgh")
    assert post(client, token=token, language="ja").status_code == 403
    assert post(client, token=token_of(client), language="ja").status_code == 303


def test_a_paired_phone_s_open_page_stays_good_when_the_page_starts_again() -> None:
    with closing(TableClient(Path("/nowhere"))) as link:
        before, after = (create_app(link).test_client() for _ in range(2))
    for one in (before, after):
        one.set_cookie("pairing", "abcdefgh")
    assert post(after, token=token_of(before), language="ja").status_code == 303


@pytest.mark.parametrize(
    ("page", "path"), [("/play?at=1", "/play"), ("/", "/"), ("//bad.example/", "/bad.example/")]
)
def test_another_page_from_before_is_loaded_again(
    client: FlaskClient, page: str, path: str
) -> None:
    answer = post(client, {"Referer": f"http://{HOST}{page}"}, token="0" * 64)
    assert answer.status_code == 403
    assert answer.headers["Refresh"] == f"1; url={path}"


def test_a_form_is_small(client: FlaskClient) -> None:
    assert post(client, token=token_of(client), language="x" * 5000).status_code == 413


def test_too_many_changes_are_asked_to_wait(client: FlaskClient) -> None:
    statuses = {post(client, language="de").status_code for _ in range(60)}
    assert statuses == {403, 429}
    assert client.get("/").status_code == 200


def test_a_thousand_addresses_that_ask_too_much_hold_up_nobody_else(client: FlaskClient) -> None:
    origin = {"Origin": f"http://{HOST}"}
    for n in range(1000):
        from_there = {"REMOTE_ADDR": f"10.0.{n // 250}.{n % 250}"}
        client.post("/language", headers=origin, environ_base=from_there)
    sent = {"token": token_of(client), "language": "ja"}
    mine = {"REMOTE_ADDR": "192.168.1.7"}
    answer = client.post("/language", data=sent, headers=origin, environ_base=mine)
    assert answer.status_code == 303


def test_an_ipv6_network_of_ours_has_a_limit_that_known_phones_are_not_under(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_guard, "sender_of", lambda address: address)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    origin = {"Origin": f"http://{HOST}"}

    def change(address: str) -> int:
        there = {"REMOTE_ADDR": address}
        return client.post("/language", headers=origin, environ_base=there).status_code

    phones = [f"2001:db8:1:2::{n}" for n in range(10, 20)]
    assert [change(phones[0]) for _ in range(30)] == [415] * 20 + [429] * 10
    assert {change(one) for one in phones[1:] for _ in range(15)} == {415}
    strangers = [change(f"2001:db8:1:2::{n:x}") for n in range(100, 200)]
    assert strangers == [415] * (200 - 30 - 9 * 15) + [429] * 65
    assert change("2001:db8:1:3::1") == change("192.168.1.7") == 415
    monkeypatch.setattr(KnownPhones, "is_known", lambda _: True)
    assert change("2001:db8:1:2::fff") == 415


def test_a_known_phone_has_a_limit_of_its_own(tmp_path: Path) -> None:
    with closing(TableClient(tmp_path / "nowhere")) as link:
        link.hear(example_pages.empty())
        link.hear(example_pages.PHONES)
        app = create_app(link)
        stranger, known = app.test_client(), app.test_client()
        known.set_cookie("pairing", example_pages.TOKEN)
        assert {post(stranger, language="de").status_code for _ in range(60)} == {403, 429}
        assert post(known, token=token_of(known), language="ja").status_code == 303
        assert {post(known, language="de").status_code for _ in range(60)} == {403, 429}


@pytest.mark.parametrize(
    "back",
    ["//evil.example", "/\\evil.example", "http://evil.example", "", "/a\r\nSet-Cookie: x=1"],
)
def test_nobody_is_sent_elsewhere(client: FlaskClient, back: str) -> None:
    assert post(client, token=token_of(client), language="de", back=back).location == "/"


def test_a_language_that_is_none_is_not_kept(client: FlaskClient) -> None:
    answer = post(client, token=token_of(client), language="<script>")
    assert "Set-Cookie" not in answer.headers


def test_origins_are_compared_whole() -> None:
    assert came_from_us("http://10.0.0.7:8000", "10.0.0.7:8000")
    assert came_from_us("http://CORNERLIGHT.local", "cornerlight.local")
    assert not came_from_us("http://[", "cornerlight.local")
    assert not came_from_us("ftp://cornerlight.local", "cornerlight.local")
