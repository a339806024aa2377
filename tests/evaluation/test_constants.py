"""Constants are replaced wherever they are used, and stand there again afterwards."""

from importlib import import_module

import pytest

from tests.evaluation.constants import multiplied, place_of, replaced
from vision.squares import square_features, tile_colours, tile_groups
from vision.squares.fitted_constants import fitted_constants


def test_a_public_constant_is_replaced_in_each_module_that_imports_it() -> None:
    with replaced("vision.squares.square_features.BLACK_OFFSET", 8.0):
        assert [one.BLACK_OFFSET for one in (square_features, tile_colours)] == [8.0] * 2
    assert [one.BLACK_OFFSET for one in (square_features, tile_colours)] == [16.0] * 2


def test_a_private_constant_is_replaced_in_its_own_module_alone() -> None:
    modules = (tile_colours, tile_groups)
    before = [one._LIKELY for one in modules]
    with multiplied("vision.squares.tile_colours._LIKELY=2"):
        assert [one._LIKELY for one in modules] == [2 * before[0], before[1]]
    assert [one._LIKELY for one in modules] == before


@pytest.mark.parametrize("entry", fitted_constants())
def test_the_constant_of_an_entry_is_found(entry: str) -> None:
    home, name = place_of(entry).rsplit(".", 1)
    with replaced(place_of(entry), -1.0):
        assert getattr(import_module(home), name) == -1.0
