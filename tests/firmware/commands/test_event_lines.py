"""The summary of a puzzle, which nobody wins."""

import json

from firmware.codes import EndReason
from firmware.commands.event_lines import summary_line
from firmware.game.events import EndedByArbiter, MoveAccepted, Solved
from firmware.game.state import GameState, apply_event
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, PUZZLES
from firmware.simulator.move_choice import KnownSolution, solved

EDITION = EDITIONS["blue-yellow-red-green"]


def played(pieces: int) -> GameState:
    game = PUZZLES["puzzle-tetrominoes"]
    state, choose = GameState(Position.start(game)), KnownSolution(solved(game), 1)
    for ply in range(1, pieces + 1):
        laying = choose(state.position)
        assert laying is not None
        state = apply_event(state, MoveAccepted(ply, ply / 2, ply, *laying, 1.0))
    return state


def test_a_summary_has_the_pieces_left_and_no_winner() -> None:
    line = json.loads(summary_line(played(18), EDITION, 40, 12.345, as_json=True))
    assert line == {
        "event": "summary",
        "game": "puzzle-tetrominoes",
        "puzzle": "tetrominoes",
        "frames": 40,
        "moves": 18,
        "finished": False,
        "left": 2,
        "seconds": 12.35,
    }
    text = summary_line(played(18), EDITION, 40, 1.0, as_json=False)
    assert text == "18 moves in 40 frames, not solved, 2 pieces left after 1 s"


def test_only_a_solved_puzzle_is_finished() -> None:
    done = apply_event(played(20), Solved(50, 25.0))
    line = json.loads(summary_line(done, EDITION, 50, 1.0, as_json=True))
    assert (line["finished"], line["left"]) == (True, 0)
    assert (
        summary_line(done, EDITION, 50, 1.0, as_json=False)
        == "20 moves in 50 frames, solved after 1 s"
    )
    given_up = apply_event(played(3), EndedByArbiter(50, 25.0, EndReason.ABANDONED))
    assert not json.loads(summary_line(given_up, EDITION, 50, 1.0, as_json=True))["finished"]
