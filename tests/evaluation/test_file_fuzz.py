"""A few damaged files of every kind, and the definition of a fault."""

import random

import pytest

from tests.evaluation.file_fuzz import KINDS, fuzz
from tests.support.bounded_runs import MOST_BYTES, CompletedRun, runner

pytestmark = pytest.mark.slow


def test_damaged_files_are_read_or_refused_within_bounds() -> None:
    tallies = fuzz([*KINDS], iter((1, 2)))
    for kind, tally in tallies.items():
        assert not tally.faults, kind
        assert tally.read + tally.refused == 2


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_damages_the_same_way(kind: str) -> None:
    case = KINDS[kind](random.Random(4))  # noqa: S311
    assert case == KINDS[kind](random.Random(4))  # noqa: S311
    names = {name.split("/")[0] for name in case.files}
    assert {word[1:].split("/")[0] for word in case.words if word[0] == "@"} <= names


@pytest.mark.parametrize(
    ("run", "fault"),
    [
        (CompletedRun(0, 10, 1.0, "", ""), ""),
        (CompletedRun(2, 10, 1.0, "", "cornerlight: it is damaged\n"), ""),
        (CompletedRun(2, 10, 1.0, "", "a line\nand another\n"), "not told in one line"),
        (CompletedRun(2, 10, 1.0, "", ""), "not told in one line"),
        (CompletedRun(70, 10, 1.0, "", "KeyError"), "ended with 70: KeyError"),
        (CompletedRun(-11, 10, 1.0, "", ""), "ended with -11"),
        (CompletedRun(0, 10, 1.0, "", "Traceback (most recent call last)"), "a traceback"),
        (CompletedRun(0, MOST_BYTES + 1, 1.0, "", ""), "took 300 MB"),
        (CompletedRun(1, 10, 12.0, "", ""), "took 12.0 s"),
    ],
)
def test_a_broken_promise_is_a_fault(run: CompletedRun, fault: str) -> None:
    assert run.fault.startswith(fault)
    assert bool(run.fault) == bool(fault)


def test_a_run_that_raises_or_takes_too_much_is_seen() -> None:
    with runner() as running:
        assert running.run(["perft", "1"]).out == "828\n"
        assert running.run(["perft", "-1"]).status == 2
        small, large = running.run(["perft", "1"]), running.run(["perft", "2"])
    assert 0 < small.seconds < large.seconds
    assert small.peak > 10_000_000
