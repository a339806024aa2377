"""`cornerlight hall`: many tables on one broker, and the pages of their organiser."""

import argparse
import socket
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from firmware import __version__
from firmware.assembly.table_places import TablePlaces
from firmware.commands.main import FAULT
from firmware.commands.options import port, speed, whole_number
from firmware.commands.page_guide import address_lines
from firmware.commands.service_manager import ServiceManager
from firmware.commands.stop_signals import StopSignals
from firmware.errors import CornerlightError
from firmware.hall.verbs.club_link import require_club, say_event
from firmware.machine.network import check_port, local_url, own_addresses, page_urls, refused_port
from firmware.session.pairing import NUMBER_LIVES_S, grouped
from firmware.storage.run_folder import run_folder
from web.server import Server

if TYPE_CHECKING:
    from firmware.hall.organiser import Organiser
    from firmware.hall.running_hall import RunningHall

EXAMPLE: Final = "cornerlight hall --demo 8"

_HOST: Final = "0.0.0.0"  # noqa: S104 - phones of spectators open the pages
"""Address on which the pages are served."""

_MOST_DEMO: Final = 99
"""Greatest number of simulated tables."""

_TURN_S: Final = 0.5
"""Seconds between two looks at the processes of the hall."""

_FORGET: Final = "forget"
"""Word before the id of a player whose name is forgotten."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("words", metavar="forget ID", nargs="*", help="forget a player's name")
    parser.add_argument(
        "--demo",
        metavar="N",
        type=whole_number(1, _MOST_DEMO, "a number"),
        default=0,
        help="play at N simulated tables",
    )
    parser.add_argument("--port", type=port, default=8080, help="port of the pages (default: 8080)")
    parser.add_argument(
        "--broker-port", type=port, help="port for tables (default: that of last time, or 8883)"
    )
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, help="folder of the hall (default: of this user)"
    )
    parser.add_argument("--name", help="name of the hall (default: Cornerlight)")
    parser.add_argument(
        "--bridge", metavar="URI", help="another broker that gets the public copies, mqtts://..."
    )
    parser.add_argument("--json", action="store_true", help="print lines of JSON")
    parser.add_argument("--play-tables", nargs="+", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--table-speed", type=speed, default=20.0, help=argparse.SUPPRESS)
    parser.add_argument("--share-tables", nargs="+", type=Path, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Runs until it is stopped, or forgets a player."""
    require_club()
    stop = StopSignals()
    with suppress(KeyboardInterrupt):
        if arguments.play_tables or arguments.share_tables:
            return _demo_process(arguments, stop)
        if arguments.words:
            return _forget(arguments)
        check_port(_HOST, arguments.port)
        with ExitStack() as stack:
            is_passing = arguments.demo and arguments.folder is None
            folder = stack.enter_context(run_folder()) if is_passing else _folder(arguments)
            _serve(arguments, folder, stack, stop)
    return 0


def _folder(arguments: argparse.Namespace) -> Path:
    return arguments.folder or TablePlaces.of_user().folder / "hall"


def _demo_process(arguments: argparse.Namespace, stop: StopSignals) -> int:
    from firmware.hall.verbs import hall_tables  # noqa: PLC0415 - of an extra

    if arguments.play_tables:
        hall_tables.play(arguments.play_tables, arguments.table_speed, stop)
    else:
        hall_tables.share(arguments.share_tables, stop)
    return 0


def _forget(arguments: argparse.Namespace) -> int:
    """Forgets the name of a player; returns the exit status."""
    from firmware.hall.journal import FILE, forget_player  # noqa: PLC0415 - of an extra

    if len(arguments.words) != 2 or arguments.words[0] != _FORGET:
        raise CornerlightError(
            f"{' '.join(arguments.words)!r} is no command of a hall; "
            "to forget a player: cornerlight hall forget ID"
        )
    player = arguments.words[1]
    forgotten, exports = forget_player(_folder(arguments) / FILE, player)
    text = f"the name of {player} is forgotten" if forgotten else f"no name of {player} is stored"
    if exports:
        files = ", ".join(f"{one.file} of {one.made}" for one in exports)
        text += f"; these files with names were given out before: {files}"
    made = [{"file": one.file, "made": one.made} for one in exports]
    say_event(arguments, text, "forgotten", player=player, found=forgotten, exports=made)
    return 0 if forgotten else FAULT


def _serve(
    arguments: argparse.Namespace, folder: Path, stack: ExitStack, stop: StopSignals
) -> None:
    """Runs the hall until it is stopped."""
    from firmware.hall.bridge import Bridge  # noqa: PLC0415 - of an extra
    from firmware.hall.demo import DemoTables  # noqa: PLC0415 - of an extra
    from firmware.hall.running_hall import RunningHall  # noqa: PLC0415 - of an extra

    name = arguments.name or ("Demo" if arguments.demo else "Cornerlight")
    bridge = Bridge.parse(arguments.bridge) if arguments.bridge else None
    hall = RunningHall(
        folder,
        name,
        _hosts(),
        port=arguments.broker_port,
        bridge=bridge,
    )
    stack.enter_context(hall)
    server = stack.enter_context(_Pages(hall.organiser, arguments.port))
    if arguments.demo:
        url = local_url(_HOST, server.port)
        demo = DemoTables(hall, folder / "tables", arguments.demo, f"{url}board/")
        stack.enter_context(demo)
    _announce(arguments, hall, server.port)
    ServiceManager().ready()
    while True:
        stop.check()
        server.check()
        time.sleep(_TURN_S)


def _hosts() -> tuple[str, ...]:
    """Returns names and addresses of this machine, that which tables use first."""
    name = socket.gethostname().split(".")[0] or "localhost"
    return (*own_addresses(), f"{name}.local", name, "localhost", "127.0.0.1", "::1")


class _Pages:
    """The pages, served in threads of this process; `port` is their port."""

    def __init__(self, organiser: "Organiser", port_: int) -> None:
        from web.hall.app import create_hall_app  # noqa: PLC0415 - after Flask is needed

        app = create_hall_app(
            organiser, addresses=lambda: page_urls(_HOST, self.port), version=__version__
        )
        try:
            self._server: Final = Server(app, _HOST, port_)
        except OSError as error:
            raise refused_port(_HOST, port_, error) from error
        self.port: Final = self._server.port
        self._thread: Final = threading.Thread(target=self._server.run, name="pages")

    def check(self) -> None:
        """Checks that the pages are served.

        Raises:
            CornerlightError: they are not.
        """
        if not self._thread.is_alive():
            raise CornerlightError("the hall's pages have ended; start it again")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._thread.join()


def _announce(arguments: argparse.Namespace, hall: "RunningHall", page_port: int) -> None:
    """Tells where the pages are, and the number that pairs the organiser's phone."""
    number = hall.organiser.issue_number()
    urls = page_urls(_HOST, page_port) or (local_url(_HOST, page_port),)
    if arguments.json:
        facts = {"address": urls[0], "port": page_port, "broker_port": hall.broker.port}
        count = len(hall.roster.tables)
        say_event(arguments, "", "ready", **facts, number=number, tables=count)
        return
    tables = f"tables join {hall.name} on port {hall.broker.port}"
    minutes = f"{NUMBER_LIVES_S / 60:.0f} minutes"
    lines = [
        *address_lines(_HOST, page_port),
        f"{tables}; their invitations are on the organiser's page",
        f"to organise, type {grouped(number)} at {urls[0]}organiser within {minutes}",
    ]
    for line in lines:
        say_event(arguments, line, "")
