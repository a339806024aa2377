"""Processes of the simulated tables of a hall: one that plays, one that connects many tables."""

import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from firmware.assembly.table_places import TablePlaces
from firmware.codes import GameKey
from firmware.commands.stop_signals import StopSignals
from firmware.errors import CornerlightError
from firmware.hall.link.link_file import LinkFile
from firmware.hall.link.share import Share
from firmware.hall.link.share_token import SHARE_TOKEN, read_share_token
from firmware.hall.verbs.plain_table import PlainTable
from firmware.settings import GameSettings, Settings
from web.table_client import TableClient

_STEP_S: Final = 0.02
"""Seconds between two looks at the tables."""


def play(folders: Sequence[Path], speed: float, stop: StopSignals) -> None:
    """Plays at tables until the process is interrupted; prints a line as soon as they can be heard.

    Args:
        folders: folders of the tables.
        speed: speed of the tables relative to real time.
        stop: signals that interrupt the process.
    """
    settings = Settings(game=replace(GameSettings(), game=GameKey.DUO))
    with ExitStack() as stack:
        tables = [
            stack.enter_context(PlainTable(settings, folder, seed))
            for seed, folder in enumerate(folders, start=1)
        ]
        print("playing", flush=True)
        begun = time.monotonic()
        while True:
            stop.check()
            for table in tables:
                now = time.monotonic()
                table.step(speed * (now - begun), now)
            time.sleep(_STEP_S)


def share(folders: Sequence[Path], stop: StopSignals) -> None:
    """Connects tables with their hall until the process is interrupted.

    Args:
        folders: folders of the tables, each with the link to its hall.
        stop: signals that interrupt the process.

    Raises:
        CornerlightError: a table has joined no hall.
    """
    closing = threading.Event()
    with ExitStack() as stack:
        threads = []
        for folder in folders:
            link, places = LinkFile(folder), TablePlaces.within(folder)
            invitation = link.read()
            if invitation is None:
                raise CornerlightError(f"the table in {folder} has joined no hall")
            client = stack.enter_context(TableClient(places.socket))
            token = partial(read_share_token, folder / SHARE_TOKEN)
            made = Share(client, invitation, link, token, str)
            threads.append(threading.Thread(target=_serve, args=(made, closing), daemon=True))
        for thread in threads:
            thread.start()
        try:
            while True:
                stop.check()
                time.sleep(1.0)
        finally:
            closing.set()
            for thread in threads:
                thread.join()


def _serve(share_: Share, closing: threading.Event) -> None:
    share_.start()
    while not closing.is_set():
        share_.turn()
    share_.close()
