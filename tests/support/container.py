"""A whole Debian with systemd in a container: boots, runs commands, and is thrown away."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from emulated import EmulationError, debian

PACKAGES: Final = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv")

_QUIETLY: Final = ("--quiet", "--register=no", "--keep-unit")
"""Options of systemd-nspawn where no systemd runs outside."""

_BOOT_S: Final = 120.0
_AGENT: Final = """#!/bin/sh
while true; do
  if [ -e /shared/command ]; then
    mv /shared/command /shared/running
    sh /shared/running >/shared/output 2>&1 </dev/null
    echo $? >/shared/status.new
    mv /shared/status.new /shared/status
  fi
  sleep 0.1
done
"""
_UNIT: Final = """[Unit]
After=systemd-user-sessions.service
[Service]
ExecStart=/shared/agent
[Install]
WantedBy=multi-user.target
"""


class ContainerError(Exception):
    """No container can be started here; the reason."""


def missing() -> str:
    """Returns the reason that no container can be started here; empty if one can."""
    if os.geteuid() != 0:
        return "containers need the rights of root"
    for program, package in (("systemd-nspawn", "systemd-container"), ("mmdebstrap",) * 2):
        if shutil.which(program) is None:
            return f"no {program} here; apt-get install {package}"
    return ""


class Container:
    """A container that runs.

    Args:
        shared: folder that it shares with this machine, there at `/shared`.
    """

    def __init__(self, shared: Path) -> None:
        self.shared: Final = shared

    def run(self, command: str, within_s: float = 300.0) -> tuple[int, str]:
        """Runs a shell command as root; returns its status and its output."""
        status = self.shared / "status"
        status.unlink(missing_ok=True)
        aside = self.shared / "command.new"
        aside.write_text(command)
        aside.rename(self.shared / "command")
        until_s = time.monotonic() + within_s
        while not status.exists():
            assert time.monotonic() < until_s, f"no answer to: {command}"
            time.sleep(0.05)
        return int(status.read_text()), (self.shared / "output").read_text(errors="replace")

    def done(self, command: str, within_s: float = 300.0) -> str:
        """Runs a shell command that has to succeed; returns its output."""
        status, output = self.run(command, within_s)
        assert status == 0, f"{command}: {output}"
        return output.strip()


def _put_agent(root: Path) -> None:
    """Puts the unit of the agent in a root, and lets the system make an identity of its own."""
    (root / "etc" / "machine-id").write_text("")
    unit = root / "etc" / "systemd" / "system" / "agent.service"
    unit.write_text(_UNIT)
    wanted = unit.parent / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / unit.name).symlink_to(f"/etc/systemd/system/{unit.name}")


def _await(container: Container, console: Path) -> None:
    """Waits until a container runs commands."""
    try:
        container.done("true", _BOOT_S)
    except AssertionError as error:
        said = console.read_text(errors="replace")[-300:]
        raise ContainerError(f"no Debian boots in a container here: {said}") from error


@contextmanager
def booted(suite: str, folder: Path) -> Iterator[Container]:
    """Boots a Debian from its own copy of the root; it shares the network of this machine.

    Raises:
        ContainerError: it cannot be built, or does not boot here.
    """
    root, shared = folder / "root", folder / "shared"
    try:
        built = debian(suite, PACKAGES)
    except EmulationError as error:
        raise ContainerError(str(error)) from error
    subprocess.run(["cp", "-a", "--reflink=auto", built, root], check=True)
    _put_agent(root)
    shared.mkdir(exist_ok=True)
    (shared / "agent").write_text(_AGENT)
    (shared / "agent").chmod(0o755)
    words = ["systemd-nspawn", *_QUIETLY, "--boot"]
    words += [f"--directory={root}", f"--bind={shared}:/shared", "--link-journal=no"]
    environment = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    with (folder / "console").open("wb") as console:
        process = subprocess.Popen(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=console, stderr=console
        )
        container = Container(shared)
        try:
            _await(container, folder / "console")
            yield container
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            # Never into what may still be mounted there.
            subprocess.run(["rm", "-rf", "--one-file-system", root], check=False)
