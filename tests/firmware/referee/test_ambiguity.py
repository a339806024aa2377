"""The decision table of the design: ambiguous boards."""

import pytest

from firmware.codes import Rule
from firmware.game.events import MoveRefused, Unsure
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD, NoisyMatch, duo, names, only, rules


def test_two_close_explanations_are_reported_with_their_candidates() -> None:
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


def test_two_explanations_in_colour_are_reported() -> None:
    match = duo(FIRST, SECOND)
    for square in ("h7", "h6", "i6"):
        match.table.blur(square, purple=5.0, orange=4.9)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    assert event.candidates[0].colour == 0


def test_a_doubt_that_the_next_frames_dispel_is_never_reported() -> None:
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
    assert names(match.after_hand(4)) == ["pending"]
    assert match.referee.state.pending == ((1, Move.parse(OFF, 14)),)
    assert match.referee.state.turn == 0
    match.table.faint.clear()
    assert names(match.after_hand()) == ["resolved", "move", "move"]


@pytest.mark.parametrize(
    ("piece", "so_it_was"),
    [("g4,g3,g2,g1", "h7,h6,h5"), ("d11,d12", "h7,h6,h5"), ("d11,d12,d13", "h7,h6")],
)
def test_a_doubt_between_two_legal_moves_is_resolved_by_a_move_that_fits_one_of_them(
    piece: str, so_it_was: str
) -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=-0.2)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", "l8,l9")
    assert names(match.after_hand(4)) == ["pending"]
    match.table.lay("purple", piece)
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert match.referee.state.position.laid[0][1] == Move.parse(so_it_was, 14)


def test_a_move_that_fits_no_reading_of_a_doubt_resolves_nothing() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=-0.2)
    match.after_hand(4)
    match.table.lay("orange", "a1,a2")
    event = only(match.after_hand(4))
    # Refused for the rules that it breaks whatever the doubtful piece is.
    assert isinstance(event, MoveRefused)
    assert rules(event) == [Rule.NO_OWN_CORNER]


def test_a_speck_that_is_no_move_holds_a_game_up_only_until_the_next_player_moves() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m13", purple=1.4)
    match.table.lay("purple", THIRD)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    assert names(match.after_hand())[:3] == ["resolved", "move", "move"]
    assert match.referee.state.position.laid[0][-1] == Move.parse(THIRD, 14)


def test_what_is_likelier_no_piece_is_not_made_a_move_by_the_next_one() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5,h4,h3")
    match.table.blur("h2", purple=2.0)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    assert "move" not in names(match.after_hand(4))


def test_a_doubt_is_reported_once_however_its_candidates_flicker() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    for square, odds in zip(("h5", "g6", "i6") * 4, (0.2, 0.1, 0.3) * 4, strict=True):
        match.table.blur(square, purple=odds - 0.5)
        match.after_hand(3)
    assert names(match.events).count("unsure") <= 2


def test_a_doubt_is_reported_when_the_next_hand_comes_before_patience_ends() -> None:
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
    events = match.referee.resolve(choice, match.moment)
    assert names(events) == ["resolved", "move"]


def test_a_person_who_says_that_nothing_happened_is_not_asked_again() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m12", orange=1.5)
    assert names(match.after_hand(4)) == ["unsure"]
    assert names(match.referee.resolve(None, match.moment)) == [
        "resolved",
        "dismissed",
    ]
    assert names(match.settle(6)) == []


def test_an_answer_that_was_not_a_candidate_is_an_error() -> None:
    match = duo(FIRST, SECOND)
    match.table.blur("m12", orange=1.5)
    match.after_hand(4)
    candidate = match.referee.state.candidates[0]
    match.referee.resolve(None, match.moment)
    with pytest.raises(ValueError, match="not one of the candidates"):
        match.referee.resolve(candidate, match.moment)


def test_a_piece_half_hidden_is_not_accepted() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5")
    match.table.covered = set(match.table.squares("h5,h4,g5,i5"))
    assert "move" not in names(match.after_hand(6))
    match.table.covered.clear()
    assert "move" in names(match.after_hand(3))


@pytest.mark.parametrize("later", ["clear", "hidden"])
def test_a_first_piece_that_is_hardly_seen_is_not_taken_for_none(later: str) -> None:
    match = duo()
    match.table.lay("purple", FIRST)
    for square in ("f10", "f9", "g9"):
        match.table.blur(square, purple=-0.2)
    assert set(names(match.after_hand(4))) <= {"board-found", "unsure"}
    match.table.lay("orange", SECOND)
    assert "move" not in names(match.after_hand(4))
    if later == "clear":
        match.table.faint.clear()
        assert names(match.after_hand()) == ["resolved", "move", "move"]
        assert match.referee.state.position.laid[0] == (Move.parse(FIRST, 14),)


def test_nobody_is_early_while_the_piece_of_the_colour_to_move_is_hardly_seen() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5,h4,g4")
    # No reading of its visible squares touches an own corner.
    for square in ("h7", "h6", "h5"):
        match.table.blur(square, purple=-1.0)
    assert names(match.after_hand(4)) == ["unsure"]
    match.table.lay("orange", OFF)
    assert "illegal" not in names(match.after_hand(4))


@pytest.mark.parametrize("odds", [-0.3, -0.8])
def test_nobody_is_refused_for_what_may_lie_where_nothing_is_seen(odds: float) -> None:
    match = duo(FIRST)
    # Orange has moved, but the squares look rather empty.
    match.table.lay("orange", SECOND)
    for square in SECOND.split(","):
        match.table.blur(square, orange=odds)
    match.after_hand(4)
    match.table.lay("purple", THIRD)
    assert "illegal" not in names(match.after_hand(4))
    match.table.faint.clear()
    assert names(match.after_hand(4))[-2:] == ["move", "move"]


