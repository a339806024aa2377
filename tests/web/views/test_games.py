"""Past games: reading, replay and downloads; no other file of the disk is served."""

import os
import re
import tracemalloc
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image

from tests.support import example_pages
from tests.support.waiting import eventually
from web.app import ProgramFacts, create_app
from web.contract import GameResult, MoveEntry, Page, RefereeState, RefereeStatus
from web.game_archive import GameArchive, PastGame, Unreadable
from web.table_client import TableClient

NAME = "000007-2026-11-21-duo"
JPEG = b"\xff\xd8\xff\xe0 picture"


def write(folder: Path, name: str, pages: list[Page]) -> Path:
    game = folder / name
    (game / "evidence").mkdir(parents=True)
    (game / "pages.jsonl").write_text("".join(page.to_json() + "\n" for page in pages))
    (game / "record.blksgf").write_bytes(b"(;GM[Blokus Duo])")
    (game / "evidence" / "0002-before.jpg").write_bytes(JPEG)
    (game / "evidence" / "0002-after.jpg").write_bytes(JPEG)
    return game


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    """Pages of the empty board, the first move, the second, and the end."""
    shown = [example_pages.page_of(example_pages.played("duo", n, seed=3)) for n in (0, 1, 2, 99)]
    return [replace(page, evidence=f"{page.ply:04}" if page.ply else "") for page in shown]


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


def test_a_puzzle_is_listed_with_its_time(tmp_path: Path) -> None:
    games = tmp_path / "games"
    write(games, "000009-puzzle-tetrominoes", [example_pages.puzzle_solved()])
    write(games, "000008-puzzle-all", [example_pages.puzzle("puzzle-all", 30)])
    client = client_of(games)
    text = client.get("/games").text
    assert "<b>Solved in 3:12</b>" in text
    assert "<b>54 pieces left, 220 squares</b>" in text
    text = client.get("/games/000009-puzzle-tetrominoes").text
    assert "Solved in 3:12" in text
    assert 'class="account"' not in text
    assert client.get("/games/000009-puzzle-tetrominoes/picture.png").status_code == 200


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


def test_a_game_is_replayed_step_by_step(folder: Path, pages: list[Page]) -> None:
    client = client_of(folder)
    for at, pieces in ((0, 0), (1, 1), (2, 2)):
        text = client.get(f"/games/{NAME}?at={at}").text
        assert text.count('<g class="piece"') == pieces
        assert f"{at} / {pages[-1].ply}" in text
        assert f'href="?at={at + 1}"' in text
    end = client.get(f"/games/{NAME}").text
    assert "Game over: Ben wins by 6; points: −18 against −24." in end
    assert 'data-step="next-ply"' not in end
    assert client.get(f"/games/{NAME}?at=9999").text == end
    assert f"0 / {pages[-1].ply}" in client.get(f"/games/{NAME}?at=-5").text


@pytest.fixture
def with_refusal(folder: Path) -> str:
    """A game with a refusal after the second move, then two passes and the end."""
    game = example_pages.played("duo", 2, seed=3)
    two = example_pages.page_of(game)
    refused = replace(example_pages.refused(game), evidence="0002-illegal-000123")
    passes = [(*two.moves, *(MoveEntry(2, colour) for colour in range(n))) for n in (1, 2)]
    result = GameResult(winner=(0,))
    over = replace(two, state=RefereeStatus(RefereeState.GAME_OVER), result=result, turn=None)
    pages = [
        example_pages.empty(),
        example_pages.page_of(example_pages.played("duo", 1, seed=3)),
        replace(two, evidence="0002"),
        refused,
        *(replace(two, moves=moves) for moves in passes),
        replace(over, moves=passes[-1]),
    ]
    name = "000009-2026-12-24-duo"
    write(folder, name, pages)
    for moment in ("before", "after"):
        picture = folder / name / "evidence" / f"0002-illegal-000123-{moment}.jpg"
        picture.write_bytes(JPEG + b" refused")
    return f"/games/{name}"


def test_steps_are_numbered_by_moves_and_passes_and_refusals_take_no_number(
    folder: Path, with_refusal: str
) -> None:
    client = client_of(folder)
    counts, sentences = [], []
    for at in range(7):
        text = client.get(f"{with_refusal}?at={at}").text
        counts += re.findall(r'class="count">(\d+ / \d+)<', text)
        sentences += re.findall(r'id="sentence">([^<]*)<', text)
    assert counts == ["0 / 2", "1 / 2", *["2 / 2"] * 5]
    assert sentences[0] == "Before the first move."
    assert sentences[1].startswith("Anna (purple) lays ")
    assert sentences[2].startswith("Ben (orange) lays ")
    assert sentences[3] == "Refused."
    assert sentences[4:6] == ["Anna (purple) passes.", "Ben (orange) passes."]
    assert sentences[6].startswith("Game over: ")


