"""Other machines of a network: a namespace with addresses of its own, which needs root."""

import ctypes
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import pytest

_NETWORK: Final = f"10.78.{os.getpid() % 256}"
"""Beginning of the addresses, so that tests beside this one have a network of their own."""

HALL: Final = f"{_NETWORK}.1"
"""Address of this machine in the network."""

MACHINES: Final = (f"{_NETWORK}.2", f"{_NETWORK}.3", f"{_NETWORK}.4")
"""Addresses of the other machines."""

_CLONE_NEWNET: Final = 0x40000000

Made = TypeVar("Made")


@contextmanager
def other_machines() -> Iterator[Callable[[Callable[[], Made]], Made]]:
    """Makes the network; yields a function that calls another one in it, and returns its value."""
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("a network namespace needs root, and ip of iproute2")
    name = f"hall{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no network namespace here: {made.stderr.strip()}")
    try:
        _ip(f"link add {name} type veth peer name inside netns {name}")
        _ip(f"addr add {HALL}/24 dev {name}")
        for address in MACHINES:
            _ip(f"-n {name} addr add {address}/24 dev inside")
        _ip(f"link set {name} up")
        _ip(f"-n {name} link set inside up")
        _ip(f"-n {name} link set lo up")
        yield lambda act: _within(name, act)
    finally:
        with suppress(subprocess.CalledProcessError):
            _ip(f"link delete {name}")  # its namespace ends with the last socket in it
        _ip(f"netns delete {name}")


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True, capture_output=True)


def _within(name: str, act: Callable[[], Made]) -> Made:
    """Calls a function in a namespace; sockets that it makes stay there."""
    made: list[Made] = []
    errors: list[BaseException] = []

    def run() -> None:
        with (Path("/run/netns") / name).open() as namespace:
            failed = ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), _CLONE_NEWNET)
        try:
            assert not failed, os.strerror(ctypes.get_errno())
            made.append(act())
        except BaseException as error:  # noqa: BLE001 - it is raised in the caller's thread
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return made[0]
