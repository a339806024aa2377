"""Begun boards of puzzles in rendered pictures, and pictures that are refused."""

from pathlib import Path

import pytest

from firmware.errors import CornerlightError
from firmware.player.verbs.solve import read_board
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import solved
from tests.support.rendered_table import RenderedTable
from vision.camera import Frame
from vision.io.image_file import encode_jpeg

GAME = PUZZLES["puzzle-tetrominoes"]


def begun(pieces: int) -> Position:
    """A board with so many pieces of each colour of the stored solution."""
    position, whole = Position.start(GAME), solved(GAME)
    for colour in GAME.colours:
        for move in whole.laid[colour][:pieces]:
            position = position.put(move, colour)
    return position


def photo(folder: Path, position: Position, *, hand: bool = False) -> Path:
    table = RenderedTable(position.game, size=(1600, 1200))
    for colour in position.game.colours:
        for move in position.laid[colour]:
            table.lay(colour, move)
    if hand:
        table.reach()
    frame = table.read()
    assert isinstance(frame, Frame)
    path = folder / "board.jpg"
    path.write_bytes(encode_jpeg(frame.image, 90))
    return path


def test_the_pieces_of_a_picture_are_those_on_the_board(tmp_path: Path) -> None:
    position = begun(2)
    found = read_board(photo(tmp_path, position), GAME)
    pieces = [{move.piece for move in laid} for laid in found.laid]
    assert pieces == [{move.piece for move in laid} for laid in position.laid]
    assert found.occupied == position.occupied


def test_squares_under_a_hand_are_named_and_nothing_is_proved(tmp_path: Path) -> None:
    with pytest.raises(CornerlightError, match="cannot be read surely, so nothing is proved"):
        read_board(photo(tmp_path, begun(1), hand=True), GAME)


def test_a_picture_without_a_board_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nothing.jpg"
    frame = RenderedTable(GAME).read()
    assert isinstance(frame, Frame)
    path.write_bytes(encode_jpeg(frame.image[:40, :40], 90))
    with pytest.raises(CornerlightError, match=r"nothing\.jpg"):
        read_board(path, GAME)
