"""View model of a page: the paths, texts and marks that the templates draw."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from web.contract import (
    ALL_PLACED_BONUS,
    MONOMINO_LAST_BONUS,
    ArbiterPage,
    Colour,
    Page,
    PlayerClock,
    RefusedPiece,
    Scoring,
    Side,
)
from web.i18n.wording import Wording
from web.presentation.board_view import BoardView, ColourChip, board_of, chips_of
from web.presentation.drawn_wording import DrawnWording, PieceDrawing, flat
from web.presentation.puzzle_view import PuzzleView, puzzle_of
from web.presentation.rule_drawings import RuleDrawing, drawing_of
from web.presentation.setup_view import SetupView, setup_of


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The score of one side, or of the shared colour.

    Attributes:
        names: names of its people.
        score: squares left while the game lasts, then the score that decides.
        other: the points beside the squares left, or the other way round.
    """

    chips: tuple[ColourChip, ...]
    names: tuple[str, ...]
    score: str
    other: str
    note: str
    on_turn: bool
    first: bool
    times: tuple[PlayerClock, ...] = ()
    shared: bool = False

    @property
    def title(self) -> str:
        """The names in a line."""
        return " + ".join(self.names)


@dataclass(frozen=True, slots=True)
class TrayView:
    """The pieces that a colour has in hand."""

    chip: ColourChip
    title: str
    pieces: tuple[PieceDrawing, ...]
    squares: int
    out: bool


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
    overruled: bool


@dataclass(frozen=True, slots=True)
class PageView:
    """All that is drawn of a page: the page itself, and what is derived from it.

    Attributes:
        page: the page.
        chips: the sign of each colour.
        chip: the sign of the colour that the state is about; None without one.
    """

    page: Page
    chips: tuple[ColourChip, ...]
    title: str
    sentence: str
    hint: str
    places: str
    notices: tuple[str, ...]
    announcement: str
    chip: ColourChip | None
    cards: tuple[ScoreCard, ...]
    puzzle: PuzzleView | None
    board: BoardView
    trays: tuple[TrayView, ...]
    lines: tuple[MoveRow, ...]
    refusals: tuple[RefusalView, ...]
    lead: str
    rematch: str
    setup: SetupView | None


def view_of(page: Page, wording: Wording) -> PageView:
    """Returns all that is drawn of a page, in one language."""
    chips, drawn = chips_of(page, wording), DrawnWording(wording.language)
    shown = page.private or ArbiterPage()
    about = page.turn if page.state.colour is None else page.state.colour
    return PageView(
        page=page,
        chips=chips,
        title=wording.title(page),
        sentence=drawn.state(page),
        hint=drawn.hint(page),
        places=drawn.places(page, shown.piece, shown.covers, shown.corners),
        notices=wording.machine(page),
        announcement=wording.announcement(page),
        chip=None if about is None else chips[about],
        cards=cards_of(page, wording),
        puzzle=puzzle_of(page, drawn),
        board=board_of(page, wording),
        trays=tuple(tray_of(page, i, chips, wording) for i in range(len(chips))),
        lines=tuple(_lines(page, chips, wording)),
        refusals=tuple(_refusal(page, piece, chips, drawn) for piece in page.refused),
        lead=wording.lead(page),
        rematch=wording.rematch(page),
        setup=setup_of(page, wording),
    )


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


def cards_of(page: Page, wording: Wording) -> tuple[ScoreCard, ...]:
    """Returns the score of each side, in the order of play, and last that of a shared colour.

    A puzzle has none.
    """
    if page.puzzle is not None:
        return ()
    chips = chips_of(page, wording)
    return tuple(_cards(page, chips, wording))


def _cards(page: Page, chips: tuple[ColourChip, ...], wording: Wording) -> Iterator[ScoreCard]:
    best = set() if page.result is None else {*page.result.winner, *page.result.tied}
    for side in page.sides:
        colours = [page.colours[i] for i in side.colours]
        left, points = scores_of(page, side)
        first = page.result is not None and best.issuperset(side.colours)
        yield ScoreCard(
            chips=tuple(chips[i] for i in side.colours),
            names=_names(colours, wording),
            score=wording.score(side.score if page.finished else left),
            other=wording.say("left", left=left)
            if page.finished and page.scoring is Scoring.ADVANCED
            else wording.say("official", points=wording.score(points)),
            note=_note(page, side.colours, wording, first=first),
            on_turn=page.turn in side.colours,
            first=first,
            times=tuple(
                clock
                for clock in page.clocks
                if clock.colours and set(clock.colours) <= set(side.colours)
            ),
        )
    in_sides = {i for side in page.sides for i in side.colours}
    for i, colour in enumerate(page.colours):
        if i not in in_sides:
            yield ScoreCard(
                (chips[i],),
                _names([colour], wording),
                wording.score(None),
                wording.say("left", left=squares_left([colour])),
                wording.label("shared"),
                page.turn == i,
                first=False,
                shared=True,
            )


def squares_left(colours: Iterable[Colour]) -> int:
    """Returns the number of squares of the pieces that colours have not laid."""
    return sum(len(piece.squares) for colour in colours for piece in colour.left)


def scores_of(page: Page, side: Side) -> tuple[int, int]:
    """Returns the squares that a side has left, and its points, whichever of them decides."""
    left = squares_left(page.colours[i] for i in side.colours)
    if page.scoring is Scoring.ADVANCED:
        return left, side.score
    last = {move.colour: move.piece for move in page.moves if move.piece}
    whole = [i for i in side.colours if not page.colours[i].left]
    bonus = sum(ALL_PLACED_BONUS + MONOMINO_LAST_BONUS * (last.get(i) == "1") for i in whole)
    return left, bonus - left


def _note(page: Page, colours: tuple[int, ...], wording: Wording, *, first: bool) -> str:
    if page.result is not None:
        return wording.label("tied" if page.result.tied else "winner") if first else ""
    if page.turn in colours:
        return wording.label("to-move")
    if all(page.colours[i].out for i in colours):
        return wording.label("out")
    level = max(page.colours[i].level for i in colours)
    return wording.player_level(level) if level else ""


def player_names(colours: list[Colour], wording: Wording) -> str:
    """Returns the names of the people who play the colours; colour names if unknown."""
    return " + ".join(_names(colours, wording))


def _names(colours: list[Colour], wording: Wording) -> tuple[str, ...]:
    names = (wording.person(one) or wording.capital(wording.colour(one)) for one in colours)
    return tuple(dict.fromkeys(names))


def tray_of(page: Page, index: int, chips: tuple[ColourChip, ...], wording: Wording) -> TrayView:
    """Returns the pieces that a colour has in hand, the largest first."""
    colour = page.colours[index]
    return TrayView(
        chip=chips[index],
        title=wording.capital(chips[index].name)
        if page.puzzle
        else player_names([colour], wording),
        pieces=tuple(
            PieceDrawing.of(piece.name, flat(piece.squares))
            for piece in sorted(colour.left, key=lambda piece: -len(piece.squares))
        ),
        squares=squares_left([colour]),
        out=colour.out and not page.finished and page.puzzle is None,
    )


def _lines(page: Page, chips: tuple[ColourChip, ...], wording: Wording) -> Iterator[MoveRow]:
    for move in reversed(page.moves):
        yield MoveRow(
            ply=move.ply,
            chip=chips[move.colour],
            who=wording.mover(page, move),
            piece=move.piece or wording.label("pass"),
            squares=" ".join(map(page.square_name, move.squares)),
            overruled=move.overruled,
        )
