"""View model of a page: the paths, texts and marks that the templates draw."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from string import ascii_lowercase
from typing import Final

from web.contract import (
    BoardPiece,
    Colour,
    Mark,
    MoveEntry,
    Page,
    PictureAudience,
    PlayerClock,
    RefereeState,
    RefusedPiece,
    Rule,
    Square,
    TrayPiece,
)
from web.i18n.wording import Wording
from web.presentation.arbiter_view import hinted, hints_left, is_thinking, reasoned
from web.presentation.drawn_part import DrawnPart, part_of
from web.presentation.puzzle_view import PuzzleView, puzzle_of
from web.presentation.rule_drawings import RuleDrawing, drawing_of
from web.presentation.setup_view import SetupView, setup_of
from web.presentation.svg import CELL, heart, is_light, outline, seams, shade

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
class ComputerSeat:
    """A seat of a game in which the computer plays, for an arbiter.

    Attributes:
        person: its place in the order of play.
        chips: its colours.
        is_computer: True if the computer plays it now.
        level: level at which the computer played it, or may play it again; 0 if it never did.
    """

    person: int
    chips: tuple[ColourChip, ...]
    is_computer: bool
    level: int


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board, ready to draw. Points are (x, y) of the middles of squares.

    Attributes:
        width: its width in units of the drawing.
        height: its height.
        top: distance of its upper edge from that of the whole board, of which it is the lower left
            part around the field of a puzzle; 0 for the whole board.
        outside: the squares beyond the field of a puzzle; empty in a game.
        border: the border of that field.
        culprit: the piece of a puzzle whose removal makes it solvable.
    """

    width: int
    height: int
    top: int
    outside: str
    border: str
    culprit: str
    grid: str
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
    chosen: "ChosenPiece | None"
    summary: str
    squares: tuple[tuple[str, ...], ...]
    """Content of each square as text, row by row from the top, for screen readers."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock of one person at the time of publication; phones count on from there."""

    text: str
    left_ms: int
    free_ms: int
    running: bool
    out: bool


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The score of one side, or of the shared colour."""

    chips: tuple[ColourChip, ...]
    title: str
    score: str
    squares: str
    note: str
    on_turn: bool
    first: bool
    times: tuple[ClockView, ...] = ()
    shared: bool = False


@dataclass(frozen=True, slots=True)
class TrayPieceView:
    """A piece of a tray, ready to draw, `width` by `height` squares."""

    name: str
    path: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class TrayView:
    """The pieces that a colour has in hand."""

    chip: ColourChip
    title: str
    pieces: tuple[TrayPieceView, ...]
    squares: int
    out: bool


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A possible placement for the arbiter to choose."""

    number: int
    chip: ColourChip
    sentence: str
    share: int


