"""Repeats a recorded session: the loop of a table on the frames and the inputs of a recording."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import TablePlaces
from firmware.commands.watch_output import WatchOutput
from firmware.game.config import GameConfig
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.rules.variants import Edition, Variant
from firmware.session.devices import TableDevices
from firmware.session.recorded_reader import RecordedReader
from firmware.session.tracker import GameTracker
from firmware.settings import Settings
from firmware.storage.camera_memory import Corners
from firmware.storage.run_folder import run_folder
from firmware.storage.session_inputs import SessionInputs
from vision.camera import Frame
from vision.geometry.grid import Points
from vision.geometry.lens import Lens
from vision.reader import Reader

ReaderMaker = Callable[[Variant, Edition | None, Points | None, Lens | None], Reader]
"""Function that makes a reader: of a game, with the names of its colours, the corners of its board
in pixels and the lens, if they are known."""


class RecordedFrames:
    """The frames of a recording as the camera of a table.

    Args:
        frames: the frames; who opened the recording closes it.
    """

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames: Final = frames

    def read(self) -> Frame | None:
        """Returns the next frame; None after the last."""
        return next(self._frames, None)

    def close(self) -> None:
        """Does nothing."""


@dataclass(frozen=True, slots=True)
class RecordedTableFactory:
    """Opens the devices of a recorded table: its frames. Its lights are in their lists.

    Attributes:
        camera: the frames.
        inputs: the session, which says how its frames were read.
        make_reader: makes the reader of a game.
        edition: names of the colours, if the person who watches named them.
        first: name of the colour that begins, if that person named it.
    """

    camera: RecordedFrames
    inputs: SessionInputs
    make_reader: ReaderMaker
    edition: Edition | None
    first: str | None

    def look_again(
        self,
        config: GameConfig,
        state: GameState,
        corners: Corners | None = None,  # noqa: ARG002
    ) -> TableDevices:
        """Returns the devices with a new tracker. See `TableFactory`.

        Corners that a person set are among those with which the frames were read.
        """
        return self.open(config, state)

    def open(self, config: GameConfig, state: GameState) -> TableDevices:
        """Returns the devices of a game. See `TableFactory`."""
        edition = self.edition or config.edition or state.edition
        tracker = GameTracker.of_game(
            RecordedReader(self.inputs, partial(self.make_reader, config.game, edition)),
            config,
            state,
            edition=edition,
            first=self.first,
            turned=self.inputs.turned,
        )
        return TableDevices(self.camera, tracker)


class SessionReplay:
    """A recorded session that is repeated.

    Args:
        table: the services of its table.
        config: settings of its first game.
    """

    def __init__(self, table: ComposedTable, config: GameConfig) -> None:
        self._controller: Final = table.begin(config, self._take, fresh=True)
        self._output: WatchOutput | None = None
        self._config = self._controller.session.config

    @property
    def tracker(self) -> GameTracker:
        """Reader and referee of the present game."""
        return self._controller.devices.tracker

    def run(self, output: WatchOutput) -> None:
        """Repeats the session to its end."""
        self._output = output
        while self._controller.step(0.0):
            output.add_frame(self._controller.frames, self.tracker)

    def close(self) -> None:
        """Ends the loop."""
        self._controller.close()

    def _take(self, event: Event) -> None:
        """Passes on an event; the record of another game begins with its first one."""
        assert self._output is not None, "events come while the session runs"
        config = self._controller.session.config
        if config is not self._config:
            self._config = config
            self._output.begin(self.tracker)
        self._output.add_event(event, self.tracker)


@contextmanager
def repeated_session(
    inputs: SessionInputs, factory: RecordedTableFactory
) -> Iterator[SessionReplay]:
    """Composes the table of a recorded session in a folder of its own.

    Args:
        inputs: the inputs of the session.
        factory: opens its devices.

    Raises:
        CornerlightError: the session is of a game that cannot be played so.
    """
    with run_folder() as folder:
        places = TablePlaces.within(folder)
        table = ComposedTable(Settings(), places, factory, inputs=inputs)
        with closing(table), closing(SessionReplay(table, inputs.config)) as session:
            yield session
