"""Checks that a set-up is good enough to referee a game, and names remedies.

It is a pure function of frames, so that a page can show its report live while somebody moves lamp
and camera. Each finding has a stable code, a score, measured values, and one sentence of remedy;
the origin of the bounds is stated at the constants.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.camera import Image
from vision.detection.board_detector import locate
from vision.detection.grid_fit import GridFit, refine
from vision.detection.markers import IDS, find_markers
from vision.errors import BoardFailure
from vision.geometry.grid import Grid, Warp
from vision.geometry.image_quality import (
    Brightness,
    Mask,
    blur_px,
    burnt_shares,
    flicker_of,
    light_of,
    separation,
)
from vision.geometry.lens import Lens
from vision.reader import read_picture
from vision.reading import Reading
from vision.setup.camera_pose import estimate_camera_pose, marker_disagreement
from vision.setup.report import SetupFinding, SetupReport
from vision.squares.square_features import measure_squares

_SCALE: Final = 24
"""Pixels per square in the view."""

_MARGIN: Final = 1
"""Squares around the field in the view."""

_SURE: Final = 0.9
"""Probability from which a square is surely read."""

_RIM: Final = (1.0, 0.0)
"""Squares of table visible around the field, good and bad: a hand is first noticed there."""

_OFF_CENTRE: Final = (0.3, 1.0)
"""Distance of the board's middle from the picture's, 1 at its edge, good and bad."""

_SLANT_DEG: Final = (22.0, 40.0)
"""Slant in degrees, good and bad: at 34 degrees the tops of tiles are displaced by up to a quarter
of a square, at 50 by half."""

_SQUARE_PX: Final = (20.0, 13.0)
"""Side of a square in pixels, good and bad."""

_BLUR_SQUARES: Final = (0.06, 0.13)
"""Blur in squares, good and bad: beyond a tenth of a square the first squares were left open,
beyond a fifth some were wrong."""

_NOISE: Final = (8.0, 25.0)
"""Noise in grey levels, good and bad: at 20 one square in 20 was open, at 30 one in 6."""

_WHITE: Final = (110.0, 50.0)
"""Brightness of white, 0 to 255, good and bad."""

_CLIPPED: Final = (0.12, 0.5)
"""Share of clipped pixels, good and bad."""

_TOUCHED: Final = 0.15
"""Overexposed share of a square from which it has glare."""

_APART: Final = (12.0, 5.0)
"""Standard deviations between colours, good and bad: below 5 squares were read wrong under lamps
of tests."""

_FLICKER: Final = (0.03, 0.12)
"""Relative standard deviation of brightness, good and bad."""

_TURN_DEG: Final = (3.0, 15.0)
"""Angle of a marker in degrees, good and bad."""

_SIZES: Final = (1.12, 1.6)
"""Ratio of the sides of markers, good and bad."""

_MARKER_SCORES: Final = (0.0, 0.0, 0.3, 0.6, 1.0)
"""Score by the number of markers seen."""

_NO_COLOURS: Final = "Lay a large piece of each colour on the board to have the colours compared."
"""Remedy where colours cannot be compared."""

_STEADY_EXPOSURE: Final = (
    "set the exposure to a multiple of 10 ms where mains has 50 Hz, of 8.33 ms where it has "
    "60 Hz, and switch the camera's automatic exposure off."
)
"""Remedy against flicker, as the end of a sentence."""

_REMEDIES: Final = {
    "lines-off": "The corners given do not lie on the lines of the board; set them anew.",
    "markers-missing": "Not seen of the markers: {missing}. Put all in full view, flat and without "
    "gloss.",
    "markers-askew": "A marker is stuck on askew: lay its edges along those of the board.",
    "markers-unlike": "The markers look unlike in size: print all four alike, and lay them level.",
    "cut-off": "Part of the board is outside the picture: move the camera up or the board inwards.",
    "tight": "Leave a square of table in the picture on each side of the board, or a piece over "
    "the edge is not noticed.",
    "slanted": "The camera looks from the side: mount it above the middle of the board.",
    "off-centre": "Move the board to the middle of the picture, where the lens is best.",
    "too-small": "A square is {px:.0f} pixels wide: bring the camera closer or choose a higher "
    f"resolution, for {_SQUARE_PX[0]:.0f} at least.",
    "no-edges": "Not one plain edge is seen: bring light to the board, and focus on it.",
    "blurred": "Edges are smeared: focus on the board, keep the camera still, and bring more "
    "light.",
    "dark": "The picture is dark: bring more light, or expose longer.",
    "bright": "The board is overexposed and its colours fade: expose less.",
    "noisy": "The picture is grainy: bring more light, so that the camera needs less gain.",
    "squares-lost": "A lamp is mirrored so brightly that squares are lost: move or shade the lamp.",
    "glare": "A lamp is mirrored on some squares: move or shade it, or expose less.",
    "colours-alike": "{pair} look much alike here: bring whiter and more even light, and name the "
    "edition.",
    "one-frame": "Give several frames of the same scene, or a video, to have flicker measured.",
    "flicker": f"The light flickers: {_STEADY_EXPOSURE}",
    "bands": f"Bands run through the picture: {_STEADY_EXPOSURE}",
}
"""Sentences for the person who sets the table up, by fault."""


def check_setup(
    image: Image,
    size: int | None = None,
    palette: tuple[str, ...] | None = None,
    corners: ArrayLike | None = None,
    lens: Lens | None = None,
    frames: Sequence[Brightness] = (),
) -> SetupReport:
    """Checks a set-up.

    Args:
        image: (height, width, 3) uint8, a frame of its camera.
        size: squares along a side, 14 or 20; None to detect it.
        palette: names of the colours of plastic; None to detect them.
        corners: (4, 2) outer corners of the field in pixels, for a board without markers.
        lens: lens of the camera, for this size of picture, if it was measured.
        frames: brightness of several frames, of which flicker is measured.

    Raises:
        GeometryError: the corners form no convex shape, or the palette has an unknown colour.
    """
    found = locate(image, size, corners)
    if isinstance(found, BoardFailure):
        return SetupReport(_without_board(image, found, frames))
    grid = found.grid
    view = Warp.of(grid, _SCALE, _MARGIN)(image)
    where = _field(image, grid)
    reading = read_picture(image, grid.size, palette, grid.corners)
    points = (
        _board(refine(image, found.lines)),
        _marked(image, grid, needed=corners is None),
        _framing(grid, lens),
        _resolution(grid),
        _focus(image, where, grid),
        _exposure(image, where),
        _glare(view, grid.size),
        _colours(view, reading),
        _flicker(frames),
    )
    return SetupReport(points, grid.size, grid.corners)


def _without_board(
    image: Image, lost: BoardFailure, frames: Sequence[Brightness]
) -> tuple[SetupFinding, ...]:
    """Returns the findings of a set-up in which no board is found."""
    where = np.ones(image.shape[:2], bool)
    mirrored = lost is BoardFailure.MIRRORED
    board = "mirrored" if mirrored else "not-found"
    return (
        SetupFinding("board", 0.0, board, _sentence(lost.reason)),
        SetupFinding("markers", None) if mirrored else _marked(image, None, needed=True),
        SetupFinding("framing", None),
        SetupFinding("resolution", None),
        _focus(image, where, None),
        _exposure(image, where),
        SetupFinding("glare", None),
        SetupFinding("colours", None),
        _flicker(frames),
    )


def _graded(value: float, bounds: tuple[float, float]) -> float:
    """Score: 1 at the good bound and beyond, 0 at the bad one and beyond, linear between."""
    good, bad = bounds
    return float(np.clip((value - bad) / (good - bad), 0, 1))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _worst(
    code: str, scores: Mapping[str, float], figures: dict[str, float], **words: str | float
) -> SetupFinding:
    """Returns a finding with the worst of several scores.

    Args:
        code: name of the check.
        scores: score by the fault that would lower it.
        figures: measured values.
        words: words of the remedy.
    """
    fault, score = min(scores.items(), key=lambda one: one[1])
    if score >= 1:
        return SetupFinding(code, score, figures=figures)
    return SetupFinding(code, score, fault, _REMEDIES[fault].format(**words), figures)


def _field(image: Image, grid: Grid) -> Mask:
    """(height, width) mask of the field in a picture."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(grid.corners).astype(np.int32), 1)
    return np.asarray(mask, bool)


