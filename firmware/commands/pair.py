"""`cornerlight pair`: draws a number at the table that pairs an arbiter's phone."""

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
    parser.add_argument("--json", action="store_true", help="print one line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Prints a number that pairs one phone within five minutes."""
    pairing = Pairing(table_places(arguments).paired)
    if arguments.forget:
        pairing.forget()
        _check(pairing)
        print(json.dumps({"forgotten": True}) if arguments.json else "every phone is forgotten")
        return 0
    number = pairing.issue_code(time.monotonic())
    _check(pairing)
    if arguments.json:
        print(json.dumps({"number": number, "seconds": NUMBER_LIVES_S}))
    else:
        minutes = f"{NUMBER_LIVES_S / 60:.0f} minutes"
        print(f"type {grouped(number)} on the phone within {minutes}")
    return 0


def _check(pairing: Pairing) -> None:
    """Checks that the change is in the file, where the table finds it.

    Raises:
        UnreadableError: the disk refuses.
    """
    if pairing.trouble:
        raise UnreadableError(f"{pairing.trouble}; make room, or have the board show a number")
