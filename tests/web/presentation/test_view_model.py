from dataclasses import replace

import pytest

from firmware.codes import Rule
from tests.support import example_pages
from web.contract import (
    BoardPiece,
    Mark,
    Page,
    RefereeState,
    RefereeStatus,
    RefusedPiece,
    ViolationEntry,
)
from web.i18n.wording import Wording
from web.presentation.rule_drawings import drawing_of
from web.presentation.svg import CELL, outline
from web.presentation.view_model import view_of

ENGLISH = Wording()


def refused(*reasons: ViolationEntry) -> Page:
    piece = RefusedPiece(0, ((5, 5),), reasons)
    state = RefereeStatus(RefereeState.REFUSED, colour=0, squares=piece.squares)
    return replace(example_pages.empty(), state=state, refused=(piece,))


def test_offending_squares_and_what_they_touch_are_marked() -> None:
    board = view_of(
        refused(ViolationEntry(Rule.TOUCHES_OWN_SIDE, ((2, 1),), ((3, 1),))), ENGLISH
    ).board
    assert board.offending == ((1.5 * CELL, 2.5 * CELL),)
    assert board.against == outline([(3, 1)], 1.5, 3)


def test_the_starting_squares_that_were_missed_are_marked() -> None:
    board = view_of(
        refused(ViolationEntry(Rule.MISSES_START, ((0, 0),), ((4, 4), (9, 9)))), ENGLISH
    ).board
    assert board.against == outline([(4, 4), (9, 9)], 1.5, 3)


def test_a_covered_square_is_marked_once() -> None:
    board = view_of(refused(ViolationEntry(Rule.OVERLAP, ((5, 5),), ((5, 5),))), ENGLISH).board
    assert len(board.offending) == 1
    assert board.against == ""


@pytest.mark.parametrize("rule", sorted(set(Rule) - {Rule.OVERLAP, Rule.TOUCHES_OWN_SIDE}))
def test_a_rule_that_the_whole_piece_breaks_marks_no_single_square(rule: Rule) -> None:
    assert view_of(refused(ViolationEntry(rule, ((5, 5), (5, 6)))), ENGLISH).board.offending == ()


@pytest.mark.parametrize("code", sorted({*RefereeState} - {RefereeState.GAME_OVER}))
def test_a_refusal_is_explained_in_every_state_until_the_piece_is_gone(code: RefereeState) -> None:
    page = example_pages.duo_refused()
    shown = view_of(page, ENGLISH)
    to_lift = example_pages.duo_to_lift().to_lift if code is RefereeState.TO_LIFT else ()
    state = RefereeStatus(code, colour=0)
    view = view_of(replace(page, state=state, to_lift=to_lift), ENGLISH)
    assert view.refusals == shown.refusals
    assert view.board.offending == shown.board.offending
    assert view.board.against == shown.board.against
    [(drawing, sentence)] = view.refusals[0].reasons
    assert drawing == drawing_of(Rule.TOUCHES_OWN_SIDE)
    assert sentence.startswith("Ben, orange pieces")
    gone = replace(page, state=RefereeStatus(RefereeState.WAITING, colour=0), refused=())
    assert view_of(gone, ENGLISH).refusals == ()


def test_the_newest_of_two_refused_pieces_is_explained_first() -> None:
    page = refused(ViolationEntry(Rule.WRONG_TURN, ((5, 5),)))
    older = RefusedPiece(1, ((1, 1),), (ViolationEntry(Rule.NOT_A_PIECE, ((1, 1),)),))
    view = view_of(replace(page, refused=(*page.refused, older)), ENGLISH)
    assert [one.chip.name for one in view.refusals] == ["purple", "orange"]
    assert [one.other.name for one in view.refusals] == ["orange", "purple"]


def test_squares_left_are_counted_for_every_side() -> None:
    page = example_pages.page_of(example_pages.played("classic-3", 30))
    *cards, shared = view_of(page, ENGLISH).cards
    *own, last = (89 - colour.placed for colour in page.colours)
    shown = [(card.score, card.other) for card in cards]
    assert shown == [(str(left), f"−{left} points") for left in own]
    assert (shared.score, shared.other) == ("–", f"{last} left")
    page = example_pages.page_of(example_pages.played("classic-2", 30))
    for card, side in zip(view_of(page, ENGLISH).cards, page.sides, strict=True):
        left = 178 - sum(page.colours[i].placed for i in side.colours)
        assert (card.score, card.other) == (str(left), f"−{left} points")


