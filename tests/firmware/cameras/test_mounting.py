"""Heights of cameras agree with what the set-up check measures in rendered pictures."""

import inspect

import pytest

from firmware.cameras.mounting import (
    MARGIN,
    MODELS,
    RASPBERRY_PI_PICTURES,
    USB_PICTURES,
    BoardSize,
    CameraModel,
    plan_mounting,
)
from firmware.cameras.raspberry_pi import RaspberryPiCamera
from firmware.cameras.usb import UsbCamera
from firmware.printing.marker_layout import MarkerLayout
from vision.setup.setup_check import check_setup
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import BoardLook, CameraPose, MarkerLook, TableLook

DUO, CLASSIC = BoardSize.usual(14), BoardSize.usual(20)

TOLERANCE = 0.03
"""Relative difference between planned and measured pixels a square: the check takes the smallest
square, of corners found within some hundredths of a square."""


@pytest.mark.parametrize(
    ("key", "cm", "px", "corner_deg"),
    [
        ("module-3", (38, 63), (64, 49), 25),
        ("module-3-wide", (21, 36), (64, 49), 39),
        ("module-2", (31, 52), (61, 47), 29),
        ("usb", (41, 69), (53, 41), 23),
        ("phone", (35, 58), (53, 41), 27),
    ],
)
def test_heights_for_pictures_of_the_whole_sensor(
    key: str, cm: tuple[int, int], px: tuple[int, int], corner_deg: float
) -> None:
    model = MODELS[key]
    plans = [plan_mounting(model, board, model.sensor) for board in (DUO, CLASSIC)]
    assert tuple(round(plan.height_mm / 10) for plan in plans) == cm
    assert tuple(round(plan.square_px) for plan in plans) == px
    for plan in plans:
        assert plan.corner_deg == pytest.approx(corner_deg, abs=0.7)


def test_plans_are_for_the_pictures_that_the_drivers_take() -> None:
    for driver, size in ((RaspberryPiCamera, RASPBERRY_PI_PICTURES), (UsbCamera, USB_PICTURES)):
        assert inspect.signature(driver).parameters["size"].default == size


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
@pytest.mark.parametrize("board", [DUO, CLASSIC, BoardSize(20, 40.0), BoardSize(14, 8.0, 0.0)])
def test_a_plan_shows_the_board_with_its_margin_and_not_the_mast(
    model: CameraModel, board: BoardSize
) -> None:
    plan = plan_mounting(model, board)
    assert min(plan.view_mm) == pytest.approx(board.outer_mm * (1 + MARGIN), rel=0.01)
    assert min(plan.view_mm) >= board.outer_mm * (1 + MARGIN)
    assert plan.warnings == ()
    # At the table the picture shows more than at the height of the squares.
    assert plan.arm_mm > plan.view_mm[1] / 2 * plan.mast_mm / plan.height_mm
    assert model.source


def test_a_plan_warns_below_12_pixels_a_square_and_of_a_board_that_is_not_whole() -> None:
    model = MODELS["usb"]
    limit = model.focal_px() * DUO.pitch_mm / 12
    assert plan_mounting(model, DUO, height_mm=limit - 1).warnings == ()
    [few] = plan_mounting(model, DUO, height_mm=limit + 1).warnings
    assert "12" in few
    [low] = plan_mounting(model, DUO, height_mm=300).warnings
    assert "42 cm" in low
    assert plan_mounting(model, DUO, (160, 120)).warnings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "board"),
    [
        ("module-3", DUO),
        ("module-3-wide", DUO),
        ("module-2", CLASSIC),
        ("usb", CLASSIC),
        ("phone", DUO),
        ("gs-6mm", BoardSize(14, 20.0)),
    ],
)
def test_the_set_up_check_measures_what_was_planned(key: str, board: BoardSize) -> None:
    plan = plan_mounting(MODELS[key], board)
    width, height = plan.pictures
    camera = CameraPose(0, 0, plan.height_mm, focal_px=plan.focal_px, width=width, height=height)
    markers = tuple(
        MarkerLook(name, x, -y, size_mm=MarkerLayout(board).marker_mm)
        for name, (x, y) in enumerate(MarkerLayout(board).centres)
    )
    bare = BoardLook(board.squares, board.pitch_mm, rim_mm=board.rim_mm)
    look = TableLook(camera, bare, markers=markers)
    report = check_setup(Renderer(1).render(look), board.squares)
    points = {point.code: point for point in report.points}
    assert points["resolution"].figures["square_px"] == pytest.approx(plan.square_px, rel=TOLERANCE)
    assert points["resolution"].score == 1
    assert points["framing"].score == 1
    assert points["markers"].figures["seen"] == 4
