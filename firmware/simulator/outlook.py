"""What a virtual table looks like: the truth as tiles, glows and light to be drawn."""

from typing import Final

from firmware.rules.games import Colour, Edition
from firmware.rules.pieces import PIECES, Piece
from firmware.simulator.table import CELL_MM, Hand, Lying, Scene, seat_of, square_mm
from vision.synthetic import (
    BoardLook,
    CameraPose,
    Glow,
    HandLook,
    LampLook,
    MarkerLook,
    TableLook,
    Tile,
)

PLASTIC: Final = {
    "purple": (98, 44, 146),
    "orange": (236, 108, 24),
    "black": (38, 38, 42),
    "white": (226, 224, 216),
    "blue": (28, 82, 178),
    "yellow": (242, 196, 30),
    "red": (204, 38, 42),
    "green": (32, 142, 70),
}
"""Colours of the plastic under white light."""

_SLATE: Final = ((84, 89, 97), (66, 71, 80))
_SAND: Final = ((196, 186, 168), (174, 162, 142))
_TEAL: Final = ((58, 112, 116), (46, 92, 97))
_MARKER_OUT_MM: Final = 34.0
_FOCAL: Final = 0.875
_MARGIN_MM: Final = 32.0
_SLEEVES: Final = ((62, 82, 122), (128, 52, 56), (70, 96, 72), (122, 104, 76))
_HOLD_MM: Final = 14.0


def camera_pose(scene: Scene, size: tuple[int, int] = (1280, 960)) -> CameraPose:
    """The camera over the table: high enough to see the markers, a little towards one edge."""
    width, height = size
    stand = scene.camera
    focal = _FOCAL * width
    seen_mm = scene.game.size * CELL_MM + 2 * (_MARKER_OUT_MM + _MARGIN_MM)
    high = seen_mm * focal / height
    return CameraPose(
        0.02 * high + stand.dx_mm,
        -0.11 * high + stand.dy_mm,
        high,
        stand.dx_mm,
        stand.dy_mm - 2.0,
        0.7 + stand.roll_deg,
        focal,
        width,
        height,
    )


def outlook(scene: Scene, edition: Edition, size: tuple[int, int] = (1280, 960)) -> TableLook:
    """What there is to see.

    Args:
        scene: the truth.
        edition: names of the colours of plastic, in the order of play.
        size: width and height of the camera's picture.
    """
    tiles = tuple(_tile(lying, edition) for lying in scene.pieces)
    lamp = scene.lamp
    return TableLook(
        camera_pose(scene, size),
        _board(scene, edition),
        tiles + _loose(scene, edition),
        _markers(scene),
        _glows(scene),
        LampLook(lamp.brightness, lamp.kelvin, lamp.azimuth_deg, lamp.elevation_deg),
        None if scene.hand is None else _hand(scene.hand, edition),
    )


def _board(scene: Scene, edition: Edition) -> BoardLook:
    game = scene.game
    floor, rim = _TEAL if "black" in edition else _SAND if len(edition) > 2 else _SLATE  # noqa: PLR2004
    marks = [square_of_name(name, game.size) for name in game.starts]
    return BoardLook(game.size, CELL_MM, tuple(marks), floor, rim)


def square_of_name(name: str, size: int) -> tuple[float, float]:
    """The middle of a square named like `e10`, x and y in millimetres."""
    column, row = ord(name[0]) - ord("a"), size - int(name[1:])
    return square_mm(size, row * size + column)


def _markers(scene: Scene) -> tuple[MarkerLook, ...]:
    out = scene.game.size * CELL_MM / 2 + _MARKER_OUT_MM
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    crooked = (0.8, -0.5, 0.4, -1.1)
    return tuple(
        MarkerLook(name, x * out, y * out, angle_deg=crooked[name])
        for name, (x, y) in enumerate(corners)
    )


def _tile(lying: Lying, edition: Edition, z_mm: float = 0.0) -> Tile:
    x_mm, y_mm = lying.middle_mm
    colour = PLASTIC[edition[lying.colour]]
    return Tile(colour, lying.offsets(), x_mm, y_mm, lying.angle_deg, z_mm, CELL_MM)


def _hand(hand: Hand, edition: Edition) -> HandLook:
    holding = None
    if hand.holding is not None:
        tile = _tile(hand.holding, edition)
        held = (hand.x_mm, hand.y_mm, hand.holding.angle_deg, _HOLD_MM - tile.height_mm)
        holding = Tile(tile.colour, tile.cells, *held, CELL_MM)
    reach = (90.0, 180.0, 270.0, 0.0)[hand.seat]
    # The hand comes from its owner's side, a little from the right, as a right arm does.
    return HandLook(hand.x_mm, hand.y_mm, _HOLD_MM, reach + 9.0, _SLEEVES[hand.seat], holding)


def _glows(scene: Scene) -> tuple[Glow, ...]:
    return tuple(
        Glow(*square_mm(scene.game.size, square), colour, CELL_MM)
        for square, colour in enumerate(scene.lights)
        if any(colour)
    )


def _loose(scene: Scene, edition: Edition) -> tuple[Tile, ...]:
    """The pieces not laid yet, before their owners, those for later further away."""
    return tuple(
        _in_tray(scene, piece, colour, edition)
        for colour, pieces in enumerate(scene.trays)
        for piece in pieces
    )


def _in_tray(scene: Scene, piece: Piece, colour: Colour, edition: Edition) -> Tile:
    seat = seat_of(scene.game, colour)
    shape = piece.orientations[0]
    row_mean = sum(row for row, _ in shape) / len(shape)
    column_mean = sum(column for _, column in shape) / len(shape)
    cells = tuple((column - column_mean, row_mean - row) for row, column in shape)
    # Large pieces near the board, small ones behind, each a little askew.
    order = len(PIECES) - 1 - piece.index
    rank, place = divmod(order, 4)
    half = scene.game.size * CELL_MM / 2
    out = half + 52.0 + rank * 62.0
    along = (place - 1.5) * (half * 0.43) + 5.0 * ((order * 7) % 5 - 2)
    x_mm, y_mm = ((along, -out), (out, along), (along, out), (-out, along))[seat]
    askew = 23.0 * ((order * 5 + colour * 3) % 9 - 4)
    return Tile(PLASTIC[edition[colour]], cells, x_mm, y_mm, askew, -5.5, CELL_MM)