def test_refused_pieces_are_drawn_on_top() -> None:
    pieces = (
        BoardPiece(0, ((0, 0),), Mark.REFUSED),
        BoardPiece(1, ((1, 1),), Mark.LAST),
        BoardPiece(1, ((0, 0),)),
    )
    drawn = view_of(replace(example_pages.empty(), pieces=pieces), ENGLISH).board.pieces
    assert [piece.mark for piece in drawn] == ["none", "last", "refused"]


def test_a_piece_to_lift_is_drawn_on_top_and_named_in_every_state() -> None:
    page = example_pages.duo_to_lift()
    (one,) = page.to_lift
    for code in (RefereeState.TO_LIFT, RefereeState.HAND, RefereeState.SETTLING):
        board = view_of(replace(page, state=RefereeStatus(code)), ENGLISH).board
        assert board.pieces[-1].mark == "to-lift"
        assert len(board.pieces) == len(page.pieces) + 1
        row, column = one.squares[0]
        name = page.colours[one.colour].name
        assert board.squares[row][column] == f"{name} {one.piece}, to be lifted"


def test_squares_that_need_attention_are_marked() -> None:
    unsure = RefereeStatus(RefereeState.UNSURE, squares=((3, 3), (3, 4)))
    board = view_of(replace(example_pages.empty(), state=unsure), ENGLISH).board
    assert board.attention == outline([(3, 3), (3, 4)], 1, 3)


def test_the_way_back_of_a_piece_is_drawn_as_far_as_it_is_known() -> None:
    here, there = ((3, 3), (3, 4)), ((6, 3), (6, 4))
    state = RefereeStatus(
        RefereeState.DISTURBED, 1, squares=there, current_squares=here, target_squares=there
    )
    page = replace(example_pages.empty(), state=state, covered=((0, 0),))
    board = view_of(page, ENGLISH).board
    assert board.covered == outline([(0, 0)], 0, 2)
    assert board.way is not None
    assert board.way.ink == page.colours[1].ink
    assert (board.way.current_outline, board.way.target_outline) == (
        outline(here, 1, 3),
        outline(there, 1, 3),
    )
    assert board.way.between == f"M{3.5 * CELL} {3.5 * CELL}L{3.5 * CELL} {6.5 * CELL}"
    missing = view_of(replace(page, state=replace(state, current_squares=())), ENGLISH).board.way
    assert missing is not None
    assert (missing.current_outline, missing.between) == ("", "")
    assert view_of(example_pages.empty(), ENGLISH).board.way is None


def test_moves_are_listed_newest_first_and_trays_biggest_first() -> None:
    view = view_of(example_pages.duo_refused(), ENGLISH)
    assert [line.ply for line in view.lines] == list(range(15, 0, -1))
    sizes = [piece.width * piece.height for piece in view.trays[0].pieces]
    assert sizes[-1] == 1
    assert len(sizes) == 13
    assert all(piece.width >= piece.height for piece in view.trays[0].pieces)
    assert view.trays[0].squares == 49


def test_a_side_without_names_is_called_by_its_colours() -> None:
    page = example_pages.page_of(example_pages.played("classic-teams", 4))
    nameless = tuple(replace(colour, player="") for colour in page.colours)
    cards = view_of(replace(page, colours=nameless), ENGLISH).cards
    assert [card.title for card in cards] == ["Blue + Red", "Yellow + Green"]
    assert [card.on_turn for card in cards] == [True, False]
    same = tuple(replace(colour, player="Anna") for colour in page.colours)
    assert view_of(replace(page, colours=same), ENGLISH).cards[0].title == "Anna"


def test_the_winner_s_card_says_so() -> None:
    cards = view_of(example_pages.duo_over(), ENGLISH).cards
    assert [(card.first, card.note) for card in cards] == [(False, ""), (True, "winner")]
