"""All commands that a paired phone can send to the table.

Constructors check the bounds of every field, in the page and in the table.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final, get_args

from firmware.codes import (
    EditionKey,
    EndReason,
    GameKey,
    HintAmount,
    Scoring,
    Takeback,
    Timing,
    TurnEnd,
)
from web.contract.codes import CommandName, Square
from web.contract.page import LONGEST_TEXT, MOST_PEOPLE, check_level
from web.contract.person_names import LONGEST_NAME, clean_name, skeleton
from web.contract.schema import plain, read_named, require

LONGEST_CLOCK_S: Final = 24 * 3600
"""Seconds that a person may have for a game."""

LONGEST_STEP_S: Final = 3600
"""Seconds of an increment or a delay."""

MOST_HINTS: Final = 99
"""Hints of a person."""

_MOST_CANDIDATES: Final = 1000
"""Candidates of a question at most."""

_MOST_PIECES: Final = 4 * 21
"""Pieces of a position: those of four colours."""

LARGEST_PIECE: Final = 5
"""Squares of a piece."""

_LARGEST_BOARD: Final = 26
"""Squares along a side of a board: columns are letters."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Starts a game; the current one ends as it stands.

    Attributes:
        game: game to play.
        edition: colours of the pieces.
        names: names of the people in the order of play; none, or one for each.
        seats: edge of the board at which each of them sits, 0 bottom, 1 right, 2 top, 3 left;
            none for the usual ones, or one for each.
        first: name of the colour that begins; empty if the first piece decides.
        shared: place in the order of play of the colour that three people share; None for the
            usual one.
        scoring: scoring that decides the winner.
        takeback: time until which a player may take an accepted piece back.
        turn_end: event that ends a turn.
        timing: time control.
        clock_s: seconds that each person has; at least 1 with a time control.
        step_s: seconds added after each move (increment), or free in each turn (delay).
        hints: number of hints for each person.
        hint_amount: part of a hint that each person may be shown, in the order of play; none for
            everything.
        computer: level of the computer for each person in the order of play, 0 for a human being;
            none if the computer plays nobody.
    """

    name: ClassVar[CommandName] = CommandName.NEW_GAME
    game: GameKey = GameKey.DUO
    edition: EditionKey = EditionKey.AUTO
    names: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    first: str = ""
    shared: int | None = None
    scoring: Scoring = Scoring.ADVANCED
    takeback: Takeback = Takeback.UNTIL_NEXT_MOVE
    turn_end: TurnEnd = TurnEnd.ITSELF
    timing: Timing = Timing.NONE
    clock_s: int = 0
    step_s: int = 0
    hints: int = 0
    hint_amount: tuple[HintAmount, ...] = ()
    computer: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        require(len(self.names) <= MOST_PEOPLE, f"names are at most {MOST_PEOPLE}")
        for text in (*self.names, self.first):
            require(len(text) <= LONGEST_NAME, f"names have at most {LONGEST_NAME} characters")
            require(clean_name(text) == " ".join(text.split()), "names have no control characters")
        require(len(self.seats) <= MOST_PEOPLE, f"seats are at most {MOST_PEOPLE}")
        require(all(0 <= seat < 4 for seat in self.seats), "a seat is an edge from 0 to 3")
        require(len(set(self.seats)) == len(self.seats), "nobody sits where another sits")
        require(self.shared is None or 0 <= self.shared < 4, "a shared color is from 0 to 3")
        least = 0 if self.timing is Timing.NONE else 1
        within = least <= self.clock_s <= LONGEST_CLOCK_S
        require(within, f"clock_s is from {least} to {LONGEST_CLOCK_S}")
        require(0 <= self.step_s <= LONGEST_STEP_S, f"step_s is from 0 to {LONGEST_STEP_S}")
        require(len(self.hint_amount) <= MOST_PEOPLE, f"amounts are at most {MOST_PEOPLE}")
        require(0 <= self.hints <= MOST_HINTS, f"hints are from 0 to {MOST_HINTS}")
        require(len(self.computer) <= MOST_PEOPLE, f"computer is at most {MOST_PEOPLE} levels")
        for level in self.computer:
            check_level(level)


@dataclass(frozen=True, slots=True)
class BeginAnew:
    """Begins a game on a board that is empty, or of another size, under an unfinished one."""

    name: ClassVar[CommandName] = CommandName.BEGIN_ANEW


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begins the next game after a finished one: same names and terms, the next person begins."""

    name: ClassVar[CommandName] = CommandName.REMATCH


