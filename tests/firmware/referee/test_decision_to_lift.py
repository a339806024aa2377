"""A move that a person takes back while its piece still lies on the board."""

import json

import pytest

from firmware.game.event_codec import from_json, to_json
from firmware.game.events import Lifted, MoveAccepted, ToLift, Unsure
from firmware.game.state import GameState, apply_event
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, default_edition
from tests.firmware.referee.test_arbiter_rulings import assert_a_restart_finds_the_same, rule
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, NoisyBoard, NoisyMatch, duo, names

ELSEWHERE = "d11,d12"
"""A legal placement of purple after the first two moves."""


def undone(*moves: str) -> NoisyMatch:
    """Returns a match whose last move was taken back; its piece lies there."""
    match = duo(*moves)
    assert rule(match, "undo")[-1] == "to-lift"
    match.settle()
    return match


def restarted(match: NoisyMatch) -> NoisyMatch:
    """Returns the match after a restart from the JSON of its events."""
    state = GameState(Position.start("duo"))
    for event in match.events:
        line = json.loads(json.dumps(to_json(event, 14, ("purple", "orange"))))
        state = apply_event(state, from_json(line, 14, ("purple", "orange")))
    again = NoisyMatch(match.table, Referee(state, match.table.palette))
    again.settle(3)
    return again


# The state


def test_a_piece_whose_move_was_taken_back_is_to_be_lifted() -> None:
    match = undone(FIRST, SECOND, THIRD)
    event = match.events[-1]
    assert isinstance(event, ToLift)
    assert sorted(event.squares) == sorted(match.table.squares(THIRD))
    assert match.referee.phase is Phase.TO_LIFT
    line = to_json(event, 14, ("purple", "orange"))
    assert (line["event"], line["color"]) == ("to-lift", "purple")
    assert sorted(line["cells"]) == sorted(THIRD.split(","))


def test_once_it_is_lifted_the_game_goes_on() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lift(THIRD)
    events = match.after_hand()
    assert names(events) == ["lifted"]
    assert isinstance(events[-1], Lifted)
    assert match.referee.phase is Phase.WAITING
    match.table.lay("purple", ELSEWHERE)
    assert names(match.after_hand()) == ["move"]


def test_a_move_of_which_no_piece_lies_there_is_only_undone() -> None:
    match = duo(FIRST, SECOND)
    again = NoisyMatch(match.table, Referee(match.referee.state, match.table.palette))
    match.table.lift(SECOND)
    again.settle(3)
    assert rule(again, "undo") == ["undone"]
    assert again.referee.state.to_lift == ()


def test_a_piece_carried_elsewhere_is_judged_there() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lift(THIRD)
    match.table.lay("purple", ELSEWHERE)
    assert names(match.after_hand()) == ["lifted", "move"]


def test_a_piece_of_another_colour_laid_on_its_squares_is_judged() -> None:
    match = undone(FIRST, SECOND, THIRD, OFF)
    match.table.lift(OFF)
    match.table.lay("purple", "i8")
    assert "lifted" in names(match.after_hand())


def test_a_piece_half_lifted_is_lifted() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lift("i6")
    assert names(match.after_hand())[0] == "lifted"


def test_a_piece_under_a_hand_is_not_lifted() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.covered = set(match.table.squares(THIRD))
    assert names([event for _ in range(20) for event in match.show(hand=True)]) == []
    match.table.covered = set()
    assert match.referee.state.to_lift


def test_it_is_lifted_beside_a_cup() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lift(THIRD)
    match.table.covered = set(match.table.squares("l1,m1,n1,l2,m2,n2,l3,m3,n3"))
    assert "lifted" in names([event for _ in range(40) for event in match.show(hand=True)])


# Going on regardless


def test_a_further_piece_is_not_judged_and_people_are_asked_once() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lay("purple", ELSEWHERE)
    events = match.after_hand(4)
    assert names(events) == ["unsure"]
    (asked,) = [event for event in events if isinstance(event, Unsure)]
    assert [one.move for one in asked.candidates] == [Move.parse(THIRD, 14)]
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lay("orange", OFF)
    assert names(match.after_hand(20)) == []
    assert_a_restart_finds_the_same(match)


