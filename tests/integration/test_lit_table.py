"""Lights at a whole table: a failed strip ends no game, and a shown number pairs a phone."""

from itertools import count
from pathlib import Path
from uuid import uuid4

import pytest

from firmware.codes import LightPlace
from firmware.game.config import GameConfig
from firmware.lights.digit_font import Symbol, bars, shape
from firmware.lights.scene import room_for_digits
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.session.command_gate import SHOW_AGAIN_S, SHOWN_S, CommandGate
from firmware.session.pairing import Pairing
from firmware.storage.camera_memory import StoredCamera
from tests.support.fake_table import STEP_S, FakeLedStrip, FakeTable, house, lit_in
from tests.support.noisy_board import FIRST, SECOND, THIRD
from web.contract import Choose, NewGame, PairRequest, RefusalReason

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"))


def lay_and_look(table: FakeTable, colour: str, move: str) -> None:
    """Lays a piece, and reads frames until the camera's buffers have no lit frame."""
    table.lay(colour, move)
    table.look(12)


def lit_again(table: FakeTable, bulbs: FakeLedStrip) -> None:
    """Waits until the lights are on after a dark frame."""
    for _ in range(12):
        if bulbs.on:
            return
        table.look(1)
    raise AssertionError("the lights stay out")


def test_a_strip_that_fails_ends_no_game_and_is_reported_until_it_works(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        lay_and_look(table, "purple", FIRST)
        lit_again(table, bulbs)
        assert table.page.lights
        bulbs.broken = "the wire is loose"
        lay_and_look(table, "orange", SECOND)
        assert table.state.piece_count == 2
        assert not table.page.lights
        assert caplog.text.count("the wire is loose") == 1
        assert table.asks(PairRequest(uuid4().hex, "")) == [RefusalReason.NOT_POSSIBLE]
        bulbs.broken = ""
        table.look(12)
        assert table.page.lights
        assert "work again" in caplog.text
        bulbs.broken = "the wire is loose"


def test_a_piece_on_a_light_that_nobody_can_put_out_is_for_a_person_to_confirm(
    tmp_path: Path,
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        lay_and_look(table, "purple", FIRST)
        lit_again(table, bulbs)
        bulbs.broken = "the wire is loose"
        lay_and_look(table, "orange", SECOND)
        assert table.table_factory.lights is not None
        assert table.table_factory.lights.stuck >= bulbs.on > frozenset()
        lay_and_look(table, "purple", THIRD)
        meant = Move.parse(THIRD, 14)
        choice = [one.move for one in table.state.candidates].index(meant)
        assert table.asks(Choose(choice)) == [None]
        assert table.state.history[-1].move == meant


def test_a_new_game_begins_although_the_strip_fails(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        table.look(2)
        bulbs.broken = "the wire is loose"
        assert table.asks(NewGame()) == [None]
        lay_and_look(table, "purple", FIRST)
        assert table.state.piece_count == 1
        assert table.feed.pages[-1].lights is False
        bulbs.broken = ""
        table.look(30)
        assert table.feed.pages[-1].lights is True


def test_a_number_on_the_board_pairs_the_phone_that_types_it(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        room = room_for_digits(table.state.position)
        assert room is not None
        first = len(bulbs.frames)
        table.wall_s = count(0, STEP_S)  # like the camera, or lights would be dark for too long
        assert table.asks(PairRequest(uuid4().hex, "")) == [None]
        table.look(280)
        number = read_off([lit_in(frame) for frame in bulbs.frames[first:]], room)
        assert table.asks(PairRequest(uuid4().hex, number)) == [None]
        assert table.pairing.knows(table.feed.answers[0].token)


def read_off(frames: list[frozenset[int]], room: tuple[int, int]) -> str:
    """Returns the number that the lights show by bars, dots and digits."""

    def squares(symbol: Symbol) -> frozenset[int]:
        return frozenset((room[0] + row) * 14 + room[1] + column for row, column in symbol)

    headings = {squares(bars(group)): group for group in range(3)}
    digits = {squares(shape(d, place)): (place, d) for d in "0123456789" for place in range(4)}
    group, read = None, {}
    for one in frames:
        group = headings.get(one, group)
        if one in digits and group is not None:
            place, digit = digits[one]
            read[group, place] = digit
    return "".join(read[group, place] for group in range(3) for place in range(4))


def test_a_held_button_of_somebody_who_is_not_to_move_shows_a_number_at_once(
    tmp_path: Path,
) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        room = room_for_digits(table.state.position)
        assert room is not None
        assert table.asks(PairRequest(uuid4().hex, "")) == [None]
        table.look(int(SHOWN_S) + 1)
        assert table.asks(PairRequest(uuid4().hex, "")) == [RefusalReason.WAIT]
        first = len(bulbs.frames)
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(1, held=True)
        table.look(140)
        number = read_off([lit_in(frame) for frame in bulbs.frames[first:]], room)
        assert table.asks(PairRequest(uuid4().hex, number)) == [None]


def test_a_short_press_of_somebody_who_is_not_to_move_shows_nothing(tmp_path: Path) -> None:
    with house(tmp_path, DUO, FakeLedStrip()) as table:
        assert table.table_factory.buttons is not None
        table.table_factory.buttons.press(1)
        table.look(3)
        assert table.pairing.phones(float(next(table.wall_s))).numbers == ()


def test_a_number_is_shown_for_a_while_and_not_again_soon(tmp_path: Path) -> None:
    desk = CommandGate(Pairing(tmp_path / "paired.json"))
    assert desk.answer_pairing(PairRequest("a" * 32, ""), 10.0, can_show=True).refused is None
    assert len(desk.shown_code(10.0)) == 12
    assert desk.shown_code(10.0 + SHOWN_S) == ""
    soon = desk.answer_pairing(PairRequest("b" * 32, ""), 11.0, can_show=True)
    assert (soon.refused, soon.wait_s) == (RefusalReason.WAIT, SHOW_AGAIN_S - 1)
    now = 10.0 + SHOW_AGAIN_S
    assert desk.answer_pairing(PairRequest("c" * 32, ""), now, can_show=True).refused is None
    again = desk.answer_pairing(PairRequest("d" * 32, ""), now + SHOW_AGAIN_S, can_show=True)
    assert again.wait_s == SHOW_AGAIN_S, "twice as long after one that nobody typed"
    assert desk.answer_pairing(
        PairRequest("e" * 32, desk.shown_code(now)), now, can_show=True
    ).token
    assert (
        desk.answer_pairing(PairRequest("f" * 32, ""), now + SHOW_AGAIN_S, can_show=True).refused
        is None
    )


def test_a_number_that_has_paired_a_phone_goes_out(tmp_path: Path) -> None:
    desk = CommandGate(Pairing(tmp_path / "paired.json"))
    desk.answer_pairing(PairRequest("a" * 32, ""), 0.0, can_show=True)
    assert desk.answer_pairing(
        PairRequest("b" * 32, desk.shown_code(1.0)), 1.0, can_show=True
    ).token
    assert desk.shown_code(1.0) == ""


def test_without_lights_or_room_no_number_is_drawn(tmp_path: Path) -> None:
    desk = CommandGate(Pairing(tmp_path / "paired.json"))
    assert (
        desk.answer_pairing(PairRequest("a" * 32, ""), 0.0, can_show=False).refused
        is RefusalReason.NOT_POSSIBLE
    )
    assert desk.shown_code(0.0) == ""


def test_a_panel_beside_the_board_is_lit_while_a_hand_lays_a_piece(tmp_path: Path) -> None:
    bulbs = FakeLedStrip(LightPlace.BESIDE)
    with house(tmp_path, DUO, bulbs) as table:
        table.look(4)
        for colour, move in (("purple", FIRST), ("orange", SECOND), ("purple", THIRD)):
            before = len(bulbs.frames)
            table.lay(colour, move)
            table.look(4)
            assert all(map(lit_in, bulbs.frames[before:])), "it is never dark"
        assert table.state.piece_count == 3
        bulbs.broken = "the wire is loose"
        table.look(6)
        assert table.table_factory.lights is not None
        assert not table.table_factory.lights.stuck, "no square is masked"


def test_a_panel_that_lights_the_board_is_dark_while_it_is_judged(tmp_path: Path) -> None:
    bulbs = FakeLedStrip(LightPlace.BESIDE)
    with house(tmp_path, DUO, bulbs) as table:
        table.cameras.change("", (1280, 960), lambda _: StoredCamera(lights_board=True))
        table.look(4)
        before = len(bulbs.frames)
        lay_and_look(table, "purple", FIRST)
        assert table.state.piece_count == 1
        assert not all(map(lit_in, bulbs.frames[before:]))


def test_a_panel_shows_a_number_though_the_board_is_full(tmp_path: Path) -> None:
    position = Position.start("duo")
    while (colour := position.to_move) is not None:
        position = position.play(max(position.legal_moves, key=lambda move: move.mask.bit_count()))
        if room_for_digits(position) is None:
            break
    assert colour is not None
    assert room_for_digits(position, beside=True) is not None
