from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_boards import EMPTY_ROWS, MARGIN, SCALE, flat_board
from tests.support.reading_scores import LETTERS
from vision.camera import Image
from vision.classification.colour_classifier import choose, judge
from vision.classification.colour_fit import fit, in_light, relit
from vision.errors import GeometryError
from vision.features.square_features import SquareFeatures, hiding, measure_squares, without_pattern

PURPLE_ORANGE = ("purple", "orange")


def board(first: str = "P", second: str = "O") -> list[str]:
    rows = [*EMPTY_ROWS[:5], ".....AA.......", "......AA.BB...", "......A..BBB..", *EMPTY_ROWS[:6]]
    return named_by(rows, first + second)


def named_by(rows: list[str], letters: str) -> list[str]:
    return [row.translate(str.maketrans("AB", letters)) for row in rows]


def view(rows: list[str]) -> Image:
    cut = (MARGIN - 1) * SCALE
    return flat_board(rows, markers=False)[cut:-cut, cut:-cut]


def read(observed: SquareFeatures, palette: tuple[str, ...]) -> list[str]:
    posteriors = judge(observed, fit(observed, palette))
    marks = np.array(["."] + [LETTERS[name] for name in palette])
    letters = marks[posteriors.evidence.argmax(axis=1)].reshape(14, 14)
    return ["".join(row) for row in letters]


def plain_look(tint: np.ndarray) -> SquareFeatures:
    even, none = np.full(len(tint), 45, np.float32), np.zeros(len(tint), np.float32)
    unasked = np.zeros((len(tint), 4), np.float32)
    return SquareFeatures(tint.astype(np.float32), even, even, none, none > 0, unasked)


@pytest.mark.parametrize("light", [0.35, 0.7, 1.0])
@pytest.mark.parametrize("cast", [(1.0, 1.0, 1.0), (0.8, 0.95, 1.1), (1.1, 1.0, 0.88)], ids=str)
def test_colours_are_recognised_in_any_light(light: float, cast: tuple[float, ...]) -> None:
    lit = np.clip(view(board()) * light * np.array(cast), 0, 255).astype(np.uint8)
    assert read(measure_squares(lit, 14, 1), PURPLE_ORANGE) == board()


def test_tint_hardly_changes_with_brightness() -> None:
    """Multiplies light linearly, as a shadow, a cloud or the exposure do."""
    bright = view(board())
    dark = (255 * ((bright / 255) ** 2.2 * 0.4) ** (1 / 2.2)).round().astype(np.uint8)
    one, other = measure_squares(bright, 14, 1), measure_squares(dark, 14, 1)
    assert np.abs(one.tint - other.tint).max() < 0.12
    assert (other.lightness < one.lightness - 3).all()


def test_glare_on_the_flat_middle_does_not_hide_a_colour() -> None:
    flared = view(board())
    for row, column in ((5, 5), (7, 10), (6, 6)):
        y, x = (row + 1) * SCALE, (column + 1) * SCALE
        flared[y + 9 : y + 31, x + 9 : x + 31] = 255
    assert read(measure_squares(flared, 14, 1), PURPLE_ORANGE) == board()


def test_a_burnt_out_square_is_hidden_and_not_empty() -> None:
    burnt = view(board())
    burnt[6 * SCALE : 7 * SCALE, 6 * SCALE : 7 * SCALE] = 255
    observed = measure_squares(burnt, 14, 1)
    assert observed.hidden.nonzero()[0].tolist() == [5 * 14 + 5]


def test_what_is_neither_board_nor_piece_is_strange() -> None:
    odd = view(board())
    odd[3 * SCALE : 4 * SCALE, 3 * SCALE : 4 * SCALE] = (200, 250, 190)
    observed = measure_squares(odd, 14, 1)
    strange = judge(observed, fit(observed, PURPLE_ORANGE)).strange
    assert np.flatnonzero(strange > 0).tolist() == [2 * 14 + 2]


@pytest.mark.parametrize(
    ("letters", "palette"),
    [("PO", PURPLE_ORANGE), ("BG", ("blue", "green")), ("RY", ("red", "yellow"))],
)
def test_the_edition_is_recognised_from_the_board(letters: str, palette: tuple[str, ...]) -> None:
    choice = choose(measure_squares(view(board(*letters)), 14, 1), 14)
    colours, sure = choice.colours, choice.is_sure
    assert colours.palette == palette
    assert sure


def test_black_and_white_are_recognised_by_lightness() -> None:
    observed = measure_squares(view(board("K", "W")), 14, 1)
    choice = choose(observed, 14)
    colours, sure = choice.colours, choice.is_sure
    assert colours.palette == ("black", "white")
    assert sure
    assert read(observed, ("black", "white")) == board("K", "W")
    assert judge(observed, colours).evidence.max(axis=1).min() > 0.9


@pytest.mark.parametrize("ends", [(0.6, 1.6), (0.4, 2.4)], ids=str)
def test_black_and_white_are_recognised_where_a_lamp_falls_off(
    ends: tuple[float, float],
) -> None:
    rows = np.linspace(*ends, 16 * SCALE)[:, None, None]
    lit = np.clip(view(board("K", "W")) * rows, 0, 255).astype(np.uint8)
    observed = measure_squares(lit, 14, 1)
    posteriors = judge(observed, fit(observed, ("black", "white")))
    letters = np.array([".", "K", "W"])[posteriors.evidence.argmax(axis=1)]
    assert "".join(letters) == "".join(board("K", "W"))


