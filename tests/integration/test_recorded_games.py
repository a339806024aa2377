"""Regression tests: games that once were refereed wrongly.

A folder of `games` holds `decided.jsonl`, the complete list of right decisions in the format of
`watch --json`; and either pictures, or `script.jsonl`, from which they are rendered.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.game.event_codec import to_json
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.session.tracker import GameTracker
from tests.conftest import ROOT
from tests.evaluation.soak.rendered_game import DECISIONS, following
from tests.support.table_script import ScriptedTable, read
from vision.camera import Frame
from vision.io.recorded import open_recording
from vision.reader import Reader

pytestmark = pytest.mark.slow

RECORDINGS = sorted(path.parent for path in (ROOT / "tests" / "games").glob("*/decided.jsonl"))


def play(folder: Path) -> tuple[GameTracker, Iterator[Frame]]:
    script = folder / "script.jsonl"
    if script.exists():
        setting, actions = read(script.read_text(encoding="utf-8"))
        return following(setting), ScriptedTable(setting).play(actions)
    camera = open_recording(folder)
    follower = GameTracker(Reader(GAMES["duo"].size), Position.start("duo"))
    return follower, iter(camera.read, None)


def decision(line: dict[str, Any]) -> tuple[object, ...]:
    """Returns the tested fields of an event."""
    rules = tuple(sorted(reason["rule"] for reason in line.get("reasons", ())))
    return line["event"], line.get("color"), frozenset(line.get("cells", ())), rules


@pytest.mark.parametrize("folder", RECORDINGS, ids=lambda folder: folder.name)
def test_a_game_that_once_went_wrong_is_refereed_as_it_happened(folder: Path) -> None:
    follower, frames = play(folder)
    decided = []
    for frame in frames:
        for event in follower.see(frame):
            if isinstance(event, DECISIONS):
                size = follower.referee.state.position.game.size
                decided.append(decision(to_json(event, size, follower.referee.edition)))
    lines = (folder / "decided.jsonl").read_text(encoding="utf-8").splitlines()
    assert decided == [decision(json.loads(line)) for line in lines]


def test_there_are_games() -> None:
    assert len(RECORDINGS) > 3
