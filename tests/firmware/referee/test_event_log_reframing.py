"""Refusals in a provisional mapping still refer to the same piece in the final one."""

import json

import pytest

from firmware.game.event_codec import from_json, to_json
from firmware.game.events import MoveAccepted, MoveRefused, Unsure, Withdrawn
from firmware.game.state import GameState, apply_event
from firmware.referee.referee import Referee
from firmware.rules.position import Position
from tests.support.noisy_board import NoisyBoard, NoisyMatch, names

PLASTIC = ("purple", "orange")


def begun(*, turned: int, first: str | None = None) -> NoisyMatch:
    match = NoisyMatch(
        NoisyBoard(turned=turned), Referee(Position.start("duo"), PLASTIC, first=first)
    )
    match.settle()
    return match


@pytest.mark.parametrize("turned", [0, 90])
def test_a_refused_piece_is_not_withdrawn_when_the_board_is_understood(turned: int) -> None:
    match = begun(turned=turned)
    match.table.lay("orange", "a1,a2")
    (refused,) = match.after_hand()[-1:]
    assert isinstance(refused, MoveRefused)
    assert refused.turned is None
    assert refused.provisional_frame is not None
    match.table.lay("purple", "e10,e9,f9")
    events = match.after_hand()
    assert [name for name in names(events) if name != "hand"] == ["move"]
    (move,) = (one for one in events if isinstance(one, MoveAccepted))
    assert (move.turned, move.edition) == (turned, PLASTIC)
    (piece,) = match.referee.state.refused
    board = match.table.board
    assert (piece.colour, set(piece.squares)) == (1, set(board.parse_squares("a1,a2")))
    match.table.lift("a1,a2")
    assert [one.colour for one in match.after_hand() if isinstance(one, Withdrawn)] == [1]


@pytest.mark.parametrize("turned", [0, 90])
def test_the_turn_is_reported_with_the_first_refusal_that_shows_it(turned: int) -> None:
    match = begun(turned=turned, first="orange")
    match.table.lay("purple", "e10,e9,f9")
    (refused,) = (one for one in match.after_hand() if isinstance(one, MoveRefused))
    assert refused.turned == turned
    assert refused.provisional_frame is None
    match.table.lay("orange", "j5,j6")
    moves = [one for one in match.after_hand() if isinstance(one, MoveAccepted)]
    assert [one.turned for one in moves] == [None, None]


def test_what_was_reported_is_folded_alike_after_a_restart() -> None:
    match = begun(turned=90)
    match.table.lay("orange", "a1,a2")
    match.after_hand()
    match.table.lay("purple", "e10,e9,f9")
    match.after_hand()
    state = GameState(Position.start("duo"))
    for event in match.events:
        line = json.loads(json.dumps(to_json(event, 14, PLASTIC)))
        assert from_json(line, 14, PLASTIC) == event
        state = apply_event(state, event)
    assert state.refused == match.referee.state.refused
    assert state.position == match.referee.state.position


def test_a_doubt_told_in_names_that_were_not_the_plastics_does_not_end_the_game() -> None:
    match = begun(turned=0)
    match.table.lay("orange", "e10,f10")
    match.table.blur("f9", orange=0.2)
    (doubt,) = (one for one in match.after_hand(4) if isinstance(one, Unsure))
    match.table.faint.clear()
    match.table.lift("e10,f10")
    match.referee.rename(("blue", "green"))
    match.table.palette = ("blue", "green")
    match.table.lay("green", "e10,f10,f9")
    moved = next(one for one in match.after_hand() if isinstance(one, MoveAccepted))
    assert moved.edition == ("green", "blue")
    state = GameState(Position.start("duo"))
    for event in (doubt, moved):
        state = apply_event(state, event)
    assert state.edition == ("green", "blue")
