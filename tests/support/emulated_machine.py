"""A whole arm64 machine in emulation: Debian's own kernel, systemd, GPIO, SPI and a camera.

The kernel's modules stand for what a Raspberry Pi has at its header: gpio-sim for the pins,
spi-gpio for the bus of the LEDs, and vivid for a webcam that shows what its own output is given.
Debian does not build gpio-sim; it is built here from Debian's source of its kernel.
"""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from emulated import EmulationError, debian, run

from tests.support.shared_shell import SHARED, MachineError, SharedShell, missing, put_agent
from tests.support.written_card import INSTANCE, SEED, write_card
from vision.camera import Image

SIZE: Final = (1280, 720)
"""Width and height of the camera's pictures in pixels."""

_SUITE: Final = "trixie"
_SOURCE: Final = "linux-source-6.12"

_PACKAGES: Final = (
    "avahi-daemon",
    "cloud-init",
    "dbus",
    "gcc",
    "kmod",
    "libc6-dev",
    "linux-headers-arm64",
    "linux-image-arm64",
    _SOURCE,
    "make",
    "netplan.io",
    "procps",
    "python3",
    "python3-venv",
    "systemd",
    "systemd-sysv",
    "systemd-timesyncd",
    "udev",
    "v4l-utils",
)

_FEW_MODULES: Final = (
    'mkdir -p "$1/etc/initramfs-tools/conf.d"; '
    'echo MODULES=list >"$1/etc/initramfs-tools/conf.d/list"; '
    'printf "virtio_pci\\nvirtio_blk\\next4\\n" >"$1/etc/initramfs-tools/modules"'
)
"""The first file system has what finds the disk: with every module it takes minutes to pack."""

_MODULE: Final = (
    ("drivers/gpio/gpio-sim.c", "simulator.c"),
    ("kernel/irq/irq_sim.c", "interrupts.c"),
)
"""Files of the kernel's source that make gpio-sim, and their names here."""

_MAKEFILE: Final = "obj-m := gpio-sim.o\ngpio-sim-y := simulator.o interrupts.o\n"

_CONFIGURATION: Final = {
    "etc/fstab": f"shared {SHARED} 9p trans=virtio,version=9p2000.L,cache=none,msize=262144 0 0\n",
    "etc/systemd/network/wired.network": "[Match]\nName=e*\n[Network]\nDHCP=ipv4\n",
    # One video input and one output, both HDMI. They do not scale: scaling BGR has a fault in this
    # kernel that stops it.
    "etc/modprobe.d/vivid.conf": "options vivid n_devs=1 node_types=0x101 num_inputs=1 "
    "input_types=0x3 num_outputs=1 output_types=0x1 ccs_cap_mode=0 ccs_out_mode=0\n",
    "etc/modules-load.d/vivid.conf": "vivid\n",
    "boot/firmware/config.txt": "# The settings of a Raspberry Pi's firmware\n",
    "boot/firmware/cmdline.txt": "console=tty1 root=/dev/vda\n",
}

_WRITTEN_S: Final = 1_750_000_000
"""Time of the files of the machine, in seconds since 1970: June 2025, as of an old image."""

_CARD: Final = {
    "var/lib/systemd/timesync/clock": "",
    "etc/fstab": f"{_CONFIGURATION['etc/fstab']}LABEL=bootfs /boot/firmware vfat defaults 0 2\n",
    **SEED,
}
"""Files of a machine whose boot configuration and first settings are on a partition of a card."""

_PROGRAMS: Final = {
    "qemu-system-aarch64": "qemu-system-arm",
    "qemu-aarch64-static": "qemu-user-static",
    "fdtoverlay": "device-tree-compiler",
    "mcopy": "mtools",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "mmdebstrap": "mmdebstrap",
}
"""Programs that this takes, and their packages."""

_MACHINE: Final = (
    "qemu-system-aarch64",
    *("-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048"),
    *("-accel", "tcg,thread=multi", "-display", "none", "-no-reboot"),
)

_NETWORK: Final = "network"
"""Name of the machine's way to the network in the emulation."""

_PORT: Final = 8000
"""Port of the page in the machine."""

_BOOT_S: Final = 900.0

_FEED: Final = f"""#!/bin/sh
# Wires the camera's input to its own output, and shows that the newest picture for ever. A camera
# with 24 pictures a second is too much for an emulated processor: it drops six of seven.
in=/dev/video0 out=/dev/video1 newest=/run/picture
v4l2-ctl -d $in --set-dv-bt-timings index=3 \\
  -c hdmi_000_0_is_connected_to=2,osd_text_mode=2,percentage_of_dropped_buffers=85
v4l2-ctl -d $out --set-dv-bt-timings index=3 --set-fmt-video-out=pixelformat=BGR3
cat {SHARED}/picture >$newest
v4l2-ctl -d $out --stream-out-mmap 3 --stream-from $newest --stream-loop >/dev/null 2>&1 &
while sleep 0.3; do
  [ {SHARED}/picture -nt $newest ] &&
    dd if={SHARED}/picture of=$newest bs=1M conv=notrunc status=none
done
"""
"""Format 3 of the output is 1280x720 at 24 pictures a second. The picture is written over, as the
output ends for ever when it finds an empty file; the input shows noise then."""


