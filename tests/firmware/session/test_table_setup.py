"""The set-up at a table: what is shown of it, and measurements that keep out of games."""

import time
from pathlib import Path

import numpy as np
import pytest

from firmware.game.config import GameConfig
from firmware.game.events import Candidate, Unsure
from firmware.game.state import GameState
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.session import table_setup
from firmware.session.service import ServiceStatus
from firmware.storage.camera_memory import CameraMemory, StoredCamera
from tests.support.fake_table import FakeTable, house
from tests.support.wall_clock import WALL_CLOCK
from vision.geometry.calibration import Calibration
from vision.geometry.lens import Lens
from vision.setup.rating import Rating
from vision.setup.report import SetupFinding, SetupReport
from web.contract import (
    LensEntry,
    MeasureLens,
    MeasurementCode,
    ProbeLights,
    RefusalReason,
    SetupEntry,
)

DUO = GameConfig(GAMES["duo"])
LENS = Lens(np.diag([900.0, 900.0, 1.0]), np.zeros(5), (1280, 960))


def setup_of(table: FakeTable) -> SetupEntry:
    assert table.page.private is not None
    return table.page.private.setup


class ReadyLens:
    """A measurement that ends with its third picture."""

    def __init__(self, board: int) -> None:
        self.state = MeasurementCode.RUNNING
        self.calibration: Calibration | None = None
        self.entry = LensEntry(MeasurementCode.RUNNING, 1, 8)
        self._left = 3

    @property
    def is_running(self) -> bool:
        return self.state is MeasurementCode.RUNNING

    def see(self, image: np.ndarray) -> None:
        self._left -= 1
        if not self._left:
            self.state = MeasurementCode.DONE
            self.calibration = Calibration(LENS, pictures=8)

    def close(self) -> None:
        pass


def test_the_page_says_whether_there_are_pictures_and_a_board(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        setup = setup_of(table)
        assert (setup.camera, setup.board, setup.by_hand) == (True, True, False)
        assert len(setup.corners) == 4
        assert setup.lights is None
        assert setup.stored


def test_the_turn_of_the_board_is_that_of_the_candidates_while_it_is_not_known(
    tmp_path: Path,
) -> None:
    with house(tmp_path, DUO) as table:
        assert setup_of(table).turned == 0
        session, devices = table.controller.session, table.controller.devices
        move = next(iter(session.state.position.legal_moves))
        unsure = Unsure(1, 0.5, (Candidate(0, move, 1.0),), None, (90, ("purple", "orange")))
        devices.tracker.referee.record(unsure)
        setup, status = table_setup.TableSetup(CameraMemory(None)), ServiceStatus()
        setup.table = table.controller
        setup.show(status)
        assert status.setup.turned == 90


def test_the_corners_on_the_page_do_not_change_while_the_board_lies_still(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        before = table.page.revision
        table.look(20)
        assert table.page.revision == before


def test_while_the_lens_is_measured_nothing_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_setup, "LensMeasurement", ReadyLens)
    with house(tmp_path, DUO) as table:
        assert table.asks(MeasureLens()) == [None]
        assert setup_of(table).lens.state is MeasurementCode.RUNNING
        assert not setup_of(table).board
        table.table_factory.board.lay("purple", "e10,f10,f9")
        assert table.look(2) == []
        assert setup_of(table).lens.state is MeasurementCode.DONE
        assert table.table_factory.corners[-1] is None, "the board was not looked for again"
        table.look(5)
        assert setup_of(table).board


def test_a_lens_that_was_measured_in_many_pictures_is_shown_with_as_many_as_there_can_be() -> None:
    stored = StoredCamera(lens=Calibration(LENS, pictures=60))
    entry = table_setup.TableSetup(CameraMemory(None))._lens_entry(stored)
    assert (entry.state, entry.views, entry.wanted) == (MeasurementCode.DONE, 32, 32)


def test_a_measurement_that_is_stopped_gives_the_frames_back_to_the_game(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        assert table.asks(MeasureLens()) == [None]
        assert table.asks(MeasureLens(stop=True)) == [None]
        assert setup_of(table).lens.state is MeasurementCode.NONE
        assert table.lay("purple", "e10,f10,f9")
        assert table.state.piece_count == 1


def test_no_measurement_begins_while_pieces_lie_on_the_board(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        table.lay("purple", "e10,f10,f9")
        assert table.asks(MeasureLens()) == [RefusalReason.NOT_POSSIBLE]
        assert table.asks(ProbeLights()) == [RefusalReason.NOT_POSSIBLE]
        assert table.lay("orange", "j5,j6,k6")
        assert table.state.piece_count == 2


@WALL_CLOCK
def test_without_lights_nothing_is_probed(tmp_path: Path) -> None:
    with house(tmp_path, DUO) as table:
        begun = time.monotonic()
        assert table.asks(ProbeLights()) == [RefusalReason.NOT_POSSIBLE]
        assert time.monotonic() - begun < 1
        assert setup_of(table).lights is None


def test_a_camera_that_leaves_a_part_out_is_a_finding_of_each_check() -> None:
    state = GameState(Position.start("duo"))
    report = SetupReport((SetupFinding("framing", 1.0),), 14)
    assert table_setup.build_findings(state, None, 0, is_cropped=True) == ()
    assert len(table_setup.build_findings(state, report, 0, is_cropped=False)) == 1
    *_, found = table_setup.build_findings(state, report, 0, is_cropped=True)
    assert (found.code, found.level, found.fault) == ("view", Rating.FAIR, "cropped")
