"""A Debian for arm64 under emulation: builds the wheels that no index has, and runs commands.

Raspberry Pi OS 64 bit has the same processors and the same Pythons. It needs root, mmdebstrap,
arch-test, qemu-user-static and Debian's keys; on an arm64 machine nothing is emulated.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
"""Folder of the checkout."""

SUITES: Final = {"3.11": "bookworm", "3.13": "trixie"}
"""The Debian with each Python of Raspberry Pi OS."""

_ROOTS: Final = Path.home() / ".cache" / "cornerlight" / "roots"
"""Folder of the root file systems. Not in the checkout: one whose making was killed may have the
system's own folders mounted in it, which `make clean` would follow."""

WHEELS: Final = ROOT / "build" / "wheels"
"""Folder of the wheels that were built; another run builds only those that are missing."""

BUILT: Final = {"3.11": ("rpi-ws281x==5.0.0",), "3.13": ("lgpio==0.2.2.0", "rpi-ws281x==5.0.0")}
"""Projects of requirements-pi.lock without a wheel for a Python."""

_PACKAGES: Final = (
    "gcc",
    "libc6-dev",
    "python3",
    "python3-dev",
    "python3-pip",
    "python3-setuptools",
    "python3-venv",
    "python3-wheel",
    "swig",
)
"""Packages of Debian with which the root runs Python and builds the wheels of `BUILT`."""

_CPU: Final = "cortex-a72"
"""Emulated processor, of a Raspberry Pi 4. The default computes pointer authentication in software:
a root took 35 min with it and 53 s with this one."""

_KEYS: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
"""Keys of Debian's packages, which Ubuntu has in a package of its own."""


class EmulationError(Exception):
    """Nothing can be emulated here; one sentence with cause and remedy."""


def main(words: list[str] | None = None) -> int:
    """Builds the missing wheels; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", choices=SUITES, action="append", help="default: all")
    chosen = parser.parse_args(words)
    try:
        for python in chosen.python or SUITES:
            for wheel in built_wheels(python):
                print(wheel)
    except EmulationError as error:
        print(f"emulated: {error}", file=sys.stderr)
        return 1
    return 0


def built_wheels(python: str) -> list[Path]:
    """Returns the wheels for arm64 that no index has, built if they are missing.

    Raises:
        EmulationError: they cannot be built here.
    """
    folder = WHEELS / python
    folder.mkdir(parents=True, exist_ok=True)
    return [_built(folder, python, project) for project in BUILT[python]]


def root_of(python: str) -> Path:
    """Returns the root file system with a Python, built if it is not there yet.

    Raises:
        EmulationError: it cannot be built here.
    """
    return debian(SUITES[python], _PACKAGES, "arm64")


def debian(
    suite: str, packages: Sequence[str], architecture: str = "", *, name: str = "", hook: str = ""
) -> Path:
    """Returns the root file system of a Debian, built if it is not there yet.

    Args:
        suite: name of the Debian.
        packages: its packages, besides the least.
        architecture: its processor as Debian names it; empty for that of this machine.
        name: further name, where its packages are not those of another root.
        hook: shell command that prepares the root, which is `$1`, for its packages.

    Raises:
        EmulationError: it cannot be built here.
    """
    root = _ROOTS / "-".join(part for part in (architecture, suite, name) if part)
    if not root.exists():
        if architecture:
            check()
        root.parent.mkdir(parents=True, exist_ok=True)
        aside = root.with_name(f"{root.name}.new-{os.getpid()}")
        words = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}"]
        words += [f"--arch={architecture}"] if architecture else []
        words += [f"--essential-hook={hook}"] if hook else []
        run([*words, suite, str(aside)])
        try:
            aside.rename(root)
        except OSError:
            if not root.exists():
                raise
            # Another process was faster.
            run(["rm", "-rf", "--one-file-system", str(aside)])
    return root


def run(words: list[str], root: Path | None = None, **environment: str) -> str:
    """Runs a program, in an emulated root if one is given; returns its output.

    Raises:
        EmulationError: it fails.
    """
    variables = {**os.environ, "QEMU_CPU": _CPU, "LC_ALL": "C.UTF-8", **environment}
    command = words if root is None else ["chroot", str(root), *words]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EmulationError(
            f"{' '.join(words[:3])} failed: {done.stdout[-500:]}{done.stderr[-1500:]}"
        )
    return done.stdout


def check() -> None:
    """Checks that programs for arm64 run here.

    Raises:
        EmulationError: they do not.
    """
    if os.geteuid() != 0:
        raise EmulationError("an arm64 root needs the rights of root; run it with sudo")
    wanted = {"mmdebstrap": "mmdebstrap", "arch-test": "arch-test"}
    if platform.machine() != "aarch64":
        wanted["qemu-aarch64-static"] = "qemu-user-static"
    missing = [package for program, package in wanted.items() if shutil.which(program) is None]
    if not _KEYS.exists():
        missing.append("debian-archive-keyring")
    if missing:
        raise EmulationError(f"run: sudo apt-get install {' '.join(missing)} binfmt-support")
    if subprocess.run(["arch-test", "arm64"], capture_output=True, check=False).returncode:
        raise EmulationError(
            "the kernel does not start programs for arm64; run: sudo mount -t binfmt_misc "
            "binfmt_misc /proc/sys/fs/binfmt_misc; sudo update-binfmts --enable qemu-aarch64"
        )


def _built(folder: Path, python: str, project: str) -> Path:
    name = project.partition("==")[0].replace("-", "_")
    found = sorted(folder.glob(f"{name}-*.whl"))
    if found:
        return found[-1]
    root = root_of(python)
    with tempfile.TemporaryDirectory(dir=root / "var" / "tmp") as place:
        source = _source(Path(place), project)
        inside = f"/{Path(place).relative_to(root)}"
        pip = ["python3", "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        # lgpio brings its own sources of the library under this variable.
        run([*pip, "--no-index", "--wheel-dir", inside, f"{inside}/{source}"], root, PYPI="1")
        (wheel,) = Path(place).glob("*.whl")
        return Path(shutil.copy(wheel, folder))


def _source(folder: Path, project: str) -> str:
    """Downloads the source of a project, checked against the lock; returns its name."""
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{project} {' '.join(_hashes(project))}\n", "utf-8")
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
    words += ["--no-build-isolation", "--require-hashes", "--dest", str(folder)]
    run([*words, "--requirement", str(requirements)])
    (archive,) = folder.glob("*.tar.gz")
    return archive.name


def _hashes(project: str) -> list[str]:
    """Returns the hashes of a project in the lock."""
    lock = (ROOT / "requirements-pi.lock").read_text("utf-8").replace("\\\n", " ")
    (row,) = (line for line in lock.splitlines() if line.startswith(project))
    return [word for word in row.split() if word.startswith("--hash=")]


if __name__ == "__main__":
    sys.exit(main())
