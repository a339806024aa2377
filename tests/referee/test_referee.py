"""The decision table of the design: one test a row, named as what happens."""

import random

import numpy as np
import pytest

from firmware.events import (
    Disturbed,
    Event,
    GameOver,
    Illegal,
    LightChanged,
    Moved,
    Undone,
    Unsure,
    Withdrawn,
)
from firmware.game import GameState, fold
from firmware.referee.phases import Phase
from firmware.referee.referee import Referee, RefereeSettings
from firmware.rules.breaches import Rule
from firmware.rules.placements import Move
from firmware.rules.position import Position
from tests.referee.table import Match, Table, names
from tests.rules.strategies import played
from vision.reading import Lost

FOUR = ("blue", "yellow", "red", "green")

FIRST = "e10,f10,f9,g9,g8"
SECOND = "j5,j6,j7,k7"
THIRD = "h7,h6,i6"
OFF = "i8,i9,j9"


def duo(*moves: str, step: float = 0.5, **table: object) -> Match:
    """A match after some moves, purple's first."""
    lies = Table(**table)  # type: ignore[arg-type]
    match = Match(lies, Referee(Position.start("duo"), ("purple", "orange")), step)
    match.settle()
    for ply, move in enumerate(moves):
        lies.lay(("purple", "orange")[ply % 2], move)
        assert names(match.after_hand(2 if step >= 0.45 else 8)) == ["move"]
    return match


def only(events: list[Event]) -> Event:
    kept = [event for event in events if event.name not in ("hand", "clear")]
    assert len(kept) == 1, kept
    return kept[0]


def rules(event: Event) -> list[Rule]:
    assert isinstance(event, Illegal)
    return [one.rule for one in event.breaches]


def text(event: Event) -> str:
    assert isinstance(event, (Moved, Undone))
    return str(event.move)


# Accepting


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
    assert isinstance(event, Moved)
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


def test_a_piece_under_a_hand_that_stays_is_not_decided() -> None:
    match = duo()
    match.table.lay("purple", FIRST)
    for _ in range(10):
        assert names(match.show(hand=True)) == []
    assert match.referee.phase is Phase.HAND


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


# Refusing


@pytest.mark.parametrize(
    ("moves", "piece", "broken"),
    [
        ((), "a1,a2,a3", [Rule.MISSES_START]),
        ((FIRST, SECOND), "a1,a2,a3", [Rule.NO_OWN_CORNER]),
        ((FIRST, SECOND), "g7,g6,g5", [Rule.TOUCHES_OWN_SIDE, Rule.NO_OWN_CORNER]),
        ((FIRST, SECOND), "h7,i7,j7", [Rule.OVERLAP]),
        ((FIRST, SECOND), "h7,i7,i6,j6,j5", [Rule.OVERLAP, Rule.PIECE_USED]),
        ((FIRST, SECOND), "h7,h6,h5,h4,h3,h2", [Rule.NOT_A_PIECE]),
        ((FIRST, SECOND), "h7,h6,d11,d12", [Rule.TWO_PIECES]),
        ((FIRST, SECOND), "h7,i7,i6,i5,h5,h4", [Rule.NOT_A_PIECE]),
    ],
)
def test_a_piece_that_breaks_a_rule_is_refused(
    moves: tuple[str, ...], piece: str, broken: list[Rule]
) -> None:
    match = duo(*moves)
    match.table.lay("purple", piece)
    event = only(match.after_hand())
    assert rules(event) == broken
    assert isinstance(event, Illegal)
    assert set(event.squares) == set(match.table.squares(piece))
    assert match.referee.phase is Phase.REFUSED
    assert names(match.settle(10)) == []


def test_a_piece_of_the_wrong_colour_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_an_illegal_piece_beside_a_legal_place_is_never_read_as_its_neighbour() -> None:
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    chance = random.Random(8)  # noqa: S311
    indices = position.legal_moves.indices.tolist()
    for index in chance.sample(indices, 60):
        legal = position.board.move(index)
        for shift in (-14, -1, 1, 14):
            near = position.board.find(square + shift for square in legal.squares)
            if near is None or position.board.move(near) in position.legal_moves:
                continue
            move = position.board.move(near)
            if move.mask & position.occupied:
                continue
            match = duo(FIRST, SECOND, noise=0.4, seed=index)
            match.table.lay("purple", move)
            event = only(match.after_hand())
            assert isinstance(event, Illegal)
            assert set(event.squares) == set(move.squares)


