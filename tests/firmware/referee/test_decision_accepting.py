"""The decision table of the design: accepted pieces, and pieces that come together."""

import pytest

from firmware.codes import Rule
from firmware.game.events import MoveAccepted
from firmware.referee import decision
from firmware.referee.adjudication import frame_of
from firmware.referee.referee import Phase
from firmware.rules.board import Move
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, duo, names, only, rules, text


def test_an_empty_board_is_found_and_nothing_else_happens() -> None:
    match = duo()
    assert names(match.settle(20)) == []
    assert names(match.events) == ["board-found"]
    assert match.referee.phase is Phase.WAITING


def test_a_legal_piece_is_accepted_at_the_second_clear_frame() -> None:
    match = duo()
    match.table.lay("purple", FIRST)
    assert names(match.show(hand=True)) == []
    assert names(match.show()) == []
    event = only(match.show())
    assert isinstance(event, MoveAccepted)
    assert (event.ply, event.colour, event.frame, event.turned) == (1, 0, 5, 0)
    assert event.move == Move.parse(FIRST, 14)
    assert match.referee.phase is Phase.ACCEPTED


def test_nothing_is_decided_until_the_hand_has_been_away_long_enough() -> None:
    match = duo(step=0.1)
    match.table.lay("purple", FIRST)
    match.show(hand=True)
    touched = match.now - match.step
    assert names(match.settle(4)) == []
    assert match.referee.phase is Phase.SETTLING
    event = only(match.settle(2))
    assert 0.45 <= event.time - touched < 0.56


def test_while_a_hand_is_somewhere_over_the_board_nothing_is_decided() -> None:
    match = duo()
    match.table.lay("purple", FIRST)
    for _ in range(10):
        assert names(match.show(hand=True)) == []
    assert match.referee.phase is Phase.HAND


def test_a_board_with_nothing_new_is_judged_once_after_each_touch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = duo(FIRST, SECOND)
    match.settle()
    judged: list[object] = []

    def counted(*arguments: object) -> object:
        judged.append(arguments)
        return frame_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(decision, "frame_of", counted)
    assert names(match.settle(10)) == []
    assert not judged
    match.show(hand=True)
    assert names(match.settle(10)) == []
    assert len(judged) == 1
    match.table.lay("purple", THIRD)
    assert "move" in names(match.after_hand(4))


def test_a_blurred_frame_counts_as_motion() -> None:
    match = duo()
    match.table.lay("purple", FIRST)
    match.show(hand=True)
    match.show()
    assert names(match.show(blurred=True)) == []
    assert names(match.show()) == []
    assert names(match.show()) == ["move"]


def test_frames_that_disagree_are_not_steady() -> None:
    match = duo()
    match.show(hand=True)
    match.table.lay("purple", FIRST)
    match.show()
    match.table.lift(FIRST)
    match.table.lay("purple", "e10,e11")
    assert names(match.show()) == []
    assert text(only(match.show())) == str(Move.parse("e10,e11", 14))


def test_a_piece_put_straight_within_its_squares_is_no_event() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("e10", purple=0.5)
    assert names(match.after_hand()) == []
    match.table.faint.clear()
    assert names(match.after_hand()) == []


def test_two_pieces_in_one_hand_phase_legal_in_their_turns_are_two_moves() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", OFF)
    events = match.after_hand()
    assert names(events) == ["move", "move"]
    assert [event.colour for event in events if isinstance(event, MoveAccepted)] == [0, 1]


def test_three_pieces_at_once_that_are_legal_in_one_order_only_are_moves_in_that_order() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", OFF)
    # It touches a corner of the third piece only.
    match.table.lay("purple", "g5,f5")
    events = match.after_hand()
    assert names(events) == ["move", "move", "move"]
    sizes = [event.move.piece.size for event in events if isinstance(event, MoveAccepted)]
    assert sizes == [3, 3, 2]


def test_three_pieces_at_once_that_are_legal_in_two_orders_are_moves_in_an_order_not_seen() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", OFF)
    match.table.lay("purple", "d11,d12")
    events = match.after_hand()
    assert names(events) == ["move", "move", "move"]
    moves = [event for event in events if isinstance(event, MoveAccepted)]
    assert [event.move.piece.size for event in moves] == [3, 3, 2]
    assert [event.order_seen for event in moves] == [False, False, False]


def test_pieces_whose_colours_were_long_in_doubt_are_moves_in_the_order_they_came() -> None:
    match = duo(FIRST, SECOND)
    for colour, piece in (("purple", THIRD), ("orange", OFF), ("purple", "d11,d12")):
        match.table.lay(colour, piece)
        for square in match.table.squares(piece):
            name = match.table.board.format_square(square)
            match.table.blur(name, **{"purple": 4.0, "orange": 4.0, colour: 5.0})
        assert "illegal" not in names(match.after_hand(4))
    match.table.faint.clear()
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert [one.move.piece.size for one in match.referee.state.history[2:]] == [3, 3, 2]


def test_a_legal_move_stands_though_the_next_player_laid_an_illegal_piece_with_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", "n14,n13")
    events = match.after_hand()
    assert names(events) == ["move", "illegal"]


def test_an_early_move_is_refused_and_accepted_once_the_right_player_has_moved() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]
    match.table.lay("purple", THIRD)
    events = match.after_hand()
    assert names(events) == ["move", "move"]
    assert match.referee.state.refused == ()


def test_an_early_move_that_becomes_impossible_is_refused_with_its_new_reasons() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", "n14,n13")
    assert rules(only(match.after_hand())) == [Rule.NO_OWN_CORNER, Rule.WRONG_TURN]
    match.table.lay("purple", THIRD)
    events = match.after_hand()
    assert names(events) == ["move", "illegal"]
    assert rules(events[-1]) == [Rule.NO_OWN_CORNER]


def test_a_legal_piece_beside_a_heap_of_the_same_colour_is_not_accepted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("purple", "a1,a2,a3,b1,b2,b3,c1")
    event = only(match.after_hand())
    assert {Rule.NOT_A_PIECE, Rule.TWO_PIECES} <= set(rules(event))


@pytest.mark.parametrize("pieces", ["h7,h5,h4", "h7,h5"])
def test_two_pieces_of_a_colour_with_a_gap_are_two_pieces(pieces: str) -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", pieces)
    match.table.blur("h6", purple=-4.5)
    assert Rule.TWO_PIECES in rules(only(match.after_hand()))


def test_an_early_move_taken_back_is_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    match.after_hand()
    match.table.lift(OFF)
    assert names(match.after_hand()) == ["withdrawn"]
