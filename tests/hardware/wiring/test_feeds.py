"""Power enters at both ends and where lines begin, nowhere too far apart."""

from itertools import pairwise

import pytest

from firmware.codes import ChainDirection
from firmware.errors import SettingsError
from firmware.lights.led_layout import LedLayout
from hardware.wiring.builds import BUILDS
from hardware.wiring.feeds import feeds_of, line_length, pieces_of

BOARD, PANEL = BUILDS["glowing_board"], BUILDS["club_table"]


@pytest.mark.parametrize(
    ("layout", "leds"),
    [
        (LedLayout(14, 14), [0, 98, 195]),
        (LedLayout(20, 20), [0, 100, 200, 300, 399]),
        (LedLayout(9, 9), [0, 80]),
    ],
)
def test_strip_is_fed_at_both_ends_and_every_hundred_leds(
    layout: LedLayout, leds: list[int]
) -> None:
    assert [feed.led for feed in feeds_of(layout, BOARD)] == leds


def test_panels_are_fed_by_their_leads() -> None:
    assert [feed.led for feed in feeds_of(LedLayout(16, 16), PANEL)] == [0, 128, 255]
    three = LedLayout(32, 24, along=ChainDirection.COLUMNS, panels_down=3)
    feeds = feeds_of(three, PANEL)
    assert [feed.led for feed in feeds] == [0, 128, 256, 384, 512, 640, 767]
    assert [piece.start for piece in pieces_of(three, PANEL)] == [0, 256, 512]


@pytest.mark.parametrize("columns", range(1, 33))
@pytest.mark.parametrize("rows", [1, 5, 14, 20, 32])
def test_no_led_is_far_from_power_and_no_wire_enters_within_a_line(columns: int, rows: int) -> None:
    layout = LedLayout(columns, rows)
    try:
        leds = [feed.led for feed in feeds_of(layout, BOARD)]
    except SettingsError:
        assert layout.length > BOARD.most_between * (BOARD.most_feeds - 1) * 0.6
        return
    assert leds[0] == 0
    assert leds[-1] == layout.length - 1
    assert max((b - a for a, b in pairwise(leds)), default=0) <= 100
    assert all(led % line_length(layout) == 0 for led in leds[:-1])


def test_more_leds_than_there_are_clamps_for_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"^1024 LEDs need power at 12 places, .* has 5; use"):
        feeds_of(LedLayout(32, 32), BOARD)