@dataclass(frozen=True, slots=True)
class RefusalView:
    """A refused piece on the board: each broken rule as a drawing and a sentence.

    Attributes:
        chip: the colour of the piece.
        other: another colour of the game, for drawings.
        reasons: drawing and sentence of each rule.
    """

    chip: ColourChip
    other: ColourChip
    reasons: tuple[tuple[RuleDrawing, str], ...]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A row of the list of moves; `who` names the colour and the person who plays it."""

    ply: int
    chip: ColourChip
    who: str
    piece: str
    squares: str
    sentence: str
    overruled: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """All that is drawn of a page."""

    title: str
    code: str
    sentence: str
    notices: tuple[str, ...]
    announcement: str
    saved: bool
    chip: ColourChip | None
    cards: tuple[ScoreCard, ...]
    puzzle: PuzzleView | None
    board: BoardView
    trays: tuple[TrayView, ...]
    lines: tuple[MoveRow, ...]
    choices: tuple[CandidateView, ...]
    refusals: tuple[RefusalView, ...]
    lead: str
    rematch: str
    hint: str
    hint_to_ask: str
    hints_left: str
    thinking: bool
    timed_out: bool
    setup: SetupView | None
    asked: tuple[int, ...]
    computer_seats: tuple[ComputerSeat, ...]
    gave_up: bool
    possible: frozenset[str]
    name: str
    scoring: str
    pictures: bool
    ply: int
    revision: int
    finished: bool


def view_of(page: Page, wording: Wording) -> PageView:
    """Returns all that is drawn of a page, in one language."""
    chips = tuple(ColourChip.of(colour, wording) for colour in page.colours)
    about = page.turn if page.state.colour is None else page.state.colour
    return PageView(
        title=wording.title(page),
        code=page.state.code.value,
        sentence=wording.state(page),
        notices=wording.machine(page),
        announcement=wording.announcement(page),
        saved=page.saved,
        chip=None if about is None else chips[about],
        cards=cards_of(page, wording),
        puzzle=puzzle_of(page, wording),
        board=_board(page, chips, wording),
        trays=tuple(_tray(page, i, chips, wording) for i in range(len(chips))),
        lines=tuple(_lines(page, chips, wording)),
        choices=tuple(_choices(page, chips, wording)),
        refusals=tuple(_refusal(page, piece, chips, wording) for piece in page.refused),
        lead=wording.lead(page),
        rematch=wording.rematch(page),
        hint=wording.hint(page),
        hint_to_ask=wording.hint_to_ask(page),
        hints_left="" if page.puzzle else hints_left(page, wording),
        thinking=is_thinking(page),
        timed_out=any(clock.timed_out for clock in page.clocks),
        setup=setup_of(page, wording),
        asked=page.state.asked,
        computer_seats=_computer_seats(page, chips),
        gave_up=page.gave_up is not None,
        possible=frozenset(page.possible),
        name=page.name,
        scoring="" if page.puzzle else wording.label(page.scoring.value),
        pictures=page.pictures is not PictureAudience.NOBODY,
        ply=page.ply,
        revision=page.revision,
        finished=page.finished,
    )


def chips_of(page: Page | None, wording: Wording) -> Iterator[ColourChip]:
    """Yields the sign of each colour, in the order of play; none without a page."""
    for colour in page.colours if page else ():
        yield ColourChip.of(colour, wording)


def _board(page: Page, chips: tuple[ColourChip, ...], wording: Wording) -> BoardView:
    part = part_of(page)
    reasons = [reason for piece in page.refused for reason in piece.reasons]
    at_fault = {s for r in reasons if r.rule in _ABOUT_SQUARES for s in r.squares}
    missed = {s for r in reasons for s in r.against} - at_fault
    order = sorted(page.pieces, key=lambda piece: list(Mark).index(piece.mark))
    return BoardView(
        width=part.width,
        height=part.height,
        top=part.top,
        outside=part.outside,
        border=part.border,
        culprit=outline(page.puzzle.culprit, 1, 3) if page.puzzle and page.puzzle.culprit else "",
        grid=part.grid,
        columns=tuple((_middle(i), ascii_lowercase[i]) for i in part.columns),
        rows=tuple((_middle(i), str(page.size - i)) for i in part.rows),
        starts=tuple((_middle(column), _middle(row)) for row, column in page.starts),
        pieces=(
            *(_drawn(piece, piece.mark.value, chips[piece.colour]) for piece in order),
            *(_drawn(piece, _TO_LIFT, chips[piece.colour]) for piece in page.to_lift),
        ),
        offending=tuple((_middle(column), _middle(row)) for row, column in sorted(at_fault)),
        against=outline(missed, 1.5, 3) if missed else "",
        attention=_attention(page),
        covered=outline(page.covered, 0, 2) if page.covered else "",
        way=_way(page),
        hint=hinted(page),
        reason=reasoned(page),
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


def _computer_seats(page: Page, chips: tuple[ColourChip, ...]) -> tuple[ComputerSeat, ...]:
    """Returns the seats of a game in which the computer plays, in the order of play."""
    return tuple(
        ComputerSeat(
            person,
            tuple(chips[colour] for colour in seat.colours),
            bool(seat.level),
            seat.level or seat.agreed,
        )
        for person, seat in enumerate(page.computer)
    )


def _attention(page: Page) -> str:
    """Returns the outline of squares that moved or are unclear; empty if there are none."""
    state = page.state
    if not state.squares or state.code is RefereeState.REFUSED:
        return ""
    return outline(state.squares, 1, 3)


def _refusal(
    page: Page, piece: RefusedPiece, chips: tuple[ColourChip, ...], wording: Wording
) -> RefusalView:
    other = page.turn if page.turn not in (None, piece.colour) else None
    drawings = (drawing_of(reason.rule) for reason in piece.reasons)
    sentences = wording.refusal(page, piece)
    return RefusalView(
        chip=chips[piece.colour],
        other=chips[(piece.colour + 1) % len(chips) if other is None else other],
        reasons=tuple(zip(drawings, sentences, strict=True)),
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
    shape = {squares: outline(squares, 1, 3) if squares else "" for squares in (current, target)}
    return RestorePath(ink, shape[current], shape[target], between)


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


def cards_of(page: Page, wording: Wording) -> tuple[ScoreCard, ...]:
    """Returns the score of each side, in the order of play, and last that of a shared colour.

    A puzzle has none.
    """
    if page.puzzle is not None:
        return ()
    chips = tuple(ColourChip.of(colour, wording) for colour in page.colours)
    return tuple(_cards(page, chips, wording))


def _cards(page: Page, chips: tuple[ColourChip, ...], wording: Wording) -> Iterator[ScoreCard]:
    best = _best(page)
    for side in page.sides:
        colours = [page.colours[i] for i in side.colours]
        first = page.result is not None and best.issuperset(side.colours)
        yield ScoreCard(
            chips=tuple(chips[i] for i in side.colours),
            title=called(colours, wording),
            score=wording.score(side.score),
            squares=_squares(colours, wording),
            note=_note(page, side.colours, wording, first=first),
            on_turn=page.turn in side.colours,
            first=first,
            times=tuple(
                time_of(clock)
                for clock in page.clocks
                if clock.colours and set(clock.colours) <= set(side.colours)
            ),
        )
    in_sides = {i for side in page.sides for i in side.colours}
    for i, colour in enumerate(page.colours):
        if i not in in_sides:
            title, note = called([colour], wording), wording.label("shared")
            score = wording.score(None)
            yield ScoreCard(
                (chips[i],),
                title,
                score,
                _squares([colour], wording),
                note,
                page.turn == i,
                first=False,
                shared=True,
            )


def _squares(colours: list[Colour], wording: Wording) -> str:
    left = sum(len(piece.squares) for colour in colours for piece in colour.left)
    laid = sum(colour.placed for colour in colours)
    return wording.say("squares-laid", laid=laid, left=left)


def time_of(clock: PlayerClock) -> ClockView:
    """Returns a clock with its text, `m:ss`, or `h:mm:ss` from one hour."""
    left_s = max(clock.left_ms, 0) / 1000
    minutes, seconds = divmod(ceil(left_s), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return ClockView(text, clock.left_ms, clock.free_ms, clock.running, clock.timed_out)


def _best(page: Page) -> set[int]:
    return set() if page.result is None else {*page.result.winner, *page.result.tied}


def _note(page: Page, colours: tuple[int, ...], wording: Wording, *, first: bool) -> str:
    if page.result is not None:
        return wording.label("tied" if page.result.tied else "winner") if first else ""
    if page.turn in colours:
        return wording.label("to-move")
    if all(page.colours[i].out for i in colours):
        return wording.label("out")
    level = max(page.colours[i].level for i in colours)
    return wording.player_level(level) if level else ""


def called(colours: list[Colour], wording: Wording) -> str:
    """Returns the names of the people who play the colours; colour names if unknown."""
    names = [wording.person(one) or wording.capital(wording.colour(one)) for one in colours]
    return " + ".join(dict.fromkeys(names))


def _tray(page: Page, index: int, chips: tuple[ColourChip, ...], wording: Wording) -> TrayView:
    colour = page.colours[index]
    return TrayView(
        chip=chips[index],
        title=wording.capital(chips[index].name) if page.puzzle else called([colour], wording),
        pieces=tuple(map(_in_hand, sorted(colour.left, key=lambda piece: -len(piece.squares)))),
        squares=sum(len(piece.squares) for piece in colour.left),
        out=colour.out and not page.finished and page.puzzle is None,
    )


def _in_hand(piece: TrayPiece) -> TrayPieceView:
    return piece_drawing(piece.name, _flat(piece.squares))


def piece_drawing(name: str, squares: tuple[Square, ...]) -> TrayPieceView:
    """Returns the drawing of a piece by itself, turned as its squares are."""
    top, left = min(row for row, _ in squares), min(column for _, column in squares)
    shape = tuple((row - top, column - left) for row, column in squares)
    height = 1 + max(row for row, _ in shape)
    width = 1 + max(column for _, column in shape)
    return TrayPieceView(name, outline(shape, 0.7, 3) + seams(shape, 3), width, height)


def _choices(
    page: Page, chips: tuple[ColourChip, ...], wording: Wording
) -> Iterator[CandidateView]:
    for number, one in enumerate(page.candidates):
        move = MoveEntry(page.ply + 1, one.colour, one.piece, one.squares)
        yield CandidateView(
            number=number,
            chip=chips[one.colour],
            sentence=wording.capital(wording.move(page, move)),
            share=round(100 * one.confidence),
        )


def _flat(squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Returns a tall piece turned on its side, as a tray is wider than high."""
    tall = max(row for row, _ in squares) > max(column for _, column in squares)
    return tuple((column, row) for row, column in squares) if tall else squares


def _lines(page: Page, chips: tuple[ColourChip, ...], wording: Wording) -> Iterator[MoveRow]:
    for move in reversed(page.moves):
        yield MoveRow(
            ply=move.ply,
            chip=chips[move.colour],
            who=wording.player(page, move.colour),
            piece=move.piece or wording.label("pass"),
            squares=" ".join(map(page.square_name, move.squares)),
            sentence=wording.capital(wording.move(page, move)),
            overruled=move.overruled,
        )
