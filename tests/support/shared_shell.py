"""Runs commands on a machine of its own, over a folder that it shares with this one.

A whole system boots there with its own processes, and perhaps with its own kernel; a small service
takes one command after another from the folder, and puts output and status back.
"""

import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

SHARED: Final = "/shared"
"""The folder, as the machine sees it."""

_AGENT: Final = f"""#!/bin/sh
while true; do
  if [ -e {SHARED}/command ]; then
    mv {SHARED}/command {SHARED}/running
    sh {SHARED}/running >{SHARED}/output 2>&1 </dev/null
    echo $? >{SHARED}/status.new
    mv {SHARED}/status.new {SHARED}/status
  fi
  sleep 0.1
done
"""
_UNIT: Final = f"""[Unit]
After=systemd-user-sessions.service
RequiresMountsFor={SHARED}
[Service]
ExecStart={SHARED}/agent
[Install]
WantedBy=multi-user.target
"""


def missing(programs: Mapping[str, str]) -> str:
    """Returns the reason that no machine can be started here; empty if one can.

    Args:
        programs: the packages of the programs that it takes.
    """
    if os.geteuid() != 0:
        return "a machine of its own needs the rights of root"
    packages = [package for program, package in programs.items() if shutil.which(program) is None]
    return f"missing here; run: apt-get install {' '.join(packages)}" if packages else ""


class MachineError(Exception):
    """No machine of its own can be started here; the reason."""


class SharedShell:
    """A machine that takes commands.

    Args:
        folder: folder of its files; `shared` in it is there at `SHARED`, `console` has its output.
        boot_s: seconds within which it takes commands.
    """

    def __init__(self, folder: Path, boot_s: float) -> None:
        self.shared: Final = folder / "shared"
        self._console: Final = folder / "console"
        self._boot_s: Final = boot_s

    def answers(self) -> None:
        """Waits until the machine takes commands.

        Raises:
            MachineError: it does not boot here.
        """
        try:
            self.done("true", self._boot_s)
        except AssertionError as error:
            said = self._console.read_text(errors="replace")[-300:]
            raise MachineError(f"no Debian boots here: {said}") from error

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


def put_agent(root: Path, shared: Path) -> None:
    """Puts the service into a root file system, and its program into the shared folder.

    The system makes an identity of its own when it boots.
    """
    (root / "etc" / "machine-id").write_text("")
    unit = root / "etc" / "systemd" / "system" / "agent.service"
    unit.write_text(_UNIT)
    wanted = unit.parent / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / unit.name).symlink_to(f"/etc/systemd/system/{unit.name}")
    shared.mkdir(exist_ok=True)
    (shared / "agent").write_text(_AGENT)
    (shared / "agent").chmod(0o755)
