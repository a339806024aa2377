"""The square above each LED for every wiring, and the search for an unknown wiring."""

import random
from collections.abc import Callable

import pytest

from firmware.codes import ChainCorner, ChainDirection
from firmware.lights.layout_probe import LedProbe, find, wirings
from firmware.lights.led_layout import Layout, LedLayout
from firmware.rules.board import Board

PANELS = [(14, 196), (14, 256), (20, 400)]


@pytest.mark.parametrize("size", [14, 20])
def test_a_chain_of_one_led_a_square_has_every_square_once(size: int) -> None:
    for wiring in wirings(size, size * size):
        assert sorted(square or 0 for square in wiring.layout(size)) == list(range(size * size))


def test_a_chain_to_and_fro_turns_at_the_end_of_a_line() -> None:
    names = Board.of(14)
    cases: dict[tuple[ChainCorner, ChainDirection, bool], str] = {
        (ChainCorner.TOP_LEFT, ChainDirection.ROWS, True): "m14,n14,n13,m13",
        (ChainCorner.TOP_LEFT, ChainDirection.ROWS, False): "m14,n14,a13,b13",
        (ChainCorner.TOP_RIGHT, ChainDirection.ROWS, True): "b14,a14,a13,b13",
        (ChainCorner.BOTTOM_LEFT, ChainDirection.COLUMNS, True): "a13,a14,b14,b13",
        (ChainCorner.BOTTOM_RIGHT, ChainDirection.COLUMNS, False): "n13,n14,m1,m2",
    }
    for (first, along, serpentine), text in cases.items():
        layout = LedLayout(14, 14, first, along, serpentine).layout(14)
        assert list(layout[12:16]) == names.parse_squares(text)


def test_turning_and_mirroring_a_panel_is_one_of_the_wirings() -> None:
    board = Board.of(14)
    layouts = {wiring.layout(14) for wiring in wirings(14, 196)}
    for layout in list(layouts):
        for quarters in range(4):
            for mirrored in (False, True):
                turned: Layout = tuple(
                    board.turn(square or 0, quarters, mirrored=mirrored) for square in layout
                )
                assert turned in layouts


def test_a_larger_panel_lies_around_the_board() -> None:
    layout = LedLayout(16, 16, left=1, top=2).layout(14)
    assert layout.index(0) == 2 * 16 + 1
    assert sum(square is None for square in layout) == 256 - 196
    for left, top in ((3, 0), (0, 3), (-1, 0)):
        with pytest.raises(ValueError, match="14x14 does not lie over 16x16"):
            LedLayout(16, 16, left=left, top=top).layout(14)


@pytest.mark.parametrize(
    ("wiring", "size"),
    [
        (LedLayout(32, 32, left=6, top=6, panels_across=2, panels_down=2), 20),
        (LedLayout(32, 24, along=ChainDirection.COLUMNS, left=6, top=2, panels_down=3), 20),
        (LedLayout(16, 16, ChainCorner.BOTTOM_RIGHT, panels_across=2, panels_down=2), 14),
    ],
)
def test_several_panels_have_each_square_once(wiring: LedLayout, size: int) -> None:
    layout = wiring.layout(size)
    assert len(layout) == wiring.length
    assert sorted(square for square in layout if square is not None) == list(range(size**2))


def test_the_chain_takes_panels_row_by_row_each_wired_alike() -> None:
    # Three panels of 32 by 8, whose chains run down and up in columns of eight.
    wiring = LedLayout(32, 24, along=ChainDirection.COLUMNS, left=6, top=2, panels_down=3)
    layout = wiring.layout(20)
    second_panel, eighth_column = 32 * 8, 7 * 8
    # Its eighth column runs up: it begins in row 15 of all LEDs, which is row 13 of the board.
    assert layout[second_panel + eighth_column] == 13 * 20 + 1
    assert layout[second_panel + eighth_column + 7] == 6 * 20 + 1


def test_leds_that_are_no_whole_panels_are_refused() -> None:
    with pytest.raises(ValueError, match="20x20 LEDs are not 3 panels across"):
        LedLayout(20, 20, panels_across=3).layout(20)


def probing(layout: Layout, cut: int | None = None) -> tuple[LedProbe, Callable[[], int]]:
    lit: list[int] = []

    def probe(led: int) -> int | None:
        lit.append(led)
        return layout[led] if cut is None or led < cut else None

    return probe, lambda: len(lit)


@pytest.mark.parametrize(("size", "length"), PANELS)
def test_a_wiring_is_found_by_lighting_a_few_leds(size: int, length: int) -> None:
    chosen = random.Random(1).sample(wirings(size, length), 6)  # noqa: S311
    for wiring in chosen:
        probe, count = probing(wiring.layout(size))
        found = find(probe, size, length)
        assert found.wiring is not None
        assert found.wiring.layout(size) == wiring.layout(size)
        assert found.dark == ()
        assert count() <= 20


def test_a_cut_chain_is_found_and_its_dark_leds_named() -> None:
    wiring = LedLayout(14, 14, ChainCorner.BOTTOM_RIGHT)
    probe, _ = probing(wiring.layout(14), cut=150)
    found = find(probe, 14, 196)
    assert found.wiring is not None
    assert found.wiring.layout(14) == wiring.layout(14)
    assert found.dark
    assert min(found.dark) >= 150


def test_what_fits_no_wiring_is_not_made_to_fit() -> None:
    layout = list(LedLayout(14, 14).layout(14))
    random.Random(3).shuffle(layout)  # noqa: S311
    probe, _ = probing(tuple(layout))
    assert find(probe, 14, 196).wiring is None


def test_without_any_light_nothing_is_claimed() -> None:
    found = find(lambda led: None, 14, 196)
    assert found.wiring is None
    assert all(square is None for _, square in found.seen)