def test_a_refused_piece_taken_back_is_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lift("a1,a2,a3")
    event = only(match.after_hand())
    assert isinstance(event, Withdrawn)
    assert set(event.squares) == set(match.table.squares("a1,a2,a3"))
    assert match.referee.phase is Phase.WAITING


def test_a_refused_piece_slid_to_a_legal_place_is_withdrawn_and_then_moved() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "g7,g6,h6")
    assert names(match.after_hand()) == ["illegal"]
    match.table.lift("g7,g6,h6")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["withdrawn", "move"]


def test_a_refused_piece_slid_to_another_illegal_place_is_refused_again() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lift("a1,a2,a3")
    match.table.lay("purple", "b1,b2,b3")
    assert names(match.after_hand()) == ["withdrawn", "illegal"]


def test_a_refused_piece_hidden_by_something_is_not_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.covered = set(match.table.squares("a1,a2,a3,a4,b1,b2,b3"))
    assert names(match.settle(6)) == []
    assert match.referee.phase is Phase.REFUSED


def test_a_second_piece_beside_a_refused_one_is_refused_with_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.after_hand()
    match.table.lay("purple", THIRD)
    event = only(match.after_hand())
    assert Rule.TWO_PIECES in rules(event)
    match.table.lift("a1,a2,a3")
    assert names(match.after_hand()) == ["withdrawn", "move"]


# Several at once, and out of turn


def test_two_pieces_in_one_hand_phase_legal_in_their_turns_are_two_moves() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", OFF)
    events = match.after_hand()
    assert names(events) == ["move", "move"]
    assert [event.colour for event in events if isinstance(event, Moved)] == [0, 1]


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


# Accepted pieces


def test_the_last_accepted_piece_lifted_is_undone() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Undone)
    assert (event.ply, event.colour) == (2, 1)
    assert match.referee.state.position.to_move == 1
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]


def test_the_last_accepted_piece_slid_to_another_legal_place_is_undone_and_moved() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    match.table.lay("orange", "j5,j4,j3,k3")
    assert names(match.after_hand()) == ["undone", "move"]


def test_the_last_accepted_piece_slid_by_one_square_is_undone_and_judged_anew() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(THIRD)
    match.table.lay("purple", "h5,i6,h6")
    assert names(match.after_hand()) == ["undone", "illegal"]


def test_with_an_arbiter_a_lifted_piece_is_disturbed_and_not_undone() -> None:
    table = Table()
    settings = RefereeSettings(takeback="arbiter")
    match = Match(table, Referee(Position.start("duo"), table.palette, settings=settings))
    match.settle()
    table.lay("purple", FIRST)
    match.after_hand()
    table.lift(FIRST)
    assert names(match.after_hand()) == ["disturbed"]
    table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored"]


def test_an_earlier_piece_lifted_is_disturbed_until_it_is_back() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert [set(one.squares) for one in event.expected] == [set(match.table.squares(FIRST))]
    assert match.referee.phase is Phase.DISTURBED
    assert names(match.settle(4)) == []
    match.table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored"]
    assert not match.referee.state.disturbed


def test_an_earlier_piece_pushed_by_a_square_is_disturbed_and_nothing_else() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    match.table.lay("purple", "d10,e10,e9,f9,f8")
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert any(one.colour is None for one in event.seen)


