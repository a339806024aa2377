"""The locks of a Raspberry Pi: wheels for both Pythons, but for those that a release builds."""

import subprocess
from pathlib import Path

import pytest
import release
from emulated import BUILT
from release import LOCKS, PYTHONS, wheels_for

from tests.conftest import ROOT


def without_built(monkeypatch: pytest.MonkeyPatch, python: str) -> None:
    """Leaves out the projects that have to be built."""
    names = {project.partition("==")[0] for project in BUILT[python]}
    resolve = release.locked

    def locked(text: str, machine: str, version: str) -> list[str]:
        lines = resolve(text, machine, version)
        return [line for line in lines if line.partition("==")[0] not in names]

    monkeypatch.setattr(release, "built_wheels", lambda _: [])
    monkeypatch.setattr(release, "locked", locked)


@pytest.mark.parametrize("python", PYTHONS)
def test_every_library_has_a_wheel_or_is_built(
    python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_built(monkeypatch, python)
    wheels_for(tmp_path / "wheels", "aarch64", python, LOCKS["aarch64"])
    wheels = [wheel.name for wheel in (tmp_path / "wheels").iterdir()]
    assert all(name.endswith(".whl") for name in wheels)
    assert any(name.startswith("opencv_python_headless") and "aarch64" in name for name in wheels)
    assert any(name.startswith("simplejpeg") and "aarch64" in name for name in wheels)
    assert any(name.startswith("lgpio") for name in wheels) == (python == "3.11")


@pytest.mark.parametrize("python", PYTHONS)
def test_nothing_is_built_that_has_a_wheel(
    python: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "built_wheels", lambda _: [])
    for number, project in enumerate(BUILT[python]):
        name = project.partition("==")[0]
        (row,) = (
            line
            for line in release.locked(
                (ROOT / "requirements-pi.lock").read_text(), "aarch64", python
            )
            if line.startswith(name)
        )
        with pytest.raises(subprocess.CalledProcessError):
            wheels_for(tmp_path / str(number), "aarch64", python, (), [row])
