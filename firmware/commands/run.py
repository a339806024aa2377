"""`cornerlight run`: referees a real table in view of a camera, with its score page."""

import argparse
import logging
import sys
import time
from contextlib import ExitStack, closing, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from firmware.assembly.game_config import AUTO as BY_BOARD
from firmware.assembly.game_config import config_from_settings
from firmware.assembly.real import RealTableFactory
from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import SOCKET, TablePlaces
from firmware.cameras.live_camera import LiveCamera
from firmware.cameras.phone import MAY_BE_PHONE, PhoneCamera
from firmware.cameras.sources import opener_of
from firmware.codes import AUTO_CAMERA, PHONE_CAMERA, CameraFault
from firmware.commands.event_lines import say_event, summary_line
from firmware.commands.main import say
from firmware.commands.options import add_camera, add_computer, port, speed
from firmware.commands.page_guide import PageGuide, add_no_browser, wants_browser
from firmware.commands.page_process import PageProcess
from firmware.commands.service_manager import ServiceManager
from firmware.commands.stop_signals import StopSignals
from firmware.commands.table_options import add_config, settings_of
from firmware.commands.typed_answer import question, typed_answer
from firmware.errors import CornerlightError
from firmware.game.events import AnewAsked, CameraAway, Event
from firmware.machine.network import check_port
from firmware.rules.variants import EDITIONS, VARIANTS
from firmware.session.controller import Controller
from firmware.settings import Settings
from firmware.storage.atomic_file import keep_private
from firmware.storage.camera_memory import CAMERAS, CameraMemory
from firmware.storage.run_folder import run_folder, takes_files
from firmware.storage.session_inputs import inputs_of
from firmware.storage.session_recorder import SessionRecorder
from vision.camera import CameraOrientation

EXAMPLE: Final = "cornerlight run --camera http://phone.local:8080/video"

_TURN_S: Final = 0.05
"""Seconds of a turn of the loop without a new frame."""