def _board(fit: GridFit) -> SetupFinding:
    figures = {"lines_seen": fit.support, "off_line_squares": fit.slack}
    return _worst("board", {"lines-off": float(fit.is_sure)}, figures)


def _marked(image: Image, grid: Grid | None, *, needed: bool) -> SetupFinding:
    """Checks the markers, also those of a mirrored picture on which corners were given."""
    markers, is_mirrored = find_markers(image)
    if not needed and not markers:
        if is_mirrored:
            remedy = _sentence(BoardFailure.MIRRORED.reason)
            return SetupFinding("markers", 0.0, "mirrored", remedy)
        return SetupFinding("markers", None, figures={"seen": 0.0})
    seen = [marker.id for marker in markers]
    figures = {"seen": float(len(seen))}
    missing = ", ".join(str(name) for name in IDS if name not in seen)
    scores = {"markers-missing": _MARKER_SCORES[len(seen)] if needed else 1.0}
    if grid is not None and seen:
        turn_deg, size_ratio = marker_disagreement(markers, grid)
        figures |= {"turn_deg": turn_deg, "size_ratio": size_ratio}
        scores["markers-askew"] = _graded(turn_deg, _TURN_DEG)
        scores["markers-unlike"] = _graded(size_ratio, _SIZES)
    return _worst("markers", scores, figures, missing=missing)


