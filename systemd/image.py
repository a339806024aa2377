"""Puts a release into the image of Raspberry Pi OS Lite, and writes its entry for Imager's list.

`make image` calls it, as root; on another processor than arm64 the image's programs are emulated.
All mounts are in a namespace of this process, and end with it however it ends.
"""

import argparse
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from checksums import sha256
from emulated import ROOT, EmulationError, check, run

OFFICIAL: Final = "https://downloads.raspberrypi.com/raspios_lite_arm64_latest"
"""Address of the newest Raspberry Pi OS Lite for arm64."""

DEVICES: Final = {
    "pi5-64bit": "Raspberry Pi 5",
    "pi4-64bit": "Raspberry Pi 4, 400",
    "pi3-64bit": "Raspberry Pi 3, Zero 2 W",
}
"""Tags of Imager's own list for what runs the 64-bit system, and the names that it shows. Without
devices of its own in the list, Imager 2 does not go beyond its first page."""

ROOM_BYTES: Final = 1200 << 20
"""Room that is added for the release and the system's packages: 330 MB with the player and 200 MB
of packages, twice, as an update needs it again. The first start grows the system to its card."""

_PROGRAMS: Final = {
    "losetup": "mount",
    "mcopy": "mtools",
    "resize2fs": "e2fsprogs",
    "sfdisk": "fdisk",
    "unshare": "util-linux",
    "xz": "xz-utils",
}
"""Programs that this takes, and their packages."""

_NEW_MOUNTS: Final = 0x00020000
"""CLONE_NEWNS of the kernel; `os.unshare` came with Python 3.12."""

_RELEASE: Final = "mnt"
"""Folder of the image at which the release is mounted for the time."""

_POLICY: Final = "usr/sbin/policy-rc.d"
"""Script that Debian asks before it starts a service of a package."""

_TRACES: Final = (
    "etc/ssh/ssh_host_*",
    "home/*/.bash_history",
    "root/.bash_history",
    "var/cache/apt/*.bin",
    "var/cache/apt/archives/*.deb",
    "var/lib/dbus/machine-id",
    "var/lib/systemd/random-seed",
)
"""Files that belong to one machine, or to its making."""


class ImageError(Exception):
    """The image cannot be made; one sentence with cause and remedy."""


