"""`cornerlight run`: referees a real table in view of a camera, with its score page."""

import argparse
import os
import signal
import time
from contextlib import ExitStack, closing, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.assembly.real import RealTableFactory
from firmware.assembly.services import SOCKET, ComposedTable
from firmware.assembly.simulated import config_from_settings
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.orientation import CameraOrientation
from firmware.cameras.sources import opener_of
from firmware.commands.event_lines import event_line, summary_line
from firmware.commands.main import port, say, speed
from firmware.commands.options import add_camera
from firmware.commands.page_process import PageProcess, pairing_advice
from firmware.errors import CornerlightError
from firmware.game.events import CameraAway, Event
from firmware.rules.variants import EDITIONS, GAMES
from firmware.session.controller import Controller
from firmware.settings import Settings, load
from firmware.storage.run_folder import run_folder, takes_files
from firmware.storage.session_recorder import SessionRecorder

EXAMPLE: Final = "cornerlight run --camera http://phone.local:8080/video"

_TURN_S: Final = 0.05
"""Seconds of a turn of the loop without a new frame."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings (TOML)")
    add_camera(parser)
    parser.add_argument("--game", choices=GAMES, help="which game (default: of the settings)")
    parser.add_argument("--edition", choices=["auto", *EDITIONS], help="colours of the plastic")
    parser.add_argument("--port", type=port, default=8000, help="port of the page (default: 8000)")
    parser.add_argument("--no-page", action="store_true", help="serve no score page")
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, help="folder of journal, phones and games"
    )
    parser.add_argument("--fresh", action="store_true", help="begin a game instead of resuming one")
    parser.add_argument(
        "--save", metavar="FOLDER", type=Path, help="record frames and events, for watch"
    )
    parser.add_argument(
        "--speed", type=speed, default=1.0, help="speed of a recording (default: its own)"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each event")


def run(arguments: argparse.Namespace) -> int:
    """Runs until it is stopped, or until a recording ends."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    settings = _settings(arguments)
    camera = _camera(settings, arguments)
    folder = _folder(arguments, settings)
    with ExitStack() as stack:
        stack.enter_context(suppress(KeyboardInterrupt))
        place = folder if takes_files(folder) else stack.enter_context(run_folder())
        stack.enter_context(closing(camera))
        _run(settings, folder, place / SOCKET, camera, arguments)
    return 0


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = load(arguments.config) if arguments.config else Settings()
    chosen = {
        name: value
        for name in ("game", "edition")
        if (value := getattr(arguments, name)) is not None
    }
    return replace(settings, game=replace(settings.game, **chosen))


def _camera(settings: Settings, arguments: argparse.Namespace) -> LiveCamera:
    """Returns the camera of the command line or of the settings, not yet opened.

    Raises:
        VisionError: there is no such kind of source.
    """
    chosen = settings.camera
    told: set[str] = set()

    def tell(sentence: str) -> None:
        if not arguments.json and sentence not in told:
            told.add(sentence)
            say(sentence)

    opener = opener_of(arguments.camera or chosen.source, speed=arguments.speed, tell=tell)
    return LiveCamera(opener, orientation=CameraOrientation(chosen.mirror, chosen.turn))


def _folder(arguments: argparse.Namespace, settings: Settings) -> Path:
    """Returns the folder of the table's files: named, of the settings, or of this user."""
    if arguments.folder is not None:
        return Path(arguments.folder)
    if arguments.config is not None:
        return Path(settings.table.folder)
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "cornerlight"


def _run(
    settings: Settings,
    folder: Path,
    socket: Path,
    camera: LiveCamera,
    arguments: argparse.Namespace,
) -> None:
    config = config_from_settings(settings)
    recorder = None
    if arguments.save:
        recorder = SessionRecorder(camera, arguments.save, config.game.size)
    factory = RealTableFactory(settings, camera, recorder)
    with closing(ComposedTable(settings, folder, socket, factory, is_simulated=False)) as table:

        def notify(event: Event) -> None:
            if recorder:
                recorder.record(event, controller.devices.tracker.edition)
            _print(event, controller, as_json=arguments.json)

        controller = table.begin(config, notify, fresh=arguments.fresh)
        with closing(controller):
            table.feed.start()
            games = folder / "games"
            page = None if arguments.no_page else PageProcess(games, socket, arguments.port)
            with page or nullcontext() as serving:
                if not arguments.json:
                    say(pairing_advice(table.pairing, folder, "table"))
                _loop(controller, serving, arguments)


def _loop(controller: Controller, page: PageProcess | None, arguments: argparse.Namespace) -> None:
    """Turns the loop until a recording ends; prints its summary."""
    begun = time.monotonic()
    while controller.step(now := time.monotonic()):
        if page is not None and not page.runs:
            raise CornerlightError("the score page has ended; the table ends with it")
        time.sleep(max(0.0, _TURN_S - (time.monotonic() - now)))
    state, devices = controller.session.state, controller.devices
    seconds = time.monotonic() - begun
    frames = controller.frames
    edition = devices.tracker.edition
    say(summary_line(state, edition, frames, seconds, as_json=arguments.json))


def _print(event: Event, controller: Controller, *, as_json: bool) -> None:
    state, edition = controller.session.state, controller.devices.tracker.edition
    if as_json or not isinstance(event, CameraAway):
        say(event_line(event, state.position.game.size, edition, as_json=as_json))
    else:
        say(f"the camera gives no pictures: {event.reason}")