def _framing(grid: Grid, lens: Lens | None) -> SetupFinding:
    stand = estimate_camera_pose(grid, lens)
    scores = {
        "cut-off" if stand.rim_squares < 0 else "tight": _graded(stand.rim_squares, _RIM),
        "slanted": _graded(stand.slant_deg, _SLANT_DEG),
        # A board at the edge of the picture can be read as long as it is whole.
        "off-centre": max(0.05, _graded(stand.off_centre, _OFF_CENTRE)),
    }
    figures = {
        "rim_squares": stand.rim_squares,
        "slant_deg": stand.slant_deg,
        "off_centre": stand.off_centre,
    }
    return _worst("framing", scores, figures)


def _resolution(grid: Grid) -> SetupFinding:
    px = estimate_camera_pose(grid).square_px
    return _worst("resolution", {"too-small": _graded(px, _SQUARE_PX)}, {"square_px": px}, px=px)


def _focus(image: Image, where: Mask, grid: Grid | None) -> SetupFinding:
    blur = blur_px(image, where)
    if blur is None:
        return _worst("focus", {"no-edges": 0.0}, {})
    if grid is None:
        return SetupFinding("focus", None, figures={"blur_px": blur})
    share = blur / grid.square_px
    scores = {"blurred": _graded(share, _BLUR_SQUARES)}
    return _worst("focus", scores, {"blur_px": blur, "blur_squares": share})


def _exposure(image: Image, where: Mask) -> SetupFinding:
    light = light_of(image, where)
    scores = {
        "dark": _graded(light.white, _WHITE),
        "bright": _graded(light.clipped, _CLIPPED),
        "noisy": _graded(light.noise, _NOISE),
    }
    figures = {"white": light.white, "clipped_share": light.clipped, "noise": light.noise}
    return _worst("exposure", scores, figures)


def _glare(view: Image, size: int) -> SetupFinding:
    lost = measure_squares(view, size, _MARGIN).hidden
    touched = burnt_shares(view, size, _MARGIN) > _TOUCHED
    figures = {"lost_squares": float(lost.sum()), "touched_squares": float((touched | lost).sum())}
    squares = tuple(int(square) for square in np.flatnonzero(touched | lost))
    scores = {"glare": 1.0}
    if lost.any():
        scores = {"squares-lost": 0.0}
    elif touched.any():
        scores = {"glare": min(max(0.05, 1 - float(touched.mean()) * 5), 0.9)}
    return replace(_worst("glare", scores, figures), squares=squares)


def _colours(view: Image, reading: Reading | BoardFailure) -> SetupFinding:
    if isinstance(reading, BoardFailure):
        return SetupFinding("colours", None)
    observed = measure_squares(view, reading.size, _MARGIN)
    labels = reading.probabilities.argmax(axis=1)
    plain = (reading.probabilities.max(axis=1) > _SURE) & ~reading.covered
    features = np.concatenate([observed.tint, observed.lightness[:, None]], axis=1).astype(
        np.float64
    )
    apart = separation(features[plain], labels[plain], len(reading.palette) + 1)
    names = ("empty", *reading.palette)
    figures = {
        f"{names[b]}-{names[a]}": float(apart[a, b])
        for a in range(len(names))
        for b in range(a)
        if np.isfinite(apart[a, b])
    }
    doubtful = float((~plain & ~reading.covered).mean())
    if not figures:
        fault = "doubtful" if doubtful > 0 else "no-pieces"
        return SetupFinding("colours", None, fault, _NO_COLOURS, {"doubtful_share": doubtful})
    nearest = min(figures, key=lambda name: figures[name])
    scores = {"colours-alike": _graded(figures[nearest], _APART)}
    figures["doubtful_share"] = doubtful
    return _worst("colours", scores, figures, pair=nearest.replace("-", " and ").capitalize())


def _flicker(frames: Sequence[Brightness]) -> SetupFinding:
    if len(frames) < 2:
        return SetupFinding("flicker", None, "one-frame", _REMEDIES["one-frame"])
    flicker = flicker_of(frames)
    scores = {
        "flicker": _graded(flicker.whole, _FLICKER),
        "bands": _graded(flicker.bands, _FLICKER),
    }
    return _worst("flicker", scores, {"whole_share": flicker.whole, "bands_share": flicker.bands})