def test_a_refusal_is_in_the_list_of_moves_and_shows_its_pictures(
    folder: Path, with_refusal: str
) -> None:
    client = client_of(folder, evidence=True)
    text = client.get(f"{with_refusal}?at=3").text
    steps = re.findall(
        r'href="\?at=(\d)" data-step="at-\d" data-kind="(\w+)"( aria-current)?', text
    )
    assert steps == [
        ("1", "move", ""),
        ("2", "move", ""),
        ("3", "refused", " aria-current"),
        ("4", "pass", ""),
        ("5", "pass", ""),
    ]
    card = text.partition('class="refusal"')[2].partition("</section>")[0]
    assert "<svg" in card
    assert "touch" in card
    pictures = re.findall(r'<img src="([^"]+)"', text)
    assert pictures == [
        f"{with_refusal}/0002-illegal-000123-{at}.jpg" for at in ("before", "after")
    ]
    assert all(client.get(path).data == JPEG + b" refused" for path in pictures)
    assert "illegal" not in client_of(folder).get(f"{with_refusal}?at=3").text, "nobody is paired"


def test_a_replay_is_headed_by_players_and_date_and_goes_anywhere_without_a_script(
    folder: Path, with_refusal: str
) -> None:
    text = client_of(folder).get(with_refusal).text
    assert "<h1>Anna – Ben</h1>" in text
    assert '<time datetime="2026-12-24">24 December 2026</time>' in text
    [slider] = re.findall(r'<input type="range"[^>]*>', text)
    assert 'name="at" min="0" max="6" value="6"' in slider
    assert '<form class="slide" method="get">' in text
    assert "<noscript><button>Go there</button></noscript>" in text
    german = client_of(folder).get(with_refusal, headers={"Accept-Language": "de"}).text
    assert "24. Dezember 2026" in german


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("anna", 2),
        ("BEN", 2),
        ("anna december", 1),
        ("2026-11", 1),
        ("21 november", 1),
        ("duo", 2),
        ("  ", 2),
        ("chie", 0),
        ("anna chie", 0),
        ("../..", 0),
        ("<script>", 0),
        ("x" * 100_000, 0),
    ],
)
def test_a_search_finds_players_titles_and_dates(
    folder: Path, with_refusal: str, query: str, found: int
) -> None:
    text = client_of(folder).get("/games", query_string={"q": query}).text
    assert text.count('class="past"') == found
    if query.strip():
        assert (f"{found} found" if found else "No past game fits") in text
    assert "<script>" not in text.replace('<script src="/static/device.js" defer></script>', "")
    assert '<form class="search" method="get" action="/games"' in text


def test_a_search_knows_the_words_of_the_viewer_and_a_game_that_was_rebuilt(
    folder: Path, pages: list[Page]
) -> None:
    client = client_of(folder)
    japanese = {"Accept-Language": "ja"}
    assert client.get("/games?q=デュオ", headers=japanese).text.count('class="past"') == 1
    assert client.get("/games?q=デュオ").text.count('class="past"') == 0
    path = folder / NAME / "pages.jsonl"
    assert "Zoe" not in path.read_text()
    path.write_text(path.read_text().replace('"Anna"', '"Zoe"'))
    assert client.get("/games?q=zoe").text.count('class="past"') == 1
    path.write_text("{")
    assert client.get("/games?q=zoe").text.count('class="past"') == 0
    assert client.get("/games?q=2026-11-21").text.count('class="past"') == 1


def test_a_search_keeps_its_words_from_page_to_page(folder: Path, pages: list[Page]) -> None:
    for n in range(13):
        write(folder, f"0001{n:02}-2026-12-01-duo", pages[:1])
    client = client_of(folder)
    assert (
        'href="/games?q=anna%20december&amp;from=12"' in client.get("/games?q=anna+december").text
    )
    last = client.get("/games?q=anna+december&from=12").text
    assert last.count('class="past"') == 1


def test_the_list_shows_dates_and_what_was_not_finished(folder: Path, pages: list[Page]) -> None:
    write(folder, "000008-duo", pages[:2])
    text = client_of(folder).get("/games").text
    assert "21 November 2026" in text
    assert text.count("date unknown") == 1
    assert text.count("unfinished") == 1


def test_a_date_by_a_clock_that_nobody_checked_is_marked(folder: Path, pages: list[Page]) -> None:
    events = write(folder, "000008-duo", pages[:2]) / "events.jsonl"
    events.write_text('{"event": "begun", "begun": "2026-11-20T09:00:00+01:00"}\n')
    client = client_of(folder)
    text = client.get("/games").text
    assert '<time datetime="2026-11-20">20 November 2026 (clock not checked)</time>' in text
    assert "date unknown" not in text
    assert client.get("/games?q=2026-11-20").text.count('class="past"') == 1
    assert "20 November 2026 (clock not checked)" in client.get("/games/000008-duo").text
    events.write_text('{"begun": 7}')
    assert "date unknown" in client.get("/games").text


def test_the_list_says_where_games_are_kept(folder: Path) -> None:
    facts = ProgramFacts(kept="~/kept/games")
    with closing(TableClient(Path("/nowhere"))) as link:
        kept, lost = (
            create_app(link, games=folder, facts=one).test_client().get("/games").text
            for one in (facts, None)
        )
    assert "Games are kept in ~/kept/games." in kept
    assert "These games are not kept" in lost


