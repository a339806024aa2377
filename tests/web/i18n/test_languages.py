"""Every phrase is translated into every language, and every viewer gets their language."""

import gettext
import re
from dataclasses import replace

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from werkzeug.datastructures import LanguageAccept

from firmware.codes import Rule
from tests.conftest import ROOT
from tests.support import example_pages
from web.contract import (
    Mark,
    Page,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    ViolationEntry,
)
from web.i18n.languages import LANGUAGES, choose, wording_of

FOLDER = ROOT / "web" / "translations"
TRANSLATED = [code for code in LANGUAGES if code != "en"]
PHRASES = [ROOT / "web" / "i18n" / f"{name}.py" for name in ("phrases", "hall_phrases")]
PLACES = re.compile(r"\{\w+\}")


def phrases() -> set[str]:
    return {
        message
        for path in PHRASES
        for _, message, _, _ in extract_from_file("python", str(path), keywords={"mark": None})
        if isinstance(message, str)
    }


def catalog(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / "cornerlight.po").open("rb") as file:
        return read_po(file, locale=language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_phrase_is_translated_and_nothing_else(language: str) -> None:
    messages = {message.id: message for message in catalog(language) if message.id}
    assert messages.keys() == phrases(), "make words brings the translations up to date"
    for english, message in messages.items():
        assert message.string, f"{english!r} has no words in {language}"
        assert not message.fuzzy
        assert isinstance(message.string, str)
        assert isinstance(english, str)
        assert set(PLACES.findall(message.string)) == set(PLACES.findall(english)), english


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_words_are_those_of_the_source(language: str) -> None:
    compiled = gettext.translation("cornerlight", FOLDER, [language])
    for message in catalog(language):
        if message.id:
            assert compiled.gettext(str(message.id)) == message.string, "make words compiles them"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", Rule)
def test_every_rule_is_reported_in_every_language(language: str, rule: Rule) -> None:
    piece = RefusedPiece(1, ((7, 6),), (ViolationEntry(rule, ((7, 6),), ((6, 6),)),))
    [sentence] = wording_of(language).refusal(example_pages.empty(), piece)
    assert sentence.endswith((".", "。"))
    assert "{" not in sentence
    [english] = wording_of("en").refusal(example_pages.empty(), piece)
    assert (sentence == english) is (language == "en")


def in_state(code: RefereeState) -> Page:
    if code is RefereeState.GAME_OVER:
        return example_pages.duo_over()
    if code is RefereeState.REFUSED:
        return example_pages.duo_refused()
    if code is RefereeState.TO_LIFT:
        return example_pages.duo_to_lift()
    return replace(example_pages.empty(), state=RefereeStatus(code, colour=0))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("code", RefereeState)
def test_every_state_is_reported_in_every_language(language: str, code: RefereeState) -> None:
    page = in_state(code)
    wording = wording_of(language)
    assert wording.state(page) != wording_of("en").state(page)
    assert "{" not in wording.state(page) + wording.announcement(page)
    assert len({piece.mark for piece in page.pieces} - set(Mark)) == 0


def test_sentences_follow_each_other_as_their_script_has_it() -> None:
    page = replace(example_pages.empty(), saved=False)
    assert wording_of("ja").state(page) == (
        "紫の番です。保存できません：記録を書き込めませんが、ゲームは続きます。"
    )
    assert wording_of("de").state(page).startswith("Violett ist am Zug. Nicht gespeichert:")


@pytest.mark.parametrize(
    ("chosen", "wanted", "language"),
    [
        (None, [("de-AT", 1.0), ("en", 0.8)], "de"),
        (None, [("fr", 1.0), ("ja", 0.5), ("en", 0.1)], "ja"),
        (None, [("fr", 1.0)], "en"),
        (None, [], "en"),
        ("ja", [("de", 1.0)], "ja"),
        ("../../etc", [("de", 1.0)], "de"),
        ("", [("de", 1.0)], "de"),
    ],
)
def test_a_viewer_gets_the_language_they_chose_or_their_browser_asks_for(
    chosen: str | None, wanted: list[tuple[str, float]], language: str
) -> None:
    assert choose(chosen, LanguageAccept(wanted)) == language
