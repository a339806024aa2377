"""Locked dependencies: an extra adds to those of the program and changes none."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

PIN = re.compile(r"^([a-z0-9-]+==[^ ;]+(?: ; .*?)?) \\$", re.MULTILINE)


def pins(path: Path) -> set[str]:
    return set(PIN.findall(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("extra", ["player", "pi", "rtsp", "hardware"])
def test_an_extra_has_the_dependencies_of_the_program_and_its_own(extra: str) -> None:
    common = pins(ROOT / "requirements.lock")
    assert len(common) > 10
    added = pins(ROOT / f"requirements-{extra}.lock") - common
    assert pins(ROOT / f"requirements-{extra}.lock") >= common
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for wanted in project["optional-dependencies"][extra]:
        name = re.match(r"[a-z0-9-]+", wanted)
        assert name is not None
        assert any(pin.startswith(f"{name[0]}==") for pin in added)
