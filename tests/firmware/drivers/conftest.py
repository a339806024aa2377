"""The simulated Raspberry Pi, compiled once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.driver_machine import DriverProcess, compiled


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("fakepi"))


@pytest.fixture
def machines() -> Iterator[list[DriverProcess]]:
    """Driver processes that a test starts; they are killed after it."""
    started: list[DriverProcess] = []
    yield started
    for machine in started:
        machine.kill()
