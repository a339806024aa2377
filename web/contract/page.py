"""The page: all that is shown of a game at one moment, as plain data.

Squares are `(row, column)` from the top left of the board's frame, from 0. A colour is its
place in the order of play, from 0.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final

from firmware.codes import CameraFault, EndReason, GameResult, PlayerFailure, Rule, Scoring
from firmware.game.levels import MOST_LEVEL
from vision.errors import BoardFailure
from web.contract.arbiter_page import ArbiterPage
from web.contract.codes import (
    CommandName,
    Mark,
    PictureAudience,
    RefereeState,
    Square,
)
from web.contract.game_folder import GAME_NAME
from web.contract.puzzle_page import PuzzleEntry
from web.contract.schema import line, plain, read, require, table_of

_INK: Final = re.compile(r"#[0-9a-f]{6}")
"""A colour for screens: `#` and six hexadecimal digits in lower case."""

_EVIDENCE: Final = re.compile(r"[0-9]{4}(-[a-z]{1,20}-[0-9]{6,9})?")
"""Label of a decision's pictures: number of the last placement, then for all other decisions their
event and frame. The table pads frames to six digits; nine last a year at 30 frames a second."""

LONGEST_TEXT: Final = 200
"""Characters of a text."""

_SIZES: Final = range(5, len(ascii_lowercase) + 1)
"""Squares along a side of a board."""

LARGEST_REVISION: Final = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""

MOST_PEOPLE: Final = 4
"""People in a game."""


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

    def __post_init__(self) -> None:
        check_level(self.level)
        check_level(self.agreed)


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


PlayerStart = tuple[int, int | None]
"""The start of the player: percent of its functions that are compiled, once for each version, and
the seconds until it is ready, None before they were measured."""


@dataclass(frozen=True, slots=True)
class MachineStatus:
    """The computer that the table runs on: heat, supply voltage, speed.

    Attributes:
        hot: True while it is too hot, so that it slows down; None if that is not known.
        celsius: its temperature in °C while it is too hot; None otherwise.
        undervoltage: True while its supply gives too little voltage; None if that is not known.
        highest_level: highest level of the player that it reaches within 6 s a move, as far as
            that was measured.
        stays_on: True after it should have been switched off, and was not.
        player_start: the start of the player while somebody waits for it; None otherwise.
    """

    hot: bool | None = None
    celsius: int | None = None
    undervoltage: bool | None = None
    highest_level: int = MOST_LEVEL
    stays_on: bool = False
    player_start: PlayerStart | None = None

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
    result: GameResult | None = None
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

    def check(self) -> None:
        """Checks a page that is read: the table has not made it now, or has made it elsewhere.

        Raises:
            ContractError: fields contradict each other, or cannot be drawn.
        """
        require(0 <= self.revision <= LARGEST_REVISION, "revision counts up from 0")
        require(
            not self.name or GAME_NAME.fullmatch(self.name) is not None, "name is of a-z, 0-9, -"
        )
        is_label = not self.evidence or _EVIDENCE.fullmatch(self.evidence) is not None
        require(is_label, "evidence is the label of pictures")
        require(len(self.clocks) <= MOST_PEOPLE, f"clocks are at most {MOST_PEOPLE}")
        require(self.size in _SIZES, f"size is from {_SIZES[0]} to {_SIZES[-1]}")
        require(bool(self.colours), "a page has at least one colour")
        letters = [colour.letter for colour in self.colours]
        require(len(set(letters)) == len(letters), "colours have different letters")
        for colour in self.colours:
            require(len(colour.letter) == 1, "letter is one letter")
            require(_INK.fullmatch(colour.ink) is not None, "ink is written #rrggbb")
        known = self.machine.hot is True
        require(known == (self.machine.celsius is not None), "a hot computer has a temperature")
        require(self.machine.highest_level >= 1, "a computer reaches a level")
        check_level(self.machine.highest_level)
        percent, left_s = self.machine.player_start or (0, None)
        require(0 <= percent <= 100 and (left_s or 0) >= 0, "a player is compiled by 0 to 100 %")
        _check_state(self)
        _check_puzzle(self)
        _check_refused(self)
        for index in _colours_named(self):
            require(0 <= index < len(self.colours), f"there is no color {index}")
        for square in _squares_named(self):
            require(all(0 <= at < self.size for at in square), f"{square} is not on the board")
        for colour in self.colours:
            check_level(colour.level)
        require(len(self.computer) <= MOST_PEOPLE, f"seats are at most {MOST_PEOPLE}")
        require(self.chosen is None or bool(self.chosen.squares), "a chosen move has squares")
        for text in (self.title, *(c.name + c.player for c in self.colours)):
            require(len(text) <= LONGEST_TEXT, f"texts have at most {LONGEST_TEXT} characters")

    @property
    def finished(self) -> bool:
        """True if the game has ended."""
        return self.result is not None

    def mover(self, move: MoveEntry) -> int:
        """Returns the first colour of the person who laid a piece, or passed.

        The sides play a colour that belongs to none of them in turn, a piece each. A move that is
        not on the board is that of the side whose turn it is.
        """
        if not self.sides or any(move.colour in side.colours for side in self.sides):
            return move.colour
        pieces = [one for one in self.pieces if one.mark in (Mark.NONE, Mark.LAST)]
        laid = [one.squares for one in pieces if one.colour == move.colour]
        number = laid.index(move.squares) if move.squares in laid else len(laid)
        return self.sides[number % len(self.sides)].colours[0]

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
            ContractError: the text is not a page of this version, or one that cannot be drawn.
        """
        table = table_of(text)
        finished = table.pop("finished", None)
        page: Page = read(Page, table, "page")
        page.check()
        require(finished is page.finished, "finished agrees with the result")
        return page


