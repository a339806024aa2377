from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import (
    CORNERS,
    EMPTY_ROWS,
    MARGIN,
    PAINT,
    SCALE,
    flat_board,
    photograph,
    with_hand,
)
from tests.support.reading_scores import named, rows, score
from vision.camera import Frame, Image
from vision.errors import BoardFailure
from vision.io.image_file import load_picture
from vision.io.overlay import draw
from vision.reader import Reader, read_picture
from vision.reading import GOES_ON, Reading

pytestmark = pytest.mark.slow

SQUARE = (CORNERS[1] - CORNERS[0]) / 14
"""Pixels across and down from one square to the next in a row."""

ONE = [*EMPTY_ROWS[:5], ".....PP.......", "......PP......", "......P.......", *EMPTY_ROWS[:6]]
TWO = [*ONE[:6], "......PP.OO...", "......P..OOO..", *ONE[8:]]


def follow(reader: Reader, *pictures: Image) -> list[Reading]:
    readings = []
    for number, picture in enumerate(pictures, 1):
        reading = reader.read(Frame(picture, number / 2, number))
        assert isinstance(reading, Reading), reading.reason
        readings.append(reading)
    return readings


def test_a_reading_keeps_its_promises() -> None:
    (reading,) = follow(Reader(14), photograph(flat_board(TWO)))
    assert reading.probabilities.shape == (196, 3)
    assert reading.probabilities.dtype == np.float32
    assert np.allclose(reading.probabilities.sum(axis=1), 1, atol=1e-5)
    assert reading.corners.shape == (4, 2)
    assert reading.shift_px == 0
    assert 20 < reading.brightness < 120
    assert rows(reading) == TWO


def test_a_game_is_followed_and_a_hand_is_seen() -> None:
    pictures = [photograph(flat_board(board), seed=k) for k, board in enumerate((EMPTY_ROWS, ONE))]
    empty, before, during, after = follow(
        Reader(14), *pictures, with_hand(pictures[1]), photograph(flat_board(TWO), seed=3)
    )
    assert not empty.hand
    assert not before.hand
    assert rows(before) == ONE
    assert during.hand
    assert during.covered.sum() > 10
    assert np.allclose(during.probabilities[during.covered], 1 / 3)
    assert not after.hand
    assert rows(after) == TWO
    assert np.array_equal(after.corners, empty.corners)


def test_a_hand_in_the_first_frame_is_seen() -> None:
    picture = photograph(flat_board(TWO))
    first, then = follow(Reader(14), with_hand(picture), picture)
    assert first.hand
    assert not then.hand
    assert rows(then) == TWO


@pytest.mark.parametrize("light", [0.5, 1.5])
def test_a_change_of_light_is_survived_and_told(light: float) -> None:
    picture = photograph(flat_board(ONE))
    other = np.clip(photograph(flat_board(ONE), seed=2) * light, 0, 255).astype(np.uint8)
    before, after = follow(Reader(14), picture, other)
    assert not after.hand
    assert rows(after) == ONE
    assert after.brightness / before.brightness == pytest.approx(light, rel=0.1)


@pytest.mark.parametrize("push", [(7.0, -5.0), (60.0, 25.0)], ids=["bump", "knock"])
@pytest.mark.parametrize("known", ["markers", "corners"])
def test_a_moved_camera_is_noticed(push: tuple[float, float], known: str) -> None:
    markers = known == "markers"
    corners = None if markers else CORNERS
    still = photograph(flat_board(ONE, markers=markers))
    moved = photograph(flat_board(TWO, markers=markers), corners=CORNERS + np.array(push))
    first, second, third = follow(Reader(14, corners=corners), still, moved, moved)
    assert second.shift_px == pytest.approx(float(np.hypot(*push)), abs=3)
    assert third.shift_px == 0
    assert np.abs(second.corners - CORNERS - np.array(push)).max() < 4
    assert rows(third) == TWO
    assert first.shift_px == 0


