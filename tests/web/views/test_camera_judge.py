"""A photograph that is to be judged: who may send one, and what the answer shows."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support import example_pages
from tests.support.serving import serving_pages
from web.app import ProgramFacts, create_app
from web.contract import LONGEST_PICTURE, Page, RefereeState, RefereeStatus, fingerprint
from web.known_phones import CAMERA_COOKIE, PAIRING_COOKIE, SEAT_COOKIE
from web.table_client import ConnectionLost, TableClient

JPEG = b"\xff\xd8\xff\xe0" + bytes(100)
GERMAN = {"Accept-Language": "de"}
UNSURE = RefereeStatus(RefereeState.UNSURE, squares=((0, 0), (13, 13)))
FAULTY = replace(example_pages.duo_refused(), state=UNSURE)


class AnyJudge:
    """A judge that says what it is told to say."""

    def __init__(self) -> None:
        self.found: Page | str = FAULTY
        self.judged: list[bytes] = []

    def judge(self, photograph: bytes) -> Page | str:
        self.judged.append(photograph)
        return self.found


@pytest.fixture
def judge() -> AnyJudge:
    return AnyJudge()


@pytest.fixture
def link() -> Iterator[TableClient]:
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.duo_refused())
        link.hear(replace(example_pages.PHONES, camera=fingerprint("of-the-camera")))
        yield link


@pytest.fixture
def client(link: TableClient, judge: AnyJudge) -> FlaskClient:
    client = create_app(link, facts=ProgramFacts(judge=judge.judge)).test_client()
    client.set_cookie(PAIRING_COOKIE, example_pages.TOKEN)
    return client


def send(client: FlaskClient, body: bytes = JPEG, **headers: str) -> TestResponse:
    sent = {"Origin": "http://localhost", "Content-Type": "image/jpeg", **headers}
    return client.post("/camera/judge", data=body, headers=sent)


def test_a_paired_phone_is_offered_it_and_nobody_else(
    client: FlaskClient, link: TableClient
) -> None:
    assert 'id="photograph"' in client.get("/camera").text
    client.set_cookie(PAIRING_COOKIE, "another")
    assert 'id="photograph"' not in client.get("/camera").text
    without = create_app(link).test_client()
    without.set_cookie(PAIRING_COOKIE, example_pages.TOKEN)
    assert 'id="photograph"' not in without.get("/camera").text
    assert send(without).status_code == 404


@pytest.mark.parametrize("cookie", ["", CAMERA_COOKIE, SEAT_COOKIE, PAIRING_COOKIE])
def test_any_other_phone_is_refused(client: FlaskClient, judge: AnyJudge, cookie: str) -> None:
    client.delete_cookie(PAIRING_COOKIE)
    if cookie:
        client.set_cookie(cookie, "unknown" if cookie == PAIRING_COOKIE else "of-the-camera")
    assert send(client).status_code == 403
    assert judge.judged == []


def test_no_phone_is_paired_while_the_table_is_away(
    client: FlaskClient, link: TableClient, judge: AnyJudge
) -> None:
    link.hear(ConnectionLost("it hung up"))
    assert send(client).status_code == 403
    assert judge.judged == []


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (JPEG, {"Origin": "http://evil.example"}, 403),
        (JPEG, {"Origin": ""}, 403),
        (JPEG, {"Sec-Fetch-Site": "cross-site"}, 403),
        (JPEG, {"Content-Type": "image/png"}, 415),
        (JPEG, {"Content-Type": "multipart/form-data; boundary=x"}, 415),
        (bytes(LONGEST_PICTURE + 1), {}, 413),
    ],
)
def test_what_comes_from_elsewhere_or_is_no_photograph_is_refused(
    client: FlaskClient, judge: AnyJudge, body: bytes, headers: dict[str, str], status: int
) -> None:
    assert send(client, body, **headers).status_code == status
    assert judge.judged == []


def test_the_longest_photograph_is_judged(client: FlaskClient, judge: AnyJudge) -> None:
    longest = JPEG + bytes(LONGEST_PICTURE - len(JPEG))
    assert send(client, longest).status_code == 200
    assert judge.judged == [longest]


def test_many_at_once_are_refused(client: FlaskClient) -> None:
    statuses = [send(client).status_code for _ in range(40)]
    assert statuses[:15] == [200] * 15
    assert 429 in statuses


def test_the_answer_shows_position_score_faults_and_doubt(client: FlaskClient) -> None:
    answer = send(client).json
    assert answer is not None
    assert answer["code"] == "refused"
    assert answer["said"] == "A rule is broken. Not sure what lies at a14, n1."
    for part in ('class="board"', 'class="attention"', 'class="refusal"', 'data-score="purple"'):
        assert part in answer["markup"]


@pytest.mark.parametrize(
    ("squares", "code", "said"),
    [
        (((0, 0),), "unsure", "Keine Regel ist gebrochen. Unsicher, was auf a20 liegt."),
        ((), "right", "Keine Regel ist gebrochen."),
    ],
)
def test_a_position_without_a_fault(
    client: FlaskClient, judge: AnyJudge, squares: tuple[tuple[int, int], ...], code: str, said: str
) -> None:
    state = RefereeStatus(RefereeState.UNSURE, squares=squares)
    judge.found = replace(example_pages.classic_middle(), state=state)
    answer = send(client, JPEG, **GERMAN).json
    assert answer is not None
    assert (answer["code"], answer["said"]) == (code, said)


def test_a_photograph_without_a_position_has_one_sentence(
    client: FlaskClient, judge: AnyJudge
) -> None:
    judge.found = "board-failures.too-dark"
    answer = send(client, JPEG, **GERMAN).json
    assert answer is not None
    assert answer["code"] == "refused"
    assert answer["said"].startswith("Das Bild ist zu dunkel")
    assert answer["markup"] == ""


def test_the_page_answers_others_while_a_photograph_is_judged(link: TableClient) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def judge(_: bytes) -> str:
        begun.set()
        assert go_on.wait(20)
        return "photograph.slow"

    app = create_app(link, streams=1, facts=ProgramFacts(judge=judge))
    with serving_pages(app) as server:
        headers = {
            "Cookie": f"{PAIRING_COOKIE}={example_pages.TOKEN}",
            "Origin": f"http://127.0.0.1:{server.port}",
            "Content-Type": "image/jpeg",
        }
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)) as phone:
                phone.request("POST", "/camera/judge", JPEG, headers)
                assert begun.wait(20)
                for path in ("/", "/camera", "/page.json") * 5:
                    with closing(
                        http.client.HTTPConnection("127.0.0.1", server.port, timeout=2)
                    ) as other:
                        other.request("GET", path, headers=headers)
                        assert other.getresponse().status == 200
                go_on.set()
                assert b"judged within ten seconds" in phone.getresponse().read()
        finally:
            go_on.set()
