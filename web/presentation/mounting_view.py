"""Places of cameras above a board, for the step of the set-up in which one is mounted."""

from collections.abc import Iterable
from dataclasses import dataclass

from web.i18n.wording import Wording


@dataclass(frozen=True, slots=True)
class CameraMounting:
    """A camera above a board, as the program of the table reckons it; lengths in millimetres.

    Attributes:
        camera: key of the camera.
        title: its name in English.
        squares: squares along a side of the board.
        pitch_mm: distance from square to square.
        rim_mm: rim of the board around its squares.
        height_mm: from the lens to the squares.
        mast_mm: from the lens to the table.
        arm_mm: from the mast to the middle of the board.
        view_mm: width and height of what the picture shows.
        square_px: pixels a square.
        corner_deg: angle in degrees between the view of a corner and straight down.
        is_coarse: True if that are too few pixels.
    """

    camera: str
    title: str
    squares: int
    pitch_mm: float
    rim_mm: float
    height_mm: float
    mast_mm: float
    arm_mm: float
    view_mm: tuple[float, float]
    square_px: float
    corner_deg: float
    is_coarse: bool


@dataclass(frozen=True, slots=True)
class MountingRow:
    """A camera as texts: its name, (heading, figure) in their order, and what is wrong with it."""

    name: str
    figures: tuple[tuple[str, str], ...]
    warning: str


@dataclass(frozen=True, slots=True)
class MountingView:
    """The cameras above one board, and a sentence on that board."""

    title: str
    about: str
    headings: tuple[str, ...]
    rows: tuple[MountingRow, ...]


def mounting_of(
    mountings: Iterable[CameraMounting], squares: int, wording: Wording
) -> MountingView | None:
    """Returns the places of the cameras above a board; None if none are known.

    Args:
        mountings: cameras above boards of any size.
        squares: squares along a side of the board.
        wording: texts.
    """
    own = [one for one in mountings if one.squares == squares]
    if not own:
        return None
    rows = tuple(_row(one, wording) for one in own)
    about = wording.mounting(
        "board", squares=squares, pitch=f"{own[0].pitch_mm:g}", rim=f"{own[0].rim_mm:g}"
    )
    headings = (wording.mounting("camera"), *(name for name, _ in rows[0].figures))
    return MountingView(wording.mounting("title"), about, headings, rows)


def _row(one: CameraMounting, wording: Wording) -> MountingRow:
    width, height = (f"{side / 10:.0f}" for side in one.view_mm)
    figures = {
        "height": f"{one.height_mm / 10:.1f} cm",
        "mast": f"{one.mast_mm / 10:.1f} cm",
        "arm": f"{one.arm_mm / 10:.1f} cm",
        "view": f"{width} × {height} cm",
        "square": f"{one.square_px:.0f}",
        "corner": f"{one.corner_deg:.0f}°",
    }
    named = tuple((wording.mounting(key), figure) for key, figure in figures.items())
    warning = wording.mounting("few") if one.is_coarse else ""
    return MountingRow(wording.known("cameras", one.camera, one.title), named, warning)
