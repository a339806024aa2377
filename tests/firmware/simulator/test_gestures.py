"""Gestures of players: a hand lays, moves and lifts pieces anywhere, one at a time."""

import json
from math import dist, hypot

import numpy as np
import pytest

from firmware.rules.board import Board, Move
from firmware.rules.pieces import PIECES, normalised
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, VARIANTS
from firmware.simulator.appearance import camera_pose
from firmware.simulator.gestures import GestureHand
from firmware.simulator.table import CELL_MM, Hand, TablePiece, VirtualTable, square_mm
from web.contract import (
    Gesture,
    LiftPiece,
    PiecePlace,
    Prop,
    PutPiece,
    RefusalReason,
    ShiftPiece,
    SimulatedTable,
    UseProp,
)

STEP_S = 0.05
L4 = ((0, 0), (1, 0), (2, 0), (2, 1))
NOT_FITTING, NOT_POSSIBLE = RefusalReason.NOT_FITTING, RefusalReason.NOT_POSSIBLE


class Player:
    """A player at a table, with the hand that carries out gestures."""

    def __init__(self, key: str = "duo", seed: int = 1) -> None:
        self.table = VirtualTable(VARIANTS[key])
        self.hand = GestureHand(self.table, seed)
        self.now_s = 0.0

    def do(self, gesture: Gesture) -> None:
        """Makes a gesture, and waits until it is carried out."""
        assert self.hand.perform(gesture) is None
        self.wait()

    def wait(self) -> None:
        for _ in range(400):
            self.step()
            entry = self.hand.entry()
            if not entry.moving:
                assert SimulatedTable.from_json(entry.to_json()) == entry
                return
        raise AssertionError("the hand is stuck")

    def step(self) -> None:
        """Lets some time pass; each piece is at one place."""
        self.hand.step(self.now_s)
        self.now_s += STEP_S
        scene = self.table.scene
        held = [scene.hand.holding] if scene.hand and scene.hand.holding else []
        lying = [(one.colour, one.move.piece) for one in (*scene.pieces, *held)]
        trays = [(colour, one) for colour, tray in enumerate(scene.trays) for one in tray]
        assert len(lying) == len(set(lying))
        assert len(lying) + len(trays) == len(PIECES) * len(scene.game.colours)

    def skip(self) -> None:
        """Lets much time pass."""
        for _ in range(2):
            self.hand.step(self.now_s)
            self.now_s += 10.0

    def piece(self, name: str = "L4", colour: int = 0) -> TablePiece:
        found = [
            one
            for one in self.table.scene.pieces
            if one.move.piece.name == name and one.colour == colour
        ]
        assert len(found) == 1
        return found[0]

    def shown(self, name: str = "L4", colour: int = 0) -> PiecePlace:
        entry = self.hand.entry()
        found = [one for one in entry.pieces if (one.piece, one.colour) == (name, colour)]
        assert len(found) == 1
        return found[0]


def place(
    across: float = 5.0, down: float = 6.0, angle_deg: float = 0.0, colour: int = 0
) -> PiecePlace:
    return PiecePlace(colour, "L4", L4, across, down, angle_deg)


def lift(colour: int = 0) -> LiftPiece:
    return LiftPiece(colour, "L4")


def at(move: Move, colour: int) -> PiecePlace:
    """Returns the exact place of a move."""
    size = move.board.size
    cells = [divmod(square, size) for square in move.squares]
    down = sum(row for row, _ in cells) / len(cells) + 0.5
    across = sum(column for _, column in cells) / len(cells) + 0.5
    return PiecePlace(colour, move.piece.name, normalised(tuple(cells)), across, down)


@pytest.fixture
def player() -> Player:
    return Player()


@pytest.mark.parametrize("key", GAMES)
def test_pieces_are_laid_and_lifted_in_every_game(key: str) -> None:
    player = Player(key)
    assert player.hand.entry().size == GAMES[key].size
    position = Position.start(GAMES[key])
    for _ in range(len(GAMES[key].colours)):
        move, colour = next(iter(position.legal_moves)), position.to_move
        assert colour is not None
        player.do(PutPiece(at(move, colour)))
        (laid,) = [one for one in player.table.scene.pieces if one.colour == colour]
        assert set(laid.squares()) == set(move.squares)
        position = position.play(move)
    truth = player.table.scene.truth()
    assert truth == tuple(position.colour_at(square) for square in range(position.board.squares))
    for placed in player.table.scene.pieces:
        player.do(LiftPiece(placed.colour, placed.move.piece.name))
    assert player.table.scene.pieces == ()


