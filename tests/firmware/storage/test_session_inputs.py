"""Inputs of a session are read as they were written, and nothing damaged is taken for one."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from firmware.codes import MoveReasonCode
from firmware.drivers.interfaces import ButtonPress
from firmware.errors import UnreadableError
from firmware.game.config import GameConfig
from firmware.game.events import ArbiterCalled, CallEnded, ResultDisputed
from firmware.game.reasons import Reason
from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from firmware.storage.session_inputs import (
    INPUTS,
    BegunGame,
    BoardGeometry,
    ChosenMove,
    FoundHint,
    LookAgain,
    first_line,
    line_of,
    load_inputs,
)
from vision.camera import NoCamera
from vision.geometry.lens import Lens
from web.contract import NewGame

DUO, CLASSIC = (GameConfig(GAMES[key]) for key in ("duo", "classic"))
CORNERS = ((0.1, 0.2), (0.9, 0.2), (1 / 3, 0.8), (0.1, 0.8))
LENS = Lens(np.diag([900.123456789, 901.0, 1.0]), np.array([0.1, 0, 0, 0, -1 / 3]), (640, 480))


def test_the_turn_and_the_geometry_are_those_of_the_inputs_so_far(tmp_path: Path) -> None:
    later = BegunGame(CLASSIC, 90, by_board=True)
    lines = [
        first_line(BegunGame(DUO, None, by_board=True), ()),
        line_of(1, BoardGeometry(is_read=False)),
        line_of(4, BoardGeometry(CORNERS, LENS)),
        line_of(6, later),
        line_of(6, LookAgain()),
    ]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    inputs = load_inputs(tmp_path)
    assert inputs is not None
    assert (inputs.config, inputs.by_board, inputs.turned) == (DUO, True, None)
    assert list(inputs.before(3)) == []
    assert inputs.geometry is not None
    assert not inputs.geometry.is_read
    assert list(inputs.before(5)) == []
    assert (inputs.geometry.corners, inputs.geometry.is_read) == (CORNERS, True)
    assert inputs.geometry.lens is not None
    assert np.array_equal(inputs.geometry.lens.K, LENS.K)
    assert np.array_equal(inputs.geometry.lens.dist, LENS.dist)
    assert list(inputs.before(None)) == [later, LookAgain()]
    assert inputs.turned == 90


def test_a_hint_of_a_puzzle_has_a_colour_and_one_of_a_game_has_none(tmp_path: Path) -> None:
    puzzle = FoundHint(Move.parse("a1,a2,b1,b2", 20), 3)
    game = FoundHint(Move.parse("e10", 14))
    reasons = (Reason(MoveReasonCode.BLOCKS, 90, ("j5",)),)
    proved = FoundHint(Move.parse("e10", 14), None, reasons, -3)
    found = [puzzle, game, proved]
    lines = [first_line(BegunGame(DUO), ()), *(line_of(2, one) for one in found)]
    assert "color" not in lines[2]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    inputs = load_inputs(tmp_path)
    assert inputs is not None
    assert list(inputs.before(None)) == found


def test_what_people_did_beside_the_game_is_repeated_and_nothing_else(tmp_path: Path) -> None:
    events = (ArbiterCalled(3, 1.5, 1), CallEnded(4, 2.0), ResultDisputed(9, 4.5, 1, "No."))
    lines = [first_line(BegunGame(DUO), ()), *(line_of(5, event) for event in events)]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    inputs = load_inputs(tmp_path)
    assert inputs is not None
    assert tuple(inputs.before(None)) == events
    other = json.dumps({"frame": 5, "club": {"frame": 5, "time": 2.5, "event": "paused"}})
    (tmp_path / INPUTS).write_text("\n".join((lines[0], other)) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_inputs(tmp_path)


@pytest.mark.parametrize("colour", [4, -9, "red", 1.5])
def test_a_hint_with_a_colour_that_no_puzzle_has_is_damage(tmp_path: Path, colour: object) -> None:
    line = {"frame": 2, "hint": "a1", "size": 20, "color": colour}
    lines = [first_line(BegunGame(DUO), ()), json.dumps(line)]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_inputs(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"corners": [[0, 0]]},
        {"corners": [[0, 0], [1, 0], [1, 1], [0, float("nan")]]},
        {"corners": 3},
        {"lens": {"K": [1], "dist": [], "size": [1, 1]}},
        {"lens": {"K": np.eye(3).tolist(), "dist": [0, 0, 0, 0, float("inf")], "size": [1, 1]}},
        {"lens": {"K": np.eye(3).tolist(), "dist": [0] * 5, "size": [0, 1]}},
    ],
)
def test_a_geometry_that_is_none_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    table = json.loads(line_of(1, BoardGeometry(CORNERS, LENS)))["reader"] | change
    lines = [first_line(BegunGame(DUO), ()), json.dumps({"frame": 1, "reader": table})]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_inputs(tmp_path)


@pytest.mark.parametrize("line", [{"frame": 2}, {"frame": 2, "look": True, "button": 0}])
def test_a_line_of_no_kind_or_of_two_is_refused(line: dict[str, object], tmp_path: Path) -> None:
    lines = [first_line(BegunGame(DUO), ()), json.dumps(line)]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_inputs(tmp_path)


def test_a_move_of_the_computer_is_repeated(tmp_path: Path) -> None:
    chosen = ChosenMove(Move.parse("a1,a2,b1,b2", 20))
    lines = [first_line(BegunGame(DUO), ()), line_of(2, chosen)]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    inputs = load_inputs(tmp_path)
    assert inputs is not None
    assert list(inputs.before(None)) == [chosen]


def test_a_new_game_of_an_earlier_version_has_no_computer(tmp_path: Path) -> None:
    line = json.loads(line_of(2, NewGame()))
    del line["command"]["computer"]
    lines = [first_line(BegunGame(DUO), ()), json.dumps(line)]
    (tmp_path / INPUTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    inputs = load_inputs(tmp_path)
    assert inputs is not None
    assert list(inputs.before(None)) == [NewGame()]


LINES = [
    first_line(BegunGame(DUO, 90, by_board=True), ()),
    line_of(2, ButtonPress(1, held=True)),
    line_of(2, NoCamera("silent", "nothing comes")),
    line_of(2, FoundHint(Move.parse("a1", 20), 0, None, 3)),
    line_of(2, ChosenMove(Move.parse("a1", 14))),
    line_of(2, LookAgain()),
    line_of(2, NewGame()),
    line_of(2, ArbiterCalled(3, 1.0)),
    line_of(2, BoardGeometry(CORNERS, LENS)),
]
"""A line of each kind."""

ODD: list[object] = [
    float("inf"),
    float("nan"),
    1e308,
    -1,
    1 << 70,
    None,
    "odd",
    "",
    [],
    [[]],
    {},
    True,
]


@pytest.mark.parametrize("line", LINES)
def test_an_odd_value_anywhere_is_read_or_refused_in_one_sentence(
    tmp_path: Path, line: str
) -> None:
    for changed in changes(json.loads(line)):
        lines = [changed] if "events" in changed else [json.loads(LINES[0]), changed]
        text = "".join(f"{json.dumps(one)}\n" for one in lines)
        (tmp_path / INPUTS).write_text(text, encoding="utf-8")
        with suppress(UnreadableError):
            load_inputs(tmp_path)


def changes(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields a table with one value replaced, or left out, at each of its places."""
    for key, value in table.items():
        yield {name: one for name, one in table.items() if name != key}
        for odd in ODD:
            yield {**table, key: odd}
        if isinstance(value, dict):
            for inner in changes(value):
                yield {**table, key: inner}


@pytest.mark.parametrize(
    "line",
    [
        {"frame": 2, "fault": "unheard-of", "reason": "x"},
        {"frame": float("inf"), "look": True},
        {"frame": 2, "button": float("-inf"), "held": False},
    ],
)
def test_a_code_or_a_number_that_is_none_is_refused(line: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / INPUTS).write_text(f"{LINES[0]}\n{json.dumps(line)}\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match="cannot be read"):
        load_inputs(tmp_path)
