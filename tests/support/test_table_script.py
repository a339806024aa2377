"""A script applies its actions, and gives the same frames again."""

import pytest

from firmware.rules.errors import NotationError
from firmware.simulator.table import FrameKind
from tests.support.table_script import (
    ACTIONS,
    Action,
    Bump,
    Cup,
    Lay,
    Leave,
    Lift,
    Push,
    Reach,
    ScriptedTable,
    ScriptSetup,
    Shift,
    Surround,
    Switch,
    Tilt,
    Wait,
    from_json,
    read,
    to_json,
    written,
)

PIECE = "e10,f10,f9,g9,g8"
EVERYTHING: list[Action] = [
    Reach(10.0, 20.0, 1, 0, PIECE, 3.0),
    Wait(2),
    Lay(0, PIECE, 0.5, -0.5, 2.0),
    Leave(),
    Shift(0, PIECE, 1.0),
    Switch(0.7, 3000, 90, 60),
    Bump(1.0, 2.0, 0.5),
    Tilt(25.0, 120.0),
    Surround(markers=False, frame=FrameKind.SQUARES, checked=True, floor="sand"),
    Push(3.0, -2.0, 1.0),
    Cup(60.0, 120.0),
    Wait(),
    Cup(away=True),
    Lift(0, PIECE),
    Wait(),
]


def test_every_action_is_written_and_read_back() -> None:
    assert {type(action) for action in EVERYTHING} == set(ACTIONS)
    for action in EVERYTHING:
        assert from_json(to_json(action)) == action
    setting = ScriptSetup(game="duo", edition="black-white", opacity=0.8, told=False)
    assert read(written(setting, EVERYTHING)) == (setting, EVERYTHING)


@pytest.mark.parametrize("text", ["", "{}\n[]", '{"colour": 1}', '{}\n{"do": "dance"}', "{}\nx"])
def test_what_is_no_script_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read(text)


def test_a_script_gives_the_same_frames_again() -> None:
    setting = ScriptSetup(width=320, height=240, fps=4.0)
    jpegs: list[bytes] = []
    first = list(ScriptedTable(setting, lambda _, jpeg: jpegs.append(jpeg)).play(EVERYTHING))
    again = list(ScriptedTable(setting).play(EVERYTHING))
    assert [frame.time_s for frame in first] == [0.25, 0.5, 0.75, 1.0]
    assert len(jpegs) == 4
    for one, other in zip(first, again, strict=True):
        assert (one.image == other.image).all()
    assert (first[1].image != first[2].image).any()


def test_what_is_done_is_there_to_be_seen() -> None:
    stage = ScriptedTable(ScriptSetup(width=320, height=240))
    stop = EVERYTHING.index(Wait())
    for _ in stage.play(EVERYTHING[:stop]):
        pass
    scene = stage.table.scene
    (placed,) = scene.pieces
    assert (placed.dx_mm, placed.dy_mm) == (1.0, 0.0)
    assert scene.hand is None
    assert (scene.lamp.kelvin, scene.camera.dx_mm, scene.cup) == (3000, 1.0, (60.0, 120.0))
    assert (scene.camera.tilt_deg, scene.camera.side_deg) == (25.0, 120.0)
    assert (scene.surroundings.markers, scene.surroundings.frame) == (False, FrameKind.SQUARES)
    assert (scene.board.dx_mm, scene.board.turn_deg) == (3.0, 1.0)
    for _ in stage.play(EVERYTHING[stop:]):
        pass
    assert stage.table.scene.pieces == ()
    assert stage.table.scene.cup is None
