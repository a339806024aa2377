"""Addresses of the socket of a table."""

import socket
from pathlib import Path

import pytest

from web.contract.framing import unix_address

LONG = "folder " * 25
OPEN = Path("/proc/self/fd")


def test_a_socket_in_a_folder_with_a_long_name_is_reached(tmp_path: Path) -> None:
    path = tmp_path / LONG / "table.sock"
    path.parent.mkdir()
    before = len(list(OPEN.iterdir()))
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as caller:
        with unix_address(path) as address:
            listening.bind(address)
        listening.listen()
        with unix_address(path) as address:
            caller.connect(address)
        caller.sendall(b"heard")
        with listening.accept()[0] as heard:
            assert heard.recv(5) == b"heard"
    assert path.is_socket()
    assert len(list(OPEN.iterdir())) == before


def test_a_path_that_fits_is_its_own_address(tmp_path: Path) -> None:
    with unix_address(Path("/run/table.sock")) as address:
        assert address == "/run/table.sock"
    with pytest.raises(FileNotFoundError), unix_address(tmp_path / LONG / "table.sock"):
        pass
