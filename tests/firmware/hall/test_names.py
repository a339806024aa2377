"""Public forms of names; minors are short at most."""

import pytest

from firmware.hall.names import public_name
from firmware.hall.tournament.codes import PublicForm
from firmware.hall.tournament.matches import Entrant


@pytest.mark.parametrize(
    ("form", "is_minor", "expected"),
    [
        (PublicForm.FULL, False, "Anna Maria Kern"),
        (PublicForm.FULL, True, "Anna K."),
        (PublicForm.SHORT, False, "Anna K."),
        (PublicForm.SHORT, True, "Anna K."),
        (PublicForm.ID, False, "P1"),
        (PublicForm.ID, True, "P1"),
    ],
)
def test_the_form_of_a_name_is_chosen_and_a_minor_is_short_at_most(
    form: PublicForm, expected: str, *, is_minor: bool
) -> None:
    assert public_name(Entrant("P1", form, is_minor), " Anna  Maria Kern ") == expected
    assert public_name(Entrant("P1"), " Anna  Maria Kern ") == "Anna K."


@pytest.mark.parametrize("name", [None, "", "  "])
def test_a_forgotten_name_is_the_id(name: str | None) -> None:
    assert public_name(Entrant("P1", PublicForm.FULL), name) == "P1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Anna", "Anna"),
        ("Kern, Anna Maria", "Anna K."),
        ("Anna von Kern", "Anna K."),
        ("Anna (kern)", "Anna K."),
        ("Jean-Luc d'Or", "Jean-Luc D."),
        ("田中太郎", "田."),
        ("たなか 太郎", "たなか 太."),
        ("Ольга Иванова", "Ольга И."),
        ("Anna !!", "Anna !."),
    ],
)
def test_the_short_form_is_first_name_and_initial(name: str, expected: str) -> None:
    assert public_name(Entrant("P1"), name) == expected
