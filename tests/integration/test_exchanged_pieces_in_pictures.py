"""The last piece exchanged in rendered pictures, under one hand."""

import pytest

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS
from firmware.session.tracker import GameTracker
from tests.support.table_script import Lay, Leave, Lift, Reach, ScriptedTable, ScriptSetup, Wait
from vision.reader import Reader

pytestmark = pytest.mark.slow

HAND = Reach(-10.0, 10.0, 0)
T4, Y = "d10,e10,f10,e9", "c10,d10,e10,f10,e9"


@pytest.mark.parametrize(("before", "after"), [(T4, Y), (Y, T4)])
def test_a_piece_exchanged_in_pictures_is_asked_about(before: str, after: str) -> None:
    edition = EDITIONS["black-white"]
    table = ScriptedTable(ScriptSetup(edition="black-white", seed=4))
    tracker = GameTracker(Reader(14, edition), Position.start("duo"), edition, first=edition[0])
    events = [
        event
        for frame in table.play(
            [
                *(Wait(4), HAND, Wait(), Lay(0, before), HAND, Wait(), Leave(), Wait(4)),
                *(HAND, Wait(), Lift(0, before), Lay(0, after), HAND, Wait(), Leave(), Wait(12)),
            ]
        )
        for event in tracker.see(frame)
        if event.name not in ("hand", "clear")
    ]
    assert [event.name for event in events] == ["board-found", "move", "unsure"]
    candidates = {one.move for one in tracker.referee.state.candidates}
    assert candidates == {Move.parse(before, 14), Move.parse(after, 14)}