def main(words: list[str] | None = None) -> int:
    """Makes image and list; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    more = "path or address of an image .img.xz, whose checksum has the same name and .sha256"
    parser.add_argument("--image", default=OFFICIAL, help=f"{more}; default: {OFFICIAL}")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release")
    chosen = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        _check()
        release = _release(chosen.out)
        with _workplace(chosen.out) as place:
            image = unpacked(fetched(chosen.image, place), place / "image")
            with _mounted(image, place / "root") as root:
                check_system(root)
                _install(root, release)
                forget(root)
            list_file = _published(image, release.name, chosen.out)
    except (ImageError, EmulationError) as error:
        print(f"image: {error}", file=sys.stderr)
        return 1
    print(list_file)
    return 0


def _check() -> None:
    """Checks that this machine can make an image, and gives this process its own mounts."""
    check()
    missing = sorted({package for name, package in _PROGRAMS.items() if not shutil.which(name)})
    if missing:
        raise ImageError(f"programs are missing; run: sudo apt-get install {' '.join(missing)}")
    if ctypes.CDLL(None).unshare(_NEW_MOUNTS):
        raise ImageError("this container may not mount anything; run it on the machine itself")
    run(["mount", "--make-rprivate", "/"])


def _release(folder: Path) -> Path:
    """Returns the release, as `release.py` leaves it beside its archive."""
    found = [path for path in folder.glob("cornerlight-*") if (path / "wheels").is_dir()]
    if len(found) != 1:
        raise ImageError(f"there is no release in {folder}; run: make release")
    return found[0]


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="image-", dir=folder))
    try:
        yield place
    finally:
        # Never into what may still be mounted there.
        subprocess.run(["rm", "-rf", "--one-file-system", str(place)], check=False)


def fetched(source: str, folder: Path) -> Path:
    """Copies the packed image of a path or an address into a folder.

    Raises:
        ImageError: it cannot be read, or is not the one of its checksum.
    """
    address = source if "://" in source else Path(source).absolute().as_uri()
    packed = folder / "image.xz"
    try:
        with urlopen(address, timeout=60) as reply, packed.open("wb") as file:  # noqa: S310
            shutil.copyfileobj(reply, file)
            # The newest image has an address that leads to that of its date.
            sums = f"{reply.url}.sha256"
        with urlopen(sums, timeout=60) as reply:  # noqa: S310
            wanted = reply.read(200).decode("ascii", "replace").split()[:1]
    except (OSError, HTTPException) as error:
        why = f"the image {source} or its .sha256 cannot be fetched: {error}"
        raise ImageError(f"{why}; name another one with IMAGE=") from error
    if wanted != [sha256(packed)]:
        raise ImageError(f"{source} is not the image of its checksum {sums}; fetch it again")
    return packed


def unpacked(packed: Path, image: Path) -> Path:
    """Unpacks an image, and makes it and its last partition larger.

    Raises:
        ImageError: there is no space, or it is not one of Raspberry Pi OS.
    """
    try:
        totals = run(["xz", "--robot", "--list", str(packed)]).splitlines()[-1]
    except EmulationError as error:
        raise _wrong("it is not packed by xz") from error
    needed = int(totals.split("\t")[4]) * 3 // 2 + ROOM_BYTES
    free = shutil.disk_usage(image.parent).free
    if free < needed:
        raise ImageError(
            f"{needed / 1e9:.1f} GB are needed in {image.parent.parent}, and {free / 1e9:.1f} are "
            "free; make room"
        )
    run(["sh", "-c", 'exec xz --decompress --stdout "$0" >"$1"', str(packed), str(image)])
    packed.unlink()
    partitions(_table(image))
    os.truncate(image, image.stat().st_size + ROOM_BYTES)
    grow = 'echo ", +" | sfdisk --quiet --no-reread --no-tell-kernel -N 2 "$0"'
    run(["sh", "-c", grow, str(image)])
    return image


def _table(image: Path) -> str:
    try:
        return run(["sfdisk", "--json", str(image)])
    except EmulationError:
        return "{}"


def partitions(table: str) -> list[tuple[int, int]]:
    """Returns first byte and length of both partitions, from the table that `sfdisk` prints.

    Raises:
        ImageError: they are not those of Raspberry Pi OS.
    """
    found = json.loads(table).get("partitiontable", {})
    rows = found.get("partitions", [])
    if found.get("label") != "dos" or [row["type"] for row in rows] != ["c", "83"]:
        raise _wrong("its partitions are others")
    return [(row["start"] * 512, row["size"] * 512) for row in rows]


def _wrong(why: str) -> ImageError:
    wanted = "name one of Raspberry Pi OS Lite, 64 bit, with IMAGE="
    return ImageError(f"this is no image of Raspberry Pi OS, 64 bit: {why}; {wanted}")


@contextmanager
def _mounted(image: Path, root: Path) -> Iterator[Path]:
    """Mounts an image, whose file system fills its partition, and takes all away again."""
    boot, system = partitions(_table(image))
    _fill(image, system)
    root.mkdir()
    with ExitStack() as stack:
        # After a failure a program may still be in it.
        lazily = ["umount", "--recursive", "--lazy", "--quiet", str(root)]
        stack.callback(subprocess.run, lazily, check=False)
        options = f"loop,offset={system[0]},sizelimit={system[1]}"
        run(["mount", "-o", options, str(image), str(root)])
        if not (root / "boot" / "firmware").is_dir():
            raise _wrong("it has no /boot/firmware")
        with _boot_files(f"{image}@@{boot[0]}", root / "boot" / "firmware"):
            yield root
        subprocess.run(["fstrim", str(root)], capture_output=True, check=False)
        run(["umount", "--recursive", str(root)])


def _fill(image: Path, part: tuple[int, int]) -> None:
    """Makes the file system of a partition as large as the partition."""
    options = [f"--offset={part[0]}", f"--sizelimit={part[1]}"]
    device = run(["losetup", "--find", "--show", *options, str(image)]).strip()
    with Path(device).open("rb"):
        # It stays until nobody has it open, and no longer.
        run(["losetup", "--detach", device])
        # Status 1 says that faults were mended.
        run(["sh", "-c", 'e2fsck -f -p "$0" || [ $? = 1 ]', device])
        run(["resize2fs", device])


@contextmanager
def _boot_files(partition: str, folder: Path) -> Iterator[None]:
    """Has the files of a FAT partition in a folder, and writes back those that are new or changed.

    Args:
        partition: file and first byte, as mtools names it; the kernel may lack FAT.
        folder: a folder that may be covered.
    """
    run(["mount", "-t", "tmpfs", "boot", str(folder)])
    run(["mcopy", "-s", "-i", partition, "::*", str(folder)], MTOOLS_SKIP_CHECK="1")
    before = {path: sha256(path) for path in folder.rglob("*") if path.is_file()}
    yield
    for path in folder.rglob("*"):
        if path.is_file() and sha256(path) != before.get(path):
            target = f"::{path.relative_to(folder)}"
            run(["mcopy", "-D", "o", "-i", partition, str(path), target], MTOOLS_SKIP_CHECK="1")


def check_system(root: Path) -> None:
    """Checks that a root is that of Raspberry Pi OS for arm64.

    Raises:
        ImageError: it is another one.
    """
    shell = root / "usr" / "bin" / "dash"
    header = shell.read_bytes()[:20] if shell.is_file() else b""
    if header[:5] != b"\x7fELF\x02" or header[18:] != b"\xb7\0":
        raise _wrong("its programs are for another processor")
    if not (root / "etc" / "rpi-issue").exists():
        raise _wrong("it has no /etc/rpi-issue")


def _install(root: Path, release: Path) -> None:
    """Runs the installer of a release in an image, where it starts nothing."""
    run(["mount", "--bind", "-o", "ro", str(release), str(root / _RELEASE)])
    run(["mount", "--rbind", "/dev", str(root / "dev")])
    for name in ("run", "tmp"):
        run(["mount", "-t", "tmpfs", name, str(root / name)])
    with _for_the_time(root):
        installer = f"/{_RELEASE}/systemd/installer.py"
        # All that it starts ends with it, and it with this process.
        words = ["setpriv", "--pdeathsig", "KILL"]
        words += ["unshare", "--pid", "--fork", "--kill-child", f"--root={root}", "--mount-proc"]
        try:
            run([*words, "python3", "-B", installer, "install"])
        except EmulationError as error:
            raise ImageError(f"in the image, {str(error).splitlines()[-1]}") from error


@contextmanager
def _for_the_time(root: Path) -> Iterator[None]:
    """Gives an image the names of this machine's network, and lets no service start."""
    names, kept = root / "etc" / "resolv.conf", root / "etc" / "resolv.conf.kept"
    policy = root / _POLICY
    if os.path.lexists(names):
        names.rename(kept)
    shutil.copyfile("/etc/resolv.conf", names)
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    try:
        yield
    finally:
        policy.unlink()
        names.unlink()
        if os.path.lexists(kept):
            kept.rename(names)


