"""Readings of a board with random errors, made from the truth."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firmware.codes import Rule, Translucency
from firmware.game.events import Event, Moment, MoveAccepted, MoveRefused, Undone
from firmware.lights.scene import SceneContext, at, scene
from firmware.referee.referee import Referee
from firmware.rules.board import Board, Move
from firmware.rules.position import Position
from vision.errors import BoardFailure
from vision.reading import Reading, border_of

FIRST = "e10,f10,f9,g9,g8"
SECOND = "j5,j6,j7,k7"
THIRD = "h7,h6,i6"
OFF = "i8,i9,j9"

FOUR = ("blue", "yellow", "red", "green")

CORNERS = np.array([[100.0, 50.0], [940.0, 50.0], [940.0, 890.0], [100.0, 890.0]])


@dataclass
class NoisyBoard:
    """The pieces on a board, in the game's frame, and the quality of readings.

    Attributes:
        size: squares along a side.
        palette: names of the colours of the pieces.
        turned: clockwise turn from the reader's frame to the game's.
        noise: standard deviation of the error of each square and frame, in log odds.
        sure: log odds of the truth.
        contents: name of the colour on each covered square.
        beyond: log odds that what lies on a square of the border goes on beyond it.
        lightness: CIE L* of every square.
    """

    size: int = 14
    palette: tuple[str, ...] = ("purple", "orange")
    turned: int = 0
    noise: float = 0.0
    sure: float = 5.0
    seed: int = 1
    corners: NDArray[np.float64] = field(default_factory=CORNERS.copy)
    brightness: float = 120.0
    lightness: float = 50.0
    contents: dict[int, str] = field(default_factory=dict)
    faint: dict[int, dict[str, float]] = field(default_factory=dict)
    covered: set[int] = field(default_factory=set)
    beyond: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.board = Board.of(self.size)
        self.chance = np.random.default_rng(self.seed)

    def squares(self, text: str) -> list[int]:
        return self.board.parse_squares(text)

    def lay(self, colour: str, squares: str | Move) -> None:
        places = squares.squares if isinstance(squares, Move) else self.squares(squares)
        self.contents |= dict.fromkeys(places, colour)

    def lift(self, squares: str | Move) -> None:
        places = squares.squares if isinstance(squares, Move) else self.squares(squares)
        for square in places:
            del self.contents[square]

    def blur(self, square: str, **odds: float) -> None:
        """Sets the log odds of a square against empty, independent of the truth."""
        self.faint[self.squares(square)[0]] = odds

    def reading(self, *, hand: bool = False, blurred: bool = False) -> Reading:
        logs = np.zeros((self.size**2, 1 + len(self.palette)))
        content = np.zeros(self.size**2, np.int64)
        for square, name in self.contents.items():
            content[square] = 1 + self.palette.index(name)
        logs[np.arange(len(logs)), content] = self.sure
        for square, odds in self.faint.items():
            logs[square] = [0.0, *(odds.get(name, -self.sure) for name in self.palette)]
        logs += self.chance.normal(0, self.noise, logs.shape) if self.noise else 0.0
        covered = np.zeros(len(logs), np.bool_)
        covered[list(self.covered)] = True
        logs[covered] = 0.0
        evidence = np.exp(logs - logs.max(axis=1, keepdims=True))
        evidence /= evidence.sum(axis=1, keepdims=True)
        back = np.rot90(np.arange(len(logs)).reshape(self.size, self.size), self.turned // 90)
        order = back.ravel()
        return Reading(
            self.size,
            self.corners.copy(),
            np.zeros((self.size + 1, self.size + 1, 2)),
            self.palette,
            evidence[order].astype(np.float32),
            covered[order],
            hand=hand,
            blurred=blurred,
            brightness=self.brightness,
            lightness=np.full(len(logs), self.lightness, np.float32),
            beyond=border_of(self._beyond()[order]),
        )

    def _beyond(self) -> NDArray[np.float32]:
        """Returns (squares,) the log odds of `beyond`."""
        odds = np.full(self.size**2, -self.sure, np.float32)
        odds[list(self.beyond)] = list(self.beyond.values())
        return odds

    def hang(self, squares: str, odds: float | None = None) -> None:
        """Lets what lies on squares of the border go on beyond it, by their log odds."""
        self.beyond |= dict.fromkeys(self.squares(squares), self.sure if odds is None else odds)


@dataclass
class NoisyMatch:
    """A referee of a table, with a simulated clock.

    Attributes:
        pieces: translucency of the pieces over LEDs, if there are any: glowing squares are hidden,
            and after a change of the lights their neighbours, too.
    """

    table: NoisyBoard
    referee: Referee
    step: float = 0.5
    pieces: Translucency | None = None
    now: float = 0.0
    frame: int = 0
    events: list[Event] = field(default_factory=list)
    glowing: frozenset[int] = frozenset()

    @property
    def moment(self) -> Moment:
        """The newest frame, and the time of the next."""
        return Moment(self.frame, self.now)

    def show(
        self, *, hand: bool = False, blurred: bool = False, lost: BoardFailure | None = None
    ) -> list[Event]:
        """Reads one frame; returns its events."""
        covered, self.table.covered = self.table.covered, self.table.covered | self.glowing
        reading = lost or self.table.reading(hand=hand, blurred=blurred)
        self.table.covered = covered
        self.frame += 1
        found = self.referee.see(reading, self.moment, dark=not self.glowing)
        self.now += self.step
        self.events += found
        self._light()
        return found

    def _light(self) -> None:
        """Shows the current state by the LEDs, in the next frame."""
        referee = self.referee
        if self.pieces is None:
            return
        glows = scene(referee.state, referee.edition, SceneContext(self.pieces))
        self.glowing = frozenset() if referee.wants_dark else frozenset(at(glows, self.now))

    def settle(self, frames: int = 2) -> list[Event]:
        """Reads some clear frames; returns their events."""
        return [event for _ in range(frames) for event in self.show()]

    def after_hand(self, frames: int = 2) -> list[Event]:
        """Reads a frame with a hand, then clear ones; returns the events of the clear ones."""
        self.show(hand=True)
        return self.settle(frames)


def names(events: Iterable[Event]) -> list[str]:
    """Returns the names of events, without those on hands."""
    return [event.name for event in events if event.name not in ("hand", "clear")]


def duo(*moves: str, step: float = 0.5, **table: object) -> NoisyMatch:
    """Returns a match after some moves, purple's first."""
    board = NoisyBoard(**table)  # type: ignore[arg-type]
    match = NoisyMatch(board, Referee(Position.start("duo"), ("purple", "orange")), step)
    match.settle()
    for ply, move in enumerate(moves):
        board.lay(("purple", "orange")[ply % 2], move)
        assert names(match.after_hand(2 if step >= 0.45 else 8)) == ["move"]
    return match


def only(events: list[Event]) -> Event:
    others = [event for event in events if event.name not in ("hand", "clear")]
    assert len(others) == 1, others
    return others[0]


def rules(event: Event) -> list[Rule]:
    assert isinstance(event, MoveRefused)
    return [one.rule for one in event.violations]


def text(event: Event) -> str:
    assert isinstance(event, (MoveAccepted, Undone))
    return str(event.move)
