"""The simulated table, and the composition of all parts of a table."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import numpy as np

from firmware.assembly.game_config import config_from_settings, laid_edition
from firmware.assembly.hardware import build_led_chain, build_led_display
from firmware.assembly.led_strip import build_led_layout
from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import TablePlaces
from firmware.codes import LightPlace, Translucency, TurnEnd
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.game.config import HUMAN, GameConfig
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Variant
from firmware.session.controller import Controller
from firmware.session.devices import FaultTolerantButtons, TableDevices, in_pixels, in_shares
from firmware.session.feed_server import FeedServer
from firmware.session.play_desk import USUAL_LEVEL
from firmware.session.tracker import GameTracker
from firmware.settings import Settings
from firmware.simulator.appearance import FROSTED
from firmware.simulator.buttons import SimulatedButtons
from firmware.simulator.camera import SIZE, SimulatedCamera
from firmware.simulator.clock import ManualClock
from firmware.simulator.gestures import GestureHand
from firmware.simulator.mistakes import Mistake, mistakes_of
from firmware.simulator.move_choice import KnownSolution, Lay, in_turn, sensibly, solved
from firmware.simulator.people import Habits, People, TableFeedback
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.table import TablePiece, VirtualTable
from firmware.simulator.ws2812_chain import Ws2812Chain, under
from firmware.storage.camera_memory import Corners
from firmware.storage.session_inputs import BoardGeometry
from firmware.storage.session_recorder import SessionRecorder
from vision.reader import Reader
from vision.reading import Reading
from vision.synthetic.renderer import Renderer
from web.contract import CameraSight, Gesture, LiftPiece, RefusalReason, SimulatedTable

NAMES = ("Ada", "Ben", "Cleo", "Dev")
"""Names of the simulated players."""

_LIFTED: Final = 0.1
"""Probability that a simulated person lifts a piece of a puzzle instead of laying one."""

_SIGHT_S: Final = 0.5
"""Simulated seconds between two readings that players are shown."""

_READING_S: Final = 2.0
"""Simulated seconds from the words of the table until somebody lifts a piece for them."""

_FOR_COMPUTER: Final = Habits((0.4, 0.9), reach_s=0.4, hesitate_s=0.2, crooked=0.0)
"""Habits of the hand that lays the computer's pieces: quicker and more careful than people."""

_RECORDING_S: Final = 10.0
"""Seconds for which the simulated time waits for the disk of a recording."""


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """Options of a simulated table.

    Attributes:
        seed: seed of all random choices.
        autoplay: True if simulated people play all seats.
        opponent: True if the computer plays all seats but the first at its usual level, unless the
            settings say who is the computer's.
        habits: habits of simulated people who play all seats; None for people who make one mistake.
        save: folder for a recording of the session.
    """

    seed: int = 1
    autoplay: bool = False
    opponent: bool = False
    habits: Habits | None = None
    save: Path | None = None


