"""The workflow of the tests calls make targets, and each of them exists."""

import re

import pytest

from tests.conftest import ROOT

WORKFLOW = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z0-9]+):(?!=)", MAKEFILE, re.MULTILINE))
SHELL = {"set", "cd"}


def test_the_workflow_calls_only_make_targets_that_exist() -> None:
    steps = re.findall(r"^ +(?:- )?run: *(.*)$", WORKFLOW, re.MULTILINE)
    assert {"make lint", "make test", "make acceptance"} <= set(steps)
    for step in steps:
        command = re.fullmatch(r"make ([a-z]+)", step)
        assert command, f"{step!r} is no call of one make target"
        assert command[1] in TARGETS


def test_the_workflow_tests_the_oldest_and_the_newest_python() -> None:
    matrix = re.search(r"python: \[(.*)\]", WORKFLOW)
    assert matrix
    assert matrix[1] == '"3.11", "3.13"'
    about = (ROOT / "pyproject.toml").read_text()
    assert 'requires-python = ">=3.11"' in about
    assert '"Programming Language :: Python :: 3.13"' in about


def test_continuous_integration_runs_the_suite_then_the_acceptance_tests() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    calls = [line[1] for line in words if line[0] == "make"]
    assert [line[0] for line in words if line[0] not in {*SHELL, "make"}] == []
    assert calls[-2:] == ["test", "acceptance"]
    assert set(calls) <= TARGETS


@pytest.mark.parametrize("target", sorted(TARGETS - {"help"}))
def test_help_names_every_target_for_people(target: str) -> None:
    assert f'@echo "make {target} ' in MAKEFILE


def test_every_target_for_people_is_phony() -> None:
    phony = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert set(" ".join(phony).split()) == TARGETS