def test_a_camera_that_moves_by_a_whole_square_is_followed_at_once() -> None:
    still = photograph(flat_board(ONE, markers=False))
    for x, y in ((186, 80), (186, 300), (170, 500), (450, 60), (740, 200), (750, 480), (450, 610)):
        cv2.circle(still, (x, y), 24, (60, 160, 60), -1)
    shift = np.column_stack([np.eye(2), SQUARE])
    size = still.shape[1], still.shape[0]
    moved = cv2.warpAffine(still, shift, size, borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)
    _, second, third = follow(Reader(14, corners=CORNERS), still, moved, moved)
    assert second.shift_px == pytest.approx(float(np.hypot(*SQUARE)), abs=3)
    assert rows(third) == ONE


def test_a_board_that_is_pushed_by_a_whole_square_is_followed_at_once() -> None:
    still = photograph(flat_board(ONE, markers=False))
    pushed = photograph(flat_board(TWO, markers=False), corners=CORNERS + SQUARE)
    *_, found = follow(Reader(14), still, still, pushed)
    assert rows(found) == TWO


def test_a_board_that_is_pushed_by_three_squares_is_searched_for() -> None:
    still = photograph(flat_board(ONE, markers=False))
    pushed = photograph(flat_board(TWO, markers=False), corners=CORNERS + 3 * SQUARE)
    reader = Reader(14)
    follow(reader, still, still)
    found = [reader.read(Frame(pushed, 2 + number / 2, number)) for number in range(10)]
    assert [isinstance(one, BoardFailure) for one in found].count(True) == 1
    assert isinstance(found[-1], Reading)
    assert rows(found[-1]) == TWO


def test_a_board_that_is_taken_away_is_lost_and_found_again() -> None:
    picture = photograph(flat_board(ONE))
    table = photograph(np.full((800, 800, 3), (70, 95, 120), np.uint8))
    reader = Reader(14)
    follow(reader, picture)
    lost = reader.read(Frame(table, 1.0, 2))
    assert isinstance(lost, BoardFailure)
    assert "moved" in lost.reason
    (back,) = follow(reader, picture)
    assert rows(back) == ONE


def test_what_stays_beside_the_board_becomes_part_of_the_table() -> None:
    picture = photograph(flat_board(ONE))
    cluttered = picture.copy()
    cv2.circle(cluttered, (196, 330), 26, (230, 235, 240), -1)
    readings = follow(Reader(14), picture, *[cluttered] * 12)
    assert not readings[-1].hand
    assert rows(readings[-1])[:6] == ONE[:6]


def test_a_hand_that_rests_covers_its_squares_alone_and_for_as_long_as_it_rests() -> None:
    picture = photograph(flat_board(TWO))
    resting = with_hand(picture)
    *_, before, after = follow(Reader(14), picture, *[resting] * 12, picture)
    assert not before.hand
    assert before.covered.sum() > 10
    assert score(before, TWO).wrong == 0
    assert not after.covered.any()
    assert rows(after) == TWO


def test_an_arm_that_has_rested_beside_the_squares_is_gone_at_once() -> None:
    picture = photograph(flat_board(TWO))
    arm = picture.copy()
    cv2.line(arm, (710, 200), (713, 450), (120, 155, 205), 30)
    *_, rested, gone = follow(Reader(14), *[picture] * 2, *[arm] * 12, picture)
    assert not rested.hand
    assert not gone.hand


def test_another_lamp_is_got_used_to() -> None:
    picture = photograph(flat_board(TWO))
    shade = np.clip(np.linspace(0.2, 1.5, 960), 0.4, 1.2)[:, None]
    lamp = np.clip(picture * shade, 0, 255).astype(np.uint8)
    *_, settled = follow(Reader(14), picture, *[lamp] * 8)
    assert not settled.hand
    assert rows(settled) == TWO


def test_squares_that_turn_into_a_colour_by_themselves_are_not_believed() -> None:
    blank = photograph(flat_board(EMPTY_ROWS))
    full = [*EMPTY_ROWS[:4], *["...PPPPP......"] * 4, *EMPTY_ROWS[:6]]
    palette = ("purple", "orange")
    *_, sudden = follow(Reader(14, palette), blank, photograph(flat_board(full)))
    assert not sudden.hand
    assert score(sudden, full).unsure == 20
    laid = photograph(flat_board(full))
    *_, after = follow(Reader(14, palette), blank, with_hand(laid), laid)
    assert rows(after) == full


