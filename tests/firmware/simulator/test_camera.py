"""Frames of the virtual table show its true state."""

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.lights.led_layout import LedLayout
from firmware.rules.board import Move
from firmware.rules.variants import EDITIONS, GAMES
from firmware.simulator.appearance import camera_pose
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import Hand, TablePiece, VirtualTable, square_mm
from firmware.simulator.ws2812_chain import under
from vision.camera import Camera, Image
from vision.plastics import PLASTICS
from vision.synthetic.renderer import Renderer

pytestmark = pytest.mark.slow

NAMES = EDITIONS["purple-orange"]
W = Move.parse("e10,f10,f9,g9,g8", 14)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(1)


def camera_over(table: VirtualTable, renderer: Renderer) -> SimulatedCamera:
    return SimulatedCamera(table, NAMES, lambda: 5.0, renderer)


def picture(camera: Camera) -> Image:
    frame = camera.read()
    assert frame is not None
    return frame.image


def at_square(image: Image, table: VirtualTable, square: int) -> NDArray[np.float64]:
    """Mean blue green red in the middle of a square."""
    x_mm, y_mm = square_mm(table.scene.game.size, square)
    column, row = camera_pose(table.scene).project(np.array([x_mm, y_mm, 3.0])).round()
    spot = image[int(row) - 4 : int(row) + 5, int(column) - 4 : int(column) + 5]
    return np.asarray(spot.reshape(-1, 3).mean(axis=0), np.float64)


def test_frames_are_numbered_and_end_with_close(renderer: Renderer) -> None:
    camera = camera_over(VirtualTable(GAMES["duo"]), renderer)
    first, second = camera.read(), camera.read()
    assert first is not None
    assert second is not None
    assert (first.number, second.number, first.time_s) == (1, 2, 5.0)
    assert first.image.shape == (960, 1280, 3)
    camera.close()
    assert camera.read() is None


def test_squares_have_the_colour_of_what_lies_there(renderer: Renderer) -> None:
    table = VirtualTable(GAMES["duo"])
    table.lay(TablePiece(0, W))
    table.lay(TablePiece(1, Move.parse("j5,k5,l5,l4", 14)))
    image = picture(camera_over(table, renderer))
    known = {None: (84, 89, 97), 0: PLASTICS["purple"].material, 1: PLASTICS["orange"].material}
    for square, colour in enumerate(table.scene.truth()):
        tint = at_square(image, table, square)[::-1]
        distance = {
            name: np.linalg.norm(tint / tint.sum() - np.array(rgb) / sum(rgb))
            for name, rgb in known.items()
        }
        assert min(distance, key=lambda name: distance[name]) == colour, square


def test_a_lit_led_glows_and_a_piece_or_hand_hides_it(
    renderer: Renderer,
) -> None:
    table = VirtualTable(GAMES["duo"])
    square = W.squares[2]
    camera = camera_over(table, renderer)
    dark = at_square(picture(camera), table, square)
    layout = LedLayout(14, 14).layout(14)
    shown = [(0, 255, 0) if at == square else (0, 0, 0) for at in layout]
    under(table, layout)(shown)
    lit = at_square(picture(camera), table, square)
    assert lit[1] > dark[1] + 60
    x_mm, y_mm = square_mm(14, square)
    table.move_hand(Hand(x_mm, y_mm - 70.0, 2))
    under_hand = at_square(picture(camera), table, square)
    table.move_hand(None)
    table.lay(TablePiece(0, W))
    under_piece = at_square(picture(camera), table, square)
    for hidden in (under_hand, under_piece):
        assert hidden[1] < lit[1] - 20
    assert under_piece[0] > 1.5 * under_piece[1], "purple, not green"


def test_a_bumped_camera_sees_the_board_elsewhere() -> None:
    table = VirtualTable(GAMES["classic"])
    before = camera_pose(table.scene).project(np.zeros(3))
    table.bump_camera(dx_mm=5.0)
    after = camera_pose(table.scene).project(np.zeros(3))
    assert after[0] < before[0] - 5


def test_the_same_seed_gives_the_same_frames() -> None:
    table = VirtualTable(GAMES["duo"])
    table.lay(TablePiece(0, W, 0.4, 0.1, 1.0))
    table.move_hand(Hand(20.0, 30.0, 3, TablePiece(1, Move.parse("j5", 14))))
    frames = [
        picture(SimulatedCamera(table, NAMES, lambda: 5.0, Renderer(1), (640, 480)))
        for _ in range(2)
    ]
    assert (frames[0] == frames[1]).all()
