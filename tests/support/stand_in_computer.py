"""A folder that stands in for `/` of a Raspberry Pi with an installed table, and its programs."""

from pathlib import Path
from typing import Final

from firmware.machine.computer import Computer
from firmware.machine.units import NAME_SERVICE, PAGE, PLAYER, POWER_OFF, TABLE
from tests.support.stand_in_sysfs import StandInSysfs

MODEL: Final = "Raspberry Pi 4 Model B Rev 1.4"

_SERVICE: Final = {
    "LoadState": "loaded",
    "ActiveState": "active",
    "SubState": "running",
    "Result": "success",
    "UnitFileState": "enabled",
    "NRestarts": "0",
}
_USERS: Final = "root:x:0:0:root:/root:/bin/bash\ncornerlight:x:990:990::/:/usr/sbin/nologin\n"
_GROUPS: Final = "root:x:0:\ngpio:x:986:\nspi:x:989:\nvideo:x:44:\ncornerlight:x:990:\n"
_BUS: Final = "org.freedesktop.Avahi"


class StandInComputer:
    """A fine Raspberry Pi 4, whose parts a test breaks.

    Args:
        root: folder that gets the files.

    Attributes:
        sys: its folder `/sys`.
        units: properties of its units by their names.
        outputs: text that other programs print, by their words; None for one that fails.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        self.sys: Final = StandInSysfs(root / "sys")
        self.units = {
            name: dict(_SERVICE) for name in (TABLE, PAGE, PLAYER, POWER_OFF, NAME_SERVICE)
        }
        user = {"User": "cornerlight", "Group": "cornerlight"}
        self.units[TABLE] |= {**user, "SupplementaryGroups": "video gpio spi"}
        self.outputs: dict[tuple[str, ...], str | None] = {
            ("vcgencmd", "get_throttled"): "throttled=0x0",
            ("timedatectl",): "NTP=yes\nNTPSynchronized=yes",
            ("busctl", "call", _BUS): 's "club.local"',
        }
        self.write("proc/device-tree/model", f"{MODEL}\0")
        self.write("proc/self/mounts", "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n")
        self.write("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n')
        self.write("etc/passwd", _USERS)
        self.write("etc/group", _GROUPS)
        self.write("boot/firmware/config.txt", "core_freq=500\ncore_freq_min=500\ndtparam=spi=on\n")
        self.write("boot/firmware/cmdline.txt", "root=/dev/mmcblk0p2 spidev.bufsiz=32768\n")
        self.write("sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
        self.write("sys/module/spidev/parameters/bufsiz", "32768\n")
        self.write(f"etc/systemd/system/{TABLE}", "")
        self.write("etc/cornerlight/table.toml", f"[table]\nsocket = '{root}/feed.sock'\n")
        self.write("dev/spidev0.0", "")
        for folder in ("run/systemd/system", "var/lib/cornerlight"):
            (root / folder).mkdir(parents=True)

    @property
    def computer(self) -> Computer:
        """The computer, as the program sees it."""
        return Computer(self.root, self._answer)

    def write(self, path: str, text: str) -> Path:
        """Writes a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        return file

    def remove(self, path: str) -> None:
        """Removes a file."""
        (self.root / path).unlink()

    def _answer(self, words: tuple[str, ...]) -> str | None:
        if words[:2] == ("systemctl", "show"):
            if self.outputs.get(("systemctl",), "") is None:
                return None
            return "\n\n".join(
                "\n".join(f"{key}={value}" for key, value in {"Id": name, **properties}.items())
                for name, properties in self.units.items()
            )
        known = (words[:length] for length in range(len(words), 0, -1))
        return next((self.outputs[one] for one in known if one in self.outputs), None)
