import cv2
import pytest

from firmware.hall.table_cards import table_cards
from firmware.printing.paper import PAPERS
from tests.support.printed_pages import printed, texts
from web.i18n.languages import LANGUAGES, wording_of

URI = "cornerlight://hall.local:8883/club?table=7&secret=" + "s" * 43 + "&ca=" + "a" * 64


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_is_the_address_that_connects_the_table(paper: str, language: str) -> None:
    sheet = table_cards("Nord 会", [(7, URI)], PAPERS[paper], wording_of(language), language)
    [page] = printed(sheet)
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(page)
    assert found == URI
    [text] = texts(sheet)
    assert URI in text.replace("\r\n", "")
    assert "Nord 会" in text


def test_two_cards_are_on_a_page() -> None:
    cards = [(k, URI) for k in range(1, 6)]
    assert len(texts(table_cards("N", cards, PAPERS["a4"], wording_of("en"), "en"))) == 3
