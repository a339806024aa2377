"""Names of people: what is kept of them, and which of them look alike."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.contract.person_names import (
    LONGEST_NAME,
    UnfitNameError,
    check_names,
    clean_name,
    skeleton,
)

UNSEEN = [
    "\u200b", "\u200c", "\u200d", "\u200e", "\u202e", "\u2060", "\u2066", "\u00ad", "\u034f",
    "\u115f", "\u2800", "\u3164", "\uffa0", "\ufeff", "\ufe0f", "\U000e0041", "\x00", "\x9f",
]  # fmt: skip
LATIN = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäéñß -'", min_size=1)


@given(st.text())
def test_what_is_kept_is_one_line_that_can_be_seen_and_stays(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name
    assert name == " ".join(name.split())
    unseen = {sign for sign in name if unicodedata.category(sign)[0] == "C"}
    assert unseen <= {"\u200c", "\u200d"}
    assert not name or any(unicodedata.category(sign)[0] in "LNPS" for sign in name)


@given(LATIN, st.sampled_from(UNSEEN), st.integers(0, 40))
def test_nothing_unseen_makes_a_latin_name_another(name: str, sign: str, at: int) -> None:
    changed = name[:at] + sign + name[at:]
    assert clean_name(changed) == clean_name(name)
    assert skeleton(changed) == skeleton(name)


@given(st.text(st.characters(categories=["L", "N", "M"], codec="utf-8"), max_size=12))
def test_forms_of_the_same_characters_are_the_same_name(name: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert skeleton(unicodedata.normalize(form, name)) == skeleton(name)


@pytest.mark.parametrize("text", [*UNSEEN, "", " \t\u00a0\u3000", "\u0301", "\u200b\u3164"])
def test_of_a_name_that_nobody_would_see_nothing_is_kept(text: str) -> None:
    assert clean_name(text) == ""


@pytest.mark.parametrize(
    "name",
    [
        "Anna Kern", "Jean-Luc d'Or", "Ольга", "Νίκος", "محمد عبد الله", "علی\u200cرضا",
        "ക്\u200dഷ", "葛\U000e0100城", "👩‍👩‍👧‍👦", "❤\ufe0f\u200d🔥", "2.", "P1",
    ],
)  # fmt: skip
def test_a_name_is_kept_as_it_was_written(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "\u0410nna"),
        ("Anna", "An\u200bna"),
        ("Anna", "anna"),
        ("Anna", "\uff21nna"),
        ("Anna", "\u0391nna"),
        ("Ben", "\u0412en"),
        ("Ольга", "ОЛЬГА"),
        ("Νίκος", "ΝΊΚΟΣ"),
        ("Zoë", "Zoe\u0308"),
        ("Jim", "Ji\u0307m"),
        ("Jean-Luc", "Jean\u2010Luc"),
        ("علی\u200cرضا", "علیرضا"),
    ],
)
def test_names_that_look_alike_do_not_stand_side_by_side(one: str, other: str) -> None:
    for names, taken in (([one, other], []), ([other], [one])):
        with pytest.raises(UnfitNameError, match=f"that looks like {one}, the name of") as error:
            check_names(names, taken)
        assert (error.value.code, error.value.name) == ("same-name", one)


@pytest.mark.parametrize(
    ("one", "other"), [("Nina", "Vina"), ("Mila", "Miia"), ("Zoe", "Zoë"), ("Иван", "Йван")]
)
def test_names_that_look_different_are_different(one: str, other: str) -> None:
    assert check_names([one, "", other, ""]) == (one, "", other, "")


@pytest.mark.parametrize(
    ("typed", "named"), [("\u3164\u200b", "U\\+3164 U\\+200B"), ("x" * (LONGEST_NAME + 1), "xxx")]
)
def test_a_name_that_does_not_fit_is_refused_in_one_sentence(typed: str, named: str) -> None:
    with pytest.raises(UnfitNameError, match=f"1 to 40 characters that can be seen.*{named}"):
        check_names(["Anna", typed])
