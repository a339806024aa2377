"""Builds the wheel of this checkout."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

PACKAGES = ("firmware", "vision", "web")


def build_wheel(folder: Path) -> Path:
    """Builds from a copy in `folder`, without files of an earlier build."""
    sources = folder / "sources"
    for name in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, sources / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    words = ["pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    command = [sys.executable, "-m", *words, str(folder), str(sources)]
    subprocess.run(command, capture_output=True, text=True, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel
