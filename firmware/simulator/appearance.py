"""Appearance of a virtual table: its state as tiles, lights and markers to render."""

from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import Final

from firmware.game.seating import seat_of
from firmware.rules.board import Board
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.variants import Colour, Edition
from firmware.simulator.table import (
    CELL_MM,
    BoardStand,
    FrameKind,
    Hand,
    TablePiece,
    TableScene,
    square_mm,
)
from vision.plastics import PLASTICS, Rgb
from vision.synthetic.scene import (
    BoardLook,
    CameraPose,
    ClothLook,
    CupLook,
    GlareLook,
    HandLook,
    MarkerLook,
    SquareLight,
    TableLook,
    Tile,
)

_SLATE: Final = ((84, 89, 97), (66, 71, 80))
"""RGB of floor and rim of a board of two colours."""

_SAND: Final = ((196, 186, 168), (174, 162, 142))
"""RGB of floor and rim of a board of four colours."""

_TEAL: Final = ((58, 112, 116), (46, 92, 97))
"""RGB of floor and rim of a board for black and white."""

_FLOORS: Final = {"slate": _SLATE, "sand": _SAND, "teal": _TEAL}
"""The same by name."""

_CHECKED: Final = ClothLook(colour=(214, 208, 196), stripe=(122, 44, 40), check_mm=2 * CELL_MM)
"""A cloth in squares that are as large as two of the board."""

_MARKER_OUT_MM: Final = 34.0
"""Millimetres from the edge of the squares to the middle of a marker."""

_FOCAL: Final = 0.875
"""Focal length in widths of the frame."""

_MARGIN_MM: Final = 32.0
"""Millimetres in view beyond the markers."""

_SLEEVES: Final = ((62, 82, 122), (128, 52, 56), (70, 96, 72), (122, 104, 76))
"""RGB of the sleeve at each seat."""

_PICTURE_GAMMA: Final = 2.2
"""Exponent from the values of a picture to light, that of sRGB."""

_HOLD_MM: Final = 14.0
"""Millimetres of a hand above the board."""


@dataclass(frozen=True, slots=True)
class PieceMaterial:
    """Material of the pieces.

    Attributes:
        opacity: 0 to 1; below 1 the board is visible through the pieces.
        passing: share of the light of LEDs below that the pieces transmit, 0 to 1.
    """

    opacity: float = 1.0
    passing: float = 0.0


FROSTED: Final = PieceMaterial(passing=0.6)
"""Translucent pieces; the share is estimated, not measured."""


def camera_pose(scene: TableScene, size: tuple[int, int] = (1280, 960)) -> CameraPose:
    """The camera above the table: all markers in view, slightly off centre."""
    width, height = size
    stand = scene.camera
    focal = _FOCAL * width
    board = scene.board
    seen_mm = scene.game.size * CELL_MM + 2 * (_MARKER_OUT_MM + _MARGIN_MM)
    high = seen_mm * focal / height
    side, aside = radians(stand.side_deg), tan(radians(stand.tilt_deg))
    x_mm, y_mm = _from_board(
        board,
        (0.02 + aside * cos(side)) * high + stand.dx_mm,
        (-0.11 + aside * sin(side)) * high + stand.dy_mm,
    )
    look_x_mm, look_y_mm = _from_board(board, stand.dx_mm, stand.dy_mm - 2.0)
    # In the frame of a turned board the camera turns the other way.
    roll_deg = 0.7 + stand.roll_deg - board.turn_deg
    return CameraPose(x_mm, y_mm, high, look_x_mm, look_y_mm, roll_deg, focal, width, height)


