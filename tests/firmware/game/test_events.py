import json
from dataclasses import fields, replace

import pytest

from firmware.codes import EndReason, HintStep, MoveReasonCode, Rule
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import (
    EVENTS,
    AnewAsked,
    ArbiterCalled,
    BoardFound,
    BoardLost,
    BoardMoved,
    CallEnded,
    CameraAway,
    CameraBack,
    Candidate,
    ColouredSquares,
    ComputerMove,
    ComputerPreparing,
    ComputerReady,
    Dismissed,
    Disturbed,
    EndedByArbiter,
    Event,
    GameBegun,
    HandEntered,
    HandLeft,
    Hinted,
    Lifted,
    LightChanged,
    MatchBegun,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Overruled,
    Passed,
    Paused,
    Pending,
    PositionSet,
    Resigned,
    Resolved,
    Restored,
    ResultConfirmed,
    ResultDisputed,
    Resumed,
    SeatsAssigned,
    Solved,
    TimedOut,
    ToLift,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game.reasons import Reason
from firmware.game.state import GameState, Ply, apply_event
from firmware.rules.board import Move
from firmware.rules.errors import IllegalMoveError, NotationError
from firmware.rules.position import Position
from firmware.rules.violations import Violation
from tests.support.random_games import played

EDITION = ("orange", "purple")
W = Move.parse("e10,f10,f9,g9,g8", 14)
I3 = Move.parse("j5,j6,j7", 14)
SAMPLES: tuple[Event, ...] = (
    BoardFound(1, 0.5),
    BoardLost(2, 1.0, "the board is out of view; aim the camera"),
    BoardMoved(3, 1.5, 7.25),
    LightChanged(4, 2.0, 0.43),
    HandEntered(5, 2.5),
    HandLeft(6, 3.0),
    PositionSet(6, 3.0, played("duo", 1, 5), 90, EDITION),
    MoveAccepted(7, 3.5, 1, 0, W, 0.999, 90, EDITION),
    MoveAccepted(8, 4.0, 2, 1, I3, 0.75),
    MoveRefused(9, 4.5, 1, (5, 6), (Violation(Rule.TOUCHES_OWN_SIDE, (6,), (7,)),)),
    MoveRefused(9, 4.5, 0, (5, 6), (Violation(Rule.NO_OWN_CORNER, (5, 6)),)),
    Withdrawn(10, 5.0, 1, (5, 6)),
    Undone(11, 5.5, 2, 1, I3),
    PositionSet(11, 5.5, played("duo", 1, 4), 0, EDITION, (0, 1)),
    Overruled(11, 5.5, 2, 1, I3, (Violation(Rule.WRONG_TURN, I3.squares),), 90, EDITION),
    Dismissed(11, 5.5, 0, (5, 6)),
    ToLift(11, 5.5, 0, (5, 6)),
    ToLift(11, 5.5, 1, (5, 6), (90, EDITION)),
    Lifted(11, 5.5, 1, (5, 6), (90, EDITION)),
    Disturbed(
        12,
        6.0,
        (ColouredSquares(0, W.squares),),
        (ColouredSquares(None, (4,)), ColouredSquares(1, (5, 6))),
    ),
    Restored(13, 6.5),
    Unsure(14, 7.0, (Candidate(0, W, 0.6), Candidate(1, I3, 0.4))),
    Unsure(
        14,
        7.0,
        (),
        0,
        (90, EDITION),
        unclear=(ColouredSquares(0, (4, 5)), ColouredSquares(None, (6,))),
    ),
    Pending(14, 7.0, ((1, I3), (0, W)), 1),
    Pending(14, 7.0, ()),
    Resolved(15, 7.5),
    Passed(16, 8.0, 1, 24),
    NoMovesLeft(17, 8.5, (-3, None)),
    Solved(17, 8.5),
    MoveAccepted(18, 9.0, 2, 1, I3, 0.75, left_s=(61.5, -0.25)),
    Paused(18, 9.0, left_s=(61.5, 30.0)),
    Hinted(18, 9.0, 1, 1, Move.parse("j5,j6", 14), HintStep.REACH),
    Hinted(18, 9.0, 0, 1, Move.parse("j5,j6", 14), HintStep.SOLVABLE),
    Hinted(18, 9.0, 0, 1, Move.parse("j5,j6", 14), HintStep.AREA),
    Hinted(18, 9.0, 0, 1, Move.parse("j5,j6", 14), HintStep.PIECE),
    Hinted(18, 9.0, 0, 1, Move.parse("j5,j6", 14), HintStep.REASON, ()),
    Hinted(
        18,
        9.0,
        0,
        1,
        Move.parse("j5,j6", 14),
        HintStep.REASON,
        (Reason(MoveReasonCode.BLOCKS, 90, ("j5",)), Reason(MoveReasonCode.PROVEN, 3, ())),
        3,
    ),
    Resumed(19, 9.5),
    Resigned(20, 10.0, (0,)),
    TimedOut(21, 10.5, (0, 1)),
    EndedByArbiter(22, 11.0, EndReason.TIME),
    CameraAway(2, 1.25, "it was unplugged; plug it in", "failed"),
    CameraBack(2, 1.25),
    GameBegun(0, 0.0, "orange"),
    AnewAsked(40, 20.0, 20),
    Solved(41, 20.5),
    SeatsAssigned(42, 21.0, (0, 7)),
    SeatsAssigned(42, 21.0, (0, 0), "no-memory"),
    ComputerPreparing(43, 21.25),
    ComputerReady(43, 21.25),
    ComputerMove(43, 21.5, 1, I3),
    MatchBegun(0, 0.0, "2-07", 2, ("p4", "p9")),
    ArbiterCalled(5, 2.5, 1),
    ArbiterCalled(5, 2.5),
    CallEnded(6, 3.0),
    ResultConfirmed(50, 25.0, 0),
    ResultDisputed(51, 25.5, 1, "I had 89."),
    MoveAccepted(52, 26.0, 3, 0, W, 0.999, order_seen=False),
)


def test_every_kind_of_event_has_a_sample_and_a_name_of_its_own() -> None:
    assert {type(event) for event in SAMPLES} == set(EVENTS)
    assert len({kind.name for kind in EVENTS}) == len(EVENTS) == 42


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: event.name)
def test_an_event_goes_through_json_and_comes_back(event: Event) -> None:
    line = json.loads(json.dumps(to_json(event, 14, EDITION)))
    assert from_json(line, 14, EDITION) == event
    assert list(line)[:3] == ["frame", "time", "event"]


