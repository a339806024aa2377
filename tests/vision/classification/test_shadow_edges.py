import numpy as np

from vision.classification.shadow_edges import faded

USUAL = np.log([40.0, 20.0, 100.0])


def field() -> np.ndarray:
    contents = np.zeros((14, 14), np.intp)
    contents[3:5, 3:5] = 1
    return contents


def test_a_piece_ends_where_a_square_ends() -> None:
    contents = field()
    assert not faded(contents.ravel(), USUAL[contents].ravel(), USUAL).any()


def test_a_shadow_fades_over_several_squares() -> None:
    contents = field()
    y, x = np.mgrid[0:14, 0:14]
    away = np.hypot(y - 3.5, x - 3.5)
    light = USUAL[1] + (USUAL[0] - USUAL[1]) * np.clip(away / 6, 0, 1)
    assert np.array_equal(faded(contents.ravel(), light.ravel(), USUAL), contents.ravel() == 1)


def test_what_is_hidden_is_no_edge() -> None:
    contents = np.full((14, 14), -1, np.intp)
    contents[3:5, 3:5] = 1
    assert not faded(contents.ravel(), np.zeros(196), USUAL).any()
