"""Pieces of several turns that came while the board was not watched."""

import random
from itertools import pairwise

import pytest

from firmware.codes import Rule
from firmware.game.events import Event, MoveAccepted, MoveRefused, Resigned, Unsure
from firmware.referee.referee import Phase, Referee
from firmware.rules.position import LaidPiece, Position
from firmware.rules.scoring import score
from tests.evaluation.gaps import pieces_between, whole_game
from tests.support.noisy_board import (
    FIRST,
    FOUR,
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

DOMINO = "d11,d12"
"""A legal second or third piece of purple."""


def match_at(position: Position, noise: float = 0.0, seed: int = 1) -> NoisyMatch:
    """Returns a match that goes on from a position."""
    palette = FOUR if len(position.game.colours) == 4 else ("purple", "orange")
    table = NoisyBoard(position.game.size, palette, noise=noise, seed=seed)
    for colour, move in position.pieces:
        table.lay(palette[colour], move)
    match = NoisyMatch(table, Referee(position, palette, first=palette[0], turned=0))
    match.settle()
    return match


def laid(match: NoisyMatch, *pieces: LaidPiece) -> list[Event]:
    """Lays pieces under one hand; returns the events after it."""
    for colour, move in pieces:
        match.table.lay(match.table.palette[colour], move)
    return match.after_hand(4)


def accepted(events: list[Event]) -> list[LaidPiece]:
    return [(one.colour, one.move) for one in events if isinstance(one, MoveAccepted)]


def moves_of(positions: list[Position]) -> list[LaidPiece]:
    """Returns the moves between positions, in order."""
    return [pieces_between(before, after)[0] for before, after in pairwise(positions)]


@pytest.mark.parametrize("game", ["duo", "classic", "classic-3", "duo-4"])
def test_a_game_goes_on_after_gaps_and_loses_no_move(game: str) -> None:
    positions = whole_game(game, 3)[:24]
    match = match_at(positions[0])
    events: list[Event] = []
    for begin in range(0, 23, 6):
        moves = moves_of(positions[begin : begin + 7])
        for count in (moves[:1], moves[1:]):
            events += laid(match, *count)
    assert {*accepted(events)} == {*moves_of(positions)}
    assert not [one for one in events if isinstance(one, (MoveRefused, Unsure))]
    assert match.referee.state.position.to_move == positions[-1].to_move


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 3])
def test_doubts_in_gaps_hold_a_game_up_only_until_the_board_is_clear(seed: int) -> None:
    positions, chance = whole_game("duo", seed), random.Random(seed)  # noqa: S311
    match, moves = match_at(positions[0], noise=1.0, seed=seed), moves_of(positions)
    events: list[Event] = []
    waiting = moves.copy()
    while waiting:
        count = chance.choice([1, 1, 2, 3, 4, 5, 6])
        for colour, move in waiting[:count]:
            match.table.lay(match.table.palette[colour], move)
        events += match.after_hand(chance.choice([2, 3, 6]))
        del waiting[:count]
    events += match.after_hand(12)
    assert {*accepted(events)} == {*moves}
    assert not [one for one in events if isinstance(one, MoveRefused)]


def test_the_order_of_moves_seen_one_by_one_is_seen() -> None:
    match = match_at(Position.start("duo"))
    for move in moves_of(whole_game("duo", 3)[:6]):
        (event,) = (one for one in laid(match, move) if isinstance(one, MoveAccepted))
        assert event.order_seen is None


def test_the_only_legal_order_needs_not_be_seen() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    match.table.lay("purple", THIRD)
    moves = [one for one in match.after_hand() if isinstance(one, MoveAccepted)]
    assert [one.order_seen for one in moves] == [None, None]


@pytest.mark.parametrize("first", ["purple", "orange"])
def test_two_legal_pieces_of_a_colour_without_a_turn_between_are_asked_about(first: str) -> None:
    match = duo(FIRST, SECOND)
    both = {"purple": (THIRD, DOMINO), "orange": (OFF, "l8,l9")}[first]
    for piece in both:
        match.table.lay(first, piece)
    event = only(match.after_hand(12))
    assert isinstance(event, Unsure)
    assert {frozenset(one.move.squares) for one in event.candidates} == {
        frozenset(match.table.squares(piece)) for piece in both
    }
    assert match.referee.phase is Phase.UNSURE


def test_a_turn_that_was_missing_between_two_pieces_settles_their_question() -> None:
    match = duo(FIRST, SECOND)
    for piece in (THIRD, DOMINO):
        match.table.lay("purple", piece)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert not match.referee.state.in_doubt


def test_a_piece_is_no_move_of_a_turn_because_a_person_chose_the_other() -> None:
    match = duo(FIRST, SECOND)
    for piece in (THIRD, DOMINO):
        match.table.lay("purple", piece)
    match.after_hand(4)
    choice = next(one for one in match.referee.state.candidates if one.move.piece.size == 2)
    assert names(match.referee.resolve(choice, match.moment)) == ["resolved", "move"]
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_an_illegal_piece_of_a_gap_keeps_no_legal_one_from_counting() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    match.table.lay("orange", OFF)
    match.table.lay("purple", "a1,a2")
    events = match.after_hand()
    assert names(events) == ["move", "move", "illegal"]
    assert rules(events[-1]) == [Rule.NO_OWN_CORNER]