def test_two_disturbed_pieces_are_guided_back_one_step_at_a_time() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(FIRST)
    match.table.lift(SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert len(event.expected) == 2
    match.table.lay("purple", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert len(event.expected) == 1
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["restored"]


def test_no_move_is_accepted_while_an_accepted_piece_is_missing() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["disturbed"]
    match.table.lay("purple", FIRST)
    assert names(match.after_hand()) == ["restored", "move"]


def test_a_square_of_the_last_piece_that_reads_empty_makes_no_smaller_move_of_it() -> None:
    match = duo(FIRST)
    match.table.blur("g8", purple=-4.0)
    assert names(match.settle(3)) == ["disturbed"]


def test_a_piece_laid_on_the_last_one_overlaps_it() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "i6,j6,k6")
    assert rules(only(match.after_hand())) == [Rule.OVERLAP, Rule.NO_OWN_CORNER]


# Doubt


def test_two_close_explanations_are_told_with_their_candidates() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    found = {frozenset(one.move.squares) for one in event.candidates}
    assert frozenset(match.table.squares("h7,h6")) in found
    assert frozenset(match.table.squares("h7,h6,h5")) in found
    assert sum(one.confidence for one in event.candidates) <= 1.001
    assert match.referee.phase is Phase.UNSURE


def test_a_rival_placement_needs_a_wider_margin_than_a_single_square() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=-1.8)
    assert names(match.after_hand(4)) == ["unsure"]


@pytest.mark.parametrize("odds", [-0.5, 0.2, 0.5, 1.0, 2.0])
def test_a_sixth_square_in_doubt_beside_a_legal_piece_keeps_it_from_being_accepted(
    odds: float,
) -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5,h4,h3")
    match.table.blur("h2", purple=odds)
    assert names(match.after_hand(4)) == ["unsure"]


def test_two_explanations_in_colour_are_told() -> None:
    match = duo(FIRST, SECOND)
    for square in ("h7", "h6", "i6"):
        match.table.blur(square, purple=5.0, orange=4.9)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    assert event.candidates[0].colour == 0


def test_a_doubt_that_the_next_frames_dispel_is_never_told() -> None:
    match = duo(FIRST, SECOND, step=0.1)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    assert names(match.after_hand(6)) == []
    match.table.faint.clear()
    assert names(match.settle(8)) == ["move"]


def test_a_doubt_is_resolved_by_better_evidence() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.after_hand(4)
    match.table.faint.clear()
    assert names(match.after_hand()) == ["resolved", "move"]


def test_a_doubt_that_nobody_settles_is_resolved_by_the_next_move() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    # Beside its own first piece, so that only the smaller reading is legal.
    match.table.blur("g7", purple=-0.2)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    events = match.after_hand()
    assert names(events) == ["resolved", "move", "move"]
    assert match.referee.state.position.laid[0][-1] == Move.parse("h7,h6", 14)


def test_a_doubt_between_two_legal_moves_is_not_resolved_by_the_next_move() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=-0.2)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    assert names(match.after_hand(4)) == []
    match.table.faint.clear()
    assert names(match.after_hand()) == ["resolved", "move", "move"]


def test_a_doubt_is_told_once_however_its_candidates_flicker() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    for square, odds in zip(("h5", "g6", "i6") * 4, (0.2, 0.1, 0.3) * 4, strict=True):
        match.table.blur(square, purple=odds - 0.5)
        match.after_hand(3)
    assert names(match.events).count("unsure") <= 2


def test_a_doubt_is_told_when_the_next_hand_comes_before_patience_ends() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    assert names(match.after_hand(2)) == []
    assert names(match.show(hand=True)) == ["unsure"]


def test_a_person_who_confirms_a_candidate_makes_the_move() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.after_hand(4)
    choice = next(c for c in match.referee.state.candidates if c.move.piece.size == 2)
    events = match.referee.resolve(choice, match.now, match.frame)
    assert names(events) == ["resolved", "move"]


def test_a_person_who_says_that_nothing_happened_is_not_asked_again() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m12", orange=1.5)
    assert names(match.after_hand(4)) == ["unsure"]
    assert names(match.referee.resolve(None, match.now, match.frame)) == ["resolved"]
    assert names(match.settle(6)) == []


def test_an_answer_that_was_not_a_candidate_is_an_error() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m12", orange=1.5)
    match.after_hand(4)
    candidate = match.referee.state.candidates[0]
    match.referee.resolve(None, match.now, match.frame)
    with pytest.raises(ValueError, match="not one of the candidates"):
        match.referee.resolve(candidate, match.now, match.frame)