@pytest.mark.parametrize("way", [(21, 1), (1, 21), (31, 1)])
def test_motion_blur_is_reported(way: tuple[int, int]) -> None:
    picture = photograph(flat_board(TWO))
    smeared = np.asarray(cv2.blur(picture, way), np.uint8)
    sharp, blurred = follow(Reader(14), picture, smeared)
    assert not sharp.blurred
    assert blurred.blurred


def test_lit_squares_are_covered_and_no_hand() -> None:
    picture = photograph(flat_board(ONE))
    glowing = flat_board(ONE)
    squares = [(0, 0), (0, 1), (1, 0), (9, 9), (13, 13)]
    lit = np.zeros((14, 14), bool)
    for row, column in squares:
        lit[row, column] = True
        y, x = ((MARGIN + at) * SCALE + 4 for at in (row, column))
        glowing[y : y + 32, x : x + 32] = (60, 150, 255)
    reader = Reader(14)
    follow(reader, picture)
    reading = reader.read(Frame(photograph(glowing, seed=4), 1.0, 2), lit.ravel())
    assert isinstance(reading, Reading)
    assert not reading.hand
    assert np.array_equal(reading.covered, lit.ravel())
    seen = np.array([list(row) for row in rows(reading)])
    assert (seen[~lit] == np.array([list(row) for row in ONE])[~lit]).all()
    (after,) = follow(reader, picture)
    assert rows(after) == ONE


@pytest.mark.parametrize("name", ["markers_005.jpg", "markers_008.jpg"])
@pytest.mark.parametrize("known", ["markers", "corners"])
def test_a_rendered_board_is_read_exactly(
    samples: Path, truth: dict[str, Any], name: str, known: str
) -> None:
    image = load_picture(samples / name)
    corners = truth[name]["corners"]
    reading = read_picture(image, corners=corners if known == "corners" else None)
    assert isinstance(reading, Reading)
    assert rows(reading) == named(truth[name]["cells"], "purple", "orange")
    assert np.abs(reading.corners - corners).max() < 4


def test_a_recorded_game_is_read_frame_by_frame(samples: Path, truth: dict[str, Any]) -> None:
    reader = Reader(14)
    for number, name in enumerate((n for n in truth if n.startswith("game")), 1):
        (reading,) = follow(reader, load_picture(samples / name))
        assert reading.hand == truth[name]["hand"], name
        if not reading.hand:
            assert rows(reading) == named(truth[name]["cells"], "purple", "orange"), name
        bumped = name == "game_40.jpg"
        assert (reading.shift_px > 4) == bumped, (number, name)


def test_without_a_board_a_remedy_is_named() -> None:
    lost = read_picture(np.full((480, 640, 3), 90, np.uint8))
    assert isinstance(lost, BoardFailure)
    assert "corners" in lost.reason


def mirror_image(picture: Image) -> Image:
    return np.ascontiguousarray(picture[:, ::-1])


def test_a_mirrored_picture_is_refused_where_markers_show_it() -> None:
    picture = photograph(flat_board(ONE))
    assert isinstance(read_picture(picture), Reading)
    lost = read_picture(mirror_image(picture))
    assert isinstance(lost, BoardFailure)
    assert lost is BoardFailure.MIRRORED
    assert "camera.mirror = true" in lost.reason


def test_a_mirrored_table_is_told_in_every_frame() -> None:
    picture = photograph(flat_board(ONE))
    reader = Reader(14, ("purple", "orange"))
    codes = []
    for second, seen in enumerate([mirror_image(picture)] * 2 + [np.full_like(picture, 90)] * 6):
        lost = reader.read(Frame(seen, float(second), second + 1))
        assert isinstance(lost, BoardFailure)
        codes.append(lost)
    assert codes == [BoardFailure.MIRRORED] * 2 + [BoardFailure.NO_BOARD] * 6
    assert isinstance(reader.read(Frame(picture, 9.0, 9)), Reading)


def test_a_table_does_not_search_for_a_board_in_every_frame() -> None:
    reader = Reader(14, ("purple", "orange"))
    plain = photograph(flat_board(ONE, markers=False))
    nothing = np.full_like(plain, 90)
    assert isinstance(reader.read(Frame(nothing, 0.0, 1)), BoardFailure)
    assert isinstance(reader.read(Frame(plain, 0.5, 2)), BoardFailure), (
        "a search takes a second or more"
    )
    assert isinstance(reader.read(Frame(plain, 6.0, 3)), Reading)


