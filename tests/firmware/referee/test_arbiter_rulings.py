"""Rulings of a person at the table, and the decisions that follow from the board."""

import json

import pytest

from firmware.codes import Rule, TurnEnd
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import (
    Disturbed,
    Event,
    Moment,
    MoveAccepted,
    MoveRefused,
    Overruled,
    PositionSet,
    Withdrawn,
)
from firmware.game.state import GameState, apply_event
from firmware.referee.referee import Phase, Referee, RefereeSettings
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.noisy_board import (
    FIRST,
    OFF,
    SECOND,
    THIRD,
    NoisyBoard,
    NoisyMatch,
    duo,
    names,
    only,
    rules,
)


def rule(match: NoisyMatch, word: str, *words: object) -> list[str]:
    """Applies a ruling of a person; returns the names of the events."""
    events: list[Event] = getattr(match.referee, word)(*words, match.moment)
    match.events += events
    return names(events)


def assert_a_restart_finds_the_same(match: NoisyMatch) -> None:
    """Checks that the events, decoded from their JSON, give the state of the referee."""
    state = GameState(Position.start(match.referee.state.position.game))
    for event in match.events:
        line = json.loads(json.dumps(to_json(event, 14, ("purple", "orange"))))
        state = apply_event(state, from_json(line, 14, ("purple", "orange")))
    assert state == match.referee.state


# Undo


def test_a_move_undone_by_a_person_is_not_accepted_again_while_its_piece_lies_there() -> None:
    match = duo(FIRST, SECOND)
    assert rule(match, "undo") == ["undone", "to-lift"]
    assert match.referee.state.position.to_move == 1
    assert names(match.after_hand(5)) == []
    assert_a_restart_finds_the_same(match)


def test_an_undone_piece_lifted_and_laid_again_is_a_move() -> None:
    match = duo(FIRST, SECOND)
    rule(match, "undo")
    match.table.lift(SECOND)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("orange", SECOND)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.state.not_counted == ()
    assert_a_restart_finds_the_same(match)


def test_an_undone_piece_slid_by_a_square_is_judged_again() -> None:
    match = duo(FIRST, SECOND, THIRD)
    rule(match, "undo")
    match.table.lift(THIRD)
    match.table.lay("purple", "h5,i6,h6")
    assert names(match.after_hand()) == ["lifted", "illegal"]


def test_a_piece_beside_one_that_may_lie_there_is_judged_by_itself() -> None:
    match = duo(FIRST, SECOND, THIRD)
    rule(match, "undo")
    assert rule(match, "refuse") == ["dismissed"]
    match.table.lay("purple", "d11,d12")
    assert names(match.after_hand()) == ["move"]


def test_a_piece_along_the_side_of_one_that_may_lie_there_is_judged_by_itself() -> None:
    match = duo(FIRST, SECOND, THIRD)
    rule(match, "undo")
    rule(match, "refuse")
    match.table.lay("purple", "f7,f6,g6")
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert event.move == Move.parse("f7,f6,g6", 14)


def test_a_piece_refused_while_another_began_keeps_its_colour_when_the_beginning_is_undone() -> (
    None
):
    match = duo(FIRST)
    match.table.lay("orange", "a1,a2")
    assert names(match.after_hand()) == ["illegal"]
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["undone"]
    match.table.lift("a1,a2")
    match.table.lay("orange", FIRST)
    events = match.after_hand()
    assert names(events) == ["withdrawn", "move"]
    withdrawn = next(one for one in events if isinstance(one, Withdrawn))
    assert withdrawn.provisional_frame is not None
    assert withdrawn.provisional_frame[1][withdrawn.colour] == "orange"
    assert_a_restart_finds_the_same(match)


def test_an_undone_piece_half_hidden_is_not_taken_for_lifted() -> None:
    match = duo(FIRST, SECOND)
    rule(match, "undo")
    match.table.covered = set(match.table.squares("j5,j6"))
    assert names(match.after_hand(4)) == []


@pytest.mark.parametrize("turned", [0, 90])
def test_a_first_move_undone_leaves_open_again_who_begins(turned: int) -> None:
    match = duo(FIRST, turned=turned)
    rule(match, "undo")
    assert names(match.after_hand(4)) == []
    assert_a_restart_finds_the_same(match)
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")
    assert_a_restart_finds_the_same(match)


