"""What an installation does to packages, boot files and releases, where the system refuses."""

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

import installer
import pytest
from boot_config import with_block, with_words

APT = """#!/bin/sh
echo "$*" >>{folder}/asked
case "$*" in *"{refuses}"*) echo "E: {error}" >&2; exit 100;; esac
case "$*" in *"install "*picamera2*) mkdir {folder}/site/picamera2
  touch {folder}/site/picamera2/__init__.py;; esac
"""

Machine = Callable[..., Path]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Makes a machine's programs and folders, in which apt knows picamera2."""

    def make(refuses: str = "nothing", *, known: bool = True, camera: str = "uvcvideo") -> Path:
        programs, video = tmp_path / "bin", tmp_path / "video" / "video0"
        for folder in (programs, video, tmp_path / "site"):
            folder.mkdir(parents=True)
        (video / "name").write_text(f"{camera}\n")
        error = "Temporary failure resolving 'deb.debian.org'"
        apt = APT.format(folder=tmp_path, refuses=refuses, error=error)
        cache = f"#!/bin/sh\nexit {int(not known)}\n"
        for name, text in (("apt-get", apt), ("apt-cache", cache), ("dpkg", apt)):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
        monkeypatch.setattr(installer, "_VIDEO", video.parent)
        monkeypatch.setattr(installer, "_SYSTEMD", tmp_path)
        monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
        importlib.invalidate_caches()
        return tmp_path

    return make


def test_lists_are_fetched_first_and_a_broken_installation_is_mended(machine: Machine) -> None:
    folder = machine()
    installer._install_packages()
    asked = [line.split() for line in (folder / "asked").read_text().splitlines()]
    assert asked[0] == ["--configure", "-a"]
    assert "update" in asked[1]
    assert asked[2][-3:] == ["python3-venv", "avahi-daemon", "python3-picamera2"]


@pytest.mark.parametrize(("refuses", "known"), [("update", False), ("install", True)])
@pytest.mark.parametrize("camera", ["unicam-image", "rp1-cfe-csi2_ch0"])
def test_a_camera_without_its_library_stops_with_the_reason(
    machine: Machine, refuses: str, known: object, camera: str
) -> None:
    machine(refuses, known=bool(known), camera=camera)
    with pytest.raises(installer.InstallError) as error:
        installer._install_packages()
    assert "a Raspberry Pi camera is connected" in str(error.value)
    assert f"apt-get {refuses}: Temporary failure resolving" in str(error.value)


def test_a_webcam_needs_no_network(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine("update", known=False)
    installer._install_packages()
    said = capsys.readouterr().out
    assert "apt-get update: Temporary failure resolving" in said
    assert "goes on without the Raspberry Pi's own camera" in said


def test_an_image_has_every_package_or_is_not_made(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installer, "_SYSTEMD", machine("--yes") / "nothing-runs")
    with pytest.raises(installer.InstallError, match=r"apt-get update: .*; check the network"):
        installer._install_packages()


@pytest.fixture
def boot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "boot"
    folder.mkdir()
    (folder / "config.txt").write_text("arm_64bit=1\n")
    (folder / "cmdline.txt").write_text("console=tty1 rootwait\n")
    monkeypatch.setattr(installer, "_BOOT", (folder,))
    monkeypatch.setattr(installer, "_RESTART", tmp_path / "restart")
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_boot_files_have_a_backup_and_change_once(boot: Path) -> None:
    before = texts(boot)
    assert installer._boot_configured(with_block, with_words)
    after = texts(boot)
    assert {f"{name}.before-cornerlight": text for name, text in before.items()}.items() <= (
        after.items()
    )
    assert "dtparam=spi=on" in after["config.txt"]
    assert len(after) == 4
    assert installer._boot_configured(with_block, with_words), "no restart has come yet"
    assert texts(boot) == after
    installer._RESTART.unlink()
    assert not installer._boot_configured(with_block, with_words)


def test_a_boot_file_is_whole_when_the_disk_refuses(
    boot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = texts(boot)

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        installer._boot_configured(with_block, with_words)
    assert before.items() <= texts(boot).items()


def test_a_half_made_release_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installer, "HOME", tmp_path)
    for name in ("0002-1.0", "0010-1.1"):
        (tmp_path / "releases" / name / "systemd").mkdir(parents=True)
    (tmp_path / "releases" / "0011-1.2" / "venv").mkdir(parents=True)
    assert [path.name for path in installer._releases()] == ["0002-1.0", "0010-1.1"]


@pytest.mark.parametrize(("runs", "left"), [("0002-1.0", ["0001-0.9", "0002-1.0"]), ("", [])])
def test_an_installation_that_is_tried_again_fills_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: str, left: list[str]
) -> None:
    monkeypatch.setattr(installer, "HOME", tmp_path)
    monkeypatch.setattr(installer, "FROM", tmp_path / "unpacked")
    monkeypatch.setattr(installer, "make_environment", lambda *_: None)
    wheels = tmp_path / "unpacked" / "wheels"
    for folder in (wheels, tmp_path / "unpacked" / "systemd"):
        folder.mkdir(parents=True)
    for name in ("cornerlight-1.1-py3-none-any.whl", "requirements.txt"):
        (wheels / name).touch()
    for name in ("0001-0.9", "0002-1.0", "0003-1.1"):
        (tmp_path / "releases" / name / "systemd").mkdir(parents=True)
    if runs:
        (tmp_path / "current").symlink_to(tmp_path / "releases" / runs)
    made = installer._made(wheels)
    assert [path.name for path in installer._releases()] == [*left, made.name]


