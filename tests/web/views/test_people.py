"""The pages of people: for paired phones alone, in every language, whatever the names are."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support import example_pages
from tests.support.family_month import month, store_month
from tests.support.stored_games import store_game
from web.app import create_app
from web.contract import CommandRequest, Forget, Reply
from web.contract.person_names import skeleton
from web.game_archive import GameArchive
from web.i18n.languages import LANGUAGES
from web.people import people_of, person_named, puzzle_of_day
from web.table_client import TableClient

PHONE = example_pages.TOKEN


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    store_month(folder, 12)
    return folder


def client_of(link: TableClient, folder: Path) -> FlaskClient:
    link.hear(example_pages.duo_unsure())
    link.hear(example_pages.PHONES)
    client = create_app(link, games=folder).test_client()
    client.set_cookie("pairing", PHONE)
    return client


@pytest.fixture
def client(folder: Path) -> Iterator[FlaskClient]:
    with closing(TableClient(Path("/nowhere"))) as link:
        yield client_of(link, folder)


def test_a_stranger_is_asked_to_pair_and_sees_no_link(client: FlaskClient) -> None:
    assert 'href="/people"' in client.get("/").text
    client.set_cookie("pairing", "made-up")
    assert 'href="/people"' not in client.get("/").text
    for path in ("/people", "/people/Ada", "/people/Nobody"):
        text = client.get(path).text
        assert 'name="number"' in text
        assert "Squares left" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_has_a_page(client: FlaskClient, folder: Path, language: str) -> None:
    client.set_cookie("language", language)
    text = client.get("/people").text
    for person in people_of(GameArchive(folder).listings()):
        assert person.name.replace("&", "&amp;") in text
        page = client.get(f"/people/{person.name}")
        assert page.status_code == 200
        assert page.text.count('href="/games/0') == len(person.mistakes) + min(
            10, len(person.games)
        )
        assert page.text.count("<li><svg viewBox") == 3
        assert 'class="course"' in page.text
    assert "people." not in text


def test_a_name_is_found_however_it_is_typed(client: FlaskClient) -> None:
    texts = [client.get(f"/people/{one}").text for one in ("ZOE\u0308 & co", "zo\u00eb & co")]
    first, second = (text.partition("<main")[2].partition("<form")[0] for text in texts)
    assert first == second != ""
    assert client.get("/people/Nobody").status_code == 404


@pytest.mark.parametrize("name", ["..", ".", "/a//b", "a/../b", "a?b#c", "100 %", "<b>", "a+b"])
def test_the_link_of_any_name_leads_to_its_page(tmp_path: Path, name: str) -> None:
    (game,) = month(1)
    store_game(tmp_path, game.name, game.course, (name, "Ben"))
    with closing(TableClient(Path("/nowhere"))) as link:
        client = client_of(link, tmp_path)
        text = client.get("/people").text
        path = text.partition('class="name" href="')[2].partition('"')[0]
        assert not re.search("/[./]", path)
        (person, _) = people_of(GameArchive(tmp_path).listings())
        assert skeleton(person.name) == skeleton(name)
        assert client.get(path).status_code == 200


def test_the_puzzle_of_the_day_leads_to_its_moment(client: FlaskClient, folder: Path) -> None:
    puzzle = puzzle_of_day(GameArchive(folder).listings(), date.today())
    assert puzzle is not None
    path = "/games/{}/review/{}".format(*puzzle)
    assert f'href="{path}"' in client.get("/people").text
    assert "Find the better move" in client.get(path).text


def test_every_mistake_can_be_tried_again(client: FlaskClient, folder: Path) -> None:
    for person in people_of(GameArchive(folder).listings()):
        for (game, number), _ in person.mistakes:
            assert client.get(f"/games/{game}/review/{number}").status_code == 200


def test_somebody_is_forgotten_by_a_command_to_the_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def ask(_: TableClient, request: CommandRequest) -> Reply:
        asked.append(request.command)
        return Reply(request.id)

    monkeypatch.setattr(TableClient, "ask", ask)
    with closing(TableClient(Path("/nowhere"))) as link:
        client = client_of(link, folder)
        form = client.get("/people/ben").text.partition('<form method="post" action="/arbiter')[2]
        fields = dict(re.findall('name="([a-z]+)" value="([^"]*)"', form.partition("</form>")[0]))
        assert fields["word"] == "forget"
        answer = client.post("/arbiter/say", data=fields, headers={"Origin": "http://localhost"})
        assert (answer.status_code, answer.location) == (303, "/people?reply=done")
        people = people_of(GameArchive(folder).listings())
        assert asked == [Forget(person_named(people, "Ben").name)]  # type: ignore[union-attr]
        assert 'id="reply" class="message" role="status">' in client.get(answer.location).text
        client.set_cookie("pairing", "made-up")
        client.post("/arbiter/say", data=fields, headers={"Origin": "http://localhost"})
        assert len(asked) == 1, "strangers are refused"
