"""Runs the program, its locked wheels and a part of its suite on an emulated arm64.

`make arm64` calls it. It finds what differs on a Raspberry Pi's processor: wheels that do not
load, illegal instructions, and types of other sizes.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from emulated import ROOT, SUITES, EmulationError, root_of, run
from release import LOCKS, locked, wheels_for

_SITE: Final = "site"
"""Folder of the libraries in the root."""

_SOURCE: Final = "src"
"""Folder of the program in the root."""

FOR_TESTS: Final = (
    "hypothesis",
    "iniconfig",
    "packaging",
    "pluggy",
    "pygments",
    "pytest",
    "sortedcontainers",
)
"""Projects of requirements-dev.lock that the tests need."""

_PICTURE: Final = "tests/vision/data/game_42.jpg"
"""Picture of a board, in the checkout, that `cornerlight read` reads under emulation."""

TESTS: Final = (
    "tests/firmware/rules/test_board.py",
    "tests/firmware/rules/test_position.py",
    "tests/firmware/drivers",
    "tests/vision/geometry",
    "tests/vision/detection/test_frame_features.py",
)
"""Tests that take seconds on a PC, and a minute or two here: arithmetic, drivers, geometry."""


def main(words: list[str] | None = None) -> int:
    """Runs all steps; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", choices=SUITES, default="3.13")
    python = parser.parse_args(words).python
    try:
        root = root_of(python)
        _put_program(root, python)
        for name, command in _steps():
            begun = time.monotonic()
            output = run(command, root, **_variables())
            print(f"{time.monotonic() - begun:5.0f} s  {name}: {output.strip().splitlines()[-1]}")
    except EmulationError as error:
        print(f"arm64: {error}", file=sys.stderr)
        return 1
    return 0


def _variables() -> dict[str, str]:
    return {"PYTHONPATH": f"/{_SITE}:/{_SOURCE}", "OPENBLAS_NUM_THREADS": "1", "HOME": "/root"}


def _steps() -> list[tuple[str, list[str]]]:
    python, program = ["python3"], ["python3", "-m", "firmware"]
    imported = "cv2, gpiozero, lgpio, numpy, rpi_ws281x, simplejpeg, waitress"
    libraries = f"import {imported}; print('imported')"
    inside = f"/{_SOURCE}"
    return [
        ("libraries", [*python, "-c", libraries]),
        ("moves", [*program, "perft", "2"]),
        ("a picture", [*program, "read", f"{inside}/{_PICTURE}"]),
        (
            "tests",
            [
                "sh",
                "-c",
                f"cd {inside} && python3 -m pytest -q -p no:cacheprovider {' '.join(TESTS)}",
            ],
        ),
    ]


def _put_program(root: Path, python: str) -> None:
    """Copies this checkout, and the libraries as wheels of the locks."""
    site, source = root / _SITE, root / _SOURCE
    run(["rm", "-rf", "--one-file-system", str(site), str(source)])
    source.mkdir()
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    archive = ["tar", "--create", "--null", "--files-from=-", "--file=-"]
    packed = subprocess.run(archive, cwd=ROOT, input=files.stdout, capture_output=True, check=True)
    subprocess.run(["tar", "--extract", "--file=-"], cwd=source, input=packed.stdout, check=True)
    wheels = root / "wheels"
    run(["rm", "-rf", "--one-file-system", str(wheels)])
    lines = locked((ROOT / "requirements-dev.lock").read_text("utf-8"), "aarch64", python)
    tests = [line for line in lines if line.partition("==")[0] in FOR_TESTS]
    wheels_for(wheels, "aarch64", python, (LOCKS["aarch64"][0],), tests)
    for wheel in sorted(wheels.glob("*.whl")):
        with ZipFile(wheel) as files_of_wheel:
            files_of_wheel.extractall(site)


if __name__ == "__main__":
    sys.exit(main())
