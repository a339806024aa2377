"""Tiles are grouped by the network's colours, and the groups are named together."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.square_outputs import SQUARES, outputs
from vision.squares.judgement import PALETTES
from vision.squares.network import DARK, Shapes
from vision.squares.square_features import SquareFeatures
from vision.squares.tile_colours import NamedTiles
from vision.squares.tile_colours import named as named_groups
from vision.squares.tile_groups import grouped


def named(
    shapes: Shapes,
    observed: SquareFeatures,
    palettes: tuple[tuple[str, ...], ...],
    before: tuple[tuple[str, ...], NDArray[np.intp]] | None = None,
) -> NamedTiles:
    return named_groups(grouped(shapes, len(palettes[0])), shapes, observed, palettes, before)


@pytest.mark.parametrize("palette", PALETTES[14][:3])
@pytest.mark.parametrize("tint", [0.8, 1.2])
def test_the_edition_is_recognised_in_pale_and_in_deep_colours(
    palette: tuple[str, str], tint: float
) -> None:
    found = named(*outputs((palette[1], 0, 5), (palette[0], 1, 9), tint=tint), PALETTES[14])
    assert found.palette == palette
    assert found.lead > 6
    assert (found.chances[:5].argmax(axis=1) == 1).all()
    assert (found.chances[5:14].argmax(axis=1) == 0).all()


def test_a_tile_that_mirrors_a_lamp_has_the_colour_of_its_group() -> None:
    shapes, observed = outputs(("purple", 0, 9), ("orange", 1, 9))
    observed.tint[3] = 0.0
    found = named(shapes, observed, PALETTES[14])
    assert found.chances[3, 0] > 0.95


def test_overexposed_yellow_is_yellow_while_it_is_not_white() -> None:
    shapes, observed = outputs(("yellow", 0, 5))
    observed.lightness[:5] = 97.0
    observed.tint[:5] = (-0.14, 0.5)
    assert named(shapes, observed, PALETTES[20]).chances[:5, 1].min() > 0.95
    observed.tint[:5] = 0.0
    assert named(shapes, observed, PALETTES[20]).chances[:5].max() < 0.5


def test_of_two_groups_in_doubt_each_has_its_own_colour() -> None:
    shapes, observed = outputs(("purple", 0, 9), ("orange", 1, 9))
    observed.tint[9:18] = 0.0
    found = named(shapes, observed, PALETTES[14][:1])
    assert found.chances[9:18, 1].min() > 0.8


def test_tiles_of_one_colour_that_seem_to_be_two_groups_have_one_name() -> None:
    shapes, observed = outputs(("red", 0, 18), ("blue", 1, 18))
    shapes.colours[18:36, 1] = np.linspace(2, 5, 18)  # as pale and deep tiles of one colour
    found = named(shapes, observed, PALETTES[20])
    assert grouped(shapes, 4).tiles.shape[1] > 2
    assert found.chances[:18, 2].min() > 0.99
    assert found.chances[18:36, 0].min() > 0.99


def test_two_colours_in_groups_that_lie_close_together_are_not_one() -> None:
    shapes, observed = outputs(("red", 0, 18), ("green", 1, 18), ("blue", 1, 18))
    shapes.colours[36:54, 1] += 1.5
    found = named(shapes, observed, PALETTES[20])
    assert found.chances[18:36, 3].min() > 0.9
    assert found.chances[36:54, 0].min() > 0.9


def test_deep_blue_is_blue() -> None:
    shapes, observed = outputs(("blue", 0, 2))
    observed.tint[:2] = (1.46, -2.03)  # as in a photograph
    assert named(shapes, observed, PALETTES[20]).chances[:2, 0].min() > 0.95


def test_black_is_the_darker_and_white_the_lighter_grey() -> None:
    dark, _ = outputs(("black", 0, 4), shade=DARK)
    light, observed = outputs(("black", 0, 4), ("white", 1, 4))
    shapes = light.replaced(np.arange(SQUARES) < 4, dark)
    found = named(shapes, observed, PALETTES[14])
    assert found.palette == ("black", "white")
    assert (found.chances[:4].argmax(axis=1) == 0).all()
    assert (found.chances[4:8].argmax(axis=1) == 1).all()


def test_grey_tiles_are_told_from_a_board_that_is_not_grey() -> None:
    shapes, observed = outputs(("black", 0, 4), ("white", 1, 4))
    assert not named(shapes, observed, PALETTES[14][3:]).bare.any()
    observed.tint[8:] = (-0.5, -0.3)
    found = named(shapes, observed, PALETTES[14][3:])
    assert found.bare[:8].max() < -1
    assert not found.bare[8:].any()


def test_a_colour_is_kept_when_a_lamp_makes_it_look_like_another() -> None:
    shapes, observed = outputs(("orange", 0, 6))
    held = np.where(np.arange(SQUARES) < 6, 1, 0)
    palette = ("purple", "orange")
    alone = named(shapes, observed, (palette,))
    kept = named(shapes, observed, (palette,), (palette, held))
    assert alone.chances[0, 1] > 0.99
    assert kept.chances[0, 0] > alone.chances[0, 0]
    assert kept.lead == alone.lead


def test_a_board_of_four_colours_is_none_of_two() -> None:
    of_two = named(*outputs(("red", 0, 14), ("yellow", 1, 18)), PALETTES[14])
    assert of_two.palette == ("red", "yellow")
    assert of_two.lead > 6
    of_four = named(*outputs(("red", 0, 14), ("blue", 0, 10), ("yellow", 1, 18)), PALETTES[14])
    assert of_four.lead == 0


def test_an_empty_board_has_no_sure_edition() -> None:
    found = named(*outputs(), PALETTES[14])
    assert found.palette == PALETTES[14][0]
    assert found.lead == 0
