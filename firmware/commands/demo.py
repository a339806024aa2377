"""`cornerlight demo`: runs a simulated table and its score page."""

import argparse
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.assembly.table_places import SOCKET, TablePlaces
from firmware.commands.event_lines import say_event
from firmware.commands.main import FAULT
from firmware.commands.options import add_computer, add_game, port, speed, whole_number
from firmware.commands.page_guide import PageGuide, add_no_browser, wants_browser
from firmware.commands.page_process import PageProcess
from firmware.commands.progress import Progress
from firmware.commands.stop_signals import StopSignals
from firmware.errors import CornerlightError
from firmware.game.events import (
    Event,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Solved,
    Undone,
)
from firmware.machine.network import check_port
from firmware.rules.board import Move
from firmware.rules.variants import VARIANTS
from firmware.settings import GameSettings, Settings
from firmware.storage.atomic_file import keep_private
from firmware.storage.run_folder import run_folder, takes_files

EXAMPLE: Final = "cornerlight demo --autoplay --folder kept"

_FRAME_S: Final = 0.1
"""Greatest simulated seconds between two frames."""

_OTHER_GAMES: Final = {
    "play another game": "cornerlight demo --game classic",
    "play a puzzle alone": "cornerlight demo --game puzzle-tetrominoes",
    "watch another one": "cornerlight demo --autoplay --game duo --seed 2",
}
"""Commands to try after a game, by what they do."""

_LONGEST_GAME_S: Final = 3600.0
"""Simulated seconds after which a game with `--fast` fails."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("--port", type=port, default=8000, help="port of the page (default: 8000)")
    add_no_browser(parser)
    add_game(parser, tuple(VARIANTS))
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
        help="store journal and games here, and resume a game that is there",
    )
    parser.add_argument("--fresh", action="store_true", help="begin a game instead of resuming one")
    parser.add_argument(
        "--save", metavar="FOLDER", type=Path, help="record all that is seen and done, for watch"
    )
    parser.add_argument(
        "--fast",
        action="store_true",
        help="play one game as fast as possible, without the page, and check every verdict",
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs until it is stopped, or with --fast until the game is over."""
    chosen = replace(GameSettings(), game=arguments.game, computer=arguments.computer or ())
    settings = Settings(game=chosen)
    settings = replace(settings, page=replace(settings.page, port=arguments.port))
    if not arguments.fast:
        check_port(settings.page.host, settings.page.port)
    if arguments.folder is not None:
        TablePlaces.within(arguments.folder).check()
    stop = StopSignals()
    keep_private()
    with ExitStack() as stack:
        stack.enter_context(stop.bounded())
        folder = arguments.folder or stack.enter_context(run_folder())
        # A full or read-only disk takes no socket, and must not stop the game.
        place = folder if takes_files(folder) else stack.enter_context(run_folder())
        play = _fast if arguments.fast else _live
        return play(settings, folder, place / SOCKET, arguments, stop)


def _live(
    settings: Settings, folder: Path, socket: Path, arguments: argparse.Namespace, stop: StopSignals
) -> int:
    """Runs until it is stopped; returns the exit status."""
    acting = SimulationOptions(
        arguments.seed, arguments.autoplay, opponent=not arguments.autoplay, save=arguments.save
    )

    def notify(event: Event) -> None:
        say_event(event, table.controller)
        if isinstance(event, NoMovesLeft | Solved):
            guide.say_next(_OTHER_GAMES)

    with (
        simulated(
            settings, folder, acting, fresh=arguments.fresh, on_event=notify, socket=socket
        ) as table,
        suppress(KeyboardInterrupt),
    ):
        table.feed.start()
        with PageProcess(folder / "games", socket, settings.page) as page:
            options = ["--folder", str(folder)]
            opens = wants_browser(arguments)
            path = "" if arguments.autoplay else "play"
            guide = PageGuide(
                page, table.services.pairing, "demo", options, opens_browser=opens, path=path
            )
            previous = time.monotonic()
            while True:
                stop.check()
                now = time.monotonic()
                guide.turn()
                # At any speed the camera takes ten frames of each simulated second.
                table.step(min(_FRAME_S, arguments.speed * (now - previous)), now)
                previous = now
                while (left := now + _FRAME_S / arguments.speed - time.monotonic()) > 0:
                    table.feed.turned()
                    time.sleep(min(left, _FRAME_S))
    return 0


def _fast(
    settings: Settings, folder: Path, socket: Path, arguments: argparse.Namespace, stop: StopSignals
) -> int:
    """Plays a whole game without waiting; compares every verdict with the people's moves."""
    events: list[Event] = []
    acting = SimulationOptions(arguments.seed, autoplay=True, save=arguments.save)
    fresh = arguments.fresh
    with simulated(
        settings, folder, acting, fresh=fresh, on_event=events.append, socket=socket
    ) as table:
        assert table.people is not None
        table.feed.start()
        before = [(ply.colour, ply.move) for ply in table.tracker.referee.state.history]
        begun = time.perf_counter()
        progress = Progress()
        while not (table.people.finished and table.tracker.referee.state.over):
            stop.check()
            if table.clock.now_s > _LONGEST_GAME_S:
                raise CornerlightError("the game did not end within an hour of its own time")
            table.step(_FRAME_S, time.perf_counter())
            plies = table.tracker.referee.state.piece_count
            progress.show(f"move {plies}, {table.clock.now_s:.0f} s of play")
        progress.clear()
        return _report(table, before, events, time.perf_counter() - begun)


def _report(
    table: Simulation, before: list[tuple[int, Move]], events: list[Event], seconds: float
) -> int:
    assert table.people is not None
    lifted = Counter(table.people.lifted)
    # A piece that was lifted and laid again was accepted twice.
    meant = Counter(table.people.laid) + lifted
    accepted = Counter(before)
    accepted.update((one.colour, one.move) for one in events if isinstance(one, MoveAccepted))
    wrong, missed = (accepted - meant).total(), (meant - accepted).total()
    undone = Counter((one.colour, one.move) for one in events if isinstance(one, Undone))
    made = {(colour, frozenset(move.squares)) for colour, move in table.people.mistakes}
    refused = {
        (one.colour, frozenset(one.squares)) for one in events if isinstance(one, MoveRefused)
    }
    seen = ""
    if table.tracker.referee.state.position.game.puzzle is not None:
        seen = (
            f"{(undone & lifted).total()} of {lifted.total()} liftings seen, "
            f"{(undone - lifted).total()} seen wrongly; "
        )
    print(
        f"{accepted.total()} moves accepted, {wrong} of them wrongly, {missed} missed; "
        f"{len(made & refused)} of {len(made)} mistakes refused, "
        f"{len(refused - made)} wrong refusals; {seen}"
        f"{table.clock.now_s:.0f} s of play in {seconds:.0f} s"
    )
    return FAULT if wrong or missed or made != refused or undone != lifted else 0
