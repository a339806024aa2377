"""The image with a release in it, made of a small Debian in the form of Raspberry Pi OS.

`make machine` runs it: its programs are emulated, which takes minutes.
"""

import hashlib
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import image
import pytest
from emulated import EmulationError, check, debian, run
from image import ROOM_BYTES, partitions

from tests.conftest import ROOT
from tests.support.imager_list import faults
from tests.support.waiting import eventually

ASKED: Final = "CORNERLIGHT_MACHINE" in os.environ
PROGRAMS: Final = {**image._PROGRAMS, "mkfs.vfat": "dosfstools"}

PACKAGES: Final = ("ca-certificates", "dbus", "python3", "python3-venv", "systemd", "udev")

BOOT: Final = {
    "cmdline.txt": "console=tty1 root=PARTUUID=c0ffee00-02 rootwait ds=nocloud;i=rpi-imager-1\n",
    "config.txt": "dtparam=audio=on\n[all]\nenable_uart=1\n",
    "meta-data": "instance_id: rpi-image\n",
    "network-config": "network:\n  version: 2\n",
    "overlays/spi0-0cs.dtbo": "compiled",
    "user-data": "#cloud-config\nhostname: table\n",
}
"""Files of the first partition, as Raspberry Pi OS and Imager leave them."""

LEFT: Final = {"etc/resolv.conf": "nameserver 192.0.2.1\n", "etc/rpi-issue": "Raspberry Pi\n"}
"""Files of the second partition that stay as they are."""

SYSTEM_BYTES: Final = 900 << 20
TABLE: Final = f"""label: dos
label-id: 0xc0ffee00
start=8192, size=131072, type=c
start=139264, size={SYSTEM_BYTES // 512}, type=83
"""


def reason() -> str:
    """Returns the reason that no image can be made here; empty if one can."""
    if not ASKED:
        return "minutes of emulation; make machine runs it"
    missing = [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    try:
        check()
    except EmulationError as error:
        return str(error)
    return f"run: sudo apt-get install {' '.join(missing)}" if missing else ""


REASON: Final = reason()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)


def original(folder: Path) -> Path:
    """Makes a packed image like that of Raspberry Pi OS, and its checksum."""
    plain, root = folder / "original.img", folder / "original"
    system_root = debian("trixie", PACKAGES, "arm64", name="image")
    run(["cp", "-a", "--reflink=auto", str(system_root), str(root)])
    (root / "boot" / "firmware").mkdir(parents=True)
    for name, text in LEFT.items():
        (root / name).write_text(text)
    with plain.open("wb") as file:
        file.truncate(139264 * 512 + SYSTEM_BYTES)
    run(["sh", "-c", 'echo "$1" | sfdisk --quiet "$0"', str(plain), TABLE])
    (boot, _), (system, _) = partitions(run(["sfdisk", "--json", str(plain)]))
    run(["mkfs.vfat", "-F", "16", "-n", "bootfs", f"--offset={boot // 512}", str(plain), "65536"])
    for name, text in BOOT.items():
        path = folder / "boot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    tops = [str(path) for path in (folder / "boot").iterdir()]
    run(["mcopy", "-s", "-i", f"{plain}@@{boot}", *tops, "::"])
    words = ["mke2fs", "-q", "-F", "-t", "ext4", "-E", f"offset={system}", "-d", str(root)]
    run([*words, str(plain), f"{SYSTEM_BYTES >> 10}k"])
    run(["rm", "-rf", "--one-file-system", str(root)])
    run(["xz", "-0", "--threads=0", str(plain)])
    packed = plain.with_name("original.img.xz")
    sums = packed.with_name(f"{packed.name}.sha256")
    sums.write_text(f"{hashlib.sha256(packed.read_bytes()).hexdigest()}  {packed.name}\n")
    return packed


