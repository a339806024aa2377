"""A whole Debian with systemd in a container: boots, runs commands, and is thrown away."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from emulated import EmulationError, debian

from tests.support.shared_shell import SHARED, SharedShell, missing, put_agent

PACKAGES: Final = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv")

_QUIETLY: Final = ("--quiet", "--register=no", "--keep-unit")
"""Options of systemd-nspawn where no systemd runs outside."""

_RULED: Final = ("--capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON", "--system-call-filter=bpf")
"""Options by which the systemd inside can enforce its units' rules of devices and addresses."""

_PROGRAMS: Final = {"systemd-nspawn": "systemd-container", "mmdebstrap": "mmdebstrap"}
"""Programs that this takes, and their packages."""

_BOOT_S: Final = 120.0


class ContainerError(Exception):
    """No container can be started here; the reason."""


def no_container() -> str:
    """Returns the reason that no container can be started here; empty if one can."""
    return missing(_PROGRAMS)


def _await(container: SharedShell, console: Path) -> None:
    """Waits until a container runs commands."""
    try:
        container.done("true", _BOOT_S)
    except AssertionError as error:
        output = console.read_text(errors="replace")[-300:]
        raise ContainerError(f"no Debian boots in a container here: {output}") from error


@contextmanager
def booted(
    suite: str,
    folder: Path,
    more: Sequence[str] = (),
    prepare: Callable[[Path], None] = lambda root: None,
    words: Sequence[str] = (),
) -> Iterator[SharedShell]:
    """Boots a Debian from its own copy of the root; it shares the network of this machine.

    Args:
        suite: name of the Debian.
        folder: folder for its files.
        more: packages besides `PACKAGES`.
        prepare: changes its root file system before it boots.
        words: further words for systemd-nspawn, with those for systemd at their end.

    Raises:
        ContainerError: it cannot be built, or does not boot here.
    """
    root, shared = folder / "root", folder / "shared"
    try:
        built = debian(suite, (*PACKAGES, *more), name="-".join(more))
    except EmulationError as error:
        raise ContainerError(str(error)) from error
    subprocess.run(["cp", "-a", "--reflink=auto", built, root], check=True)
    put_agent(root, shared)
    prepare(root)
    command = ["systemd-nspawn", *_QUIETLY, *_RULED, f"--directory={root}"]
    command += [f"--bind={shared}:{SHARED}", "--link-journal=no", "--boot", *words]
    environment = {**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"}
    with (folder / "console").open("wb") as console:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=console, stderr=console
        )
        container = SharedShell(shared)
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
