"""Description of a table as plain values in millimetres and degrees."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Rgb = tuple[int, int, int]
"""A colour under white light: red, green, blue, 0 to 255."""

Values = NDArray[np.float64]

NEUTRAL_KELVIN: Final = 4500.0
"""Colour temperature of light under which the camera shows white as white."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """A pinhole camera that looks down on the board.

    Attributes:
        x_mm, y_mm, z_mm: its place.
        look_x_mm, look_y_mm: point of the plane z = 0 in the middle of its picture.
        roll_deg: rotation about its axis in degrees; positive turns the picture clockwise.
        focal_px: focal length in pixels.
        width, height: size of its picture in pixels.
    """

    x_mm: float
    y_mm: float
    z_mm: float
    look_x_mm: float = 0.0
    look_y_mm: float = 0.0
    roll_deg: float = 0.0
    focal_px: float = 1120.0
    width: int = 1280
    height: int = 960

    def matrix(self) -> Values:
        """(3, 4) matrix from homogeneous millimetres to homogeneous pixels."""
        return _matrix(self)

    def plane(self, z_mm: float = 0.0) -> Values:
        """(3, 3) matrix from homogeneous x, y at a height to homogeneous pixels."""
        matrix = self.matrix()
        return np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * z_mm + matrix[:, 3]])

    def project(self, points_mm: Values) -> Values:
        """Converts points in space, (..., 3), to pixels, (..., 2)."""
        matrix = self.matrix()
        seen = points_mm @ matrix[:, :3].T + matrix[:, 3]
        return np.asarray(seen[..., :2] / seen[..., 2:], np.float64)


@lru_cache(maxsize=8)
def _matrix(pose: CameraPose) -> Values:
    """Computes `CameraPose.matrix` once for the many points that one pose projects."""
    place = np.array([pose.x_mm, pose.y_mm, pose.z_mm])
    ahead = np.array([pose.look_x_mm, pose.look_y_mm, 0.0]) - place
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    turn = np.radians(pose.roll_deg)
    # The picture turns clockwise if the camera turns anticlockwise.
    axes = np.stack(
        [
            np.cos(turn) * right - np.sin(turn) * down,
            np.sin(turn) * right + np.cos(turn) * down,
            ahead,
        ]
    )
    lens = np.array(
        [
            [pose.focal_px, 0, (pose.width - 1) / 2],
            [0, pose.focal_px, (pose.height - 1) / 2],
            [0, 0, 1],
        ]
    )
    return np.asarray(lens @ np.column_stack([axes, -axes @ place]), np.float64)


@dataclass(frozen=True, slots=True)
class BoardLook:
    """The empty board.

    Attributes:
        size: squares along a side.
        cell_mm: distance from square to square.
        marks_mm: places of the printed starting points, as x, y.
        floor, rim: colours of the squares and of the frame around them.
        rim_mm: width of that frame.
        thickness_mm: height of the floor of the squares above the table.
        rim_height_mm: height of that frame above the floor of the squares.
        rim_squares: colours in turn of squares printed on that frame, one beside each square of
            the board; empty if there are none.
    """

    size: int
    cell_mm: float = 16.0
    marks_mm: tuple[tuple[float, float], ...] = ()
    floor: Rgb = (84, 89, 97)
    rim: Rgb = (66, 71, 80)
    rim_mm: float = 13.0
    thickness_mm: float = 5.5
    rim_height_mm: float = 2.4
    rim_squares: tuple[Rgb, ...] = ()

    @property
    def field_mm(self) -> float:
        """Side of the field of squares."""
        return self.size * self.cell_mm


@dataclass(frozen=True, slots=True)
class ClothLook:
    """The woven cloth on the table, with checks of thin stripes."""

    colour: Rgb = (148, 166, 160)
    stripe: Rgb = (206, 205, 190)
    check_mm: float = 46.0


@dataclass(frozen=True, slots=True)
class MarkerLook:
    """A printed ArUco marker of the dictionary 4x4_50, lying on the table.

    Attributes:
        name: its id.
        x_mm, y_mm: its middle.
        size_mm: side of its black square; the white paper extends 5 mm beyond.
        angle_deg: its rotation, anticlockwise from above.
    """

    name: int
    x_mm: float
    y_mm: float
    size_mm: float = 24.0
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece: squares joined along their sides.

    Attributes:
        colour: colour of its plastic.
        cells: middles of its squares in squares from its own middle, x to the right, y up.
        x_mm, y_mm: place of its middle.
        angle_deg: its rotation about its middle, anticlockwise from above.
        z_mm: height of its underside.
        cell_mm: distance from square to square.
        height_mm: its thickness.
    """

    colour: Rgb
    cells: tuple[tuple[float, float], ...]
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    z_mm: float = 0.0
    cell_mm: float = 16.0
    height_mm: float = 4.7


