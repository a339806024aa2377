"""Builds a release: the archive of wheels and units, and the folder for a freshly written card.

`make release` calls it. The archive has our wheel, and all others for each Python and machine; it
installs offline. `installer.py` says how, and `card.py` what the folder is.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from card import PYTHON, packed, put_card
from checksums import put_checksums, sha256
from emulated import EmulationError, built_wheels
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent
"""Folder of the checkout from which the release is built."""

PYTHONS: Final = {"3.11": "3.11.2", "3.13": "3.13.5"}
"""Pythons of Raspberry Pi OS Bookworm and Trixie, and their full versions."""

LOCKS: Final = {
    "aarch64": ("requirements-pi.lock", "requirements-player.lock"),
    "x86_64": ("requirements.lock", "requirements-player.lock"),
}
"""Locks whose wheels a machine needs."""

_GLIBCS: Final = (36, 35, 34, 31, 28, 27, 17)
"""Versions 2.x of glibc whose wheels run on Bookworm, which has 2.36."""

PACKAGES: Final = ("firmware", "vision", "web")
"""Packages of our wheel."""

_FILES: Final = ("LICENSE", "Makefile", "README.md")
"""Files of the checkout that the archive contains beside `systemd` and the wheels."""

_OF_THE_CHECKOUT: Final = ("arm64.py", "emulated.py", "image.py", "release.py")
"""Files of `systemd` that the archive does not contain."""


def main() -> int:
    """Builds both; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--machine", choices=LOCKS, action="append", help="default: aarch64")
    parser.add_argument("--python", choices=PYTHONS, action="append", help="default: all")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release")
    arguments = parser.parse_args()
    machines, pythons = arguments.machine or ["aarch64"], arguments.python or list(PYTHONS)
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    wheel = own_wheel(arguments.out)
    folder = arguments.out / f"cornerlight-{wheel.name.split('-')[1]}"
    _put_files(folder, wheel)
    try:
        for machine in machines:
            for python in pythons:
                _put_wheels(folder, machine, python)
    except EmulationError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    put_checksums(folder)
    archive = folder.with_name(f"{folder.name}.tar.gz")
    packed(folder, archive)
    made = [archive]
    made += [put_card(folder, one) for one in machines if PYTHON in pythons]
    for path in made:
        print(f"{path} ({path.stat().st_size / 1e6:.0f} MB), sha256 {sha256(path)}")
    return 0


def own_wheel(out: Path) -> Path:
    """Builds our wheel into a folder, from a copy without files of an earlier build."""
    with tempfile.TemporaryDirectory() as place:
        sources = Path(place)
        for package in PACKAGES:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, sources / package, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, sources)
        _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(sources))
    (wheel,) = out.glob("cornerlight-*.whl")
    return wheel


def _put_files(folder: Path, wheel: Path) -> None:
    folder.mkdir()
    for name in _FILES:
        shutil.copy(ROOT / name, folder)
    ignored = shutil.ignore_patterns("__pycache__", *_OF_THE_CHECKOUT)
    shutil.copytree(ROOT / "systemd", folder / "systemd", ignore=ignored)
    shutil.copy(ROOT / "firmware" / "table.example.toml", folder / "systemd")
    (folder / "wheels").mkdir()
    wheel.rename(folder / "wheels" / wheel.name)


def _put_wheels(folder: Path, machine: str, python: str) -> None:
    """Puts the locked wheels of one Python on one machine in the archive, and their list.

    Raises:
        EmulationError: some cannot be built here.
    """
    target = folder / "wheels" / f"{machine}-{python}"
    wheels_for(target, machine, python, LOCKS[machine])
    names = sorted(wheel.name for wheel in target.glob("*.whl"))
    (target / "requirements.txt").write_text("\n".join(names) + "\n", "utf-8")


def wheels_for(
    target: Path, machine: str, python: str, locks: Sequence[str], more: Sequence[str] = ()
) -> None:
    """Downloads the wheels of locks into a folder; those that no index has are built.

    Args:
        target: the folder, which does not exist yet.
        machine: the processor, as the kernel names it.
        python: version of Python.
        locks: names of the lock files.
        more: further requirements, as from `locked`.

    Raises:
        EmulationError: some cannot be built here.
    """
    target.mkdir()
    lines = [line for lock in locks for line in locked(_text(lock), machine, python)]
    built = built_wheels(python) if machine == "aarch64" else []
    ours = {_project(shutil.copy(wheel, target)) for wheel in built}
    wanted = dict.fromkeys(line for line in (*lines, *more) if line.partition("==")[0] not in ours)
    requirements = target.with_name(f"{target.name}.txt")
    requirements.write_text("\n".join(wanted) + "\n", "utf-8")
    abi = f"cp{python.replace('.', '')}"
    words = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    words += ["--python-version", python, "--implementation", "cp"]
    words += [word for one in (abi, "abi3", "none") for word in ("--abi", one)]
    for glibc in _GLIBCS:
        words += ["--platform", f"manylinux_2_{glibc}_{machine}"]
    words += ["--platform", f"manylinux2014_{machine}", "--dest", str(target)]
    _pip(*words, "--requirement", str(requirements))
    requirements.unlink()


def _text(lock: str) -> str:
    return (ROOT / lock).read_text("utf-8")


def locked(text: str, machine: str, python: str) -> list[str]:
    """Returns the requirements of a lock that hold on a machine, with their hashes, one a line.

    pip evaluates markers for the machine on which it runs.
    """
    environment = {
        "python_version": python,
        "python_full_version": PYTHONS[python],
        "platform_machine": machine,
        "platform_system": "Linux",
        "sys_platform": "linux",
        "os_name": "posix",
        "implementation_name": "cpython",
    }
    rows = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    found = []
    for row in rows:
        if not row or row.startswith("#"):
            continue
        wanted, *hashes = row.split(" --hash=")
        requirement = Requirement(wanted.strip())
        if requirement.marker is None or requirement.marker.evaluate(environment):
            pinned = f"{requirement.name}{requirement.specifier}"
            found.append(" --hash=".join((pinned, *(one.strip() for one in hashes))))
    return found


def _project(wheel: str | Path) -> str:
    """Returns the project of a wheel, as locks name it."""
    return Path(wheel).name.partition("-")[0].replace("_", "-")


def _pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