def forget(root: Path) -> None:
    """Removes from a system what each machine makes anew, and the traces of its making."""
    for pattern in _TRACES:
        for path in root.glob(pattern):
            path.unlink()
    for path in (root / "var" / "log").rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.truncate(path, 0)
    (root / "etc" / "machine-id").write_text("uninitialized\n")


def _published(image: Path, release: str, folder: Path) -> Path:
    """Packs an image into a folder, and writes its list; returns the list."""
    packed, aside = folder / f"{release}-lite.img.xz", image.with_suffix(".xz")
    run(["sh", "-c", 'exec xz --threads=0 --stdout "$0" >"$1"', str(image), str(aside)])
    aside.replace(packed)
    measures: dict[str, str | int] = {
        "extract_size": image.stat().st_size,
        "extract_sha256": sha256(image),
        "image_download_size": packed.stat().st_size,
    }
    version = release.partition("-")[2]
    places = addresses(packed, version, os.environ.get("GITHUB_REPOSITORY", ""))
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    measures["release_date"] = datetime.fromtimestamp(seconds, UTC).date().isoformat()
    listed = folder / f"{release}.rpi-imager-manifest"
    text = json.dumps(imager_list(version, {**places, **measures}), indent=2)
    listed.write_text(text + "\n", "utf-8")
    return listed


def addresses(packed: Path, version: str, repository: str) -> dict[str, str]:
    """Returns the addresses in the list: of a release of a repository, or of files here.

    Args:
        packed: the packed image.
        version: its version, whose tag begins with "v".
        repository: owner and name at GitHub; empty for files here.
    """
    icon = "web/static/icon.svg"
    if not repository:
        return {"icon": (ROOT / icon).as_uri(), "url": packed.absolute().as_uri()}
    site, tag = f"https://github.com/{repository}", f"v{version}"
    return {
        "icon": f"https://raw.githubusercontent.com/{repository}/{tag}/{icon}",
        "url": f"{site}/releases/download/{tag}/{packed.name}",
        "website": site,
    }


def imager_list(version: str, facts: dict[str, str | int]) -> dict[str, Any]:
    """Returns the list of Raspberry Pi Imager with one system.

    Source: doc/json-schema/os-list-schema.json of rpi-imager, and its `DeviceSelectionStep.qml`.

    Args:
        version: version of the release.
        facts: addresses, sizes, checksum and date, as the list names them.
    """
    devices = [
        {"name": name, "description": "", "tags": [tag], "architecture": "armv8"}
        for tag, name in DEVICES.items()
    ]
    system = {
        "name": f"Cornerlight {version}",
        "description": "Referees Blokus on your table; Raspberry Pi OS Lite with all it needs",
        **facts,
        "devices": list(DEVICES),
        "init_format": "cloudinit-rpi",
        "architecture": "armv8",
    }
    return {"imager": {"devices": devices}, "os_list": [system]}


if __name__ == "__main__":
    sys.exit(main())