@dataclass(frozen=True, slots=True)
class Choose:
    """Chooses what happened while the table is unsure, by its index in the page's candidates."""

    name: ClassVar[CommandName] = CommandName.CHOOSE
    candidate: int

    def __post_init__(self) -> None:
        require(0 <= self.candidate < _MOST_CANDIDATES, "a candidate counts from 0")


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuses all candidates while the table is unsure; otherwise refuses the last move."""

    name: ClassVar[CommandName] = CommandName.REFUSE


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes the last accepted move back; its owner removes the piece."""

    name: ClassVar[CommandName] = CommandName.UNDO


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on the board.

    Attributes:
        colour: its colour, by place in the order of play.
        squares: squares that it covers, one to five.
    """

    colour: int
    squares: tuple[Square, ...]

    def __post_init__(self) -> None:
        require(0 <= self.colour < 4, "a color is from 0 to 3")
        size = len(self.squares)
        require(1 <= size <= LARGEST_PIECE, f"a piece has 1 to {LARGEST_PIECE} squares")
        for square in self.squares:
            on_board = all(0 <= at < _LARGEST_BOARD for at in square)
            require(on_board, f"{square} is on no board")


@dataclass(frozen=True, slots=True)
class SetPosition:
    """Sets the position.

    Attributes:
        turn: colour to move, by place in the order of play.
        pieces: pieces on the board; None for those that the camera sees.
    """

    name: ClassVar[CommandName] = CommandName.SET_POSITION
    turn: int
    pieces: tuple[PlacedPiece, ...] | None = None

    def __post_init__(self) -> None:
        require(0 <= self.turn < 4, "a color is from 0 to 3")
        require(len(self.pieces or ()) <= _MOST_PIECES, f"pieces are at most {_MOST_PIECES}")


@dataclass(frozen=True, slots=True)
class Overrule:
    """Accepts the refused piece that the page shows; the record notes it."""

    name: ClassVar[CommandName] = CommandName.OVERRULE


@dataclass(frozen=True, slots=True)
class Pause:
    """Pauses the clocks and the referee."""

    name: ClassVar[CommandName] = CommandName.PAUSE


@dataclass(frozen=True, slots=True)
class Resume:
    """Continues a game that was paused, or ended by a command."""

    name: ClassVar[CommandName] = CommandName.RESUME


@dataclass(frozen=True, slots=True)
class Resign:
    """A side resigns; the game ends if only one side remains.

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
        how: decided by the current score, lost on time by those whose time ran out, or abandoned
            without a result.
    """

    name: ClassVar[CommandName] = CommandName.END
    how: EndReason = EndReason.SCORE

    def __post_init__(self) -> None:
        require(self.how is not EndReason.RESIGNED, "who resigns says so with resign")
        require(self.how is not EndReason.SOLVED, "the referee says that a puzzle is solved")


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Confirms the placement as final, like the player's button."""

    name: ClassVar[CommandName] = CommandName.END_TURN


@dataclass(frozen=True, slots=True)
class AssignSeat:
    """Lets the computer play a seat, or a human being.

    Attributes:
        person: the seat, by place in the order of play.
        level: level of the computer; 0 for a human being.
    """

    name: ClassVar[CommandName] = CommandName.ASSIGN_SEAT
    person: int
    level: int = 0

    def __post_init__(self) -> None:
        require(0 <= self.person < MOST_PEOPLE, "a seat is from 0 to 3")
        check_level(self.level)


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Sets the position of the board in the live picture.

    Attributes:
        corners: (x, y) from 0 to 1 of its width and height, in the order top left, top right,
            bottom right, bottom left of the board; none for automatic detection.
    """

    name: ClassVar[CommandName] = CommandName.CALIBRATE
    corners: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        require(len(self.corners) in (0, 4), "a board has four corners")
        for corner in self.corners:
            require(all(0 <= at <= 1 for at in corner), "corners are from 0 to 1")


@dataclass(frozen=True, slots=True)
class Inspect:
    """Has the table check whether its set-up is good enough for a game."""

    name: ClassVar[CommandName] = CommandName.INSPECT


@dataclass(frozen=True, slots=True)
class MeasureLens:
    """Measures the lens while people move the empty board about, or stops that.

    Attributes:
        stop: True to stop.
    """

    name: ClassVar[CommandName] = CommandName.MEASURE_LENS
    stop: bool = False


@dataclass(frozen=True, slots=True)
class ProbeLights:
    """Finds the layout of the LEDs by lighting them in turn, or stops that.

    Attributes:
        stop: True to stop.
    """

    name: ClassVar[CommandName] = CommandName.PROBE_LIGHTS
    stop: bool = False


@dataclass(frozen=True, slots=True)
class CheckLights:
    """Shows pictures on the LEDs for a person to look at, begins anew, or stops that.

    Attributes:
        right: True or False if the present picture looks right or not; None to begin.
        stop: True to stop.
    """

    name: ClassVar[CommandName] = CommandName.CHECK_LIGHTS
    right: bool | None = None
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """Requests a hint for the person to move, or more of the current one."""

    name: ClassVar[CommandName] = CommandName.HINT


@dataclass(frozen=True, slots=True)
class CancelHint:
    """Cancels a requested hint; does nothing if none is being looked for."""

    name: ClassVar[CommandName] = CommandName.CANCEL_HINT


@dataclass(frozen=True, slots=True)
class Unpair:
    """Ends the pairing of the phone that sends it."""

    name: ClassVar[CommandName] = CommandName.UNPAIR


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Switches the table's machine off; the game goes on at its next start."""

    name: ClassVar[CommandName] = CommandName.SWITCH_OFF


@dataclass(frozen=True, slots=True)
class Forget:
    """Removes the name of a person from all games, and the pictures of these games.

    Attributes:
        person: the name, in any spelling that compares equal.
    """

    name: ClassVar[CommandName] = CommandName.FORGET
    person: str

    def __post_init__(self) -> None:
        require(bool(skeleton(self.person)), "a name can be seen")
        require(len(self.person) <= LONGEST_TEXT, f"texts have at most {LONGEST_TEXT} characters")


Command = (
    NewGame | BeginAnew | Rematch | Choose | Refuse | Undo | SetPosition | Overrule | Pause | Resume
    | Resign | EndGame | EndTurn | AssignSeat | Calibrate | Inspect | MeasureLens | ProbeLights
    | CheckLights
    | Hint | CancelHint | Unpair | SwitchOff | Forget
)  # fmt: skip
"""Any command."""

COMMANDS: Final[dict[str, type[Command]]] = {kind.name: kind for kind in get_args(Command)}
"""All commands by name."""


def command_to_json(command: Command) -> dict[str, Any]:
    """Returns a command in types of JSON."""
    return {"word": command.name, **plain(command)}


def command_from_json(value: object) -> Command:
    """Reads the form that `command_to_json` returns.

    Raises:
        ContractError: it is not a command of this version.
    """
    command: Command = read_named(COMMANDS, "word", value, "wish")
    return command
