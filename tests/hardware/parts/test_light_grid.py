"""The light grid, measured through its four assembled quarters."""

import numpy as np
import pytest

from hardware.parts.mesh import Triangles
from hardware.parts.placement import SQUARES, assembly
from tests.support.solids import hollow_along, lengths, middles, solid_along

PITCH = 50 / 3
BASE = 4.0
both_games = pytest.mark.parametrize("game", list(SQUARES))


def quarters(game: str) -> list[Triangles]:
    """Returns the triangles of the four quarters in their places."""
    return [
        one.placed
        for one in assembly("glowing_board", game, "module-3")
        if one.name.startswith("light-grid")
    ]


@both_games
@pytest.mark.parametrize("axis", [0, 1])
def test_walls_stand_at_the_pitch_through_the_whole_board(game: str, axis: int) -> None:
    grid, squares = np.concatenate(quarters(game)), SQUARES[game]
    half = squares * PITCH / 2
    for line in (0, squares // 2 - 1, squares // 2, squares - 1):
        origin = [half - (line + 0.47) * PITCH] * 3
        origin[2] = BASE + 8.03
        walls = solid_along(grid, (origin[0], origin[1], origin[2]), axis)
        assert middles(walls) == pytest.approx(
            [k * PITCH - half for k in range(squares + 1)], abs=0.01
        )
        assert lengths(walls) == pytest.approx([1.2] * (squares + 1), abs=0.01)


@both_games
def test_a_strip_of_10_by_3_lies_in_the_notches_of_every_row(game: str) -> None:
    grid, squares = np.concatenate(quarters(game)), SQUARES[game]
    for row in range(squares):
        y = squares * PITCH / 2 - (row + 0.5) * PITCH
        for beside in (-5.03, 0.03, 5.03):
            assert solid_along(grid, (0, y + beside, BASE + 3.03), 0) == []


@both_games
def test_no_light_goes_below_the_walls_between_rows(game: str) -> None:
    grid, squares = np.concatenate(quarters(game)), SQUARES[game]
    for column in range(squares):
        x = squares * PITCH / 2 - (column + 0.47) * PITCH
        walls = solid_along(grid, (x, 0, BASE + 0.53), 1)
        assert len(walls) == squares + 1


@both_games
def test_dovetails_hold_the_quarters_with_a_gap_and_do_not_touch(game: str) -> None:
    first, _, second, _ = quarters(game)
    count = SQUARES[game] // 2
    for joint in (2, count - 2):
        y = joint * PITCH
        for depth in (-0.53, -1.53, -2.33):
            socket = hollow_along(first, (depth, 0, BASE + 6.03), 1)
            around = next(gap for gap in socket if gap[0] < y < gap[1])
            inside = solid_along(second, (depth, 0, BASE + 6.03), 1)
            tail = next(one for one in inside if one[0] < y < one[1])
            gaps = (tail[0] - around[0], around[1] - tail[1])
            assert gaps == pytest.approx((0.215, 0.215), abs=0.01)


@both_games
def test_a_dovetail_cannot_be_pulled_out(game: str) -> None:
    first, _, second, _ = quarters(game)
    y = 2 * PITCH
    mouth = next(
        gap for gap in hollow_along(first, (0.57, 0, BASE + 6.03), 1) if gap[0] < y < gap[1]
    )
    head = next(
        one for one in solid_along(second, (-2.33, 0, BASE + 6.03), 1) if one[0] < y < one[1]
    )
    assert head[1] - head[0] > mouth[1] - mouth[0] + 1
