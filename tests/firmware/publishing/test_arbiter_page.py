"""Findings of the set-up on the page."""

from firmware.game.state import GameState
from firmware.publishing.arbiter_page import build_findings
from firmware.rules.position import Position
from vision.setup.rating import Rating
from vision.setup.report import SetupFinding, SetupReport


def test_a_camera_that_leaves_a_part_out_is_a_finding_of_each_check() -> None:
    state = GameState(Position.start("duo"))
    report = SetupReport((SetupFinding("framing", 1.0),), 14)
    assert build_findings(state, None, 0, is_cropped=True) == ()
    assert len(build_findings(state, report, 0, is_cropped=False)) == 1
    *_, found = build_findings(state, report, 0, is_cropped=True)
    assert (found.code, found.level, found.fault) == ("view", Rating.FAIR, "cropped")
