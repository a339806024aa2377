"""The page at which people play: real table, feed and routes; only the browser is left out."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.codes import Scoring, Takeback
from firmware.settings import Settings
from tests.support import example_pages
from tests.support.plain_reader import PageParser
from tests.support.waiting import eventually
from web import request_guard
from web.app import create_app
from web.contract import SeatHolder
from web.table_client import TableClient

pytestmark = pytest.mark.slow

HERE, ELSEWHERE, STRANGER = "127.0.0.1", "192.168.1.20", "192.168.1.66"
X = ((0, 1), (1, 0), (1, 1), (1, 2), (2, 1))


@dataclass
class BrowserAt:
    """A browser at an address of the network.

    Attributes:
        app: the page.
        address: its address.
    """

    app: Flask
    address: str
    client: FlaskClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.app.test_client()

    def get(self, path: str = "/play") -> TestResponse:
        return self.client.get(path, environ_base={"REMOTE_ADDR": self.address})

    def post(self, path: str, **form: str) -> TestResponse:
        tags = PageParser(self.get("/").text).tags
        token = next(a["value"] for tag, a in tags if tag == "input" and a.get("name") == "token")
        return self.client.post(
            path,
            data={"token": token or "", **form},
            headers={"Origin": "http://localhost"},
            environ_base={"REMOTE_ADDR": self.address},
        )

    def begin(self, mode: str, **form: str) -> TestResponse:
        return self.post("/play/begin", mode=mode, **form)

    def act(self, **action: object) -> tuple[int, str]:
        """Sends an action; returns the status and the code of the reply."""
        answer = self.post("/play/act", action=json.dumps(action))
        return answer.status_code, (answer.json or {}).get("code", "")


def put(
    piece: str = "X", colour: int = 0, across: float = 4.5, down: float = 4.5
) -> dict[str, object]:
    middle = {"across": across, "down": down, "angle_deg": 0.0}
    return {"action": "put", "place": {"color": colour, "piece": piece, "shape": X, **middle}}


@contextmanager
def at_one_moment() -> Iterator[None]:
    """Stops the clock of the page's rate limits, so that a slow machine sends a flood too."""
    now = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_guard, "time", SimpleNamespace(monotonic=lambda: now))
        yield


@dataclass
class PlayedSimulation:
    """A simulated table that runs, and its page."""

    table: Simulation
    link: TableClient
    app: Flask

    def seats(self) -> list[SeatHolder]:
        assert self.link.news.table is not None
        club = self.link.news.club
        return [] if club is None else [seat.holder for seat in club.seats]

    def plies(self) -> int:
        return self.table.tracker.referee.state.piece_count


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedSimulation]:
    with simulated(Settings(), tmp_path, SimulationOptions(opponent=True)) as table:
        table.feed.start()
        stopped = threading.Event()

        def run() -> None:
            while not stopped.wait(0.01):
                table.step(0.1, time.monotonic())

        thread = threading.Thread(target=run)
        thread.start()
        with TableClient(tmp_path / "feed.sock") as link:
            app = create_app(link, addresses=lambda: ("http://192.168.1.5:8000/",))
            eventually(lambda: link.news.table and link.news.phones and link.news.picture)
            yield PlayedSimulation(table, link, app)
        stopped.set()
        thread.join()