def test_a_record_and_a_picture_can_be_taken_home(folder: Path) -> None:
    client = client_of(folder)
    record = client.get(f"/games/{NAME}/record.blksgf")
    assert record.data == b"(;GM[Blokus Duo])"
    assert record.headers["Content-Disposition"] == f'attachment; filename="{NAME}.blksgf"'
    picture = client.get(f"/games/{NAME}/picture.png")
    assert picture.mimetype == "image/png"
    assert picture.data.startswith(b"\x89PNG\r\n\x1a\n")


def test_a_moving_picture_is_made_while_its_page_asks_again(
    folder: Path, pages: list[Page]
) -> None:
    client, path = client_of(folder), f"/games/{NAME}/picture.webp"
    assert f'href="{path}" data-share>Moving picture</a>' in client.get(f"/games/{NAME}").text
    first = client.get(path)
    assert (first.status_code, first.headers["Retry-After"]) == (503, "1")
    assert '<meta http-equiv="refresh" content="1">' in first.text
    assert "The picture is being made, and appears here in a moment." in first.text
    eventually(lambda: client.get(path).status_code == 200)
    last = client.get(path)
    assert last.mimetype == "image/webp"
    assert last.headers["Content-Disposition"] == f'inline; filename="{NAME}.webp"'
    assert getattr(Image.open(BytesIO(last.data)), "n_frames", 1) == len(pages)
    german = client.get(path, headers={"Accept-Language": "de"})
    assert "Das Bild wird gerade erstellt" in german.text, "another language is another picture"


def test_the_moving_picture_of_a_game_that_has_just_ended_waits_for_its_files(
    tmp_path: Path, pages: list[Page]
) -> None:
    path = f"/games/{NAME}/picture.webp"
    with closing(TableClient(Path("/nowhere"))) as link:
        client = create_app(link, games=tmp_path).test_client()
        for shown, status in ((pages[1], 404), (pages[-1], 503)):
            link.hear(replace(shown, name=NAME))
            assert client.get(path).status_code == status
        assert client.get(path.replace(NAME, "000008-duo")).status_code == 404
        write(tmp_path, NAME, pages)
        eventually(lambda: client.get(path).status_code == 200)


def test_a_game_without_moves_has_no_moving_picture(folder: Path, pages: list[Page]) -> None:
    name = "000008-duo"
    write(folder, name, pages[:1])
    client = client_of(folder)
    assert client.get(f"/games/{name}/picture.webp").status_code == 404
    text = client.get(f"/games/{name}").text
    assert ("picture.png" in text, "picture.webp" in text) == (True, False)


def test_pictures_of_moves_are_for_everybody_only_where_the_table_says_so(folder: Path) -> None:
    path = f"/games/{NAME}/2-after.jpg"
    closed, opened = client_of(folder), client_of(folder, evidence=True)
    assert closed.get(path).status_code == 404
    assert "after.jpg" not in closed.get(f"/games/{NAME}?at=2").text
    assert opened.get(path).data == JPEG
    assert "2-after.jpg" in opened.get(f"/games/{NAME}?at=2").text
    assert "after.jpg" not in opened.get(f"/games/{NAME}?at=1").text
    for other in ("2-during.jpg", "3-after.jpg", "99999-after.jpg", "2-..-after.jpg", "after.jpg"):
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
    for file in ("", "/record.blksgf", "/picture.png", "/picture.webp", "/2-after.jpg"):
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


def test_files_without_an_end_and_pipes_are_not_read(folder: Path) -> None:
    name = GameArchive(folder).names()[0]
    game = folder / name
    for file in ("record.blksgf", "review.json", "evidence/0001-after.jpg", "pages.jsonl"):
        (game / file).parent.mkdir(exist_ok=True)
        (game / file).touch()
        os.truncate(game / file, 20_000_000_000)
    archive = GameArchive(folder)
    assert archive.record(name) is None
    assert archive.review(name) is None
    assert archive.evidence(name, "1-after") is None
    assert archive.game(name) == archive.ending(name) == Unreadable.DAMAGED
    assert archive.listing(name) is None
    (game / "record.blksgf").unlink()
    os.mkfifo(game / "record.blksgf")
    assert archive.record(name) is None


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
    for picture in ("png", "webp"):
        assert client.get(f"/games/{NAME}/picture.{picture}").status_code == 404
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
    archive = GameArchive(None)
    assert archive.day(NAME) == "2026-11-21"
    assert archive.day("000008-duo") == ""
    assert archive.day("duo") == ""


def test_the_largest_games_take_bounded_memory(folder: Path, pages: list[Page]) -> None:
    line = pages[-1].to_json().encode() + b"\n"
    names = [f"00009{number}-duo" for number in range(4)]
    for name in names:
        (folder / name).mkdir()
        (folder / name / "pages.jsonl").write_bytes(line * (1_000_000 // len(line)))
    archive = GameArchive(folder)
    tracemalloc.start()
    for name in names:
        assert isinstance(archive.game(name), PastGame)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Two games of a megabyte; the largest that are read have eight.
    assert kept < 13_000_000
