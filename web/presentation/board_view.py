"""View model of the board: all of it, or the field of a puzzle with a margin."""

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final

from web.contract import (
    ArbiterPage,
    BoardPiece,
    Colour,
    Mark,
    MoveEntry,
    Page,
    RefereeState,
    Rule,
    Square,
)
from web.i18n.wording import Wording
from web.presentation.svg import CELL, heart, is_light, outline, seams, shade

_MARGIN: Final = 1
"""Squares that are shown beyond the field of a puzzle."""

_ROUND: Final = 3.5
"""Radius of a piece's corners in units of the drawing."""

_ABOUT_SQUARES: Final = (Rule.OVERLAP, Rule.TOUCHES_OWN_SIDE)
"""Rules that single squares break; a piece breaks the others as a whole."""

_TO_LIFT: Final = RefereeState.TO_LIFT.value
"""Mark of a piece to lift, which is none of the game's."""

_BLACK: Final = "#000000"
"""Colour that is mixed into an ink for the edge of its chip."""

_WHITE: Final = "#ffffff"
"""Colour of letters on a dark ink."""


@dataclass(frozen=True, slots=True)
class ColourChip:
    """The sign of a colour: its ink, and its letter to distinguish it without the ink."""

    letter: str
    ink: str
    edge: str
    on: str
    name: str

    @staticmethod
    def of(colour: Colour, wording: Wording) -> "ColourChip":
        """Returns the sign of a colour."""
        on = "#16130f" if is_light(colour.ink) else _WHITE
        edge = shade(colour.ink, _BLACK, 0.32)
        return ColourChip(colour.letter, colour.ink, edge, on, wording.colour(colour))


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A part of the board at its lower left corner; lengths in units of the drawing.

    Attributes:
        columns: columns from the left edge of the board.
        rows: rows from its top edge.
        outside: squares beyond the field of a puzzle as an SVG path; empty in a game.
        border: border of that field as an SVG path.
    """

    columns: range
    rows: range
    outside: str
    border: str

    @property
    def width(self) -> int:
        """Its width."""
        return len(self.columns) * CELL

    @property
    def height(self) -> int:
        """Its height."""
        return len(self.rows) * CELL

    @property
    def top(self) -> int:
        """Distance of its upper edge from that of the board."""
        return self.rows.start * CELL

    @property
    def grid(self) -> str:
        """The lines between its squares as an SVG path."""
        across = "".join(f"M0 {row * CELL}h{self.width}" for row in self.rows[1:])
        down = f"{self.top}v{self.height}"
        return across + "".join(f"M{column * CELL} {down}" for column in self.columns[1:])


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A piece on the board, ready to draw; lengths in units of the drawing."""

    chip: ColourChip
    mark: str
    body: str
    bevel: str
    seams: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class RestorePath:
    """The piece to put back next; outlines and line are SVG paths, empty if there is none.

    Attributes:
        ink: its colour.
        current_outline: its outline where it is now.
        target_outline: its outline where it belongs.
        between: line from the first to the second.
    """

    ink: str
    current_outline: str
    target_outline: str
    between: str


