"""The arbiter's vocabulary: everything a paired phone can ask of the table.

Every field has bounds that are checked when it is made, here and on the other side.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from web.contract.codes import CommandName, EndReasonCode, ScoringCode, Square
from web.contract.page import MOST_PEOPLE
from web.contract.schema import require

LONGEST_NAME: Final = 40
LONGEST_CLOCK_S: Final = 24 * 3600
LONGEST_STEP_S: Final = 3600
MOST_HINTS: Final = 99
_MOST_CANDIDATES: Final = 1000
_MOST_PIECES: Final = 4 * 21
_LARGEST_PIECE: Final = 5
_LARGEST_BOARD: Final = 26


class GameKey(StrEnum):
    """Every game that can be begun."""

    DUO = "duo"
    CLASSIC = "classic"
    CLASSIC_2 = "classic-2"
    CLASSIC_3 = "classic-3"
    CLASSIC_TEAMS = "classic-teams"
    DUO_4 = "duo-4"
    DUO_4_3 = "duo-4-3"


class EditionKey(StrEnum):
    """The colours of the plastic; auto looks at the board."""

    AUTO = "auto"
    PURPLE_ORANGE = "purple-orange"
    BLACK_WHITE = "black-white"
    BLUE_GREEN = "blue-green"
    RED_YELLOW = "red-yellow"
    FOUR = "blue-yellow-red-green"


class TakebackCode(StrEnum):
    """Until when a player may lift an accepted piece."""

    UNTIL_NEXT_MOVE = "until-next-move"
    ARBITER = "arbiter"


class TurnEndCode(StrEnum):
    """What ends a turn: the piece that lies there, or the player's button."""

    ITSELF = "itself"
    BUTTON = "button"


class TimingCode(StrEnum):
    """How the time of the players is kept."""

    NONE = "none"
    SUDDEN_DEATH = "sudden-death"
    INCREMENT = "increment"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begins a game; the one on the table ends as it stands.

    Attributes:
        game: which.
        edition: the colours of the plastic.
        names: of the people in the order of play; none, or one for each.
        seats: at which edge of the board each of them sits, 0 bottom, 1 right, 2 top, 3 left;
            none for the usual ones, or one for each.
        first: name of the colour that begins; empty where the first piece shows it.
        shared: place in the order of play of the colour that three people share; None for the
            usual one.
        scoring: which scoring names the winner.
        takeback: until when a player may lift an accepted piece.
        turn_end: what ends a turn.
        timing: how time is kept.
        clock_s: seconds that each person has; at least 1 where time is kept.
        step_s: seconds added after each move (increment), or that each turn has free (delay).
        hints: how many hints each person may ask for.
    """

    name: ClassVar[CommandName] = CommandName.NEW_GAME
    game: GameKey = GameKey.DUO
    edition: EditionKey = EditionKey.AUTO
    names: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    first: str = ""
    shared: int | None = None
    scoring: ScoringCode = ScoringCode.ADVANCED
    takeback: TakebackCode = TakebackCode.UNTIL_NEXT_MOVE
    turn_end: TurnEndCode = TurnEndCode.ITSELF
    timing: TimingCode = TimingCode.NONE
    clock_s: int = 0
    step_s: int = 0
    hints: int = 0

    def __post_init__(self) -> None:
        require(len(self.names) <= MOST_PEOPLE, f"names are at most {MOST_PEOPLE}")
        for text in (*self.names, self.first):
            require(len(text) <= LONGEST_NAME, f"names have at most {LONGEST_NAME} characters")
            require(text.isprintable(), "names have no control characters")
        require(len(self.seats) <= MOST_PEOPLE, f"seats are at most {MOST_PEOPLE}")
        require(all(0 <= seat < 4 for seat in self.seats), "a seat is an edge from 0 to 3")
        require(len(set(self.seats)) == len(self.seats), "nobody sits where another sits")
        require(self.shared is None or 0 <= self.shared < 4, "a shared color is from 0 to 3")
        least = 0 if self.timing is TimingCode.NONE else 1
        within = least <= self.clock_s <= LONGEST_CLOCK_S
        require(within, f"clock_s is from {least} to {LONGEST_CLOCK_S}")
        require(0 <= self.step_s <= LONGEST_STEP_S, f"step_s is from 0 to {LONGEST_STEP_S}")
        require(0 <= self.hints <= MOST_HINTS, f"hints are from 0 to {MOST_HINTS}")


@dataclass(frozen=True, slots=True)
class Choose:
    """While the table is unsure: what happened, by its place among the page's candidates."""

    name: ClassVar[CommandName] = CommandName.CHOOSE
    candidate: int

    def __post_init__(self) -> None:
        require(0 <= self.candidate < _MOST_CANDIDATES, "a candidate counts from 0")


