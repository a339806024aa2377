"""Shared set-up of the tests: the folder of further data, and a deterministic hypothesis."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent
FURTHER = Path(os.environ.get("CORNERLIGHT_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def further_data() -> Path:
    """The folder of data too large for the repository; skips the test if it is absent."""
    if not FURTHER.is_dir():
        pytest.skip(f"no further data at {FURTHER}; set CORNERLIGHT_DATA to its folder")
    return FURTHER