def _check_state(page: Page) -> None:
    state, result = page.state, page.result
    calls = state.code in (RefereeState.WAITING, RefereeState.NEW_GAME) and page.puzzle is None
    if calls or state.code is RefereeState.REFUSED:
        require(state.colour is not None, f"state {state.code} needs a color")
    goes = bool(state.current_squares or state.target_squares)
    require(state.colour is not None or not goes, "a piece that goes back has a color")
    if state.code is RefereeState.GAME_OVER:
        require(result is not None, "state game-over needs a result")
    if result is not None:
        decided = bool(result.winner) + bool(result.tied)
        without = result.how in (EndReason.ABANDONED, EndReason.SOLVED)
        right = decided == (0 if without else 1)
        require(right, "a result is a winner or a tie, and an abandoned game has none")


def _check_puzzle(page: Page) -> None:
    puzzle, result = page.puzzle, page.result
    solved = result is not None and result.how is EndReason.SOLVED
    require(puzzle is not None or not solved, "only a puzzle is solved")
    if puzzle is None:
        return
    require(max(puzzle.columns, puzzle.rows) <= page.size, "a field is on the board")
    require(page.turn is None, "in a puzzle no color has to move")
    decided = result is not None and bool(result.winner or result.tied)
    require(not page.sides and not decided, "a puzzle has no sides and nobody wins it")


def _check_refused(page: Page) -> None:
    lifting = page.state.code is RefereeState.TO_LIFT
    require(bool(page.to_lift) or not lifting, "state to-lift needs a piece to lift")
    require(all(one.squares for one in page.to_lift), "a piece to lift has squares")
    refused = page.state.code is RefereeState.REFUSED
    require(bool(page.refused) or not refused, "state refused needs a refused piece")
    for piece in page.refused:
        require(bool(piece.squares), "a refused piece has squares")
        require(bool(piece.reasons), "a refused piece has reasons")


def _colours_named(page: Page) -> Iterator[int]:
    for index in (page.turn, page.state.colour):
        if index is not None:
            yield index
    for side in page.sides:
        yield from side.colours
    yield from (piece.colour for piece in page.pieces)
    yield from (move.colour for move in (*page.moves, *page.to_lift))
    yield from (one.colour for one in page.candidates)
    yield from (piece.colour for piece in page.refused)
    for clock in page.clocks:
        yield from clock.colours
    for seat in page.computer:
        yield from seat.colours
    if page.chosen is not None:
        yield page.chosen.colour
    yield from (*page.resigned, *page.state.asked)
    if page.result is not None:
        yield from (*page.result.winner, *page.result.tied)
    hints = page.private and page.private.hints
    if hints and hints.colour is not None:
        yield hints.colour


def _squares_named(page: Page) -> Iterator[Square]:
    state, culprit = page.state, page.puzzle.culprit if page.puzzle else ()
    yield from (
        *page.starts,
        *page.covered,
        *state.squares,
        *state.current_squares,
        *state.target_squares,
    )
    yield from culprit
    yield from page.chosen.squares if page.chosen else ()
    if page.private is not None:
        yield from page.private.hints.squares if page.private.hints else ()
        for point in page.private.setup.points:
            yield from point.squares
    for placed in page.pieces:
        require(bool(placed.squares), "a piece on the board has squares")
        yield from placed.squares
    for move in (*page.moves, *page.to_lift):
        yield from move.squares
    for candidate in page.candidates:
        yield from candidate.squares
    for piece in page.refused:
        yield from piece.squares
        for reason in piece.reasons:
            yield from (*reason.squares, *reason.against)
    for colour in page.colours:
        for left in colour.left:
            require(bool(left.squares), "a piece in hand has squares")
            yield from left.squares