def test_all_moves_can_be_undone_one_by_one_and_none_before_them() -> None:
    match = duo(FIRST, SECOND, THIRD)
    for _ in range(3):
        rule(match, "undo")
    assert match.referee.state.position == Position.start("duo")
    assert names(match.settle(4)) == []
    with pytest.raises(ValueError, match="no move to take back"):
        match.referee.undo(match.moment)


# Refuse


def test_an_accepted_move_that_a_person_refuses_is_undone() -> None:
    match = duo(FIRST, SECOND)
    assert rule(match, "refuse") == ["undone", "to-lift"]


def test_a_refused_piece_that_a_person_calls_nothing_no_longer_stands_in_the_way() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1")
    match.after_hand()
    assert rule(match, "refuse") == ["withdrawn", "dismissed"]
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["move"]
    assert_a_restart_finds_the_same(match)


def test_a_doubt_that_a_person_calls_nothing_is_not_asked_again_until_it_is_lifted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    match.after_hand(4)
    # Two squares certainly hold a piece, which has to go; the third holds nothing.
    assert rule(match, "refuse") == ["resolved", "dismissed", "to-lift"]
    (one,) = match.referee.state.to_lift
    assert {*one.squares} == {*match.table.squares("h7,h6")}
    assert names(match.after_hand(4)) == []
    match.table.lift("h7,h6")
    match.table.faint.clear()
    assert set(names(match.after_hand(4))) == {"lifted"}
    match.table.lay("purple", "h7,h6")
    assert names(match.after_hand(4)) == ["move"]
    assert_a_restart_finds_the_same(match)


def test_there_must_be_something_to_refuse() -> None:
    with pytest.raises(ValueError, match="no move to take back"):
        duo().referee.refuse(Moment(1, 0.0))


# Overrule


def test_a_piece_that_a_person_lets_stand_counts_and_the_turn_continues() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    match.after_hand()
    assert rule(match, "overrule") == ["overruled"]
    event = match.events[-1]
    assert isinstance(event, Overruled)
    assert [one.rule for one in event.violations] == [Rule.NO_OWN_CORNER]
    assert (event.ply, match.referee.state.position.to_move) == (3, 1)
    assert names(match.after_hand(4)) == []
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["move"]
    match.table.lay("purple", "b3")
    assert names(match.after_hand()) == ["move"]
    assert_a_restart_finds_the_same(match)


def test_an_early_move_let_stand_and_undone_gives_back_the_turn_it_took() -> None:
    match = duo(FIRST, SECOND)
    before = match.referee.state.position
    match.table.lay("orange", OFF)
    match.after_hand()
    rule(match, "overrule")
    assert match.referee.state.position.to_move == 0
    rule(match, "undo")
    assert match.referee.state.position == before
    assert_a_restart_finds_the_same(match)


def test_an_undone_move_let_stand_is_a_move_again() -> None:
    match = duo(FIRST, SECOND)
    rule(match, "undo")
    assert rule(match, "overrule") == ["move"]
    assert match.referee.state.not_counted == ()


@pytest.mark.parametrize("turned", [0, 90])
def test_a_first_piece_let_stand_settles_the_orientation(turned: int) -> None:
    match = duo(turned=turned)
    match.table.lay("orange", "a1,a2")
    match.after_hand()
    assert rule(match, "overrule") == ["overruled"]
    assert names(match.after_hand(4)) == []
    assert (match.referee.turned, match.referee.state.turned) == (0, 0)
    assert_a_restart_finds_the_same(match)


@pytest.mark.parametrize(
    ("squares", "why"), [("a1,a3", "not one piece"), ("i6,j6,k6", "lies on another")]
)
def test_what_cannot_lie_there_cannot_stand(squares: str, why: str) -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", squares)
    match.after_hand()
    with pytest.raises(ValueError, match=why):
        match.referee.overrule(match.moment)


def test_nothing_is_let_stand_where_nothing_was_refused() -> None:
    with pytest.raises(ValueError, match="no refused piece"):
        duo(FIRST).referee.overrule(Moment(1, 0.0))


# Set the position


