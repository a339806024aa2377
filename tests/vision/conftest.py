"""Fixtures with the pictures that `vision` is tested on."""

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

cv2.setNumThreads(1)

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def samples() -> Path:
    """Folder of the few pictures that come with the tests."""
    return HERE / "data"


@pytest.fixture(scope="session")
def truth(samples: Path) -> dict[str, Any]:
    """True corners, cells, and presence of a hand, for each of them."""
    loaded: dict[str, Any] = json.loads((samples / "truth.json").read_text(encoding="utf-8"))
    return loaded
