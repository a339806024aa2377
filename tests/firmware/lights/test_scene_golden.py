"""Every scene equals its reviewed golden picture."""

import cv2
import numpy as np
import pytest

from tests.support.golden_scenes import FOLDER, picture, scenes

pytestmark = pytest.mark.slow

SCENES = scenes()


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_looks_as_it_did(name: str) -> None:
    golden = cv2.imread(str(FOLDER / f"{name}.png"))
    assert golden is not None, f"no {name}.png: python -m tests.support.golden_scenes"
    assert np.array_equal(picture(name, *SCENES[name]), golden)


def test_there_is_no_picture_without_its_scene() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(SCENES)
