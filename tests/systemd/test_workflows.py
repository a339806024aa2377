"""The workflows: valid, and true to the Makefile; that of a release is run with stand-ins."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import emulated
import image
import pytest
import yaml

from tests.conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()

MADE = """#!/bin/sh
out=build/release
case "$1" in
-c) echo 1.2.0 ;;
systemd/release.py) mkdir -p $out/cornerlight-1.2.0
  touch $out/cornerlight-1.2.0.tar.gz $out/cornerlight-card-1.2.0.zip ;;
systemd/image.py) touch $out/cornerlight-1.2.0-lite.img.xz
  echo "$GITHUB_REPOSITORY" >$out/cornerlight-1.2.0.rpi-imager-manifest ;;
esac
"""
"""Stand-in for the Python of a checkout, which writes the names that our scripts write."""

ASSETS = {
    "SHA256SUMS",
    "cornerlight-1.2.0-lite.img.xz",
    "cornerlight-1.2.0.rpi-imager-manifest",
    "cornerlight-1.2.0.tar.gz",
    "cornerlight-card-1.2.0.zip",
}


def steps(name: str) -> list[dict[str, Any]]:
    document = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    found: list[dict[str, Any]] = document["jobs"][name]["steps"]
    return found


def commands(name: str) -> list[str]:
    return [step["run"] for step in steps(name) if "run" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_target_of_a_workflow_is_in_the_makefile(path: Path) -> None:
    targets = re.findall(r"(?m)\bmake (\w+)", "\n".join(commands(path.stem)))
    assert targets
    for target in targets:
        assert re.search(rf"(?m)^(\w+ )*{target}( \w+)*:", MAKEFILE), target


def test_a_release_begins_at_a_tag_and_may_publish() -> None:
    document = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    # "on" is a truth value in YAML 1.1.
    assert document[True] == {"push": {"tags": ["v*"]}}
    assert document["permissions"] == {"contents": "write"}
    assert document["jobs"]["release"]["runs-on"].endswith("-arm")


def test_the_packages_that_a_release_needs_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulated, "_KEYS", Path("/nowhere"))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(
        emulated.EmulationError, match=r"apt-get install .* binfmt-support"
    ) as found:
        emulated.check()
    asked = str(found.value).partition("apt-get install ")[2].split()[:-1]
    installed = commands("release")[0].partition("--no-install-recommends")[2].split()
    assert {*asked, *image._PROGRAMS.values()} == set(installed) - {"\\"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with our Makefile, in which everything else is a stand-in."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    programs = {
        ".venv/bin/python": MADE,
        "bin/python": "",
        "bin/sudo": '#!/bin/sh\nexec "$@"\n',
        "bin/gh": '#!/bin/sh\necho "$@" >../../published\n',
    }
    for name, text in programs.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for lock in ("pyproject.toml", *(path.name for path in ROOT.glob("requirements*.lock"))):
        (tmp_path / lock).touch()
    for stamp in ("python", "run", "player", "dev"):
        (tmp_path / ".venv" / f"{stamp}.stamp").touch()
    return tmp_path


def ran(checkout: Path, tag: str) -> subprocess.CompletedProcess[str]:
    """Runs what the workflow of a release runs after its packages are there."""
    variables = {
        **os.environ,
        "PATH": f"{checkout}/bin:{os.environ['PATH']}",
        "GITHUB_REF_NAME": tag,
        "GITHUB_REPOSITORY": "someone/cornerlight",
    }
    script = "\n".join(f"({command}\n)" for command in commands("release")[1:])
    words = ["bash", "-e", "-c", script]
    return subprocess.run(
        words, env=variables, cwd=checkout, capture_output=True, text=True, check=False
    )


def test_a_release_publishes_what_is_made_and_its_checksums(checkout: Path) -> None:
    done = ran(checkout, "v1.2.0")
    assert done.returncode == 0, done.stderr
    words = (checkout / "published").read_text().split()
    assert words[:3] == ["release", "create", "v1.2.0"]
    assert {word for word in words[3:] if not word.startswith("--")} == ASSETS
    release = checkout / "build" / "release"
    listed = (release / "cornerlight-1.2.0.rpi-imager-manifest").read_text()
    assert listed == "someone/cornerlight\n"
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=release, check=True)


def test_a_tag_that_is_not_the_version_is_refused(checkout: Path) -> None:
    done = ran(checkout, "v1.3.0")
    assert done.returncode != 0
    assert "The tag is 'v1.3.0', and firmware/__init__.py says v1.2.0" in done.stderr
    assert not (checkout / "build").exists()
    assert not (checkout / "published").exists()


def test_a_release_without_one_of_its_files_is_not_published(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(MADE.replace("$out/cornerlight-card-1.2.0.zip", ""))
    assert ran(checkout, "v1.2.0").returncode != 0
    assert not (checkout / "published").exists()
