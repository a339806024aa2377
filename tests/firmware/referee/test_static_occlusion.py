"""Decisions beside a cup or a still hand, and decisions that have to wait."""

from firmware.codes import Rule
from firmware.game.events import MoveAccepted, MoveRefused
from firmware.referee.referee import Phase
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, NoisyMatch, duo, names, rules

CUP = "l1,m1,n1,l2,m2,n2,l3,m3,n3"


def under(match: NoisyMatch, squares: str = CUP, frames: int = 10) -> list[str]:
    """Returns the events while something covers some squares, read as a hand."""
    match.table.covered = set(match.table.squares(squares))
    return names(event for _ in range(frames) for event in match.show(hand=True))


def test_a_legal_piece_wholly_in_view_is_accepted_beside_a_cup() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    assert under(match, frames=6) == []
    assert under(match, frames=3) == ["move"]
    assert set(match.referee.covered) == match.table.covered
    match.table.covered = set()
    assert names(match.settle(4)) == []
    assert match.referee.covered == ()


def test_a_game_continues_beside_a_cup_that_stays() -> None:
    match = duo(FIRST)
    for colour, piece in (("orange", SECOND), ("purple", THIRD), ("orange", OFF)):
        # The hand that lays the next piece hides more squares for a moment.
        under(match, f"{CUP},n4,m4,l4,k4", frames=2)
        match.table.lay(colour, piece)
        assert under(match, frames=9) == ["move"]


def test_a_piece_partly_under_something_waits() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    assert under(match, "h7,g7,h8,g8", frames=16) == []
    assert match.referee.phase is Phase.HAND
    match.table.covered = set()
    assert names(match.settle()) == ["move"]


def test_a_piece_that_might_continue_under_something_waits() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    assert under(match, "j6,j5,k6,k5", frames=16) == []


def test_a_piece_so_near_that_a_shadow_may_reach_it_waits() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    assert under(match, "f7,f6,e7,e6", frames=16) == []


def test_a_hand_that_stirs_lets_nothing_be_decided() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", THIRD)
    for column in "bcdeklmn":
        squares = ",".join(f"{column}{row}" for row in range(1, 5))
        assert under(match, squares, frames=4) == []


def test_an_illegal_piece_wholly_in_view_is_refused_beside_a_cup_and_withdrawn() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "a1,a2")
    assert under(match) == ["illegal"]
    event = match.events[-1]
    assert isinstance(event, MoveRefused)
    assert rules(event) == [Rule.NO_OWN_CORNER]
    match.table.lift("a1,a2")
    assert under(match) == ["withdrawn"]


def test_an_early_move_waits_for_what_the_hand_may_hide() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    match.table.lay("purple", "h7,h6")
    assert under(match, "h7,h6,h5,g5,g6,g7", frames=16) == []
    match.table.covered = set()
    moves = [event.colour for event in match.settle() if isinstance(event, MoveAccepted)]
    assert moves == [0, 1]


def test_a_piece_out_of_turn_beside_a_cup_is_not_refused_until_the_cup_is_away() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("orange", OFF)
    assert under(match, frames=16) == []
    match.table.covered = set()
    assert names(match.settle()) == ["illegal"]


def test_a_doubt_is_not_reported_while_something_lies_there() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=0.2)
    assert under(match, frames=16) == []


def test_an_accepted_piece_missing_in_plain_view_is_reported_beside_a_cup() -> None:
    match = duo(FIRST, SECOND)
    match.table.lift(FIRST)
    assert under(match) == ["disturbed"]
    match.table.lay("purple", FIRST)
    # Only an unhidden board shows that all pieces are in their places again.
    assert under(match) == []
    match.table.covered = set()
    assert names(match.settle()) == ["restored"]
