"""Markers printed to scale, in their places, and readable from the height of a camera."""

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.cameras.mounting import MODELS, BoardSize, plan_mounting
from firmware.printing.marker_layout import SMALL_MM, MarkerLayout
from firmware.printing.marker_sheet import OVERLAP_MM, Tiling, marker_sheets
from firmware.printing.paper import PAPERS
from firmware.printing.sheets import EDGE_MM
from tests.support.printed_pages import DPI, PX_A_MM, Pixels, printed, ruler_mm, texts
from vision.detection.markers import IDS, find_markers
from web.i18n.languages import LANGUAGES, wording_of

pytestmark = pytest.mark.slow

DUO, CLASSIC = MarkerLayout(BoardSize.usual(14)), MarkerLayout(BoardSize.usual(20))
TOLERANCE_MM = 0.1


def sheets(layout: MarkerLayout, paper: str = "a4", language: str = "en") -> bytes:
    return marker_sheets(layout, PAPERS[paper], wording_of(language), language)[0]


def corners_mm(picture: Pixels) -> dict[int, NDArray[np.float64]]:
    """Corners of every marker in a picture of 300 dpi, by id; two of one id are an error."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    corners, ids, _ = detector.detectMarkers(picture)
    assert ids is not None
    names = [int(name) for name in np.asarray(ids).ravel()]
    assert len(set(names)) == len(names)
    # The middle of the first pixel is at half a pixel.
    places = (np.asarray(one, np.float64).reshape(4, 2) + 0.5 for one in corners)
    return {name: one / PX_A_MM for name, one in zip(names, places, strict=True)}


def mat_of(layout: MarkerLayout, paper: str) -> Pixels:
    """The parts of the mat, cut and taped together, at 300 dpi."""
    tiling = Tiling.of(*layout.size_mm, PAPERS[paper])
    width, height = (round(side * PX_A_MM) for side in layout.size_mm)
    mat = np.full((height, width, 3), 255, np.uint8)
    pages = printed(sheets(layout, paper))[-tiling.columns * tiling.rows :]
    for page, tile in zip(pages, tiling, strict=True):
        left = (tiling.paper.width_mm - tile.width - OVERLAP_MM) / 2
        shift = np.array(
            [
                [1, 0, (tile.x - left) * PX_A_MM],
                [0, 1, (tile.y - EDGE_MM - 1) * PX_A_MM],
            ]
        )
        laid = cv2.warpAffine(page, shift, (width, height), borderValue=(255, 255, 255))
        x, y = round(tile.x * PX_A_MM), round(tile.y * PX_A_MM)
        mat[y:, x:] = laid[y:, x:]
    return mat


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_markers_to_cut_out_have_their_size_and_the_ruler_is_100_mm(
    paper: str, language: str
) -> None:
    page = printed(sheets(DUO, paper, language))[0]
    half = page[page.shape[0] // 2 - 60 :]  # below the drawing, which has them small
    found = corners_mm(np.ascontiguousarray(half))
    assert sorted(found) == list(IDS)
    for places in found.values():
        sides = np.linalg.norm(np.roll(places, -1, axis=0) - places, axis=1)
        assert sides == pytest.approx(SMALL_MM, abs=TOLERANCE_MM)
    for one in printed(sheets(DUO, paper, language)):
        assert ruler_mm(one) == pytest.approx(100, abs=TOLERANCE_MM)


@pytest.mark.parametrize(
    ("layout", "paper"),
    [
        *itertools.product((DUO, CLASSIC), PAPERS),
        (MarkerLayout(BoardSize(14, 8.0, 0.0)), "a4"),
        (MarkerLayout(BoardSize(14, 32.0)), "a3"),
    ],
)
def test_the_mat_has_every_marker_in_its_place(layout: MarkerLayout, paper: str) -> None:
    found = corners_mm(mat_of(layout, paper))
    assert sorted(found) == list(IDS)
    middle = np.array(layout.size_mm) / 2
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    for name, centre in enumerate(layout.centres):
        wanted = middle + np.array(centre) + unit * layout.marker_mm
        assert found[name] == pytest.approx(wanted, abs=TOLERANCE_MM)


@pytest.mark.parametrize("camera", MODELS)
@pytest.mark.parametrize(
    "layout", [DUO, CLASSIC, MarkerLayout(BoardSize(20, 40.0))], ids=["duo", "classic", "largest"]
)
def test_the_reader_finds_the_markers_from_the_height_of_each_camera(
    camera: str, layout: MarkerLayout
) -> None:
    plan = plan_mounting(MODELS[camera], layout.board)
    px_a_mm = plan.square_px / layout.board.pitch_mm
    mat = printed_mat(layout)
    small = cv2.resize(mat, None, fx=px_a_mm / PX_A_MM, fy=px_a_mm / PX_A_MM, interpolation=3)
    width, height = plan.pictures
    # Paper is no perfect white on a grey table, the lens blurs and the sensor has noise.
    picture = np.full((height, width, 3), 120, np.float64)
    y, x = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    assert min(x, y) >= 0, "every marker is in the picture"
    picture[y : y + small.shape[0], x : x + small.shape[1]] = 40 + small * 0.65
    noise = np.random.default_rng(1).normal(0, 5, picture.shape)
    seen = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)
    found = find_markers(seen)[0]
    assert [marker.id for marker in found] == list(IDS)
    for marker in found:
        centre = np.array(layout.centres[marker.id]) * px_a_mm
        wanted = centre + np.array([x + small.shape[1] / 2, y + small.shape[0] / 2]) - 0.5
        assert marker.corners.mean(axis=0) == pytest.approx(wanted, abs=1.0)


def printed_mat(layout: MarkerLayout) -> Pixels:
    """The mat of a layout on A3; the largest is drawn from its markers, as it takes 1 GB."""
    if layout.board.pitch_mm < 40:
        return mat_of(layout, "a3")
    page = printed(sheets(layout, "a3"))[1]
    found = corners_mm(page)
    width, height = (round(side * PX_A_MM) for side in layout.size_mm)
    mat = np.full((height, width, 3), 255, np.uint8)
    side = round(layout.card_mm * PX_A_MM) // 2 - 8
    for name, (x, y) in enumerate(layout.centres):
        u, v = (round(float(at) * PX_A_MM) for at in found[name].mean(axis=0))
        card = page[v - side : v + side, u - side : u + side]
        row = round((y + layout.size_mm[1] / 2) * PX_A_MM) - side
        column = round((x + layout.size_mm[0] / 2) * PX_A_MM) - side
        mat[row : row + 2 * side, column : column + 2 * side] = card
    return mat


def test_sheets_made_again_are_equal_and_are_not_to_be_scaled() -> None:
    first = sheets(DUO, "letter", "ja")
    assert sheets(DUO, "letter", "ja") == first
    assert b"/PrintScaling /None" in first
    assert DPI == 300


def test_a_mat_that_fits_is_one_sheet_and_a_larger_one_is_in_named_parts() -> None:
    assert len(texts(sheets(DUO, "a3"))) == 2
    parts = texts(sheets(DUO, "a4"))[1:]
    assert [name for name in ("A1", "A2") if any(name in text for text in parts)] == ["A1", "A2"]
    assert len(parts) == 2


@pytest.mark.parametrize("squares", [14, 20])
@pytest.mark.parametrize("pitch_mm", [8.0, 14.0, 27.3, 40.0])
@pytest.mark.parametrize("paper", PAPERS)
def test_no_seam_runs_through_a_marker(squares: int, pitch_mm: float, paper: str) -> None:
    layout = MarkerLayout(BoardSize(squares, pitch_mm))
    size = np.array(layout.size_mm)
    for tile in Tiling.of(*layout.size_mm, PAPERS[paper]):
        for centre in layout.centres:
            x, y = np.array(centre) + size / 2
            for seam, at in ((tile.x, x), (tile.y, y)):
                assert seam == 0 or abs(seam - at) > layout.card_mm / 2
