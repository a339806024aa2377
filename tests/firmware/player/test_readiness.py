"""The seconds left until a service is ready, from the share of its functions that are compiled."""

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.player import readiness
from firmware.player.readiness import MODULES, telling
from tests.support.waiting import eventually


class Compiler:
    """A compilation whose clock and share a test sets.

    Attributes:
        now: seconds of its clock.
        share: share of the functions that are compiled.
        told: all messages.
    """

    def __init__(self, share: float) -> None:
        self.now, self.share = 100.0, share
        self.told: list[dict[str, Any]] = []

    def kept(self, modules: Collection[str]) -> float:
        assert "chance" in modules, "each service draws random numbers"
        return self.share

    def tells(self, after_s: float, share: float, told: tuple[int, int | None]) -> None:
        """Waits until it tells something when some seconds have passed since its start."""
        self.now, self.share = 100.0 + after_s, share
        eventually(lambda: self.told[-1:] == [{"start": told}])


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    one = Compiler(0.0)
    monkeypatch.setattr(readiness, "time", SimpleNamespace(monotonic=lambda: one.now))
    monkeypatch.setattr(readiness, "_EVERY_S", 0.001)
    return one


def test_the_seconds_left_follow_from_the_speed_so_far(compiler: Compiler) -> None:
    with telling("position", compiler.kept, compiler.told.append):
        compiler.tells(1.0, 0.0, (0, None))
        compiler.tells(1.0, 0.04, (4, None))
        compiler.tells(10.0, 0.1, (10, 160))
        compiler.tells(10.0, 0.4, (40, 10))
        compiler.tells(15.0, 0.7, (70, 4))
        compiler.tells(20.0, 1.0, (100, 0))
    count = len(compiler.told)
    compiler.now += 1
    assert len(compiler.told) == count, "it is ready"


def test_functions_that_another_process_had_compiled_take_no_time(compiler: Compiler) -> None:
    compiler.share = 0.5
    with telling("position", compiler.kept, compiler.told.append):
        compiler.tells(5.0, 0.5, (50, None))
        compiler.tells(5.0, 0.7, (70, 5))


def test_what_is_compiled_already_is_loaded_and_nothing_is_said_of_seconds(
    compiler: Compiler,
) -> None:
    compiler.share = 1.0
    with telling("puzzle", compiler.kept, compiler.told.append):
        compiler.tells(3.0, 1.0, (100, None))


def test_the_courses_begin_at_0_end_at_1_and_never_fall() -> None:
    assert readiness._COURSE.keys() == MODULES.keys()
    for course in readiness._COURSE.values():
        assert (course[0], course[-1], len(course)) == (0, 1, 11)
        assert list(course) == sorted(course)