@pytest.mark.parametrize("size", [14, 20])
def test_every_shape_is_laid_at_every_edge(size: int) -> None:
    player = Player("duo" if size == 14 else "classic")
    for piece in PIECES:
        for shape in piece.orientations:
            for across, down in ((0, 0), (size, 0), (size / 2, size), (0.3, size - 0.3)):
                gesture = PutPiece(PiecePlace(0, piece.name, shape, across, down))
                assert player.hand.perform(gesture) is None
                player.skip()
                shown = player.shown(piece.name)
                assert dist((shown.across, shown.down), (across, down)) < 0.15
                assert shown.shape == normalised(shape)
                assert player.hand.perform(LiftPiece(0, piece.name)) is None
                player.skip()


@pytest.mark.parametrize(
    ("across", "down", "angle_deg"),
    [
        (5.0, 6.0, 0.0),
        (5.37, 6.71, 20.0),
        (5.0, 6.0, 45.0),
        (5.0, 6.0, -45.0),
        (0.0, 0.0, 0.0),
        (14.0, 14.0, -30.0),
        (13.9, 0.1, 10.0),
    ],
)
def test_a_piece_lies_where_and_as_it_was_let_go(
    across: float, down: float, angle_deg: float
) -> None:
    for seed in range(5):
        player = Player(seed=seed)
        player.do(PutPiece(place(across, down, angle_deg)))
        x_mm, y_mm = player.piece().middle_mm
        expected = (across - 7) * CELL_MM, (7 - down) * CELL_MM
        assert dist((x_mm, y_mm), expected) < 2.0
        assert player.piece().angle_deg == pytest.approx(-angle_deg, abs=2.5)
        shown = player.shown()
        assert dist((shown.across, shown.down), (across, down)) < 0.15
        if abs(angle_deg) < 40:
            assert shown.angle_deg == pytest.approx(angle_deg, abs=2.5)
            assert shown.shape == L4


def test_a_piece_turned_by_more_than_45_degrees_is_shown_as_another_shape(player: Player) -> None:
    player.do(PutPiece(place()))
    lying = player.piece()
    cells = {}
    for angle_deg in range(-180, 181, 5):
        turned = TablePiece(0, lying.move, lying.dx_mm, lying.dy_mm, -float(angle_deg))
        player.table.shift(0, lying.move.piece, turned)
        shown = player.shown()
        assert abs(shown.angle_deg) <= 45
        assert (angle_deg - shown.angle_deg) % 90 == pytest.approx(0)
        cells[angle_deg] = shown.shape
    assert cells[90] == ((0, 0), (0, 1), (0, 2), (1, 0)), "clockwise"
    assert cells[-90] == ((0, 2), (1, 0), (1, 1), (1, 2))
    assert cells[180] == cells[-180] == ((0, 0), (0, 1), (1, 1), (2, 1))


def test_a_piece_that_is_shown_can_be_laid_again_as_it_is_shown(player: Player) -> None:
    player.do(PutPiece(place(3.3, 8.8, 44.9)))
    for _ in range(20):
        player.do(ShiftPiece(player.shown()))
        player.do(UseProp(Prop.NUDGE))
        assert abs(player.shown().angle_deg) <= 45
    player.do(lift())
    assert player.table.scene.pieces == ()


def test_a_piece_may_lie_on_another_one(player: Player) -> None:
    player.do(PutPiece(place()))
    player.do(PutPiece(place(5.5, 6.0, colour=1)))
    below, above = player.hand.entry().pieces
    assert (below.colour, above.colour) == (0, 1), "the lowest first"


@pytest.mark.parametrize(
    ("across", "down"), [(-0.01, 5.0), (14.01, 5.0), (5.0, -0.01), (5.0, 14.01), (99.0, -99.0)]
)
def test_a_piece_let_go_off_the_board_stays_where_it_is(
    player: Player, across: float, down: float
) -> None:
    assert player.hand.perform(PutPiece(place(across, down))) is NOT_FITTING
    player.do(PutPiece(place()))
    before = player.piece()
    assert player.hand.perform(ShiftPiece(place(across, down))) is NOT_FITTING
    player.wait()
    assert player.piece() == before


@pytest.mark.parametrize(
    "wrong",
    [
        PiecePlace(0, "L4", ((0, 0), (1, 0), (2, 0)), 5, 5),
        PiecePlace(0, "L4", ((0, 0),) * 4, 5, 5),
        PiecePlace(0, "I4", L4, 5, 5),
        PiecePlace(0, "none", L4, 5, 5),
        PiecePlace(2, "L4", L4, 5, 5),
        LiftPiece(0, "none"),
        LiftPiece(3, "L4"),
    ],
)
def test_what_is_no_piece_of_the_game_does_not_fit(
    player: Player, wrong: PiecePlace | LiftPiece
) -> None:
    gesture = wrong if isinstance(wrong, LiftPiece) else PutPiece(wrong)
    assert player.hand.perform(gesture) is NOT_FITTING


