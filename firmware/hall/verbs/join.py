"""`cornerlight join`: joins a hall by the address, or the QR code, of its invitation."""

import argparse
from pathlib import Path
from typing import Final

from firmware.commands.table_options import add_table, table_places
from firmware.errors import CornerlightError
from firmware.hall.link.invitation import SCHEME, HallInvitation
from firmware.hall.link.invitation_reader import read_invitation
from firmware.hall.link.link_file import LinkFile
from firmware.hall.verbs.club_link import require_club, say_event
from vision.io.image_file import load_picture

EXAMPLE: Final = "cornerlight join invitation.jpg"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "invitation", metavar="URI|PHOTO", help="address of the invitation, or a photo of its code"
    )
    parser.add_argument(
        "--no-check", action="store_true", help="do not ask the hall, which may not run yet"
    )
    add_table(parser)
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Checks the invitation with the hall, and stores it for `share`."""
    invitation = _invitation(arguments.invitation)
    link = LinkFile(table_places(arguments).folder)
    if not arguments.no_check:
        require_club()
        from firmware.hall.link.mqtt import connect_once  # noqa: PLC0415 - of an extra

        connect_once(invitation).close()
    link.write(invitation)
    number, hall = int(invitation.table), invitation.name or invitation.hall
    text = f"this is table {number} of {hall}; cornerlight share connects it"
    say_event(arguments, text, "joined", hall=invitation.hall, table=invitation.table, name=hall)
    return 0


def _invitation(text: str) -> HallInvitation:
    if text.strip().lower().startswith(f"{SCHEME}:"):
        return HallInvitation.parse(text)
    path = Path(text)
    if not path.exists():
        raise CornerlightError(
            f"{text} is neither an address that begins with {SCHEME}:// nor a picture"
        )
    found = read_invitation(load_picture(path), thoroughly=True)
    if found is None:
        raise CornerlightError(
            f"no QR code can be read in {path}; take the picture nearer, without a reflection, "
            "with the whole code and its white margin"
        )
    return HallInvitation.parse(found)
