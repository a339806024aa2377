"""`cornerlight pair`: draws a number at the table that pairs a phone, or makes it the camera."""

import argparse
import json
import time
from typing import Final

from firmware.commands.table_options import add_table, table_places
from firmware.errors import UnreadableError
from firmware.session.pairing import NUMBER_LIVES_S, Pairing, grouped

EXAMPLE: Final = "cornerlight pair"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_table(parser)
    parser.add_argument("--forget", action="store_true", help="forget every paired phone")
    parser.add_argument(
        "--camera", action="store_true", help="for the phone that is the camera of the table"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints a number that pairs one phone within five minutes."""
    pairing = Pairing(table_places(arguments).paired)
    if arguments.forget:
        pairing.forget()
        _check(pairing)
        print(json.dumps({"forgotten": True}) if arguments.json else "every phone is forgotten")
        return 0
    draw = pairing.issue_camera_code if arguments.camera else pairing.issue_code
    number = draw(time.monotonic())
    _check(pairing)
    if arguments.json:
        print(json.dumps({"number": number, "seconds": NUMBER_LIVES_S}))
    else:
        minutes = f"{NUMBER_LIVES_S / 60:.0f} minutes"
        where = "at /camera on the phone" if arguments.camera else "on the phone"
        print(f"type {grouped(number)} {where} within {minutes}")
    return 0


def _check(pairing: Pairing) -> None:
    """Checks that the change is in the file, where the table finds it.

    Raises:
        UnreadableError: the disk refuses.
    """
    if pairing.trouble:
        raise UnreadableError(f"{pairing.trouble}; make room, or have the board show a number")