def _from_board(board: BoardStand, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Transforms a point of the table to the frame of the board, in millimetres."""
    turn = radians(board.turn_deg)
    x_mm, y_mm = x_mm - board.dx_mm, y_mm - board.dy_mm
    return x_mm * cos(turn) + y_mm * sin(turn), y_mm * cos(turn) - x_mm * sin(turn)


def table_look(
    scene: TableScene,
    edition: Edition,
    size: tuple[int, int] = (1280, 960),
    plastic: PieceMaterial | None = None,
) -> TableLook:
    """The appearance of a scene.

    Args:
        scene: state of the table.
        edition: names of the colours of plastic, in the order of play.
        size: width and height of a frame in pixels.
        plastic: material of the pieces; None for opaque plastic.
    """
    plastic = plastic or PieceMaterial()
    board, lamp = _board(scene, edition), scene.lamp
    tiles = tuple(_tile(placed, edition, _under_mm(placed, board)) for placed in scene.pieces)
    return TableLook(
        camera_pose(scene, size),
        board,
        tiles + _loose(scene, edition),
        _markers(scene),
        _glows(scene),
        lamp,
        None if scene.hand is None else _hand(scene.hand, edition),
        cloth=_CHECKED if scene.surroundings.checked else ClothLook(),
        cup=None if scene.cup is None else CupLook(*scene.cup),
        glare=_glare(scene.game.size) if lamp.glare else None,
        opacity=plastic.opacity,
        passing=plastic.passing,
    )


def _glare(size: int) -> GlareLook:
    """A mirrored lamp, in the upper left part of a board."""
    away = 0.2 * size * CELL_MM
    return GlareLook(-away, away)


def _board(scene: TableScene, edition: Edition) -> BoardLook:
    game, around = scene.game, scene.surroundings
    usual = _TEAL if "black" in edition else _SAND if len(edition) > 2 else _SLATE
    starts = Board.of(game.size).parse_squares(",".join(game.starts))
    marks = tuple(square_mm(game.size, square) for square in starts)
    look = BoardLook(game.size, CELL_MM, marks, *_FLOORS.get(around.floor, usual))
    if around.frame is FrameKind.RAISED:
        return look
    printed = {
        FrameKind.PRINTED: (),
        FrameKind.SQUARES: (look.floor,),
        FrameKind.COLOURED: tuple(PLASTICS[name].material for name in edition),
    }[around.frame]
    return replace(look, rim_mm=CELL_MM, rim_height_mm=0.0, rim_squares=printed)


def _under_mm(placed: TablePiece, board: BoardLook) -> float:
    """Height of what a piece lies on: the squares, the frame around them, or the table."""
    x_mm, y_mm = placed.middle_mm
    turn = radians(placed.angle_deg)
    places = [
        max(
            abs(x_mm + CELL_MM * (across * cos(turn) - up * sin(turn))),
            abs(y_mm + CELL_MM * (across * sin(turn) + up * cos(turn))),
        )
        for across, up in placed.offsets()
    ]
    edge = board.field_mm / 2
    if max(places) <= edge:
        return 0.0
    over_frame = min(places) - CELL_MM / 2 < edge + board.rim_mm
    return board.rim_height_mm if over_frame else -board.thickness_mm


def _markers(scene: TableScene) -> tuple[MarkerLook, ...]:
    if not scene.surroundings.markers:
        return ()
    out = scene.game.size * CELL_MM / 2 + _MARKER_OUT_MM
    corners = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    crooked = (0.8, -0.5, 0.4, -1.1)
    return tuple(
        MarkerLook(
            name,
            *_from_board(scene.board, x * out, y * out),
            angle_deg=crooked[name] - scene.board.turn_deg,
        )
        for name, (x, y) in enumerate(corners)
    )


def _tile(placed: TablePiece, edition: Edition, z_mm: float = 0.0) -> Tile:
    x_mm, y_mm = placed.middle_mm
    colour = PLASTICS[edition[placed.colour]].material
    return Tile(colour, placed.offsets(), x_mm, y_mm, placed.angle_deg, z_mm, CELL_MM)


def _hand(hand: Hand, edition: Edition) -> HandLook:
    holding = None
    if hand.holding is not None:
        tile = _tile(hand.holding, edition)
        held = (hand.x_mm, hand.y_mm, hand.holding.angle_deg, _HOLD_MM - tile.height_mm)
        holding = Tile(tile.colour, tile.cells, *held, CELL_MM)
    reach = (90.0, 180.0, 270.0, 0.0)[hand.seat]
    # A right arm reaches in from its owner's side, slightly from the right.
    return HandLook(hand.x_mm, hand.y_mm, _HOLD_MM, reach + 9.0, _SLEEVES[hand.seat], holding)


def _glows(scene: TableScene) -> tuple[SquareLight, ...]:
    return tuple(
        SquareLight(*square_mm(scene.game.size, square), _seen_by_camera(levels), CELL_MM)
        for square, levels in enumerate(scene.lights)
        if any(levels)
    )


def _seen_by_camera(levels: Rgb) -> Rgb:
    """The colour of an LED in a picture, from its duty cycles: as strong, in the hue of its ink.

    Pictures are encoded with a gamma. Without it an orange light is red in them.
    """
    strongest = max(levels)
    red, green, blue = (
        round(strongest * (level / strongest) ** (1 / _PICTURE_GAMMA)) for level in levels
    )
    return red, green, blue


def _loose(scene: TableScene, edition: Edition) -> tuple[Tile, ...]:
    """The pieces in the trays, in front of their owners."""
    return tuple(
        _in_tray(scene, piece, colour, edition)
        for colour, pieces in enumerate(scene.trays)
        for piece in pieces
    )


def _in_tray(scene: TableScene, piece: Piece, colour: Colour, edition: Edition) -> Tile:
    seat = seat_of(scene.game, colour)
    shape = piece.orientations[0]
    row_mean = sum(row for row, _ in shape) / len(shape)
    column_mean = sum(column for _, column in shape) / len(shape)
    cells = tuple((column - column_mean, row_mean - row) for row, column in shape)
    # Large pieces near the board, small ones behind, each slightly rotated.
    order = len(PIECES) - 1 - piece.index
    rank, place = divmod(order, 3)
    half = scene.game.size * CELL_MM / 2
    out = half + 56.0 + rank * 68.0
    along = (place - 1) * 74.0 + 4.0 * ((order * 7) % 5 - 2)
    x_mm, y_mm = ((along, -out), (out, along), (along, out), (-out, along))[seat]
    askew = 23.0 * ((order * 5 + colour * 3) % 9 - 4)
    return Tile(PLASTICS[edition[colour]].material, cells, x_mm, y_mm, askew, -5.5, CELL_MM)
