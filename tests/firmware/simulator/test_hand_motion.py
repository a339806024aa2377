"""Motions of a hand: beats in time, and the piece that the hand brings, moves and takes."""

from collections.abc import Iterator

import numpy as np
import pytest

from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from firmware.simulator.hand_motion import Beat, BeatPlayer, HandMotion, home_of
from firmware.simulator.table import TablePiece, VirtualTable

PLACED = TablePiece(0, Move.parse("e10,e9,d9", 14), dx_mm=2.0, angle_deg=3.0)


def played(script: Iterator[Beat], step_s: float = 0.01) -> float:
    """Plays a script to its end; returns its seconds."""
    player = BeatPlayer()
    player.begin(script, 0.0)
    now_s = 0.0
    while True:
        player.step(now_s)
        if player.is_idle:
            return now_s
        now_s += step_s


@pytest.fixture
def table() -> VirtualTable:
    return VirtualTable(GAMES["duo"])


@pytest.fixture
def motion(table: VirtualTable) -> HandMotion:
    return HandMotion(table, np.random.default_rng(1), 0.2)


def test_beats_are_played_in_time_and_at_once_if_time_has_jumped() -> None:
    seen: list[tuple[str, float]] = []
    script = [Beat(1.0, lambda part: seen.append(("a", part))), Beat(0.5)]
    script += [Beat(0.0, lambda part: seen.append(("b", part)))]
    player = BeatPlayer()
    assert player.is_idle
    player.begin(iter(script), 10.0)
    assert not player.is_idle
    for now_s in (10.0, 10.25, 11.4):
        player.step(now_s)
    assert seen == [("a", 0.0), ("a", 0.25), ("a", 1.0)]
    player.step(11.5)
    assert seen[3:] == [("b", 1.0)]
    assert player.is_idle
    seen.clear()
    player.begin(iter(script), 20.0)
    player.step(99.0)
    assert seen == [("a", 1.0), ("b", 1.0)]


def test_a_new_script_replaces_the_one_that_is_played() -> None:
    seen: list[float] = []
    player = BeatPlayer()
    player.begin(iter([Beat(5.0, seen.append)]), 0.0)
    player.step(1.0)
    player.begin(iter([Beat(0.0)]), 1.0)
    player.step(9.0)
    assert seen == [0.2]
    assert player.is_idle


def test_a_piece_is_taken_back_by_a_hand(table: VirtualTable, motion: HandMotion) -> None:
    table.lay(PLACED)
    held = False
    script = motion.take_back(3, PLACED)
    player = BeatPlayer()
    player.begin(script, 0.0)
    for tick in range(200):
        player.step(tick * 0.01)
        hand = table.scene.hand
        held = held or (hand is not None and hand.holding is PLACED)
        on_board = PLACED in table.scene.pieces
        in_tray = PLACED.move.piece in table.scene.trays[0]
        in_hand = hand is not None and hand.holding is not None
        assert on_board + in_tray + in_hand == 1, "a piece is at one place"
    assert held
    assert player.is_idle
    assert (table.scene.pieces, table.scene.hand) == ((), None)


def test_a_piece_is_slid_to_its_place(table: VirtualTable, motion: HandMotion) -> None:
    table.lay(PLACED)
    exact = TablePiece(0, PLACED.move)
    assert 0.3 < played(motion.slide(3, exact)) < 1.0
    assert (table.scene.pieces, table.scene.hand) == ((exact,), None)


@pytest.mark.parametrize("seat", range(4))
def test_a_hand_rests_beyond_the_edge_of_its_owner(seat: int) -> None:
    x_mm, y_mm = home_of(seat, PLACED)
    out_mm = 14 * 16 / 2 + 150
    assert (y_mm < -out_mm, x_mm > out_mm, y_mm > out_mm, x_mm < -out_mm)[seat]


def test_a_hand_glides_from_place_to_place(table: VirtualTable, motion: HandMotion) -> None:
    beat = motion.glide(1, (0.0, 0.0), (100.0, -50.0), PLACED)
    assert beat.act is not None
    seen = []
    for part in (0.0, 0.25, 0.5, 1.0):
        beat.act(part)
        hand = table.scene.hand
        assert hand is not None
        assert (hand.seat, hand.holding) == (1, PLACED)
        seen.append(hand.x_mm)
    assert seen == sorted(seen)
    assert (seen[0], seen[2], seen[3]) == (0.0, 50.0, 100.0)