def test_a_shadow_on_a_board_of_black_and_white_is_no_black_piece() -> None:
    across = np.abs(np.linspace(-1, 1, 16 * SCALE))
    shade = np.clip(0.35 + across, 0.35, 1)[:, None, None] * np.ones((1, 16 * SCALE, 1))
    shade[:, : 8 * SCALE] = 1
    lit = (view(board("K", "W")) * cv2.GaussianBlur(shade, (0, 0), 60)[..., None]).astype(np.uint8)
    observed = measure_squares(lit, 14, 1)
    posteriors = judge(observed, fit(observed, ("black", "white")))
    letters = np.array([".", "K", "W"])[posteriors.evidence.argmax(axis=1)]
    wrong = letters != np.array(list("".join(board("K", "W"))))
    assert not (posteriors.evidence.max(axis=1)[wrong] > 0.9).any()


@pytest.mark.parametrize(("paint", "sure"), [((96, 84, 40), True), ((62, 58, 56), False)])
def test_black_beside_a_mirrored_lamp_is_sure_where_the_board_has_a_tint(
    paint: tuple[int, int, int], *, sure: bool
) -> None:
    rows = board("K", "W")
    picture = view(rows)
    squares = np.kron(np.array([list(row) for row in rows]) == ".", np.ones((SCALE, SCALE))) > 0
    field = picture[SCALE:-SCALE, SCALE:-SCALE]
    field[squares] = paint
    shaded = (slice(9 * SCALE, 10 * SCALE), slice(8 * SCALE, 9 * SCALE))
    field[shaded] = np.array(paint) * 0.4
    observed = measure_squares(picture, 14, 1)
    glare, depth, tint = (value.copy() for value in (observed.glare, observed.depth, observed.tint))
    # Beside a black square, the shaded one, and a white one, which may be black that mirrors it.
    glare[[4 * 14 + 6, 9 * 14 + 9, 7 * 14 + 11]] = 0.4
    # A white piece covers half of a square in shade: neither its depth nor its tint is the board's.
    half, white = 9 * 14 + 10, 7 * 14 + 10
    depth[half], tint[half] = observed.depth[5 * 14 + 6], observed.tint[white]
    observed = replace(observed, glare=glare, depth=depth, tint=tint)
    evidence = judge(observed, fit(observed, ("black", "white"))).evidence
    black = evidence[[5 * 14 + 6, 9 * 14 + 8, half], 1]
    assert (black[0] > 0.9) == sure
    assert (black[1:] < 0.9).all()
    assert 0.5 < evidence[white, 2] < 0.9


def test_an_empty_board_tells_no_edition() -> None:
    sure = choose(measure_squares(view(EMPTY_ROWS), 14, 1), 14).is_sure
    assert not sure


def test_hidden_squares_teach_nothing() -> None:
    observed = measure_squares(view(board()), 14, 1)
    hidden = np.array([mark != "." for mark in "".join(board())])
    assert fit(observed, PURPLE_ORANGE).members[1:].min() > 2
    assert fit(hiding(observed, hidden), PURPLE_ORANGE).members[1:].max() < 0.1


def test_colours_follow_the_light() -> None:
    bright = measure_squares(view(board()), 14, 1)
    lamp = (view(board()) * 0.6).astype(np.uint8)
    dark = measure_squares(lamp, 14, 1)
    gain = float(np.median((dark.lightness + 16) / (bright.lightness + 16)))
    posteriors = judge(dark, in_light(fit(bright, PURPLE_ORANGE), gain))
    assert posteriors.strange.max() < 0
    assert (posteriors.evidence.max(axis=1) > 0.9).all()


def test_a_chequered_board_is_read_with_its_empty_picture() -> None:
    chequer = np.indices((14, 14)).sum(axis=0).ravel() % 2
    plain = measure_squares(view(board()), 14, 1)
    bare = measure_squares(view(EMPTY_ROWS), 14, 1)

    def inlaid(observed: SquareFeatures) -> SquareFeatures:
        tint = observed.tint + (chequer[:, None] * np.array([0.22, 0.3])).astype(np.float32)
        return replace(observed, tint=tint)

    freed = without_pattern(inlaid(plain), inlaid(bare))
    assert read(freed, PURPLE_ORANGE) == board()


def test_an_unknown_colour_is_refused() -> None:
    with pytest.raises(GeometryError, match="pink"):
        fit(measure_squares(view(board()), 14, 1), ("pink", "orange"))


def test_yellow_under_a_cold_lamp_is_not_what_green_was_before() -> None:
    four = ("blue", "yellow", "red", "green")
    held = np.repeat([0, 1, 2, 3, 4], [200, 50, 50, 50, 50])
    warm = np.array([[0.16, 0.42], [0.02, -0.53], [0.28, 0.83], [1.04, 0.77], [-0.64, 0.54]])
    # The same board under another lamp, by a camera with clipped channels.
    cold = np.array([[-0.01, -0.19], [0.61, -1.3], [-0.17, 0.76], [0.94, 0.37], [-0.62, 0.27]])
    noise = np.random.default_rng(1).normal(0, 0.02, (400, 2))
    before = fit(plain_look(warm[held] + noise), four)
    now = plain_look(cold[held] + noise)
    for known, right in ((before, False), (relit(before, now, held), True)):
        contents = judge(now, fit(now, four, known)).evidence.argmax(axis=1)
        assert (contents == held).all() == right
