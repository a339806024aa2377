"""The sheets that measure bought pieces, measured: slots of five squares."""

import pytest

from hardware.parts.catalogue import triangles_of
from hardware.parts.mesh import Triangles
from tests.support.solids import hollow_along, lengths, middles, solid_along

PITCHES = {
    "small": (13.0, 13.5, 14.0, 14.5, 15.0, 15.5, 16.0, 16.5),
    "large": (16.67, 17.0, 17.5, 18.0, 18.5, 19.0, 19.5, 20.0),
}
both_sheets = pytest.mark.parametrize("name", list(PITCHES))


def slots(sheet: Triangles) -> list[tuple[float, float]]:
    """Returns width and length of each slot."""
    across = hollow_along(sheet, (0, 20.03, 1.03), 0)
    return [
        (width, max(lengths(hollow_along(sheet, (middle + 0.03, 0, 1.03), 1))))
        for middle, width in zip(middles(across), lengths(across), strict=True)
    ]


@both_sheets
def test_each_slot_is_five_squares_long_and_one_wide(name: str) -> None:
    found = slots(triangles_of(f"pitch-sheet-{name}"))
    for (width, long), pitch in zip(found, PITCHES[name], strict=True):
        assert width == pytest.approx(pitch + 0.2, abs=0.01)
        assert long == pytest.approx(5 * pitch + 0.2, abs=0.01)


@pytest.mark.parametrize("pitch", [13.0, 14.0, 16.0, 18.0, 20.0])
def test_a_straight_piece_falls_into_the_slot_of_its_pitch_and_not_into_the_one_before(
    pitch: float,
) -> None:
    piece = (pitch - 0.4, 5 * pitch - 0.4)
    both = [*slots(triangles_of("pitch-sheet-small")), *slots(triangles_of("pitch-sheet-large"))]
    fitting = [width - 0.2 for width, long in both if width > piece[0] and long > piece[1]]
    assert min(fitting) == pytest.approx(pitch, abs=0.01)


@both_sheets
def test_numbers_are_engraved_and_do_not_go_through(name: str) -> None:
    sheet = triangles_of(f"pitch-sheet-{name}")
    grooves = hollow_along(sheet, (0, 6.47, 2.13), 0)
    assert len(grooves) >= len(PITCHES[name])
    for middle in middles(grooves):
        (below,) = solid_along(sheet, (middle + 0.011, 6.513, 0), 2)
        assert below == pytest.approx((0, 1.8), abs=0.01)
