"""Sentences on the steps of a hint in a game, and on the reasons for a move."""

from dataclasses import replace

import pytest

from firmware.codes import HintAmount, HintStep, MoveReasonCode
from tests.support import example_pages
from web.contract import (
    ArbiterPage,
    HintAllowance,
    MoveReasonEntry,
    Page,
)
from web.i18n.languages import LANGUAGES, wording_of
from web.i18n.wording import Wording

SQUARES = ((3, 2), (3, 3), (4, 3))


def hinted(step: HintStep, **values: object) -> Page:
    page = example_pages.page_of(example_pages.played("duo", 12))
    colour = None if step is HintStep.AREA else 0
    hints = HintAllowance((2, 1), 0, step=step, colour=colour, squares=SQUARES, piece="V3")
    return replace(page, private=ArbiterPage(replace(hints, **values)))  # type: ignore[arg-type]


def test_an_area_is_named_by_two_corners() -> None:
    words = Wording()
    assert words.hint(hinted(HintStep.AREA)) == "Look about here: c10 to d11."
    assert words.hint(hinted(HintStep.PIECE)) == "A hint for purple: V3, about here: c10 to d11."


def test_a_person_who_agreed_on_less_is_told_so() -> None:
    limited = hinted(HintStep.PIECE, amount=HintAmount.AREA_AND_PIECE)
    assert Wording().hint(limited).endswith("More than area and piece was not agreed on.")


def test_a_move_without_a_reason_is_the_best_and_no_more() -> None:
    expected = "The computer finds it best; no single reason stands out."
    assert Wording().hint(hinted(HintStep.REASON)) == expected


@pytest.mark.parametrize(
    ("margin", "expected"),
    [
        (3, "Proved: you win by 3."),
        (0, "Proved: a tie with best play."),
        (-2, "Proved: you lose by 2, and no move does better."),
    ],
)
def test_a_proved_end_is_told_once(margin: int, expected: str) -> None:
    words = Wording()
    assert words.hint(hinted(HintStep.REASON, proved=margin)) == expected
    reason = (MoveReasonEntry(MoveReasonCode.PROVEN, margin),)
    assert words.hint(hinted(HintStep.REASON, proved=margin, reasons=reason)) == expected


def test_only_the_computer_expects_and_only_the_solver_proves() -> None:
    words = Wording()
    for code in MoveReasonCode:
        clause = words.move_reason(code, 5, "a1")
        is_proof = code in (MoveReasonCode.PROVEN, MoveReasonCode.ONLY_WINNING)
        assert ("proved" in clause) == is_proof
        assert ("computer expects" in clause) == (code is MoveReasonCode.TAKES_THE_WISH)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_every_reason_is_translated(language: str) -> None:
    english, other = Wording(), wording_of(language)
    for code in MoveReasonCode:
        clause = other.move_reason(code, 5, "a1")
        assert "5" in clause or "a1" in clause
        assert clause != english.move_reason(code, 5, "a1")
