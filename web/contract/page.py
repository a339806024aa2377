"""The page: all that is shown of a game at one moment, as plain data.

Squares are `(row, column)` from the top left of the board's frame, from 0. A colour is its
place in the order of play, from 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from string import ascii_lowercase
from typing import Any, Final

from firmware.codes import CameraFault, EndReason, PlayerFailure, Rule, Scoring
from vision.errors import BoardFailure
from web.contract.arbiter_page import ArbiterPage
from web.contract.codes import (
    CommandName,
    Mark,
    PictureAudience,
    RefereeState,
    Square,
)
from web.contract.puzzle_page import PuzzleEntry
from web.contract.schema import line, plain, read, require, table_of

_INK: Final = re.compile(r"#[0-9a-f]{6}")
"""A colour for screens: `#` and six hexadecimal digits in lower case."""

_SIZES: Final = range(5, len(ascii_lowercase) + 1)
"""Squares along a side of a board."""

_SQUARES: Final = frozenset(
    {
        "squares",
        "against",
        "starts",
        "covered",
        "current_squares",
        "target_squares",
        "culprit",
    }
)
"""Names of fields with squares of the board."""

_COLOURS: Final = frozenset({"colour", "colours", "turn", "winner", "tied", "resigned", "asked"})
"""Names of fields with places in the order of play."""

_LEVELS: Final = frozenset({"level", "agreed", "highest_level"})
"""Names of fields with a level of the computer, or 0."""

LARGEST_REVISION: Final = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""

MOST_PEOPLE: Final = 4
"""People in a game."""


MOST_LEVEL: Final = 12
"""The highest level of the computer."""


def check_level(level: int) -> None:
    """Checks a level of the computer; 0 is a human being.

    Raises:
        ContractError: there is no such level.
    """
    require(0 <= level <= MOST_LEVEL, f"a level is from 0 to {MOST_LEVEL}")


@dataclass(frozen=True, slots=True)
class TrayPiece:
    """A piece in hand.

    Attributes:
        name: name in records, for example `W`.
        squares: its shape; the smallest row and column are 0.
    """

    name: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour and the person who plays it.

    Attributes:
        name: name of the pieces' colour, for example `purple`.
        letter: one letter, unique among the colours of the game.
        ink: colour to draw it with, `#rrggbb` in lower case.
        player: name of the person who plays it, as they wrote it; empty if unknown. For a shared
            colour: the person who plays it next.
        score: its current score; None in a puzzle, and for a shared colour, which counts for
            nobody.
        placed: number of squares on the board.
        left: pieces in hand.
        out: True if it has no legal placement.
        level: level of the computer that plays it; 0 for a human being. For a shared colour: of
            the person who plays it next.
    """

    name: str
    letter: str
    ink: str
    player: str = ""
    score: int | None = 0
    placed: int = 0
    left: tuple[TrayPiece, ...] = ()
    out: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team.

    Attributes:
        colours: colours that the side plays; a shared colour belongs to no side.
        score: current score of all of them together.
    """

    colours: tuple[int, ...]
    score: int


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """A piece on the board, accepted or refused.

    Attributes:
        colour: its colour.
        squares: squares that it covers.
        mark: mark of the last move, of a pending or of a refused piece.
    """

    colour: int
    squares: tuple[Square, ...]
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """A line of the list of moves: a placement or a pass.

    Attributes:
        ply: number of the placement, from 1; for a pass that of the placement before it.
        colour: colour that moved.
        piece: name of the piece; empty for a pass.
        squares: squares that it covers, in the order of records; none for a pass.
        overruled: True if it breaks a rule and the arbiter accepted it.
    """

    ply: int
    colour: int
    piece: str = ""
    squares: tuple[Square, ...] = ()
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class CandidateEntry:
    """A possible placement, while the table is unsure.

    Attributes:
        colour: colour of the piece.
        piece: its name.
        squares: squares that it would cover.
        confidence: probability among the candidates, 0 to 1.
    """

    colour: int
    piece: str
    squares: tuple[Square, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The clock of one person at the time at which the page was published.

    Attributes:
        colours: colours that only this person plays.
        left_ms: milliseconds left; negative after the time ran out.
        running: True if it counts down.
        free_ms: milliseconds that pass before a running clock counts down.
        timed_out: True if the time ran out, which the arbiter judges.
    """

    colours: tuple[int, ...]
    left_ms: int
    running: bool = False
    free_ms: int = 0
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class SeatLevel:
    """The player of a seat in a game in which the computer plays.

    Attributes:
        colours: colours that only this seat plays.
        level: level of the computer; 0 for a human being.
        agreed: level at which the computer gave the seat up, else the one on which people agreed
            when the game began.
    """

    colours: tuple[int, ...]
    level: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class ViolationEntry:
    """One broken rule.

    Attributes:
        rule: the rule.
        squares: offending squares of the piece.
        against: squares that they touch or miss.
    """

    rule: Rule
    squares: tuple[Square, ...] = ()
    against: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedPiece:
    """A refused piece that still lies on the board.

    Attributes:
        colour: its colour.
        squares: squares that it covers.
        reasons: every broken rule; at least one.
    """

    colour: int
    squares: tuple[Square, ...]
    reasons: tuple[ViolationEntry, ...]