def test_a_power_cut_among_the_units_leaves_each_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    units, release = tmp_path / "units", tmp_path / "0002-1.1"
    new = release / "systemd"
    for folder in (units, new):
        folder.mkdir(parents=True)
    for name in ("cornerlight-old.service", "cornerlight-page.service"):
        (units / name).write_text("old")
    for name in ("cornerlight-page.service", "cornerlight-table.service"):
        (new / name).write_text("new")
    monkeypatch.setattr(installer, "_UNITS", units)
    monkeypatch.setattr(installer, "HOME", tmp_path)
    monkeypatch.setattr(installer, "_COMMAND", tmp_path / "command")
    monkeypatch.setattr(installer, "_SYSTEMD", tmp_path / "nothing-runs")
    monkeypatch.setattr(installer, "_run", lambda *_: None)
    written: list[dict[str, str]] = []
    write = installer._write_whole

    def cut(path: Path, text: str) -> None:
        written.append(texts(units))
        write(path, text)

    monkeypatch.setattr(installer, "_write_whole", cut)
    installer._activate(release)
    assert all({"old", "new"} >= {*each.values()} and len(each) >= 2 for each in written)
    assert len(written) == 2
    assert texts(units) == dict.fromkeys(
        ("cornerlight-page.service", "cornerlight-table.service"), "new"
    )


@pytest.mark.parametrize(
    ("says", "fault"),
    [
        ("echo 'fine  clock: right'; echo 'wrong      lights: no LEDs'", "lights: no LEDs"),
        ("echo 'cornerlight: table.toml is not TOML' >&2", "table.toml is not TOML"),
        ("echo 'Traceback' >&2", "see above"),
    ],
)
def test_a_release_that_does_not_pass_goes_and_its_fault_is_told(
    tmp_path: Path, says: str, fault: str
) -> None:
    program = tmp_path / "0001-1.0" / "venv" / "bin" / "cornerlight"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{says}\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(installer.InstallError, match=f"nothing was changed: {fault}$"):
        installer._examine(tmp_path / "0001-1.0")
    assert not (tmp_path / "0001-1.0").exists()


@pytest.mark.parametrize("seconds", ["abc", "", "-1", "1e9", "nan", "60 s"])
def test_seconds_that_are_none_are_said_before_anything(
    seconds: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(installer, "WAIT_S", seconds)
    assert installer.main(["install"]) == 1
    assert capsys.readouterr().err == (
        f"cornerlight: WAIT_S is {seconds!r}, which is no number of whole seconds\n"
    )


def test_programs_of_32_bits_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    (tmp_path / "wheels" / f"aarch64-{python}").mkdir(parents=True)
    monkeypatch.setattr(installer, "FROM", tmp_path)
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    with pytest.raises(installer.InstallError, match="here is a system of 32 bits"):
        installer._checked()
