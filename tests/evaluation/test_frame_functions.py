from pathlib import Path
from statistics import median

import pytest

from tests.evaluation.frame_functions import counts

pytestmark = pytest.mark.slow

MOST_OF_A_FRAME, MOST_OF_A_PIECE = 345, 680
"""Greatest numbers of own functions. Later work may lower them, and raises none of them."""


def test_a_frame_and_a_piece_run_no_more_functions_than_before(tmp_path: Path) -> None:
    frames, piece = counts(tmp_path)
    assert median(len(one.functions) for one in frames) <= MOST_OF_A_FRAME
    assert len(piece.functions) <= MOST_OF_A_PIECE