class SimulatedTableFactory:
    """Opens the devices of a simulated table.

    Args:
        settings: settings of the lights and the table.
        acting: options of the simulation.
        clock: the simulated time.

    Attributes:
        people: the simulated people; None if nobody plays.
        hand: the hand of players in a browser; like all below once a game is on the table.
        strip: the simulated LEDs.
        table: the simulated pieces on the table.
        is_left: True once people want a real table instead.
        check_leaving: raises CornerlightError if there can be no real table now.
    """

    def __init__(self, settings: Settings, acting: SimulationOptions, clock: ManualClock) -> None:
        self._settings: Final = settings
        self._acting: Final = acting
        self._clock: Final = clock
        self._camera: SimulatedCamera | None = None
        self._devices: TableDevices
        self._press: Callable[[int], None] | None = None
        self._computer: frozenset[int] | None = None
        self._by_hand = False
        self._simple: Final = sensibly(acting.seed)
        self._sight: CameraSight | None = None
        self._seen_s = float("-inf")
        self._told_s = 0.0
        self.people: People | None = None
        self.is_left = False
        self.check_leaving: Callable[[], None] = lambda: None
        self.hand: GestureHand
        self.table: VirtualTable
        self.strip: Ws2812Chain

    def look_again(
        self, config: GameConfig, state: GameState, corners: Corners | None = None
    ) -> TableDevices:
        """Returns the present devices with a new tracker. See `TableFactory`."""
        geometry = BoardGeometry(corners or ())
        tracker = self._tracker(config, state, geometry)
        self._devices = replace(self._devices, tracker=tracker, geometry=lambda: geometry)
        return self._devices

    def open(self, config: GameConfig, state: GameState) -> TableDevices:
        """Opens the devices of a table with the pieces of a game. See `TableFactory`.

        Raises:
            SettingsError: there is no such edition of the game.
        """
        edition, geometry = laid_edition(config), BoardGeometry()
        # Before anything is changed: a game in colours that do not exist is refused here.
        tracker = self._tracker(config, state, geometry)
        table = self.table = VirtualTable(config.game)
        for colour, move in state.lying:
            table.lay(TablePiece(colour, move))
        settings = self._settings.lights
        layout = build_led_layout(settings, config.game.size).layout(config.game.size)
        place = settings.place
        # The light of a panel beside the board does not fall on the table.
        glow = under(table, layout) if place is LightPlace.UNDER else None
        self.strip = chain = Ws2812Chain(len(layout), self._clock, glow)
        driver = Ws2812Spi(SpiLine(chain, largest=1 << 16), chain.length, settings.order)
        after = self._camera.number if self._camera else 0
        renderer = Renderer(self._acting.seed)
        plastic = FROSTED if settings.pieces is Translucency.TRANSLUCENT else None
        self._camera = camera = SimulatedCamera(
            table, edition, self._clock, renderer, plastic=plastic, after=after
        )
        lights = build_led_display(settings, driver, config.game.size, self._clock)
        buttons = SimulatedButtons(config.game.people)
        by_button = config.turn_end is TurnEnd.BUTTON
        self._devices = setting = TableDevices(
            camera,
            tracker,
            lights,
            FaultTolerantButtons(buttons),
            settings.pieces,
            place,
            build_led_chain(settings, driver, config.game.size),
            geometry=lambda: geometry,
            clears_board=True,
        )
        self.hand = GestureHand(table, self._acting.seed)
        self._press = buttons.press if by_button else None
        self._seat()
        return setting

    # Players

    @property
    def game(self) -> Variant:
        """The game on the table."""
        return self.table.scene.game

    @property
    def computer(self) -> frozenset[int]:
        """The persons that the computer plays, or scripted people if these are all."""
        everybody = frozenset(range(self.game.people))
        if self._computer is None:
            return everybody if self._acting.autoplay else frozenset()
        return self._computer & everybody

    def perform(self, gesture: Gesture) -> RefusalReason | None:
        """Begins a gesture of a player; returns a reason if it is impossible."""
        return self.hand.perform(gesture)

    def seat_computer(self, persons: Collection[int], *, by_hand: bool) -> None:
        """Lets the computer play some persons, and nobody else; see `GestureTable`."""
        if (self.computer, self._by_hand) != (frozenset(persons), by_hand):
            self._computer, self._by_hand = frozenset(persons), by_hand
            self._seat()

    def leave(self) -> None:
        """Notes that people want a real table; see `GestureTable`."""
        self.check_leaving()
        self.is_left = True

    def stand_in(self, position: Position) -> Move:
        """Chooses a move of the computer while the player cannot."""
        return self._simple(position)

    def entry(self) -> SimulatedTable:
        """Returns the state of the table for the page, without its seats."""
        now_s = self._clock.now_s
        if now_s - self._seen_s >= _SIGHT_S:
            self._seen_s, self._sight = now_s, _sight_of(self._devices.tracker)
        return replace(self.hand.entry(), sight=self._sight)

    def step(self) -> None:
        """Moves the hands of all people."""
        now_s = self._clock.now_s
        if self.people is not None:
            self.people.step(now_s)
        self._do_as_told(now_s)
        self.hand.step(now_s)

    def _do_as_told(self, now_s: float) -> None:
        """Lifts what the table says, if most of it lies there, once people have read it."""
        state = self._devices.tracker.referee.state
        if not state.to_lift:
            self._told_s = now_s
        elif now_s - self._told_s >= _READING_S:
            for colour, move in state.lying[state.piece_count :]:
                lying = self.table.scene.find(colour, move.piece)
                if lying and 2 * len({*lying.squares()} & {*move.squares}) > move.piece.size:
                    self.hand.perform(LiftPiece(colour, move.piece.name))

    def _seat(self) -> None:
        """Seats the simulated people at the table."""
        persons, seed = self.computer, self._acting.seed
        self.table.move_hand(None)
        self.people = None
        is_everybody = len(persons) == self.game.people
        if not persons or (self._by_hand and not is_everybody):
            return
        if self.game.puzzle is not None:
            choose: Lay = KnownSolution(solved(self.game), seed)
        else:
            choose = in_turn(sensibly(seed))
        habits = self._acting.habits or _mistakes(self.game)
        if not is_everybody:
            choose, habits = self._chosen, _FOR_COMPUTER
        self.people = People(
            self.table,
            choose,
            self._feedback,
            seed,
            habits,
            press=self._press,
            persons=persons,
        )

    def _feedback(self) -> TableFeedback:
        state = self._devices.tracker.referee.state
        is_open = not state.over and not state.paused
        return TableFeedback(state.position, refused=bool(state.refused), is_open=is_open)

    def _chosen(self, position: Position) -> LaidPiece | None:
        """Returns the move that the computer has chosen in a position; None while it thinks."""
        state = self._devices.tracker.referee.state
        chosen = state.chosen if state.position == position else None
        return None if chosen is None else (chosen.colour, chosen.move)

    def _tracker(
        self, config: GameConfig, state: GameState, geometry: BoardGeometry
    ) -> GameTracker:
        edition = laid_edition(config)
        return GameTracker.of_game(
            Reader(config.game.size, edition, in_pixels(geometry.corners, SIZE)),
            config,
            state,
            edition=edition,
            first=config.first or config.begins or edition[0],
            turned=0,
        )


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated table, ready to run.

    Attributes:
        clock: the simulated time; `step` advances it.
        stage: the simulated table and people.
        controller: the same loop as at a real table.
        services: journal, archive, server of the page, paired phones.
    """

    clock: ManualClock
    stage: SimulatedTableFactory
    controller: Controller
    services: ComposedTable

    @property
    def feed(self) -> FeedServer:
        """The server of the page; the caller starts it."""
        return self.services.feed

    @property
    def people(self) -> People | None:
        """The simulated people; None if nobody plays."""
        return self.stage.people

    @property
    def tracker(self) -> GameTracker:
        """Reader and referee of the present game."""
        return self.controller.devices.tracker

    def step(self, seconds: float, now: float) -> None:
        """Advances the simulated time, then takes a frame.

        Args:
            seconds: seconds that pass at the table.
            now: real time in seconds, for the outputs.
        """
        self.clock.now_s += seconds
        self.stage.step()
        self.controller.step(now)

    def close(self) -> None:
        """Ends the table: stops all services and puts the lights out."""
        self.controller.close()
        self.services.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def simulated(
    settings: Settings,
    folder: Path,
    acting: SimulationOptions,
    *,
    fresh: bool = False,
    goes_on: Callable[[GameConfig], bool] | None = None,
    on_event: Callable[[Event], None] | None = None,
    socket: Path | None = None,
) -> Simulation:
    """Composes a simulated table. The newest game is resumed, if it is of the same variant.

    Args:
        settings: settings of game and lights.
        folder: folder of socket, journal and games.
        acting: options of the simulation.
        fresh: True to begin a game even if one could be resumed.
        goes_on: returns True for the settings of a game to resume, if not that of the variant.
        on_event: function that gets each event.
        socket: path of the socket; None for one in `folder`.

    Raises:
        SettingsError: the settings contradict each other.
    """
    config = config_from_settings(settings)
    people = config.game.people
    levels = config.computer
    if acting.opponent and not any(levels) and config.game.puzzle is None:
        levels = (HUMAN, *(USUAL_LEVEL,) * (people - 1))
    levels = () if acting.autoplay else levels
    names = config.names or NAMES[:people]
    config = replace(config, names=names, computer=levels, seed=acting.seed)
    clock = ManualClock()
    stage = SimulatedTableFactory(settings, acting, clock)
    # A simulated table can only be seen in its pictures.
    places = TablePlaces.within(folder)
    if socket is not None:
        places = replace(places, socket=socket)
    recorder = None
    if acting.save is not None:
        recorder = SessionRecorder(acting.save, patience_s=_RECORDING_S)
    table = ComposedTable(
        settings,
        places,
        stage,
        recorder=recorder,
        gestures=stage,
    )
    controller = table.begin(config, on_event, fresh=fresh, goes_on=goes_on)
    return Simulation(clock, stage, controller, table)


def _mistakes(game: Variant) -> Habits:
    """Returns habits with one mistake: in the second round a piece touches its own side.

    In a puzzle every kind of mistake is made once, and some pieces are lifted again.
    """
    if game.puzzle is not None:
        mistakes = {1 + 3 * at: kind for at, kind in enumerate(mistakes_of(game))}
        return Habits(mistakes=mistakes, lift_rate=_LIFTED)
    return Habits(mistakes={2 * len(game.colours): Mistake.TOUCHES_OWN_SIDE})


def _sight_of(tracker: GameTracker) -> CameraSight | None:
    """Returns the newest reading, as players see it over the picture; None while none has a board.

    The board is not turned in the picture.
    """
    reading = tracker.reading
    if not isinstance(reading, Reading):
        return None
    edition = tracker.referee.edition
    names = ["."]
    names += [str(edition.index(one)) if one in edition else "?" for one in reading.palette]
    best = reading.probabilities.argmax(axis=1)
    certainty = np.minimum(9, 10 * reading.probabilities.max(axis=1)).astype(int)
    squares = (
        "?" if covered else names[at]
        for at, covered in zip(best.tolist(), reading.covered.ravel().tolist(), strict=True)
    )
    corners = in_shares(reading.corners, SIZE)
    return CameraSight(
        tuple(round(value, 4) for corner in corners for value in corner),
        "".join(squares),
        "".join(map(str, certainty.tolist())),
    )