def making(packed: Path, out: Path, *before: str) -> subprocess.Popen[str]:
    """Begins to make the image as `make image` does, by a command that may stand before it."""
    words = [*before, sys.executable, str(ROOT / "systemd" / "image.py"), "--image", str(packed)]
    environment = {**os.environ, "XZ_OPT": "-0", "SOURCE_DATE_EPOCH": "1893456000"}
    return subprocess.Popen(
        [*words, "--out", str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def nothing_is_mounted(out: Path) -> bool:
    shown = "losetup --list; cat /proc/[0-9]*/mounts 2>/dev/null"
    done = subprocess.run(["sh", "-c", shown], capture_output=True, text=True, check=False)
    return "cgroup" in done.stdout and str(out) not in done.stdout


@contextmanager
def opened(plain: Path, folder: Path) -> Iterator[Path]:
    """Mounts an image to be read; yields its root."""
    (boot, _), (start, size) = partitions(run(["sfdisk", "--json", str(plain)]))
    run(["mount", "-o", f"loop,ro,offset={start},sizelimit={size}", str(plain), str(folder)])
    firmware = folder / "boot" / "firmware"
    run(["mount", "-t", "tmpfs", "boot", str(firmware)])
    run(["mcopy", "-s", "-i", f"{plain}@@{boot}", "::*", str(firmware)])
    try:
        yield folder
    finally:
        run(["umount", "--recursive", str(folder)])


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return original(tmp_path_factory.mktemp("original"))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release."""
    folder = tmp_path_factory.mktemp("out")
    words = ["--machine", "aarch64", "--python", "3.13", "--out", str(folder)]
    subprocess.run([sys.executable, ROOT / "systemd" / "release.py", *words], check=True)
    return folder


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_stays_of_one_that_is_ended(packed: Path, out: Path, sent: signal.Signals) -> None:
    before = sorted(out.iterdir())
    process = making(packed, out)
    child = ["pgrep", "--parent", str(process.pid), "unshare"]
    eventually(lambda: not subprocess.run(child, check=False).returncode, 120, every_s=0.2)
    os.killpg(process.pid, sent) if sent == signal.SIGINT else process.send_signal(sent)
    process.communicate(timeout=60)
    assert process.returncode != 0
    eventually(lambda: nothing_is_mounted(out), 30)
    if sent == signal.SIGKILL:
        (place,) = out.glob("image-*")
        shutil.rmtree(place)
    assert sorted(out.iterdir()) == before


def test_without_a_network_it_says_so(packed: Path, out: Path) -> None:
    process = making(packed, out, "unshare", "--net")
    words, _ = process.communicate(timeout=300)
    assert process.returncode == 1
    assert re.fullmatch(
        r"image: in the image, .* apt-get update: .*; check the network, .*\n", words
    )
    assert nothing_is_mounted(out)


@pytest.fixture(scope="module")
def made(packed: Path, out: Path) -> dict[str, Any]:
    """The list of the image that is made."""
    process = making(packed, out)
    words, _ = process.communicate(timeout=1500)
    assert process.returncode == 0, words
    (listed,) = out.glob("*.rpi-imager-manifest")
    assert words.strip() == str(listed)
    assert nothing_is_mounted(out)
    assert not list(out.glob("image-*"))
    found: dict[str, Any] = json.loads(listed.read_text())
    return found


@pytest.fixture(scope="module")
def plain(made: dict[str, Any], out: Path) -> Path:
    (packed,) = out.glob("*-lite.img.xz")
    plain = out / "plain.img"
    with lzma.open(packed) as source, plain.open("wb") as target:
        shutil.copyfileobj(source, target)
    return plain


@pytest.fixture(scope="module")
def root(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with opened(plain, tmp_path_factory.mktemp("mounted")) as root:
        yield root


def test_imager_takes_its_list(made: dict[str, Any], plain: Path, out: Path) -> None:
    assert faults(made) == []
    (system,) = made["os_list"]
    packed = out / system["url"].rpartition("/")[2]
    assert system["url"] == packed.as_uri()
    assert system["image_download_size"] == packed.stat().st_size
    assert system["extract_size"] == plain.stat().st_size
    with plain.open("rb") as file:
        assert system["extract_sha256"] == hashlib.file_digest(file, "sha256").hexdigest()
    assert system["release_date"] == "2030-01-01"


def test_its_partitions_are_whole_and_larger(plain: Path) -> None:
    table = run(["sfdisk", "--json", str(plain)])
    assert json.loads(table)["partitiontable"]["id"] == "0xc0ffee00"
    (_, (start, size)) = partitions(table)
    assert (start, size) == (139264 * 512, SYSTEM_BYTES + ROOM_BYTES)
    run(["e2fsck", "-f", "-n", f"{plain}?offset={start}"])


def test_the_release_is_installed_and_starts(root: Path) -> None:
    wanted = root / "etc" / "systemd" / "system"
    enabled = {path.name for path in wanted.glob("*.wants/cornerlight-*")}
    assert enabled >= {"cornerlight-table.service", "cornerlight-page.service"}
    (example,) = root.glob("etc/cornerlight/table.toml")
    assert "\n#[camera]" not in example.read_text()
    assert "[camera]" in example.read_text()
    assert "usage: cornerlight" in run(["/usr/local/bin/cornerlight", "--help"], root)
    settings = ["doctor", "--release", "--config", "/etc/cornerlight/table.toml"]
    run(["/usr/local/bin/cornerlight", *settings], root)


def test_the_files_of_imager_stay_and_the_board_is_configured(root: Path) -> None:
    boot = root / "boot" / "firmware"
    files = [path for path in boot.rglob("*") if path.is_file()]
    found = {str(path.relative_to(boot)): path.read_text() for path in files}
    kept = {f"{name}.before-cornerlight": BOOT[name] for name in ("cmdline.txt", "config.txt")}
    assert found.keys() == {*BOOT, *kept}
    assert kept.items() <= found.items()
    for name in BOOT.keys() - {"cmdline.txt", "config.txt"}:
        assert found[name] == BOOT[name]
    words, before = found["cmdline.txt"].split(), BOOT["cmdline.txt"].split()
    assert words[: len(before)] == before
    assert "spidev.bufsiz=32768" in words
    assert found["config.txt"].startswith(BOOT["config.txt"])
    assert "dtparam=spi=on" in found["config.txt"]


def test_nothing_of_its_making_is_left(root: Path) -> None:
    for name, text in LEFT.items():
        assert (root / name).read_text() == text
    assert (root / "etc" / "machine-id").read_text() == "uninitialized\n"
    for folder in ("mnt", "tmp", "var/cache/apt/archives/partial"):
        assert list((root / folder).iterdir()) == [], folder
    logs = [path for path in (root / "var" / "log").rglob("*.log") if not path.is_symlink()]
    assert {path.name for path in logs if path.stat().st_size} == set()
    assert "dpkg.log" in {path.name for path in logs}
    patterns = ("etc/ssh/ssh_host_*", "root/.*history", "var/cache/apt/*.bin", "usr/sbin/policy*")
    left = [*root.glob("etc/*.kept"), *root.glob("var/lib/dbus/machine-id")]
    assert [*left, *(path for one in patterns for path in root.glob(one))] == []