def test_a_piece_half_hidden_is_not_accepted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5")
    match.table.covered = set(match.table.squares("h5,h4,g5,i5"))
    assert "move" not in names(match.after_hand(6))
    match.table.covered.clear()
    assert "move" in names(match.after_hand(3))


# Board, light


def test_a_board_out_of_view_is_lost_and_found_again() -> None:
    match = duo(FIRST)
    events = [event for _ in range(4) for event in match.show(lost="no board")]
    assert names(events) == ["board-lost"]
    assert match.referee.phase is Phase.BOARD_LOST
    assert names(match.settle(3)) == ["board-found"]


def test_a_board_out_of_view_for_a_moment_is_not_lost() -> None:
    match = duo(FIRST)
    assert match.show(lost="no board") == []
    assert names(match.settle(3)) == []


def test_a_bump_is_told_once_and_the_game_goes_on() -> None:
    match = duo(FIRST)
    match.table.lay("orange", SECOND)
    match.show(hand=True)
    match.table.corners = match.table.corners + np.array([5.8, -5.4])
    assert names(match.settle()) == ["board-moved", "move"]
    assert names(match.settle(5)) == []


def test_markers_hidden_by_a_hand_are_no_bump() -> None:
    match = duo(FIRST)
    match.table.corners = match.table.corners + 6.0
    match.show(hand=True)
    match.table.corners = match.table.corners - 6.0
    assert names(match.settle()) == []


def test_a_cloud_is_told_once_though_it_takes_several_frames() -> None:
    match = duo(FIRST)
    found: list[Event] = []
    for brightness in (80.0, 55.0, 50.0, 50.0, 50.0):
        match.table.brightness = brightness
        found += match.show()
    assert names(found) == ["light-changed"]
    assert isinstance(found[0], LightChanged)
    assert found[0].factor == pytest.approx(80 / 120, abs=0.01)


def test_a_camera_that_gets_used_to_other_light_tells_of_no_second_change() -> None:
    match = duo(FIRST)
    found: list[Event] = []
    for brightness in (80.0, 80.0, 100.0, 110.0, 110.0):
        match.table.brightness = brightness
        found += match.show()
    assert names(found) == ["light-changed"]
    match.settle(10)
    match.table.brightness = 60.0
    assert names(match.show()) == ["light-changed"]


def test_a_day_that_fades_is_no_event() -> None:
    match = duo(FIRST)
    for _ in range(100):
        match.table.brightness *= 0.99
        assert match.show() == []


# Which way round, and who begins


@pytest.mark.parametrize("turned", [0, 90])
def test_the_first_piece_tells_how_the_board_is_turned(turned: int) -> None:
    table = Table(turned=turned)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    assert match.referee.turned is None
    table.lay("purple", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, text(event)) == (turned, str(Move.parse(FIRST, 14)))
    table.lay("orange", SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, text(event)) == (None, str(Move.parse(SECOND, 14)))


def test_the_first_colour_laid_is_the_first_players() -> None:
    table = Table()
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.colour, event.edition) == (0, ("orange", "purple"))
    assert match.referee.edition == ("orange", "purple")


def test_who_begins_can_be_given() -> None:
    table = Table()
    match = Match(table, Referee(Position.start("duo"), table.palette, first="purple"))
    match.settle()
    table.lay("orange", FIRST)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_two_first_pieces_at_once_leave_open_who_began_until_the_third() -> None:
    table = Table(turned=90)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    assert names(match.after_hand(4)) == ["unsure"]
    table.lay("orange", THIRD)
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert match.referee.edition == ("orange", "purple")


