"""Constants are replaced wherever they are used, and stand there again afterwards."""

from importlib import import_module

import pytest

from tests.evaluation.constants import multiplied, place_of, replaced
from vision.classification import colour_classifier, colour_fit, colour_model, specular
from vision.fitted.constants import fitted_constants


def test_a_public_constant_is_replaced_in_each_module_that_imports_it() -> None:
    before = colour_model.EMPTY_STRAY
    with replaced("vision.classification.colour_model.EMPTY_STRAY", 0.5):
        assert [one.EMPTY_STRAY for one in (colour_model, colour_fit, specular)] == [0.5] * 3
    assert [one.EMPTY_STRAY for one in (colour_model, colour_fit, specular)] == [before] * 3


def test_a_private_constant_is_replaced_in_its_own_module_alone() -> None:
    modules = (specular, colour_classifier)
    before = [one._PLAIN for one in modules]
    with multiplied("vision.classification.specular._PLAIN=2"):
        assert [one._PLAIN for one in modules] == [2 * before[0], before[1]]
    assert [one._PLAIN for one in modules] == before


@pytest.mark.parametrize("entry", fitted_constants())
def test_the_constant_of_an_entry_is_found(entry: str) -> None:
    home, name = place_of(entry).rsplit(".", 1)
    with replaced(place_of(entry), -1.0):
        assert getattr(import_module(home), name) == -1.0
