"""Traced boards for training: bodies, places and truth, without tracing."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.rules.board import Board
from firmware.rules.position import Position
from tests.training.shapes.boards import ANY_SHADE, NOT_KNOWN, traced
from tests.training.tracing.board import board_form, board_mesh
from tests.training.tracing.board_files import keep, truth_of
from tests.training.tracing.denoising import denoised
from tests.training.tracing.exposure import Exposure
from tests.training.tracing.eye import Eye
from tests.training.tracing.game import TracedTable
from tests.training.tracing.layout import (
    TracedPiece,
    contents_of,
    covered_by,
    misplaced,
    random_layout,
)
from tests.training.tracing.markers import Stuck, markers_around
from tests.training.tracing.mesh import Mesh, box, capsule, cylinder, ellipsoid, joined, plate
from tests.training.tracing.palette import palette_of
from tests.training.tracing.positions import BESIDE, TracedPosition
from tests.training.tracing.rim import TracedRim
from tests.training.tracing.scene import drawn
from tests.training.tracing.story import SIDE, Story
from tests.training.tracing.taste import FAR, WIDE
from tests.training.tracing.tiles import TOPS, Carelessness, TileForm, laid_down, rested, unit_of
from tests.training.tracing.truth import hidden_shares, shapes_of
from vision.camera import Image
from vision.detection.markers import IDS, find_markers
from vision.geometry.grid import Grid
from vision.squares.network import BARE, DARK, LIGHT, LIT, PARTIAL, UNDER

pytestmark = pytest.mark.slow

FORM = TileForm(16, 15.4, 5, (1.5, 0.8), (0.6, 0.4), True, "dish", 0.6, 0.3)  # noqa: FBT003
OVERHEAD = Eye.looking([20, -30, 600], [0, 0, 0], 10, 400).around([[130, 130, 0], [-130, -130, 0]])


def closed(mesh: Mesh) -> bool:
    """True if each edge of a surface has a face on both sides, and faces point outwards."""
    _, number = np.unique(mesh.vertices.round(6), axis=0, return_inverse=True)
    faces = number.ravel()[mesh.faces]
    edges = np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)])
    edges = edges[edges[:, 0] != edges[:, 1]]
    there, back = (np.sort(edges @ order) for order in ([len(number), 1], [1, len(number)]))
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.array_equal(there, back) and bool((a * np.cross(b, c)).sum() > 0)


@pytest.mark.parametrize("top", TOPS)
def test_tiles_are_closed_whichever_sides_they_share(top: str) -> None:
    for rounded, groove in product((True, False), ((0.0, 0.0), (0.6, 0.4))):
        form = replace(FORM, top=top, rounded=rounded, groove=groove)
        for left, right, bottom, upper in product((True, False), repeat=4):
            assert closed(unit_of(form, (left, right, bottom, upper)))


def test_rods_balls_boxes_and_boards_are_closed() -> None:
    chance = np.random.default_rng(4)
    bodies = [
        capsule([[0, 0, 0], [9, 4, 30]], (4, 3)),
        ellipsoid([1, 2, 3], [4, 5, 6], np.eye(3), 0.5),
        cylinder(5, 9, 0.5),
        box([4, 5, 6], 0.5),
    ]
    forms = [board_form(14, 16, np.full(3, 0.2), chance) for _ in range(8)]
    assert {form.lines for form in forms} == {"ridge", "groove", "printed"}
    assert all(closed(body) for body in [*bodies, *(board_mesh(f, chance) for f in forms)])


def test_every_layout_is_of_real_pieces_that_share_no_square() -> None:
    counts = []
    for seed in range(12):
        pieces = random_layout(14, 2, np.random.default_rng(seed))
        squares = [row * 14 + column for piece in pieces for row, column in piece.squares]
        assert len(set(squares)) == len(squares)
        for piece in pieces:
            assert Board.of(14).find([r * 14 + c for r, c in piece.squares]) is not None
        counts.append(len(squares))
        colours, numbers, shares = contents_of(pieces, 14)
        assert (colours > 0).sum() == (numbers > 0).sum() == len(squares)
        assert (shares[colours > 0] == 1).all()
    assert min(counts) < 60
    assert max(counts) > 150


def test_misplaced_pieces_lie_between_squares_and_not_on_each_other() -> None:
    between = 0
    for seed in range(12):
        chance = np.random.default_rng(seed)
        pieces = misplaced(random_layout(14, 2, chance), 14, chance)
        covered = sum((covered_by(piece, 14) for piece in pieces), np.zeros((14, 14)))
        assert covered.max() < 1.05
        assert covered.sum() == pytest.approx(sum(len(p.squares) for p in pieces), rel=0.01)
        shares = contents_of(pieces, 14)[2]
        between += int(((shares > 0.3) & (shares < 0.7)).sum())
    assert between > 50


def test_a_piece_half_a_square_off_covers_halves() -> None:
    shares = covered_by(TracedPiece(1, ((3, 4), (3, 5)), right=0.5), 14)
    assert shares[3, 4:7].tolist() == [0.5, 1.0, 0.5]
    assert shares.sum() == 2


def test_the_camera_sees_what_a_camera_of_opencv_sees() -> None:
    places = np.random.default_rng(5).uniform(-100, 100, (9, 3))
    middle = OVERHEAD.side / 2 - 0.5
    lens = np.array([[OVERHEAD.focal, 0, middle], [0, OVERHEAD.focal, middle], [0, 0, 1]])
    turn = cv2.Rodrigues(OVERHEAD.axes)[0]
    shift = -OVERHEAD.axes @ OVERHEAD.place
    expected = cv2.projectPoints(places, turn, shift, lens, None)[0].reshape(-1, 2)
    assert np.allclose(OVERHEAD.project(places), expected)
    assert np.linalg.det(OVERHEAD.axes) == pytest.approx(1)


@pytest.mark.parametrize("bend", [-0.15, 0.05])
def test_a_lens_bends_the_picture_as_it_bends_places(bend: float) -> None:
    eye = replace(OVERHEAD, bend=bend)
    straight = eye.straight()
    for place in np.array([[100.0, 90.0, 0.0], [-60.0, 20.0, 0.0], [10.0, -110.0, 0.0]]):
        picture = np.zeros((eye.side, eye.side, 3), np.float32)
        column, row = straight.project([place])[0].round().astype(int)
        picture[row - 1 : row + 2, column - 1 : column + 2] = 1
        seen = np.argwhere(eye.bent(picture)[..., 0] > 0.5).mean(axis=0)[::-1]
        assert np.allclose(seen, eye.project([place])[0], atol=1.0)
    assert straight.around([[130, 130, 0]]).bend == 0


def test_boards_are_seen_whole_from_afar_and_at_a_slant() -> None:
    scenes = [drawn(FAR, np.random.default_rng([9, number])) for number in range(30)]
    sizes = {len(scene.colours) for scene in scenes}
    assert sizes == {14, 20}
    for scene in scenes:
        corners = scene.eye.project(scene.corners)
        assert scene.board.size == len(scene.colours)
        assert ((corners > 0) & (corners < scene.eye.side)).all()
    tilts = np.degrees(np.arccos([-scene.eye.axes[2, 2] for scene in scenes]))
    assert tilts.max() > 30


def test_a_lamp_that_hides_the_board_is_seen_though_its_corners_are_not() -> None:
    wide = plate([0, 0, 300], [0, 0, -1], (400, 400))
    assert OVERHEAD.sees(wide.vertices)
    assert not OVERHEAD.sees(wide.moved([600, 0, 0]).vertices)
    assert not OVERHEAD.sees(wide.moved([0, 0, 900]).vertices)


def test_a_piece_lies_on_its_squares() -> None:
    chance = np.random.default_rng(6)
    exactly = Carelessness(0, 0, 0, 0)
    piece = laid_down(TracedPiece(1, ((0, 1), (0, 2), (1, 2))), FORM, 14, exactly, chance)
    corners = [[-112, 112, 0], [112, 112, 0], [112, -112, 0], [-112, -112, 0]]
    grid = Grid.of(OVERHEAD.project(corners), 14, (400, 400))
    low = piece.vertices[piece.vertices[:, 2] < 1]
    x, y = grid.unproject(OVERHEAD.project(low * [1, 1, 0])).T
    assert (x.min(), x.max()) == pytest.approx((1, 3), abs=0.03)
    assert (y.min(), y.max()) == pytest.approx((0, 2), abs=0.03)
    assert not ((x < 1.9) & (y > 1.1)).any()


def test_a_thing_hides_the_share_of_a_square_that_it_covers() -> None:
    square = np.array([[[[-8, 8, 0], [8, 8, 0], [8, -8, 0], [-8, -8, 0]]]])
    body = box([16, 16, 0.01], 0.5).moved([12, 0, 0.0])
    assert hidden_shares(OVERHEAD, [body], square)[0, 0] == pytest.approx(0.25, abs=0.04)


def test_shapes_tell_what_is_seen_and_not_what_is_hidden() -> None:
    colours = np.array([[0, 0, 1, 1], [0, 2, 0, 0]])
    hidden = np.array([[0, 0, 0, 0.3], [0.7, 0.05, 0.61, 0.59]])
    shares = np.array([[0, 0, 0.8, 1], [0, 0.5, 0.2, 0]])
    shapes = shapes_of(colours, shares, [(0, 1), (0, 2)], hidden)
    expected = [[BARE, LIT, ANY_SHADE, NOT_KNOWN], [UNDER, PARTIAL, UNDER, NOT_KNOWN]]
    assert shapes.tolist() == expected


def test_a_seed_is_a_scene_and_what_is_stored_is_read_back(tmp_path: Path) -> None:
    scene, again = (drawn(WIDE, np.random.default_rng([8, 3])) for _ in range(2))
    assert np.array_equal(scene.bodies[0].mesh.vertices, again.bodies[0].mesh.vertices)
    image = np.full((scene.eye.side, scene.eye.side, 3), 90, np.uint8)
    keep(tmp_path, "traced-008-00003", image, truth_of(scene), 90)
    (board,) = traced(tmp_path)
    tiles = np.isin(board.shapes, (DARK, LIGHT, ANY_SHADE))
    assert np.array_equal(tiles, scene.shapes == ANY_SHADE)
    assert np.array_equal(board.shapes[~tiles], scene.shapes[~tiles])
    assert np.array_equal(board.colours, scene.colours)
    assert np.allclose(board.grid.corners, scene.eye.project(scene.corners), atol=0.001)
    assert [path.suffix for path in sorted(tmp_path.iterdir())] == [".jpg", ".json"]


def test_each_face_finds_its_colour_in_the_palette() -> None:
    colours = np.random.default_rng(10).uniform(0.01, 0.9, (300, 3)).repeat(2, axis=0)
    palette, places = palette_of(colours)
    column, row = (places * [palette.shape[1], palette.shape[0]]).astype(int).T
    assert np.allclose(palette[row, column], colours, rtol=0.01)
    assert palette.size < 2 * colours.size


def test_denoising_calms_what_is_flat_and_keeps_edges() -> None:
    surface = np.zeros((40, 40, 6), np.float32)
    surface[:, 20:] = 0.5
    clean = 0.2 + surface[..., :3]
    light = clean * np.random.default_rng(9).normal(1, 0.1, (40, 40, 1)).astype(np.float32)
    calm = denoised(light, surface)
    assert (calm - clean).std() < 0.4 * (light - clean).std()
    assert calm[:, 19].mean() == pytest.approx(0.2, abs=0.02)
    assert calm[:, 20].mean() == pytest.approx(0.7, abs=0.03)


def drawn_flat(mesh: Mesh, eye: Eye) -> Image:
    """Draws faces in the order of the mesh, without light."""
    image = np.full((eye.side, eye.side, 3), 120, np.uint8)
    for face, colour in zip(eye.project(mesh.vertices)[mesh.faces], mesh.colours, strict=True):
        cv2.fillConvexPoly(image, face.round().astype(np.int32), (colour * 255).tolist())
    return image


@pytest.mark.parametrize("aside", [True, False])
def test_markers_lie_around_the_board_in_the_order_of_their_ids(*, aside: bool) -> None:
    chance = np.random.default_rng(11)
    form = board_form(14, 16, np.full(3, 0.2), chance)
    cards = markers_around(
        form, Stuck(25, 5, aside=aside, level=False, shift=1.0, turn=0.6), chance
    )
    everywhere = joined(cards)
    eye = Eye.looking([10, 10, 700], [0, 0, 0], 3, 900).around(everywhere.vertices)
    found = find_markers(drawn_flat(everywhere, eye))[0]
    assert [marker.id for marker in found] == list(IDS)
    for marker, card in zip(found, cards, strict=True):
        middle = eye.project(card.vertices).mean(axis=0)
        assert np.allclose(marker.corners.mean(axis=0), middle, atol=2)


def test_a_story_is_a_game_by_the_rules_but_for_what_it_says_breaks_them() -> None:
    story, position = Story().play(8, np.random.default_rng(12)), Position.start("duo")
    kinds = [event["type"] for event in story.events]
    assert kinds.count("move") == 8
    assert kinds.count("illegal") == kinds.count("withdrawn") == 1
    for event in story.events:
        colour = position.to_move
        assert colour is not None
        if "cells" not in event:
            continue
        assert event["color"] == "AB"[colour]
        squares = [column * SIDE + row for column, row in event["cells"]]
        index = position.board.find(squares)
        assert index is not None
        broken = bool(position.examine(squares, colour))
        assert broken == (event["type"] != "move")
        position = position if broken else position.play(position.board.move(index))
    last = {square for one in story.shots[-1].placed for square in one.piece.squares}
    assert len(last) == position.occupied.bit_count()


def test_what_lies_in_a_frame_is_reported_of_it() -> None:
    table, story = TracedTable.drawn((13, 1), WIDE), Story().play(3, np.random.default_rng(13))
    reached = [number for number, shot in enumerate(story.shots) if shot.reaching]
    shot = story.shots[reached[-1]]
    scene, hidden = table.scene(shot, reached[-1])
    labels = table.labels(shot, scene, hidden, "frame.jpg")
    covered = {square for one in shot.placed for square in one.piece.squares}
    rows = labels["cells_physical"]
    assert {(r, c) for r in range(SIDE) for c in range(SIDE) if rows[r][c] != "."} == covered
    assert labels["state"] == "hand"
    assert labels["occluded_cells"]
    again, _ = table.scene(shot, reached[-1])
    for one, other in zip(scene.bodies, again.bodies, strict=True):
        assert np.array_equal(one.mesh.vertices, other.mesh.vertices)


def test_a_camera_that_is_set_keeps_its_setting_when_the_light_changes() -> None:
    light = np.full((20, 20, 3), 0.3, np.float32)
    everywhere = np.ones((20, 20), bool)
    for seed in range(5):
        chance = np.random.default_rng(seed)
        exposure = Exposure.chosen(light, everywhere, WIDE, chance)
        usual, darker = (exposure.picture(part, chance).mean() for part in (light, light * 0.4))
        assert darker < 0.85 * usual


def test_a_position_lies_in_view_with_other_grids_beside_it() -> None:
    drawn = [TracedPosition.drawn((3, number), WIDE) for number in range(30)]
    assert {one.beside for one in drawn} == set(BESIDE)
    for number, one in enumerate(drawn):
        scene = one.scene()
        truth = one.truth(scene)
        corners = np.array(truth["grid_corners_px"])
        assert ((corners > 0) & (corners < scene.eye.side)).all()
        covered = {square for placed in one.shot.placed for square in placed.piece.squares}
        rows = truth["cells"]
        assert {(r, c) for r in range(SIDE) for c in range(SIDE) if rows[r][c] != "."} == covered
        more = len(one.table.fixed) > len(TracedTable.drawn((3, number), WIDE).fixed)
        assert more == (one.beside in ("board", "chess", "paper"))


def test_a_piece_over_the_rim_rests_on_frame_or_table() -> None:
    board = replace(
        board_form(SIDE, 16.0, np.full(3, 0.1), np.random.default_rng(1)),
        gap=0.0,
        frame_height=3.0,
        frame_width=20.0,
        thickness=5.0,
    )
    careful = Carelessness(0.0, 0.0, 0.0, board.ridge_height)

    def lowest(*columns: int) -> tuple[float, float]:
        piece = TracedPiece(1, tuple((4, column) for column in columns))
        laid = laid_down(piece, FORM, SIDE, careful, np.random.default_rng(2))
        heights = rested(laid, board).vertices
        middle = heights[:, 0].mean()
        left, right = heights[heights[:, 0] < middle], heights[heights[:, 0] >= middle]
        return float(left[:, 2].min()), float(right[:, 2].min())

    assert max(lowest(0, 1, 2)) < 0.3
    assert min(lowest(-3, -2)) > 2.9
    assert -5.0 < max(lowest(-6, -5)) < -4.7
    outer, inner = lowest(-1, 0, 1, 2)
    assert outer > inner + 1


def test_a_recording_at_the_rim_shows_the_squares_inside_and_the_table_around() -> None:
    for number in range(12):
        rim = TracedRim.drawn((5, number), WIDE, hangs=number % 2 == 0)
        before, hand, after = (
            rim.position.table.scene(shot, place)[0] for place, shot in enumerate(rim.shots, 1)
        )
        truth = rim.described()
        assert (truth["event"], truth["beyond"] > 0) == (
            ("illegal", True) if number % 2 == 0 else ("move", False)
        )
        assert Position.parse(truth["position"]) == rim.laid.position
        covered = (after.colours > 0).sum() - (before.colours > 0).sum()
        assert covered == len(rim.laid.squares)
        assert (hand.colours == before.colours).all()
        field = after.corners.mean(axis=0) + (after.corners - after.corners.mean(axis=0)) * 1.6
        seen = after.eye.project(field)
        assert ((seen > 0) & (seen < after.eye.side)).all()
