"""A recorded evening at a real table's parts is repeated: boards, next games, set-up, corners."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.commands.main import main
from firmware.rules.variants import GAMES
from firmware.session.devices import in_shares
from firmware.storage.camera_memory import CameraMemory, StoredCorners
from firmware.storage.session_inputs import INPUTS
from firmware.storage.session_recorder import EVENTS
from tests.integration.test_board_decides import BoardEvening, evening
from tests.support.rendered_table import SIZE, RenderedTable
from vision.reading import Reading
from web.contract import Calibrate, MeasureLens

PATIENCE_S = 20.0


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def printed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[str]:
    assert main([*map(str, words), "--json"]) == 0
    return capsys.readouterr().out.splitlines()[:-1]


def repeats(save: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Repeats a recording by `watch` and `run`; returns the names of its events."""
    events, again = lines(save / EVENTS), tmp_path / "again"
    assert printed(capsys, "watch", save) == events
    state = ("--no-page", "--folder", tmp_path / "state", "--speed", "50")
    assert printed(capsys, "run", "--camera", save, *state, "--save", again) == events
    assert lines(again / EVENTS) == events
    inputs = [json.loads(line) for line in lines(save / INPUTS)]
    dropped = ("new-game", "begin-anew", "measure-lens")
    wanted = [one for one in inputs if one.get("command", {}).get("word") not in dropped]
    assert [json.loads(line) for line in lines(again / INPUTS)] == wanted
    return [json.loads(line)["event"] for line in events]


def look_until(at: BoardEvening, holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, "it did not come to that"
        at.look()
        time.sleep(0.02)


def corners_seen(at: BoardEvening) -> tuple[tuple[float, float], ...]:
    reading = at.controller.devices.tracker.reading
    assert isinstance(reading, Reading)
    return in_shares(reading.corners, SIZE)


def test_boards_of_two_sizes_and_a_game_begun_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, save = RenderedTable(GAMES["classic"]), tmp_path / "kept"
    with evening(tmp_path / "table", table, save=save) as at:
        at.look(6)
        table.put(GAMES["duo"])
        at.look(40)
        assert at.key == "duo"
        at.play(2)
        at.clear()
        at.controller.answer(anew=True)
        at.look(8)
        at.play(1)
        assert (at.key, at.plies) == ("duo", 1)
    names = repeats(save, tmp_path, capsys)
    assert (names.count("new-game"), names.count("new-game-asked")) == (3, 1)
    assert names.count("move") == 3


def test_another_board_under_a_game_that_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, save = RenderedTable(GAMES["duo"]), tmp_path / "kept"
    with evening(tmp_path / "table", table) as at:
        at.look(6)
        at.play(2)
    pieces = table.table.scene.pieces
    table.put(GAMES["classic"])
    with evening(tmp_path / "table", table, save=save) as at:
        at.look(6)
        table.put(GAMES["duo"])
        for piece in pieces:
            table.lay(piece.colour, piece.move)
        at.look(40)
        assert at.names == ["new-game-asked", "board-found"]
    assert repeats(save, tmp_path, capsys) == ["new-game-asked", "board-found"]


def test_corners_that_a_person_sets_and_a_measurement_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, save = RenderedTable(GAMES["duo"]), tmp_path / "kept"
    with evening(tmp_path / "table", table, save=save) as at:
        at.look(6)
        at.controller.enter(Calibrate(corners_seen(at)))
        at.look(6)
        at.controller.enter(MeasureLens())
        at.look(5)
        at.controller.enter(MeasureLens(stop=True))
        found = at.names.count("board-found")
        look_until(at, lambda: at.names.count("board-found") > found)
        at.look(4)
        at.play(2)
        assert at.plies == 2
        frames = at.controller.frames
    assert frames - len(list(save.glob("*.png"))) == 5
    inputs = [json.loads(line) for line in lines(save / INPUTS)]
    assert [len(one["reader"]["corners"]) for one in inputs if "reader" in one] == [0, 4, 0, 4]
    names = repeats(save, tmp_path, capsys)
    assert names.count("move") == 2


def test_corners_kept_from_before_that_are_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, save = RenderedTable(GAMES["duo"]), tmp_path / "kept"
    cameras = CameraMemory(None)
    elsewhere = ((0.1, 0.1), (0.5, 0.1), (0.5, 0.6), (0.1, 0.6))
    cameras.keep_corners(table.name, SIZE, 14, StoredCorners(elsewhere))
    with evening(tmp_path / "table", table, cameras=cameras, save=save) as at:
        look_until(at, lambda: "board-found" in at.names)
        at.play(1)
    assert cameras.has_dropped
    inputs = [json.loads(line) for line in lines(save / INPUTS)]
    first, second = (one for one in inputs if "reader" in one)
    assert (first["frame"], first["reader"]["read"]) == (1, False)
    assert second["frame"] > 1
    assert second["reader"]["read"]
    assert second["reader"]["corners"] != [list(one) for one in elsewhere]
    assert repeats(save, tmp_path, capsys)[-1] == "move"