def no_machine() -> str:
    """Returns the reason that no machine can be emulated here; empty if one can."""
    return missing(_PROGRAMS)


class EmulatedMachine(SharedShell):
    """An arm64 machine that takes commands, and whose pins and camera can be reached.

    Args:
        folder: folder of its files.
        words: command that emulates it.
    """

    def __init__(self, folder: Path, words: Sequence[str]) -> None:
        super().__init__(folder, _BOOT_S)
        # Names of sockets are short.
        self._monitor: Final = Path(tempfile.mkdtemp()) / "monitor"
        self._words: Final = (*words, "-monitor", f"unix:{self._monitor},server=on,wait=off")
        self._process: subprocess.Popen[bytes] | None = None

    # Power

    def switch_on(self) -> None:
        """Starts the machine, whose disk is as it was left."""
        self._process = subprocess.Popen(self._words, stdin=subprocess.DEVNULL)

    def cut_power(self) -> None:
        """Ends the machine at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def restarts(self, within_s: float) -> None:
        """Waits until the machine restarts by itself."""
        assert self._process is not None
        self._process.wait(within_s)
        self.switch_on()

    # Network and screen

    def plug_network(self, state: str) -> None:
        """Plugs the network's cable in, "on", or pulls it out, "off"."""
        until_s = time.monotonic() + 30
        while not self._monitor.exists():
            assert time.monotonic() < until_s
            time.sleep(0.1)
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(str(self._monitor))
            monitor.settimeout(10)
            monitor.sendall(f"set_link {_NETWORK} {state}\n".encode())
            seen = b""
            # It repeats each character, then prompts again.
            while seen.count(b"(qemu)") < 2:
                seen += monitor.recv(4096)

    def screen(self) -> str:
        """Returns the text on the screen."""
        return self.done("fold -w 80 /dev/vcs1 | sed 's/ *$//'")

    # Buttons

    def press(self, pin: int) -> None:
        """Connects a pin with ground."""
        self._pull(pin, "pull-down")

    def release(self, pin: int) -> None:
        """Leaves a pin to its pull-up."""
        self._pull(pin, "pull-up")

    def _pull(self, pin: int, pull: str) -> None:
        self.done(f"echo {pull} >/sys/devices/platform/gpio-simulator/gpiochip0/sim_gpio{pin}/pull")

    # LEDs

    def spi_bytes(self) -> int:
        """Bytes that have left on the SPI bus."""
        return int(self.done("cat /sys/class/spi_master/spi0/statistics/bytes_tx"))

    # Camera

    def show(self, picture: Image) -> None:
        """Shows the camera a picture, BGR, in the middle of black."""
        height = SIZE[1]
        width = round(picture.shape[1] * height / picture.shape[0])
        scaled = cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR)
        whole = np.zeros((height, SIZE[0], 3), np.uint8)
        left = (SIZE[0] - width) // 2
        whole[:, left : left + width] = scaled
        aside = self.shared / "picture.new"
        aside.write_bytes(whole.tobytes())
        aside.replace(self.shared / "picture")

    def plug(self) -> None:
        """Plugs the camera in, and shows it the pictures."""
        self.run("echo vivid.0 >/sys/bus/platform/drivers/vivid/bind")
        self.done(f"systemd-run --quiet --unit=pictures sh {SHARED}/feed")

    def unplug(self) -> None:
        """Pulls the camera out."""
        self.done("systemctl stop pictures; echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind")


@contextmanager
def booted(
    folder: Path, port: int, card: Path | None = None, **files: str
) -> Iterator[EmulatedMachine]:
    """Starts a machine, whose page is at a port of this one.

    Args:
        folder: folder for its files.
        port: port of this machine.
        card: zip file of a release that lies on its boot partition; None for a boot folder without.
        files: texts of further files of its root file system, by their paths.

    Raises:
        MachineError: it cannot be built, or does not boot here.
    """
    shared = folder / "shared"
    try:
        root = _root()
        drives = [_disk(root, folder, {**files, **(_CARD if card else {})})]
        if card:
            drives.append(_boot_partition(folder, card))
        tree = _device_tree(folder)
    except EmulationError as error:
        raise MachineError(str(error)) from error
    (shared / "feed").write_text(_FEED)
    words = [*_MACHINE, "-dtb", str(tree), *_kernel(root)]
    for number, drive in enumerate(drives):
        words += ["-drive", f"file={drive},if=none,id=disk{number},format=raw"]
        words += ["-device", f"virtio-blk-pci,drive=disk{number}"]
    words += ["-serial", f"file:{folder}/console"]
    words += ["-virtfs", f"local,path={shared},mount_tag=shared,security_model=none"]
    words += ["-netdev", f"user,id={_NETWORK},hostfwd=tcp:127.0.0.1:{port}-:{_PORT}"]
    words += ["-device", f"virtio-net-pci,netdev={_NETWORK},romfile="]
    # A Raspberry Pi has no clock of its own.
    words += ["-rtc", "base=1970-01-01T00:00:00"] if card else []
    machine = EmulatedMachine(folder, words)
    machine.switch_on()
    try:
        if not card:
            machine.answers()
        yield machine
    finally:
        machine.cut_power()


