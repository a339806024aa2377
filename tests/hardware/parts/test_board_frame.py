"""The frame, measured as assembled: opal top, screws, joints, seats of the markers."""

import numpy as np
import pytest

from firmware.cameras.mounting import BoardSize
from firmware.printing.marker_layout import MarkerLayout
from hardware.parts.catalogue import PARTS, triangles_of
from hardware.parts.mesh import Triangles, bounds
from hardware.parts.placement import SQUARES, assembly
from tests.support.solids import hollow_along, lengths, read_dxf, solid_along

BASE, FLOOR = 4.0, 19.0
both_games = pytest.mark.parametrize("game", list(SQUARES))


def placed(game: str, name: str) -> list[Triangles]:
    parts = assembly("glowing_board", game, "module-3")
    return [one.placed for one in parts if one.name == name]


@both_games
def test_the_opal_top_lies_in_the_frame_level_with_its_deck(game: str) -> None:
    frame = np.concatenate(placed(game, f"frame-corner-{game}"))
    (opal,) = placed(game, f"opal-{game}")
    for axis, line in ((0, (0, 31.03, FLOOR - 1.03)), (1, (31.03, 0, FLOOR - 1.03))):
        opening = max(lengths(hollow_along(frame, line, axis)))
        (sheet,) = lengths(solid_along(opal, line, axis))
        assert opening - sheet == pytest.approx(1.0, abs=0.02)
    assert bounds(frame)[1][2] == pytest.approx(FLOOR)
    assert bounds(opal)[1][2] == pytest.approx(FLOOR)


@both_games
def test_the_opal_top_lies_on_the_walls_of_the_grid(game: str) -> None:
    grid = np.concatenate(
        [*placed(game, f"light-grid-{game}-a"), *placed(game, f"light-grid-{game}-b")]
    )
    (opal,) = placed(game, f"opal-{game}")
    assert bounds(grid)[1][2] == pytest.approx(bounds(opal)[0][2], abs=1e-3)
    assert (bounds(opal)[1][:2] > bounds(grid)[1][:2] + 1).all()


@both_games
def test_screws_of_the_base_plate_meet_the_posts(game: str) -> None:
    frame = np.concatenate(placed(game, f"frame-corner-{game}"))
    circles = [one for one in read_dxf(PARTS[f"base-{game}"].file(".dxf")) if one.kind == "CIRCLE"]
    assert len(circles) == 12
    for circle in circles:
        x, y = circle.points[0]
        (deck,) = solid_along(frame, (x + 0.03, y + 0.04, 0), 2)
        assert deck[0] == pytest.approx(BASE + 10, abs=0.01)
        (post,) = solid_along(frame, (x + 2.03, y + 2.04, 0), 2)
        assert post == pytest.approx((BASE, FLOOR), abs=0.01)


@both_games
def test_dovetails_hold_the_corners_with_a_gap(game: str) -> None:
    corners = placed(game, f"frame-corner-{game}")
    half = bounds(corners[0])[1][1]
    for depth in (1.03, 4.03, 7.03):
        line = (depth, 0, BASE + 9.03)
        (tail,) = [one for one in solid_along(corners[0], line, 1) if one[0] > 0]
        others = hollow_along(corners[3], line, 1)
        socket = next(one for one in others if one[0] < tail[0] and tail[1] < one[1])
        gaps = (tail[0] - socket[0], socket[1] - tail[1])
        assert gaps == pytest.approx((0.206, 0.206), abs=0.01)
    assert half == pytest.approx(SQUARES[game] * 25 / 3 + 30, abs=0.01)


@both_games
def test_cards_of_the_markers_lie_where_the_printed_sheet_says(game: str) -> None:
    """On seats that are level with the squares, so that the camera sees no shift."""
    layout = MarkerLayout(BoardSize(SQUARES[game], 50 / 3, 30.0))
    seats = placed(game, "marker-seat")
    assert len(seats) == 4
    for x, y in layout.centres:
        (seat,) = [one for one in seats if inside(one, x, -y)]
        assert bounds(seat)[1][2] == pytest.approx(FLOOR)
        assert bounds(seat)[0][2] == pytest.approx(0)
        for axis in (0, 1):
            grooves = hollow_along(seat, (x + 0.33, -y + 0.34, FLOOR - 0.21), axis)
            card = (grooves[-2][1], grooves[-1][0])
            assert sum(card) / 2 == pytest.approx((x, -y)[axis], abs=0.01)
            assert card[1] - card[0] == pytest.approx(layout.card_mm, abs=0.01)


def inside(triangles: Triangles, x: float, y: float) -> bool:
    least, most = bounds(triangles)
    return bool(least[0] < x < most[0] and least[1] < y < most[1])


def test_a_seat_cannot_be_pulled_out_of_the_frame() -> None:
    seat, corner = triangles_of("marker-seat"), triangles_of("frame-corner-duo")
    (head,) = lengths(solid_along(seat, (5.93, 0, 10.03), 1))
    half = bounds(corner)[0][0]
    mouth = lengths(hollow_along(corner, (half + 0.07, 0, 10.03), 1))
    assert min(mouth) < head - 2
