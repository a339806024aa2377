"""A simulated table with players: requests go through the loop, pieces through the pictures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest.mock import patch
from uuid import uuid4

from firmware.assembly import services
from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.game.events import Event
from firmware.game.state import GameState
from firmware.rules.board import Move
from firmware.rules.pieces import normalised
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from firmware.session.feed_server import IncomingRequest
from firmware.settings import GameSettings, Settings
from firmware.simulator.people import Habits
from tests.support.fake_table import RecordingFeed
from web.contract import (
    ArrangeSeats,
    Command,
    CommandRequest,
    Gesture,
    PiecePlace,
    PlayRequest,
    RefusalReason,
    Reply,
    Request,
    Seat,
    SeatAction,
    SimulatedTable,
)

STEADY: Final = SimulationOptions(3, autoplay=True, habits=Habits(crooked=0.0))
"""People who play by themselves, and lay every piece straight."""


class HandPlayedTable:
    """A simulated table, its owner's phone, and the time.

    Attributes:
        simulation: the table.
        events: all events so far.
        frame_s: simulated seconds between two frames.
    """

    def __init__(
        self, simulation: Simulation, events: list[Event], feed: RecordingFeed, frame_s: float
    ) -> None:
        self.simulation: Final = simulation
        self.events: Final = events
        self.frame_s: Final = frame_s
        self._feed: Final = feed
        self._paired: Final = simulation.services.pairing.pair()
        self.token = ""
        self.step()

    @property
    def state(self) -> GameState:
        return self.simulation.tracker.referee.state

    @property
    def now_s(self) -> float:
        return self.simulation.clock.now_s

    @property
    def shown(self) -> SimulatedTable:
        """The state of the table as the page has it."""
        return self._feed.tables[-1]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats as the page has them."""
        return self._feed.clubs[-1].seats

    def is_over(self) -> bool:
        return self.state.over

    @property
    def is_free(self) -> bool:
        """True if no hand is over the table."""
        table = self.simulation.stage.table
        return table.scene.hand is None

    def step(self) -> None:
        self.simulation.step(self.frame_s, self.now_s + self.frame_s)

    def run(self, seconds: float) -> None:
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.step()

    def until(self, holds: Callable[[], object], within_s: float) -> None:
        began_s = self.now_s
        while not holds():
            assert self.now_s < began_s + within_s, "the table is stuck"
            self.step()

    def until_ply(self, ply: int, within_s: float) -> None:
        self.until(lambda: self.state.piece_count >= ply, within_s)

    def command(self, command: Command) -> RefusalReason | None:
        """Sends a command of the owner."""
        revision = self._feed.pages[-1].revision
        return self._ask(CommandRequest(uuid4().hex, revision, self._paired, command)).refused

    def play(self, action: Gesture | SeatAction, token: str | None = None) -> Reply:
        """Sends a gesture, or a change of seats."""
        token = self.token if token is None else token
        return self._ask(PlayRequest(uuid4().hex, token, self._paired, action))

    def arrange(self, mine: tuple[int, ...], computer: tuple[int, ...] = ()) -> None:
        """Deals the seats to the owner and to the computer."""
        reply = self.play(ArrangeSeats(mine, computer))
        assert reply.refused is None
        self.token = reply.token

    def _ask(self, request: Request) -> Reply:
        self._feed.answers.clear()
        self._feed.waiting = [IncomingRequest(1, request)]
        self.step()
        (answer,) = self._feed.answers
        return answer


@contextmanager
def hand_played_table(
    folder: Path,
    options: SimulationOptions,
    game: str = "duo",
    *,
    frame_s: float = 0.25,
) -> Iterator[HandPlayedTable]:
    """Yields a table that is closed at the end."""
    settings = Settings(game=replace(GameSettings(), game=game))  # type: ignore[arg-type]
    events: list[Event] = []
    with (
        patch.object(services, "FeedServer", RecordingFeed),
        simulated(settings, folder, options, on_event=events.append) as simulation,
    ):
        feed = simulation.feed
        assert isinstance(feed, RecordingFeed)
        yield HandPlayedTable(simulation, events, feed, frame_s)


def place_of(colour: int, move: Move) -> PiecePlace:
    """Returns the exact place of a move."""
    size = move.board.size
    cells = [divmod(square, size) for square in move.squares]
    down = sum(row for row, _ in cells) / len(cells) + 0.5
    across = sum(column for _, column in cells) / len(cells) + 0.5
    return PiecePlace(colour, move.piece.name, normalised(tuple(cells)), across, down)


def first_move(position: Position) -> tuple[Colour, Move]:
    """Returns the colour to move, and a legal move of five squares."""
    assert position.to_move is not None, "the game is not over"
    return position.to_move, next(one for one in position.legal_moves if one.piece.size == 5)
