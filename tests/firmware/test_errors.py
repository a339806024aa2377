"""Users and passwords in addresses are hidden, and a missing library is told with its command."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.errors import install_command, without_passwords


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://ann:s3cret@cam/video", "http://...@cam/video"),
        ("rtsp://ann:s3/cr@et@cam/video", "rtsp://...@cam/video"),
        ("rtsp://ann:s3 cret@cam/video", "rtsp://...@cam/video"),
        ("http:/ann:s3cret@cam", "http:/...@cam"),
        ("ann:s3cret@cam/video", "...@cam/video"),
        ("no verb 'http://ann:s3cret@cam'", "no verb 'http://...@cam'"),
        ("http://cam/shot?user=ann&key=s3cret", "http://cam/shot?..."),
        ("rtsp://cam/user=a_password=s3cret_1.sdp", "rtsp://cam/user=a_password=..."),
        ("http://cam:8080/video", "http://cam:8080/video"),
        ("/media/me@work/pictures", "/media/me@work/pictures"),
        ("0", "0"),
    ],
)
def test_nothing_of_a_password_is_shown(text: str, shown: str) -> None:
    assert without_passwords(text) == shown


def test_the_command_for_a_library_is_of_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = install_command("--version").removeprefix("sudo ").replace(" install", "")
    done = subprocess.run(["sh", "-c", asked], capture_output=True, text=True, check=True)
    assert f" from {sys.prefix}" in done.stdout
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    assert install_command("gpiozero", "lgpio").removeprefix("sudo ") == (
        "'/a folder/python' -m pip install gpiozero lgpio"
    )


def test_a_command_of_windows_is_quoted_as_its_shell_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", r"C:\Games\python.exe")
    assert install_command("numba") == r"C:\Games\python.exe -m pip install numba"
    monkeypatch.setattr(sys, "executable", r"C:\My games\python.exe")
    assert install_command("numba") == r'"C:\My games\python.exe" -m pip install numba'


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_an_environment_of_root_needs_sudo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert install_command("av").startswith("sudo ")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert not install_command("av").startswith("sudo "), "as in a container, where one is root"
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    os.chown(tmp_path, 1000, 1000)
    assert not install_command("av").startswith("sudo ")