def test_an_edition_in_doubt_makes_pieces_doubtful() -> None:
    strange = flat_board(ONE)
    strange[np.all(strange == (140, 45, 96), axis=2)] = (120, 30, 30)
    reading = read_picture(photograph(strange))
    assert isinstance(reading, Reading)
    assert score(reading, ONE).wrong <= 0


def test_an_edition_that_was_confirmed_is_doubted_no_longer() -> None:
    strange = flat_board(ONE)
    strange[np.all(strange == PAINT["P"], axis=2)] = (130, 40, 55)
    picture, reader = photograph(strange), Reader(14)
    before, again = follow(reader, picture, picture)
    piece = before.probabilities[:, 0] < 0.5
    assert piece.sum() == 5
    assert again.probabilities[piece].max() < 0.9
    reader.confirm(("orange", "purple"))
    (sure,) = follow(reader, picture)
    assert sure.palette == again.palette
    assert rows(sure) == ONE
    reader.confirm(None)
    *_, open_again = follow(reader, photograph(flat_board(EMPTY_ROWS)), picture)
    assert open_again.probabilities[piece].max() < 0.9


def test_an_overlay_marks_pieces_and_leaves_the_picture_alone() -> None:
    picture = with_hand(photograph(flat_board(ONE)))
    original = picture.copy()
    reading = read_picture(picture, corners=CORNERS)
    assert isinstance(reading, Reading)
    drawn = draw(picture, reading)
    assert drawn.shape == picture.shape
    assert np.array_equal(picture, original)
    assert np.abs(drawn.astype(int) - picture).max() > 60


def test_white_that_burns_out_at_the_edge_is_no_hand() -> None:
    board = ["..WWWW........", "..W...........", *EMPTY_ROWS[:6], "....KKKK......", *EMPTY_ROWS[:5]]
    burnt = flat_board(board)
    burnt[np.all(burnt > 225, axis=2) & (np.arange(len(burnt)) < 200)[:, None]] = 255
    y, x = MARGIN * SCALE, (MARGIN + 2) * SCALE
    burnt[y + 2 : y + SCALE - 2, x : x + 4 * SCALE] = 255
    (reading,) = follow(Reader(14, ("black", "white")), photograph(burnt))
    assert reading.probabilities[2:6, 0].max() < 0.9
    assert not reading.hand


def test_lines_that_are_hardly_seen_make_no_board_move() -> None:
    plain = photograph(flat_board(EMPTY_ROWS, markers=False)).astype(np.float64)
    soft = cv2.GaussianBlur(plain, (0, 0), 12)
    faint, chance = soft + 0.05 * (plain - soft), np.random.default_rng(3)
    grainy = [np.clip(faint + chance.normal(0, 3, faint.shape), 0, 255) for _ in range(6)]
    reader = Reader(14, ("purple", "orange"), CORNERS)
    readings = follow(reader, *(picture.astype(np.uint8) for picture in grainy))
    assert all(reading.shift_px == 0 for reading in readings)


def test_a_sleeve_that_lay_beside_the_field_makes_no_hand_of_the_piece_laid_there() -> None:
    edge = [*EMPTY_ROWS[:5], ".............P", ".............P", "............PP", *EMPTY_ROWS[:6]]
    still, laid, sleeve = (flat_board(rows_) for rows_ in (EMPTY_ROWS, edge, EMPTY_ROWS))
    right = round((MARGIN + 14.2) * SCALE)
    sleeve[(MARGIN + 4) * SCALE : (MARGIN + 9) * SCALE, right : right + 2 * SCALE] = 150
    pictures = [photograph(sheet) for sheet in (still, still, sleeve, laid)]
    *_, beside, after = follow(Reader(14, ("purple", "orange")), *pictures)
    assert not beside.hand
    assert not after.hand
    assert rows(after) == edge


def test_a_dark_piece_over_a_frame_may_go_on_beyond_the_border(samples: Path) -> None:
    before, after = (load_picture(samples / f"over_frame_{n}.jpg") for n in (1, 2))
    *_, last = follow(Reader(14, ("black", "white")), before, before, after, after)
    bottom = last.beyond[2]
    assert bottom[12] > -GOES_ON
    assert (np.delete(bottom, 12) < -GOES_ON).all()