@dataclass(frozen=True, slots=True)
class ChosenPiece:
    """The piece that the computer has chosen: its outline, with its name and first square.

    Attributes:
        chip: its colour.
        body: its outline as an SVG path.
        name: name of the piece.
        first: name of its first square.
        x, y: middle of the square on which the names are drawn.
    """

    chip: ColourChip
    body: str
    name: str
    first: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board, ready to draw. Points are (x, y) of the middles of squares.

    Attributes:
        part: the part of the board that is drawn: all of it, or the field of a puzzle.
        culprit: the piece of a puzzle whose removal makes it solvable.
        places: dots on the squares that a chosen piece can cover, then on those at which it starts.
    """

    part: DrawnPart
    culprit: str
    columns: tuple[tuple[float, str], ...]
    rows: tuple[tuple[float, str], ...]
    starts: tuple[tuple[float, float], ...]
    pieces: tuple[DrawnPiece, ...]
    offending: tuple[tuple[float, float], ...]
    against: str
    attention: str
    covered: str
    way: RestorePath | None
    hint: str
    reason: str
    places: tuple[str, ...]
    chosen: "ChosenPiece | None"
    summary: str
    squares: tuple[tuple[str, ...], ...]
    """Content of each square as text, row by row from the top, for screen readers."""


def chips_of(page: Page | None, wording: Wording) -> tuple[ColourChip, ...]:
    """Returns the sign of each colour, in the order of play; none without a page."""
    return tuple(ColourChip.of(colour, wording) for colour in (page.colours if page else ()))


def board_of(page: Page, wording: Wording) -> BoardView:
    """Returns the board of a page, ready to draw."""
    part, chips = part_of(page), chips_of(page, wording)
    shown = page.private or ArbiterPage()
    hints = shown.hints
    reasoned = (reason.squares for reason in (hints.reasons if hints else ()) if reason.squares)
    reasons = [reason for piece in page.refused for reason in piece.reasons]
    at_fault = {s for r in reasons if r.rule in _ABOUT_SQUARES for s in r.squares}
    missed = {s for r in reasons for s in r.against} - at_fault
    order = sorted(page.pieces, key=lambda piece: list(Mark).index(piece.mark))
    return BoardView(
        part=part,
        culprit=outline(page.puzzle.culprit if page.puzzle else (), 1, 3),
        columns=tuple((_middle(i), ascii_lowercase[i]) for i in part.columns),
        rows=tuple((_middle(i), str(page.size - i)) for i in part.rows),
        starts=tuple((_middle(column), _middle(row)) for row, column in page.starts),
        pieces=(
            *(_drawn(piece, piece.mark.value, chips[piece.colour]) for piece in order),
            *(_drawn(piece, _TO_LIFT, chips[piece.colour]) for piece in page.to_lift),
        ),
        offending=tuple((_middle(column), _middle(row)) for row, column in sorted(at_fault)),
        against=outline(missed, 1.5, 3),
        attention=outline(
            () if page.state.code is RefereeState.REFUSED else page.state.squares, 1, 3
        ),
        covered=outline(page.covered, 0, 2),
        way=_way(page),
        hint=outline(hints.squares if hints else (), 2, 3),
        reason=outline(next(reasoned, ()), 2, 3),
        places=tuple(map(dots_of, filter(None, (shown.covers, shown.corners)))),
        chosen=_chosen(page, chips),
        summary=f"{wording.label('board')}, {wording.title(page)}, {page.size} × {page.size}",
        squares=_contents(page, part, chips, wording),
    )


def _chosen(page: Page, chips: tuple[ColourChip, ...]) -> ChosenPiece | None:
    """Returns the piece that the computer has chosen; None before."""
    move = page.chosen
    if move is None:
        return None
    row, column = heart(move.squares)
    return ChosenPiece(
        chips[move.colour],
        outline(move.squares, 1.5, _ROUND),
        move.piece,
        page.square_name(move.squares[0]),
        _middle(column),
        _middle(row),
    )


def _contents(
    page: Page, part: DrawnPart, chips: tuple[ColourChip, ...], wording: Wording
) -> tuple[tuple[str, ...], ...]:
    """Returns the content of each square as text."""
    texts = dict.fromkeys(page.starts, wording.label("start-square"))
    names = {frozenset(move.squares): move.piece for move in page.moves}
    for piece in page.pieces:
        words = chips[piece.colour].name, names.get(frozenset(piece.squares), "")
        text = " ".join(filter(None, words))
        if piece.mark is not Mark.NONE:
            text = wording.listed((text, wording.label(piece.mark)))
        texts |= dict.fromkeys(piece.squares, text)
    for one in page.to_lift:
        text = f"{chips[one.colour].name} {one.piece}".strip()
        text = wording.listed((text, wording.label(_TO_LIFT)))
        texts |= dict.fromkeys(one.squares, text)
    if page.chosen is not None:
        texts |= dict.fromkeys(page.chosen.squares, wording.label("computers-move"))
    texts |= dict.fromkeys(page.covered, wording.label("covered-square"))
    free = wording.label("free-square")
    return tuple(
        tuple(texts.get((row, column), free) for column in part.columns) for row in part.rows
    )


def _way(page: Page) -> RestorePath | None:
    """Returns the path of the piece to put back next; None if there is none."""
    current, target = page.state.current_squares, page.state.target_squares
    colour = page.state.colour
    if colour is None or not (current or target):
        return None
    between = ""
    if current and target:
        (x, y), (to_x, to_y) = (
            (_middle(column), _middle(row)) for row, column in (heart(current), heart(target))
        )
        between = f"M{x} {y}L{to_x} {to_y}" if (x, y) != (to_x, to_y) else ""
    ink = page.colours[colour].ink
    return RestorePath(ink, outline(current, 1, 3), outline(target, 1, 3), between)


def dots_of(squares: tuple[Square, ...]) -> str:
    """Returns lines of no length in the middles of squares."""
    return "".join(f"M{_middle(column)} {_middle(row)}h0" for row, column in squares)


def _middle(index: int) -> float:
    return (index + 0.5) * CELL


def _drawn(piece: BoardPiece | MoveEntry, mark: str, chip: ColourChip) -> DrawnPiece:
    row, column = heart(piece.squares)
    return DrawnPiece(
        chip=chip,
        mark=mark,
        body=outline(piece.squares, 0.8, _ROUND),
        bevel=outline(piece.squares, 3.2, 2),
        seams=seams(piece.squares, 3.2),
        x=_middle(column),
        y=_middle(row),
    )


def part_of(page: Page) -> DrawnPart:
    """Returns the part of a page's board that is drawn."""
    every = range(page.size)
    puzzle = page.puzzle
    if puzzle is None or min(puzzle.columns, puzzle.rows) == page.size:
        return DrawnPart(every, every, "", "")
    drawn = list(_shown_squares(page))
    right = max(puzzle.columns, *(column + 1 for _, column in drawn), 0) + _MARGIN
    top = min(page.size - puzzle.rows, *(row for row, _ in drawn), page.size) - _MARGIN
    columns, rows = range(min(right, page.size)), range(max(top, 0), page.size)
    squares = {(row, column) for row in rows for column in columns}
    field = {square for square in squares if puzzle.is_inside(square, page.size)}
    return DrawnPart(columns, rows, outline(squares - field), outline(field))


def _shown_squares(page: Page) -> Iterator[Square]:
    """Yields the squares of all that lies on the board, also beyond the field."""
    for piece in page.pieces:
        yield from piece.squares
    for candidate in page.candidates:
        yield from candidate.squares
    state = page.state
    yield from (*page.covered, *state.squares, *state.current_squares, *state.target_squares)
