"""The folder for a freshly written card: what is in it, and what its script does."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from card import ARCHIVE, INSTALL, PYTHON, VENDOR_DATA, put_card
from checksums import damaged, put_checksums

from tests.support.written_card import write_card

PROGRAM = "import pathlib, sys\npathlib.Path('{folder}/ran').write_text(sys.argv[0])\n"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    return made(tmp_path, "1.2.3")


def made(tmp_path: Path, version: str) -> Path:
    release = tmp_path / f"out-{version}" / f"cornerlight-{version}"
    for name in ("wheels/aarch64-3.11/a.whl", f"wheels/aarch64-{PYTHON}/b.whl", "wheels/c.whl"):
        path = release / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (release / "systemd").mkdir()
    (release / "systemd" / "first_boot.py").write_text(PROGRAM.format(folder=tmp_path))
    put_checksums(release)
    return put_card(release, "aarch64")


def test_it_has_the_wheels_of_the_one_system(card: Path, tmp_path: Path) -> None:
    assert card.name == "cornerlight-card-1.2.3.zip"
    write_card(tmp_path / "card", card)
    archive = tmp_path / "card" / "cornerlight" / ARCHIVE
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    release = tmp_path / "unpacked" / "cornerlight-1.2.3"
    wheels = sorted(path.name for path in release.rglob("*.whl"))
    assert wheels == ["b.whl", "c.whl"]
    assert damaged(release) == []


def test_cloud_init_takes_vendor_data_as_a_boot_hook() -> None:
    first, second, *_ = VENDOR_DATA.splitlines()
    assert first == "#cloud-boothook"
    assert second.startswith("#!")
    subprocess.run(["sh", "-n"], input=VENDOR_DATA, text=True, check=True)


def run(card: Path, tmp_path: Path, programs: Path = Path("/usr/bin")) -> tuple[int, str]:
    """Runs the script of a card as if it lay on the boot partition."""
    place = tmp_path / "boot"
    if not place.exists():
        write_card(place, card)
    text = INSTALL.replace("/boot/firmware", str(place)).replace("/run/", f"{tmp_path}/run/")
    text = text.replace("/var/", f"{tmp_path}/var/").replace("agetty", "true")
    (tmp_path / "var" / "tmp").mkdir(parents=True, exist_ok=True)
    (tmp_path / "var" / "lib").mkdir(parents=True, exist_ok=True)
    words, paths = ["/bin/sh"], {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(words, input=text, text=True, capture_output=True, check=False, env=paths)
    return done.returncode, done.stdout


def test_the_archive_is_unpacked_and_its_program_runs(card: Path, tmp_path: Path) -> None:
    assert run(card, tmp_path) == (0, "")
    ran = Path((tmp_path / "ran").read_text())
    assert ran == tmp_path / "var/tmp/cornerlight-card/systemd/first_boot.py"


def test_an_archive_that_is_installed_is_left_alone(card: Path, tmp_path: Path) -> None:
    run(card, tmp_path)
    (tmp_path / "ran").unlink()
    sums = (tmp_path / "boot" / "cornerlight" / "SHA256SUMS").read_text()
    (tmp_path / "var" / "lib" / "cornerlight-card").write_text(sums)
    assert run(card, tmp_path) == (0, "")
    assert not (tmp_path / "ran").exists()
    (tmp_path / "var" / "lib" / "cornerlight-card").write_text(f"{sums}of an older one\n")
    run(card, tmp_path)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("copied", [0, 10])
def test_a_copy_that_was_cut_off_is_said(card: Path, tmp_path: Path, copied: int) -> None:
    run(card, tmp_path)
    (tmp_path / "ran").unlink()
    archive = tmp_path / "boot" / "cornerlight" / ARCHIVE
    if copied:
        archive.write_bytes(archive.read_bytes()[:copied])
    else:
        archive.unlink()
    status, said = run(card, tmp_path)
    assert status == 0, "it is not read again every 30 s"
    assert "is damaged: copy it onto the card again" in said
    assert (tmp_path / "run" / "issue.d" / "cornerlight.issue").read_text() == said
    assert not (tmp_path / "ran").exists()


def test_a_newer_folder_replaces_the_one_that_it_is_copied_over(card: Path, tmp_path: Path) -> None:
    run(card, tmp_path)
    (tmp_path / "ran").unlink()
    newer = made(tmp_path, "1.10.0")
    write_card(tmp_path / "boot", newer)
    # What macOS leaves beside files on a drive that is not its own.
    (tmp_path / "boot" / "cornerlight" / f"._{ARCHIVE}").write_bytes(b"\0")
    assert run(newer, tmp_path) == (0, "")
    assert (tmp_path / "ran").exists()
    assert len([*(tmp_path / "boot" / "cornerlight").glob("*.tar.gz")]) == 2


def test_a_full_card_is_said(card: Path, tmp_path: Path) -> None:
    run(card, tmp_path)
    (tmp_path / "ran").unlink()
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "tar").write_text("#!/bin/sh\nexit 2\n")
    (programs / "tar").chmod(0o755)
    status, said = run(card, tmp_path, programs)
    assert status == 0
    assert "The card has no room" in said
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "var/tmp/cornerlight-card").exists()
