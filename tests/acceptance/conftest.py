"""Whole games: pictures are computed in one thread, since tests run in parallel."""

import cv2
import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player import table_services

cv2.setNumThreads(1)


@pytest.fixture
def without_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simple player moves at once, and is the same on every machine."""

    def missing() -> None:
        raise PlayerError(PlayerFailure.NOT_INSTALLED, "it is not installed")

    monkeypatch.setattr(table_services, "EngineClient", missing)
