import cv2
import pytest

from firmware.printing.paper import PAPERS
from firmware.printing.round_sheets import (
    PrintedMatch,
    PrintedRound,
    pairings_sheet,
    result_slips,
)
from tests.support.printed_pages import printed, texts
from web.i18n.languages import LANGUAGES, wording_of

PEOPLE = ("Anna K.", "山田太郎", "Jürgen Groß", "Ørjan Ł.")


def round_of(count: int, players: int = 2) -> PrintedRound:
    matches = tuple(
        PrintedMatch(str(k + 1), tuple(f"{PEOPLE[j]} {k}" for j in range(players)))
        for k in range(count)
    )
    return PrintedRound("Open 秋 2026", 3, matches, ("Zoë B.",))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_every_player_is_on_both_lists(paper: str, language: str, players: int) -> None:
    one = round_of(40, players)
    sheet = pairings_sheet(one, PAPERS[paper], wording_of(language), language)
    text = "".join(texts(sheet))
    for match in one.matches:
        for name in match.players:
            assert text.count(name.replace("Ł", "L")) >= 2, name
    assert text.count("Zoë B.") == 2


def test_each_page_says_which_one_it_is() -> None:
    pages = texts(pairings_sheet(round_of(60), PAPERS["a4"], wording_of("en"), "en"))
    assert "Page 1 of 3" in pages[0]
    assert "Page 3 of 3" in pages[2]
    assert all("Round 3" in page and "Open 秋 2026" in page for page in pages)


def test_a_long_name_stays_in_its_column() -> None:
    one = PrintedRound("E" * 300, 1, (PrintedMatch("1", ("N" * 200, "山" * 90), "20 – 14"),))
    [page, _] = printed(pairings_sheet(one, PAPERS["a4"], wording_of("en"), "en"))
    edge = round(14 / 25.4 * 300)
    assert page[:, :edge].min() == 255
    assert page[:, -edge:].min() == 255
    assert "20 – 14" in texts(pairings_sheet(one, PAPERS["a4"], wording_of("en"), "en"))[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_has_its_names_and_its_code(language: str) -> None:
    match = PrintedMatch("7", PEOPLE[:2], code="http://hall.local:8000/board/7")
    one = PrintedRound("Open", 2, (match,))
    sheet = result_slips(one, PAPERS["a4"], wording_of(language), language)
    [page] = printed(sheet)
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(page)
    assert found == match.code
    assert all(name in texts(sheet)[0] for name in match.players)


def test_four_slips_are_on_a_page() -> None:
    sheet = result_slips(round_of(9, 4), PAPERS["letter"], wording_of("de"), "de")
    assert len(texts(sheet)) == 3


def test_a_round_without_matches_is_printed() -> None:
    one = PrintedRound("Open", 1, ())
    assert texts(pairings_sheet(one, PAPERS["a4"], wording_of("en"), "en"))


def test_letters_that_the_font_lacks_are_similar_ones() -> None:
    one = PrintedRound("Open", 1, (PrintedMatch("1", ("Łukasz Ž.", "髙橋", "𠮷", "e\u0301")),))
    text = texts(pairings_sheet(one, PAPERS["a4"], wording_of("en"), "en"))[0]
    assert "Lukasz Z." in text
    assert "高橋" in text
    assert "〓" in text
