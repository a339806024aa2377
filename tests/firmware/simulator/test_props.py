"""Props: each one does what its name says, can be removed, and leaves the table usable."""

from dataclasses import replace

import pytest

from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from firmware.simulator.props import Props
from firmware.simulator.table import Hand, TablePiece, VirtualTable
from web.contract import Prop

STAYING = (Prop.CUP, Prop.DIM, Prop.LAMP, Prop.GLARE, Prop.HAND)
ONCE = (Prop.CAMERA, Prop.BOARD, Prop.NUDGE)
FIRST = TablePiece(0, Move.parse("e10,e9,d9", 14))
SECOND = TablePiece(1, Move.parse("j5,j6", 14))


@pytest.fixture
def table() -> VirtualTable:
    table = VirtualTable(GAMES["duo"])
    table.lay(FIRST)
    table.lay(SECOND)
    return table


@pytest.fixture
def props(table: VirtualTable) -> Props:
    return Props(table)


def test_every_prop_stays_or_happens_once() -> None:
    assert set(STAYING) | set(ONCE) == set(Prop)


@pytest.mark.parametrize("prop", Prop)
def test_a_prop_changes_the_table(table: VirtualTable, props: Props, prop: Prop) -> None:
    before = table.scene
    props.use(prop)
    assert table.scene != before
    assert props.active == ((prop,) if prop in STAYING else ())


@pytest.mark.parametrize("prop", STAYING)
def test_a_prop_that_stays_is_removed(table: VirtualTable, props: Props, prop: Prop) -> None:
    before = table.scene
    for _ in range(3):
        props.use(prop)
        props.use(prop)
        assert list(props.active) == [prop]
        props.use(prop, on=False)
        props.use(prop, on=False)
        assert not props.active
        assert table.scene == before


@pytest.mark.parametrize("prop", ONCE)
def test_what_happens_once_cannot_be_removed(table: VirtualTable, props: Props, prop: Prop) -> None:
    before = table.scene
    props.use(prop, on=False)
    assert table.scene == before


def test_all_props_together_go_in_any_order(table: VirtualTable, props: Props) -> None:
    before = table.scene
    for prop in STAYING:
        props.use(prop)
    assert props.active == STAYING
    lamp = table.scene.lamp
    assert lamp.glare
    assert lamp.brightness < 0.5
    assert lamp.azimuth_deg != before.lamp.azimuth_deg
    for prop in (Prop.LAMP, Prop.CUP, Prop.HAND, Prop.DIM, Prop.GLARE):
        props.use(prop, on=False)
    assert table.scene == before


@pytest.mark.parametrize(("prop", "stand"), [(Prop.CAMERA, "camera"), (Prop.BOARD, "board")])
def test_bumps_go_one_way_and_back(
    table: VirtualTable, props: Props, prop: Prop, stand: str
) -> None:
    places = [getattr(table.scene, stand)]
    for _ in range(6):
        props.use(prop)
        places.append(getattr(table.scene, stand))
    assert places[0] != places[1]
    assert places[::2] == [places[0]] * 4
    assert places[1::2] == [places[1]] * 3


def test_the_piece_before_the_newest_is_nudged(table: VirtualTable, props: Props) -> None:
    props.use(Prop.NUDGE)
    pushed, second = table.scene.pieces
    assert second == SECOND
    assert pushed.move is FIRST.move
    assert set(pushed.squares()) != set(FIRST.squares())


def test_nudges_without_end_push_no_piece_away(table: VirtualTable, props: Props) -> None:
    for _ in range(1000):
        props.use(Prop.NUDGE)
        x_mm, y_mm = table.scene.pieces[0].middle_mm
        assert max(abs(x_mm), abs(y_mm)) < 14 * 16 / 2
        assert abs(table.scene.pieces[0].angle_deg) <= 45


def test_on_an_empty_board_nothing_is_nudged() -> None:
    table = VirtualTable(GAMES["duo"])
    Props(table).use(Prop.NUDGE)
    assert table.scene.pieces == ()


def test_a_hand_is_left_once_the_other_hand_has_gone(table: VirtualTable, props: Props) -> None:
    busy = Hand(0.0, 0.0, 1)
    table.move_hand(busy)
    props.use(Prop.HAND)
    props.leave_hand()
    assert table.scene.hand == busy, "one hand at a time"
    table.move_hand(None)
    props.leave_hand()
    assert table.scene.hand is not None
    props.take_hand()
    assert table.scene.hand is None
    assert props.active == ()
    props.leave_hand()
    assert table.scene.hand is None


@pytest.mark.parametrize("holding", [None, replace(SECOND, move=Move.parse("a1", 14))])
def test_only_the_hand_that_was_left_is_taken_away(
    table: VirtualTable, props: Props, holding: TablePiece | None
) -> None:
    props.use(Prop.HAND)
    other = Hand(5.0, 5.0, 1, holding)
    table.move_hand(other)
    props.use(Prop.HAND, on=False)
    assert table.scene.hand == other