def test_a_browser_on_this_machine_plays_against_the_computer(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    assert "Against the computer" in here.get().text
    answer = here.begin("computer", **{"name-0": "Zoe", "name-1": "not a person", "hints": "99"})
    assert (answer.status_code, answer.location) == (303, "/play")
    cookies = answer.headers.getlist("Set-Cookie")
    assert [cookie.partition("=")[0] for cookie in cookies] == ["table-seat", "pairing"]
    assert all("HttpOnly" in one and "SameSite=Strict" in one for one in cookies)
    assert "Path=/;" in cookies[0]
    eventually(lambda: played.seats() == [SeatHolder.PERSON, SeatHolder.COMPUTER])
    assert "Zoe" in here.get().text
    agreed = played.table.controller.session.config
    assert (agreed.names, agreed.hints, agreed.computer) == (("Zoe", "Computer"), 99, (0, 3))
    asked = json.dumps({"action": "places", "color": 0, "piece": "1"})
    places = here.post("/play/act", action=asked).json["places"]  # type: ignore[index]
    both = [[4, 4], [9, 9]]
    assert places == [[[[0, 0]], both, both, "Where 1 may go: from e10, j5, over e10, j5."]]
    assert played.link.news.page is not None
    assert played.link.news.page.private is not None
    assert not played.link.news.page.private.piece, "its lights would be in everybody's picture"
    assert here.act(**put()) == (200, "done")
    eventually(lambda: played.plies() == 2, 30)
    assert here.act(**put()) == (409, "not-possible")


def test_no_two_at_the_table_have_names_that_look_alike(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    refused = here.begin("computer", **{"name-0": "C\u043emputer"})
    assert "That looks like Computer, the name of somebody else" in refused.text
    assert here.begin("here", **{"name-0": "\u0412en"}).location == "/play"
    assert played.link.news.page is not None
    assert [one.player for one in played.link.news.page.colours] == ["\u0412en", "Ada"]


def test_a_phone_in_the_network_takes_a_free_seat_and_moves_its_own(
    played: PlayedSimulation,
) -> None:
    here, phone = BrowserAt(played.app, HERE), BrowserAt(played.app, ELSEWHERE)
    here.begin("phones")
    eventually(lambda: played.seats() == [SeatHolder.PERSON, SeatHolder.FREE])
    text = phone.get().text
    assert 'data-sit="1"' in text
    assert 'value="computer"' not in text, "it begins no game"
    assert phone.begin("computer").location == "/arbiter", "where it may be paired"
    assert phone.act(action="sit", person=0) == (409, "seat-taken")
    assert phone.act(action="sit", person=1) == (200, "done")
    assert phone.act(**put(colour=0)) == (409, "not-yours")
    assert phone.act(**put(colour=1, across=9.5, down=9.5)) == (200, "done")
    assert phone.act(action="empty", person=0) == (409, "not-paired")
    eventually(lambda: played.seats() == [SeatHolder.PERSON] * 2)
    assert here.act(action="empty", person=1) == (200, "done")
    assert phone.act(action="stay") == (409, "no-seat")


def test_strangers_and_nonsense_change_nothing(played: PlayedSimulation) -> None:
    here, stranger = BrowserAt(played.app, HERE), BrowserAt(played.app, STRANGER)
    here.begin("here")
    for wrong in ({}, {"action": "own"}, {"action": "fly"}, {**put(), "more": 1}):
        status, code = stranger.act(**wrong)
        assert (status, code) == (400, "unfit")
    assert stranger.act(**put()) == (409, "no-seat")
    with at_one_moment():
        statuses = [stranger.act(**put())[0] for _ in range(30)]
    assert statuses[-1] == 429, "a flood is held up at the page"
    assert here.act(**put()) == (200, "done")
    eventually(lambda: played.plies() == 1, 30)


def test_a_flood_of_gestures_of_a_seat_is_held_up(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    here.begin("here")
    eventually(lambda: played.seats() == [SeatHolder.PERSON] * 2)
    with at_one_moment():
        replies = [here.act(action="prop", prop="cup", on=True) for _ in range(60)]
    assert {status for status, _ in replies} <= {200, 409, 429}
    assert sum(status == 200 for status, _ in replies) < 60
    eventually(lambda: here.act(action="prop", prop="cup", on=False) == (200, "done"))


@pytest.mark.parametrize(
    ("mode", "seats", "after"),
    [
        ("computer", [SeatHolder.PERSON, *[SeatHolder.COMPUTER] * 3], "/play"),
        ("here", [SeatHolder.PERSON] * 4, "/play"),
        ("phones", [SeatHolder.PERSON, *[SeatHolder.FREE] * 3], "/play"),
        ("watch", [SeatHolder.COMPUTER] * 4, "/"),
    ],
)
def test_each_way_to_play_seats_its_players(
    played: PlayedSimulation, mode: str, seats: list[SeatHolder], after: str
) -> None:
    here = BrowserAt(played.app, HERE)
    assert here.begin(mode, game="classic").location == after
    eventually(lambda: played.seats() == seats)


def test_the_tour_is_of_duo_and_wrong_choices_begin_nothing(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    assert here.begin("tour", game="classic").location == "/play?tour=1"
    eventually(lambda: played.seats() == [SeatHolder.PERSON] * 2)
    assert here.begin("dream").location == "/play?reply=unfit"
    assert here.begin("here", edition="gold").location == "/play?reply=unfit"
    wrong = here.begin("here", game="classic", edition="black-white").location
    assert wrong.startswith("/play?reply=")
    assert played.seats() == [SeatHolder.PERSON] * 2


def test_people_and_computers_sit_at_one_screen(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    names = {"name-0": "Zoe", "name-1": "Yan", "level-2": "1", "level-3": "2"}
    here.begin("here", game="classic", takeback="arbiter", scoring="basic", **names)
    eventually(lambda: played.seats() == [SeatHolder.PERSON] * 2 + [SeatHolder.COMPUTER] * 2)
    agreed = played.table.controller.session.config
    assert agreed.names == ("Zoe", "Yan", "Computer 2", "Computer 3")
    assert agreed.computer == (0, 0, 1, 2)
    assert (agreed.takeback, agreed.scoring) == (Takeback.ARBITER, Scoring.BASIC)


def test_a_puzzle_begins_with_the_name_of_its_person(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    begun = here.begin("puzzle", puzzle="puzzle-pentominoes", game="duo", **{"name-0": "Zoe"})
    assert begun.location == "/play"
    eventually(lambda: played.seats() == [SeatHolder.PERSON])
    agreed = played.table.controller.session.config
    assert (agreed.game.key, agreed.names) == ("puzzle-pentominoes", ("Zoe",))


def test_after_a_refusal_the_form_is_as_it_was_typed(played: PlayedSimulation) -> None:
    here = BrowserAt(played.app, HERE)
    typed = {"name-0": "Anna", "name-1": "\u0410nna", "hints": "99"}
    text = here.begin("here", game="duo-4", **typed).text
    assert "That looks like Anna" in text
    assert 'value="Anna"' in text
    assert '<option value="duo-4" data-people="2" selected>' in text
    assert '<option value="99" selected>' in text


def test_a_real_table_takes_no_gestures() -> None:
    with closing(TableClient(Path("/nowhere"))) as link:
        link.hear(example_pages.empty())
        assert "This table is real" in create_app(link).test_client().get("/play").text


def test_a_page_that_comes_before_the_table_looks_again() -> None:
    with closing(TableClient(Path("/nowhere"))) as link:
        client = create_app(link).test_client()
        assert 'http-equiv="refresh"' in client.get("/play").text