def test_if_it_counts_after_all_what_was_laid_since_is_judged() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lay("orange", OFF)
    match.after_hand(4)
    (one,) = match.referee.state.candidates
    assert rule(match, "resolve", one) == ["resolved", "move"]
    assert names(match.settle(3)) == ["move"]
    assert match.referee.state.piece_count == 4
    assert_a_restart_finds_the_same(match)


def test_if_the_game_goes_on_beside_it_what_was_laid_since_is_judged() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lay("purple", ELSEWHERE)
    match.after_hand(4)
    assert rule(match, "resolve", None) == ["resolved", "dismissed"]
    assert names(match.settle(3)) == ["move"]
    assert match.referee.phase in (Phase.ACCEPTED, Phase.WAITING)
    assert_a_restart_finds_the_same(match)


def test_a_piece_that_is_lifted_answers_the_question() -> None:
    match = undone(FIRST, SECOND, THIRD)
    match.table.lay("purple", ELSEWHERE)
    match.after_hand(4)
    match.table.lift(THIRD)
    assert names(match.after_hand()) == ["lifted", "resolved", "move"]
    assert_a_restart_finds_the_same(match)


def test_a_piece_that_was_refused_before_is_no_further_piece() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    match.after_hand()
    rule(match, "undo")
    assert names(match.settle(10)) == []
    match.table.lift(SECOND)
    assert "lifted" in names(match.after_hand())


# Whatever lies there that the record lacks


def test_pieces_of_which_a_person_says_that_none_counts_are_to_be_lifted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("purple", "d11,d12")
    assert names(match.after_hand(4)) == ["unsure"]
    assert rule(match, "refuse") == ["resolved", "to-lift", "to-lift"]
    assert names(match.settle(4)) == []
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lift(THIRD)
    match.table.lift("d11,d12")
    assert names(match.after_hand()) == ["lifted", "lifted"]


def test_a_piece_laid_where_a_person_saw_nothing_is_seen_whole() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m8", orange=1.5)
    assert names(match.after_hand(4)) == ["unsure"]
    assert rule(match, "refuse") == ["resolved", "dismissed"]
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["move"]
    match.table.faint.clear()
    match.table.lay("orange", "l8,m8")
    events = match.after_hand(4)
    assert names(events) == ["lifted", "move"]
    assert isinstance(events[-1], MoveAccepted)
    assert events[-1].move == Move.parse("l8,m8", 14)


def test_a_piece_that_may_lie_there_is_no_move_after_a_hand_was_over_it() -> None:
    match = undone(FIRST, SECOND, THIRD)
    rule(match, "refuse")
    match.table.covered = set(match.table.squares(THIRD))
    match.settle(4)
    match.table.covered = set()
    assert names(match.settle(6)) == []
    assert match.referee.state.piece_count == 2


def test_a_move_accepted_beside_a_cup_and_taken_back_is_to_be_lifted() -> None:
    match = duo(FIRST, SECOND)
    match.table.covered = set(match.table.squares("l1,m1,n1,l2,m2,n2,l3,m3,n3"))
    match.table.lay("purple", THIRD)
    events = [event for _ in range(40) for event in match.show(hand=True)]
    assert "move" in names(events)
    assert rule(match, "undo") == ["undone", "to-lift"]
    assert "move" not in names([event for _ in range(40) for event in match.show(hand=True)])


# More than one command


def test_two_moves_taken_back_are_both_to_be_lifted() -> None:
    match = undone(FIRST, SECOND, THIRD)
    assert rule(match, "undo") == ["undone", "to-lift"]
    match.table.lift(SECOND)
    assert names(match.after_hand()) == ["lifted"]
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lift(THIRD)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]


def test_of_two_moves_taken_back_the_first_counts_again_before_the_second() -> None:
    match = undone(FIRST, SECOND, THIRD)
    rule(match, "undo")
    assert rule(match, "overrule") == ["move"]
    assert rule(match, "overrule") == ["move"]
    assert match.referee.state.history[-1].move == Move.parse(THIRD, 14)
    assert match.referee.state.not_counted == ()


def test_a_move_taken_back_that_counts_again_can_be_taken_back_again() -> None:
    match = undone(FIRST, SECOND)
    rule(match, "overrule")
    assert rule(match, "undo") == ["undone", "to-lift"]
    assert len(match.referee.state.to_lift) == 1