def in_doubt(odds: float = -0.2) -> NoisyMatch:
    """Purple's second piece is a domino or, if h5 is a part of it, an I3; both are legal."""
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6")
    match.table.blur("h5", purple=odds)
    assert names(match.after_hand(4)) == ["unsure"]
    return match


def test_a_game_continues_for_twelve_moves_after_a_doubt_and_asks_once() -> None:
    match = in_doubt()
    later = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    # Pieces that are legal however the question is answered.
    both = [later.play(Move.parse(one, 14)) for one in ("h7,h6", "h7,h6,h5")]
    near = match.table.board.parse_squares("h5,g4,i4,g5,i5,h4,g6,i6")
    laid = []
    for _ in range(12):
        colour = both[0].to_move
        assert colour is not None
        shared = [
            move
            for move in both[0].legal_moves
            if move in both[1].legal_moves
            and move.piece.name not in ("2", "I3")
            and not set(move.squares) & set(near)
        ]
        move = shared[len(shared) // 2]
        laid.append((colour, move))
        both = [one.play(move) for one in both]
        match.table.lay(("purple", "orange")[colour], move)
        assert names(match.after_hand(4)) == ["pending"]
        assert match.referee.state.pending == tuple(laid)
        assert match.referee.state.turn == both[0].to_move
    assert match.referee.state.piece_count == 2
    choice = match.referee.state.candidates[0]
    events = match.referee.resolve(choice, match.moment)
    assert names(events) == ["resolved", *["move"] * 13]
    assert match.referee.state.pending == ()
    assert match.referee.state.piece_count == 15
    assert names(match.settle(4)) == []


def test_what_is_illegal_whatever_the_answer_is_refused_while_moves_are_pending() -> None:
    match = in_doubt()
    match.table.lay("orange", "l8,l9")
    assert names(match.after_hand(4)) == ["pending"]
    match.table.lay("orange", "a14")
    event = only(match.after_hand(4))
    assert isinstance(event, MoveRefused)
    assert Rule.NO_OWN_CORNER in rules(event)


def test_a_move_that_is_legal_in_the_unlikely_reading_alone_decides_nothing() -> None:
    match = in_doubt(-1.9)
    match.table.lay("orange", "l8,l9")
    assert names(match.after_hand(4)) == ["pending"]
    # It touches an own corner only if h5 is purple, or it was laid wrongly.
    match.table.lay("purple", "g4,g3,g2,g1")
    assert "move" not in names(match.after_hand(4))
    assert match.referee.phase is Phase.UNSURE


def test_a_pending_piece_that_is_lifted_is_pending_no_longer() -> None:
    match = in_doubt()
    match.table.lay("orange", "l8,l9")
    assert names(match.after_hand(4)) == ["pending"]
    match.table.lift("l8,l9")
    assert names(match.after_hand(4)) == ["pending"]
    assert match.referee.state.pending == ()


def test_nothing_is_pending_where_the_doubtful_piece_was_none() -> None:
    match = in_doubt()
    match.table.lay("orange", "l8,l9")
    match.after_hand(4)
    events = match.referee.resolve(None, match.moment)
    assert names(events)[0] == "resolved"
    assert match.referee.state.pending == ()
    assert match.referee.state.turn == 0


def test_looks_in_other_light_add_up() -> None:
    match = in_doubt(-1.9)
    assert names(match.settle(10)) == []
    match.table.lightness -= 12.0
    assert names(match.after_hand(4)) == ["resolved", "move"]
    assert match.referee.state.position.laid[0][1] == Move.parse("h7,h6", 14)


def test_looks_before_and_after_a_piece_was_changed_do_not_add_up() -> None:
    match = in_doubt(-1.9)
    match.table.lightness -= 12.0
    match.table.blur("h5", purple=1.9)
    assert "move" not in names(match.after_hand(6))


def test_a_settled_question_is_not_asked_again_of_the_same_squares() -> None:
    match = in_doubt(1.0)
    choice = next(c for c in match.referee.state.candidates if c.move.piece.size == 2)
    assert names(match.referee.resolve(choice, match.moment)) == ["resolved", "move"]
    assert names(match.after_hand(12)) == []
    # A piece that is laid there later is seen all the same.
    match.table.faint.clear()
    match.table.lay("orange", "h5")
    assert names(match.after_hand(4)) != []


def test_the_order_of_what_followed_a_question_outlives_a_restart() -> None:
    match = in_doubt()
    for colour, piece in (("orange", "l8,l9"), ("purple", "d11,d12,d13,d14")):
        match.table.lay(colour, piece)
        match.after_hand(4)
    state = match.referee.state
    assert len(state.pending) == 2
    again = NoisyMatch(match.table, Referee(state, match.table.palette))
    again.table.faint.clear()
    assert names(again.settle(4))[-4:] == ["resolved", "move", "move", "move"]


def test_a_square_more_that_is_not_plainly_seen_may_be_a_piece_that_lies_askew() -> None:
    match = duo(FIRST, SECOND)
    match.table.lay("purple", "h7,h6,h5,h4,h3")
    more = match.table.board.parse_squares("h2")[0]
    match.table.faint[more] = {"purple": 3.2}
    assert names(match.after_hand(12)) == ["unsure"]
    match.table.faint.clear()
    assert names(match.after_hand(4)) == ["resolved", "move"]
