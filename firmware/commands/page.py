"""`cornerlight page`: serves the score page, in a process without devices or journal."""

import argparse
import sys
import threading
from pathlib import Path
from typing import Final

from flask import Flask

from firmware.commands.main import port, say
from firmware.errors import CornerlightError
from firmware.settings import Settings, load
from web.app import create_app
from web.server import Server
from web.table_client import TableClient

EXAMPLE: Final = "cornerlight page --config table.toml"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings (TOML)")
    parser.add_argument("--socket", metavar="PATH", type=Path, help="socket of the table")
    parser.add_argument("--games", metavar="PATH", type=Path, help="folder of past games")
    parser.add_argument("--port", type=port, help="port to listen on")
    parser.add_argument(
        "--attached", action="store_true", help="end with standard input, as under a demo"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is stopped."""
    settings = load(arguments.config) if arguments.config else Settings()
    path = arguments.socket or Path(settings.table.socket)
    chosen = settings.page.port if arguments.port is None else arguments.port
    with TableClient(path) as link:
        try:
            server = Server(_app(link, arguments.games, settings), settings.page.host, chosen)
        except OSError as error:
            message = (
                f"cannot listen on port {chosen}: {error.strerror}; choose another with --port"
            )
            raise CornerlightError(message) from error
        if arguments.attached:
            threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
        say(f"the score page is at http://localhost:{server.port}/")
        server.run()
    return 0


def _app(link: TableClient, games: Path | None, settings: Settings) -> Flask:
    return create_app(
        link,
        streams=settings.page.streams,
        games=games or Path(settings.table.games),
        everybody_sees_evidence=settings.page.evidence == "everybody",
    )


def _end_with_input(server: Server) -> None:
    while sys.stdin.buffer.read(1):
        pass
    server.close()
