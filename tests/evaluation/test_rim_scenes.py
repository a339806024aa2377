"""Scenes of the trial `rim` show what they say."""

from firmware.rules.variants import GAMES
from tests.evaluation.rim_scenes import Arrival, scene

SCENES = 60


def test_the_part_inside_of_a_hanging_piece_is_legal_as_smaller_ones() -> None:
    drawn = [scene(3, number, hangs=True) for number in range(SCENES)]
    assert {one.beyond for one in drawn} == {1, 2, 3, 4}
    assert {one.setting.game for one in drawn} == set(GAMES)
    for one in drawn:
        board, on = one.position.board, one.piece.squares()
        assert frozenset(on) - {None} == one.squares
        assert on.count(None) == one.beyond
        assert one.piece.move.piece in one.position.in_hand(one.colour)
        legal = {frozenset(move.squares) for move in one.position.legal_moves}
        whole = board.find(sorted(one.squares))
        assert one.squares in legal or (whole is None and any(part < one.squares for part in legal))


def test_right_moves_have_things_beside_the_board_that_touch_no_square() -> None:
    drawn = [scene(3, number, hangs=False) for number in range(SCENES)]
    things = [thing for one in drawn for thing in one.things]
    assert {thing.arrival for thing in things} == set(Arrival)
    assert {thing.kind for thing in things} == {"spare piece", "tray", "hand"}
    assert all(set(piece.squares()) == {None} for thing in things for piece in thing.pieces)
    for one in drawn:
        assert one.piece.move in one.position.legal_moves
        assert frozenset(one.piece.squares()) == one.squares
        used = [
            *one.pieces,
            one.piece,
            *(piece for thing in one.things for piece in thing.pieces),
        ]
        assert len({(piece.colour, piece.move.piece) for piece in used}) == len(used)