def test_a_shape_need_not_begin_at_its_corner(player: Player) -> None:
    moved = tuple((row + 1, column + 2) for row, column in reversed(L4))
    player.do(PutPiece(PiecePlace(0, "L4", moved, 5.0, 6.0)))
    assert player.shown().shape == L4


def test_a_piece_is_put_once_and_only_a_laid_one_is_moved(player: Player) -> None:
    for gesture in (ShiftPiece(place()), lift()):
        assert player.hand.perform(gesture) is NOT_POSSIBLE
    player.do(PutPiece(place()))
    assert player.hand.perform(PutPiece(place())) is NOT_POSSIBLE
    player.do(lift())
    player.do(PutPiece(place()))


def test_two_phones_cannot_grab_one_piece(player: Player) -> None:
    assert player.hand.perform(PutPiece(place())) is None
    assert player.hand.perform(PutPiece(place(9, 9))) is NOT_POSSIBLE
    player.wait()
    for first in (ShiftPiece(place(9, 9)), lift()):
        assert player.hand.perform(first) is None
        for _ in range(3):
            for second in (ShiftPiece(place(2, 2)), lift(), PutPiece(place())):
                assert player.hand.perform(second) is NOT_POSSIBLE
            assert player.hand.entry().moving == ((0, "L4"),)
            player.step()
        player.wait()
    assert player.table.scene.pieces == ()


def paths(player: Player, gesture: Gesture) -> list[Hand]:
    """Carries a gesture out; returns the hands on the way."""
    assert player.hand.perform(gesture) is None
    hands: list[Hand] = []
    for _ in range(400):
        player.step()
        if player.table.scene.hand is None:
            return hands
        hands.append(player.table.scene.hand)
    raise AssertionError("the hand is stuck")


def test_a_piece_is_slid_to_a_near_place_and_carried_to_a_far_one() -> None:
    dice = np.random.default_rng(3)
    for piece in (one for one in PIECES if one.size in (3, 5)):
        player, shape = Player(), piece.orientations[0]
        across, down = dice.uniform(3, 11, 2).tolist()
        player.do(PutPiece(PiecePlace(0, piece.name, shape, across, down)))
        near = PiecePlace(0, piece.name, shape, across + 1.0, down - 0.5, 10.0)
        assert all(hand.holding is None for hand in paths(player, ShiftPiece(near)))
        shown = player.shown(piece.name)
        assert dist((shown.across, shown.down), (across + 1.0, down - 0.5)) < 0.15
        far = PiecePlace(0, piece.name, shape, across - 2.0, down)
        assert any(hand.holding is not None for hand in paths(player, ShiftPiece(far)))
        assert player.shown(piece.name).across == pytest.approx(across - 2.0, abs=0.15)


def test_a_piece_that_is_turned_or_flipped_is_carried(player: Player) -> None:
    player.do(PutPiece(place()))
    shape = ((0, 0), (0, 1), (0, 2), (1, 0))
    assert any(
        hand.holding for hand in paths(player, ShiftPiece(PiecePlace(0, "L4", shape, 5.0, 6.0)))
    )
    assert player.shown().shape == shape


def test_eight_gestures_wait_and_no_more(player: Player) -> None:
    names = [piece.name for piece in PIECES]
    shapes = {piece.name: piece.orientations[0] for piece in PIECES}
    gestures = [PutPiece(PiecePlace(0, name, shapes[name], 7.0, 7.0)) for name in names]
    assert [player.hand.perform(one) for one in gestures[:8]] == [None] * 8
    assert player.hand.perform(gestures[8]) is RefusalReason.BUSY
    assert player.hand.perform(UseProp(Prop.CUP)) is None, "props need no hand"
    assert len(player.hand.entry().moving) == 8
    player.step()
    assert player.hand.perform(gestures[8]) is None, "the first one is on its way"
    for _ in range(9):
        player.wait()
    assert [one.move.piece.name for one in player.table.scene.pieces] == names[:9]


def test_one_hand_at_a_time_is_over_the_table(player: Player) -> None:
    other = Hand(0.0, 0.0, 1)
    player.table.move_hand(other)
    assert player.hand.perform(PutPiece(place())) is None
    for _ in range(50):
        player.step()
        assert player.table.scene.hand == other
    player.table.move_hand(None)
    player.wait()
    player.piece()


def test_a_hand_that_was_left_is_taken_away_by_the_next_gesture(player: Player) -> None:
    player.do(UseProp(Prop.HAND))
    for _ in range(50):
        player.step()
        assert player.table.scene.hand is not None
    player.do(PutPiece(place()))
    player.step()
    assert player.hand.entry().props == ()
    assert player.table.scene.hand is None
    player.piece()


