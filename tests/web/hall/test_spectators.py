import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from firmware.hall.tournament.codes import RoundStage
from tests.support import example_pages
from tests.support.fake_hall import FakeHall, with_players, with_rounds
from tests.support.plain_reader import PageParser
from web.contract import GameKey, Page
from web.hall.app import create_hall_app


class GamesHall(FakeHall):
    """A hall with games at tables 1 and 4; table 4 is offline."""

    def __init__(self) -> None:
        super().__init__()
        self.games: dict[int, Page] = {
            1: example_pages.duo_refused(),
            4: example_pages.classic_middle(),
        }

    def table_page(self, number: int) -> Page | None:
        return self.games.get(number)


@pytest.fixture
def hall() -> GamesHall:
    return GamesHall()


@pytest.fixture
def app(hall: GamesHall) -> Iterator[Flask]:
    app = create_hall_app(hall, limit=4, addresses=lambda: ("http://192.168.1.2:8010/",))
    yield app
    app.extensions["streams"].close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


PATHS = ("/", "/standings", "/tv", "/player/P01", "/board/1", "/board/4", "/board/2")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_pages_of_spectators_need_no_phone_and_no_script(
    client: FlaskClient, path: str, language: str
) -> None:
    client.set_cookie("language", language)
    answer = client.get(path)
    assert answer.status_code == 200
    assert f'lang="{language}"' in answer.text
    assert "style=" not in answer.text
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize("path", [*PATHS, "/overlay?table=1", "/?who=a"])
def test_only_public_names_are_shown(hall: GamesHall, client: FlaskClient, path: str) -> None:
    known = {word for name in hall.page.names.values() for word in name.split()}
    public = set(hall.page.public_names.values())
    secret = [word for word in known - public if len(word) > 3 and not word.startswith("<")]
    assert len(secret) > 3
    text = client.get(path).text
    assert [word for word in secret if word in text] == []


def test_a_round_that_is_only_drawn_is_shown_to_nobody(
    hall: GamesHall, client: FlaskClient
) -> None:
    drawn = [replace(one, stage=RoundStage.DRAWN) for one in hall.page.rounds]
    hall.show(with_rounds(hall.page, *drawn))
    for path in ("/", "/tv", "/player/P01"):
        assert "No round is published yet." in client.get(path).text
    assert "Björn" not in client.get("/").text


def test_a_name_finds_its_table(client: FlaskClient) -> None:
    answer = client.get("/?who=%20ANNA")
    assert answer.status_code == 303
    assert answer.location == "/player/P01"
    reader = PageParser(client.get(answer.location).text)
    assert re.search(r"Table\s+1\s+Björn\s+Björn begins\.", reader.text)


def test_several_people_of_one_name_are_told_apart(hall: GamesHall, client: FlaskClient) -> None:
    hall.show(with_players(hall.page, ("P77", "Anna Lauter", "Anna")))
    text = client.get("/?who=anna").text
    assert 'href="/player/P01"' in text
    assert 'href="/player/P77"' in text
    assert "Anna (P77)" in text


def test_nobody_of_a_name_is_one_sentence(client: FlaskClient) -> None:
    answer = client.get("/?who=%3Cb%3Ezzz")
    assert "Nobody of that name is entered." in answer.text
    assert "<b>zzz" not in answer.text


@pytest.mark.parametrize("path", ["/player/P99", "/player/..", "/board/99", "/board/x"])
def test_what_is_not_there_is_no_page(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_board_is_drawn_as_at_its_table(hall: GamesHall, client: FlaskClient) -> None:
    text = client.get("/board/1").text
    assert text.count('class="piece"') == len(hall.games[1].pieces)
    assert "may touch each other only at corners" in text
    assert 'class="hinted"' not in text


def test_a_table_that_is_away_shows_its_last_board(client: FlaskClient) -> None:
    text = client.get("/board/4").text
    assert "The table does not answer." in text
    assert 'class="piece"' in text


def test_a_board_streams_what_has_changed(hall: GamesHall, client: FlaskClient) -> None:
    stream = client.get("/board/1/events").iter_encoded()
    assert next(stream) == b"retry: 2000\n\n"
    first = json.loads(next(stream).removeprefix(b"data: "))
    assert first["connected"] is True
    assert "announcement" in first["fragments"]
    hall.games[1] = replace(hall.games[1], revision=hall.games[1].revision + 1, saved=False)
    second = json.loads(next(stream).removeprefix(b"data: "))
    assert set(second["fragments"]) == {"state"}


def test_an_overlay_shows_the_table_that_it_names(hall: GamesHall, client: FlaskClient) -> None:
    assert "<b>54</b>" in client.get("/overlay?table=01").text
    text = client.get("/overlay?table=4").text
    assert "<b>54</b>" not in text
    assert text.count('class="piece"') == len(hall.games[4].pieces)


def test_an_overlay_of_no_table_says_so(client: FlaskClient) -> None:
    answer = client.get("/overlay?table=98")
    assert answer.status_code == 400
    assert "There is no table 98." in answer.text


def test_the_delay_of_the_organiser_holds_for_boards_and_overlays(
    hall: GamesHall, client: FlaskClient
) -> None:
    hall.show(replace(hall.page, delay_s=5))  # the pages take a while on a busy machine
    for path in ("/board/1", "/overlay?table=1", "/overlay?table=01"):
        text = client.get(path).text
        assert 'class="piece"' not in text
        assert 'data-silent=""' in text, "the table is not away while its picture waits"
    time.sleep(5.7)
    for path in ("/board/1", "/overlay?table=1", "/overlay?table=01"):
        assert 'class="piece"' in client.get(path).text
    assert client.get("/overlay?table=1&delay=0").status_code == 400


def test_a_round_streams_to_spectators_as_a_difference(
    hall: GamesHall, client: FlaskClient
) -> None:
    stream = client.get("/events?for=front").iter_encoded()
    next(stream)
    first = json.loads(next(stream).removeprefix(b"data: "))
    assert set(first["fragments"]) == {"roundclock", "pairings"}
    hall.show(replace(hall.page, state=replace(hall.page.state, clock=None)))
    second = json.loads(next(stream).removeprefix(b"data: "))
    assert set(second["fragments"]) == {"roundclock"}


def test_without_a_round_the_tables_with_a_game_are_listed(
    hall: GamesHall, client: FlaskClient
) -> None:
    tables = (replace(hall.page.tables[0], game=GameKey.DUO), *hall.page.tables[1:])
    hall.show(with_rounds(replace(hall.page, tables=tables)))
    links = re.findall(r'href="(/board/\d+)"', client.get("/").text)
    assert links == ["/board/1"]
