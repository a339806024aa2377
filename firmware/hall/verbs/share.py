"""`cornerlight share`: connects a table to its hall, in a process of its own."""

import argparse
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from firmware.commands.service_manager import ServiceManager
from firmware.commands.stop_signals import StopSignals
from firmware.commands.table_options import add_table, settings_of, table_places
from firmware.errors import CornerlightError
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.share_token import SHARE_TOKEN, read_share_token
from firmware.hall.verbs.club_link import require_club, say_event
from firmware.machine.network import page_urls
from web.table_client import TableClient

if TYPE_CHECKING:
    from firmware.assembly.table_places import TablePlaces
    from firmware.hall.link.invitation import HallInvitation
    from firmware.hall.link.mqtt import Connected, Disconnected
    from firmware.hall.link.share import Share

EXAMPLE: Final = "cornerlight share"

_LOOK_S: Final = 1.0
"""Seconds between two looks whether the table has joined or left a hall."""

_ANSWERS_S: Final = 10.0
"""Seconds in which the hall has to answer for the first time, unless `--wait` is given."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument(
        "--wait",
        action="store_true",
        help="wait for the table, an invitation and the hall, as a service does",
    )
    parser.add_argument(
        "--url", help="address of the table's page (default: by the page's settings)"
    )
    add_table(parser)
    parser.add_argument("--json", action="store_true", help="print lines of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Connects until it is stopped."""
    require_club()
    stop = StopSignals()
    places = table_places(arguments)
    if not arguments.wait and not places.is_running:
        raise CornerlightError(
            f"no table runs at {places.socket}; start it first, or wait for it with --wait"
        )
    link = LinkFile(places.folder)
    ServiceManager().ready()
    with suppress(KeyboardInterrupt), TableClient(places.socket) as client:
        while True:
            stop.check()
            invitation = link.read()
            if invitation is not None:
                with link.only_one():
                    _connect(arguments, places, client, link, invitation, stop)
            elif not arguments.wait:
                raise CornerlightError("this table belongs to no hall; join one: cornerlight join")
            time.sleep(_LOOK_S)
    return 0


def _connect(
    arguments: argparse.Namespace,
    places: "TablePlaces",
    client: TableClient,
    link: LinkFile,
    invitation: "HallInvitation",
    stop: StopSignals,
) -> None:
    """Connects the table to a hall until it leaves it.

    Raises:
        CornerlightError: the hall does not answer, or does not accept the table.
    """
    from firmware.hall.link.share import Share  # noqa: PLC0415 - of an extra

    news = _News(arguments, invitation)
    stamp = link.stamp
    page = settings_of(arguments).page

    def url() -> str:
        return arguments.url or next(iter(page_urls(page.host, page.port)), "")

    def token() -> str:
        return read_share_token(places.folder / SHARE_TOKEN)

    share = Share(client, invitation, link, token, url, news.hear)
    share.start()
    begun = time.monotonic()
    looked = begun
    try:
        while True:
            stop.check()
            share.turn()
            now = time.monotonic()
            if not arguments.wait:
                _check(share, news, now - begun)
            if now - looked >= _LOOK_S:
                looked = now
                if link.stamp != stamp:
                    return
    finally:
        share.close(leaves_hall=link.stamp is None)


def _check(share: "Share", news: "_News", passed_s: float) -> None:
    """Checks that the hall accepts the table, and has answered once.

    Raises:
        CornerlightError: it does not.
    """
    if share.refusal:
        raise CornerlightError(
            f"{share.refusal}; take a new invitation from the organiser's page, and join again"
        )
    if not news.was_connected and passed_s > _ANSWERS_S:
        reason = news.reason or "the hall does not answer"
        raise CornerlightError(f"{reason}; start the hall first, or wait for it with --wait")


class _News:
    """Prints the changes of the connection."""

    def __init__(self, arguments: argparse.Namespace, invitation: "HallInvitation") -> None:
        self._arguments: Final = arguments
        self._hall: Final = invitation.name or invitation.hall
        self._number: Final = invitation.table
        self.was_connected = False
        self.reason = ""

    def hear(self, news: "Connected | Disconnected") -> None:
        reason = getattr(news, "reason", "")
        if not reason:
            self.was_connected = True
            text = f"table {int(self._number)} is connected to {self._hall}"
            say_event(self._arguments, text, "connected", hall=self._hall, table=self._number)
        elif reason != self.reason:
            say_event(self._arguments, f"{reason}; trying again", "lost", reason=reason)
        self.reason = reason
