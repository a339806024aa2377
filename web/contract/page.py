"""The page: all that is shown of a game at one moment, as plain data.

Squares are `(row, column)` from the top left of the board's frame, from 0. A colour is its
place in the order of play, from 0.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Final

from web.contract.arbiter_page import ArbiterPage
from web.contract.codes import (
    CommandName,
    EndReasonCode,
    Mark,
    RefereeState,
    RuleCode,
    ScoringCode,
    Square,
)
from web.contract.schema import VERSION, ContractError, OtherVersionError, plain, read, require

_INK: Final = re.compile(r"#[0-9a-f]{6}")
_NAME: Final = re.compile(r"[a-z0-9-]{1,80}")
_LONGEST_TEXT: Final = 200
_SIZES: Final = range(5, len(ascii_lowercase) + 1)

LARGEST_REVISION: Final = 2**53 - 1
"""The largest whole number that every reader of JSON has."""

MOST_PEOPLE: Final = 4


@dataclass(frozen=True, slots=True)
class TrayPiece:
    """A piece that is still in hand.

    Attributes:
        name: as in records, for example `W`.
        squares: its shape, in a frame of its own whose smallest row and column are 0.
    """

    name: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour and who plays it.

    Attributes:
        name: what the plastic is called, for example `purple`.
        letter: one letter that tells it from the other colours of the game.
        ink: what to draw it with, `#rrggbb` in lower case.
        player: name of the person who plays it, in their own writing; empty when nobody said.
            For a shared colour: whose hand plays it next.
        score: its score as it stands; None for a shared colour, which counts for nobody.
        placed: squares it has on the board.
        left: pieces it has in hand.
        out: whether the position leaves it no placement.
    """

    name: str
    letter: str
    ink: str
    player: str = ""
    score: int | None = 0
    placed: int = 0
    left: tuple[TrayPiece, ...] = ()
    out: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """Who wins together: a player, or a team.

    Attributes:
        colours: the colours the side plays. A shared colour is in none.
        score: of all of them together, as it stands.
    """

    colours: tuple[int, ...]
    score: int


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """A piece that lies on the board, accepted or refused.

    Attributes:
        colour: whose it is.
        squares: what it covers.
        mark: whether it is the last move, or refused and to be taken back.
    """

    colour: int
    squares: tuple[Square, ...]
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """A line of the list of moves: a placement or a pass.

    Attributes:
        ply: number of the placement, from 1; for a pass that of the placement before it.
        colour: who moved.
        piece: name of the piece; empty for a pass.
        squares: what it covers, in the order of records; none for a pass.
        overruled: whether it breaks a rule and the arbiter let it stand.
    """

    ply: int
    colour: int
    piece: str = ""
    squares: tuple[Square, ...] = ()
    overruled: bool = False