def test_a_position_that_a_person_sets_is_what_the_board_is_held_against() -> None:
    match = duo(FIRST, SECOND, THIRD, turned=90)
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    assert rule(match, "set_position", position) == ["to-lift", "standing"]
    event = match.events[-1]
    assert isinstance(event, PositionSet)
    # The third piece was accepted, and lies on the board though the arbiter has taken it back.
    assert names(match.settle()) == []
    assert match.referee.phase is Phase.TO_LIFT
    match.table.lift(THIRD)
    assert names(match.after_hand()) == ["lifted"]
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.turned == 90
    assert_a_restart_finds_the_same(match)


def test_a_piece_of_the_position_set_that_does_not_lie_there_is_disturbed() -> None:
    match = duo(FIRST, SECOND)
    position = match.referee.state.position.play(Move.parse(THIRD, 14))
    rule(match, "set_position", position)
    event = only(match.after_hand())
    assert isinstance(event, Disturbed)
    assert [one.colour for one in event.expected] == [0]


def test_a_position_set_at_the_beginning_shows_by_its_pieces_how_the_board_lies() -> None:
    match = duo(turned=90)
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    rule(match, "set_position", position)
    match.table.lay("purple", FIRST)
    match.table.lay("orange", SECOND)
    match.table.lay("purple", THIRD)
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.turned, event.colour) == (90, 0)


def test_a_position_of_another_game_cannot_be_set() -> None:
    with pytest.raises(ValueError, match="game of Duo"):
        duo().referee.set_position(Position.start("duo-4"), Moment(1, 0.0))


def test_a_finished_position_that_is_set_ends_the_game() -> None:
    match = duo(FIRST)
    full = Position.start("duo")
    while not full.is_over:
        full = full.play(next(iter(full.legal_moves)))
    assert rule(match, "set_position", full) == ["standing", "pass", "pass", "game-over"]


# Resumed games


def restarted(match: NoisyMatch) -> NoisyMatch:
    return NoisyMatch(match.table, Referee(match.referee.state, match.table.palette))


def test_after_a_restart_every_piece_that_is_missing_is_listed() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.lift(SECOND)
    match.table.lift(THIRD)
    again = restarted(match)
    events = again.settle(4)
    assert names(events) == ["board-found", "disturbed"]
    assert isinstance(events[-1], Disturbed)
    assert len(events[-1].expected) == 2
    match.table.lay("purple", THIRD)
    assert names(again.after_hand()) == ["disturbed"]
    match.table.lay("orange", SECOND)
    assert names(again.after_hand()) == ["restored"]


def test_after_a_restart_the_last_piece_too_is_missed_until_a_person_takes_it_back() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    again = restarted(match)
    assert names(again.settle(4)) == ["board-found", "disturbed"]
    again.referee.undo(again.moment)
    # The newest picture shows that it does not lie there.
    assert names(again.events[-2:]) == ["board-found", "disturbed"]
    assert again.referee.state.to_lift == ()
    assert names(again.settle(2)) == ["restored"]


def test_one_legal_piece_laid_during_a_restart_is_a_move() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    assert names(restarted(match).settle(3)) == ["board-found", "move"]


def test_an_illegal_piece_laid_during_a_restart_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    assert names(restarted(match).settle(3)) == ["board-found", "illegal"]


def test_a_piece_refused_before_a_restart_and_gone_after_it_is_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    match.after_hand()
    match.table.lift("a1,a2")
    assert names(restarted(match).settle(3)) == ["board-found", "withdrawn"]


# The player's button


def with_button() -> NoisyMatch:
    table = NoisyBoard()
    settings = RefereeSettings(turn_end=TurnEnd.BUTTON)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette, settings=settings))
    match.settle()
    return match


def test_with_a_button_nothing_is_judged_until_it_is_pressed() -> None:
    match = with_button()
    match.table.lay("purple", FIRST)
    assert names(match.after_hand(6)) == []
    assert match.referee.end_turn(match.now) == []
    assert names(match.show()) == ["move"]


def test_a_hand_after_the_button_keeps_the_turn_open() -> None:
    match = with_button()
    match.table.lay("purple", "a1,a2")
    match.show(hand=True)
    match.referee.end_turn(match.now)
    assert names(match.after_hand(4)) == []
    match.referee.end_turn(match.now)
    event = match.show()[-1]
    assert isinstance(event, MoveRefused)
    assert rules(event) == [Rule.MISSES_START]
