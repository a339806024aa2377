"""Sentences are said in every language, and every viewer gets their language."""

from dataclasses import replace

import pytest
from werkzeug.datastructures import LanguageAccept

from firmware.codes import Rule
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

TRANSLATED = [code for code in LANGUAGES if code != "en"]


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