@dataclass(frozen=True, slots=True)
class Refuse:
    """While the table is unsure: none of the candidates; otherwise the last move was none."""

    name: ClassVar[CommandName] = CommandName.REFUSE


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes the last accepted move back; its owner lifts the piece."""

    name: ClassVar[CommandName] = CommandName.UNDO


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece that lies on the board.

    Attributes:
        colour: whose it is, by its place in the order of play.
        squares: what it covers, one to five.
    """

    colour: int
    squares: tuple[Square, ...]

    def __post_init__(self) -> None:
        require(0 <= self.colour < 4, "a color is from 0 to 3")
        size = len(self.squares)
        require(1 <= size <= _LARGEST_PIECE, f"a piece has 1 to {_LARGEST_PIECE} squares")
        for square in self.squares:
            on_board = all(0 <= at < _LARGEST_BOARD for at in square)
            require(on_board, f"{square} is on no board")


@dataclass(frozen=True, slots=True)
class SetPosition:
    """Sets the position.

    Attributes:
        turn: the colour whose turn it is, by its place in the order of play.
        pieces: what lies there; None for what the camera sees.
    """

    name: ClassVar[CommandName] = CommandName.STAND
    turn: int
    pieces: tuple[PlacedPiece, ...] | None = None

    def __post_init__(self) -> None:
        require(0 <= self.turn < 4, "a color is from 0 to 3")
        require(len(self.pieces or ()) <= _MOST_PIECES, f"pieces are at most {_MOST_PIECES}")


@dataclass(frozen=True, slots=True)
class Overrule:
    """Lets the refused piece stand that the page shows; the record says so."""

    name: ClassVar[CommandName] = CommandName.OVERRULE


@dataclass(frozen=True, slots=True)
class Pause:
    """Stops clocks and referee."""

    name: ClassVar[CommandName] = CommandName.PAUSE


@dataclass(frozen=True, slots=True)
class Resume:
    """Goes on with a game that was paused, or ended by a word."""

    name: ClassVar[CommandName] = CommandName.RESUME


@dataclass(frozen=True, slots=True)
class Resign:
    """A side gives up; where only one is left, the game ends.

    Attributes:
        side: its place among the page's sides.
    """

    name: ClassVar[CommandName] = CommandName.RESIGN
    side: int

    def __post_init__(self) -> None:
        require(0 <= self.side < MOST_PEOPLE, "a side counts from 0")


@dataclass(frozen=True, slots=True)
class EndGame:
    """Ends the game.

    Attributes:
        how: by the score as it stands, lost by those whose time ran out, or abandoned without
            a result.
    """

    name: ClassVar[CommandName] = CommandName.END
    how: EndReasonCode = EndReasonCode.SCORE

    def __post_init__(self) -> None:
        require(self.how is not EndReasonCode.RESIGNED, "who resigns says so with resign")


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The player's button: what lies there is meant."""

    name: ClassVar[CommandName] = CommandName.END_TURN


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Tells where the board is in the live picture.

    Attributes:
        corners: (x, y) from 0 to 1 of its width and height, in the order top left, top right,
            bottom right, bottom left of the board; none to have it found by itself again.
    """

    name: ClassVar[CommandName] = CommandName.CALIBRATE
    corners: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        require(len(self.corners) in (0, 4), "a board has four corners")
        for corner in self.corners:
            require(all(0 <= at <= 1 for at in corner), "corners are from 0 to 1")


@dataclass(frozen=True, slots=True)
class Inspect:
    """Asks the table to look whether its set-up is good enough for a game."""

    name: ClassVar[CommandName] = CommandName.INSPECT


@dataclass(frozen=True, slots=True)
class Hint:
    """Asks for a hint for whoever has to move, or for more of the one that is told."""

    name: ClassVar[CommandName] = CommandName.HINT


@dataclass(frozen=True, slots=True)
class Unpair:
    """Has the table forget the phone that sends it."""

    name: ClassVar[CommandName] = CommandName.UNPAIR


Command = (
    NewGame | Choose | Refuse | Undo | SetPosition | Overrule | Pause | Resume | Resign | EndGame
    | EndTurn | Calibrate | Inspect | Hint | Unpair
)  # fmt: skip
"""What a command asks for."""

COMMANDS: Final[dict[str, type[Command]]] = {
    kind.name: kind
    for kind in (
        NewGame, Choose, Refuse, Undo, SetPosition, Overrule, Pause, Resume, Resign, EndGame,
        EndTurn, Calibrate, Inspect, Hint, Unpair,
    )
}  # fmt: skip
"""Every command by its name."""
