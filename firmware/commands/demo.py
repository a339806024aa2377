"""`cornerlight demo`: runs a simulated table and its score page."""

import argparse
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.assembly.game_config import levels_from
from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.assembly.table_places import SOCKET, TablePlaces
from firmware.codes import GameKey
from firmware.commands.event_lines import say_event
from firmware.commands.main import say
from firmware.commands.options import add_computer, port, speed, whole_number
from firmware.commands.page_guide import PageGuide, add_no_browser, wants_browser
from firmware.commands.page_process import PageProcess
from firmware.commands.run import run_with_phone
from firmware.commands.stop_signals import StopSignals
from firmware.errors import CornerlightError
from firmware.game.config import GameConfig
from firmware.game.events import Event, NoMovesLeft, Solved
from firmware.machine.network import check_port
from firmware.rules.variants import VARIANTS
from firmware.settings import GameSettings, Settings
from firmware.storage.atomic_file import keep_private
from firmware.storage.run_folder import run_folder, takes_files

EXAMPLE: Final = "cornerlight demo --autoplay --folder kept"

_FRAME_S: Final = 0.1
"""Greatest simulated seconds between two frames."""

_FAREWELL_S: Final = 1.5
"""Seconds in which the page that waits for the real table is sent."""

_OTHER_GAMES: Final = {
    "play another game": "cornerlight demo --game classic",
    "play a puzzle alone": "cornerlight demo --game puzzle-tetrominoes",
    "watch another one": "cornerlight demo --autoplay --game duo --seed 2",
}
"""Commands to try after a game, by what they do."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("--port", type=port, default=8000, help="port of the page (default: 8000)")
    add_no_browser(parser)
    parser.add_argument(
        "--game", choices=VARIANTS, help="which game (default: the one that is kept, or duo)"
    )
    add_computer(parser)
    parser.add_argument(
        "--autoplay", action="store_true", help="watch scripted people instead of playing"
    )
    parser.add_argument(
        "--seed", type=whole_number(), default=1, help="seed of the simulated game (default: 1)"
    )
    parser.add_argument(
        "--speed", type=speed, default=1.0, help="speed relative to real time (default: 1)"
    )
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        type=Path,
        help="keep journal and games here, and resume a game that is there "
        "(default: simulated, beside those of run)",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="keep nothing; with --folder, begin a game instead of resuming one",
    )
    parser.add_argument(
        "--save", metavar="FOLDER", type=Path, help="record all that is seen and done, for watch"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs until it is stopped."""
    chosen = GameSettings(game=GameKey(arguments.game or "duo"), computer=arguments.computer or ())
    settings = Settings(game=chosen)
    settings = replace(settings, page=replace(settings.page, port=arguments.port))
    check_port(settings.page.host, settings.page.port)
    stop = StopSignals()
    keep_private()
    try:
        with ExitStack() as stack:
            stack.enter_context(stop.bounded())
            folder = _kept(arguments) or stack.enter_context(run_folder())
            # A full or read-only disk takes no socket, and must not stop the game.
            place = folder if takes_files(folder) else stack.enter_context(run_folder())
            page_port = _serve(settings, folder, place / SOCKET, arguments, stop)
    except KeyboardInterrupt:
        return 0
    return run_with_phone(page_port)


def _kept(arguments: argparse.Namespace) -> Path | None:
    """Returns the folder in which games are kept; None if they are not.

    Raises:
        CornerlightError: the folder that was named cannot be used.
    """
    if arguments.fresh and arguments.folder is None:
        return None
    try:
        # Scripted people go on with no game of a family, and leave it none of theirs.
        of_whom = "simulated/scripted" if arguments.autoplay else "simulated"
        folder = arguments.folder or TablePlaces.of_user().folder / of_whom
        TablePlaces.within(folder).check()
    except CornerlightError as error:
        if arguments.folder is not None:
            raise
        say(f"no game is kept: {error}")
        return None
    return Path(folder)


def _serve(
    settings: Settings, folder: Path, socket: Path, arguments: argparse.Namespace, stop: StopSignals
) -> int:
    """Runs until somebody wants a real table instead; returns the page's port.

    Raises:
        KeyboardInterrupt: it is stopped.
    """
    acting = SimulationOptions(
        arguments.seed, arguments.autoplay, opponent=not arguments.autoplay, save=arguments.save
    )

    def notify(event: Event) -> None:
        say_event(event, table.controller)
        if isinstance(event, NoMovesLeft | Solved):
            guide.say_next(_OTHER_GAMES)

    def goes_on(stored: GameConfig) -> bool:
        is_theirs = not arguments.computer or levels_from(arguments.computer) == stored.computer
        return is_theirs and arguments.game in (None, stored.game.key)

    fresh = arguments.fresh or (arguments.autoplay and arguments.folder is None)
    with (
        simulated(
            settings,
            folder,
            acting,
            fresh=fresh,
            goes_on=goes_on,
            on_event=notify,
            socket=socket,
        ) as table,
    ):
        table.stage.check_leaving = lambda: TablePlaces.of_user().check()
        table.feed.start()
        with PageProcess(folder / "games", socket, settings.page) as page:
            options = ["--folder", str(folder)]
            opens = wants_browser(arguments)
            path = "" if arguments.autoplay else "play"
            guide = PageGuide(
                page, table.services.pairing, "demo", options, opens_browser=opens, path=path
            )
            previous = left_s = time.monotonic()
            while not table.stage.is_left or time.monotonic() - left_s < _FAREWELL_S:
                stop.check()
                now = time.monotonic()
                guide.turn()
                # At any speed the camera takes ten frames of each simulated second.
                table.step(min(_FRAME_S, arguments.speed * (now - previous)), now)
                previous = now
                left_s = left_s if table.stage.is_left else now
                while (left := now + _FRAME_S / arguments.speed - time.monotonic()) > 0:
                    table.feed.turned()
                    time.sleep(min(left, _FRAME_S))
        return page.port or settings.page.port
