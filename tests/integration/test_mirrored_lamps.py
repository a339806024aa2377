"""A rendered table under lamps that its plastic mirrors."""

import pytest

from firmware.rules.board import Move
from firmware.rules.variants import EDITIONS
from tests.support.table_script import Lay, ScriptedTable, ScriptSetup, Wait
from vision.errors import BoardFailure
from vision.reader import Reader
from vision.reading import Reading

pytestmark = pytest.mark.slow

YELLOW = ("e10,f10,g10,d11,e11", "b12,c12", "f12,f13,e14,f14", "a9,a10,b10,a11")
RED = ("j9,j10,k10,j11,j12", "j3,k3,l3,k4,l4", "m11,m12,k13,l13,m13", "d1,e1,d2", "m5,n5")
LATE_YELLOW, LATE_RED = "h11,h12,i12,h13,h14", "b6,a7,b7,b8"


def test_pale_squares_at_the_edge_are_pieces_and_never_a_hand() -> None:
    setting = ScriptSetup(
        edition="red-yellow", seed=2, width=960, height=720, noise=3.2, jpeg=75, opacity=0.78
    )
    laid = [Lay(1, cells) for cells in (*YELLOW, LATE_YELLOW)]
    laid += [Lay(0, cells) for cells in (*RED, LATE_RED)]
    mirrored = Lay(0, "a12,a13,b13,c13,c14", 1.34, 0.85, 1.46)
    reader = Reader(14, EDITIONS["red-yellow"])
    readings = [
        reader.read(frame)
        for frame in ScriptedTable(setting).play([*laid, Wait(2), mirrored, Wait(12)])
    ]
    assert not any(isinstance(reading, BoardFailure) or reading.hand for reading in readings)
    newest = readings[-1]
    assert isinstance(newest, Reading)
    contents = newest.probabilities.argmax(axis=1)
    assert [contents[square] for square in Move.parse(mirrored.cells, 14).squares] == [1] * 5
