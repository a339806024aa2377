"""Every language has every text, and every reason that a table gives has a sentence."""

import re
from enum import StrEnum

import pytest

from firmware.codes import CameraFault, PlayerFailure, Rule
from tests.conftest import ROOT
from vision.errors import BoardFailure
from web.contract import CommandName, RefereeState
from web.i18n.languages import LANGUAGES
from web.i18n.texts import section_of, texts_of

PLACES = re.compile(r"\{\w+\}")
"""Places for values in a text."""


def test_a_lost_board_is_explained_as_the_reader_explains_it() -> None:
    assert section_of("board-failures") == {one.value: one.reason for one in BoardFailure}


CODES: dict[str, type[StrEnum]] = {
    "states": RefereeState,
    "rules": Rule,
    "board-failures": BoardFailure,
    "camera-faults": CameraFault,
    "hint-failures": PlayerFailure,
    "words": CommandName,
}
"""Sections that have a text for each code, and no other."""


@pytest.mark.parametrize(("section", "codes"), CODES.items())
def test_every_code_has_a_text(section: str, codes: type[StrEnum]) -> None:
    assert section_of(section).keys() == {code.value for code in codes}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_text_is_translated_and_nothing_else(language: str) -> None:
    english, other = texts_of("en"), texts_of(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert other[key], f"{key} has no words in {language}"
        assert set(PLACES.findall(other[key])) == set(PLACES.findall(text)), key
    for section in CODES:
        assert not set(section_of(section).values()) & set(section_of(section, language).values())


def test_every_sentence_of_the_tour_is_said_by_its_script_or_its_panel() -> None:
    script = (ROOT / "web" / "static" / "tour.js").read_text()
    panel = (ROOT / "web" / "templates" / "tour.html").read_text()
    spoken = set(re.findall(r'(?:say: |\? |: |suggest\()"([a-z-]+)"', script))
    named = set(re.findall(r"words\.([a-z]+)", script)) | set(re.findall(r"tell\['(\w+)'\]", panel))
    assert section_of("tour").keys() <= spoken | named
    assert set(re.findall(r'say: (?:seen \? )?"([a-z-]+)"', script)) <= section_of("tour").keys()
