"""Where the pictures lie that the eyes are tested on."""

import json
import os
from pathlib import Path
from typing import Any

import cv2
import pytest

cv2.setNumThreads(1)

HERE = Path(__file__).parent
FULL_DATA = Path(os.environ.get("CORNERLIGHT_DATA", HERE.parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def samples() -> Path:
    """The few pictures that come with the tests."""
    return HERE / "data"


@pytest.fixture(scope="session")
def truth(samples: Path) -> dict[str, Any]:
    """What is true of each of them: corners, cells, and whether a hand is there."""
    loaded: dict[str, Any] = json.loads((samples / "truth.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="session")
def full_data() -> Path:
    """The full set of pictures, which does not come with the code."""
    if not FULL_DATA.is_dir():
        pytest.skip(f"no full set of pictures at {FULL_DATA}; name it with CORNERLIGHT_DATA")
    return FULL_DATA
