"""A whole Debian with systemd in a container: boots, runs commands, and is thrown away."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from emulated import EmulationError, debian

from tests.support.shared_shell import SHARED, MachineError, SharedShell, missing, put_agent

PACKAGES: Final = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv")

_QUIETLY: Final = ("--quiet", "--register=no", "--keep-unit")
"""Options of systemd-nspawn where no systemd runs outside."""

_RULED: Final = ("--capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON", "--system-call-filter=bpf")
"""Options by which the systemd inside can enforce its units' rules of devices and addresses."""

_PROGRAMS: Final = {"systemd-nspawn": "systemd-container", "mmdebstrap": "mmdebstrap"}
"""Programs that this takes, and their packages."""

_BOOT_S: Final = 120.0

_RESTART: Final = 133
"""Exit status of systemd-nspawn with --keep-unit where the system inside restarts."""


def no_container() -> str:
    """Returns the reason that no container can be started here; empty if one can."""
    return missing(_PROGRAMS)


class Container(SharedShell):
    """A container that takes commands.

    Args:
        folder: folder of its files.
        command: command that boots it.
    """

    def __init__(self, folder: Path, command: Sequence[str]) -> None:
        super().__init__(folder, _BOOT_S)
        self._command: Final = command

    def switch_on(self) -> None:
        """Boots the container, and waits until it runs commands.

        Raises:
            MachineError: it does not boot here.
        """
        with self._console.open("ab") as console:
            self._process = subprocess.Popen(
                self._command,
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
            )
        self.answers()

    def restarts(self, within_s: float) -> None:
        """Waits until the container asks to be restarted, and does so."""
        assert self._process.wait(within_s) == _RESTART
        self.switch_on()

    def end(self) -> None:
        """Ends the container."""
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@contextmanager
def booted(
    suite: str,
    folder: Path,
    more: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda root: None,
    words: Sequence[str] = (),
) -> Iterator[Container]:
    """Boots a Debian from its own copy of the root; it shares the network of this machine.

    Args:
        suite: name of the Debian.
        folder: folder for its files.
        more: packages besides `PACKAGES`.
        prepare: changes its root file system before it boots.
        words: further words for systemd-nspawn, with those for systemd at their end.

    Raises:
        MachineError: it cannot be built, or does not boot here.
    """
    root, shared = folder / "root", folder / "shared"
    try:
        built = debian(suite, (*PACKAGES, *more), name="-".join(more))
    except EmulationError as error:
        raise MachineError(str(error)) from error
    subprocess.run(["cp", "-a", "--reflink=auto", built, root], check=True)
    put_agent(root, shared)
    prepare(root)
    command = ["systemd-nspawn", *_QUIETLY, *_RULED, f"--directory={root}"]
    command += [f"--bind={shared}:{SHARED}", "--link-journal=no", "--boot", *words]
    container = Container(folder, command)
    try:
        container.switch_on()
        yield container
    finally:
        container.end()
        # Never into what may still be mounted there.
        subprocess.run(["rm", "-rf", "--one-file-system", root], check=False)