def _root() -> Path:
    """Returns the root file system with kernel and gpio-sim, built if it is not there yet."""
    root = debian(_SUITE, _PACKAGES, "arm64", name="machine", hook=_FEW_MODULES)
    if not _modules(root).joinpath("extra", "gpio-sim.ko").exists():
        _build_gpio_sim(root)
    return root


def _modules(root: Path) -> Path:
    """Returns the folder with the modules of the kernel."""
    (folder,) = (root / "lib" / "modules").iterdir()
    return folder


def _build_gpio_sim(root: Path) -> None:
    """Builds the module, and forgets the kernel's source, which takes room."""
    archive, build = root / "usr" / "src" / f"{_SOURCE}.tar.xz", root / "build"
    modules = _modules(root)
    build.mkdir(exist_ok=True)
    paths = [f"{_SOURCE}/{path}" for path, _ in _MODULE]
    run(["tar", "--extract", "--xz", f"--file={archive}", f"--directory={build}", *paths])
    for path, name in _MODULE:
        text = (build / _SOURCE / path).read_text("utf-8")
        # A kernel without the module does not export what the original calls.
        call = "handle_simple_irq(irq_to_desc(irqnum))"
        (build / name).write_text(text.replace(call, "generic_handle_irq(irqnum)"), "utf-8")
    (build / "Makefile").write_text(_MAKEFILE)
    run(["make", "-C", f"/lib/modules/{modules.name}/build", "M=/build", "modules"], root)
    (modules / "extra").mkdir(exist_ok=True)
    shutil.copy(build / "gpio-sim.ko", modules / "extra")
    run(["depmod", modules.name], root)
    archive.unlink()


def _disk(root: Path, folder: Path, files: Mapping[str, str]) -> Path:
    """Makes a disk of the root, with the agent, the configuration and further files."""
    copy, disk = folder / "root", folder / "disk"
    run(["cp", "-a", "--reflink=auto", str(root), str(copy)])
    put_agent(copy, folder / "shared")
    for name, text in {**_CONFIGURATION, **files}.items():
        place = copy / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        # systemd takes the time of its clock's file for the least that it can be.
        os.utime(place, (_WRITTEN_S, _WRITTEN_S))
    network = "usr/lib/systemd/system/systemd-networkd.service"
    wanted = copy / "etc/systemd/system/multi-user.target.wants"
    (wanted / "systemd-networkd.service").symlink_to(f"/{network}")
    with disk.open("wb") as image:
        image.truncate(4 << 30)
    run(["mke2fs", "-q", "-F", "-t", "ext4", "-d", str(copy), str(disk)])
    run(["rm", "-rf", "--one-file-system", str(copy)])
    return disk


def _boot_partition(folder: Path, card: Path) -> Path:
    """Makes the boot partition, as large as that of Raspberry Pi OS."""
    place, disk = folder / "boot", folder / "boot.img"
    write_card(place, card)
    run(["mkfs.vfat", "-F", "32", "-n", "bootfs", "-C", str(disk), str(512 << 10)])
    run(["mcopy", "-s", "-i", str(disk), *map(str, sorted(place.iterdir())), "::"])
    return disk


def _device_tree(folder: Path) -> Path:
    """Returns the device tree of the machine, with what a Raspberry Pi's header has."""
    plain, ours, tree = (folder / name for name in ("plain.dtb", "ours.dtbo", "machine.dtb"))
    dump = [*_MACHINE, "-nic", "none", "-machine", f"virt,dumpdtb={plain}"]
    run(dump)
    source = Path(__file__).with_name("machine.dts")
    run(["dtc", "-@", "-q", "-I", "dts", "-O", "dtb", "-o", str(ours), str(source)])
    run(["fdtoverlay", "-i", str(plain), "-o", str(tree), str(ours)])
    return tree


def _kernel(root: Path) -> list[str]:
    boot, version = root / "boot", _modules(root).name
    words = ["-kernel", f"{boot}/vmlinuz-{version}", "-initrd", f"{boot}/initrd.img-{version}"]
    # What guards against other programs of a processor is slow where the processor is emulated.
    return [
        *words,
        "-append",
        f"root=/dev/vda rw console=ttyAMA0 quiet mitigations=off net.ifnames=0 {INSTANCE}",
    ]
