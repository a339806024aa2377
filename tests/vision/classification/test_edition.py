"""Editions detected by the tints of tiles, and tints that are not sure."""

from dataclasses import replace

import numpy as np
import pytest

from vision.classification.colour_classifier import PALETTES, choose
from vision.classification.edition import edition_evidence
from vision.classification.single_frame import judge_by_both
from vision.features.square_features import SquareFeatures
from vision.plastics import PLASTICS
from vision.shape.network import BARE, COLUMNS, LIGHT

DUO = PALETTES[14]
EACH = 20


def board(*tints: tuple[float, float], each: int = EACH, stray: float = 0.03) -> SquareFeatures:
    """Makes a board with tiles of each tint by shapes, and bare squares without tint."""
    chance = np.random.default_rng(1)
    tint = np.zeros((196, 2))
    for place, one in enumerate(tints):
        tint[place * each : (place + 1) * each] = one
    tint += chance.normal(0, stray, tint.shape)
    relief = np.full((196, COLUMNS), -7.0, np.float32)
    tile = np.arange(196) < each * len(tints)
    relief[tile, LIGHT], relief[~tile, BARE] = 0, 0
    light = np.where(tile, 50, 20).astype(np.float32)
    none = np.zeros(196, np.float32)
    return SquareFeatures(tint.astype(np.float32), light, light, none, none > 0, relief)


@pytest.mark.parametrize("palette", DUO, ids="-".join)
def test_usual_tints_tell_their_edition_for_sure(palette: tuple[str, str]) -> None:
    choice = choose(board(PLASTICS[palette[0]].tint, PLASTICS[palette[1]].tint, each=6), 14)
    assert choice.colours.palette == palette
    assert choice.is_sure


def test_many_tiles_that_lie_between_editions_tell_none_for_sure() -> None:
    """Purple and orange under a greenish lamp: violet and nearly yellow."""
    choice = choose(board((0.36, -0.8), (0.1, 0.6), each=40), 14)
    assert not choice.is_sure
    assert not choice.is_likely


def test_tiles_with_a_hue_are_not_black_and_white_however_many_others_are_grey() -> None:
    """Pale purple and orange under the mirror image of a window."""
    choice = choose(board((0.15, -0.1), (0.1, 0.45)), 14)
    assert not choice.is_sure


def test_colours_alone_make_up_for_what_the_lead_of_an_edition_lacks() -> None:
    shaped = board((0.55, -0.8), (0.15, 0.6))
    observed = replace(shaped, relief=np.zeros_like(shaped.relief))
    assert not choose(shaped, 14).is_sure
    judged, _ = judge_by_both(observed, shaped, np.full(196, 4), 14, None)
    assert judged.colours.palette == ("purple", "orange")
    assert judged.is_sure


def test_each_tile_of_many_counts_less() -> None:
    few, many = (edition_evidence(board((0.6, -0.8), (0.2, 0.6), each=k), DUO) for k in (4, 40))
    assert few is not None
    assert many is not None
    assert many.lead == pytest.approx(few.lead, rel=0.3)