def test_a_hand_is_left_after_the_gestures_that_go_on(player: Player) -> None:
    assert player.hand.perform(PutPiece(place())) is None
    player.step()
    player.do(UseProp(Prop.HAND))
    player.piece()
    player.step()
    assert player.table.scene.hand is not None
    assert player.table.scene.hand.holding is None


@pytest.mark.parametrize("prop", Prop)
def test_every_prop_is_used_and_removed_while_a_hand_moves(player: Player, prop: Prop) -> None:
    player.do(PutPiece(place(9, 9, colour=1)))
    for n in range(12):
        gesture = (PutPiece(place()), ShiftPiece(place(9, 4)), lift())[n % 3]
        assert player.hand.perform(gesture) is None
        for _ in range(n):
            player.step()
        assert player.hand.perform(UseProp(prop)) is None
        player.step()
        assert player.hand.perform(UseProp(prop, on=False)) is None
        player.wait()
    assert player.hand.entry().props == ()
    assert player.table.scene.hand is None


def test_a_gesture_that_has_become_impossible_is_dropped(player: Player) -> None:
    """Somebody else may move a shared piece between the gesture and the hand."""
    move = Board.of(14).move(0)
    piece = TablePiece(0, move)
    one = at(move, 0)
    assert player.hand.perform(PutPiece(place(colour=1))) is None
    assert player.hand.perform(PutPiece(one)) is None
    player.table.lay(piece)
    for _ in range(2):
        player.wait()
    assert player.piece(move.piece.name) == piece
    assert player.hand.perform(ShiftPiece(place(9, 9, colour=1))) is None
    assert player.hand.perform(LiftPiece(0, move.piece.name)) is None
    player.table.lift(0, move.piece)
    for _ in range(2):
        player.wait()
    player.do(PutPiece(one))


def test_a_hand_that_is_taken_from_the_table_loses_no_piece(player: Player) -> None:
    """New people at the table begin with no hand above it."""
    for gesture in (PutPiece(place()), ShiftPiece(place(11, 11)), lift()):
        assert player.hand.perform(gesture) is None
        while player.hand.entry().moving:
            player.step()
            player.table.move_hand(None)
        player.wait()
    assert player.table.scene.pieces == ()


def test_the_view_maps_squares_to_the_picture(player: Player) -> None:
    for gesture in (None, UseProp(Prop.CAMERA), UseProp(Prop.BOARD)):
        if gesture is not None:
            player.do(gesture)
        view = np.array(player.hand.entry().view).reshape(3, 3)
        pose = camera_pose(player.table.scene)
        for square in (0, 13, 60, 182, 195):
            row, column = divmod(square, 14)
            x, y, w = view @ (column + 0.5, row + 0.5, 1.0)
            expected = pose.project(np.array([*square_mm(14, square), 0.0]))
            assert (x / w * pose.width, y / w * pose.height) == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_ten_thousand_random_gestures_break_nothing() -> None:
    dice = np.random.default_rng(7)
    for key in ("duo", "classic-3"):
        player = Player(key)
        size = GAMES[key].size
        done = 0
        for _ in range(5000):
            piece = PIECES[dice.integers(len(PIECES))]
            colour = int(dice.integers(len(GAMES[key].colours)))
            shape = piece.orientations[dice.integers(len(piece.orientations))]
            across, down = dice.uniform(-1, size + 1, 2).tolist()
            angle = float(dice.uniform(-45, 45))
            somewhere = PiecePlace(colour, piece.name, shape, across, down, angle)
            kinds = (
                PutPiece(somewhere),
                ShiftPiece(somewhere),
                LiftPiece(colour, piece.name),
                UseProp(list(Prop)[dice.integers(len(Prop))], on=bool(dice.integers(2))),
            )
            refused = player.hand.perform(kinds[dice.integers(4)])
            done += refused is None
            assert refused in (None, NOT_FITTING, NOT_POSSIBLE, RefusalReason.BUSY)
            player.hand.step(player.now_s)
            player.now_s += 0.3
            if not _ % 50:
                player.step()
        assert done > 2000
        for placed in player.table.scene.pieces:
            assert hypot(*placed.middle_mm) < 2 * size * CELL_MM
        assert json.loads(player.hand.entry().to_json())


def test_only_pieces_of_the_puzzle_are_in_hand() -> None:
    player = Player("puzzle-tetrominoes")
    assert {len(shape.squares) for shape in player.hand.entry().shapes} == {4}
    assert len(player.hand.entry().shapes) == 5
    place = PiecePlace(0, "1", ((0, 0),), 4.5, 14.5)
    assert player.hand.perform(PutPiece(place)) is NOT_FITTING
