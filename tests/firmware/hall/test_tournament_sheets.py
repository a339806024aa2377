from dataclasses import replace
from fractions import Fraction

import pytest

from firmware.hall.tournament.codes import TieBreak
from firmware.hall.tournament.matches import DrawnMatch, DrawnRound, MatchOutcome, Ruling, bye
from firmware.hall.tournament.settings import TournamentSettings
from firmware.hall.tournament.standings import RankedPlayer
from firmware.hall.tournament.state import TournamentState
from firmware.hall.tournament_sheets import (
    ListColumn,
    PrintedList,
    list_file,
    pairings_sheet,
    standings_sheet,
)
from firmware.printing.paper import PAPERS
from tests.support.printed_pages import printed, texts
from web.hall.page import HallPage
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.wording import Wording

PEOPLE = ("Anna K.", "山田太郎", "Jürgen Groß", "Ørjan Ł.")
BREAKS = (TieBreak.DIRECT, TieBreak.BUCHHOLZ)


def page_of(one: DrawnRound, names: dict[str, str], event: str = "Open 秋 2026") -> HallPage:
    settings = TournamentSettings(event, "duo", 9, tie_breaks=BREAKS)
    state = TournamentState(settings=settings, rounds=(one,))
    return HallPage(hall="Club", state=state, public_names=names)


def round_of(count: int, players: int = 2) -> tuple[HallPage, DrawnRound]:
    """A round in which the names of the players have the number of their match."""
    names = {f"P{k}-{j}": f"{PEOPLE[j]} {k}" for k in range(count) for j in range(players)}
    matches = tuple(
        DrawnMatch(f"3-{k + 1:02}", tuple(f"P{k}-{j}" for j in range(players)), k + 1)
        for k in range(count)
    )
    one = DrawnRound(3, (*matches, bye(3, "Z")))
    return page_of(one, {**names, "Z": "Zoë B."}), one


def single(event: str, *names: str) -> tuple[HallPage, DrawnRound]:
    """A round of one match."""
    players = tuple(f"P{k}" for k in range(len(names)))
    one = DrawnRound(1, (DrawnMatch("1-01", players, 1),))
    return page_of(one, dict(zip(players, names, strict=True)), event), one


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_every_player_is_on_both_lists(paper: str, language: str, players: int) -> None:
    page, one = round_of(40, players)
    sheet = pairings_sheet(page, one, PAPERS[paper], wording_of(language), language)
    text = "".join(texts(sheet))
    for name in page.public_names.values():
        assert text.count(name.replace("Ł", "L")) >= 2, name
    assert text.count("Zoë B.") == 2


def test_each_page_says_which_one_it_is() -> None:
    pages = texts(pairings_sheet(*round_of(60), PAPERS["a4"], wording_of("en"), "en"))
    assert "Page 1 of 3" in pages[0]
    assert "Page 3 of 3" in pages[2]
    assert all("Round 3" in page and "Open 秋 2026" in page for page in pages)


def test_a_long_name_stays_in_its_column() -> None:
    page, one = single("E" * 300, "N" * 200, "山" * 90)
    ruling = Ruling(MatchOutcome.by_scores((20, 14)))
    one = replace(one, matches=(replace(one.matches[0], ruling=ruling),))
    sheet = pairings_sheet(page, one, PAPERS["a4"], wording_of("en"), "en")
    [image, _] = printed(sheet)
    edge = round(14 / 25.4 * 300)
    assert image[:, :edge].min() == 255
    assert image[:, -edge:].min() == 255
    assert "20 : 14" in texts(sheet)[0]


def test_a_round_without_matches_is_printed() -> None:
    one = DrawnRound(1, ())
    assert texts(pairings_sheet(page_of(one, {}), one, PAPERS["a4"], wording_of("en"), "en"))


def test_letters_that_the_font_lacks_are_similar_ones() -> None:
    page, one = single("Open", "Łukasz Ž.", "髙橋", "𠮷", "e\u0301")
    text = texts(pairings_sheet(page, one, PAPERS["a4"], wording_of("en"), "en"))[0]
    assert "Lukasz Z." in text
    assert "高橋" in text
    assert "〓" in text


def ranked() -> HallPage:
    one = DrawnRound(1, ())
    lines = tuple(
        RankedPlayer(k, f"P{k}", k + Fraction(1, 2), (None, Fraction(12)), 4) for k in range(1, 61)
    )
    names = {f"P{k}": f"山田 Kay {k}" for k in range(1, 61)}
    return replace(page_of(one, names, "Open"), standings=lines)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_standings_is_printed_once(paper: str, language: str) -> None:
    pages = texts(standings_sheet(ranked(), PAPERS[paper], wording_of(language), language))
    assert len(pages) == 3
    text = "".join(pages)
    for name in ranked().public_names.values():
        assert text.count(f"{name}\r") + text.count(f"{name} ") == 1


def test_the_round_and_the_whole_names_of_tie_breaks_are_there() -> None:
    [text, *_] = texts(standings_sheet(ranked(), PAPERS["a4"], wording_of("de"), "de"))
    assert "Stand nach Runde 1" in text
    for word in ("Direkter", "Vergleich", "Buchholz"):
        assert word in text


def test_the_usual_tie_breaks_are_printed() -> None:
    page = ranked()
    assert page.tournament is not None
    usual = replace(page.tournament, tie_breaks=())
    line = RankedPlayer(1, "P1", Fraction(1), (Fraction(12),) * len(usual.order), 4)
    page = replace(page, state=replace(page.state, settings=usual), standings=(line,))
    wording = wording_of("en")
    [text] = texts(standings_sheet(page, PAPERS["a4"], wording, "en"))
    assert len(usual.order) > 1
    heads = [wording.tie_break(one)[:12] for one in usual.order[1:]]
    assert all(head in text for head in heads), "the first name is broken into two lines"
    assert text.count("12") == len(usual.order)


def test_lists_have_pages_of_their_own_and_rows_go_on() -> None:
    columns = (ListColumn("a", 1), ListColumn("b", 1, is_number=True, is_blank=True))
    long = PrintedList("long", "event", columns, tuple((f"row {k}", "") for k in range(70)))
    short = PrintedList("short", "event", columns, ())
    pages = texts(list_file((long, short), PAPERS["a4"], Wording(), "en"))
    rows = [page.count("row ") for page in pages]
    assert sum(rows) == 70
    assert rows[-1] == 0
    assert "Page" not in pages[-1]


def test_a_list_made_again_is_equal() -> None:
    one = PrintedList("list", "event", (ListColumn("a", 1),), (("x",),))
    first, again = (list_file((one,), PAPERS["a4"], Wording(), "en") for _ in range(2))
    assert first == again