@dataclass(frozen=True, slots=True)
class RefereeStatus:
    """The state of the referee, with all that a sentence about it needs.

    Attributes:
        code: the kind of state.
        colour: colour to move, or of the piece concerned; needed when refused, and in a game when
            waiting. In a puzzle no colour has to move.
            When disturbed, colour of the piece to put back next.
        squares: squares concerned: those that changed (disturbed) or are unclear (unsure).
        failure: reason that the board is lost; None while it is not, or if it is unknown.
        fault: reason that the camera is away; None while it is not.
        current_squares: when disturbed, squares on which the piece to put back is; none if it is
            missing.
        target_squares: when disturbed, squares where that piece belongs; none if it is only in the
            way.
        asked: when unsure, the colours whose turn it may be.
        size: when people are asked to go on or to begin anew, squares along a side of the board in
            view, else 0.
    """

    code: RefereeState
    colour: int | None = None
    squares: tuple[Square, ...] = ()
    failure: BoardFailure | None = None
    fault: CameraFault | None = None
    current_squares: tuple[Square, ...] = ()
    target_squares: tuple[Square, ...] = ()
    asked: tuple[int, ...] = ()
    size: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a finished game: a winning side, sides that are equal, a solved puzzle, or none.

    Attributes:
        winner: colours of the side that won; none in a tie, in a puzzle or without a result.
        tied: colours of the sides that share the first place; none if one side won.
        how: reason for the end; abandoned without a result. A puzzle is solved or abandoned.
    """

    winner: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    how: EndReason = EndReason.SCORE


@dataclass(frozen=True, slots=True)
class MachineStatus:
    """The computer that the table runs on: heat, supply voltage, speed.

    Attributes:
        hot: True while it is too hot, so that it slows down; None if that is not known.
        celsius: its temperature in °C while it is too hot; None otherwise.
        undervoltage: True while its supply gives too little voltage; None if that is not known.
        highest_level: highest level of the player that it reaches within 6 s a move, as far as
            that was measured.
    """

    hot: bool | None = None
    celsius: int | None = None
    undervoltage: bool | None = None
    highest_level: int = MOST_LEVEL

    @property
    def has_trouble(self) -> bool:
        """True while people at the table should help it."""
        return bool(self.hot or self.undervoltage)


@dataclass(frozen=True, slots=True)
class Page:
    """All that is shown of a game at one moment.

    Attributes:
        revision: counter, incremented with every change at the table.
        title: name of the game, for example `Duo`.
        size: squares along a side of the board.
        colours: in the order of play.
        sides: in the order of play; none in a puzzle, which has no scores.
        state: state of the referee.
        starts: starting squares, drawn as dots.
        pieces: pieces on the board; later ones are drawn on top.
        refused: refused pieces on the board, newest first, in every state: also while a hand takes
            one back.
        moves: all moves, oldest first.
        turn: the colour to move; None if there is none, and in a puzzle.
        scoring: scoring of the game.
        result: result of the game; None while it lasts.
        saved: False if the journal could not be written; the game goes on.
        lights: False if the table's lights have failed; the game goes on.
        buttons: False if the players' buttons have failed; the game goes on.
        recording: False if a recording of the session has ended because of its disk.
        machine: status of the table's computer.
        pictures: those who may see pictures of the camera; nobody if there are none.
        name: name of the folder with the game's files; empty if there is none.
        evidence: label of the pictures of the decision that a stored page shows, for example
            `0012` or `0012-illegal-000345`; empty if there are none.
        candidates: while the table is unsure, the possible placements, the likeliest first.
        clocks: one for each person with a time control, in the order of play.
        possible: commands that are possible now.
        resigned: colours of those who resigned.
        covered: squares under a still object; pieces hidden there are judged later.
        whole: False if moves may be missing because the journal was damaged.
        computer: who plays each seat, in the order of play; none if the computer plays none.
        computer_prepares: True while the computer has to move and its player is not ready.
        chosen: the move that the computer has chosen, which somebody has to lay; None before.
        to_lift: pieces that lie on the board, do not count and have to be lifted, the first to lift
            first, in every state; without a name where the squares are no piece.
        gave_up: reason for which the computer gave a seat up to people; None if it did not.
        begun: True once a piece was laid in this game, also after it was taken back.
        puzzle: the puzzle; None in a game.
        private: part for arbiters alone; None in the page for everybody else.
    """

    revision: int
    title: str
    size: int
    colours: tuple[Colour, ...]
    sides: tuple[Side, ...]
    state: RefereeStatus
    starts: tuple[Square, ...] = ()
    pieces: tuple[BoardPiece, ...] = ()
    refused: tuple[RefusedPiece, ...] = ()
    moves: tuple[MoveEntry, ...] = ()
    turn: int | None = None
    scoring: Scoring = Scoring.ADVANCED
    result: Result | None = None
    saved: bool = True
    lights: bool = True
    buttons: bool = True
    recording: bool = True
    machine: MachineStatus = MachineStatus()
    pictures: PictureAudience = PictureAudience.NOBODY
    name: str = ""
    evidence: str = ""
    candidates: tuple[CandidateEntry, ...] = ()
    clocks: tuple[PlayerClock, ...] = ()
    possible: tuple[CommandName, ...] = ()
    resigned: tuple[int, ...] = ()
    covered: tuple[Square, ...] = ()
    whole: bool = True
    computer: tuple[SeatLevel, ...] = ()
    computer_prepares: bool = False
    chosen: MoveEntry | None = None
    to_lift: tuple[MoveEntry, ...] = ()
    gave_up: PlayerFailure | None = None
    begun: bool = False
    puzzle: PuzzleEntry | None = None
    private: ArbiterPage | None = None

    @property
    def finished(self) -> bool:
        """True if the game has ended."""
        return self.result is not None

    @property
    def computer_thinks(self) -> bool:
        """True if the computer has to choose its move."""
        turn = None if self.finished else self.turn
        return turn is not None and bool(self.colours[turn].level) and self.chosen is None

    @property
    def public(self) -> "Page":
        """The page for phones that are not paired: without what is for arbiters alone."""
        hidden = self.pictures is PictureAudience.PAIRED
        pictures = PictureAudience.NOBODY if hidden else self.pictures
        if self.private is None and not hidden:
            return self
        return replace(self, private=None, pictures=pictures)

    @property
    def ply(self) -> int:
        """Number of pieces laid so far."""
        return self.moves[-1].ply if self.moves else 0

    def square_name(self, square: Square) -> str:
        """Returns the name of a square, for example `e10`."""
        row, column = square
        return f"{ascii_lowercase[column]}{self.size - row}"

    def to_json(self) -> str:
        """Returns the page as one line of JSON."""
        return line({**plain(self), "finished": self.finished})

    @staticmethod
    def from_json(text: str | bytes) -> "Page":
        """Parses a page from JSON.

        Raises:
            ContractError: the text is not a page of this version.
        """
        table = table_of(text)
        table.pop("finished", None)
        page: Page = read(Page, table, "page")
        return page

    def check(self) -> None:
        """Checks that a page from a file can be drawn, which the table sees to where it makes one.

        Raises:
            ContractError: it names a colour or a square that it has not, or a number is too large.
        """
        require(self.size in _SIZES, f"size is from {_SIZES[0]} to {_SIZES[-1]}")
        shapes = [piece.squares for colour in self.colours for piece in colour.left]
        for lying in (self.pieces, self.refused, self.to_lift):
            shapes += [piece.squares for piece in lying]
        require(all(shapes), "a piece has squares")
        for name, value in _fields_of(self):
            if name in _SQUARES:
                on_board = all(0 <= at < self.size for square in value for at in square)
                require(on_board, f"{name} are on the board")
            elif name in _COLOURS:
                named = value if isinstance(value, tuple) else (value,)
                known = all(one in range(len(self.colours)) for one in named if type(one) is int)
                require(known, f"{name} is one of the colors")
            elif name in _LEVELS:
                check_level(value)
            elif name == "ink":
                require(_INK.fullmatch(value) is not None, "ink is written #rrggbb")


def _fields_of(record: Any) -> Iterator[tuple[str, Any]]:
    """Yields name and value of each field of a record, and of the records in it."""
    for item in fields(record):
        value = getattr(record, item.name)
        yield item.name, value
        for one in value if isinstance(value, tuple) else (value,):
            if is_dataclass(one):
                yield from _fields_of(one)
