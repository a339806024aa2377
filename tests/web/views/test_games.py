"""Past games: reading, replay and downloads; no other file of the disk is served."""

from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.support import example_pages
from web.app import create_app
from web.contract import Page
from web.game_archive import GameArchive, PastGame, Unreadable
from web.table_client import TableClient
from web.views.games import when

NAME = "000007-2026-11-21-duo"
JPEG = b"\xff\xd8\xff\xe0 picture"


def write(folder: Path, name: str, pages: list[Page]) -> None:
    game = folder / name
    (game / "evidence").mkdir(parents=True)
    (game / "pages.jsonl").write_text("".join(page.to_json() + "\n" for page in pages))
    (game / "record.blksgf").write_bytes(b"(;GM[Blokus Duo])")
    (game / "evidence" / "0002-before.jpg").write_bytes(JPEG)
    (game / "evidence" / "0002-after.jpg").write_bytes(JPEG)


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    counts = (0, 1, 2, 99)
    return [example_pages.page_of(example_pages.played("duo", plies, seed=3)) for plies in counts]


@pytest.fixture
def folder(tmp_path: Path, pages: list[Page]) -> Path:
    games = tmp_path / "games"
    write(games, NAME, pages)
    (tmp_path / "secret.blksgf").write_text("secret")
    return games


def client_of(folder: Path | None, *, evidence: bool = False) -> FlaskClient:
    with closing(TableClient(Path("/nowhere"))) as link:  # past games need no table
        return create_app(link, games=folder, everybody_sees_evidence=evidence).test_client()


def test_games_are_listed_newest_first(folder: Path, pages: list[Page]) -> None:
    write(folder, "000008-duo", pages[-1:])
    (folder / "unfinished").mkdir()
    text = client_of(folder).get("/games").text
    assert text.index("000008-duo") < text.index(NAME)
    assert "unfinished" not in text
    assert "−18" in text


def test_a_long_list_has_pages(folder: Path, pages: list[Page]) -> None:
    for n in range(13):
        write(folder, f"0001{n:02}-2026-12-01-duo", pages[:1])
    client = client_of(folder)
    assert client.get("/games").text.count('class="past"') == 12
    assert 'href="/games?from=12"' in client.get("/games").text
    assert client.get("/games?from=12").text.count('class="past"') == 2


@pytest.mark.parametrize("folder_", [None, Path("/nowhere/at/all")])
def test_without_past_games_it_says_so(folder_: Path | None) -> None:
    client = client_of(folder_)
    assert "No game has been finished here yet." in client.get("/games").text
    assert client.get(f"/games/{NAME}").status_code == 404


def test_a_game_is_replayed_step_by_step(folder: Path) -> None:
    client = client_of(folder)
    for at, pieces in ((0, 0), (1, 1), (2, 2)):
        text = client.get(f"/games/{NAME}?at={at}").text
        assert text.count('<g class="piece"') == pieces
        assert f"{at} / 3" in text
        assert f'href="?at={at + 1}"' in text
    end = client.get(f"/games/{NAME}").text
    assert "Game over: Ben wins by 6; points: −18 against −24." in end
    assert 'data-step="next-ply"' not in end
    assert client.get(f"/games/{NAME}?at=9999").text == end
    assert "0 / 3" in client.get(f"/games/{NAME}?at=-5").text


def test_a_record_and_a_picture_can_be_taken_home(folder: Path) -> None:
    client = client_of(folder)
    record = client.get(f"/games/{NAME}/record.blksgf")
    assert record.data == b"(;GM[Blokus Duo])"
    assert record.headers["Content-Disposition"] == f'attachment; filename="{NAME}.blksgf"'
    picture = client.get(f"/games/{NAME}/picture.png")
    assert picture.mimetype == "image/png"
    assert picture.data.startswith(b"\x89PNG\r\n\x1a\n")


