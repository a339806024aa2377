"""Under a mirrored lamp a colour may be lost, but is never read as another one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.degraded_pictures import WORSENINGS
from tests.support.reading_scores import named, score
from vision.camera import Frame, Image
from vision.classification.colour_model import ColourModel
from vision.classification.specular import doubting_mirrored, is_lamp_mirrored
from vision.features.square_features import SquareFeatures
from vision.geometry.grid import Grid
from vision.io.image_file import load_picture
from vision.reader import Reader, read_picture
from vision.reading import Reading
from vision.shape.network import COLUMNS

(GLARE,) = (way for way in WORSENINGS if way.name == "glare")
PALETTE = ("purple", "orange")


def glaring(image: Image, corners: Any, strength: float, seed: int) -> Image:
    chance = np.random.default_rng(seed)
    return GLARE.apply(image, np.asarray(corners), strength, chance)[0]


@pytest.mark.parametrize("strength", [0.2, 0.7, 2])
def test_under_mirrored_lamps_nothing_is_read_wrong(
    samples: Path, truth: dict[str, Any], strength: float
) -> None:
    for name in ("markers_005.jpg", "markers_008.jpg"):
        image, corners = load_picture(samples / name), truth[name]["corners"]
        reading = read_picture(glaring(image, corners, strength, 2), 14, PALETTE, corners)
        assert isinstance(reading, Reading)
        result = score(reading, named(truth[name]["cells"], *PALETTE))
        assert result.wrong == 0
        assert result.right > 0.6 * 196


def colours() -> ColourModel:
    means = np.array([[0, 0, 30], [0.9, -1.0, 32], [0.6, 0.8, 60]], np.float64)
    spreads = np.array([np.diag([0.01, 0.01, 9.0])] * 3)
    return ColourModel(
        PALETTE, means, spreads, np.array([150.0, 20, 20]), np.tile([0.0, 0, 1], (196, 1))
    )


def observed(tint: tuple[float, float], light: float) -> SquareFeatures:
    """Makes a bare board with one other square, without shapes."""
    tints, lightness = np.zeros((196, 2), np.float32), np.full(196, 30, np.float32)
    tints[100], lightness[100] = tint, light
    none = np.zeros(196, np.float32)
    return SquareFeatures(
        tints, lightness, lightness, none, none > 0, np.zeros((196, COLUMNS), np.float32)
    )


@pytest.mark.parametrize(
    ("tint", "believed"), [((0.6, 0.8), True), ((0.3, 0.4), True), ((0.3, -0.35), False)]
)
def test_a_piece_with_the_hue_of_another_colour_is_doubted(
    tint: tuple[float, float], *, believed: bool
) -> None:
    evidence = np.tile([1.0, 0, 0], (196, 1))
    evidence[100] = [0, 0, 1]
    seen = doubting_mirrored(evidence, observed(tint, 55), colours(), np.zeros(196, bool))
    assert (seen[100, 2] > 0.9) == believed
    assert (np.delete(seen, 100, axis=0)[:, 0] > 0.9).all()


def test_what_is_much_darker_than_white_is_not_surely_white() -> None:
    """Black under a mirrored sky is lighter than a dark board, and far from white."""
    means = np.array([[0, 0, 35], [0, 0, 20], [0, 0, 97]], np.float64)
    spreads = np.array([np.diag([0.01, 0.01, 9.0])] * 3)
    greys = ColourModel(
        ("black", "white"),
        means,
        spreads,
        np.array([150.0, 20, 20]),
        np.tile([0.0, 0, 1], (196, 1)),
    )
    light, none = np.full(196, 35, np.float32), np.zeros(196, np.float32)
    light[:20], light[20:26] = 97, 55
    evidence = np.tile([1.0, 0, 0], (196, 1))
    evidence[:26] = [0, 0, 1]
    tints, shapes = np.zeros((196, 2), np.float32), np.zeros((196, COLUMNS), np.float32)
    features = SquareFeatures(tints, light, light, none, none > 0, shapes)
    sure = doubting_mirrored(evidence, features, greys, none > 0)[:, 2]
    assert (sure[20:26] < 0.7).all()
    assert (sure[26:] < 0.3).all()


def test_a_spot_of_light_is_a_mirrored_lamp_and_light_from_a_window_is_none() -> None:
    across = np.arange(14.0)
    window = 25 + 1.5 * across + 0 * across[:, None]
    bump = 30 + 25 * np.exp(-((across - 6) ** 2 + (across[:, None] - 4) ** 2) / 4)
    for field, mirrored in ((np.full((14, 14), 30.0), False), (window, False), (bump, True)):
        seen = observed((0, 0), 30)
        seen.lightness[:] = np.asarray(field, np.float32).ravel()
        assert is_lamp_mirrored(seen, colours()) == mirrored


def test_a_watched_vivid_table_asks_shapes_only_where_a_lamp_is_mirrored(
    samples: Path, truth: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(image: Image, grid: Grid, wanted: Any = None) -> Any:
        asked.append(1)
        return np.zeros((grid.size**2, COLUMNS), np.float32)

    monkeypatch.setattr("vision.reader.reliefs", counted)
    name = "markers_005.jpg"
    image, corners = load_picture(samples / name), truth[name]["corners"]
    reader, times = Reader(14, PALETTE), []
    for number, picture in enumerate((image, image, glaring(image, corners, 0.4, 2))):
        asked.clear()
        reader.read(Frame(picture, number / 2, number))
        times.append(len(asked))
    assert times == [1, 0, 1]