def test_a_first_piece_taken_back_leaves_open_again_who_begins() -> None:
    match = duo(FIRST)
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["undone"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")


# Taken up again


def test_a_referee_that_takes_up_a_game_from_its_events_goes_on_as_if_nothing_had_been() -> None:
    match = duo(FIRST, SECOND, turned=90)
    state = GameState(Position.start("duo"))
    for event in match.events:
        state = fold(state, event)
    again = Match(match.table, Referee(state, match.table.palette))
    assert names(again.settle()) == ["board-found"]
    match.table.lay("purple", THIRD)
    event = only(again.after_hand())
    assert isinstance(event, Moved)
    assert (event.ply, event.turned, str(event.move)) == (3, None, str(Move.parse(THIRD, 14)))


def test_a_standing_position_shows_by_its_pieces_how_the_board_is_turned() -> None:
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    table = Table(turned=90)
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    match = Match(table, Referee(position, table.palette))
    match.settle()
    table.lay("orange", THIRD)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, event.edition) == (90, ("orange", "purple"))


@pytest.mark.parametrize("plies", [5, 12, 21])
def test_a_game_that_stands_already_is_taken_up_and_goes_on(plies: int) -> None:
    position = played("duo", 4, plies)
    order = ("orange", "purple")
    table = Table(turned=90)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(order[colour], move)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    if plies % 2 == 0:
        # As many of each: who is to move is known when the next piece lies there.
        assert names(match.settle(4)) == []
        move = next(iter(position.legal_moves))
        table.lay("orange", move)
        position = position.play(move)
        match.after_hand()
    assert names(match.events) == ["board-found", "standing"]
    assert match.referee.turned == 90
    assert match.referee.edition == order
    move = next(iter(position.legal_moves))
    assert position.to_move is not None
    table.lay(order[position.to_move], move)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.move, event.ply) == (move, plies + 1 + (plies % 2 == 0))


def test_an_impossible_heap_is_not_taken_for_a_game() -> None:
    table = Table()
    for square in ("a1", "c1", "e1", "g1", "i1", "k1"):
        table.lay("purple", square)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    assert names(match.settle(6)) == ["board-found"]


def test_a_palette_that_does_not_fit_the_game_is_an_error() -> None:
    with pytest.raises(ValueError, match="not played with"):
        Referee(Position.start("classic"), ("purple", "orange"))
    with pytest.raises(ValueError, match="none of the colours"):
        Referee(Position.start("duo"), ("purple", "orange"), first="blue")


def test_nothing_is_said_of_a_board_that_was_never_found() -> None:
    referee = Referee(Position.start("duo"), ("purple", "orange"))
    assert [referee.see(Lost("no board"), t / 2, t + 1) for t in range(6)] == [[]] * 6
    assert referee.phase is Phase.BOARD_LOST


# Whole games


@pytest.mark.parametrize(
    ("game", "noise"),
    [
        (game, noise)
        for game in (
            "duo",
            "classic",
            "classic-2",
            "classic-3",
            "classic-teams",
            "duo-4",
            "duo-4-3",
        )
        for noise in (0.0, 0.5)
    ],
)
def test_a_whole_game_is_followed_to_its_end(game: str, noise: float) -> None:
    start = Position.start(game)
    palette = FOUR if len(start.game.colours) == 4 else ("purple", "orange")
    table = Table(start.game.size, palette, noise=noise, seed=5)
    match = Match(table, Referee(start, palette))
    match.settle()
    chance = random.Random(game)  # noqa: S311
    position = start
    while not position.is_over:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        colour = position.to_move
        assert colour is not None
        table.lay(palette[colour], move)
        position = position.play(move)
        made = [event for event in match.after_hand() if isinstance(event, Moved)]
        assert [(event.colour, event.move) for event in made] == [(colour, move)]
    assert match.referee.state.position == position
    assert isinstance(match.events[-1], GameOver)
    assert match.referee.phase is Phase.GAME_OVER
    passes = [event.name for event in match.events].count("pass")
    assert passes == len(start.game.colours)


def test_a_piece_laid_after_the_end_is_refused() -> None:
    start = Position.start("duo")
    match = duo()
    chance = random.Random(3)  # noqa: S311
    position = start
    while not position.is_over:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        match.table.lay(("purple", "orange")[position.to_move or 0], move)
        position = position.play(move)
        match.after_hand()
    free = next(s for s in range(196) if not position.occupied >> s & 1)
    match.table.lies[free] = "purple"
    assert Rule.GAME_OVER in rules(only(match.after_hand()))
