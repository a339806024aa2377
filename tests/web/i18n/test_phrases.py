"""Every reason that a table gives has a sentence, and the reader's are the page's."""

import re
from dataclasses import replace

import pytest

from firmware.codes import CameraFault, PlayerFailure
from tests.conftest import ROOT
from tests.support import example_pages
from vision.errors import BoardFailure
from vision.reading import SENTENCES
from web.contract import (
    ArbiterPage,
    HintAllowance,
    RefereeState,
    RefereeStatus,
)
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.phrases import BOARD_FAILURES, CAMERA_FAULTS, HINT_FAILURES, TOUR
from web.i18n.wording import Wording


def test_a_lost_board_is_explained_as_the_reader_explains_it() -> None:
    assert {code.value: text for code, text in BOARD_FAILURES.items()} == {
        code.value: text for code, text in SENTENCES.items()
    }


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_reason_is_translated(language: str) -> None:
    english, other, page = Wording(), wording_of(language), example_pages.empty()
    for code in BoardFailure:
        lost = replace(page, state=RefereeStatus(RefereeState.BOARD_LOST, failure=code))
        assert BOARD_FAILURES[code] in english.state(lost)
        assert BOARD_FAILURES[code] not in other.state(lost)
    for fault in CameraFault:
        away = replace(page, state=RefereeStatus(RefereeState.CAMERA_AWAY, fault=fault))
        assert CAMERA_FAULTS[fault] in english.state(away)
        assert CAMERA_FAULTS[fault] not in other.state(away)
    for failure in PlayerFailure:
        private = ArbiterPage(HintAllowance((1, 1), 0, failure=failure))
        asked = replace(page, private=private)
        assert HINT_FAILURES[failure] in english.hint(asked)
        assert HINT_FAILURES[failure] not in other.hint(asked)


def test_every_sentence_of_the_tour_is_said_by_its_script_or_its_panel() -> None:
    script = (ROOT / "web" / "static" / "tour.js").read_text()
    panel = (ROOT / "web" / "templates" / "tour.html").read_text()
    spoken = set(re.findall(r'(?:say: |\? |: |suggest\()"([a-z-]+)"', script))
    named = set(re.findall(r"words\.([a-z]+)", script)) | set(re.findall(r"tell\['(\w+)'\]", panel))
    assert TOUR.keys() <= spoken | named
    assert set(re.findall(r'say: (?:seen \? )?"([a-z-]+)"', script)) <= TOUR.keys()
