"""`cornerlight unshare`: leaves a hall, and clears what the table left at its broker."""

import argparse
import time
from contextlib import ExitStack
from typing import Final

from firmware.commands.table_options import add_table, table_places
from firmware.errors import CornerlightError
from firmware.hall.link.link_file import LinkFile
from firmware.hall.verbs.club_link import require_club, say_event

EXAMPLE: Final = "cornerlight unshare"

_ENDS_S: Final = 15.0
"""Seconds in which a running `share` notices that the table leaves, and ends its connection."""

_TAKES_S: Final = 10.0
"""Seconds in which the broker has to clear the topics."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_table(parser)
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Leaves the hall."""
    require_club()
    from firmware.hall.link.mqtt import connect_once  # noqa: PLC0415 - of an extra

    link = LinkFile(table_places(arguments).folder)
    invitation = link.read()
    if invitation is None:
        raise CornerlightError("this table belongs to no hall, so there is nothing to clear")
    topics, table = invitation.topics, invitation.table
    hall = connect_once(invitation)
    try:
        link.remove()
        with ExitStack() as lock:
            _wait_for_share(link, lock)
            link.remove()  # also what share has stored at its end
            retained = topics.retained(table)
            for topic in retained:
                hall.publish(topic, b"")
            if not hall.settle(_TAKES_S):
                link.write(invitation)
                raise CornerlightError("the hall is lost, and not all is cleared; try again")
    finally:
        hall.close()
    text = f"table {int(table)} has left {invitation.name or invitation.hall}; its topics are clear"
    say_event(arguments, text, "left", hall=invitation.hall, table=table, cleared=len(retained))
    return 0


def _wait_for_share(link: LinkFile, lock: ExitStack) -> None:
    """Waits until no `share` connects the table, and keeps others from doing so.

    Raises:
        CornerlightError: one still does.
    """
    until = time.monotonic() + _ENDS_S
    while True:
        try:
            lock.enter_context(link.only_one())
        except CornerlightError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return