def test_a_move_has_the_form_of_the_contract() -> None:
    assert to_json(replace(SAMPLES[7], edition=None), 14, ("purple", "orange")) == {  # type: ignore[call-arg]
        "frame": 7,
        "time": 3.5,
        "event": "move",
        "ply": 1,
        "color": "purple",
        "piece": "W",
        "cells": ["g8", "f9", "g9", "e10", "f10"],
        "confidence": 0.999,
        "turned": 90,
    }


def test_a_move_says_that_its_order_was_not_seen_and_nothing_otherwise() -> None:
    assert to_json(SAMPLES[-1], 14, EDITION)["order_seen"] is False
    assert "order_seen" not in to_json(SAMPLES[8], 14, EDITION)


def test_an_illegal_piece_has_the_form_of_the_contract() -> None:
    assert to_json(SAMPLES[9], 14, ("purple", "orange")) == {
        "frame": 9,
        "time": 4.5,
        "event": "illegal",
        "color": "orange",
        "cells": ["f14", "g14"],
        "reasons": [{"rule": "touches-own-side", "squares": ["g14"], "against": ["h14"]}],
    }


@pytest.mark.parametrize(
    "line",
    [
        {},
        {"event": "earthquake"},
        {"frame": 1, "time": 0.0, "event": "withdrawn", "color": "pink", "cells": ["a1"]},
        {"frame": 1, "time": 0.0, "event": "withdrawn", "color": "purple", "cells": ["a99"]},
        {"frame": 1, "time": 0.0, "event": "withdrawn", "color": "purple"},
        {"time": 0.0, "event": "hand"},
    ],
)
def test_json_that_is_no_event_is_refused(line: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        from_json(line, 14, EDITION)


@pytest.mark.parametrize("game", ["duo", "classic", "classic-3"])
def test_the_moves_of_a_game_add_up_to_its_position(game: str) -> None:
    end = played(game, 3, 20)
    state = GameState(Position.start(game))
    queues = [list(laid) for laid in end.laid]
    while any(queues):
        colour = state.position.to_move
        assert colour is not None
        state = apply_event(
            state, MoveAccepted(1, 0.0, state.piece_count + 1, colour, queues[colour].pop(0), 1.0)
        )
    assert state.position == end
    assert len(state.history) == state.piece_count == 20


def test_a_move_undone_leaves_the_position_before_it() -> None:
    state = apply_event(
        GameState(Position.start("duo")), MoveAccepted(1, 0.0, 1, 0, W, 1.0, 90, EDITION)
    )
    after = apply_event(state, MoveAccepted(2, 0.5, 2, 1, I3, 1.0))
    assert (after.turned, after.edition) == (90, EDITION)
    assert [(one.colour, one.move) for one in after.history] == [(0, W), (1, I3)]
    assert apply_event(after, Undone(3, 1.0, 2, 1, I3)) == state


def test_any_piece_of_a_puzzle_can_be_undone_and_the_later_ones_stay() -> None:
    moves = [Move.parse(text, 20) for text in ("a1,b1,c1,d1", "a2,b2,a3,b3", "e1,f1,g1,h1")]
    state = GameState(Position.start("puzzle-tetrominoes"))
    for ply, (colour, move) in enumerate(zip((0, 2, 1), moves, strict=True), 1):
        state = apply_event(state, MoveAccepted(ply, 0.5, ply, colour, move, 1.0))
    state = apply_event(state, Undone(4, 2.0, 2, 2, moves[1]))
    start = Position.start("puzzle-tetrominoes")
    first = start.play(moves[0], 0)
    assert [(ply.colour, ply.move, ply.before) for ply in state.history] == [
        (0, moves[0], start),
        (1, moves[2], first),
    ]
    assert state.position == first.play(moves[2], 1)
    with pytest.raises(IllegalMoveError, match="not on the board"):
        apply_event(state, Undone(5, 2.5, 2, 2, moves[1]))


def test_a_piece_of_a_set_puzzle_can_be_undone() -> None:
    first, second = Move.parse("a1,b1,c1,d1", 20), Move.parse("e1,f1,g1,h1", 20)
    start = Position.start("puzzle-tetrominoes")
    state = apply_event(GameState(start), PositionSet(1, 0.5, start.play(first, 3)))
    state = apply_event(state, MoveAccepted(2, 1.0, 2, 1, second, 1.0))
    state = apply_event(state, Undone(3, 1.5, 0, 3, first))
    assert state.position == start.play(second, 1)
    assert state.history[0].before == start


def test_a_colour_of_a_puzzle_may_have_two_refused_pieces() -> None:
    far = [MoveRefused(1, 0.5, 1, squares, ()) for squares in ((0, 1, 2, 3), (40, 41, 42, 43))]
    state = GameState(Position.start("puzzle-tetrominoes"))
    for event in far:
        state = apply_event(state, event)
    assert state.refused == tuple(far)
    state = apply_event(state, Withdrawn(2, 1.0, 1, (0, 1, 2, 3)))
    assert state.refused == (far[1],)


def test_a_pass_is_forgotten_when_taking_back_gives_the_colour_a_placement_again() -> None:
    over = played("duo", 5, 99)
    last = next(move for move in reversed(over.laid[0]))
    before_it = over.lift(last, 0).with_turn(0)
    state = GameState(over, (Ply(0, last, before_it),), passed=frozenset({0, 1}), over=True)
    before = apply_event(state, Undone(1, 0.0, 9, 0, last))
    assert 0 not in before.passed
    assert not before.over


def test_a_refused_piece_is_remembered_until_it_is_withdrawn() -> None:
    start = GameState(Position.start("duo"))
    refused = apply_event(start, SAMPLES[9])
    assert [one.squares for one in refused.refused] == [(5, 6)]
    assert apply_event(refused, SAMPLES[11]) == start


def test_a_move_that_cannot_follow_is_an_error() -> None:
    start = GameState(Position.start("duo"))
    with pytest.raises(IllegalMoveError):
        apply_event(start, MoveAccepted(1, 0.0, 1, 1, W, 1.0))
    with pytest.raises(IllegalMoveError):
        apply_event(start, MoveAccepted(1, 0.0, 1, 0, Move.parse("a1", 14), 1.0))


def test_events_that_are_no_part_of_the_game_change_nothing() -> None:
    start = GameState(Position.start("duo"))
    for event in SAMPLES[:6]:
        assert apply_event(start, event) == start


def test_every_field_of_an_event_is_in_its_json() -> None:
    for event in SAMPLES:
        present = [f for f in fields(event) if getattr(event, f.name) not in (None, ())]
        assert len(to_json(event, 14, EDITION)) >= 1 + len(present)


def test_a_game_has_begun_also_after_its_first_piece_was_taken_back() -> None:
    state = GameState(Position.start("duo"))
    assert not state.begun
    state = apply_event(state, MoveAccepted(1, 0.5, ply=1, colour=0, move=W, confidence=1.0))
    state = apply_event(state, Undone(2, 1.0, ply=1, colour=0, move=W))
    assert state.piece_count == 0
    assert state.begun


def test_a_call_of_the_arbiter_changes_nothing_else_and_outlasts_a_set_position() -> None:
    start = apply_event(GameState(Position.start("duo")), SAMPLES[7])
    called = apply_event(start, ArbiterCalled(2, 1.0, 1))
    assert replace(called, call=None) == start
    assert apply_event(called, CallEnded(3, 1.5)) == start
    match = MatchBegun(0, 0.0, "2-07", 2, ("p4", "p9"))
    called = apply_event(called, match)
    after = apply_event(called, PositionSet(4, 2.0, played("duo", 1, 4)))
    assert (after.call, after.match) == (called.call, match)


def test_the_newest_answer_of_a_side_counts_and_a_correction_asks_anew() -> None:
    over = played("duo", 5, 99)
    last = next(move for move in reversed(over.laid[0]))
    state = GameState(over, (Ply(0, last, over.lift(last, 0).with_turn(0)),), over=True)
    first, no = ResultConfirmed(1, 0.5, 0), ResultDisputed(2, 1.0, 0, "I had 89.")
    other = ResultConfirmed(3, 1.5, 1)
    for event in (first, other, no):
        state = apply_event(state, event)
    assert state.answers == (other, no)
    assert state.over
    assert apply_event(state, Undone(4, 2.0, 9, 0, last)).answers == ()
    resigned = replace(state, ended=EndReason.RESIGNED)
    assert apply_event(resigned, Resumed(4, 2.0)).answers == ()


def test_nobody_answers_a_result_before_the_end() -> None:
    start = GameState(Position.start("duo"))
    assert apply_event(start, ResultConfirmed(1, 0.5, 0)) == start
