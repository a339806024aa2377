"""What two witnesses, colour and shape, make of a black board in the dark."""

import numpy as np
import pytest

from vision.alone import gainsaid, judge_alone, judge_by_both
from vision.look import Look
from vision.relief import BARE, COLUMNS, DARK, LIGHT

PALETTE = ("black", "white")
EMPTY, BLACK, WHITE = range(3)
LINES = np.full(196, 4)


def dim_board(white: float) -> tuple[Look, Look, np.ndarray]:
    """Its look without shapes and with them, and what lies there; only white can be told by light.

    Args:
        white: L of white plastic; that of the board and of black is 10.
    """
    chance = np.random.default_rng(1)
    held = np.sort(chance.choice(3, (14, 14), p=[0.3, 0.3, 0.4]), axis=1).ravel()
    light = np.array([9.7, 9.6, white])[held] + chance.normal(0, 1.2, 196)
    relief = np.full((196, COLUMNS), -5.0, np.float32)
    relief[:, [BARE, DARK, LIGHT]] = np.where((held == EMPTY)[:, None], [0, -4, -4], [-4, 0, 0])
    deep, none = light.astype(np.float32), np.zeros(196, np.float32)
    tint = chance.normal(0, 0.02, (196, 2)).astype(np.float32)
    look = Look(tint, deep, deep, none, none > 0, np.zeros_like(relief))
    return look, Look(tint, deep, deep, none, none > 0, relief), held


@pytest.mark.parametrize("white", [25.0, 36.0])
def test_what_neither_light_nor_shape_can_tell_is_in_doubt(white: float) -> None:
    look, shaped, held = dim_board(white)
    judged, _ = judge_by_both(look, shaped, LINES, 14, PALETTE)
    evidence = judged.verdicts.evidence
    sure = evidence.max(axis=1) >= 0.9
    assert (evidence.argmax(axis=1) == held)[sure].all()


def test_right_shapes_outdo_an_explanation_that_colours_fit_no_better() -> None:
    look, shaped, held = dim_board(36.0)
    alone = judge_alone(look, LINES, 14, PALETTE)
    evidence = alone.verdicts.evidence
    assert gainsaid(alone, shaped)
    assert ((evidence.max(axis=1) >= 0.9) & (evidence.argmax(axis=1) != held)).sum() > 100
    _, told_by = judge_by_both(look, shaped, LINES, 14, PALETTE)
    assert told_by is shaped
