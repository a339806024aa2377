"""The phone that is the camera: its number, its cookie, its pictures, and who gets none of it."""

import itertools
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from firmware.simulator.clock import ManualClock
from tests.support import example_pages
from tests.web.views.test_arbiter import fields_of
from web.app import create_app
from web.contract import (
    LONGEST_PICTURE,
    ArbiterPage,
    CameraFault,
    CameraPicture,
    FindingEntry,
    LivePicture,
    PairRequest,
    Rating,
    RefereeState,
    RefereeStatus,
    RefusalReason,
    Reply,
    Request,
    SetupEntry,
    fingerprint,
)
from web.i18n.languages import LANGUAGES
from web.table_client import ConnectionLost, TableClient
from web.views import camera as camera_module
from web.views.camera import PictureOrder

NUMBER, PHONE, CAMERA = example_pages.NUMBER, example_pages.TOKEN, "token-of-the-camera"
TAKES_CAMERA = replace(example_pages.PHONES, takes_camera=True)
JPEG = b"\xff\xd8\xff\xe0" + bytes(100)
TIMES = itertools.count(1)
CORNERS = ((0.1, 0.2), (0.9, 0.2), (0.9, 0.8), (0.1, 0.8))


class PhoneTable(TableClient):
    """A table whose number makes a phone the camera."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.asked: list[Request] = []
        self.pictures: list[CameraPicture] = []
        self.is_there = True

    def choose(self, token: str) -> None:
        """Makes the phone with a token the camera."""
        self.hear(replace(TAKES_CAMERA, camera=fingerprint(token)))

    def ask(self, question: Request, patience_s: float = 0.0) -> Reply | None:
        self.asked.append(question)
        assert isinstance(question, PairRequest)
        assert question.camera
        if not question.number:
            return Reply(question.id, number="123456789012")
        if question.number != NUMBER:
            return Reply(question.id, RefusalReason.WRONG_NUMBER)
        self.choose(CAMERA)
        return Reply(question.id, token=CAMERA)

    def tell(self, picture: CameraPicture) -> bool:
        self.pictures.append(picture)
        return self.is_there


@pytest.fixture
def table() -> Iterator[PhoneTable]:
    table = PhoneTable(Path("/nowhere"))
    table.hear(example_pages.duo_refused())
    table.hear(LivePicture(JPEG, CORNERS))
    table.hear(TAKES_CAMERA)
    yield table
    table.close()


@pytest.fixture
def client(table: PhoneTable) -> FlaskClient:
    return create_app(table, streams=1).test_client()


def post(client: FlaskClient, path: str, **form: str) -> TestResponse:
    data = {"token": fields_of(client, "/camera")["token"], **form}
    return client.post(path, data=data, headers={"Origin": "http://localhost"})


def become(client: FlaskClient, scheme: str = "http") -> TestResponse:
    token = fields_of(client, "/camera")["token"]
    return client.post(
        "/camera/take",
        data={"token": token, "number": NUMBER},
        headers={"Origin": f"{scheme}://localhost"},
        base_url=f"{scheme}://localhost",
    )


def camera_of(client: FlaskClient) -> object:
    """Returns the answer to the question whether the phone is the camera."""
    answer = client.get("/camera/state").json
    assert answer is not None
    assert answer["takes"] is (answer["camera"] is not None)
    return answer["camera"]


def send(
    client: FlaskClient, body: bytes = JPEG, taken: str | None = None, **headers: str
) -> TestResponse:
    taken = f"1000-{next(TIMES)}" if taken is None else taken
    when = {"X-Taken": f"{taken}-{int(1000 * time.monotonic())}-0"}
    sent = {"Origin": "http://localhost", "Content-Type": "image/jpeg", **when, **headers}
    return client.post("/camera/picture", data=body, headers=sent)


def test_a_right_number_makes_a_phone_the_camera(client: FlaskClient, table: PhoneTable) -> None:
    assert " data-camera" not in client.get("/camera").text
    answer = become(client)
    assert answer.location == "/camera"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    page = client.get("/camera")
    assert " data-camera" in page.text
    assert page.headers["Permissions-Policy"].startswith("camera=(self)")
    assert CAMERA not in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawing_marks_each_place_that_its_words_name(client: FlaskClient, language: str) -> None:
    page = client.get("/camera", headers={"Accept-Language": language}).text
    untried = {"en": "Not tried yet", "de": "noch nicht erprobt", "ja": "未確認"}
    found = re.findall(
        r'<details id="(\w+)".*?<svg class="warning"(.*?)</svg>\s*<p>(.*?)</p>', page, re.DOTALL
    )
    assert [browser for browser, _, _ in found] == ["safari", "chrome", "firefox"]
    for (_, drawing, words), touches in zip(found, (3, 2, 2), strict=True):
        assert re.findall(r"<text[^>]*>(\d)</text>", drawing) == [*"123"][:touches]
        assert len(re.findall("[“„「]\\w", words)) == touches, words
        assert untried[language] in words


def test_over_tls_the_cookie_is_for_tls_alone(client: FlaskClient) -> None:
    assert "Secure" in become(client, "https").headers["Set-Cookie"]


def test_a_wrong_number_makes_no_phone_the_camera(client: FlaskClient, table: PhoneTable) -> None:
    for number in ("", "12", "1" * 12):
        answer = post(client, "/camera/take", number=number)
        assert answer.location == "/camera?reply=wrong-number"
    assert send(client).status_code == 403
    assert table.pictures == []


def test_a_picture_reaches_the_table_and_its_answer_says_what_is_seen(
    client: FlaskClient, table: PhoneTable
) -> None:
    become(client)
    answer = send(client)
    assert table.pictures == [CameraPicture(CAMERA, JPEG)]
    assert answer.json is not None
    assert answer.json["corners"] == [list(one) for one in CORNERS]
    assert answer.json["sentence"] == "Refused; take the piece back."


def test_before_the_first_piece_the_answer_says_what_to_change(
    client: FlaskClient, table: PhoneTable
) -> None:
    become(client)
    page = example_pages.empty()
    points = (
        FindingEntry("board", Rating.FINE),
        FindingEntry("resolution", Rating.FAIR, "too-small"),
        FindingEntry("glare", Rating.MEND, "glare"),
    )
    private = ArbiterPage(setup=SetupEntry(points))
    table.hear(replace(page, revision=99, private=private))
    answer = send(client).json
    assert answer is not None
    assert answer["sentence"].startswith("A lamp is mirrored on some squares")
    private = ArbiterPage(setup=SetupEntry(points[:2]))
    table.hear(replace(page, revision=100, private=private))
    answer = send(client).json
    assert answer is not None
    assert answer["sentence"].startswith("Squares are small in the picture")


def test_a_phone_that_was_replaced_is_told(client: FlaskClient, table: PhoneTable) -> None:
    become(client)
    table.choose("another")
    assert send(client).status_code == 403
    assert table.pictures == []
    assert camera_of(client) is False
    assert " data-camera" not in client.get("/camera").text


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Origin": "http://elsewhere"}, JPEG, 403),
        ({"Sec-Fetch-Site": "cross-site"}, JPEG, 403),
        ({"Content-Type": "image/png"}, JPEG, 415),
        ({}, b"no picture", 415),
        ({}, b"", 415),
        ({}, JPEG + bytes(LONGEST_PICTURE), 413),
        ({"Host": "evil.example"}, JPEG, 421),
    ],
)
def test_what_is_no_picture_of_it_gets_an_answer_and_nowhere(
    client: FlaskClient,
    table: PhoneTable,
    headers: dict[str, str],
    body: bytes,
    status: int,
) -> None:
    become(client)
    assert send(client, body, **headers).status_code == status
    assert table.pictures == []


def test_a_flood_of_pictures_is_slowed_down(client: FlaskClient, table: PhoneTable) -> None:
    become(client)
    codes = [send(client).status_code for _ in range(60)]
    assert codes[:10] == [200] * 10
    assert 429 in codes
    assert len(table.pictures) < 40


def test_a_table_that_is_away_gets_no_picture_and_the_phone_hears_it(
    client: FlaskClient, table: PhoneTable
) -> None:
    become(client)
    table.is_there = False
    assert send(client).status_code == 504
    assert camera_of(client) is True
    table.hear(ConnectionLost("gone"))
    assert camera_of(client) is None


def test_a_paired_phone_gets_the_code_for_another_one(
    client: FlaskClient, table: PhoneTable
) -> None:
    assert post(client, "/camera/show").location.startswith("/arbiter")
    assert table.asked == []
    client.set_cookie("pairing", PHONE)
    page = post(client, "/camera/show").text
    assert "1234 5678 9012" in page
    assert "<svg" in page
    asked = table.asked[-1]
    assert isinstance(asked, PairRequest)
    assert asked.token == PHONE


def test_the_table_without_a_phone_offers_its_arbiter_the_code(table: PhoneTable) -> None:
    away = RefereeStatus(RefereeState.CAMERA_AWAY, fault=CameraFault.NO_PHONE)
    table.hear(replace(example_pages.duo_refused(), revision=99, state=away, refused=()))
    client = create_app(table, streams=1).test_client()
    assert 'form="camera-code"' not in client.get("/").text
    client.set_cookie("pairing", PHONE)
    assert 'form="camera-code"' in client.get("/arbiter").text
    table.hear(example_pages.PHONES)
    client = create_app(table, streams=1).test_client()
    client.set_cookie("pairing", PHONE)
    assert 'form="camera-code"' not in client.get("/arbiter").text


def test_set_up_offers_a_phone_also_beside_another_camera(
    client: FlaskClient, table: PhoneTable
) -> None:
    client.set_cookie("pairing", PHONE)
    page = client.get("/arbiter/setup/picture").text
    [form] = re.findall(r'<form[^>]*action="/camera/show">.*?</form>', page)
    assert "A phone as the camera</button>" in form
    token = re.search(r'name="token" value="([^"]+)"', form)
    assert token is not None
    sent = {"data": {"token": token[1]}, "headers": {"Origin": "http://localhost"}}
    assert "1234 5678 9012" in client.post("/camera/show", **sent).text
    table.hear(example_pages.PHONES)
    assert "/camera/show" not in client.get("/arbiter/setup/picture").text


def test_a_picture_that_arrives_late_is_not_the_newest(
    client: FlaskClient, table: PhoneTable
) -> None:
    become(client)
    for taken, status in (
        ("5000-10", 200),
        ("5000-30", 200),
        ("5000-20", 409),
        ("5000-30", 409),
        ("4000-99999", 409),
        ("6000-1", 200),
        ("", 400),
        ("x-1", 400),
        ("6000-" + 30 * "9", 400),
    ):
        assert send(client, taken=taken).status_code == status, taken
    assert len(table.pictures) == 3


def test_a_picture_that_is_old_when_it_arrives_is_left_out_at_any_pace(table: PhoneTable) -> None:
    clock = ManualClock(100.0)
    order = PictureOrder(clock)

    def sent(since: int, answered: float, taken_after: float, way_s: float) -> int:
        clock.now_s = answered + taken_after + way_s
        taken = f"5000-{since}-{answered * 1000:.0f}-{taken_after * 1000:.0f}"
        return order.tell(table, CameraPicture(CAMERA, JPEG), taken)

    assert sent(1, 100.0, 0.2, 0.05) == 200
    for number in range(2, 9):
        assert sent(number, 100.0 + 5 * number, 0.1, 4.0) == 202, "each one takes four seconds"
    assert sent(20, 150.0, 0.2, 1.4) == 200
    # The clock of the phone stood for a minute: one picture is left out, the next is answered.
    clock.now_s = 212.0
    assert order.tell(table, CameraPicture(CAMERA, JPEG), "5000-21-151000-200") == 202
    assert sent(22, 212.0, 0.2, 0.1) == 200
    assert order.tell(table, CameraPicture(CAMERA, JPEG), "5000-23-900000-200") == 202
    assert len(table.pictures) == 3


def test_a_phone_whose_clock_was_set_back_is_heard_again(
    client: FlaskClient, table: PhoneTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(client)
    monkeypatch.setattr(camera_module, "_LATE_S", 0.2)
    assert send(client, taken="5000-10").status_code == 200
    assert send(client, taken="4000-10").status_code == 409
    time.sleep(0.3)
    assert send(client, taken="4000-20").status_code == 200


def test_the_number_of_another_camera_begins_anew(client: FlaskClient, table: PhoneTable) -> None:
    become(client)
    assert send(client, taken="9000-1").status_code == 200
    table.choose("another")
    client.set_cookie("camera", "another")
    assert send(client, taken="1-1").status_code == 200
