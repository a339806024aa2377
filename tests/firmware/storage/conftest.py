"""Set-up of the tests of storage: a disk that others use at the same moment is waited for."""

import pytest

from firmware.storage.journal import Journal
from tests.support.wall_clock import WALL_CLOCK


@pytest.fixture(autouse=True)
def _patient_journal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a journal wait longer for the disk, but in tests of its limits of wall time."""
    if request.node.get_closest_marker(WALL_CLOCK.name) is None:
        defaults = {**(Journal.__init__.__kwdefaults__ or {}), "patience_s": 30.0}
        monkeypatch.setattr(Journal.__init__, "__kwdefaults__", defaults)
