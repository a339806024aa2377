"""The composition root: the one place that names concrete devices, real or simulated."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from firmware.controller import Controller, Table
from firmware.errors import SettingsError
from firmware.events import Event
from firmware.feed import Feed
from firmware.follower import Follower
from firmware.journal import Journal
from firmware.lights import Lights, serpentine
from firmware.recorder import Recorder
from firmware.referee.settings import RefereeSettings
from firmware.rules.games import EDITIONS, GAMES, Edition, Game, default_edition
from firmware.rules.position import Position
from firmware.rules.score import Scoring
from firmware.settings import Settings
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.choosing import sensibly
from firmware.simulator.people import Habits, People, Shown
from firmware.simulator.slips import Slip
from firmware.simulator.strip import SimulatedStrip
from firmware.simulator.table import VirtualTable
from vision.reader import Reader
from vision.synthetic import Renderer

NAMES = ("Ada", "Ben", "Cleo", "Dev")


class Clock:
    """The time of a simulated table; it goes only as it is told."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Seconds since the table was set up."""
        return self.now_s


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated table, ready to run.

    Attributes:
        clock: its time; move it on before each step.
        people: who play at it; None where nobody does.
        controller: the same loop that runs a real table.
        follower: eyes and referee.
        strip: its lights, as they were written.
        feed: to be started by whoever wants to be heard.
        journal: what happened so far.
    """

    clock: Clock
    people: People | None
    controller: Controller
    follower: Follower
    strip: SimulatedStrip
    feed: Feed
    journal: Journal

    def step(self, seconds: float, now: float) -> None:
        """Lets time pass at the table, then takes a frame.

        Args:
            seconds: that pass at the table.
            now: seconds of the world, for those who watch.
        """
        self.clock.now_s += seconds
        if self.people is not None:
            self.people.step(self.clock.now_s)
        self.controller.step(now)

    def close(self) -> None:
        """Ends the table: nothing more is said or recorded."""
        self.feed.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def game_of(settings: Settings) -> Game:
    """The game that the settings name, with the shared colour they name."""
    game = GAMES[settings.game.game]
    if game.shared is None:
        return game
    return game.sharing(default_edition(game).index(settings.game.shared_colour))


def edition_of(settings: Settings, game: Game) -> Edition:
    """The edition that the settings name, or with `auto` the usual one of the game.

    Raises:
        SettingsError: it has not as many colours as the game.
    """
    edition = EDITIONS.get(settings.game.edition, default_edition(game))
    if len(edition) != len(game.colours):
        raise SettingsError(
            f"{game.title} has {len(game.colours)} colours; "
            f"game.edition = {settings.game.edition!r} has {len(edition)}"
        )
    return edition


def simulated(
    settings: Settings,
    folder: Path,
    *,
    seed: int,
    autoplay: bool,
    habits: Habits | None = None,
    told: Callable[[Event], None] | None = None,
    save: Path | None = None,
) -> Simulation:
    """A table without wires, and people at it.

    Args:
        settings: what is played, and how bright the lights are.
        folder: where its socket `feed.sock` and its `journal.sqlite` go.
        seed: of all that is left to chance.
        autoplay: whether people play at it.
        habits: how they play; by default they make one mistake.
        told: called with each event.
        save: folder in which every frame and event is kept, to be watched again.
    """
    game = game_of(settings)
    edition = edition_of(settings, game)
    clock, table = Clock(), VirtualTable(game)
    position = Position.start(game)
    follower = Follower(
        Reader(game.size, edition),
        position,
        edition,
        first=edition[0],
        turned=0,
        settings=RefereeSettings(takeback=settings.game.takeback),
    )
    layout = serpentine(game.size)
    strip = SimulatedStrip(table, layout, clock)
    feed, journal = Feed(folder / "feed.sock"), Journal(folder / "journal.sqlite")
    journal.begin(game, "simulated")

    def shown() -> Shown:
        state = follower.state
        return Shown(state.plies, bool(state.refused), state.position.to_move)

    people = People(table, sensibly(seed), shown, seed, habits or _one_mistake(game))
    camera = SimulatedCamera(table, edition, clock, Renderer(seed))
    recorder = Recorder(camera, save, game.size) if save else None

    def tell(event: Event) -> None:
        if recorder:
            recorder.tell(event, follower.edition)
        if told:
            told(event)

    parts = Table(
        recorder or camera,
        follower,
        journal,
        feed,
        Lights(strip, layout, settings.lights.limit_ma, settings.lights.brightness),
        NAMES[: game.people],
        Scoring(settings.game.scoring),
    )
    controller = Controller(parts, tell)
    return Simulation(
        clock, people if autoplay else None, controller, follower, strip, feed, journal
    )


def _one_mistake(game: Game) -> Habits:
    """In the second round somebody lays a piece against its own side."""
    return Habits(slips={2 * len(game.colours): Slip.TOUCHES_OWN_SIDE})
