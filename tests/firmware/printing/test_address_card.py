"""The card has the address as text and as a QR code, in every language and on every paper."""

import re

import cv2
import numpy as np
import pytest

from firmware.printing.address_card import address_card
from firmware.printing.paper import PAPERS
from tests.support.printed_pages import PX_A_MM, printed, ruler_mm, texts
from web.i18n.languages import LANGUAGES, wording_of

pytestmark = pytest.mark.slow


def card(name: str = "cornerlight", paper: str = "a4", language: str = "en") -> bytes:
    return address_card(name, 8000, PAPERS[paper], wording_of(language), language)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_code_leads_to_the_page_and_the_ruler_is_100_mm(paper: str, language: str) -> None:
    [page] = printed(card(paper=paper, language=language))
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(page)
    assert found == "http://cornerlight.local:8000/"
    assert ruler_mm(page) == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_address_can_be_typed_and_where_phones_are_paired(language: str) -> None:
    [text] = texts(card(language=language))
    assert "cornerlight.local:8000\r\n" in text
    assert "cornerlight.local:8000/arbiter" in text
    assert "cornerlight pair" in text.replace("\r\n", " ")
    # The words of the page's own buttons lead to the code of the camera.
    words, written = wording_of(language), re.sub(r"\s", "", text)
    for button in (words.label("setup"), words.camera("camera-code")):
        assert re.sub(r"\s", "", button) in written


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_step_ends_above_the_ruler(paper: str, language: str) -> None:
    [page] = printed(card(paper=paper, language=language))
    low, high = (round(mm * PX_A_MM * len(page) / (297 * PX_A_MM)) for mm in (24, 22))
    assert page[-low:-high].min() == 255


def test_the_longest_name_stays_on_the_paper() -> None:
    [page] = printed(card("m" * 63))
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(page)
    assert found == f"http://{'m' * 63}.local:8000/"
    edge = round(18 * PX_A_MM)
    assert page[: -round(26 * PX_A_MM), -edge:].min() == 255
    assert np.ptp(page) > 0


def test_a_card_made_again_is_equal() -> None:
    assert card(language="ja") == card(language="ja")
