"""Where the pictures lie that the eyes are tested on."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

cv2.setNumThreads(1)

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def samples() -> Path:
    """The few pictures that come with the tests."""
    return HERE / "data"


@pytest.fixture(scope="session")
def truth(samples: Path) -> dict[str, Any]:
    """What is true of each of them: corners, cells, and whether a hand is there."""
    loaded: dict[str, Any] = json.loads((samples / "truth.json").read_text(encoding="utf-8"))
    return loaded