@dataclass(frozen=True, slots=True)
class CandidateEntry:
    """What may have happened, while the table is unsure.

    Attributes:
        colour: whose piece it would be.
        piece: its name.
        squares: what it would cover.
        confidence: how likely it is among the candidates, 0 to 1.
    """

    colour: int
    piece: str
    squares: tuple[Square, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The time of one person, as it was when this page was published.

    Attributes:
        colours: what the person plays of their own.
        left_ms: milliseconds left; less than 0 where the time ran out.
        running: whether it counts down.
        free_ms: milliseconds that pass before a running clock counts down.
        timed_out: whether the time ran out, which is for the arbiter to judge.
    """

    colours: tuple[int, ...]
    left_ms: int
    running: bool = False
    free_ms: int = 0
    timed_out: bool = False


@dataclass(frozen=True, slots=True)
class ViolationEntry:
    """One broken rule.

    Attributes:
        rule: which.
        squares: the offending squares of the new piece.
        against: what they touch or miss.
    """

    rule: RuleCode
    squares: tuple[Square, ...] = ()
    against: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class RefereeStatus:
    """What the referee is doing, and all that a sentence about it needs.

    Attributes:
        code: the kind of state.
        colour: whose turn or whose piece it is about; needed when waiting and when refused. When
            disturbed, whose piece goes next.
        reasons: every broken rule; needed when refused.
        squares: the squares it is about: those that moved (disturbed) or are unclear (unsure).
        detail: why the board is lost, a sentence of the reader's.
        lies: when disturbed, where the piece that goes next lies now; none where it is missing.
        belongs: when disturbed, where that piece goes; none where it only is in the way.
        asked: when unsure, the colours whose turn it may be.
    """

    code: RefereeState
    colour: int | None = None
    reasons: tuple[ViolationEntry, ...] = ()
    squares: tuple[Square, ...] = ()
    detail: str = ""
    lies: tuple[Square, ...] = ()
    belongs: tuple[Square, ...] = ()
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished game ended: a winning side, sides that are equal, or no result.

    Attributes:
        winner: colours of the side that won; none in a tie or without a result.
        tied: colours of the sides that share the first place; none when one won.
        how: what ended it; abandoned without a result.
    """

    winner: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    how: EndReasonCode = EndReasonCode.SCORE


@dataclass(frozen=True, slots=True)
class Page:
    """All that is shown of a game at one moment.

    Attributes:
        revision: counts up with every change at the table.
        title: name of the game, for example `Duo`.
        size: squares along a side of the board.
        colours: in the order of play.
        sides: in the order of play.
        state: what the referee is doing.
        starts: starting squares, to be drawn as dots.
        pieces: what lies on the board; later ones are drawn on top.
        moves: so far, oldest first.
        turn: the colour that has to lay a piece; None when nobody has.
        scoring: what the scores are counted in.
        result: how the game ended; None while it lasts.
        saved: False when the journal could not be written; the game goes on.
        lights: False when the table's lights have failed; the game goes on.
        buttons: False when the players' buttons have failed; the game goes on.
        pictures: whether the table offers pictures of its camera.
        name: of the folder that the game's files are kept in; empty where there is none.
        candidates: while the table is unsure, what may have happened, the likeliest first.
        clocks: one for each person where time is kept, in the order of play.
        possible: what an arbiter can ask for as the game stands.
        resigned: the colours of those who gave up.
        covered: squares under something that lies still; what hides there waits.
        whole: False when moves may be missing because the journal was damaged.
        private: what only arbiters are shown; None for everybody else.

    Raises:
        ContractError: the parts contradict each other, or something cannot be drawn.
    """

    revision: int
    title: str
    size: int
    colours: tuple[Colour, ...]
    sides: tuple[Side, ...]
    state: RefereeStatus
    starts: tuple[Square, ...] = ()
    pieces: tuple[BoardPiece, ...] = ()
    moves: tuple[MoveEntry, ...] = ()
    turn: int | None = None
    scoring: ScoringCode = ScoringCode.ADVANCED
    result: Result | None = None
    saved: bool = True
    lights: bool = True
    buttons: bool = True
    pictures: bool = False
    name: str = ""
    candidates: tuple[CandidateEntry, ...] = ()
    clocks: tuple[PlayerClock, ...] = ()
    possible: tuple[CommandName, ...] = ()
    resigned: tuple[int, ...] = ()
    covered: tuple[Square, ...] = ()
    whole: bool = True
    private: ArbiterPage | None = None

    def __post_init__(self) -> None:
        require(0 <= self.revision <= LARGEST_REVISION, "revision counts up from 0")
        require(not self.name or _NAME.fullmatch(self.name) is not None, "name is of a-z, 0-9, -")
        require(len(self.clocks) <= MOST_PEOPLE, f"clocks are at most {MOST_PEOPLE}")
        require(self.size in _SIZES, f"size is from {_SIZES[0]} to {_SIZES[-1]}")
        require(bool(self.colours), "a page has at least one colour")
        letters = [colour.letter for colour in self.colours]
        require(len(set(letters)) == len(letters), "colours have different letters")
        for colour in self.colours:
            require(len(colour.letter) == 1, "letter is one letter")
            require(_INK.fullmatch(colour.ink) is not None, "ink is written #rrggbb")
        _check_state(self.state, self.result)
        for index in _colours_named(self):
            require(0 <= index < len(self.colours), f"there is no color {index}")
        for square in _squares_named(self):
            require(all(0 <= at < self.size for at in square), f"{square} is not on the board")
        for text in (self.title, self.state.detail, *(c.name + c.player for c in self.colours)):
            require(len(text) <= _LONGEST_TEXT, f"texts have at most {_LONGEST_TEXT} characters")

    @property
    def finished(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def public(self) -> "Page":
        """The page without what only arbiters are shown."""
        return self if self.private is None else replace(self, private=None)

    @property
    def ply(self) -> int:
        """Number of pieces laid so far."""
        return self.moves[-1].ply if self.moves else 0

    def square_name(self, square: Square) -> str:
        """The name of a square, for example `e10`."""
        row, column = square
        return f"{ascii_lowercase[column]}{self.size - row}"

    def to_json(self) -> str:
        """The page as one line of JSON."""
        return json.dumps(
            {"version": VERSION, **plain(self), "finished": self.finished},
            ensure_ascii=False,
            separators=(",", ":"),
        )

    @staticmethod
    def from_json(text: str | bytes) -> "Page":
        """The way back from `to_json`.

        Raises:
            ContractError: the text is not a page of this version.
        """
        try:
            table = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ContractError(f"the message is not JSON: {error}") from error
        if not isinstance(table, dict):
            raise ContractError("the message is not a table of keys and values")
        if table.pop("version", None) != VERSION:
            raise OtherVersionError
        finished = table.pop("finished", None)
        page: Page = read(Page, table, "page")
        require(finished is page.finished, "finished agrees with the result")
        return page


def _check_state(state: RefereeStatus, result: Result | None) -> None:
    if state.code in (RefereeState.WAITING, RefereeState.REFUSED):
        require(state.colour is not None, f"state {state.code} needs a color")
    goes = bool(state.lies or state.belongs)
    require(state.colour is not None or not goes, "a piece that goes back has a color")
    require(
        (state.code is RefereeState.REFUSED) == bool(state.reasons), "state refused has reasons"
    )
    if state.code is RefereeState.GAME_OVER:
        require(result is not None, "state game-over needs a result")
    if result is not None:
        decided = bool(result.winner) + bool(result.tied)
        right = decided == (0 if result.how is EndReasonCode.ABANDONED else 1)
        require(right, "a result is a winner or a tie, and an abandoned game has none")


def _colours_named(page: Page) -> Iterator[int]:
    for index in (page.turn, page.state.colour):
        if index is not None:
            yield index
    for side in page.sides:
        yield from side.colours
    yield from (piece.colour for piece in page.pieces)
    yield from (move.colour for move in page.moves)
    yield from (one.colour for one in page.candidates)
    for clock in page.clocks:
        yield from clock.colours
    yield from (*page.resigned, *page.state.asked)
    if page.result is not None:
        yield from (*page.result.winner, *page.result.tied)
    hints = page.private and page.private.hints
    if hints and hints.colour is not None:
        yield hints.colour


def _squares_named(page: Page) -> Iterator[Square]:
    state = page.state
    yield from (*page.starts, *page.covered, *state.squares, *state.lies, *state.belongs)
    if page.private is not None:
        yield from page.private.hints.squares if page.private.hints else ()
        for point in page.private.setup.points:
            yield from point.squares
    for laid in page.pieces:
        require(bool(laid.squares), "a piece on the board has squares")
        yield from laid.squares
    for move in page.moves:
        yield from move.squares
    for candidate in page.candidates:
        yield from candidate.squares
    for reason in page.state.reasons:
        yield from (*reason.squares, *reason.against)
    for colour in page.colours:
        for piece in colour.left:
            require(bool(piece.squares), "a piece in hand has squares")
            yield from piece.squares