_log = logging.getLogger(__name__)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the verb."""
    add_config(parser)
    add_camera(parser)
    parser.add_argument(
        "--game", choices=[BY_BOARD, *VARIANTS], help="which game (default: of the settings)"
    )
    add_computer(parser)
    parser.add_argument("--edition", choices=["auto", *EDITIONS], help="colours of the plastic")
    parser.add_argument("--port", type=port, help="port of the page (default: of the settings)")
    parser.add_argument("--no-page", action="store_true", help="serve no score page")
    add_no_browser(parser)
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, help="folder of journal, phones and games"
    )
    parser.add_argument("--fresh", action="store_true", help="begin a game instead of resuming one")
    parser.add_argument(
        "--save", metavar="FOLDER", type=Path, help="record all that is seen and done, for watch"
    )
    parser.add_argument(
        "--speed", type=speed, default=1.0, help="speed of a recording (default: its own)"
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each event")


def run_with_phone(page_port: int) -> int:
    """Runs a table whose camera is a phone, in place of a simulated one; returns the exit status.

    Args:
        page_port: port of the page.
    """
    parser = argparse.ArgumentParser()
    configure(parser)
    words = ["--camera", PHONE_CAMERA, "--port", str(page_port), "--no-browser"]
    return run(parser.parse_args(words))


def run(arguments: argparse.Namespace) -> int:
    """Runs until it is stopped, or until a recording ends."""
    stop = StopSignals()
    keep_private()
    settings = _settings(arguments)
    places = _places(arguments, settings)
    if not arguments.no_page:
        check_port(settings.page.host, settings.page.port)
    cameras = CameraMemory(places.folder / CAMERAS)
    phone = PhoneCamera() if settings.camera.source in MAY_BE_PHONE else None
    camera = _camera(settings, cameras, phone, arguments)
    if is_untried(settings.camera.source) and not arguments.json:
        say("a camera of macOS is opened by OpenCV; that was not tried on a Mac yet")
    with ExitStack() as stack:
        stack.enter_context(suppress(KeyboardInterrupt))
        stack.enter_context(stop.bounded())
        places = _usable(places, stack)
        stack.enter_context(closing(camera))
        _run(settings, places, camera, cameras, phone, arguments, stop)
    return 0


def is_untried(source: str, platform: str = sys.platform) -> bool:
    """True for a camera of this machine on a system on which no camera was tried yet.

    Args:
        source: the camera as a person named it.
        platform: the system, as `sys.platform` names it.
    """
    return platform == "darwin" and (source == AUTO_CAMERA or source.isdecimal())


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = settings_of(arguments)
    chosen = {
        name: value
        for name in ("game", "edition", "computer")
        if (value := getattr(arguments, name)) is not None
    }
    page, camera = settings.page, settings.camera
    if arguments.port is not None:
        page = replace(page, port=arguments.port)
    if arguments.camera is not None:
        camera = replace(camera, source=arguments.camera)
    game = replace(settings.game, **chosen)
    return replace(settings, game=game, page=page, camera=camera)


def _camera(
    settings: Settings,
    cameras: CameraMemory,
    phone: PhoneCamera | None,
    arguments: argparse.Namespace,
) -> LiveCamera:
    """Returns the camera, not yet opened.

    Raises:
        VisionError: there is no such kind of source.
    """
    chosen = settings.camera
    printed: set[str] = set()

    def tell(sentence: str) -> None:
        if not arguments.json and sentence not in printed:
            printed.add(sentence)
            say(sentence)

    opener = opener_of(
        chosen.source,
        speed=arguments.speed,
        tell=tell,
        exposures=cameras,
        mains_hz=chosen.mains_hz,
        phone=phone,
    )
    return LiveCamera(opener, orientation=CameraOrientation(chosen.mirror, chosen.turn))


def _places(arguments: argparse.Namespace, settings: Settings) -> TablePlaces:
    """Returns the places of the table: of the options, of the settings, or of this user.

    Raises:
        CornerlightError: the folder is none.
    """
    if arguments.folder is not None:
        places = TablePlaces.within(arguments.folder)
    else:
        places = TablePlaces.of(settings) if arguments.config else TablePlaces.of_user()
    places.check()
    return places


def _usable(places: TablePlaces, stack: ExitStack) -> TablePlaces:
    """Returns the places with another one for the socket if its own takes none.

    A full or read-only disk must not stop the game.
    """
    if takes_files(places.socket.parent):
        return places
    socket = stack.enter_context(run_folder()) / SOCKET
    _log.warning("no socket can be made at %s; it is at %s", places.socket, socket)
    return replace(places, socket=socket)


def _run(
    settings: Settings,
    places: TablePlaces,
    camera: LiveCamera,
    cameras: CameraMemory,
    phone: PhoneCamera | None,
    arguments: argparse.Namespace,
    stop: StopSignals,
) -> None:
    inputs = inputs_of(Path(settings.camera.source), arguments.game)
    config = config_from_settings(settings)
    if inputs:
        config = replace(inputs.config, edition=config.edition or inputs.config.edition)
    services = ComposedTable(
        settings,
        places,
        RealTableFactory(settings, camera, cameras, inputs),
        cameras,
        recorder=SessionRecorder(arguments.save) if arguments.save else None,
        inputs=inputs,
    )
    if phone is not None:
        services.feed.on_picture = phone.take
    with closing(services) as table:

        def notify(event: Event) -> None:
            if settings.camera.source == AUTO_CAMERA:
                _offer_phone(event, controller, guide)
            _print(event, controller, as_json=arguments.json)

        game_for_size = partial(config_from_settings, settings)
        # The games of a recorded session are among its inputs.
        by_board = settings.game.game == BY_BOARD and inputs is None
        controller = table.begin(
            config, notify, fresh=arguments.fresh, game_for_size=game_for_size if by_board else None
        )
        with closing(controller):
            table.feed.start()
            page = None
            if not arguments.no_page:
                keys = None if phone is None else places.folder
                page = PageProcess(places.games, places.socket, settings.page, keys)
            with page or nullcontext():
                manager = ServiceManager()
                guide = _guide(page, table, arguments)
                if phone is not None:
                    guide.takes_camera = settings.camera.source == PHONE_CAMERA
                    guide.camera_came = lambda: phone.is_chosen
                manager.ready()
                try:
                    _loop(controller, guide, manager, arguments, stop)
                finally:
                    manager.stopping()


def _guide(
    page: PageProcess | None, table: ComposedTable, arguments: argparse.Namespace
) -> PageGuide:
    options = [
        word
        for name in ("config", "folder")
        if (value := getattr(arguments, name)) is not None
        for word in (f"--{name}", str(value))
    ]
    return PageGuide(
        page,
        table.pairing,
        "table",
        options,
        is_silent=arguments.json,
        opens_browser=wants_browser(arguments),
    )


def _loop(
    controller: Controller,
    guide: PageGuide,
    manager: ServiceManager,
    arguments: argparse.Namespace,
    stop: StopSignals,
) -> None:
    """Turns the loop until a recording ends; prints the summary of the last game."""
    begun = time.monotonic()
    played = controller.session.state, controller.devices.tracker.referee.edition
    while controller.step(now := time.monotonic()):
        stop.check()
        manager.turned(now)
        guide.turn()
        state = controller.session.state
        if state.piece_count or controller.session.config.begins is None:
            # Otherwise no piece was laid yet in the game that followed another.
            played = state, controller.devices.tracker.referee.edition
        answer = typed_answer()
        if answer is not None:
            controller.answer(anew=answer)
        time.sleep(max(0.0, _TURN_S - (time.monotonic() - now)))
    puzzle = controller.status.puzzle
    seconds = time.monotonic() - begun if puzzle is None else puzzle.taken_s
    say(summary_line(*played, controller.frames, seconds, as_json=arguments.json))


def _offer_phone(event: Event, controller: Controller, guide: PageGuide) -> None:
    """Offers a phone as the camera to somebody who has just started where no camera is at all.

    That is at a terminal. Elsewhere, as under systemd, the camera may come later.

    Raises:
        CornerlightError: there is neither a camera nor a page for a phone.
    """
    if not (isinstance(event, CameraAway) and event.fault == CameraFault.MISSING):
        return
    if controller.frames == 0 and sys.stdout.isatty():
        if not guide.has_page:
            raise CornerlightError(f"no camera was found: {event.reason}; name one with --camera")
        guide.offer_camera()


def _print(event: Event, controller: Controller, *, as_json: bool) -> None:
    if isinstance(event, AnewAsked) and not as_json:
        say(question(event, controller.session.config.game.size))
    else:
        say_event(event, controller, as_json=as_json)
