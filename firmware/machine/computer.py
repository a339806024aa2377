"""The computer as its system shows it: files below one folder, and programs that are asked."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.machine.sysfs import text

Ask = Callable[[tuple[str, ...]], str | None]
"""Function that runs a program and returns its output; None if it is missing or fails."""

_ANSWERS_S: Final = 10.0
"""Seconds in which a program has to answer; `systemctl` takes up to 2 s on a busy Zero 2 W."""

_FOLDERS: Final = "/usr/bin:/bin:/usr/sbin:/sbin"
"""Folders of the system's programs, not all of which are in the path of a usual user."""

_MODEL: Final = "proc/device-tree/model"
"""File below `root` in which a device tree names the model; a PC has none."""

_REVISION: Final = "proc/device-tree/system/linux,revision"
"""File below `root` that the firmware of a Raspberry Pi, and no other, adds to a device tree."""


def ask_program(words: tuple[str, ...]) -> str | None:
    """Runs a program of the system with its plain English output. See `Ask`."""
    program = shutil.which(words[0], path=_FOLDERS)
    if program is None:
        return None
    environment = {**os.environ, "LC_ALL": "C", "SYSTEMD_COLORS": "0"}
    try:
        done = subprocess.run(  # noqa: S603
            (program, *words[1:]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_ANSWERS_S,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace").strip() if done.returncode == 0 else None


def is_there(path: Path) -> bool | None:
    """True if a path exists; None if the user of this process may not see that."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False  # no file has a null byte in its path
    except OSError:
        return None
    return True


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer with Linux; on another system nearly nothing of it is known.

    Attributes:
        root: folder that stands for `/`.
        ask: runs a program of the system.
        stand_in: folder that stands for `/sys`; None for that below `root`.
    """

    root: Path = Path("/")
    ask: Ask = ask_program
    stand_in: Path | None = None

    def at(self, path: str | Path) -> Path:
        """Returns the place of an absolute path of the computer."""
        return self.root / Path(path).relative_to("/") if Path(path).is_absolute() else Path(path)

    @property
    def sysfs(self) -> Path:
        """The folder in which the kernel shows its devices."""
        return self.stand_in or self.root / "sys"

    @property
    def model(self) -> str:
        """Name of the model, as the board's maker gives it; empty if the board has none."""
        name = (text(self.root / _MODEL) or "").strip("\0 ")
        revision = self._revision
        return name or (f"Raspberry Pi of revision {revision}" if revision else "")

    @property
    def is_raspberry_pi(self) -> bool:
        """True for a Raspberry Pi. Only its firmware tells a revision."""
        return self.model.startswith("Raspberry Pi") or bool(self._revision)

    @property
    def _revision(self) -> str:
        """The revision in hexadecimal digits, of four bytes with the highest first."""
        try:
            return (self.root / _REVISION).read_bytes().hex().lstrip("0")
        except OSError:
            return ""

    @property
    def has_systemd(self) -> bool:
        """True if systemd runs the computer, see sd_booted(3)."""
        return (self.root / "run" / "systemd" / "system").is_dir()

    @property
    def is_container(self) -> bool:
        """True in a container, whose clock and kernel are those of another computer."""
        return (self.root / "run" / "systemd" / "container").exists()

    @property
    def system(self) -> str:
        """Kernel and distribution, as words."""
        kernel = f"{platform.system()} {platform.release()} {platform.machine()}"
        lines = (text(self.root / "etc" / "os-release") or "").splitlines()
        name = next((line for line in lines if line.startswith("PRETTY_NAME=")), "")
        return ", ".join(filter(None, (kernel, name.partition("=")[2].strip('"'))))
