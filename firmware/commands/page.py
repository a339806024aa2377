"""`cornerlight page`: serves the score page, in a process without devices or journal."""

import argparse
import json
import logging
import os
import socket
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware import __version__
from firmware.assembly.table_places import TablePlaces, places_of_running_table
from firmware.cameras.phone import MAY_BE_PHONE
from firmware.commands.main import WRONG_USE, say
from firmware.commands.mounting_text import usual_mountings
from firmware.commands.options import port
from firmware.commands.page_guide import LOOK_S, address_lines
from firmware.commands.page_process import report
from firmware.commands.service_manager import ServiceManager
from firmware.commands.stop_signals import StopSignals
from firmware.commands.table_options import add_config, settings_of
from firmware.errors import CornerlightError
from firmware.machine.network import check_port, is_own, own_addresses, page_urls, refused_port
from firmware.settings import PageSettings, Settings, parse
from firmware.storage.photograph_judge import PhotographJudge
from firmware.storage.run_folder import RUN_LOCK
from web.app import ProgramFacts, create_app
from web.server import Server
from web.table_client import TableClient

EXAMPLE: Final = "cornerlight page --config table.toml"

_ONLY_HERE: Final = "no phone but this machine can be the camera:"
"""Begin of a sentence on a page without TLS. It is logged: a table reads what is printed."""

_log = logging.getLogger(__name__)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_config(parser)
    parser.add_argument("--socket", metavar="PATH", type=Path, help="socket of the table")
    parser.add_argument("--games", metavar="PATH", type=Path, help="folder of past games")
    parser.add_argument("--port", type=port, help="port to listen on")
    parser.add_argument(
        "--attached", action="store_true", help="end with standard input, as under a table"
    )
    parser.add_argument("--keys", metavar="DIR", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--settings", metavar="JSON", type=_table, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Serves until it is stopped."""
    stop = StopSignals()
    settings = _settings(arguments)
    places = TablePlaces.of(settings) if arguments.config else places_of_running_table()
    games = arguments.games or places.games
    if games.exists() and not games.is_dir():
        raise CornerlightError(f"{games} is no folder; name one with --games")
    try:
        check_port(settings.page.host, settings.page.port)
        link = TableClient(arguments.socket or places.socket)
        with suppress(KeyboardInterrupt), link:
            # A service sees the games elsewhere than people do.
            kept = _kept(places.games if arguments.config else games)
            keys = arguments.keys or _keys(settings)
            _serve(link, games, kept, settings.page, stop, keys, attached=arguments.attached)
    except CornerlightError as error:
        if not arguments.attached:
            raise
        report(error=str(error))
        return WRONG_USE
    return 0


def _table(text: str) -> dict[str, object]:
    """Parses settings as JSON from the command line, for argparse."""
    table = json.loads(text)
    if not isinstance(table, dict):
        raise argparse.ArgumentTypeError("a JSON object")
    return table


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = settings_of(arguments)
    if arguments.settings:
        settings = parse(arguments.settings, "--settings")
    if arguments.port is None:
        return settings
    return replace(settings, page=replace(settings.page, port=arguments.port))


def _serve(
    link: TableClient,
    games: Path,
    kept: str,
    settings: PageSettings,
    stop: StopSignals,
    keys: Path | None,
    *,
    attached: bool,
) -> None:
    """Serves until it is stopped.

    Raises:
        CornerlightError: nobody can listen on the port.
    """
    app = create_app(
        link,
        streams=settings.streams,
        games=games,
        everybody_sees_evidence=settings.evidence == "everybody",
        # Looked up for each picture of the screen, as a network may come and go.
        addresses=lambda: page_urls(settings.host, server.port),
        facts=ProgramFacts(__version__, usual_mountings(), kept, PhotographJudge().judge),
    )
    try:
        server = Server(
            app, settings.host, settings.port, _VisitorReport() if attached else lambda _: None
        )
    except OSError as error:
        raise refused_port(settings.host, settings.port, error) from error
    if keys is not None:
        _secure(server, settings.host, keys, attached=attached)
    stop.on_stop = server.close
    if attached:
        threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
        report(port=server.port, tls_port=server.tls_port)
    else:
        for line in address_lines(settings.host, server.port):
            say(line)
        ServiceManager().ready()
    server.run()


def _keys(settings: Settings) -> Path | None:
    """Returns the folder for the page's certificate; None if no phone can be the camera."""
    cache = os.environ.get("CACHE_DIRECTORY", "")
    return Path(cache) if cache and settings.camera.source in MAY_BE_PHONE else None


def _secure(server: Server, host: str, keys: Path, *, attached: bool) -> None:
    """Has the page of the camera served over TLS too, now or as soon as that is possible."""
    port = _SecurePort(server, host, keys, attached=attached)
    if port.renew():
        threading.Thread(target=port.keep, daemon=True).start()


class _SecurePort:
    """The port for TLS, and its certificate for the present addresses."""

    def __init__(self, server: Server, host: str, keys: Path, *, attached: bool) -> None:
        self._server: Final = server
        self._host: Final = host
        self._keys: Final = keys
        self._attached: Final = attached
        self._used_ns = 0
        self._told: Final[set[str]] = set()

    def renew(self) -> bool:
        """Listens, or uses a new certificate, if it has to; logs each reason that it cannot once.

        Returns:
            False if it never can.
        """
        try:
            from firmware.storage.certificate import page_certificate  # noqa: PLC0415, may lack

            names = (*own_addresses(), f"{socket.gethostname()}.local", "localhost", "127.0.0.1")
            certificate = page_certificate(self._keys, names)
            made_ns = certificate.stat().st_mtime_ns
            if self._server.tls_port is None:
                self._server.listen_securely(self._host, certificate)
            elif made_ns != self._used_ns:
                self._server.change_certificate(certificate)
            self._used_ns = made_ns
        except ImportError:
            self._tell("cryptography is missing; install it")
            return False
        except (CornerlightError, OSError) as error:
            self._tell(f"{error}; it is tried again every {LOOK_S:.0f} s")
        return True

    def keep(self) -> None:
        """Renews it for ever: another address, a clock that is set, a disk that has room again."""
        while True:
            time.sleep(LOOK_S)
            before = self._server.tls_port
            self.renew()
            if self._attached and self._server.tls_port != before:
                report(tls_port=self._server.tls_port)

    def _tell(self, reason: str) -> None:
        if reason not in self._told:
            self._told.add(reason)
            _log.warning("%s %s", _ONLY_HERE, reason)


def _kept(games: Path) -> str:
    """Returns the folder of the games as people type it; empty if it goes with the table."""
    if (games.parent / RUN_LOCK).exists():
        return ""
    with suppress(RuntimeError, ValueError):  # nobody's home, or elsewhere
        return f"~/{games.absolute().relative_to(Path.home())}"
    return str(games)


class _VisitorReport:
    """Reports the first request from another machine to the table."""

    def __init__(self) -> None:
        self._done = False

    def __call__(self, address: str) -> None:
        if not (self._done or is_own(address)):
            self._done = True
            report(visited=True)


def _end_with_input(server: Server) -> None:
    # A buffered read would hold the lock of `sys.stdin`, without which the interpreter cannot end.
    while os.read(sys.stdin.fileno(), 1):
        pass
    server.close()