def test_nobody_is_early_while_the_piece_before_is_refused() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2,a3")
    match.table.lay("orange", OFF)
    assert rules(only(match.after_hand(8))) == [Rule.NO_OWN_CORNER]
    match.table.lift("a1,a2,a3")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["withdrawn", "move", "move"]


def test_an_illegal_piece_between_two_legal_ones_is_refused_alone() -> None:
    match = duo(FIRST, SECOND)
    for colour, piece in (("purple", THIRD), ("orange", "n13,n14"), ("purple", DOMINO)):
        match.table.lay(colour, piece)
    events = match.after_hand(4)
    assert names(events) == ["illegal", "unsure"]
    assert rules(next(one for one in events if isinstance(one, MoveRefused))) == [
        Rule.NO_OWN_CORNER
    ]
    match.table.lift("n13,n14")
    match.table.lay("orange", OFF)
    assert names(match.after_hand()) == ["withdrawn", "resolved", "move", "move", "move"]


def test_a_turn_passes_over_a_colour_that_resigned_between_two_pieces() -> None:
    match = match_at(whole_game("classic", 3)[8])
    match.referee.record(Resigned(*match.moment, (1,)))
    blue = match.referee.state.position
    red = blue.play(next(iter(blue.legal_moves))).with_turn(2)
    events = laid(match, (0, next(iter(blue.legal_moves))), (2, next(iter(red.legal_moves))))
    assert names(events) == ["move", "move"]


def test_more_pieces_than_an_explanation_holds_are_asked_about_and_not_refused() -> None:
    positions = whole_game("duo", 3)[:20]
    match = match_at(positions[2])
    events = laid(match, *moves_of(positions[2:]))
    assert not [one for one in events if isinstance(one, MoveRefused)]
    assert {*accepted(events)} <= {*moves_of(positions)}
    assert accepted(events) or match.referee.phase is Phase.UNSURE


@pytest.mark.parametrize("second", ["g5,f5", "g5,f5,e5,d5"])
@pytest.mark.parametrize("odds", [1.0, 2.8, 3.6])
def test_pieces_of_two_turns_that_seem_joined_are_asked_about_and_not_refused(
    second: str, odds: float
) -> None:
    match = duo(FIRST, SECOND)
    for colour, piece in (("purple", THIRD), ("orange", OFF), ("purple", second)):
        match.table.lay(colour, piece)
    # It lies along the sides of both, which touch at a corner only.
    match.table.blur("g6", purple=odds)
    assert "illegal" not in names(match.after_hand(20))
    assert match.referee.phase is Phase.UNSURE
    match.table.faint.clear()
    assert names(match.after_hand(4))[-3:] == ["move", "move", "move"]


def test_a_piece_taken_back_before_others_moved_in_a_gap_is_undone() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    match.table.lay("orange", "j5,j4,j3")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["undone", "move", "move"]


def test_a_piece_that_another_player_may_have_pushed_in_a_gap_is_disturbed() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(SECOND)
    match.table.lay("orange", "j5,j4,j3,k3")
    match.table.lay("purple", THIRD)
    assert names(match.after_hand()) == ["disturbed"]


def test_pieces_laid_during_a_restart_count_without_a_question() -> None:
    match = duo(FIRST, SECOND)
    for colour, piece in (("purple", THIRD), ("orange", OFF), ("purple", DOMINO)):
        match.table.lay(colour, piece)
    again = NoisyMatch(match.table, Referee(match.referee.state, match.table.palette))
    assert names(again.settle(6)) == ["board-found", "move", "move", "move"]


# An end of which the score depends on the order


def ending(
    game: str, seed: int, helped: int, count: int
) -> tuple[Position, list[LaidPiece], list[LaidPiece]]:
    """Returns a position, the moves to the last one of a colour, and those after them.

    The colour then lays its last `count` pieces, the single square among them.
    """
    positions = whole_game(game, seed, helped=helped)
    last = next(at for at, one in enumerate(positions) if not one.in_hand(helped))
    begin = last - 1
    while positions[begin].to_move != helped or len(positions[begin].in_hand(helped)) < count:
        begin -= 1
    return (
        positions[begin],
        moves_of(positions[begin : last + 1]),
        moves_of(positions[last:]),
    )


ENDS = [("duo", 0, 0), ("classic", 2, 1)]


@pytest.mark.parametrize(("game", "seed", "helped"), ENDS)
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("single_last", [True, False])
def test_one_question_settles_the_score_and_all_moves_after_it_count(
    game: str, seed: int, helped: int, count: int, *, single_last: bool
) -> None:
    before, gap, later = ending(game, seed, helped, count)
    match = match_at(before)
    events = laid(match, *gap)
    for move in later:
        events += laid(match, move)
    asked = [one for one in events if isinstance(one, Unsure)]
    assert len(asked) == 1
    assert not [one for one in events if isinstance(one, MoveRefused)]
    assert {*later} <= {*match.referee.state.pending}
    small = [one for one in match.referee.state.candidates if one.move.piece.size == 1]
    large = [one for one in match.referee.state.candidates if one.move.piece.size > 1]
    (choice,) = large if single_last else small
    events += match.referee.resolve(choice, match.moment)
    events += match.settle(4)
    assert len([one for one in events if isinstance(one, Unsure)]) == 1
    assert {*accepted(events)} == {*gap, *later}
    state = match.referee.state
    assert score(state.position).colours[helped].advanced == (20 if single_last else 15)
    assert not state.in_doubt
