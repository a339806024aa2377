"""The drivers under the rights of the table's unit, on a machine with a Raspberry Pi's nodes.

The nodes are there and no hardware is behind them: the kernel says that there is no such device, or
that it is not permitted. Where it is permitted, `fakepi.c` plays SPI and the pins of rpi-ws281x.
"""

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Final

from tests.conftest import ROOT
from tests.support import asked_drivers
from tests.support.driver_machine import ZERO_2_W, compiled
from tests.support.shared_shell import SHARED, SharedShell

NODES: Final = {
    "/dev/spidev0.0": ("spi", 153),
    "/dev/video0": ("video4linux", 81),
    "/dev/media0": ("media", 240),
    "/dev/gpiochip0": ("gpiochip", 241),
    "/dev/gpiomem": ("bcm2835-gpiomem", 242),
    "/dev/leds0": ("ws2812-pio", 243),
    "/dev/dma_heap/system": ("dma_heap", 244),
}
"""Nodes of a Raspberry Pi, with the names and numbers of their drivers in the kernel."""

SCREEN: Final = "/dev/fb0"
"""A node that no driver needs: the unit must not give it."""

_LIBRARIES: Final = ("rpi_ws281x", "_rpi_ws281x", "lgpio", "_lgpio", "gpiozero", "colorzero")
"""Libraries of a Raspberry Pi, which a release for a PC does not have."""

_UNIT: Final = "cornerlight-table"


class DriverSandbox:
    """The unit of the table, whose program asks the drivers instead of refereeing.

    Args:
        shell: a machine with an installed release.
        wled: name or address of WLED.
    """

    def __init__(self, shell: SharedShell, wled: str) -> None:
        self._shell: Final = shell
        (shell.shared / "wled").write_text(wled)
        shutil.copy(asked_drivers.__file__, shell.shared)
        (shell.shared / "builds").mkdir()
        for path in ROOT.glob("hardware/*/table*.toml"):
            shutil.copy(path, shell.shared / "builds" / f"{path.parent.name}-{path.name}")
        self._put_libraries(shell.shared / "libraries")
        compiled(shell.shared)
        self._make_nodes()

    def _put_libraries(self, folder: Path) -> None:
        folder.mkdir()
        for name in _LIBRARIES:
            found = importlib.util.find_spec(name)
            if found is None or found.origin is None:
                continue
            place = Path(found.origin)
            if found.submodule_search_locations:
                shutil.copytree(place.parent, folder / name)
            else:
                shutil.copy(place, folder)

    def _make_nodes(self) -> None:
        """Makes the nodes, and the list in which systemd looks up the names of their drivers."""
        nodes = {**NODES, SCREEN: ("fb", 29)}
        lines = [f"{number:3} {name}" for name, number in nodes.values()]
        head, rest = self._shell.done("cat /proc/devices").split("\n", 1)
        devices = "\n".join((head, *lines, rest, ""))
        (self._shell.shared / "devices").write_text(devices)
        self._shell.done(f"mount --bind {SHARED}/devices /proc/devices")
        for path, (_, number) in nodes.items():
            self._shell.done(f"mkdir -p $(dirname {path}) && mknod -m 666 {path} c {number} 0")

    def answers(self, *lines: str) -> dict[str, str]:
        """Asks the drivers in the unit, with further lines for its section of the service."""
        python = "/opt/cornerlight/current/venv/bin/python"
        asked = " ".join((*NODES, SCREEN))
        program = f"{python} {SHARED}/{Path(asked_drivers.__file__).name} {asked}"
        text = ["[Service]", "Type=oneshot", "ExecStart=", f"ExecStart={program}", "ExecStopPost="]
        text += ["Restart=no", "WatchdogSec=0", f"Environment=FAKEPI_REVISION={ZERO_2_W}"]
        text += [f"Environment=LD_PRELOAD={SHARED}/fakepi.so", *lines, ""]
        (self._shell.shared / "ask.conf").write_text("\n".join(text))
        dropin = f"/etc/systemd/system/{_UNIT}.service.d"
        self._shell.done(f"mkdir -p {dropin} && cp {SHARED}/ask.conf {dropin}/zz-ask.conf")
        self._shell.done("systemctl daemon-reload")
        self._shell.done(f"systemctl restart {_UNIT}")
        self._shell.done(f"rm {dropin}/zz-ask.conf && systemctl daemon-reload")
        told = self._shell.done(f"journalctl --sync && journalctl -u {_UNIT} -o cat -n 200")
        found = [line for line in told.splitlines() if line.startswith('{"/dev/')]
        answers: dict[str, str] = json.loads(found[-1])
        return answers