def test_a_position_set_without_the_piece_leaves_it_to_be_lifted() -> None:
    match = undone(FIRST, SECOND, THIRD)
    assert rule(match, "set_position", match.referee.state.position) == ["standing"]
    assert names(match.settle(4)) == []
    assert match.referee.phase is Phase.TO_LIFT
    assert_a_restart_finds_the_same(match)


def test_a_position_set_with_the_piece_agrees_with_the_board() -> None:
    match = undone(FIRST, SECOND, THIRD)
    position = match.referee.state.position.play(Move.parse(THIRD, 14))
    assert rule(match, "set_position", position) == ["standing"]
    assert names(match.settle(4)) == []
    assert match.referee.phase is Phase.WAITING


def test_a_position_with_another_piece_at_the_place_leaves_nothing_to_be_lifted() -> None:
    match = duo(FIRST, SECOND, THIRD)
    before = match.referee.state.history[-1].before
    rule(match, "set_position", before.play(Move.parse("h7,h6", 14)))
    assert match.referee.state.to_lift == ()


def test_an_empty_position_set_leaves_all_pieces_to_be_lifted() -> None:
    match = duo(FIRST, SECOND)
    events = rule(match, "set_position", Position.start("duo"))
    assert events == ["to-lift", "to-lift", "standing"]
    assert names(match.settle(4)) == []
    assert_a_restart_finds_the_same(match)
    for piece in (FIRST, SECOND):
        match.table.lift(piece)
    assert names(match.after_hand()) == ["lifted", "lifted"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")


def test_taking_a_move_back_closes_an_open_question() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.after_hand(4)
    assert match.referee.state.candidates
    assert rule(match, "undo") == ["resolved", "undone", "to-lift"]
    assert match.referee.state.candidates == ()
    assert_a_restart_finds_the_same(match)


def test_what_was_pending_does_not_count_while_a_piece_is_to_be_lifted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.after_hand(4)
    match.table.lay("orange", OFF)
    match.after_hand(4)
    assert match.referee.state.pending
    events = rule(match, "undo")
    assert "move" not in events
    assert match.referee.state.pending == ()
    assert match.referee.state.piece_count == 1


# Restarts


def test_a_restart_goes_on_with_what_is_to_be_lifted() -> None:
    match = restarted(undone(FIRST, SECOND, THIRD))
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lift(THIRD)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("purple", ELSEWHERE)
    assert names(match.after_hand()) == ["move"]


def test_a_restart_goes_on_with_the_open_question() -> None:
    before = undone(FIRST, SECOND, THIRD)
    before.table.lay("orange", OFF)
    before.after_hand(4)
    match = restarted(before)
    assert names(match.settle(20)) == []
    assert match.referee.phase is Phase.TO_LIFT
    (one,) = match.referee.state.candidates
    assert rule(match, "resolve", one) == ["resolved", "move"]
    assert names(match.settle(3)) == ["move"]


def test_after_a_restart_a_piece_that_is_gone_is_lifted() -> None:
    before = undone(FIRST, SECOND, THIRD)
    before.table.lift(THIRD)
    match = restarted(before)
    assert names(match.events) == ["board-found", "lifted"]


@pytest.mark.parametrize("turned", [0, 90])
def test_a_restart_after_the_only_move_was_taken_back_leaves_open_who_begins(turned: int) -> None:
    before = duo(FIRST, turned=turned)
    rule(before, "undo")
    match = restarted(before)
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")


# Other games


@pytest.mark.parametrize("game", GAMES)
def test_in_every_game_the_last_move_is_to_be_lifted(game: str) -> None:
    position = Position.start(game)
    board = NoisyBoard(position.game.size, default_edition(position.game))
    match = NoisyMatch(board, Referee(position, board.palette))
    match.settle()
    for colour in range(2):
        board.lay(
            board.palette[colour],
            max(match.referee.state.position.legal_moves, key=lambda one: one.piece.size),
        )
        assert names(match.after_hand()) == ["move"]
    move = match.referee.state.history[-1].move
    assert rule(match, "undo") == ["undone", "to-lift"]
    assert names(match.settle(4)) == []
    assert match.referee.phase is Phase.TO_LIFT
    board.lift(move)
    assert names(match.after_hand()) == ["lifted"]
    board.lay(board.palette[1], move)
    assert names(match.after_hand()) == ["move"]