def test_pictures_of_moves_are_for_everybody_only_where_the_table_says_so(folder: Path) -> None:
    path = f"/games/{NAME}/2-after.jpg"
    closed, opened = client_of(folder), client_of(folder, evidence=True)
    assert closed.get(path).status_code == 404
    assert "after.jpg" not in closed.get(f"/games/{NAME}?at=2").text
    assert opened.get(path).data == JPEG
    assert "2-after.jpg" in opened.get(f"/games/{NAME}?at=2").text
    assert "after.jpg" not in opened.get(f"/games/{NAME}?at=1").text
    for other in ("2-during.jpg", "3-after.jpg", "99999-after.jpg"):
        assert opened.get(f"/games/{NAME}/{other}").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "../games",
        "%2e%2e",
        "..%2f",
        ".hidden",
        "A",
        "a/b",
        "a%00b",
        "x" * 81,
        "",
        "-a",
    ],
)
def test_a_name_that_is_none_leads_nowhere(folder: Path, name: str) -> None:
    (folder / ".hidden").mkdir()
    client = client_of(folder, evidence=True)
    for file in ("", "/record.blksgf", "/picture.png", "/2-after.jpg"):
        assert client.get(f"/games/{name}{file}").status_code in (404, 308)
    archive = GameArchive(folder)
    assert archive.game(name) is None
    assert archive.record(name) is None
    assert archive.ending(name) is None


def test_a_link_that_leads_elsewhere_is_not_followed(folder: Path) -> None:
    game = folder / "linked"
    game.mkdir()
    for name in ("record.blksgf", "pages.jsonl"):
        (game / name).symlink_to(folder.parent / "secret.blksgf")
    (folder / "all").symlink_to(folder.parent)
    archive = GameArchive(folder)
    assert archive.record("linked") is None
    assert archive.game("linked") is None
    assert archive.record("all") is None


def test_a_file_cut_short_shows_its_pages_and_says_that_moves_may_be_missing(
    folder: Path, pages: list[Page]
) -> None:
    path = folder / NAME / "pages.jsonl"
    good = [page.to_json() for page in pages[:2]]
    path.write_text("\n".join([good[0], '{"version": 999}', good[1], good[1][:100]]))
    assert GameArchive(folder).game(NAME) == PastGame(NAME, tuple(pages[:2]), whole=False)
    assert GameArchive(folder).ending(NAME) == PastGame(NAME, (pages[1],), whole=False)
    client = client_of(folder)
    for address in ("/games", f"/games/{NAME}"):
        assert client.get(address).text.count("so moves may be missing here") == 1


OTHER_VERSION = '{"version": 999}\n'


@pytest.mark.parametrize(
    ("content", "why", "sentence"),
    [
        (OTHER_VERSION, Unreadable.OTHER_VERSION, "Another version of the program has stored"),
        (OTHER_VERSION + '{"ver', Unreadable.OTHER_VERSION, "Another version of the program has"),
        ('{"version": ', Unreadable.DAMAGED, "The file pages.jsonl of this game is damaged"),
        ("", Unreadable.DAMAGED, "The file pages.jsonl of this game is damaged"),
        (None, Unreadable.MISSING, "The file pages.jsonl of this game is missing"),
    ],
)
def test_a_game_that_cannot_be_read_is_listed_with_the_reason(
    folder: Path, content: str | None, why: Unreadable, sentence: str
) -> None:
    path = folder / NAME / "pages.jsonl"
    path.unlink() if content is None else path.write_text(content)
    archive = GameArchive(folder)
    assert archive.game(NAME) is archive.ending(NAME) is why
    client = client_of(folder)
    for address in ("/games", f"/games/{NAME}"):
        text = client.get(address).text
        assert text.count(sentence) == 1
        assert f'href="/games/{NAME}/record.blksgf"' in text
    assert client.get(f"/games/{NAME}/picture.png").status_code == 404
    (folder / NAME / "record.blksgf").unlink()
    (folder / NAME / "events.jsonl").touch()
    assert "record.blksgf" not in client.get("/games").text


def test_a_game_that_is_still_written_is_read_again(folder: Path, pages: list[Page]) -> None:
    archive = GameArchive(folder)
    path = folder / NAME / "pages.jsonl"
    path.write_text(pages[0].to_json() + "\n")
    assert archive.game(NAME) == PastGame(NAME, (pages[0],))
    with path.open("a") as file:
        file.write(pages[1].to_json() + "\n")
    assert archive.game(NAME) == PastGame(NAME, (pages[0], pages[1]))


def test_the_day_of_a_game_is_in_its_name() -> None:
    assert when(NAME) == "2026-11-21"
    assert when("000008-duo") == ""
    assert when("duo") == ""
