"""The recorded game from its ground truth: perfect readings, two frames a second."""

import json
from pathlib import Path

import pytest

from firmware.game.events import Event, MoveAccepted, MoveRefused, Withdrawn
from firmware.referee.referee import Referee
from firmware.rules.board import Board
from firmware.rules.position import Position
from tests.support.noisy_board import NoisyBoard, NoisyMatch, names

NAMES = {"A": "purple", "B": "orange"}


@pytest.fixture(scope="module")
def truth(further_data: Path) -> dict[str, list[dict[str, object]]]:
    path = further_data / "game" / "events.json"
    found: dict[str, list[dict[str, object]]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def watch(truth: dict[str, list[dict[str, object]]], noise: float) -> list[Event]:
    table = NoisyBoard(noise=noise)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    for frame in truth["frames"]:
        rows = frame["cells_physical"]
        hidden = frame["occluded_cells"]
        assert isinstance(rows, list)
        assert isinstance(hidden, list)
        marks = "".join(rows)
        table.contents = {i: NAMES[mark] for i, mark in enumerate(marks) if mark != "."}
        table.covered = {(13 - row) * 14 + column for column, row in hidden}
        match.show(hand=frame["state"] == "hand")
    return match.events


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_the_recorded_game_is_refereed_without_a_fault(
    truth: dict[str, list[dict[str, object]]], noise: float
) -> None:
    events = watch(truth, noise)
    happened = [one for one in truth["events"] if one["type"] in ("move", "illegal", "withdrawn")]
    decided = [one for one in events if isinstance(one, (MoveAccepted, MoveRefused, Withdrawn))]
    assert [one.name for one in decided] == [one["type"] for one in happened]
    board = Board.of(14)
    for seen, true in zip(decided, happened, strict=True):
        last = true["settled_frames"]
        cells = true["cells"]
        assert isinstance(last, list)
        assert isinstance(cells, list)
        # The truth is in the board's own frame; the game's is turned clockwise by a quarter.
        squares = {column * 14 + row for column, row in cells}
        squares_seen = seen.move.squares if isinstance(seen, MoveAccepted) else seen.squares
        assert set(squares_seen) == squares, board.format_squares(squares_seen)
        assert seen.frame == last[-1]
    assert set(names(events)) == {"board-found", "move", "illegal", "withdrawn"}
    first = next(one for one in decided if isinstance(one, MoveAccepted))
    assert (first.turned, first.edition) == (90, ("purple", "orange"))
