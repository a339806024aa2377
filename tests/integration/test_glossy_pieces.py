"""Pieces that mirror the lamp look like skin by colour, and like tiles by their shape."""

import numpy as np
import pytest

from firmware.rules.board import Move
from firmware.rules.variants import GAMES, default_edition
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import Hand, Lighting, TablePiece, VirtualTable, square_mm
from vision.reader import Reader
from vision.reading import Reading
from vision.synthetic.renderer import Renderer

STEP_S = 0.1
STILL_S = 3.5
"""Seconds after which an object at rest was judged by itself."""

GLOSSY = Move.parse("a12,a13,a14,b14,c14", 14)
FIRST = ((0, "e10,d10,f10,e9,e11"), (1, "j5,i6,j6,k6,j7"))


class GlossyTable:
    """A table whose lamp is mirrored by pieces in the corner behind left."""

    def __init__(self) -> None:
        self.table = VirtualTable(GAMES["duo"])
        self.now_s = 0.0
        edition = default_edition(GAMES["duo"])
        self._camera = SimulatedCamera(self.table, edition, lambda: self.now_s, Renderer(1))
        self._reader = Reader(14, edition)
        self.table.switch_lamp(Lighting(azimuth_deg=130.0, elevation_deg=60.0))
        for colour, squares in FIRST:
            self.table.lay(TablePiece(colour, Move.parse(squares, 14)))

    def read(self, seconds: float) -> Reading:
        """Returns the reading after a time."""
        *_, newest = (self._look() for _ in range(round(seconds / STEP_S)))
        return newest

    def _look(self) -> Reading:
        self.now_s += STEP_S
        frame = self._camera.read()
        assert frame is not None
        reading = self._reader.read(frame)
        assert isinstance(reading, Reading)
        return reading


@pytest.fixture
def glossy() -> GlossyTable:
    table = GlossyTable()
    table.read(0.3)
    table.table.lay(TablePiece(1, GLOSSY))
    return table


def contents(reading: Reading) -> list[int]:
    """Returns what is read on the squares of the glossy piece; -1 where it cannot be seen."""
    called = np.where(reading.covered, -1, reading.probabilities.argmax(axis=1))
    return [int(called[square]) for square in sorted(GLOSSY.squares)]


def test_a_glossy_piece_is_read_at_once_and_is_no_hand(glossy: GlossyTable) -> None:
    reading = glossy.read(0.3)
    assert not reading.hand
    assert contents(reading) == [2] * 5
    assert reading.probabilities[sorted(GLOSSY.squares), 2].min() > 0.98
    glossy.table.lay(TablePiece(0, Move.parse("h12,h13,h14", 14)))
    reading = glossy.read(0.3)
    assert not reading.hand
    assert contents(reading) == [2] * 5
    assert reading.probabilities[7, 1] > 0.98


def test_another_piece_in_its_place_is_read(glossy: GlossyTable) -> None:
    glossy.read(STILL_S)
    glossy.table.lift(1, GLOSSY.piece)
    assert contents(glossy.read(0.3)) == [0] * 5
    glossy.table.lay(TablePiece(0, GLOSSY))
    assert 2 not in contents(glossy.read(0.3))
    assert contents(glossy.read(STILL_S)) == [1] * 5


@pytest.mark.parametrize("seconds", [0.3, STILL_S, 2 * STILL_S])
def test_under_a_hand_it_is_hidden_or_seen_between_the_fingers(
    glossy: GlossyTable, seconds: float
) -> None:
    glossy.read(STILL_S)
    glossy.table.move_hand(Hand(*square_mm(14, 0), seat=3))
    assert -1 in contents(glossy.read(0.1))
    assert set(contents(glossy.read(seconds))) <= {-1, 2}
    glossy.table.move_hand(None)
    assert contents(glossy.read(0.3)) == [2] * 5