@dataclass(frozen=True, slots=True)
class SquareLight:
    """Light from below through a square of the board."""

    x_mm: float
    y_mm: float
    colour: Rgb
    size_mm: float = 16.0


@dataclass(frozen=True, slots=True)
class LampLook:
    """The light on the table.

    Attributes:
        brightness: its brightness; 1 matches the exposure of the camera.
        kelvin: its colour temperature, 2500 (warm) to 9000 (blue sky).
        azimuth_deg: its direction, anticlockwise from the x axis.
        elevation_deg: its elevation, 20 to 85.
    """

    brightness: float = 1.0
    kelvin: float = NEUTRAL_KELVIN
    azimuth_deg: float = 125.0
    elevation_deg: float = 56.0

    def direction(self) -> Values:
        """(3,) unit vector from the table to the lamp."""
        turn, rise = np.radians(self.azimuth_deg), np.radians(self.elevation_deg)
        return np.array(
            [np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise)], np.float64
        )

    def gain(self) -> Values:
        """(3,) factors on blue, green and red."""
        warmth = np.log2(NEUTRAL_KELVIN / self.kelvin)
        tint = np.array([2.0 ** (-0.55 * warmth), 1.0, 2.0 ** (0.42 * warmth)])
        return np.asarray(self.brightness * tint, np.float64)


@dataclass(frozen=True, slots=True)
class HandLook:
    """A hand that reaches over the board, fingers and thumb closed on a point.

    Attributes:
        x_mm, y_mm: point between finger and thumb.
        z_mm: height of that point.
        reach_deg: direction in which it reaches, anticlockwise from the x axis.
        sleeve: colour of the sleeve.
        holding: piece that it carries; None if it has none.
    """

    x_mm: float
    y_mm: float
    z_mm: float = 14.0
    reach_deg: float = 90.0
    sleeve: Rgb = (63, 84, 122)
    holding: Tile | None = None


@dataclass(frozen=True, slots=True)
class CupLook:
    """A cup with coffee in it.

    Attributes:
        x_mm, y_mm: place of its middle.
        radius_mm, height_mm: its size.
        colour: colour of the china.
    """

    x_mm: float
    y_mm: float
    radius_mm: float = 41.0
    height_mm: float = 85.0
    colour: Rgb = (222, 218, 206)


@dataclass(frozen=True, slots=True)
class GlareLook:
    """A lamp that is mirrored in the board.

    Attributes:
        x_mm, y_mm: place of its middle.
        radius_mm: radius of the bright spot.
    """

    x_mm: float
    y_mm: float
    radius_mm: float = 38.0


@dataclass(frozen=True, slots=True)
class TableLook:
    """Everything visible at one moment.

    Attributes:
        camera: camera that takes the picture.
        board: the empty board.
        tiles: the pieces.
        markers: printed markers on the table.
        glows: lit squares.
        lamp: the light.
        hand: the hand over the board, if there is one.
        cloth: the cloth on the table.
        cup: cup on the table, if there is one.
        glare: lamp that is mirrored in the board, if there is one.
        opacity: opacity of the plastic, 0 to 1; below 1 the board is visible through it.
        passing: share of the light of LEDs that passes through the plastic, in its colour.
    """

    camera: CameraPose
    board: BoardLook
    tiles: tuple[Tile, ...] = ()
    markers: tuple[MarkerLook, ...] = ()
    glows: tuple[SquareLight, ...] = ()
    lamp: LampLook = LampLook()
    hand: HandLook | None = None
    cloth: ClothLook = ClothLook()
    cup: CupLook | None = None
    glare: GlareLook | None = None
    opacity: float = 1.0
    passing: float = 0.0
