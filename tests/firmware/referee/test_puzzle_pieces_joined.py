"""New pieces of one colour that share sides in a filling."""

from firmware.game.events import MoveAccepted, MoveRefused, Unsure
from firmware.referee.referee import Referee
from firmware.rules.board import Board, mask_of
from firmware.rules.extent import pieces_of
from firmware.rules.position import Position
from firmware.rules.splits import splits
from firmware.rules.variants import PUZZLES
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, names

HAND = frozenset(piece.index for piece in pieces_of(PUZZLES["puzzle-tetrominoes"]))


def filling(key: str = "puzzle-tetrominoes") -> NoisyMatch:
    match = NoisyMatch(NoisyBoard(20, FOUR), Referee(Position.start(key), FOUR))
    match.settle()
    return match


def accepted(match: NoisyMatch) -> set[str]:
    return {str(event.move) for event in match.events if isinstance(event, MoveAccepted)}


def test_a_shape_has_every_way_to_be_split_into_different_pieces() -> None:
    board = Board.of(20)
    ways = splits(board, mask_of(board.parse_squares("a1,b1,c1,d1,a2,b2,a3,b3")), HAND)
    assert ways is not None
    assert {frozenset(map(str, way)) for way in ways} >= {frozenset({"a1,b1,c1,d1", "a2,b2,a3,b3"})}
    assert splits(board, mask_of(board.parse_squares("a1,b1,c1,d1,a2,b2,a3")), HAND) == ()


def test_pieces_laid_one_after_another_may_touch_at_their_sides() -> None:
    match = filling()
    for squares in ("a1,b1,c1,d1", "a2,b2,a3,b3", "c2,d2,e2,d3"):
        match.table.lay("blue", squares)
        assert names(match.after_hand()) == ["move"]


def test_pieces_laid_together_count_if_only_one_split_is_possible() -> None:
    match = filling()
    # A long bar and a square that touch at one side of one square.
    match.table.lay("blue", "a1,b1,c1,d1")
    match.table.lay("blue", "e1,f1,e2,f2")
    match.after_hand(4)
    board = Board.of(20)
    ways = splits(board, mask_of(board.parse_squares("a1,b1,c1,d1,e1,f1,e2,f2")), HAND)
    assert ways is not None
    assert len(ways) == 1
    assert accepted(match) == {"a1,b1,c1,d1", "e1,f1,e2,f2"}


def test_pieces_laid_together_are_asked_about_if_there_are_several_splits() -> None:
    match = filling()
    squares = "a1,b1,c1,d1,b2,c2,d2,d3"
    board = Board.of(20)
    ways = splits(board, mask_of(board.parse_squares(squares)), HAND)
    assert ways is not None
    assert len(ways) > 1, "the example has to be ambiguous"
    match.table.lay("red", squares)
    match.table.lay("blue", "e5,f5,g5,f6")
    match.after_hand(6)
    assert accepted(match) == {"e5,f5,g5,f6"}
    assert not [event for event in match.events if isinstance(event, MoveRefused)]
    asked = [event for event in match.events if isinstance(event, Unsure)]
    assert {one.move for one in asked[0].candidates} <= {move for way in ways for move in way}
    right = match.referee.state.candidates[0]
    match.events += match.referee.resolve(right, match.moment)
    match.settle(4)
    assert len(accepted(match)) == 3


def test_a_shape_that_no_pieces_make_is_refused() -> None:
    match = filling()
    match.table.lay("red", "a1,b1,c1,d1,e1,f1,g1")
    match.after_hand(8)
    refused = [event for event in match.events if isinstance(event, MoveRefused)]
    assert [one.violations[0].rule for one in refused] == ["not-a-piece"]
    assert not accepted(match)


def test_a_faint_square_beside_a_shape_is_neither_accepted_nor_refused() -> None:
    match = filling()
    match.table.lay("red", "a1,b1,c1,d1,e1,e2,f1")
    match.table.blur("f2", red=0.0)
    match.after_hand(3)
    assert not [e for e in match.events if isinstance(e, (MoveAccepted, MoveRefused))]
    match.table.faint.clear()
    match.table.lay("red", "f2")
    match.settle(4)
    assert accepted(match) == {"a1,b1,c1,d1", "e1,f1,e2,f2"}


def test_a_refused_piece_is_no_part_of_a_piece_laid_beside_it() -> None:
    match = filling()
    match.table.lay("green", "i1,j1,i2,j2")
    match.after_hand(8)
    assert [one.squares for one in match.referee.state.refused]
    match.table.lay("green", "g1,h1,g2,g3")
    match.after_hand(4)
    assert len(accepted(match)) == 1
    assert len(match.referee.state.refused) == 1
