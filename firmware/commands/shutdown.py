"""`cornerlight shutdown`: switches the machine off on which the table is a service.

It writes the file that the table itself writes when a phone or a button asks. Screens only lose the
table then: whoever types this is at the machine.
"""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import CornerlightError
from firmware.machine.computer import Computer
from firmware.machine.units import POWER_OFF

EXAMPLE: Final = "cornerlight shutdown"

FILE: Final = Path("/run/cornerlight/power-off")
"""File for which systemd waits, in the folder of the table's service while that runs."""


def configure(_: argparse.ArgumentParser) -> None:
    """Adds the options of the verb, of which there are none."""


def run(_: argparse.Namespace, computer: Computer | None = None) -> int:
    """Writes the file."""
    computer = computer or Computer()
    file = computer.at(FILE)
    if computer.ask(("systemctl", "is-active", POWER_OFF)) is None or not file.parent.is_dir():
        raise CornerlightError("no service runs the table here; run: sudo poweroff")
    file.touch()
    print("the machine switches off; pull the plug once its green light has stayed dark for 10 s")
    return 0
